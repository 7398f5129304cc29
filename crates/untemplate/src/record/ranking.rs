//! Ranking: how much a region and its division look like the main list of a page.
//!
//! In: a division of a sequence. Out: its signals and one score, a sum of logarithms, so that each signal's part can be
//! told:
//! - text: how much the records show, link text counting half, so that menus weigh little;
//! - number: how many records there are;
//! - regularity: the chance that a path of one record is in another, too;
//! - variety: how many of the records begin with a text of their own.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::division::Division;
use super::outline::Outline;
use super::sequence::Sequence;
use crate::page::{Name, NodeId};

/// How much each signal counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of the text.
    pub text: f64,
    /// Of the number of records.
    pub number: f64,
    /// Of the regularity.
    pub regularity: f64,
    /// Of the variety.
    pub variety: f64,
    /// What link text counts, against other text.
    pub link_text: f64,
    /// What standing in a menu, a header or a footer costs.
    pub aside: f64,
    /// Of the share of records with a link.
    pub linked: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            text: 1.0,
            number: 0.5,
            regularity: 2.0,
            variety: 1.0,
            link_text: 0.5,
            aside: 1.5,
            linked: 1.0,
        }
    }
}

/// What was measured of a division.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signals {
    /// Characters, with link text counted less.
    pub text: f64,
    /// Records.
    pub number: usize,
    /// The chance that a path of one record is in another, too.
    pub regularity: f64,
    /// The share of records that begin with a text of their own.
    pub variety: f64,
    /// Whether the region stands in what pages set apart from their content.
    pub is_aside: bool,
    /// The share of records with a link.
    pub linked: f64,
}

/// Judges divisions of one page.
pub struct Judge<'a> {
    outline: &'a Outline<'a>,
    weights: &'a Weights,
    /// In how many records each path is, for the division at hand.
    counts: HashMap<u32, (u32, u32), FixedState>,
}

/// The most text of one record that counts.
const RECORD_TEXT_MAX: f64 = 1000.0;

impl<'a> Judge<'a> {
    /// A judge for the divisions of this page.
    pub fn new(outline: &'a Outline<'a>, weights: &'a Weights) -> Self {
        Self {
            outline,
            weights,
            counts: HashMap::default(),
        }
    }

    /// The signals of a division and their sum; `None` for what cannot be a list.
    pub fn judge(&mut self, sequence: &Sequence, sets: &[Vec<u32>], records: &Division) -> Option<(Signals, f64)> {
        let signals = Signals {
            text: self.text(records),
            number: records.len(),
            regularity: self.regularity(sequence, sets, records),
            variety: self.variety(records),
            is_aside: self.is_aside(sequence.region),
            linked: self.linked(records),
        };
        if signals.text < 1.0 || signals.regularity < 0.3 {
            return None;
        }
        if sequence.is_inner && !self.are_rich(records) {
            return None;
        }
        let weights = self.weights;
        let score = weights.text * signals.text.ln()
            + weights.number * (signals.number as f64).ln()
            + weights.regularity * signals.regularity.ln()
            + weights.variety * (signals.variety + 0.05).ln()
            + weights.linked * (signals.linked + 0.3).ln()
            - if signals.is_aside { weights.aside } else { 0.0 };
        Some((signals, score))
    }

    fn text(&self, records: &Division) -> f64 {
        let worth = |node: &NodeId| {
            let (text, link) = (self.outline.text_len[node.index()], self.outline.link_len[node.index()]);
            f64::from(text) - (1.0 - self.weights.link_text) * f64::from(link)
        };
        records
            .iter()
            .map(|record| record.iter().map(worth).sum::<f64>().min(RECORD_TEXT_MAX))
            .sum()
    }

    /// The mean over records of the chance that a path of the record is in another record, too.
    fn regularity(&mut self, sequence: &Sequence, sets: &[Vec<u32>], records: &Division) -> f64 {
        self.counts.clear();
        let set_of = |node: &NodeId| sequence.nodes.binary_search(node).map_or(&[][..], |at| &sets[at][..]);
        for (number, record) in records.iter().enumerate() {
            for path in record.iter().flat_map(set_of) {
                let (count, last) = self.counts.entry(*path).or_insert((0, u32::MAX));
                if *last != number as u32 {
                    (*count, *last) = (*count + 1, number as u32);
                }
            }
        }
        let others = (records.len() - 1) as f64;
        let mut total = 0.0;
        for record in records {
            let (mut sum, mut number) = (0.0, 0.0);
            for path in record.iter().flat_map(set_of) {
                sum += f64::from(self.counts[path].0 - 1) / others;
                number += 1.0;
            }
            total += sum / f64::max(number, 1.0);
        }
        total / records.len() as f64
    }

    /// The share of records whose first text is no other record's.
    fn variety(&self, records: &Division) -> f64 {
        let first_text = |record: &Vec<NodeId>| {
            record
                .iter()
                .flat_map(|&node| self.outline.dom.subtree(node))
                .find(|node| self.outline.is_shown[node.index()] && self.outline.dom.is_text(*node))
                .map(|node| self.outline.dom.text(node).trim())
        };
        let all: HashSet<Option<&str>, FixedState> = records.iter().map(first_text).collect();
        all.len() as f64 / records.len() as f64
    }

    fn linked(&self, records: &Division) -> f64 {
        let has_link = |record: &&Vec<NodeId>| record.iter().any(|node| self.outline.n_links[node.index()] > 0);
        records.iter().filter(has_link).count() as f64 / records.len() as f64
    }

    /// Whether most records show more than one thing, one of them a link or a picture.
    fn are_rich(&self, records: &Division) -> bool {
        let outline = self.outline;
        let is_rich = |record: &&Vec<NodeId>| {
            let has_target = record
                .iter()
                .any(|node| outline.n_links[node.index()] + outline.n_images[node.index()] > 0);
            let texts = record
                .iter()
                .flat_map(|&node| outline.dom.subtree(node))
                .filter(|node| outline.is_shown[node.index()])
                .filter(|&node| outline.dom.is_text(node) || outline.dom.is_html(node, Name::IMG));
            has_target && texts.take(2).count() > 1
        };
        records.iter().filter(is_rich).count() * 10 >= records.len() * 7
    }

    fn is_aside(&self, region: NodeId) -> bool {
        let dom = self.outline.dom;
        std::iter::once(region).chain(dom.ancestors(region)).any(|node| {
            let Some(name) = dom.name(node) else {
                return false;
            };
            let says = |attribute: Name| dom.attribute(node, attribute).is_some_and(is_aside_word);
            matches!(name, Name::NAV | Name::FOOTER | Name::ASIDE | Name::HEADER)
                || name != Name::BODY && (says(Name::CLASS) || says(Name::ID) || says(Name::ROLE))
        })
    }
}

/// Whether a class, an identifier or a role names something beside the content.
fn is_aside_word(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut words = lower.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| {
        matches!(
            word,
            "nav" | "menu" | "footer" | "sidebar" | "breadcrumb" | "breadcrumbs" | "navigation" | "navbar" | "facets" | "filters"
        )
    })
}
