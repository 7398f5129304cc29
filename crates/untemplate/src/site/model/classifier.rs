//! Classification: which class of a model a page is of.
//!
//! In: a [`SiteModel`] and a page's fingerprint. Out: the class it is most like. An inverted index
//! from features to classes is asked once for each feature of the page, so that the cost is in the
//! page's features and not in the classes' pages.
//!
//! How like a class a page is: as [`super::Affinity`] for two pages, with a class standing for a
//! page that has each feature in part, as much as its pages do.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
use url::Url;

use super::address_tree::AddressTree;
use super::affinity::{combined, trusting};
use super::fingerprint::{Feature, FeatureKind, Fingerprint};
use super::site_model::SiteModel;

/// Tells the class of pages.
#[derive(Debug, Clone)]
pub struct Classifier {
    index: [HashMap<Feature, Entry, FixedState>; 4],
    /// By kind and class: what its features weigh.
    totals: [Vec<f32>; 4],
    /// How alike the pages of each class are.
    likeness: Vec<f32>,
    scripts: AddressTree,
    /// By script: how much it says for each class that its addresses led to.
    by_script: Vec<Vec<(usize, f32)>>,
}

#[derive(Debug, Clone)]
struct Entry {
    weight: f32,
    classes: Box<[(u32, f32)]>,
}

/// The class of a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Classification {
    /// The class, by its number; `None` for a page that is like none.
    pub class: Option<usize>,
    /// What of the page the class does not explain, from 0 to 1.
    pub cost: f64,
}

/// A page is of no class when it is less like the nearest one than this share of how alike the
/// pages of that class are. Tag pairs that no page of the site has make it less so.
const UNKNOWN_SHARE: f32 = 0.25;

impl Classifier {
    /// Prepares the classes of a model.
    pub fn new(model: &SiteModel) -> Self {
        let n_classes = model.classes.len();
        let mut totals: [Vec<f32>; 4] = std::array::from_fn(|_| vec![0.0; n_classes]);
        let mut index: [HashMap<Feature, Entry, FixedState>; 4] = Default::default();
        for (kind, signs) in model.signs.iter().enumerate() {
            for sign in signs {
                for &(class, share) in &sign.classes {
                    totals[kind][class as usize] += sign.weight * share;
                }
                let entry = Entry {
                    weight: sign.weight,
                    classes: sign.classes.clone().into(),
                };
                index[kind].insert(sign.feature, entry);
            }
        }
        let likeness = model.classes.iter().map(|class| class.likeness).collect();
        Self {
            index,
            totals,
            likeness,
            scripts: model.scripts.clone(),
            by_script: script_shares(model),
        }
    }

    /// How like each class a page is by what is on it.
    fn likeness(&self, fingerprint: &Fingerprint) -> Vec<f32> {
        let n_classes = self.likeness.len();
        let mut shared = vec![[0.0_f32; 4]; n_classes];
        let mut own = [0.0_f32; 4];
        for (kind, features) in fingerprint.features.iter().enumerate() {
            for entry in features.iter().filter_map(|feature| self.index[kind].get(feature)) {
                own[kind] += entry.weight;
                for &(class, share) in &entry.classes {
                    shared[class as usize][kind] += entry.weight * share;
                }
            }
        }
        let by_class = (0..n_classes).map(|class| {
            let shared = shared[class];
            let whole = std::array::from_fn(|kind| own[kind] + self.totals[kind][class] - shared[kind]);
            combined(shared, whole)
        });
        by_class.collect()
    }

    /// The same, with what its address explains.
    fn trusted(&self, likeness: &[f32], url: &Url) -> Vec<f32> {
        let mut trusted = likeness.to_vec();
        for &(class, told) in &self.by_script[self.scripts.leaf(url)] {
            trusted[class] = trusting(likeness[class], told);
        }
        trusted
    }

    /// The share of a page's tag pairs that pages of the model have.
    fn known_bones(&self, fingerprint: &Fingerprint) -> f32 {
        let tag_pairs = fingerprint.by(FeatureKind::TagPairs);
        let index = &self.index[FeatureKind::TagPairs.index()];
        let known = tag_pairs.iter().filter(|pair| index.contains_key(pair)).count();
        known as f32 / tag_pairs.len().max(1) as f32
    }

    /// The class that a page is most like; of equals the first. Its address tells which, but not
    /// that it is of any: a page with nothing of a class on it is none of it.
    pub fn classify(&self, fingerprint: &Fingerprint, url: &Url) -> Classification {
        let by_content = self.likeness(fingerprint);
        let likeness = self.trusted(&by_content, url);
        let best = (0..likeness.len()).reduce(|best, next| match likeness[next] > likeness[best] {
            true => next,
            false => best,
        });
        let Some(best) = best else {
            return Classification { class: None, cost: 1.0 };
        };
        let is_known = by_content[best] * self.known_bones(fingerprint) >= UNKNOWN_SHARE * self.likeness[best];
        Classification {
            class: is_known.then_some(best),
            cost: f64::from(1.0 - likeness[best]).max(0.0),
        }
    }
}

/// By script: how much it says for each class that its addresses led to. What led there once may
/// have been chance.
fn script_shares(model: &SiteModel) -> Vec<Vec<(usize, f32)>> {
    let mut counts = vec![BTreeMap::<usize, u32>::new(); model.scripts.n_leaves()];
    for (class, pages) in model.classes.iter().enumerate() {
        for url in pages.pages.iter().filter_map(|page| Url::parse(page).ok()) {
            *counts[model.scripts.leaf(&url)].entry(class).or_default() += 1;
        }
    }
    let n_visited: u32 = counts.iter().flat_map(|classes| classes.values()).sum();
    let shares = counts.into_iter().enumerate().map(|(script, classes)| {
        let n_here: u32 = classes.values().sum();
        let rarity = match model.scripts.is_marked(script) {
            true => 1.0 - n_here as f32 / n_visited.max(1) as f32,
            false => 0.0,
        };
        let trust = rarity * model.tuning.script_trust;
        let told = |(class, count): (usize, u32)| (class, trust * count as f32 / (n_here as f32 + 1.0));
        classes.into_iter().map(told).collect()
    });
    shares.collect()
}
