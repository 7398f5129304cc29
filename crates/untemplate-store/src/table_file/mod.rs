//! Table files: tables as they leave the program, in the formats that people load.
//!
//! In: a [`Table`]. Out: its bytes as JSON lines, CSV, XML, Parquet or an SQLite database. A file is made whole in memory;
//! who calls decides where it goes.
//!
//! ```
//! use untemplate_store::table_file::{ColumnKind, Table, TableColumn, TableFormat, write_table};
//! let table = Table {
//!     name: "players".to_owned(),
//!     columns: vec![TableColumn { name: "name".to_owned(), kind: ColumnKind::Text }],
//!     rows: vec![vec![Some("Ada".to_owned())], vec![None]],
//! };
//! let csv = write_table(&table, TableFormat::Csv)?;
//! assert_eq!(csv, b"name\r\nAda\r\n\"\"\r\n");
//! # Ok::<(), untemplate_store::table_file::TableFileError>(())
//! ```

pub(crate) mod csv;
pub(crate) mod json_lines;
mod parquet;
pub(crate) mod sqlite_database;
mod table;
mod thrift;
pub(crate) mod xml;

pub use sqlite_database::write_tables_into;
pub use table::{ColumnKind, Table, TableColumn, TableFileError, TableFormat, write_table};

#[cfg(test)]
mod tests;
