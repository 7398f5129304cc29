//! Tests of comparing databases.

use expect_test::{Expect, expect};
use untemplate::table::{ColumnKind, Database};

use super::*;
use crate::table_file::tests::{column, players, row, table_named};
use crate::table_file::{TableFolder, TableFormat};

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
fn wide_tables_are_compared() {
    let mut database = players();
    database.tables.truncate(1);
    let n_columns = database.tables[0].columns.len();
    let more = (0..1200).map(|number| column(&format!("c{number}"), ColumnKind::Text));
    database.tables[0].columns.extend(more);
    let player = |last: &str| {
        let mut cells = row([Some("a"), None, Some("180")]);
        cells.resize(n_columns + 1199, None);
        cells.push(Some(last.to_owned()));
        (0, cells)
    };
    let (before, after) = (written(&database, &[player("x")]), written(&database, &[player("y")]));
    let file = |folder: &tempfile::TempDir| folder.path().join("tables.sqlite");
    let changes = compare_databases(&file(&before), &file(&after)).expect("both are databases");
    assert_eq!(changes.tables[0].n_changed, 1);
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
