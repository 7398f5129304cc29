//! Row files: tables that are written row by row, so that no table need fit in memory.
//!
//! In: [`RowTable`]s and their rows as they come. Out: a folder with a file for each table and text format (`player.jsonl`, `player.csv`, `player.xml`), and one
//! database for all (`tables.sqlite`). Files have other names until [`RowFiles::finish`]: a run that was killed leaves no half table behind
//! that looks whole. A field has any number of values; what formats without lists cannot hold otherwise is on lines of one cell, since values
//! have no line ends of their own.

mod database;
mod folder;
mod text;

pub use folder::{RowFileError, RowFiles, RowFormat, RowTable};

#[cfg(test)]
mod tests;
