//! The statements that make tables, keys, references and indices.

use untemplate::table::{ColumnKind, Database, Table};

use crate::table_file::sql_name::{quoted, table_name};
use crate::table_file::sqlite_database::other_keys;

/// Bytes of a name that the server keeps.
pub(super) const NAME_BYTES: usize = 63;

/// The names that tables and columns have on the server: cut where they are too long, and still
/// unlike each other.
#[derive(Debug, Clone)]
pub(super) struct ServerNames {
    /// Of each table its name.
    pub(super) tables: Vec<String>,
    /// Of each table the names of its columns.
    pub(super) columns: Vec<Vec<String>>,
}

impl ServerNames {
    pub(super) fn of(database: &Database) -> Self {
        let names = database.tables.iter().map(|table| table_name(&table.name));
        let columns = |table: &Table| unlike(table.columns.iter().map(|column| column.name.replace('\0', "")));
        Self {
            tables: unlike(names),
            columns: database.tables.iter().map(columns).collect(),
        }
    }

    /// A table as a statement names it.
    pub(super) fn table(&self, schema: &str, table: usize) -> String {
        format!("{}.{}", quoted(schema), quoted(&self.tables[table]))
    }

    fn list(&self, table: usize, columns: &[usize]) -> String {
        let names: Vec<String> = columns
            .iter()
            .map(|&column| quoted(&self.columns[table][column]))
            .collect();
        names.join(", ")
    }
}

fn unlike(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        let mut own = cut(&name, NAME_BYTES);
        let mut number = 1;
        while own.is_empty() || all.contains(&own) {
            number += 1;
            own = format!("{}_{number}", cut(&name, NAME_BYTES - 8));
        }
        all.push(own);
    }
    all
}

/// As much of a name as there is room for.
pub(super) fn cut(name: &str, most: usize) -> String {
    let end = (0..=most.min(name.len())).rev().find(|&end| name.is_char_boundary(end));
    name[..end.unwrap_or(0)].to_owned()
}

/// The statement that makes a table with its key; none for a table without columns.
pub(super) fn create_table(database: &Database, names: &ServerNames, schema: &str, index: usize) -> Option<String> {
    let table = &database.tables[index];
    if table.columns.is_empty() {
        return None;
    }
    let mut parts: Vec<String> = Vec::new();
    for (column, name) in table.columns.iter().zip(&names.columns[index]) {
        let not_null = if column.is_nullable { "" } else { " NOT NULL" };
        parts.push(format!("{} {}{not_null}", quoted(name), server_type(column.kind)));
    }
    if !table.key.is_empty() {
        // A primary key has no nulls on this server.
        let is_nullable = table.key.iter().any(|&column| table.columns[column].is_nullable);
        let word = if is_nullable { "UNIQUE" } else { "PRIMARY KEY" };
        parts.push(format!("{word} ({})", names.list(index, &table.key)));
    }
    for columns in other_keys(database, index) {
        parts.push(format!("UNIQUE ({})", names.list(index, &columns)));
    }
    Some(format!(
        "CREATE TABLE {} ({})",
        names.table(schema, index),
        parts.join(", ")
    ))
}

/// The statements that add references and their indices, once the rows are there.
pub(super) fn references(database: &Database, names: &ServerNames, schema: &str) -> Vec<String> {
    let mut statements = Vec::new();
    for (index, table) in database.tables.iter().enumerate() {
        let own = names.table(schema, index);
        for reference in &table.foreign_keys {
            let columns = names.list(index, &reference.columns);
            let parent = names.table(schema, reference.table);
            let to = names.list(reference.table, &reference.to);
            statements.push(format!(
                "ALTER TABLE {own} ADD FOREIGN KEY ({columns}) REFERENCES {parent} ({to})"
            ));
            if !table.key.starts_with(&reference.columns) {
                statements.push(format!("CREATE INDEX ON {own} ({columns})"));
            }
        }
    }
    statements
}

fn server_type(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "bigint",
        ColumnKind::Decimal => "numeric",
        ColumnKind::Date => "date",
        ColumnKind::DateTime => "timestamp",
        ColumnKind::Time => "time",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Url | ColumnKind::Email | ColumnKind::Phone | ColumnKind::Enum | ColumnKind::Text => "text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        let long = "é".repeat(40);
        let names = unlike([long.clone(), format!("{long}x"), "a".to_owned()].into_iter());
        assert!(names.iter().all(|name| name.len() <= NAME_BYTES), "{names:?}");
        assert!(names[0] != names[1] && names[1].ends_with("_2"), "{names:?}");
    }
}
