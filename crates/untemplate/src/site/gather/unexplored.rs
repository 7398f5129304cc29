//! What was not looked at yet: where a search goes on that found hardly anything.
//!
//! In: the addresses met and not visited, and what was visited. Out: some of them, one of each
//! shape of address that few pages were visited of, those of most addresses first. A sample that
//! few pages link to says little about where its like are listed; before such a search may end,
//! each kind of page that is known must have been tried.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use url::Url;

use super::guided::Search;
use crate::site::address_book::AddressId;
use crate::site::explored::Reached;
use crate::site::model::ShapeBook;

/// With fewer targets than this a search has hardly begun.
const TARGETS_MIN: usize = 8;

/// Pages of one shape that tell what such pages lead to, and how many more for the square root of
/// the addresses that have it: of a thousand days of a calendar, few have an event.
const TRIED_ENOUGH: f64 = 4.0;
const TRIED_ROOT: f64 = 0.5;

/// What an address without a page counts as a try: it tells that others of its shape may be dead,
/// and not where they lead.
const DEAD_TRIED: f64 = 0.25;

/// Addresses of different shapes that are tried at a time.
const BATCH: usize = 8;

/// A search that found nothing in this many pages ends.
const PAGES_MAX: usize = 400;

/// The addresses of one shape.
#[derive(Debug, Default)]
struct Kind {
    tried: f64,
    waiting: Vec<AddressId>,
}

impl Kind {
    fn is_open(&self) -> bool {
        let enough = TRIED_ENOUGH + TRIED_ROOT * (self.waiting.len() as f64).sqrt();
        !self.waiting.is_empty() && self.tried < enough
    }
}

impl Search<'_> {
    /// The addresses to try where next to no target is known.
    pub(super) fn unexplored(&self) -> Vec<AddressId> {
        if self.n_targets >= TARGETS_MIN || self.explored.len() >= PAGES_MAX {
            return Vec::new();
        }
        let met = (0..self.prospects.len()).filter(|&number| self.prospects[number].is_some());
        let met: Vec<AddressId> = met.map(|number| AddressId(number as u32)).collect();
        let urls: Vec<Url> = met
            .iter()
            .map(|&address| self.explored.addresses.url(address))
            .collect();
        let shapes = ShapeBook::of(&urls);
        let mut kinds: HashMap<String, Kind, FixedState> = HashMap::default();
        for (&address, url) in met.iter().zip(&urls) {
            let kind = kinds.entry(shapes.shape(url)).or_default();
            match self.explored.reached(address) {
                Some(Reached::Page(_)) => kind.tried += 1.0,
                Some(_) => kind.tried += DEAD_TRIED,
                None => kind.waiting.push(address),
            }
        }
        let mut open: Vec<Kind> = kinds.into_values().filter(Kind::is_open).collect();
        open.sort_by(|left, right| {
            let by_size = right.waiting.len().cmp(&left.waiting.len());
            left.tried
                .total_cmp(&right.tried)
                .then(by_size)
                .then(left.waiting.cmp(&right.waiting))
        });
        // Neighbours in a list are alike: the one in the middle is not of the beginning.
        let middle = |kind: &Kind| kind.waiting[kind.waiting.len() / 2];
        open.iter().take(BATCH).map(middle).collect()
    }
}
