//! Table files: tables as they leave the program, in the formats that people load.
//!
//! In: a [`Database`](untemplate::table::Database), then its rows one by one, so that no table need
//! fit in memory. Out: a [`TableFolder`] with a file for each table and format (`player.jsonl`,
//! `player.csv`, `player.xml`, `player.parquet`), and one database for all (`tables.sqlite`). Files
//! have other names until
//! [`TableFolder::finish`]: a run that was killed leaves no half table behind that looks whole.
//!
//! ```
//! use untemplate::table::{Column, ColumnKind, ColumnSource, Database, Table};
//! use untemplate_store::table_file::{TableFolder, TableFormat};
//! let name = Column {
//!     name: "name".to_owned(), source: ColumnSource::Field("name".to_owned()), kind: ColumnKind::Text, unit: None, is_nullable: true, reading: Default::default(),
//! };
//! let table = Table {
//!     name: "player".to_owned(), page_class: 0, list_path: vec![], columns: vec![name], key: vec![], foreign_keys: vec![],
//! };
//! let folder = tempfile::tempdir()?;
//! let mut files = TableFolder::create(folder.path(), &Database { tables: vec![table] }, &[TableFormat::Csv])?;
//! files.push(0, &[Some("Ada".to_owned())])?;
//! files.push(0, &[None])?;
//! assert_eq!(std::fs::read_to_string(&files.finish()?[0])?, "name\r\nAda\r\n\"\"\r\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod calendar;
mod compare;
mod csv;
mod earlier;
mod file_name;
mod folder;
mod format;
mod json_lines;
mod lineage;
pub(crate) mod metadata;
mod parquet;
mod parquet_column;
mod partition;
pub(crate) mod row;
pub(crate) mod sql_name;
pub(crate) mod sqlite_database;
mod text_file;
mod thrift;
mod xlsx;
mod xml;

pub use calendar::{clock_micros, days, time_micros};
pub use compare::{changes_json, compare_databases};
pub use earlier::{count_rows, entry_of};
pub use folder::{TableFolder, table_bytes};
pub use format::{TableFileError, TableFormat};
pub use json_lines::json_row;
pub use lineage::{CellOrigin, LineageError, PageOrigin, trace_cell};
pub use metadata::{ClassMark, PageMark, PageState};

#[cfg(test)]
mod parquet_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
pub(crate) mod tests;
