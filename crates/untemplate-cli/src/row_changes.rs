//! What changed since an earlier run: rows of its tables held against those of this one, page by page.
//!
//! Only hashes are kept, two numbers a row. Tables in JSON lines are compared; a run without them tells no changes.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};
use untemplate::page::stable_hash;

/// The rows of a run's tables, as hashes by page.
pub struct EarlierRows {
    folder: PathBuf,
    /// Of each table that was there, its rows.
    tables: Vec<(String, Rows)>,
}

/// The hash of each page's row, by the hash of the page's address.
type Rows = HashMap<u64, u64>;

impl EarlierRows {
    /// Reads the tables of these names that an earlier run left in a folder.
    pub fn read(folder: &Path, names: impl Iterator<Item = String>) -> Result<Self> {
        let mut tables = Vec::new();
        for name in names {
            let rows = read_rows(&table_file(folder, &name))?;
            tables.extend(rows.map(|rows| (name, rows)));
        }
        let folder = folder.to_owned();
        Ok(Self { folder, tables })
    }

    /// Holds the tables that are there now against the earlier ones: rows that were added, changed and, where the run was complete, that vanished.
    pub fn changes(&self, is_complete: bool) -> Result<Option<Value>> {
        let mut all = Map::new();
        for (name, earlier) in &self.tables {
            let Some(rows) = read_rows(&table_file(&self.folder, name))? else {
                continue;
            };
            let added = rows.keys().filter(|page| !earlier.contains_key(page)).count();
            let is_changed = |(page, row): &(&u64, &u64)| earlier.get(page).is_some_and(|its| its != *row);
            let changed = rows.iter().filter(is_changed).count();
            let vanished = earlier.keys().filter(|page| !rows.contains_key(page)).count();
            // What a partial run did not reach has not vanished.
            let vanished = is_complete.then_some(vanished);
            let unchanged = rows.len() - added - changed;
            let counts = json!({"added": added, "changed": changed, "vanished": vanished, "unchanged": unchanged});
            all.insert(name.clone(), counts);
        }
        Ok((!all.is_empty()).then_some(Value::Object(all)))
    }
}

fn table_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.jsonl"))
}

/// The rows of a table; `None` when there is no such file, or it is no table of a run.
fn read_rows(file: &Path) -> Result<Option<Rows>> {
    let Ok(opened) = File::open(file) else {
        return Ok(None);
    };
    let mut rows = Rows::new();
    for line in BufReader::new(opened).lines() {
        let line = line.with_context(|| format!("cannot read {}", file.display()))?;
        let Ok(Value::Object(row)) = serde_json::from_str(&line) else {
            return Ok(None);
        };
        let Some(page) = row.get("page").or_else(|| row.get("page_")).and_then(Value::as_str) else {
            return Ok(None);
        };
        // A page with several rows has changed when one of them has.
        let row = stable_hash(line.as_bytes());
        rows.entry(stable_hash(page.as_bytes()))
            .and_modify(|sum| *sum = sum.wrapping_add(row))
            .or_insert(row);
    }
    Ok(Some(rows))
}
