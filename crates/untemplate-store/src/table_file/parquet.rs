//! Parquet: column after column, plain values, no compression.
//!
//! Ours is the least that readers ask for: row groups of so many rows, a data page (version 1) for each column of a group,
//! definition levels that say what is missing. The `parquet` crate brings some thirty packages for what are two hundred lines.

use super::table::{ColumnKind, Table, TableColumn};
use super::thrift::{Thrift, push_varint};

/// Rows of one group; a reader holds one group's column at a time.
const GROUP_ROWS: usize = 50_000;

/// What begins and ends a Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// Numbers of the format: types, a data page, the plain and the run-length encoding, optional fields, UTF-8.
const INT64: i32 = 2;
const DOUBLE: i32 = 5;
const BYTE_ARRAY: i32 = 6;
const DATA_PAGE: i32 = 0;
const PLAIN: i32 = 0;
const RLE: i32 = 3;
const OPTIONAL: i32 = 1;
const UTF8: i32 = 0;

struct Chunk {
    column: usize,
    offset: i64,
    size: i64,
    n_values: i64,
}

/// The table as a Parquet file.
pub fn write(table: &Table) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    let mut groups: Vec<Vec<Chunk>> = Vec::new();
    for rows in table.rows.chunks(GROUP_ROWS) {
        let mut chunks = Vec::with_capacity(table.columns.len());
        for (column, kind) in table.columns.iter().map(|column| column.kind).enumerate() {
            let offset = bytes.len() as i64;
            push_page(kind, rows.iter().map(|row| row[column].as_deref()), &mut bytes);
            chunks.push(Chunk {
                column,
                offset,
                size: bytes.len() as i64 - offset,
                n_values: rows.len() as i64,
            });
        }
        groups.push(chunks);
    }
    let footer = footer(table, &groups);
    bytes.extend_from_slice(&footer);
    bytes.extend_from_slice(&(footer.len() as u32).to_le_bytes());
    bytes.extend_from_slice(MAGIC);
    bytes
}

fn push_page<'a>(kind: ColumnKind, values: impl Iterator<Item = Option<&'a str>>, bytes: &mut Vec<u8>) {
    let mut plain = Vec::new();
    let mut is_there = Vec::new();
    for value in values {
        is_there.push(value.is_some_and(|value| push_plain(kind, value, &mut plain)));
    }
    let levels = levels(&is_there);
    let size = 4 + levels.len() + plain.len();
    let mut header = Thrift::new();
    header.i32(1, DATA_PAGE).i32(2, size as i32).i32(3, size as i32);
    header.structure(5, |page| {
        page.i32(1, is_there.len() as i32).i32(2, PLAIN).i32(3, RLE).i32(4, RLE);
    });
    bytes.extend(header.finish());
    bytes.extend((levels.len() as u32).to_le_bytes());
    bytes.extend(levels);
    bytes.extend(plain);
}

/// Appends a value; false when it is none of this kind.
fn push_plain(kind: ColumnKind, value: &str, plain: &mut Vec<u8>) -> bool {
    match kind {
        ColumnKind::Text => {
            plain.extend((value.len() as u32).to_le_bytes());
            plain.extend(value.as_bytes());
            true
        }
        ColumnKind::Integer => value.parse::<i64>().is_ok_and(|number| {
            plain.extend(number.to_le_bytes());
            true
        }),
        ColumnKind::Real => value.parse::<f64>().is_ok_and(|number| {
            plain.extend(number.to_le_bytes());
            true
        }),
    }
}

/// Which values are there, as runs of equal levels.
fn levels(is_there: &[bool]) -> Vec<u8> {
    let mut levels = Vec::new();
    for run in is_there.chunk_by(|one, other| one == other) {
        push_varint((run.len() as u64) << 1, &mut levels);
        levels.push(u8::from(run[0]));
    }
    levels
}

fn footer(table: &Table, groups: &[Vec<Chunk>]) -> Vec<u8> {
    let mut footer = Thrift::new();
    footer.i32(1, 1);
    let elements: Vec<Option<&TableColumn>> = std::iter::once(None).chain(table.columns.iter().map(Some)).collect();
    footer.structures(2, &elements, |element, column| match column {
        None => {
            element.text(4, "schema").i32(5, table.columns.len() as i32);
        }
        Some(column) => {
            element
                .i32(1, kind_number(column.kind))
                .i32(3, OPTIONAL)
                .text(4, &column.name);
            if column.kind == ColumnKind::Text {
                element.i32(6, UTF8);
            }
        }
    });
    footer.i64(3, table.rows.len() as i64);
    footer.structures(4, groups, |group, chunks| {
        group.structures(1, chunks, |chunk, its| write_chunk(chunk, its, table));
        group.i64(2, chunks.iter().map(|chunk| chunk.size).sum());
        group.i64(3, chunks.first().map_or(0, |chunk| chunk.n_values));
    });
    footer.text(6, concat!("untemplate ", env!("CARGO_PKG_VERSION")));
    footer.finish()
}

fn write_chunk(chunk: &mut Thrift, its: &Chunk, table: &Table) {
    let column = &table.columns[its.column];
    chunk.i64(2, its.offset).structure(3, |data| {
        data.i32(1, kind_number(column.kind))
            .i32s(2, &[PLAIN, RLE])
            .texts(3, &[&column.name])
            .i32(4, 0)
            .i64(5, its.n_values)
            .i64(6, its.size)
            .i64(7, its.size)
            .i64(9, its.offset);
    });
}

fn kind_number(kind: ColumnKind) -> i32 {
    match kind {
        ColumnKind::Text => BYTE_ARRAY,
        ColumnKind::Integer => INT64,
        ColumnKind::Real => DOUBLE,
    }
}
