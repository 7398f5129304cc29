//! Parquet: row group after row group, in each column after column, pages packed by Zstandard.
//!
//! Ours is the least that readers ask for: a data page (version 1) for each column of a group,
//! definition levels that say what is missing, plain values. The `parquet` crate brings some thirty
//! packages for what are three hundred lines. A group ends by its rows or its bytes, whichever
//! comes first, and is all that memory holds.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use untemplate::table::{Column, Table};

use super::parquet_column::{ColumnBuffer, type_number, write_meaning};
use super::row::{Row, joined};
use super::thrift::Thrift;

/// Rows of one group, and bytes; a reader holds one group's column at a time.
const GROUP_ROWS: usize = 50_000;
const GROUP_BYTES: usize = 32 << 20;

/// What begins and ends a Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// Numbers of the format: a data page, the plain and the run-length encoding, optional fields,
/// Zstandard.
const DATA_PAGE: i32 = 0;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const OPTIONAL: i32 = 1;
const ZSTD: i32 = 6;

/// Packing harder costs more than it saves at the size of a group.
const ZSTD_LEVEL: i32 = 3;

/// A file in the making.
pub(super) struct ParquetFile {
    writer: BufWriter<File>,
    offset: i64,
    columns: Vec<Column>,
    pending: Vec<ColumnBuffer>,
    n_pending: usize,
    n_rows: usize,
    groups: Vec<Vec<Chunk>>,
}

/// A column of a row group, as the end of the file tells of it.
struct Chunk {
    column: usize,
    offset: i64,
    unpacked: i64,
    packed: i64,
    n_values: i64,
}

impl ParquetFile {
    /// A file without rows.
    pub(super) fn create(path: &Path, table: &Table) -> io::Result<Self> {
        let mut writer = BufWriter::new(File::create(path)?);
        writer.write_all(MAGIC)?;
        Ok(Self {
            writer,
            offset: MAGIC.len() as i64,
            columns: table.columns.clone(),
            pending: table.columns.iter().map(|_| ColumnBuffer::default()).collect(),
            n_pending: 0,
            n_rows: 0,
            groups: Vec::new(),
        })
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: Row<'_>) -> io::Result<()> {
        for ((column, buffer), values) in self.columns.iter().zip(&mut self.pending).zip(row) {
            buffer.push(column.kind, joined(values).as_deref());
        }
        self.n_pending += 1;
        self.n_rows += 1;
        let n_bytes: usize = self.pending.iter().map(ColumnBuffer::n_bytes).sum();
        if self.n_pending == GROUP_ROWS || n_bytes > GROUP_BYTES {
            self.end_group()?;
        }
        Ok(())
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.n_pending > 0 {
            self.end_group()?;
        }
        let footer = self.footer();
        self.writer.write_all(&footer)?;
        self.writer.write_all(&(footer.len() as u32).to_le_bytes())?;
        self.writer.write_all(MAGIC)?;
        self.writer.flush()
    }

    fn end_group(&mut self) -> io::Result<()> {
        let mut chunks = Vec::with_capacity(self.columns.len());
        for (index, (column, buffer)) in self.columns.iter().zip(&mut self.pending).enumerate() {
            let n_values = buffer.n_values();
            let page = buffer.take_page(column.kind);
            let packed = zstd::bulk::compress(&page, ZSTD_LEVEL)?;
            let mut header = Thrift::new();
            header
                .i32(1, DATA_PAGE)
                .i32(2, page.len() as i32)
                .i32(3, packed.len() as i32);
            header.structure(5, |page| {
                page.i32(1, n_values as i32).i32(2, PLAIN).i32(3, RLE).i32(4, RLE);
            });
            let header = header.finish();
            self.writer.write_all(&header)?;
            self.writer.write_all(&packed)?;
            let chunk = Chunk {
                column: index,
                offset: self.offset,
                unpacked: (header.len() + page.len()) as i64,
                packed: (header.len() + packed.len()) as i64,
                n_values: n_values as i64,
            };
            self.offset += chunk.packed;
            chunks.push(chunk);
        }
        self.groups.push(chunks);
        self.n_pending = 0;
        Ok(())
    }

    fn footer(&self) -> Vec<u8> {
        let mut footer = Thrift::new();
        footer.i32(1, 1);
        let elements: Vec<Option<&Column>> = std::iter::once(None).chain(self.columns.iter().map(Some)).collect();
        footer.structures(2, &elements, |element, column| match column {
            None => {
                element.text(4, "schema").i32(5, self.columns.len() as i32);
            }
            Some(column) => {
                element
                    .i32(1, type_number(column.kind))
                    .i32(3, OPTIONAL)
                    .text(4, &column.name);
                write_meaning(column.kind, element);
            }
        });
        footer.i64(3, self.n_rows as i64);
        footer.structures(4, &self.groups, |group, chunks| {
            group.structures(1, chunks, |chunk, its| self.write_chunk(chunk, its));
            group.i64(2, chunks.iter().map(|chunk| chunk.unpacked).sum());
            group.i64(3, chunks.first().map_or(0, |chunk| chunk.n_values));
        });
        footer.text(6, concat!("untemplate ", env!("CARGO_PKG_VERSION")));
        footer.finish()
    }

    fn write_chunk(&self, chunk: &mut Thrift, its: &Chunk) {
        let column = &self.columns[its.column];
        chunk.i64(2, its.offset).structure(3, |data| {
            data.i32(1, type_number(column.kind))
                .i32s(2, &[PLAIN, RLE])
                .texts(3, &[&column.name])
                .i32(4, ZSTD)
                .i64(5, its.n_values)
                .i64(6, its.unpacked)
                .i64(7, its.packed)
                .i64(9, its.offset);
        });
    }
}
