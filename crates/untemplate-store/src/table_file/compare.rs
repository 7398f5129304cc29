//! Two databases of one site, compared: what came, what went, what has other values.
//!
//! Rows are told apart by the key of their table, else by the address of their page where that is there once, else by all their values. SQLite does the work, in
//! one pass over the keys of both, so that memory does not grow with the tables.

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

/// What tells rows apart in a table without a key: the page's address where both databases have it once, else all columns.
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
        let both = |names: &[String], link: &str, sign: &str| {
            let parts: Vec<String> = names
                .iter()
                .map(|name| format!("a.{0} {sign} b.{0}", quoted(name)))
                .collect();
            parts.join(link)
        };
        let list = |side: &str, names: &[String]| {
            names
                .iter()
                .map(|name| format!("{side}.{}", quoted(name)))
                .collect::<Vec<_>>()
        };
        let selected = [list("b", self.key), list("a", self.rest), list("b", self.rest)]
            .concat()
            .join(", ");
        let table = quoted(self.name);
        let sql = format!(
            "SELECT {selected} FROM later.{table} AS b JOIN earlier.{table} AS a ON {} WHERE {}",
            both(self.key, " AND ", "="),
            both(self.rest, " OR ", "IS NOT")
        );
        let mut statement = self.connection.prepare(&sql)?;
        let mut rows = statement.query([])?;
        let mut n_rows = 0;
        while let Some(row) = rows.next()? {
            if n_rows < EXAMPLES_MAX {
                examples.push(self.row_change(row)?);
            }
            n_rows += 1;
        }
        Ok(n_rows)
    }

    fn row_change(&self, row: &Row<'_>) -> rusqlite::Result<RowChange> {
        let n_key = self.key.len();
        let key = (0..n_key)
            .map(|at| text_at(row, at))
            .collect::<rusqlite::Result<Vec<_>>>()?;
        let mut cells = Vec::new();
        for (place, name) in self.rest.iter().enumerate() {
            let (before, after) = (
                text_at(row, n_key + place)?,
                text_at(row, n_key + self.rest.len() + place)?,
            );
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
mod tests {
    use expect_test::{Expect, expect};
    use untemplate::table::{ColumnKind, Database};

    use super::super::tests::{column, players, row, table_named};
    use super::super::{TableFolder, TableFormat};
    use super::*;

    fn written(database: &Database, rows: &[(usize, Vec<Option<String>>)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = TableFolder::create(folder.path(), database, &[TableFormat::Sqlite]).expect("a folder");
        rows.iter()
            .for_each(|(table, row)| files.push(*table, row).expect("a row"));
        files.finish().expect("a database");
        folder
    }

    fn player_changes() -> Expect {
        expect![[r#"
            {
              "tables": [
                {
                  "added": 1,
                  "changed": 1,
                  "columns_added": [
                    "name"
                  ],
                  "columns_gone": [
                    "born"
                  ],
                  "examples": [
                    {
                      "cells": [],
                      "change": "added",
                      "key": [
                        "d"
                      ]
                    },
                    {
                      "cells": [],
                      "change": "vanished",
                      "key": [
                        "c"
                      ]
                    },
                    {
                      "cells": [
                        {
                          "after": "171",
                          "before": "170",
                          "column": "height"
                        }
                      ],
                      "change": "changed",
                      "key": [
                        "b"
                      ]
                    }
                  ],
                  "table": "player",
                  "vanished": 1
                },
                {
                  "added": 0,
                  "changed": 0,
                  "columns_added": [],
                  "columns_gone": [],
                  "examples": [],
                  "table": "season",
                  "vanished": 0
                }
              ],
              "tables_added": [],
              "tables_gone": [
                "old"
              ],
              "version": 1
            }
        "#]]
    }

    #[test]
    fn rows_and_columns_come_and_go() {
        let mut earlier = players();
        earlier.tables.push(table_named("old"));
        let player = |url: &str, height| (0, row([Some(url), Some("1984-02-29"), height]));
        let before = written(
            &earlier,
            &[player("a", Some("180")), player("b", Some("170")), player("c", None)],
        );
        let mut later = players();
        later.tables[0].columns[1] = column("name", ColumnKind::Text);
        let after = written(
            &later,
            &[player("a", Some("180")), player("b", Some("171")), player("d", None)],
        );
        let file = |folder: &tempfile::TempDir| folder.path().join("tables.sqlite");
        let changes = compare_databases(&file(&before), &file(&after)).expect("both are databases");
        player_changes().assert_eq(&changes_json(&changes));
        let same = compare_databases(&file(&before), &file(&before)).expect("both are databases");
        assert!(same.is_empty(), "{same:?}");
    }

    #[test]
    fn rows_without_a_key_are_told_by_their_address_or_by_all() {
        let mut database = players();
        database.tables.truncate(1);
        database.tables[0].key.clear();
        let player = |url: &str, height: &str| (0, row([Some(url), None, Some(height)]));
        let check = |before: &[(usize, Vec<Option<String>>)],
                     after: &[(usize, Vec<Option<String>>)],
                     expected: (usize, usize, usize)| {
            let (before, after) = (written(&database, before), written(&database, after));
            let changes = compare_databases(
                &before.path().join("tables.sqlite"),
                &after.path().join("tables.sqlite"),
            );
            let table = changes.expect("both are databases").tables.remove(0);
            assert_eq!((table.n_added, table.n_changed, table.n_vanished), expected);
        };
        check(&[player("a", "1")], &[player("a", "2")], (0, 1, 0));
        check(
            &[player("a", "1"), player("a", "2")],
            &[player("a", "2"), player("a", "3")],
            (1, 0, 1),
        );
    }

    #[test]
    fn what_is_no_database_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("x.sqlite");
        std::fs::write(
            &file,
            "no database at all, but long enough to be taken for one by its size alone",
        )
        .expect("a file");
        let error = compare_databases(&file, &file).expect_err("it is none").to_string();
        assert!(error.contains("x.sqlite"), "{error}");
    }
}
