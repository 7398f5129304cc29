//! Divisions: the ways in which a sequence may be cut into records.
//!
//! In: a sequence, and keys that say which of its nodes are alike. Out: for each key that recurs,
//! the records that begin with it, those that end with it, and the nodes with that key alone.
//! Paper: Álvarez 2007, section 4 (its 1 + 2k candidate divisions). Departures: what stands before
//! the first beginning is no record, and the last record ends where what it holds is no longer
//! found in other records, so that a page's footer does not belong to its last record.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::FixedState;

use super::sequence::Sequence;

/// One way to cut a sequence: each record as its first node and the one after its last, by their
/// places in the sequence.
pub type Division = Vec<Range<usize>>;

/// How many keys of one kind are tried, those that occur most often first.
const KEYS_MAX: usize = 8;

/// The ways to cut a sequence by keys, one key for each of its nodes.
pub fn divisions(sequence: &Sequence, keys: &[u32]) -> Vec<Division> {
    let mut found = Vec::new();
    for key in frequent_keys(keys) {
        found.push(
            (0..keys.len())
                .filter(|&at| keys[at] == key)
                .map(|at| at..at + 1)
                .collect(),
        );
        found.push(starting_with(&sequence.containers, keys, key));
        found.push(ending_with(&sequence.containers, keys, key));
    }
    found.retain(|division: &Division| division.len() > 1);
    found
}

/// The keys that occur more than once, most frequent first, ties by first appearance.
fn frequent_keys(keys: &[u32]) -> Vec<u32> {
    let mut counts: HashMap<u32, (usize, usize), FixedState> = HashMap::default();
    for (index, &key) in keys.iter().enumerate() {
        counts.entry(key).or_insert((0, index)).0 += 1;
    }
    let mut frequent: Vec<(u32, (usize, usize))> = counts.into_iter().filter(|(_, (count, _))| *count > 1).collect();
    frequent.sort_by_key(|&(_, (count, first))| (std::cmp::Reverse(count), first));
    frequent.truncate(KEYS_MAX);
    frequent.into_iter().map(|(key, _)| key).collect()
}

fn starting_with(containers: &[u32], keys: &[u32], key: u32) -> Division {
    let starts: Vec<usize> = (0..keys.len()).filter(|&at| keys[at] == key).collect();
    let mut runs = Vec::with_capacity(starts.len());
    for (number, &start) in starts.iter().enumerate() {
        let next = starts.get(number + 1).copied().unwrap_or(keys.len());
        let end = (start..next)
            .find(|&at| containers[at] != containers[start])
            .unwrap_or(next);
        runs.push(start..end);
    }
    trim_last(&mut runs, keys);
    runs
}

fn ending_with(containers: &[u32], keys: &[u32], key: u32) -> Division {
    let reversed = |all: &[u32]| all.iter().rev().copied().collect::<Vec<u32>>();
    let mut runs = starting_with(&reversed(containers), &reversed(keys), key);
    runs.reverse();
    for run in &mut runs {
        *run = keys.len() - run.end..keys.len() - run.start;
    }
    runs
}

/// Ends the last record where other records never go on: at a key that none of them has, or beyond
/// their length.
fn trim_last(runs: &mut [Range<usize>], keys: &[u32]) {
    let Some((last, others)) = runs.split_last_mut() else {
        return;
    };
    let longest = others.iter().map(ExactSizeIterator::len).max().unwrap_or(1);
    let mut known: Vec<u32> = others
        .iter()
        .flat_map(|run| keys[run.clone()].iter().copied())
        .collect();
    known.sort_unstable();
    known.dedup();
    let limit = last.end.min(last.start + longest);
    let end = (last.start + 1..limit)
        .find(|&at| known.binary_search(&keys[at]).is_err())
        .unwrap_or(limit.max(last.start + 1));
    last.end = end;
}
