//! Label profiles: which labels and headings the pages of a class have, and how many have each.
//!
//! In: the content of each page of a class. Out: whether two classes say the same under the same
//! labels.
//! Mark-up and addresses tell how pages are made; labels tell what they are about.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::content::{BlockKind, Content};

/// The labels of a class's pages, counted.
#[derive(Debug, Clone, Default)]
pub struct LabelProfile {
    n_pages: u32,
    counts: HashMap<u64, u32, FixedState>,
}

/// Labels that are counted: headings that are values have no end.
const LABELS_MAX: usize = 1 << 16;

/// A label's hash does not hang on the run.
const SEED: u64 = 11;

impl LabelProfile {
    /// Counts the labels and headings of a page, each once.
    pub fn add(&mut self, content: &Content) {
        self.n_pages += 1;
        let is_label = |kind: BlockKind| matches!(kind, BlockKind::Label | BlockKind::Heading);
        let blocks = content.ids().filter(|&id| is_label(content.block(id).kind));
        let labels: BTreeSet<u64> = blocks
            .map(|id| FixedState::with_seed(SEED).hash_one(content.text(id).trim()))
            .collect();
        for label in labels {
            if self.counts.len() < LABELS_MAX || self.counts.contains_key(&label) {
                *self.counts.entry(label).or_default() += 1;
            }
        }
    }

    /// The labels that recur, with the share of the pages that have each.
    pub fn recurring(&self) -> BTreeMap<u64, f64> {
        let share = |&count: &u32| f64::from(count) / f64::from(self.n_pages.max(1));
        let shares = self.counts.iter().map(|(&label, count)| (label, share(count)));
        shares.filter(|(_, share)| *share >= RECURRING_SHARE).collect()
    }

    /// Adds the counts of another class.
    pub fn merge(&mut self, other: &Self) {
        self.n_pages += other.n_pages;
        for (&label, &count) in &other.counts {
            *self.counts.entry(label).or_default() += count;
        }
    }
}

/// Whether pages of two classes say nearly the same under the same labels, given the labels of each
/// that recur: of those that a page of either has, it is likely that one of the other has them, too.
pub(super) fn have_same_labels(one: &BTreeMap<u64, f64>, other: &BTreeMap<u64, f64>) -> bool {
    let (mut common, mut all) = (0.0, 0.0);
    for (label, share) in one {
        let shared = other.get(label).copied().unwrap_or(0.0);
        common += share.min(shared);
        all += share.max(shared);
    }
    let others = other.iter().filter(|(label, _)| !one.contains_key(label));
    all += others.map(|(_, share)| share).sum::<f64>();
    common >= COMMON_MIN && common >= COMMON_SHARE * all
}

/// The least share of pages with a label that recurs.
const RECURRING_SHARE: f64 = 0.05;

/// The fewest labels that two pages have in common on average: all classes of a site may have a
/// label or two of its frame.
const COMMON_MIN: f64 = 3.0;

/// The least share of labels in common. Of the pairs of classes with like mark-up on the smaller development sites, the
/// one that a person would call one class is at 0.93, the next at 0.63, two kinds of pages of a wiki.
const COMMON_SHARE: f64 = 0.75;

#[cfg(test)]
mod tests {
    use super::*;

    /// Labels of pages, `name:share` each.
    fn labels(text: &str) -> BTreeMap<u64, f64> {
        let one = |label: &str| {
            let (name, share) = label.split_once(':').expect("a label and its share");
            let share = share.parse().expect("a number");
            (FixedState::with_seed(SEED).hash_one(name), share)
        };
        text.split_whitespace().map(one).collect()
    }

    #[test]
    fn classes_with_the_same_labels_are_told() {
        let beasts = labels("armour:1 hits:1 attacks:0.9 notes:0.4 treasure:0.3");
        for (other, expected) in [
            ("armour:1 hits:1 attacks:1 notes:0.3 treasure:0.4", true),
            ("armour:1 hits:1 attacks:1 price:1 weight:1", false),
            ("armour:1 hits:0.5", false),
            ("home:1", false),
        ] {
            assert_eq!(have_same_labels(&beasts, &labels(other)), expected, "{other}");
        }
        // A heading and a note are no evidence.
        assert!(!have_same_labels(&labels("home:1 note:1"), &labels("home:1 note:1")));
    }
}
