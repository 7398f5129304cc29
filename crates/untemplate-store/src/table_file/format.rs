//! The formats, and why a table could not be written.

use std::io;
use std::path::{Path, PathBuf};

/// How tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableFormat {
    /// A file a table, a JSON object a row; what is missing is left out, several values are an
    /// array.
    JsonLines,
    /// A file a table: RFC 4180, with a row of names; what is missing is nothing at all, an empty
    /// text is `""`.
    Csv,
    /// A file a table: Apache Parquet, typed; what is missing is null.
    Parquet,
    /// The same in folders of their own, `parquet/class=CLASS/table=TABLE/`, as engines take
    /// partitions: by the page class and the table.
    ParquetByClass,
    /// A file a table: an element a row, with an element a value.
    Xml,
    /// One SQLite database with all tables.
    Sqlite,
    /// One workbook with a sheet a table.
    Xlsx,
}

impl TableFormat {
    /// How its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Parquet | Self::ParquetByClass => "parquet",
            Self::Xml => "xml",
            Self::Sqlite => "sqlite",
            Self::Xlsx => "xlsx",
        }
    }
}

/// Why tables could not be written.
#[derive(Debug, thiserror::Error)]
pub enum TableFileError {
    /// The disk refused.
    #[error("cannot write {}: {source}; check that the folder may be written to and has room", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// SQLite refused.
    #[error("cannot write {}: {source}; check that the folder may be written to and has room", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// A file of somebody else is in the way, or one that is broken.
    #[error("{} was not made by this program, or is broken ({source}); move it away, or give another folder with -o", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
    /// The server refused.
    #[error(transparent)]
    Server(#[from] crate::table_server::TableServerError),
    /// A reference that the schema declares does not hold on the rows.
    #[error("{}: {n_rows} rows of {table} refer to rows of {parent} that are not there; leave this reference out of the schema", path.display())]
    Reference {
        /// The file.
        path: PathBuf,
        /// The table that refers.
        table: String,
        /// The table that it refers to.
        parent: String,
        /// How many rows do.
        n_rows: usize,
    },
}

/// What the disk said of a file.
pub(super) fn failed(path: &Path) -> impl FnOnce(io::Error) -> TableFileError {
    let path = path.to_owned();
    |source| TableFileError::Write { path, source }
}

/// What SQLite said of a file.
pub(super) fn database_failed(path: &Path) -> impl FnOnce(rusqlite::Error) -> TableFileError {
    let path = path.to_owned();
    |source| TableFileError::Database { path, source }
}
