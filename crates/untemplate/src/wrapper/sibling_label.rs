//! Sibling labels: which labels of a node's children name them, and which are values or say
//! nothing.
//!
//! In: the children of a node on all pages. Out: the same, without labels that several children
//! have, that take turns, or that stand in the middle of a list. A label tells rows apart, so one
//! that is no label parts what belongs together.

use super::feature::{Features, HashMapOf, HashNumbers, hash_more};
use super::repetition::Children;

/// Takes labels that name no row from the children. Returns them.
pub(super) fn drop_false_labels(sequences: &mut [Children]) -> HashNumbers {
    let mut dropped = drop_repeated_labels(sequences);
    dropped.extend(drop_alternative_labels(sequences));
    dropped.extend(drop_labels_in_turn(sequences));
    dropped.extend(drop_listed_labels(sequences));
    dropped
}

/// Labels that a node has twice name rounds of a list, not rows: they are taken from the children.
fn drop_repeated_labels(sequences: &mut [Children]) -> HashNumbers {
    let mut repeated = HashNumbers::default();
    let mut seen = HashNumbers::default();
    for children in sequences.iter() {
        seen.clear();
        for (_, features) in children {
            let label = row_label(features);
            if label != 0 && !seen.insert(hash_more(label, &features.name.to_le_bytes())) {
                repeated.insert(label);
            }
        }
    }
    drop_labels(sequences, &repeated);
    repeated
}

/// Labels of which every page has exactly one are a value with few choices, or spellings of one
/// label: they are taken from the children.
fn drop_alternative_labels(sequences: &mut [Children]) -> HashNumbers {
    let mut all = HashNumbers::default();
    for children in sequences.iter() {
        let mut own = children.iter().filter(|(_, features)| features.label != 0);
        let (Some((_, first)), None) = (own.next(), own.next()) else {
            return HashNumbers::default();
        };
        all.insert(first.label);
    }
    if all.len() < 2 {
        return HashNumbers::default();
    }
    for (_, features) in sequences.iter_mut().flatten() {
        features.label = 0;
        if all.contains(&features.heading) {
            features.heading = 0;
        }
    }
    all
}

/// Labels that take turns, so that every page has one of the two and none has both, more often than
/// by chance, and that follow the same label, are spellings of one: they are taken from the
/// children.
fn drop_labels_in_turn(sequences: &mut [Children]) -> HashNumbers {
    let n_pages = sequences.len();
    let mut following: HashMapOf<u64, Vec<(u64, Vec<usize>)>> = HashMapOf::default();
    for (label, stand) in stands(sequences) {
        if stand.pages.len() < n_pages {
            following
                .entry(stand.most_often_before())
                .or_default()
                .push((label, stand.pages));
        }
    }
    let mut spellings = HashNumbers::default();
    for labels in following.values() {
        let [(one, first), (other, second)] = &labels[..] else {
            continue;
        };
        let mut pages: Vec<usize> = first.iter().chain(second).copied().collect();
        pages.sort_unstable();
        let is_each = pages.iter().copied().eq(0..n_pages);
        if is_each && chance_of_turns(first.len(), n_pages) < TURNS_CHANCE {
            spellings.extend([*one, *other]);
        }
    }
    drop_labels(sequences, &spellings);
    spellings
}

/// Where a label stands.
#[derive(Default)]
struct Stand {
    pages: Vec<usize>,
    /// By the label before it and its tag, how often.
    before: HashMapOf<u64, u32>,
}

impl Stand {
    fn most_often_before(&self) -> u64 {
        let most = self.before.iter().max_by_key(|&(before, times)| (*times, *before));
        most.map_or(0, |(before, _)| *before)
    }
}

