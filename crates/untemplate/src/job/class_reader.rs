//! Class readers: what is known of one page class while its pages come, and how they are read in
//! the end.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::site::AddressId;
use crate::site::model::{ClassKind, FeatureKind, Fingerprint};
use crate::table::ProblemGroups;
use crate::wrapper::reading::ClassReading;

use super::label_profile::LabelProfile;
use super::title_parts::TitleParts;

/// Reads the pages of a class.
#[derive(Debug, Clone)]
pub struct ClassReader {
    /// What the class is called.
    pub name: String,
    /// What its pages are for.
    pub kind: ClassKind,
    /// How its pages are read, once all of them were seen.
    pub reading: Option<ClassReading>,
    /// Under which numbers its pages are in the record store: classes that became one have several.
    pub store_classes: Vec<usize>,
    /// The pages that were read.
    pub pages: Vec<AddressId>,
    /// What the mark-up of its pages has in common.
    pub profile: Profile,
    /// What the labels of its pages have in common.
    pub labels: LabelProfile,
    /// What the titles of its pages have in common.
    pub titles: TitleParts,
    /// What was odd about its pages, grouped.
    pub problems: ProblemGroups,
    /// What its addresses have in common.
    pub pattern: String,
    /// How many pages it was thought to have.
    pub estimated_pages: Option<usize>,
}

impl ClassReader {
    /// A class without pages so far.
    pub fn new(name: &str, kind: ClassKind, store_class: usize) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            reading: None,
            store_classes: vec![store_class],
            pages: Vec::new(),
            profile: Profile::default(),
            labels: LabelProfile::default(),
            titles: TitleParts::default(),
            problems: ProblemGroups::default(),
            pattern: String::new(),
            estimated_pages: None,
        }
    }
}

/// The features of a class's pages, counted.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    n_pages: usize,
    counts: HashMap<u64, u32, FixedState>,
}

/// The share of a class's pages that have a feature of its template.
const CORE_SHARE: f64 = 0.9;

/// Features that are counted: a class of pages with mark-up of their own has no end of them.
const FEATURES_MAX: usize = 1 << 16;

impl Profile {
    /// Counts the features of a page.
    pub fn add(&mut self, fingerprint: &Fingerprint) {
        self.n_pages += 1;
        for &feature in fingerprint.by(FeatureKind::MarkUp) {
            if self.counts.len() < FEATURES_MAX || self.counts.contains_key(&feature) {
                *self.counts.entry(feature).or_default() += 1;
            }
        }
    }

    /// How many pages were counted.
    pub fn n_pages(&self) -> usize {
        self.n_pages
    }

    /// The mean share of what nearly all pages of this class have that pages of another have.
    pub fn agreement(&self, other: &Self) -> f64 {
        let least = CORE_SHARE * self.n_pages as f64;
        let core = self.counts.iter().filter(|(_, count)| f64::from(**count) >= least);
        let mut n_core = 0_usize;
        let mut n_had = 0.0;
        for (feature, _) in core {
            n_core += 1;
            n_had += f64::from(other.counts.get(feature).copied().unwrap_or(0));
        }
        n_had / (n_core.max(1) * other.n_pages.max(1)) as f64
    }

    /// Adds the counts of another class.
    pub fn merge(&mut self, other: &Self) {
        self.n_pages += other.n_pages;
        for (&feature, &count) in &other.counts {
            *self.counts.entry(feature).or_default() += count;
        }
    }
}
