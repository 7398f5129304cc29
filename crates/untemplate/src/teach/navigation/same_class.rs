//! Whether a page is of the same class as another, apart from what both have of the site's common
//! frame.
//!
//! In: the page that a shown link leads to, and others. Out: which of those are of its class. A
//! page is the set of its elements' tag paths, and of its short texts that another of the pages
//! also has, each without what is on the page that the links stand on: menus and footers are on
//! every page. Two pages are of one class when the mean of what they share of both, and of the
//! smaller, is more than half; so sections may come and go. Pages of one folder of the site need to
//! share less: on a site of family trees, persons with and without ancestors shared a fifth and
//! more with each other, and other classes of pages a tenth.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use url::Url;

use super::super::tuning::SameClassTuning;
use crate::page::{Dom, Name, NodeId, Page, UrlParts, push_collapsed};

const HASHER: FixedState = FixedState::with_seed(0x6b69_6e21);

const TUNING: SameClassTuning = SameClassTuning::DEFAULT;

/// Which of the pages are of the class of the known ones. `frames` are pages that links to them
/// stand on.
pub(super) fn same_class(known: &[&Page], frames: &[&Page], pages: &[&Page]) -> Vec<bool> {
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
    let (own_of_known, others) = own.split_at(known.len());
    let is_same = |(page, own): (&&Page, &BTreeSet<u64>)| {
        known.iter().zip(own_of_known).any(|(its, its_own)| {
            let is_near = is_one_folder(&its.url, &page.url);
            likeness(its_own, own)
                > if is_near {
                    TUNING.alike_in_folder_min
                } else {
                    TUNING.alike_min
                }
        })
    };
    pages.iter().zip(others).map(is_same).collect()
}

/// Whether two addresses have the same first folder, depth and ending.
fn is_one_folder(left: &Url, right: &Url) -> bool {
    let (left, right) = (UrlParts::of(left), UrlParts::of(right));
    let is_same_folder = left
        .folders
        .first()
        .is_some_and(|top| right.folders.first() == Some(top));
    is_same_folder && (left.host, left.folders.len(), left.end) == (right.host, right.folders.len(), right.end)
}

fn likeness(left: &BTreeSet<u64>, right: &BTreeSet<u64>) -> f64 {
    let both = left.intersection(right).count();
    let either = left.len() + right.len() - both;
    let smaller = left.len().min(right.len());
    let share = |all: usize| if all == 0 { 1.0 } else { both as f64 / all as f64 };
    (share(either) + share(smaller)) / 2.0
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
                let is_label = !text.is_empty()
                    && text.len() <= TUNING.label_bytes_max
                    && !text.contains(|c: char| c.is_ascii_digit());
                if is_label {
                    labels.insert(HASHER.hash_one(text.as_str()));
                }
            }
        }
        Self { paths, labels }
    }
}