fn stands(sequences: &[Children]) -> HashMapOf<u64, Stand> {
    let mut stands: HashMapOf<u64, Stand> = HashMapOf::default();
    for (page, children) in sequences.iter().enumerate() {
        let mut before = 0;
        for (_, features) in children.iter().filter(|(_, features)| features.label != 0) {
            let own = stands.entry(features.label).or_default();
            own.pages.push(page);
            *own.before
                .entry(hash_more(before, &features.name.to_le_bytes()))
                .or_default() += 1;
            before = features.label;
        }
    }
    stands
}

/// How often labels that have nothing to do with each other are taken for spellings of one, at
/// most.
const TURNS_CHANCE: f64 = 0.01;

/// The chance that this number of pages, drawn at random, are just those that another label lacks.
fn chance_of_turns(n_own: usize, n_pages: usize) -> f64 {
    let drawn = (0..n_own).map(|at| (n_own - at) as f64 / (n_pages - at) as f64);
    drawn.product()
}

/// A text that a list has seldom names what follows it as well as a label does. What stands, more
/// often than not, between rows of the same kind that have no label, and on few pages, or nearly
/// each time after another number of them, is such a value: it is taken from the children.
fn drop_listed_labels(sequences: &mut [Children]) -> HashNumbers {
    let mut counts: HashMapOf<u64, Listed> = HashMapOf::default();
    for (page, children) in sequences.iter().enumerate() {
        let n_bare = bare_rows(children);
        let mut n_before: HashMapOf<(u64, u64), usize> = HashMapOf::default();
        for (at, (_, own)) in children.iter().enumerate() {
            if row_label(own) == 0 {
                *n_before.entry(row_kind(own)).or_default() += 1;
                continue;
            }
            let beside = [at.checked_sub(1), Some(at + 1)].map(|at| children.get(at?));
            let is_row = |row: &Features| row_label(row) == 0 && row_kind(row) == row_kind(own);
            let is_inside = beside.iter().all(|row| row.is_some_and(|(_, row)| is_row(row)));
            let count = counts.entry(row_label(own)).or_default();
            count.n_all += 1;
            count.pages.insert(page as u64);
            if is_inside && n_bare.get(&row_kind(own)).is_some_and(|&n| n >= ROWS_MIN) {
                count.n_listed += 1;
                count
                    .ranks
                    .insert(n_before.get(&row_kind(own)).copied().unwrap_or(0) as u64);
            }
        }
    }
    let n_pages = sequences.len();
    let values = counts.iter().filter(|(_, count)| count.is_value(n_pages));
    let values = values.map(|(label, _)| *label).collect();
    drop_labels(sequences, &values);
    values
}

/// Where a label stands among rows without one.
#[derive(Default)]
struct Listed {
    n_all: usize,
    n_listed: usize,
    pages: HashNumbers,
    /// After how many such rows it stands.
    ranks: HashNumbers,
}

impl Listed {
    fn is_value(&self, n_pages: usize) -> bool {
        let is_seldom = 2 * self.pages.len() <= n_pages;
        2 * self.n_listed > self.n_all && (is_seldom || 3 * self.ranks.len() >= 2 * self.n_all)
    }
}

/// So many rows without a label are a list.
const ROWS_MIN: usize = 4;

fn row_label(features: &Features) -> u64 {
    if features.label != 0 {
        features.label
    } else {
        features.lead
    }
}

fn row_kind(features: &Features) -> (u64, u64) {
    (features.name, features.class_bits)
}

fn bare_rows(children: &Children) -> HashMapOf<(u64, u64), usize> {
    let mut n_bare: HashMapOf<(u64, u64), usize> = HashMapOf::default();
    for (_, features) in children.iter().filter(|(_, features)| row_label(features) == 0) {
        *n_bare.entry(row_kind(features)).or_default() += 1;
    }
    n_bare
}

fn drop_labels(sequences: &mut [Children], dropped: &HashNumbers) {
    if dropped.is_empty() {
        return;
    }
    for (_, features) in sequences.iter_mut().flatten() {
        for label in [&mut features.label, &mut features.lead, &mut features.heading] {
            if dropped.contains(label) {
                *label = 0;
            }
        }
    }
}
