//! Contrast: how differently two groups of pages are made, given how much pages differ within each.
//!
//! In: the features of the pages of two groups. Out: a share from 0 to 1. The pages of a class
//! differ, by optional sections, by the length of their lists and by chance; so a difference
//! between two groups says something only when it is large against the differences within them.
//! Each feature occurs at a rate in each group. The squared difference of the two rates, less what
//! sampling alone would make of it, is what the division explains; the variance of the feature
//! within the groups is what it leaves. Summed over all features, the explained part of both is the
//! contrast, as in an analysis of variance.
//!
//! Content is no evidence: features that few pages of both groups have are left out. Where links to
//! the pages stand is one kind of features beside those of the pages themselves: one list on one
//! index leads to pages of one kind.
//!
//! What all pages of both groups have, such as the frame of the site, adds to neither sum: it needs
//! not to be known and taken away beforehand. Evidence does not pile up with the number of pages,
//! so that a class does not come apart because it is large.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::TemplateTuning;
use crate::site::address_book::AddressId;
use crate::site::model::{FeatureKind, Fingerprint};

/// The kinds of features that are contrasted. Texts are left out: they part pages of one template
/// in two languages.
const KINDS: [FeatureKind; 2] = [FeatureKind::MarkUp, FeatureKind::TagPairs];

/// Half a feature of doubt: groups that differ by less than a feature in all do not differ.
const DOUBT: f64 = 0.5;

/// The features of a page by kind, as numbers of a [`FeatureBook`].
#[derive(Debug, Clone, Default)]
pub struct PageFeatures {
    kinds: [Box<[u32]>; 2],
}

impl PageFeatures {
    /// What two pages have in common, of what either has, for each kind: 2 for equal pages.
    pub fn likeness(&self, other: &Self) -> f64 {
        let likeness = |kind: usize| {
            let (own, others) = (&self.kinds[kind], &other.kinds[kind]);
            let n_shared = own
                .iter()
                .filter(|feature| others.binary_search(feature).is_ok())
                .count();
            n_shared as f64 / (own.len() + others.len() - n_shared).max(1) as f64
        };
        (0..KINDS.len()).map(likeness).sum()
    }

    /// The features of both kinds.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.kinds.iter().flatten().copied()
    }
}

/// A page under an address that leads to it.
#[derive(Debug, Clone, Copy)]
pub struct SeenPage<'a> {
    /// The address.
    pub address: AddressId,
    /// How the page is made.
    pub features: &'a PageFeatures,
    /// Where links to the address stand, as numbers in order, each once.
    pub places: &'a [u32],
}

/// Gives the features of a site's pages numbers.
#[derive(Debug, Clone, Default)]
pub struct FeatureBook {
    numbers: HashMap<(FeatureKind, u64), u32, FixedState>,
}

impl FeatureBook {
    /// The features of a page.
    pub fn read(&mut self, fingerprint: &Fingerprint) -> PageFeatures {
        let kinds = KINDS.map(|kind| {
            let mut numbers: Vec<u32> = Vec::with_capacity(fingerprint.by(kind).len());
            for &feature in fingerprint.by(kind) {
                let next = self.numbers.len() as u32;
                numbers.push(*self.numbers.entry((kind, feature)).or_insert(next));
            }
            numbers.sort_unstable();
            numbers.into()
        });
        PageFeatures { kinds }
    }
}

/// Numbers in order, with how many pages have each.
type Counts<'a> = &'a [(u32, u32)];

/// How many pages of a group have each feature.
#[derive(Debug, Clone)]
pub struct PageGroup {
    n_pages: usize,
    /// By kind: features in order, with the number of pages that have them.
    counts: [Vec<(u32, u32)>; 2],
    /// The same for the places of links.
    places: Vec<(u32, u32)>,
}

impl PageGroup {
    /// Counts the features of pages.
    pub fn of<'a, 'b: 'a>(pages: impl Iterator<Item = &'a SeenPage<'b>> + Clone) -> Self {
        let counts = [0, 1].map(|kind| counted(pages.clone().flat_map(|page| page.features.kinds[kind].iter())));
        Self {
            counts,
            places: counted(pages.clone().flat_map(|page| page.places)),
            n_pages: pages.count(),
        }
    }

    /// How many pages were counted.
    pub fn n_pages(&self) -> usize {
        self.n_pages
    }

    /// The contrast between two groups.
    pub fn contrast(&self, other: &Self, tuning: &TemplateTuning) -> f64 {
        let by_place = self.explained(other, [&self.places, &other.places], 0.0, tuning.pages_min);
        (1.0 - tuning.place_weight) * self.form_contrast(other, tuning) + tuning.place_weight * by_place
    }

    /// The contrast by what is on the pages alone.
    pub fn form_contrast(&self, other: &Self, tuning: &TemplateTuning) -> f64 {
        let least = tuning.feature_share_min;
        let [mark_up, tag_pairs] = [0, 1].map(|kind| {
            self.explained(
                other,
                [&self.counts[kind], &other.counts[kind]],
                least,
                tuning.pages_min,
            )
        });
        f64::midpoint(mark_up, tag_pairs)
    }

    /// The share of the variance that the division explains, of the features that at least a share
    /// of the pages of one group have. A group of fewer than `pages_min` pages does not tell what
    /// its template has, nor how its pages differ: then those of the other group say both.
    fn explained(&self, other: &Self, counts: [Counts<'_>; 2], least: f64, pages_min: usize) -> f64 {
        let (mut between, mut within) = (0.0, 0.0);
        let (is_small, is_other_small) = (self.n_pages < pages_min, other.n_pages < pages_min);
        for (left, right) in merged(counts[0], counts[1]) {
            let (mut left, mut right) = (Rate::of(left, self.n_pages), Rate::of(right, other.n_pages));
            let common = match (is_small, is_other_small) {
                (true, false) => right.share,
                (false, true) => left.share,
                _ => left.share.max(right.share),
            };
            if common < least {
                continue;
            }
            match (is_small, is_other_small) {
                (true, false) => left.vary_as(&right, self.n_pages),
                (false, true) => right.vary_as(&left, other.n_pages),
                _ => {}
            }
            between += ((left.share - right.share).powi(2) - left.error - right.error) / 2.0;
            within += f64::midpoint(left.variance, right.variance);
        }
        let between = between.max(0.0);
        between / (between + within + DOUBT)
    }
}

