//! SQLite: all tables in one file, with declared types, keys, references and indices, that any
//! client opens.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use untemplate::job::ClassCoverage;
use untemplate::table::{ColumnKind, Database, ForeignKey, Table};

use super::format::{TableFileError, database_failed};
use super::metadata::{self, ClassMark, PageMark, PageState};
use super::row::{Row, joined};
use super::sql_name::{quoted, table_name};

/// A database in the making.
pub(super) struct SqliteDatabase {
    path: PathBuf,
    connection: Connection,
    /// Of each table the statement that adds a row; none for those without columns, which SQL does
    /// not have.
    statements: Vec<Option<String>>,
}

impl SqliteDatabase {
    /// A new database with these tables.
    pub(super) fn create(path: &Path, database: &Database) -> Result<Self, TableFileError> {
        // What a run that was killed left behind is in the way; where it cannot be removed, opening
        // says so.
        let _ = fs::remove_file(path);
        let made = Self::create_at(path, database);
        made.map_err(database_failed(path))
    }

    fn create_at(path: &Path, database: &Database) -> rusqlite::Result<Self> {
        let connection = Connection::open(path)?;
        // The file counts only when it is whole, so that nothing need be undone. References are
        // checked at the end, since rows come in any order.
        connection
            .execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; BEGIN")?;
        let mut statements = Vec::new();
        for (index, table) in database.tables.iter().enumerate() {
            if table.columns.is_empty() {
                statements.push(None);
                continue;
            }
            connection.execute_batch(&create_statement(database, index))?;
            let marks = vec!["?"; table.columns.len()].join(", ");
            let name = quoted(&table_name(&table.name));
            statements.push(Some(format!("INSERT INTO {name} VALUES ({marks})")));
        }
        metadata::create(&connection)?;
        Ok(Self {
            path: path.to_owned(),
            connection,
            statements,
        })
    }

    /// Adds a row.
    pub(super) fn push(&mut self, index: usize, table: &Table, row: Row<'_>) -> Result<(), TableFileError> {
        let Some(statement) = &self.statements[index] else {
            return Ok(());
        };
        let cells = row
            .iter()
            .zip(&table.columns)
            .map(|(values, column)| value_of(joined(values).map(|value| value.into_owned()), column.kind));
        let pushed = self.connection.prepare_cached(statement);
        let pushed = pushed.and_then(|mut statement| statement.execute(params_from_iter(cells)));
        pushed.map(|_| ()).map_err(database_failed(&self.path))
    }

    /// Notes where the job began.
    pub(super) fn set_entry(&mut self, entry: &str) -> Result<(), TableFileError> {
        metadata::write_entry(&self.connection, entry).map_err(database_failed(&self.path))
    }

    /// Notes a page.
    pub(super) fn push_page(&mut self, page: &PageMark) -> Result<(), TableFileError> {
        metadata::write_page(&self.connection, page).map_err(database_failed(&self.path))
    }

    /// Notes what became of the text of each class's pages.
    pub(super) fn push_left_out(&mut self, classes: &[ClassCoverage]) -> Result<(), TableFileError> {
        metadata::write_left_out(&self.connection, classes).map_err(database_failed(&self.path))
    }

    /// Takes over the pages of an earlier database.
    pub(super) fn carry_pages(&mut self, earlier: &Path, state: PageState) -> Result<(), TableFileError> {
        metadata::carry_pages(&self.connection, earlier, state).map_err(database_failed(earlier))
    }

    /// Ends the database; whoever renames the file syncs it first.
    pub(super) fn finish(
        self,
        database: &Database,
        classes: &[ClassMark],
        n_rows: &[usize],
    ) -> Result<(), TableFileError> {
        let failed = || database_failed(&self.path);
        metadata::write_schema(&self.connection, database, classes, n_rows).map_err(failed())?;
        for statement in index_statements(database) {
            self.connection.execute_batch(&statement).map_err(failed())?;
        }
        self.check_references()?;
        self.connection.execute_batch("COMMIT").map_err(failed())?;
        self.connection
            .close()
            .map_err(|(_, error)| database_failed(&self.path)(error))
    }

