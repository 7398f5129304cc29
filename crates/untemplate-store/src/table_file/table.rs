//! Tables: named columns and rows of values, some of them missing.

use std::path::PathBuf;

use super::{csv, json_lines, parquet, sqlite_database, xml};

/// A table that leaves the program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Its columns; their names are unlike each other.
    pub columns: Vec<TableColumn>,
    /// Its rows, each with a value or nothing for each column.
    pub rows: Vec<Vec<Option<String>>>,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: ColumnKind,
}

/// What the values of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Any text.
    Text,
    /// Whole numbers that 64 bits hold. A value that is none is written as missing.
    Integer,
    /// Numbers. A value that is none is written as missing.
    Real,
}

/// How a table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// A JSON object a row; what is missing is left out.
    JsonLines,
    /// RFC 4180, with a row of names; what is missing is empty.
    Csv,
    /// Apache Parquet; what is missing is null.
    Parquet,
    /// An element a row, with an element a value.
    Xml,
    /// An SQLite database with one table.
    Sqlite,
}

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TableFileError {
    /// The database failed.
    #[error("cannot write the database {}: {source}; check that its folder is there, may be written to and has room", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The database's file failed.
    #[error("cannot read back {}: {source}; check that there is room for temporary files", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
}

/// The bytes of a table in a format.
pub fn write_table(table: &Table, format: TableFormat) -> Result<Vec<u8>, TableFileError> {
    match format {
        TableFormat::JsonLines => Ok(json_lines::write(table)),
        TableFormat::Csv => Ok(csv::write(table)),
        TableFormat::Parquet => Ok(parquet::write(table)),
        TableFormat::Xml => Ok(xml::write(table)),
        TableFormat::Sqlite => sqlite_database::write(table),
    }
}

impl ColumnKind {
    /// The narrowest kind that writes all values as they are: whole numbers without leading zeros, or else text.
    pub fn of<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut has_any = false;
        for value in values {
            has_any = true;
            if value.parse::<i64>().map_or(true, |number| number.to_string() != value) {
                return Self::Text;
            }
        }
        if has_any { Self::Integer } else { Self::Text }
    }
}
