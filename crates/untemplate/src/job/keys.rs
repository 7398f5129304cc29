//! Keys that hold: what was declared of keys and references, checked on every row.
//!
//! In: a [`Database`] as the survey suggests it, and all rows it will have. Out: the same without
//! keys that two rows share, and without references that lead to no row, and with every column that
//! lacks a value in some row allowed to: a survey sees samples and hashes, and a database that is
//! loaded somewhere refuses what does not hold. Memory is a hash for each value of a key.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use foldhash::fast::FixedState;

use crate::page::{stable_hash, stable_hash_more};
use crate::table::Database;

/// The columns of a table.
type Columns = (usize, Vec<usize>);

/// What the rows of some columns hold.
#[derive(Debug, Default)]
struct Held {
    values: HashSet<u64, FixedState>,
    has_twice: bool,
}

/// Looks at rows, and tells which keys hold.
#[derive(Debug, Default)]
pub struct KeyCheck {
    /// By the columns that keys and references are made of.
    held: BTreeMap<Columns, Held>,
    /// By table, the columns of it that are looked at.
    of_table: BTreeMap<usize, Vec<Vec<usize>>>,
    /// Columns without a value in some row, by table.
    gaps: BTreeMap<usize, BTreeSet<usize>>,
}

impl KeyCheck {
    /// Prepares to look at the rows of a database.
    pub fn new(database: &Database) -> Self {
        let mut check = Self::default();
        for (index, table) in database.tables.iter().enumerate() {
            check.look_at((index, table.key.clone()));
            for reference in &table.foreign_keys {
                check.look_at((index, reference.columns.clone()));
                check.look_at((reference.table, reference.to.clone()));
            }
        }
        check
    }

    fn look_at(&mut self, columns: Columns) {
        if !columns.1.is_empty() && !self.held.contains_key(&columns) {
            self.of_table.entry(columns.0).or_default().push(columns.1.clone());
            self.held.insert(columns, Held::default());
        }
    }

    /// Looks at a row.
    pub fn add(&mut self, table: usize, row: &[Option<String>]) {
        let missing = row.iter().enumerate().filter(|(_, cell)| cell.is_none());
        let gaps = self.gaps.entry(table).or_default();
        gaps.extend(missing.map(|(column, _)| column));
        for columns in self.of_table.get(&table).into_iter().flatten() {
            let cells = columns.iter().map(|&column| row.get(column)?.as_deref());
            let Some(cells) = cells.collect::<Option<Vec<&str>>>() else {
                continue;
            };
            let hash = cells.iter().fold(stable_hash(b""), |hash, cell| {
                stable_hash_more(stable_hash_more(hash, cell.as_bytes()), b"\0")
            });
            let held = self.held.get_mut(&(table, columns.clone()));
            if let Some(held) = held {
                held.has_twice |= !held.values.insert(hash);
            }
        }
    }

    /// Leaves out of the database what does not hold.
    pub fn settle(&self, database: &mut Database) {
        let is_key = |table: usize, columns: &[usize]| {
            let held = self.held.get(&(table, columns.to_vec()));
            held.is_some_and(|held| !held.has_twice)
        };
        for (index, table) in database.tables.iter_mut().enumerate() {
            for &gap in self.gaps.get(&index).into_iter().flatten() {
                if let Some(column) = table.columns.get_mut(gap) {
                    column.is_nullable = true;
                }
            }
            if !is_key(index, &table.key) {
                table.key.clear();
            }
            table.foreign_keys.retain(|reference| {
                let own = self.held.get(&(index, reference.columns.clone()));
                let there = self.held.get(&(reference.table, reference.to.clone()));
                let leads = own
                    .zip(there)
                    .is_some_and(|(own, there)| own.values.is_subset(&there.values));
                leads && is_key(reference.table, &reference.to)
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, ColumnKind, ColumnSource, ForeignKey, Reading, Table};

    #[test]
    fn a_column_that_lacks_a_value_may_lack_one() {
        let column = |name: &str| Column {
            name: name.to_owned(),
            source: ColumnSource::Field(name.to_owned()),
            kind: ColumnKind::Text,
            unit: None,
            is_nullable: false,
            reading: Reading::default(),
        };
        let mut database = Database {
            tables: vec![Table {
                name: "team".to_owned(),
                page_class: 0,
                list_path: Vec::new(),
                columns: vec![column("name"), column("coach")],
                key: vec![0],
                foreign_keys: Vec::new(),
            }],
        };
        let mut check = KeyCheck::new(&database);
        check.add(0, &[Some("a".to_owned()), Some("Ada".to_owned())]);
        check.add(0, &[Some("b".to_owned()), None]);
        check.settle(&mut database);
        let columns = &database.tables[0].columns;
        assert!(!columns[0].is_nullable);
        assert!(columns[1].is_nullable);
    }

    #[test]
    fn what_rows_contradict_is_left_out() {
        let table = |name: &str, to: Vec<usize>| Table {
            name: name.to_owned(),
            page_class: 0,
            list_path: Vec::new(),
            columns: Vec::new(),
            key: vec![0],
            foreign_keys: to
                .into_iter()
                .map(|column| ForeignKey {
                    columns: vec![1],
                    table: 0,
                    to: vec![column],
                })
                .collect(),
        };
        let mut database = Database {
            tables: vec![table("team", vec![]), table("player", vec![0, 1])],
        };
        let mut check = KeyCheck::new(&database);
        let row = |cells: [&str; 2]| cells.map(|cell| (!cell.is_empty()).then(|| cell.to_owned()));
        for (table, cells) in [
            (0, ["a", "red"]),
            (0, ["b", "red"]),
            (1, ["x", "a"]),
            (1, ["x", "a"]),
            (1, ["y", ""]),
        ] {
            check.add(table, &row(cells));
        }
        check.settle(&mut database);
        assert_eq!(database.tables[0].key, [0]);
        assert!(database.tables[1].key.is_empty(), "two players are called x");
        let kept: Vec<&Vec<usize>> = database.tables[1]
            .foreign_keys
            .iter()
            .map(|reference| &reference.to)
            .collect();
        assert_eq!(kept, [&vec![0]], "colours are no key");
    }
}
