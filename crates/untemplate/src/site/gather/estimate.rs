//! How many pages the class has: capture and recapture between the kinds of pages that link to it.
//!
//! In: what was visited. Out: an estimate. Two ways to a class catch its pages independently of
//! each other: where nearly all that the second way shows was also shown by the first, the first
//! shows nearly all there is (Lincoln and Petersen). One index that lists everything is then known
//! to be complete as soon as other pages link to some of the same targets.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::search::Search;
use crate::site::visited_page::PageId;

/// Fewer targets on the second way than this say nothing.
const RECAPTURE_MIN: usize = 5;

impl Search<'_> {
    /// The kind of a page: 0 for targets, else one more than the number of its leaf.
    pub(super) fn kind(&self, page: PageId) -> usize {
        match self.is_target(page) {
            true => 0,
            false => self.leaves[self.explored.page(page).address.index()] + 1,
        }
    }

    /// How many pages the class of the sample is thought to have; at least those found.
    pub fn estimate(&self) -> usize {
        let mut shown: HashMap<usize, HashSet<PageId, FixedState>, FixedState> = HashMap::default();
        for (page, visited) in self.explored.pages() {
            let links = visited.links.iter().flat_map(|links_at| links_at.addresses.iter());
            let pages = links.filter_map(|&address| self.explored.reached(address)?.page());
            let targets = pages.filter(|&target| target != page && self.is_target(target));
            shown.entry(self.kind(page)).or_default().extend(targets);
        }
        let most = shown
            .iter()
            .max_by_key(|(kind, targets)| (targets.len(), std::cmp::Reverse(**kind)));
        let Some((&first, captured)) = most else {
            return self.n_targets;
        };
        let others = shown
            .iter()
            .filter(|(kind, _)| **kind != first)
            .flat_map(|(_, targets)| targets);
        let recaptured: HashSet<PageId, FixedState> = others.copied().collect();
        let both = recaptured.intersection(captured).count();
        if recaptured.len() < RECAPTURE_MIN || both == 0 {
            return self.n_targets;
        }
        (captured.len() * recaptured.len() / both).max(self.n_targets)
    }
}
