//! Samples: a bounded number of rows, chosen by the hash of what they are about.
//!
//! Rows of two classes that are about the same thing have the same hash, so that the samples of
//! both hold the same things: cards can be held against the pages they lead to without keeping
//! either class as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A row of a sample; copies share what it says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SampleRow {
    /// The address of its page.
    pub page: Arc<str>,
    /// The number of each column that has a value, and the value; ascending.
    pub values: Arc<[(usize, String)]>,
}

impl SampleRow {
    /// The value of a column.
    pub fn get(&self, column: usize) -> Option<&str> {
        let place = self.values.binary_search_by_key(&column, |(own, _)| *own).ok()?;
        Some(&self.values[place].1)
    }
}

/// Rows by the hash of what they are about: those with the least hashes.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    rows: BTreeMap<u64, Vec<SampleRow>>,
}

/// A sample has rows about this many things.
const THINGS_MAX: usize = 192;

/// This many rows about one thing are kept.
const ROWS_OF_THING_MAX: usize = 3;

impl Sample {
    /// Whether a row about a thing would be kept.
    pub fn wants(&self, thing: u64) -> bool {
        match self.rows.get(&mixed(thing)) {
            Some(rows) => rows.len() < ROWS_OF_THING_MAX,
            None => {
                self.rows.len() < THINGS_MAX || self.rows.last_key_value().is_some_and(|(&last, _)| mixed(thing) < last)
            }
        }
    }

    /// Keeps a row about a thing, if it is wanted.
    pub fn add(&mut self, thing: u64, row: SampleRow) {
        if !self.wants(thing) {
            return;
        }
        self.rows.entry(mixed(thing)).or_default().push(row);
        if self.rows.len() > THINGS_MAX {
            self.rows.pop_last();
        }
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &SampleRow> {
        self.rows.values().flatten()
    }

    /// The rows about each thing.
    pub fn things(&self) -> impl Iterator<Item = (u64, &[SampleRow])> {
        self.rows.iter().map(|(&thing, rows)| (thing, rows.as_slice()))
    }

    /// The first row about a thing of another sample, by its hash there.
    pub fn of(&self, thing: u64) -> Option<&SampleRow> {
        self.rows.get(&thing).and_then(|rows| rows.first())
    }
}

/// Pairs of addresses that a column links, either way round: those with the least hashes.
#[derive(Debug, Clone, Default)]
pub(super) struct Pairs {
    hashes: BTreeSet<u64>,
    has_more: bool,
}

/// This many pairs are kept.
const PAIRS_MAX: usize = 512;

impl Pairs {
    /// Adds a pair of addresses, by their hashes.
    pub fn add(&mut self, one: u64, other: u64) {
        let (least, greatest) = (one.min(other), one.max(other));
        self.hashes
            .insert(mixed(least.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ mixed(greatest)));
        if self.hashes.len() > PAIRS_MAX {
            self.hashes.pop_last();
            self.has_more = true;
        }
    }

    /// How many of these pairs could be among some others, and how many are.
    pub fn among(&self, others: &[&Self]) -> (usize, usize) {
        // Beyond its greatest hash a sample that is not everything knows nothing.
        let reach = |pairs: &&Self| match pairs.hashes.last() {
            Some(&last) if pairs.has_more => last,
            _ => u64::MAX,
        };
        let reach = others.iter().map(reach).min().unwrap_or(u64::MAX);
        let own = self.hashes.range(..=reach);
        let is_among = |hash: &&u64| others.iter().any(|pairs| pairs.hashes.contains(*hash));
        (own.clone().count(), own.filter(is_among).count())
    }
}

/// Hashes of alike addresses are spread.
fn mixed(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 29)
}
