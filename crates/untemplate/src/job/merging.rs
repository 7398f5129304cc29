//! Merging: page classes that the model took for several and that are one.
//!
//! In: the readers of a site's classes. Out: fewer. A model made from few pages splits a class when
//! some of its pages lack half of the template, or lie in folders of their own. Two classes are one
//! when their addresses have one shape, unless their labels speak against it and they are made
//! otherwise, or when their pages have the same labels; and when pages of the smaller have at least
//! half of the mark-up that nearly all pages of the larger have: on real sites, pages of one class
//! have from 0.58 on, those of others of the same shape up to 0.4.

use std::collections::{BTreeMap, BTreeSet};

use crate::site::AddressId;

use super::crawl::Crawl;
use super::label_profile::{CommonLabels, without_frame};
use super::ledger::Fate;

/// The share of what every page of a class has that a page of it has at least.
const AGREEMENT_MIN: f64 = 0.5;

/// The share of what every page of one class has that pages of the other have on average, both
/// ways, where they have the same mark-up: by its definition a class has nine tenths of what nearly
/// all of its own pages have. With 0.9 one pair of 22 on 29 sites is joined wrongly, with 0.95 none
/// of 16.
const SAME_MARKUP: f64 = 0.95;

/// The share of a class's pages that have addresses of the other's shapes.
const SHAPE_SHARE: f64 = 0.7;

/// A class with fewer pages than this is no measure for others.
const PAGES_MIN: usize = 4;

impl Crawl<'_> {
    /// Merges classes that are one, the smallest first.
    pub(super) fn merge_classes(&mut self) {
        let shapes: Vec<BTreeMap<String, usize>> = self
            .readers
            .iter()
            .map(|reader| self.shapes_of(&reader.pages))
            .collect();
        let mut labels: Vec<_> = self.readers.iter().map(|reader| reader.labels.recurring()).collect();
        let mut order: Vec<usize> = (0..self.readers.len())
            .filter(|&class| !self.readers[class].pages.is_empty())
            .collect();
        order.sort_by_key(|&class| (self.readers[class].pages.len(), std::cmp::Reverse(class)));
        let is_measure = |class: &usize| self.readers[*class].profile.n_pages() >= PAGES_MIN;
        without_frame(
            &mut labels,
            &order.iter().copied().filter(is_measure).collect::<Vec<_>>(),
        );
        for (place, &small) in order.iter().enumerate() {
            let larger = order[place + 1..].iter().copied();
            let alike = larger.filter(|&large| {
                let common = CommonLabels::of(&labels[small], &labels[large]);
                let are_made_alike = || self.have_same_markup(small, large);
                // Pages that are made alike may say other labels in another language.
                share(&shapes[small], &shapes[large]) >= SHAPE_SHARE && (!common.speak_against() || are_made_alike())
                    || common.are_of_one_class(are_made_alike)
            });
            if let Some(large) = self.most_alike(small, alike) {
                self.merge(small, large);
            }
        }
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

    /// Whether pages of each of two classes have the mark-up of the other.
    fn have_same_markup(&self, one: usize, other: usize) -> bool {
        let (one, other) = (&self.readers[one].profile, &self.readers[other].profile);
        one.agreement(other).min(other.agreement(one)) >= SAME_MARKUP
    }

    /// Of some classes, the one whose template pages of a class have most of.
    fn most_alike(&self, small: usize, classes: impl Iterator<Item = usize>) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for class in classes.filter(|&class| self.readers[class].profile.n_pages() >= PAGES_MIN) {
            let agreement = self.readers[class].profile.agreement(&self.readers[small].profile);
            if agreement >= AGREEMENT_MIN && best.is_none_or(|(known, _)| agreement > known) {
                best = Some((agreement, class));
            }
        }
        best.map(|(_, class)| class)
    }

    /// Makes one class of two.
    fn merge(&mut self, small: usize, large: usize) {
        self.placing.join(small, large);
        let reader = &mut self.readers[small];
        let pages = std::mem::take(&mut reader.pages);
        let store_classes = std::mem::take(&mut reader.store_classes);
        let profile = std::mem::take(&mut reader.profile);
        let labels = std::mem::take(&mut reader.labels);
        let titles = std::mem::take(&mut reader.titles);
        for &page in &pages {
            self.ledger.set(page, Fate::Read(large as u32));
        }
        let reader = &mut self.readers[large];
        reader.pages.extend(pages);
        reader.store_classes.extend(store_classes);
        reader.profile.merge(&profile);
        reader.labels.merge(&labels);
        reader.titles.merge(&titles);
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
