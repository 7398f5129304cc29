//! The sample: pages of the class that rules are tried on.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::fast::FixedState;

use super::spot::innermost;
use super::tuning::CandidateTuning;
use crate::page::{Dom, Name, Page};
use crate::rule::{ExtractionRule, Picked, TextIndex};

/// A page of the sample.
#[derive(Debug, Clone)]
pub struct SamplePage {
    /// What the page is called in examples, questions and answers.
    pub name: String,
    /// The page.
    pub page: Arc<Page>,
    /// Where its texts stand.
    pub texts: TextIndex,
}

impl SamplePage {
    /// A page with its texts looked up.
    pub fn new(name: impl Into<String>, page: Arc<Page>) -> Self {
        let texts = TextIndex::of(&page.dom);
        let name = name.into();
        Self { name, page, texts }
    }

    /// What a rule picks on it, each at the innermost place of its text.
    pub(super) fn picked_by(&self, rule: &ExtractionRule) -> Vec<Picked> {
        let mut picked = rule.values_with(&self.page, &self.texts);
        for its in &mut picked {
            its.place = innermost(&self.page.dom, its.place);
        }
        picked
    }
}

/// On how many pages of the sample each text stands.
#[derive(Debug, Clone, Default)]
pub(super) struct Support {
    pub n_pages: usize,
    texts: HashMap<Box<str>, usize, FixedState>,
    /// The same for what stands before the first colon of a text, with the colon.
    starts: HashMap<Box<str>, usize, FixedState>,
    /// The same for values of attributes that tell elements apart.
    anchors: HashMap<(Name, Box<str>), usize, FixedState>,
}

impl Support {
    pub(super) fn of(sample: &[SamplePage]) -> Self {
        let mut support = Self {
            n_pages: sample.len(),
            ..Self::default()
        };
        for page in sample {
            let mut starts: Vec<&str> = Vec::new();
            for (text, _) in page.texts.texts() {
                *support.texts.entry(text.into()).or_default() += 1;
                starts.extend(text.find(':').map(|colon| &text[..=colon]));
            }
            starts.sort_unstable();
            starts.dedup();
            for start in starts {
                *support.starts.entry(start.into()).or_default() += 1;
            }
            for anchor in anchors_of(&page.page.dom) {
                *support.anchors.entry(anchor).or_default() += 1;
            }
        }
        support
    }

    pub(super) fn of_text(&self, text: &str) -> usize {
        self.texts.get(text).copied().unwrap_or(0)
    }

    pub(super) fn of_anchor(&self, name: Name, value: &str) -> usize {
        self.anchors.get(&(name, collapsed(value))).copied().unwrap_or(0)
    }

    pub(super) fn of_start(&self, start: &str) -> usize {
        self.starts.get(start).copied().unwrap_or(0)
    }
}

/// The values that a page has of attributes that tell elements apart, each once.
fn anchors_of(dom: &Dom) -> HashSet<(Name, Box<str>), FixedState> {
    let mut anchors: HashSet<(Name, Box<str>), FixedState> = HashSet::default();
    for node in dom.nodes().filter(|&node| dom.is_element(node)) {
        for (name, _) in CandidateTuning::DEFAULT.anchors {
            anchors.extend(dom.attribute(node, name).map(|value| (name, collapsed(value))));
        }
    }
    anchors
}

fn collapsed(value: &str) -> Box<str> {
    value.split_whitespace().collect::<Vec<&str>>().join(" ").into()
}
