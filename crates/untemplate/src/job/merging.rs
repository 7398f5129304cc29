//! Merging: page classes that the model took for several and that are one.
//!
//! In: the readers of a site's classes. Out: fewer. A model made from few pages splits a class when some of its pages lack half of the template. Two classes are one when their
//! addresses have one shape and the wrapper of the larger finds on pages of the smaller at least half of what every page of its own has: on real sites, pages of one class have from
//! 0.58 on, those of others of the same shape up to 0.4. The class that comes of it is learnt anew from pages of both.

use std::collections::{BTreeMap, BTreeSet};

use crate::site::AddressId;
use crate::table::ShelfError;

use super::class_reader::Means;
use super::crawl::Crawl;
use super::learning::spread;

/// The share of what every page of a class has that a page of it has at least.
const AGREEMENT_MIN: f64 = 0.5;

/// The share of a class's pages that have addresses of the other's shapes.
const SHAPE_SHARE: f64 = 0.7;

/// Pages of the smaller class that are looked at.
const LOOKS: usize = 10;

/// A class with fewer pages than this is no measure for others, nor is one with fewer fields.
const PAGES_MIN: usize = 4;
const FIELDS_MIN: usize = 3;

impl Crawl<'_> {
    /// Merges classes that are one, the smallest first. Before the crawl, wrappers come from few pages, and each must read the other's (`is_mutual`).
    pub(super) fn merge_classes(&mut self, is_mutual: bool) -> Result<(), ShelfError> {
        let shapes: Vec<BTreeMap<String, usize>> = self
            .readers
            .iter()
            .map(|reader| self.shapes_of(reader.members()))
            .collect();
        let mut order: Vec<usize> = (0..self.readers.len())
            .filter(|&class| !self.readers[class].members().is_empty())
            .collect();
        order.sort_by_key(|&class| (self.readers[class].members().len(), std::cmp::Reverse(class)));
        for (place, &small) in order.iter().enumerate() {
            let larger = order[place + 1..].iter().copied();
            let alike: Vec<usize> = larger
                .filter(|&large| share(&shapes[small], &shapes[large]) >= SHAPE_SHARE)
                .collect();
            if let Some(large) = self.best_reader(small, &alike)
                && (!is_mutual || self.best_reader(large, &[small]).is_some())
            {
                self.merge(small, large)?;
            }
            if self.is_stopped {
                break;
            }
        }
        Ok(())
    }

    fn shapes_of(&self, pages: &[AddressId]) -> BTreeMap<String, usize> {
        let mut shapes = BTreeMap::new();
        for &page in pages {
            *shapes
                .entry(self.shapes.shape(&self.ledger.addresses.url(page)))
                .or_default() += 1;
        }
        shapes
    }

    /// Of some classes, the one whose wrapper finds most of what it looks for on pages of a class.
    fn best_reader(&mut self, small: usize, classes: &[usize]) -> Option<usize> {
        if classes.is_empty() {
            return None;
        }
        let pages = self.candidates(&spread(self.readers[small].members(), LOOKS));
        let mut best: Option<(f64, usize)> = None;
        for &class in classes {
            let reader = &self.readers[class];
            let Means::Template(matcher) = &reader.means else {
                continue;
            };
            let n_fields = matcher
                .template()
                .parts
                .iter()
                .filter(|part| part.has_own_data())
                .count();
            if reader.members().len() < PAGES_MIN || n_fields < FIELDS_MIN || pages.is_empty() {
                continue;
            }
            let sum: f64 = pages
                .iter()
                .map(|candidate| matcher.extract(&candidate.page).agreement)
                .sum();
            let mean = sum / pages.len() as f64;
            if mean >= AGREEMENT_MIN && best.is_none_or(|(known, _)| mean > known) {
                best = Some((mean, class));
            }
        }
        best.map(|(_, class)| class)
    }

    /// Makes one class of two.
    fn merge(&mut self, small: usize, large: usize) -> Result<(), ShelfError> {
        let (training, pages) = (self.readers[small].training.clone(), self.readers[small].pages.clone());
        if !self.relearn(large, &training, &pages)? {
            return Ok(());
        }
        self.placing.join(small, large);
        self.readers[small].pages.clear();
        self.readers[small].training.clear();
        Ok(())
    }
}

/// The share of the pages of one class whose addresses have a shape of the other's.
fn share(small: &BTreeMap<String, usize>, large: &BTreeMap<String, usize>) -> f64 {
    let known: BTreeSet<&String> = large.keys().collect();
    let shared: usize = small
        .iter()
        .filter(|(shape, _)| known.contains(shape))
        .map(|(_, count)| count)
        .sum();
    shared as f64 / small.values().sum::<usize>().max(1) as f64
}
