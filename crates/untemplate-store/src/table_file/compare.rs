//! Two databases of one site, compared: what came, what went, what has other values.
//!
//! Rows are told apart by the key of their table, else by the address of their page where that is
//! there once, else by all their values. SQLite does the work, in one pass over the keys of both,
//! so that memory does not grow with the tables.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Row};
use untemplate::table::{Changes, RowChange, RowChangeKind, TableChanges};

use super::format::{TableFileError, database_failed};
use super::sql_name::quoted;

/// Rows of a table that are shown.
const EXAMPLES_MAX: usize = 5;

/// What is different in the later database.
pub fn compare_databases(earlier: &Path, later: &Path) -> Result<Changes, TableFileError> {
    compared(earlier, later).map_err(database_failed(later))
}

fn compared(earlier: &Path, later: &Path) -> rusqlite::Result<Changes> {
    let connection = Connection::open_in_memory()?;
    for (path, schema) in [(earlier, "earlier"), (later, "later")] {
        connection.execute(&format!("ATTACH ? AS {schema}"), [path.to_string_lossy()])?;
    }
    let (before, after) = (tables(&connection, "earlier")?, tables(&connection, "later")?);
    let mut changes = Changes {
        tables_added: after.iter().filter(|name| !before.contains(name)).cloned().collect(),
        tables_gone: before.iter().filter(|name| !after.contains(name)).cloned().collect(),
        tables: Vec::new(),
    };
    for name in after.iter().filter(|name| before.contains(name)) {
        changes.tables.push(compare_table(&connection, name)?);
    }
    Ok(changes)
}

/// The tables that hold data, by name.
fn tables(connection: &Connection, schema: &str) -> rusqlite::Result<Vec<String>> {
    let sql = format!(
        "SELECT name FROM {schema}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_untemplate\\_%' ESCAPE '\\' ORDER BY name"
    );
    let mut statement = connection.prepare(&sql)?;
    let names = statement.query_map([], |row| row.get(0))?;
    names.collect()
}

/// The columns of a table, and those of its key.
fn columns(connection: &Connection, schema: &str, table: &str) -> rusqlite::Result<(Vec<String>, Vec<String>)> {
    let sql = format!("PRAGMA {schema}.table_info({})", quoted(table));
    let mut statement = connection.prepare(&sql)?;
    let rows = statement.query_map([], |row| Ok((row.get::<_, String>(1)?, row.get::<_, i64>(5)?)))?;
    let rows: Vec<(String, i64)> = rows.collect::<rusqlite::Result<_>>()?;
    let mut key: Vec<(i64, String)> = rows
        .iter()
        .filter(|(_, place)| *place > 0)
        .map(|(name, place)| (*place, name.clone()))
        .collect();
    key.sort();
    let names = rows.into_iter().map(|(name, _)| name).collect();
    Ok((names, key.into_iter().map(|(_, name)| name).collect()))
}

fn compare_table(connection: &Connection, name: &str) -> rusqlite::Result<TableChanges> {
    let (before, key_before) = columns(connection, "earlier", name)?;
    let (after, key_after) = columns(connection, "later", name)?;
    let shared: Vec<String> = after.iter().filter(|column| before.contains(column)).cloned().collect();
    let key = if !key_after.is_empty() && key_before == key_after {
        key_after
    } else {
        row_key(connection, name, &shared)?
    };
    let mut changes = TableChanges {
        name: name.to_owned(),
        columns_added: after
            .iter()
            .filter(|column| !before.contains(column))
            .cloned()
            .collect(),
        columns_gone: before
            .iter()
            .filter(|column| !after.contains(column))
            .cloned()
            .collect(),
        ..TableChanges::default()
    };
    if key.is_empty() {
        return Ok(changes);
    }
    let rest: Vec<String> = shared.into_iter().filter(|column| !key.contains(column)).collect();
    let pair = Pair {
        connection,
        name,
        key: &key,
        rest: &rest,
    };
    changes.n_added = pair.one_sided("later", "earlier", RowChangeKind::Added, &mut changes.examples)?;
    changes.n_vanished = pair.one_sided("earlier", "later", RowChangeKind::Vanished, &mut changes.examples)?;
    changes.n_changed = pair.changed(&mut changes.examples)?;
    Ok(changes)
}

/// What tells rows apart in a table without a key: the page's address where both databases have it
/// once, else all columns.
fn row_key(connection: &Connection, name: &str, shared: &[String]) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT column_name FROM later._untemplate_columns WHERE table_name = ? AND source = 'address'";
    let address: Option<String> = match connection.prepare(sql) {
        Ok(mut statement) => statement.query_row([name], |row| row.get(0)).optional()?,
        Err(_) => None,
    };
    let Some(address) = address.filter(|address| shared.contains(address)) else {
        return Ok(shared.to_vec());
    };
    for schema in ["earlier", "later"] {
        let (table, column) = (quoted(name), quoted(&address));
        let sql =
            format!("SELECT count({column}) = count(*) AND count(DISTINCT {column}) = count(*) FROM {schema}.{table}");
        if !connection.query_row(&sql, [], |row| row.get::<_, bool>(0))? {
            return Ok(shared.to_vec());
        }
    }
    Ok(vec![address])
}

