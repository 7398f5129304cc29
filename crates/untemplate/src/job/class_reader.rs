//! Class readers: what reads the pages of one page class, and learns more as they come.
//!
//! In: pages of the class to learn from, then every page of it. Out: a record each, addresses made absolute, and whether the page is one of the class at
//! all. A class of several pages has a [`Template`]; a page that stands alone is read by its lists.

use std::sync::Arc;

use url::Url;

use crate::page::{AttributeFilter, Page, Problem};
use crate::site::AddressId;
use crate::site::model::{ClassKind, Portrait};
use crate::table::ProblemGroups;
use crate::wrapper::{Matcher, Record, Template, infer_template, pick_training_pages};

use super::absolute::{address_keys, make_absolute};
use super::list_reader::{ListField, read_list};
use super::variety::Variety;

/// Reads the pages of a class.
#[derive(Debug, Clone)]
pub struct ClassReader {
    /// What the class is called.
    pub name: String,
    /// What its pages are for.
    pub kind: ClassKind,
    /// How its pages are read.
    pub means: Means,
    /// The keys of its records that are addresses, sorted.
    pub address_keys: Vec<Arc<str>>,
    /// The columns of its list, where it is read by that alone.
    pub list_fields: Vec<ListField>,
    /// Under which number its records are on the shelf: another one for each wrapper, so that records of two never mix.
    pub shelf_class: usize,
    /// The pages it was learnt from.
    pub training: Vec<AddressId>,
    /// The pages that were read.
    pub pages: Vec<AddressId>,
    /// What pages show that training pages did not.
    pub variety: Variety<AddressId>,
    /// Pages that did not match, though they are more like this class than like any other.
    pub strays: Vec<AddressId>,
    /// What was odd about its pages, grouped.
    pub problems: ProblemGroups,
    /// What its addresses have in common.
    pub pattern: String,
    /// How many pages it was thought to have.
    pub estimated_pages: Option<usize>,
}

/// How pages of a class are read.
#[derive(Debug, Clone)]
pub enum Means {
    /// By what several pages have in common.
    Template(Box<Matcher>),
    /// By its lists alone: it stands alone.
    Lists,
}

impl Means {
    /// The template, if there is one.
    pub fn template(&self) -> Option<&Template> {
        match self {
            Self::Template(matcher) => Some(matcher.template()),
            Self::Lists => None,
        }
    }
}

/// Nodes of all training pages together, more or less: inference holds them all, and large pages say more each.
const NODES_MAX: usize = 400_000;

/// Pages that are learnt from, however large.
const TRAINING_MIN: usize = 8;

/// What came of reading a page.
pub struct ReadRecord {
    /// The data.
    pub record: Record,
    /// Whether the page is one of the class.
    pub is_matched: bool,
    /// What was odd about it.
    pub problems: Vec<Problem>,
}

/// A page that may be learnt from.
pub struct Candidate {
    /// Where it is.
    pub address: AddressId,
    /// The page.
    pub page: Arc<Page>,
}

impl ClassReader {
    /// Learns to read pages like these.
    pub fn learn(
        name: &str,
        kind: ClassKind,
        candidates: &[Candidate],
        training_max: usize,
        filter: &AttributeFilter,
    ) -> Self {
        let pages: Vec<&Page> = candidates.iter().map(|candidate| candidate.page.as_ref()).collect();
        let n_nodes: usize = pages.iter().map(|page| page.dom.len()).sum();
        let affordable = NODES_MAX / (n_nodes / pages.len().max(1)).max(1);
        let chosen = pick_training_pages(&pages, training_max.min(affordable.max(TRAINING_MIN)));
        let training: Vec<&Page> = chosen.iter().map(|&index| pages[index]).collect();
        let portraits: Vec<Portrait> = training.iter().map(|page| Portrait::of(page, filter)).collect();
        let means = match training.len() {
            0 | 1 => Means::Lists,
            _ => Means::Template(Box::new(Matcher::new(infer_template(&training)))),
        };
        Self {
            name: name.to_owned(),
            kind,
            address_keys: means.template().map(address_keys).unwrap_or_default(),
            means,
            list_fields: Vec::new(),
            shelf_class: 0,
            training: chosen.iter().map(|&index| candidates[index].address).collect(),
            pages: Vec::new(),
            variety: Variety::new(portraits.iter()),
            strays: Vec::new(),
            problems: ProblemGroups::default(),
            pattern: String::new(),
            estimated_pages: None,
        }
    }

    /// Notes what was odd about a page.
    pub fn note(&mut self, url: &Url, problems: &[Problem]) {
        for problem in problems {
            self.problems.add(url.as_str(), problem);
        }
    }

    /// The pages known to be of the class: those that were read, or else those it was learnt from.
    pub fn members(&self) -> &[AddressId] {
        if self.pages.is_empty() {
            &self.training
        } else {
            &self.pages
        }
    }

    /// Reads a page.
    pub fn read(&mut self, page: &Page) -> ReadRecord {
        match &self.means {
            Means::Template(matcher) => {
                let read = matcher.extract(page);
                let mut record = read.record;
                make_absolute(&mut record, &self.address_keys, page);
                ReadRecord {
                    record,
                    is_matched: read.is_matched,
                    problems: read.problems,
                }
            }
            Means::Lists => {
                let mut read = read_list(page);
                let addresses = read.fields.iter().filter(|field| field.is_address);
                let mut keys: Vec<Arc<str>> = addresses.map(|field| field.key.as_str().into()).collect();
                keys.sort();
                make_absolute(&mut read.record, &keys, page);
                self.address_keys = keys;
                self.list_fields = read.fields;
                ReadRecord {
                    record: read.record,
                    is_matched: true,
                    problems: Vec::new(),
                }
            }
        }
    }
}
