//! Affinity: how alike pages are, by all kinds of features, with each feature weighed by what it
//! tells.
//!
//! In: the fingerprints of the pages visited. Out: an [`Affinity`], which compares fingerprints. A
//! feature that one page alone has tells nothing of a template, one that all pages have tells no
//! classes apart; most telling is what half of the pages have. So a feature's weight is the entropy
//! of its presence, and a little more. Two pages are as alike by one kind as the weight they share
//! over the weight that either has; over all kinds, as the geometric mean of these, so that one
//! kind with nothing in common counts. A kind of which there are few features counts little.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::fingerprint::{Feature, FeatureKind, Fingerprint};

/// How much each kind counts. Swept 0.5, 1 and 2 for each on sixteen sites: equal weights serve
/// them best.
const KIND_WEIGHTS: [f32; 4] = [1.0, 1.0, 1.0, 1.0];

/// What a feature weighs beside its entropy, so that pages of a site with one class are alike by
/// what they share.
pub(super) const WEIGHT_FLOOR: f32 = 0.2;

/// The least likeness by one kind: one kind alone never decides.
const LIKENESS_FLOOR: f32 = 0.02;

/// How alike pages are by a kind before any feature of it is seen, in weight: as alike as by their
/// tag pairs.
const DOUBT: f32 = 2.0;

/// The weights of the features of a site, by kind.
#[derive(Debug, Clone, Default)]
pub struct Affinity {
    weights: [HashMap<Feature, f32, FixedState>; 4],
}

/// A fingerprint with its weights looked up: what tells nothing is left out.
#[derive(Debug, Clone, Default)]
pub struct Weighed {
    features: [Vec<(Feature, f32)>; 4],
    totals: [f32; 4],
}

impl Weighed {
    /// The features of one kind, with their weights.
    pub fn by(&self, kind: FeatureKind) -> &[(Feature, f32)] {
        &self.features[kind.index()]
    }
}

impl Affinity {
    /// Weighs the features of pages.
    pub fn of<'a>(fingerprints: impl Iterator<Item = &'a Fingerprint>) -> Self {
        let mut counts: [HashMap<Feature, u32, FixedState>; 4] = Default::default();
        let mut n_pages = 0;
        for fingerprint in fingerprints {
            n_pages += 1;
            for (counts, features) in counts.iter_mut().zip(&fingerprint.features) {
                for &feature in features {
                    *counts.entry(feature).or_default() += 1;
                }
            }
        }
        let weights = counts.map(|counts| {
            let common = counts.into_iter().filter(|&(_, count)| count >= 2);
            common
                .map(|(feature, count)| (feature, weight(count as f32 / n_pages as f32)))
                .collect()
        });
        Self { weights }
    }

    /// The weight of a feature; 0 for one that tells nothing.
    pub fn weight(&self, kind: FeatureKind, feature: Feature) -> f32 {
        self.weights[kind.index()].get(&feature).copied().unwrap_or(0.0)
    }

    /// Looks up what a fingerprint weighs.
    pub fn weigh(&self, fingerprint: &Fingerprint) -> Weighed {
        let mut weighed = Weighed::default();
        for kind in FeatureKind::ALL {
            let index = kind.index();
            let features = fingerprint.features[index].iter();
            weighed.features[index] = features
                .map(|&feature| (feature, self.weight(kind, feature)))
                .filter(|&(_, weight)| weight > 0.0)
                .collect();
            weighed.totals[index] = weighed.features[index].iter().map(|(_, weight)| weight).sum();
        }
        weighed
    }
}

/// The weight of a feature that a share of the pages has.
fn weight(share: f32) -> f32 {
    let term = |p: f32| if p <= 0.0 { 0.0 } else { -p * p.log2() };
    term(share) + term(1.0 - share) + WEIGHT_FLOOR
}

/// How alike two pages are when this much of what parts them is explained.
pub fn trusting(likeness: f32, trust: f32) -> f32 {
    likeness + (1.0 - likeness) * trust
}

/// How alike two pages are by all kinds of features, and by their tag pairs alone, each from 0 to
/// 1.
pub fn likeness(left: &Weighed, right: &Weighed) -> (f32, f32) {
    let mut shared = [0.0; 4];
    let mut whole = [0.0; 4];
    for index in 0..4 {
        shared[index] = shared_weight(&left.features[index], &right.features[index]);
        whole[index] = left.totals[index] + right.totals[index] - shared[index];
    }
    (combined(shared, whole), tag_pair_likeness(shared, whole))
}

/// How alike two pages are by their tag pairs, from the weight shared and the weight in all by each
/// kind.
fn tag_pair_likeness(shared: [f32; 4], whole: [f32; 4]) -> f32 {
    let index = FeatureKind::TagPairs.index();
    if whole[index] > 0.0 {
        shared[index] / whole[index]
    } else {
        1.0
    }
}

/// What all kinds say together, from the weight shared and the weight in all by each.
pub fn combined(shared: [f32; 4], whole: [f32; 4]) -> f32 {
    let tag_pairs = tag_pair_likeness(shared, whole);
    let mut sum = 0.0;
    for index in 0..4 {
        let likeness = (shared[index] + DOUBT * tag_pairs) / (whole[index] + DOUBT);
        sum += KIND_WEIGHTS[index] * likeness.max(LIKENESS_FLOOR).ln();
    }
    (sum / KIND_WEIGHTS.iter().sum::<f32>()).exp()
}

fn shared_weight(left: &[(Feature, f32)], right: &[(Feature, f32)]) -> f32 {
    let (mut at_left, mut at_right, mut shared) = (0, 0, 0.0);
    while at_left < left.len() && at_right < right.len() {
        let (feature, weight) = left[at_left];
        let order = feature.cmp(&right[at_right].0);
        shared += if order.is_eq() { weight } else { 0.0 };
        at_left += usize::from(order.is_le());
        at_right += usize::from(order.is_ge());
    }
    shared
}