/// One table in both databases.
struct Pair<'a> {
    connection: &'a Connection,
    name: &'a str,
    key: &'a [String],
    rest: &'a [String],
}

impl Pair<'_> {
    /// Rows that one database has and the other has not.
    fn one_sided(
        &self,
        own: &str,
        other: &str,
        kind: RowChangeKind,
        examples: &mut Vec<RowChange>,
    ) -> rusqlite::Result<usize> {
        let key: Vec<String> = self.key.iter().map(|name| quoted(name)).collect();
        let (key, table) = (key.join(", "), quoted(self.name));
        let sql = format!("SELECT {key} FROM {own}.{table} EXCEPT SELECT {key} FROM {other}.{table}");
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut n_rows = 0;
        while let Some(row) = rows.next()? {
            if n_rows < EXAMPLES_MAX {
                let key = (0..self.key.len())
                    .map(|at| text_at(row, at))
                    .collect::<rusqlite::Result<Vec<_>>>()?;
                let key = key.into_iter().map(Option::unwrap_or_default).collect();
                examples.push(RowChange {
                    kind,
                    key,
                    cells: Vec::new(),
                });
            }
            n_rows += 1;
        }
        Ok(n_rows)
    }

    /// Rows of both with other values.
    fn changed(&self, examples: &mut Vec<RowChange>) -> rusqlite::Result<usize> {
        if self.rest.is_empty() {
            return Ok(0);
        }
        let joined: Vec<String> = self
            .key
            .iter()
            .map(|name| format!("a.{0} = b.{0}", quoted(name)))
            .collect();
        let order: Vec<String> = self.key.iter().map(|name| format!("b.{}", quoted(name))).collect();
        // Side by side, and compared here: SQLite takes no condition over some thousand columns,
        // nor a row of both.
        let side = |side: &str| {
            let names = self.key.iter().chain(self.rest);
            let selected: Vec<String> = names.map(|name| format!("{side}.{}", quoted(name))).collect();
            let (selected, table) = (selected.join(", "), quoted(self.name));
            let (joined, order) = (joined.join(" AND "), order.join(", "));
            self.connection.prepare(&format!(
                "SELECT {selected} FROM later.{table} AS b JOIN earlier.{table} AS a ON {joined} ORDER BY {order}"
            ))
        };
        let (mut before, mut after) = (side("a")?, side("b")?);
        let (mut before, mut after) = (before.query([])?, after.query([])?);
        let mut n_rows = 0;
        while let (Some(before), Some(after)) = (before.next()?, after.next()?) {
            if !self.is_changed(before, after)? {
                continue;
            }
            if n_rows < EXAMPLES_MAX {
                examples.push(self.row_change(before, after)?);
            }
            n_rows += 1;
        }
        Ok(n_rows)
    }

    /// Whether a row of both has another value.
    fn is_changed(&self, before: &Row<'_>, after: &Row<'_>) -> rusqlite::Result<bool> {
        for place in self.key.len()..self.key.len() + self.rest.len() {
            if before.get_ref(place)? != after.get_ref(place)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn row_change(&self, before: &Row<'_>, after: &Row<'_>) -> rusqlite::Result<RowChange> {
        let n_key = self.key.len();
        let key = (0..n_key)
            .map(|at| text_at(after, at))
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let mut cells = Vec::new();
        for (place, name) in self.rest.iter().enumerate() {
            let (before, after) = (text_at(before, n_key + place)?, text_at(after, n_key + place)?);
            if before != after {
                cells.push((name.clone(), before, after));
            }
        }
        let key = key.into_iter().map(Option::unwrap_or_default).collect();
        Ok(RowChange {
            kind: RowChangeKind::Changed,
            key,
            cells,
        })
    }
}

/// A value as text, whatever it is stored as.
pub(crate) fn text_at(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<String>> {
    use rusqlite::types::ValueRef;
    Ok(match row.get_ref(at)? {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    })
}

/// The changes as JSON, for programs.
pub fn changes_json(changes: &Changes) -> String {
    let example = |example: &RowChange| {
        let cells = example
            .cells
            .iter()
            .map(|(name, before, after)| serde_json::json!({"column": name, "before": before, "after": after}));
        serde_json::json!({"change": example.kind.word(), "key": example.key, "cells": cells.collect::<Vec<_>>()})
    };
    let table = |table: &TableChanges| {
        serde_json::json!({
            "table": table.name, "added": table.n_added, "changed": table.n_changed, "vanished": table.n_vanished,
            "columns_added": table.columns_added, "columns_gone": table.columns_gone,
            "examples": table.examples.iter().map(example).collect::<Vec<_>>(),
        })
    };
    let json = serde_json::json!({
        "version": 1, "tables_added": changes.tables_added, "tables_gone": changes.tables_gone,
        "tables": changes.tables.iter().map(table).collect::<Vec<_>>(),
    });
    format!("{json:#}\n")
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
