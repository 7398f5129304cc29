//! Record lists: the ways to cut a data region into records, and the best of them.
//!
//! In: the strings of the region's subtrees and their clusters. Out: the candidate divisions with
//! their auto-similarity. Paper: sections 4.2 and 4.3. Subtrees of clusters that occur once are
//! taken off both ends; then each cluster gives a division whose records begin with it and one
//! whose records end with it, and one division has each subtree as a record. Departures: a cluster
//! that occurs once gives no division, and of long records only the beginning is compared.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::FixedState;

use super::edit_similarity::edit_similarity;

/// Why records begin where they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cut {
    /// Each record begins with a subtree of this cluster.
    StartsWith(usize),
    /// Each record ends with a subtree of this cluster.
    EndsWith(usize),
    /// Each subtree is a record.
    Each,
}

/// One way to cut the region.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordList {
    /// Why it is cut like this.
    pub cut: Cut,
    /// The subtrees of each record.
    pub records: Vec<Range<usize>>,
    /// How alike the records are, equation (4).
    pub likeness: f64,
}

/// All candidate record lists with two records or more.
pub fn record_lists(strings: &[Vec<u32>], clusters: &[usize]) -> Vec<RecordList> {
    let range = trimmed(clusters);
    let n_clusters = clusters.iter().max().map_or(0, |most| most + 1);
    let mut counts = vec![0; n_clusters];
    clusters.iter().for_each(|&cluster| counts[cluster] += 1);
    let cuts = (0..n_clusters)
        .filter(|&cluster| counts[cluster] > 1)
        .flat_map(|cluster| [Cut::StartsWith(cluster), Cut::EndsWith(cluster)])
        .chain([Cut::Each]);
    let mut similarity = Similarity {
        strings,
        numbers: HashMap::default(),
        known: HashMap::default(),
    };
    cuts.filter_map(|cut| {
        let records = divided(clusters, range.clone(), cut);
        (records.len() > 1).then(|| RecordList {
            cut,
            likeness: similarity.of_records(&records),
            records,
        })
    })
    .collect()
}

/// The best record list: the most alike, then the one with more records, then by its cut.
pub fn best_record_list(lists: Vec<RecordList>) -> Option<RecordList> {
    lists.into_iter().reduce(|best, list| {
        let is_better = list.likeness > best.likeness + 1e-6
            || list.likeness > best.likeness - 1e-6
                && (std::cmp::Reverse(list.records.len()), list.cut)
                    < (std::cmp::Reverse(best.records.len()), best.cut);
        if is_better { list } else { best }
    })
}

/// The subtrees between the first and the last whose cluster occurs more than once.
fn trimmed(clusters: &[usize]) -> Range<usize> {
    let recurs = |&at: &usize| {
        clusters
            .iter()
            .filter(|&&cluster| cluster == clusters[at])
            .take(2)
            .count()
            == 2
    };
    let first = (0..clusters.len()).find(recurs).unwrap_or(clusters.len());
    let last = (0..clusters.len()).rev().find(recurs).map_or(first, |last| last + 1);
    first..last
}

fn divided(clusters: &[usize], range: Range<usize>, cut: Cut) -> Vec<Range<usize>> {
    let begins = |at: usize| match cut {
        Cut::StartsWith(cluster) => clusters[at] == cluster,
        Cut::EndsWith(cluster) => clusters[at - 1] == cluster,
        Cut::Each => true,
    };
    let mut records = Vec::new();
    let mut start = range.start;
    for at in range.clone().skip(1) {
        if begins(at) {
            records.push(start..at);
            start = at;
        }
    }
    if start < range.end {
        records.push(start..range.end);
    }
    records
}

/// Edit similarities of records, each pair of strings compared once.
struct Similarity<'a> {
    strings: &'a [Vec<u32>],
    /// Equal records have one number.
    numbers: HashMap<Vec<u32>, u32, FixedState>,
    known: HashMap<(u32, u32), f64, FixedState>,
}

/// Of how many records all pairs are compared; of more, each is compared with its neighbours.
const PAIRS_MAX: usize = 120;

/// How many symbols of a record are compared.
const LENGTH_MAX: usize = 3000;

impl Similarity<'_> {
    /// Equation (4): the mean similarity of pairs of records, longer ones counting more.
    fn of_records(&mut self, records: &[Range<usize>]) -> f64 {
        let texts: Vec<Vec<u32>> = records
            .iter()
            .map(|record| {
                let symbols = self.strings[record.clone()].iter().flatten();
                symbols.copied().take(LENGTH_MAX).collect()
            })
            .collect();
        let numbers: Vec<u32> = texts.iter().map(|text| self.number(text)).collect();
        let (mut sum, mut total) = (0.0, 0.0);
        for (index, one) in texts.iter().enumerate() {
            let reach = if texts.len() <= PAIRS_MAX {
                texts.len()
            } else {
                index + 8
            };
            for (place, other) in texts.iter().enumerate().take(reach).skip(index + 1) {
                let weight = (one.len() + other.len()) as f64;
                let (low, high) = (numbers[index].min(numbers[place]), numbers[index].max(numbers[place]));
                let alike = self.known.entry((low, high));
                sum += weight * *alike.or_insert_with(|| edit_similarity(one, other));
                total += weight;
            }
        }
        if total == 0.0 { 1.0 } else { sum / total }
    }

    fn number(&mut self, text: &[u32]) -> u32 {
        let next = self.numbers.len() as u32;
        match self.numbers.get(text) {
            Some(&number) => number,
            None => *self.numbers.entry(text.to_vec()).or_insert(next),
        }
    }
}
