//! SQLite: tables in a database file. Names of tables and columns are quoted, whatever a page calls them.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::types::Value;

use super::table::{ColumnKind, Table, TableFileError};

/// A database with one table, as bytes.
pub fn write(table: &Table) -> Result<Vec<u8>, TableFileError> {
    let folder = std::env::temp_dir();
    let failed = |source| TableFileError::File {
        path: folder.clone(),
        source,
    };
    let file = tempfile::Builder::new()
        .prefix("untemplate-")
        .tempfile_in(&folder)
        .map_err(failed)?;
    write_tables_into(file.path(), std::slice::from_ref(table))?;
    std::fs::read(file.path()).map_err(|source| TableFileError::File {
        path: file.path().to_owned(),
        source,
    })
}

/// Writes tables into a database file, which may have others.
pub fn write_tables_into(path: &Path, tables: &[Table]) -> Result<(), TableFileError> {
    let failed = |source| TableFileError::Database {
        path: path.to_owned(),
        source,
    };
    let mut connection = Connection::open(path).map_err(failed)?;
    let transaction = connection.transaction().map_err(failed)?;
    for table in tables {
        insert(&transaction, table).map_err(failed)?;
    }
    transaction.commit().map_err(failed)
}

fn insert(connection: &Connection, table: &Table) -> Result<(), rusqlite::Error> {
    // SQL has no table without columns; a list that is not there has none.
    if table.columns.is_empty() {
        return Ok(());
    }
    let columns: Vec<String> = table
        .columns
        .iter()
        .map(|column| format!("{} {}", quoted(&column.name), kind_name(column.kind)))
        .collect();
    let name = quoted(&table.name);
    connection.execute_batch(&format!("CREATE TABLE {name} ({})", columns.join(", ")))?;
    let marks = vec!["?"; table.columns.len()].join(", ");
    let mut statement = connection.prepare(&format!("INSERT INTO {name} VALUES ({marks})"))?;
    for row in &table.rows {
        let values = row
            .iter()
            .zip(&table.columns)
            .map(|(value, column)| database_value(value.as_deref(), column.kind));
        statement.execute(rusqlite::params_from_iter(values))?;
    }
    Ok(())
}

fn database_value(value: Option<&str>, kind: ColumnKind) -> Value {
    let Some(value) = value else { return Value::Null };
    match kind {
        ColumnKind::Text => Value::Text(value.to_owned()),
        ColumnKind::Integer => value.parse().map_or(Value::Null, Value::Integer),
        ColumnKind::Real => value.parse().map_or(Value::Null, Value::Real),
    }
}

fn kind_name(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text => "TEXT",
        ColumnKind::Integer => "INTEGER",
        ColumnKind::Real => "REAL",
    }
}

/// A name as SQL quotes it. SQLite tells no names apart that differ in case alone; [`Table`] names from this program do.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\"").replace('\0', ""))
}