/// How often each number occurs, in the order of the numbers.
fn counted<'a>(numbers: impl Iterator<Item = &'a u32>) -> Vec<(u32, u32)> {
    let mut all: Vec<u32> = numbers.copied().collect();
    all.sort_unstable();
    let runs = all.chunk_by(|left, right| left == right);
    runs.map(|run| (run[0], run.len() as u32)).collect()
}

/// How often the pages of a group have a feature.
struct Rate {
    share: f64,
    variance: f64,
    /// The variance of the share.
    error: f64,
}

impl Rate {
    fn of(count: u32, n_pages: usize) -> Self {
        let n_pages = n_pages as f64;
        let share = f64::from(count) / n_pages;
        let variance = share * (1.0 - share) * n_pages / (n_pages - 1.0).max(1.0);
        Self {
            share,
            variance,
            error: variance / n_pages,
        }
    }

    /// The rate on a few pages whose template has the feature as often as another one.
    fn vary_as(&mut self, other: &Self, n_pages: usize) {
        self.variance = other.variance;
        self.error = other.variance / n_pages as f64;
    }
}

/// The counts of two groups side by side, for each feature that either has.
fn merged<'a>(left: &'a [(u32, u32)], right: &'a [(u32, u32)]) -> impl Iterator<Item = (u32, u32)> + 'a {
    let (mut at_left, mut at_right) = (0, 0);
    std::iter::from_fn(move || {
        let next = |counts: &[(u32, u32)], at: usize| counts.get(at).map_or(u32::MAX, |(feature, _)| *feature);
        let (in_left, in_right) = (next(left, at_left), next(right, at_right));
        let feature = in_left.min(in_right);
        if feature == u32::MAX {
            return None;
        }
        let take = |counts: &[(u32, u32)], at: &mut usize, own: u32| {
            if own != feature {
                return 0;
            }
            *at += 1;
            counts[*at - 1].1
        };
        Some((take(left, &mut at_left, in_left), take(right, &mut at_right, in_right)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(features: &[u32]) -> PageFeatures {
        PageFeatures {
            kinds: [features.into(), features.into()],
        }
    }

    fn check_contrast(left: &[&[u32]], right: &[&[u32]], expected: std::ops::RangeInclusive<f64>) {
        let group = |pages: &[&[u32]]| {
            let pages: Vec<PageFeatures> = pages.iter().map(|features| page(features)).collect();
            let seen = |features| SeenPage {
                address: AddressId(0),
                features,
                places: &[],
            };
            let seen: Vec<SeenPage<'_>> = pages.iter().map(seen).collect();
            PageGroup::of(seen.iter())
        };
        let contrast = group(left).form_contrast(&group(right), &TemplateTuning::default());
        assert!(expected.contains(&contrast), "{left:?} {right:?}: {contrast}");
    }

    #[test]
    fn a_frame_says_nothing_and_templates_differ() {
        let frame: [&[u32]; 4] = [&[1, 2, 3]; 4];
        let one: [&[u32]; 4] = [&[1, 2, 3, 7, 8, 9]; 4];
        let other: [&[u32]; 4] = [&[1, 2, 3, 4, 5, 6]; 4];
        check_contrast(&frame, &frame, 0.0..=0.0);
        check_contrast(&one, &other, 0.8..=1.0);
    }

    #[test]
    fn a_page_by_itself_is_judged_by_what_the_others_have() {
        let others: [&[u32]; 4] = [&[1, 2, 3, 4], &[1, 2, 3], &[1, 2, 3, 5], &[1, 2, 3, 4]];
        check_contrast(&[&[1, 2, 3, 8, 9, 10, 11, 12]], &others, 0.0..=0.1);
        check_contrast(&[&[1, 8, 9]], &others, 0.4..=1.0);
    }

    #[test]
    fn optional_sections_part_no_class() {
        let some: [&[u32]; 4] = [&[1, 2], &[1], &[1, 2, 3, 4], &[1, 3]];
        let others: [&[u32]; 4] = [&[1, 3], &[1, 2, 4], &[1], &[1, 2]];
        check_contrast(&some, &others, 0.0..=0.1);
    }
}
