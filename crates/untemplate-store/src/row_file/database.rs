//! Rows in a database: one transaction, a table for each.

use std::fs;
use std::path::Path;

use rusqlite::{Connection, params_from_iter};

use super::folder::RowTable;
use crate::table_file::sqlite_database::quoted;

/// A database in the making.
pub(super) struct RowDatabase {
    connection: Connection,
    /// Of each table the statement that adds a row.
    statements: Vec<String>,
}

impl RowDatabase {
    /// A new database with these tables.
    pub(super) fn create(path: &Path, tables: &[RowTable]) -> Result<Self, rusqlite::Error> {
        // What a run that was killed left behind is in the way; where it cannot be removed, opening says so.
        let _ = fs::remove_file(path);
        let connection = Connection::open(path)?;
        // The file counts only when it is whole, so that nothing need be undone.
        connection.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN")?;
        let mut statements = Vec::new();
        for table in tables {
            let columns: Vec<String> = table
                .columns
                .iter()
                .map(|name| format!("{} TEXT", quoted(name)))
                .collect();
            let name = quoted(&table.name);
            connection.execute_batch(&format!("CREATE TABLE {name} ({})", columns.join(", ")))?;
            let marks = vec!["?"; columns.len()].join(", ");
            statements.push(format!("INSERT INTO {name} VALUES ({marks})"));
        }
        Ok(Self { connection, statements })
    }

    /// Adds a row; a field without a value is null.
    pub(super) fn push(&mut self, table: usize, values: &[Vec<String>]) -> Result<(), rusqlite::Error> {
        let cells = values
            .iter()
            .map(|values| (!values.is_empty()).then(|| values.join("\n")));
        let mut statement = self.connection.prepare_cached(&self.statements[table])?;
        statement.execute(params_from_iter(cells))?;
        Ok(())
    }

    /// Ends the database; whoever renames the file syncs it first.
    pub(super) fn finish(self) -> Result<(), rusqlite::Error> {
        self.connection.execute_batch("COMMIT")?;
        self.connection.close().map_err(|(_, error)| error)
    }
}
