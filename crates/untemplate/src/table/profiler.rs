//! Profiling: what the columns of filled tables hold, counted as rows pass.
//!
//! In: rows, one at a time. Out: a [`Profile`] for each column. Memory is bounded: beyond some
//! thousands of different values their number is estimated from the least of their hashes, and
//! histograms are drawn from as many values.

use std::collections::BTreeMap;

use super::profile::Profile;
use super::reading::value_hash;
use super::schema::{ColumnKind, Database};

/// Profiles in the making.
#[derive(Debug, Clone)]
pub struct Profiler {
    tables: Vec<Vec<Counts>>,
}

/// Counts of a column.
#[derive(Debug, Clone)]
struct Counts {
    kind: ColumnKind,
    n_filled: usize,
    n_missing: usize,
    /// The values with the least hashes, and their numbers of rows.
    values: BTreeMap<u64, (String, usize)>,
    has_more: bool,
    lowest: Option<String>,
    highest: Option<String>,
}

/// This many different values are kept.
const VALUES_MAX: usize = 4096;

/// The most frequent values that are shown.
const TOP_MAX: usize = 10;

/// The parts of a histogram.
const PARTS: usize = 20;

/// The longest value that is kept.
const VALUE_BYTES_MAX: usize = 120;

impl Profiler {
    /// Profiles of the tables of a database, still empty.
    pub fn new(database: &Database) -> Self {
        let counts = |kind| Counts {
            kind,
            n_filled: 0,
            n_missing: 0,
            values: BTreeMap::new(),
            has_more: false,
            lowest: None,
            highest: None,
        };
        let tables = database.tables.iter();
        Self {
            tables: tables
                .map(|table| table.columns.iter().map(|column| counts(column.kind)).collect())
                .collect(),
        }
    }

    /// Counts a row of a table.
    pub fn add(&mut self, table: usize, row: &[Option<String>]) {
        let Some(columns) = self.tables.get_mut(table) else {
            return;
        };
        for (counts, value) in columns.iter_mut().zip(row) {
            match value {
                Some(value) => counts.add(value),
                None => counts.n_missing += 1,
            }
        }
    }

    /// The profiles of each table's columns.
    pub fn finish(self) -> Vec<Vec<Profile>> {
        let finish = |columns: Vec<Counts>| columns.into_iter().map(Counts::finish).collect();
        self.tables.into_iter().map(finish).collect()
    }
}

impl Counts {
    fn add(&mut self, value: &str) {
        self.n_filled += 1;
        let hash = spread(value_hash(value));
        let is_wanted =
            self.values.len() < VALUES_MAX || self.values.last_key_value().is_some_and(|(&last, _)| hash <= last);
        if is_wanted {
            let entry = self
                .values
                .entry(hash)
                .or_insert_with(|| (shortened(value).to_owned(), 0));
            entry.1 += 1;
            if self.values.len() > VALUES_MAX {
                self.values.pop_last();
                self.has_more = true;
            }
        } else {
            self.has_more = true;
        }
        let kind = self.kind;
        let is_before = |one: &str, other: &str| order(kind, one, other).is_lt();
        if self.lowest.as_deref().is_none_or(|lowest| is_before(value, lowest)) {
            self.lowest = Some(shortened(value).to_owned());
        }
        if self.highest.as_deref().is_none_or(|highest| is_before(highest, value)) {
            self.highest = Some(shortened(value).to_owned());
        }
    }

    fn finish(self) -> Profile {
        let n_kept = self.values.len();
        let distinct = match self.values.last_key_value() {
            // The least of many evenly spread numbers: how far they reach tells how many there are.
            Some((&last, _)) if self.has_more => ((n_kept - 1) as f64 * (u64::MAX as f64 / last as f64)) as usize,
            _ => n_kept,
        };
        let histogram = self.histogram();
        let mut top: Vec<(String, usize)> = self.values.into_values().filter(|(_, count)| *count > 1).collect();
        top.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        if top.len() * 2 < n_kept.min(TOP_MAX) {
            top.clear();
        }
        top.truncate(TOP_MAX);
        Profile {
            filled: self.n_filled,
            missing: self.n_missing,
            distinct,
            lowest: self.lowest,
            highest: self.highest,
            top,
            histogram,
        }
    }

    /// How many rows lie in each part between the least and the greatest value; empty when there is
    /// nothing between them.
    fn histogram(&self) -> Vec<usize> {
        let measure = |value: &str| measure(self.kind, value);
        let ends = (
            self.lowest.as_deref().and_then(measure),
            self.highest.as_deref().and_then(measure),
        );
        let (Some(least), Some(greatest)) = ends else {
            return Vec::new();
        };
        if greatest <= least {
            return Vec::new();
        }
        let mut parts = vec![0; PARTS];
        for (value, count) in self.values.values() {
            if let Some(measured) = measure(value) {
                let part = ((measured - least) / (greatest - least) * PARTS as f64) as usize;
                parts[part.min(PARTS - 1)] += count;
            }
        }
        parts
    }
}

/// The order of two values of a kind.
fn order(kind: ColumnKind, one: &str, other: &str) -> std::cmp::Ordering {
    match (measure(kind, one), measure(kind, other)) {
        (Some(first), Some(second)) => first.total_cmp(&second).then_with(|| one.cmp(other)),
        _ => one.cmp(other),
    }
}

/// A number for a value of a kind that can be measured: for days and times, one that grows with
/// them.
fn measure(kind: ColumnKind, value: &str) -> Option<f64> {
    match kind {
        ColumnKind::Integer | ColumnKind::Decimal => value.parse().ok(),
        ColumnKind::Date | ColumnKind::DateTime | ColumnKind::Time => {
            let numbers: Vec<f64> = value
                .split(['-', ':', 'T', 'Z', '+'])
                .map_while(|part| part.parse().ok())
                .collect();
            match (kind, numbers.as_slice()) {
                (ColumnKind::Time, [hour, minute, ..]) => Some(hour * 60.0 + minute),
                (_, [year, month, day, rest @ ..]) => {
                    let hour = rest.first().unwrap_or(&0.0) + rest.get(1).unwrap_or(&0.0) / 60.0;
                    Some(year * 372.0 + month * 31.0 + day + hour / 24.0)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn shortened(value: &str) -> &str {
    let end = (0..=VALUE_BYTES_MAX.min(value.len()))
        .rev()
        .find(|&end| value.is_char_boundary(end));
    &value[..end.unwrap_or(0)]
}

/// Hashes of alike values are spread.
fn spread(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 29)
}
