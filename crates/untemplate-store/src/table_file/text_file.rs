//! Files of text in the making: JSON lines, CSV, XML.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use untemplate::table::Table;

use super::row::Row;
use super::{csv, json_lines, xml};

/// The formats that are text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFormat {
    JsonLines,
    Csv,
    Xml,
}

/// A file in the making.
pub(super) struct TextFile {
    format: TextFormat,
    writer: BufWriter<File>,
    /// The row at hand, so that its room is used again.
    text: String,
}

impl TextFile {
    /// A file with what comes before the rows.
    pub(super) fn create(path: &Path, format: TextFormat, table: &Table) -> io::Result<Self> {
        let mut writer = BufWriter::new(File::create(path)?);
        let mut text = String::new();
        match format {
            TextFormat::JsonLines => {}
            TextFormat::Csv => csv::push_head(table, &mut text),
            TextFormat::Xml => xml::push_head(table, &mut text),
        }
        writer.write_all(text.as_bytes())?;
        Ok(Self { format, writer, text })
    }

    /// Adds a row.
    pub(super) fn push(&mut self, table: &Table, row: Row<'_>) -> io::Result<()> {
        self.text.clear();
        match self.format {
            TextFormat::JsonLines => json_lines::push_row(table, row, &mut self.text),
            TextFormat::Csv => csv::push_row(row, &mut self.text),
            TextFormat::Xml => xml::push_row(table, row, &mut self.text),
        }
        self.writer.write_all(self.text.as_bytes())
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.format == TextFormat::Xml {
            self.writer.write_all(xml::END.as_bytes())?;
        }
        self.writer.flush()
    }
}