    fn check_references(&self) -> Result<(), TableFileError> {
        let count =
            "SELECT \"table\", \"parent\", count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 1";
        let mut statement = self.connection.prepare(count).map_err(database_failed(&self.path))?;
        let mut broken = statement
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?)))
            .map_err(database_failed(&self.path))?;
        match broken.next().transpose().map_err(database_failed(&self.path))? {
            None => Ok(()),
            Some((table, parent, n_rows)) => Err(TableFileError::Reference {
                path: self.path.clone(),
                table,
                parent,
                n_rows: n_rows as usize,
            }),
        }
    }
}

/// A value as its column's kind stores it: truth values as 0 and 1, numbers by the column's
/// affinity, all else as text.
fn value_of(value: Option<String>, kind: ColumnKind) -> Value {
    match (value, kind) {
        (None, _) => Value::Null,
        (Some(value), ColumnKind::Boolean) => match value.as_str() {
            "true" => Value::Integer(1),
            "false" => Value::Integer(0),
            _ => Value::Text(value),
        },
        (Some(value), _) => Value::Text(value),
    }
}

/// The statement that makes a table.
fn create_statement(database: &Database, index: usize) -> String {
    let table = &database.tables[index];
    let mut parts: Vec<String> = Vec::new();
    for column in &table.columns {
        let not_null = if column.is_nullable { "" } else { " NOT NULL" };
        parts.push(format!(
            "{} {}{not_null}",
            quoted(&column.name),
            declared_type(column.kind)
        ));
    }
    if !table.key.is_empty() {
        parts.push(format!("PRIMARY KEY ({})", column_list(table, &table.key)));
    }
    for columns in other_keys(database, index) {
        parts.push(format!("UNIQUE ({})", column_list(table, &columns)));
    }
    for reference in &table.foreign_keys {
        let parent = &database.tables[reference.table];
        parts.push(format!(
            "FOREIGN KEY ({}) REFERENCES {} ({})",
            column_list(table, &reference.columns),
            quoted(&table_name(&parent.name)),
            column_list(parent, &reference.to)
        ));
    }
    format!(
        "CREATE TABLE {} (\n  {}\n)",
        quoted(&table_name(&table.name)),
        parts.join(",\n  ")
    )
}

/// Columns that references lead to and that are not the key: they must be unlike each other as
/// well.
pub(crate) fn other_keys(database: &Database, index: usize) -> Vec<Vec<usize>> {
    let sorted = |columns: &[usize]| {
        let mut columns = columns.to_vec();
        columns.sort_unstable();
        columns
    };
    let own = sorted(&database.tables[index].key);
    let references = database.tables.iter().flat_map(|table| &table.foreign_keys);
    let mut others: Vec<Vec<usize>> = references
        .filter(|reference| reference.table == index)
        .map(|reference| sorted(&reference.to))
        .filter(|columns| *columns != own)
        .collect();
    others.sort();
    others.dedup();
    others
}

/// Indices on references, unless the key begins with the same columns.
fn index_statements(database: &Database) -> Vec<String> {
    let mut statements = Vec::new();
    for table in &database.tables {
        let name = table_name(&table.name);
        let is_new = |reference: &&ForeignKey| !table.key.starts_with(&reference.columns);
        for (number, reference) in table.foreign_keys.iter().filter(is_new).enumerate() {
            let columns = column_list(table, &reference.columns);
            let index = quoted(&format!("{name}_reference_{}", number + 1));
            statements.push(format!("CREATE INDEX {index} ON {} ({columns})", quoted(&name)));
        }
    }
    statements
}

/// The names of columns, quoted.
pub(crate) fn column_list(table: &Table, columns: &[usize]) -> String {
    let names: Vec<String> = columns
        .iter()
        .map(|&column| quoted(&table.columns[column].name))
        .collect();
    names.join(", ")
}

fn declared_type(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Integer => "INTEGER",
        ColumnKind::Decimal => "DECIMAL",
        ColumnKind::Date => "DATE",
        ColumnKind::DateTime => "DATETIME",
        ColumnKind::Time => "TIME",
        ColumnKind::Boolean => "BOOLEAN",
        ColumnKind::Url | ColumnKind::Email | ColumnKind::Phone | ColumnKind::Enum | ColumnKind::Text => "TEXT",
    }
}
