//! Partitions: Parquet files in folders that say which page class and which table they hold.
//!
//! `parquet/class=CLASS/table=TABLE/part-0.parquet` is how engines write partitions themselves:
//! DuckDB, Polars and Spark make columns `class` and `table` of the folders, and open only those
//! that are asked for. A time of day is text: not every Spark has a type for one, and it then opens
//! no file that has.

use std::fs;
use std::path::{Path, PathBuf};

use untemplate::table::{ColumnKind, Table};

use super::file_name::file_stem;
use super::metadata::ClassMark;

/// The folder of all partitions.
const FOLDER: &str = "parquet";

/// The file in each of them.
pub(super) const FILE: &str = "part-0.parquet";

/// The folder of a table whose file is called so.
pub(super) fn partition(folder: &Path, classes: &[ClassMark], table: &Table, name: &str) -> PathBuf {
    let class = classes.get(table.page_class).map_or("", |class| class.name.as_str());
    let class = file_stem(class);
    folder
        .join(FOLDER)
        .join(format!("class={class}"))
        .join(format!("table={name}"))
}

/// The table as it stands in a partition.
pub(super) fn as_partition(table: &Table) -> Table {
    let mut table = table.clone();
    for column in table
        .columns
        .iter_mut()
        .filter(|column| column.kind == ColumnKind::Time)
    {
        column.kind = ColumnKind::Text;
    }
    table
}

/// Removes the partitions of an earlier run that are not among these files, so that what lies in
/// the folder is one database. Whatever else somebody put there stays.
pub(super) fn remove_others(folder: &Path, files: &[PathBuf]) {
    let inner = |folder: &Path, begin: &str| -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let named = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(begin));
        named.map(|entry| entry.path()).collect()
    };
    for class in inner(&folder.join(FOLDER), "class=") {
        for table in inner(&class, "table=") {
            let file = table.join(FILE);
            // What is not there, or kept open by somebody, does no harm; a folder goes when it is
            // empty.
            if !files.contains(&file) {
                let _ = fs::remove_file(file);
            }
            let _ = fs::remove_dir(table);
        }
        let _ = fs::remove_dir(class);
    }
}
