//! Kinship: whether a page is of the same kind as another, beside what both owe to the site's common frame.
//!
//! In: the page that a shown link leads to, and others. Out: who is its kin. A page is the set of its elements' tag paths, and of its short texts that
//! another page of the pool has, too, each without what the page has that the links stand on: menus and footers are everybody's. Two pages are kin when
//! the mean of what they share of both, and of the smaller, is more than half; so sections may come and go.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use foldhash::quality::FixedState;

use crate::page::{Dom, Name, NodeId, Page, push_collapsed};

const HASHER: FixedState = FixedState::with_seed(0x6b69_6e21);

/// The longest text that is taken for a label, in bytes.
const LABEL_MAX: usize = 48;

/// Above this, two pages are kin.
const KIN_MIN: f64 = 0.5;

/// Which of the pages are kin to one of the known ones. `frames` are pages that links to them stand on.
pub(super) fn kin(known: &[&Page], frames: &[&Page], pages: &[&Page]) -> Vec<bool> {
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    let all: Vec<Traits> = known.iter().chain(pages).map(|page| Traits::of(&page.dom)).collect();
    for label in all.iter().flat_map(|traits| &traits.labels) {
        *counts.entry(*label).or_default() += 1;
    }
    let mut frame: BTreeSet<u64> = BTreeSet::new();
    for page in frames {
        let traits = Traits::of(&page.dom);
        frame.extend(traits.paths);
        frame.extend(traits.labels);
    }
    let own = |traits: &Traits| -> BTreeSet<u64> {
        let labels = traits.labels.iter().filter(|label| counts[label] > 1);
        traits
            .paths
            .iter()
            .chain(labels)
            .filter(|it| !frame.contains(it))
            .copied()
            .collect()
    };
    let own: Vec<BTreeSet<u64>> = all.iter().map(own).collect();
    let (known, others) = own.split_at(known.len());
    others
        .iter()
        .map(|page| known.iter().any(|its| is_kin(its, page)))
        .collect()
}

fn is_kin(left: &BTreeSet<u64>, right: &BTreeSet<u64>) -> bool {
    let both = left.intersection(right).count();
    let either = left.len() + right.len() - both;
    let smaller = left.len().min(right.len());
    let share = |all: usize| if all == 0 { 1.0 } else { both as f64 / all as f64 };
    (share(either) + share(smaller)) / 2.0 > KIN_MIN
}

/// What a page is told by, as hashes.
struct Traits {
    paths: BTreeSet<u64>,
    labels: BTreeSet<u64>,
}

impl Traits {
    fn of(dom: &Dom) -> Self {
        let (mut paths, mut labels) = (BTreeSet::new(), BTreeSet::new());
        // The hash of each open element's path.
        let mut open: Vec<(NodeId, u64)> = Vec::new();
        let mut text = String::new();
        for node in dom.offered_nodes() {
            while open
                .last()
                .is_some_and(|&(element, _)| dom.subtree_end(element) <= node)
            {
                open.pop();
            }
            let above = open.last().map_or(0, |&(_, path)| path);
            if dom.is_element(node) {
                let class = dom.attribute(node, Name::CLASS).unwrap_or("");
                let path = HASHER.hash_one((above, dom.name_text(node), class));
                paths.insert(path);
                open.push((node, path));
            } else if dom.is_text(node) && !dom.is_unseen(node) {
                text.clear();
                push_collapsed(dom.text(node), &mut text);
                let is_label =
                    !text.is_empty() && text.len() <= LABEL_MAX && !text.contains(|c: char| c.is_ascii_digit());
                if is_label {
                    labels.insert(HASHER.hash_one(text.as_str()));
                }
            }
        }
        Self { paths, labels }
    }
}
