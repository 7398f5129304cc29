//! Ranking: how much a region and its division look like the main list of a page.
//!
//! In: a division of a sequence. Out: its signals and one score, a sum of logarithms, so that each signal's part can be
//! told:
//! - text: how much the records show, link text counting half, so that menus weigh little;
//! - number: how many records there are;
//! - regularity: the chance that a path of one record is in another, too;
//! - variety: how many of the records begin with a text of their own.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;

use super::division::Division;
use super::likeness::{PathSets, shared_share};
use super::outline::Outline;
use super::query_hint::QueryHint;
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
    /// Of the mean text of a record, where it is little.
    pub size: f64,
    /// Of the share of records that are not nearly empty.
    pub filled: f64,
    /// Of the mean number of texts of a record.
    pub richness: f64,
    /// What having two records alone costs.
    pub few: f64,
    /// Of the share of text that is in no link.
    pub plain: f64,
    /// Of the share of records that have what was searched for.
    pub hinted: f64,
    /// What records that hold their first node twice cost.
    pub doubled: f64,
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
            size: 1.0,
            filled: 1.0,
            richness: 0.3,
            few: 0.4,
            doubled: 1.0,
            plain: 0.3,
            hinted: 1.0,
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
    /// The mean text of a record.
    pub size: f64,
    /// The share of records that are not nearly empty.
    pub filled: f64,
    /// The mean number of texts of a record.
    pub richness: f64,
    /// The share of records that hold a node much like their first one.
    pub doubled: f64,
    /// The share of the page's text that the records hold.
    pub coverage: f64,
    /// The share of records that have what was searched for; 1 without a query.
    pub hinted: f64,
}

impl fmt::Display for Signals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, regularity, variety, coverage, richness, linked, .. } = self;
        write!(f, "regularity {regularity:.2}, text {text:.0}, coverage {coverage:.2}, texts a record {richness:.1}, ")?;
        write!(f, "linked {linked:.2}, variety {variety:.2}")
    }
}

/// Judges divisions of one page.
pub struct Judge<'a> {
    outline: &'a Outline<'a>,
    weights: &'a Weights,
    /// The texts that have a value that was searched for, in document order; nothing without a query.
    hinted: Option<Vec<NodeId>>,
}

/// From this mean text on, a record is no longer small.
const SIZE_ENOUGH: f64 = 30.0;

/// From this share of common paths on, two nodes of one record may be two records.
const DOUBLE_SHARE: f64 = 0.75;

/// How many times a path is counted in one record.
const OFTEN: usize = 2;

/// The most text of one record that counts.
const RECORD_TEXT_MAX: f64 = 1000.0;

impl<'a> Judge<'a> {
    /// A judge for the divisions of this page.
    pub fn new(outline: &'a Outline<'a>, weights: &'a Weights, hint: &QueryHint) -> Self {
        Self {
            outline,
            weights,
            hinted: hinted_texts(outline, hint),
        }
    }

    /// The signals of a division and their sum; `None` for what cannot be a list.
    pub fn judge(&mut self, sequence: &Sequence, sets: &PathSets, records: &Division) -> Option<(Signals, f64)> {
        let signals = Signals {
            text: self.text(records),
            number: self.filled(records),
            regularity: self.regularity(sequence, sets, records),
            variety: self.variety(records),
            is_aside: self.is_aside(sequence.region),
            linked: self.linked(records),
            size: 0.0,
            filled: 0.0,
            richness: 0.0,
            coverage: 0.0,
            hinted: self.hinted(records),
            doubled: self.doubled(sequence, sets, records),
        };
        let signals = Signals {
            size: self.raw_text(records) / records.len() as f64,
            richness: self.richness(records),
            coverage: self.coverage(records),
            filled: signals.number as f64 / records.len() as f64,
            ..signals
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
            + weights.size * (signals.size / SIZE_ENOUGH).min(1.0).ln()
            + weights.filled * (signals.filled + 0.01).ln()
            + weights.richness * signals.richness.clamp(1.0, 12.0).ln()
            + weights.plain * (signals.text / signals.size / records.len() as f64 - self.weights.link_text + 0.1).max(0.1).ln()
            + weights.hinted * (signals.hinted + 0.1).ln()
            - weights.doubled * signals.doubled
            - if records.len() == 2 { weights.few } else { 0.0 }
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

    /// The share of records with a node much like their first: two records taken for one.
    fn doubled(&self, sequence: &Sequence, sets: &PathSets, records: &Division) -> f64 {
        let set_of = |node: &NodeId| sequence.nodes.binary_search(node).map_or(&[][..], |at| &sets.of_nodes[at][..]);
        let has_text = |node: &NodeId| self.outline.text_len[node.index()] > 0;
        let is_doubled = |record: &&Vec<NodeId>| {
            let mut nodes = record.iter().filter(|node| has_text(node) && self.outline.dom.is_element(**node));
            let Some(first) = nodes.next().map(set_of) else {
                return false;
            };
            let Some(name) = record.first().and_then(|&node| self.outline.dom.name(node)) else {
                return false;
            };
            let least = match name {
                Name::LI | Name::ARTICLE => 0.0,
                Name::DIV | Name::TABLE | Name::SECTION | Name::DL | Name::UL | Name::OL => 0.5,
                _ => DOUBLE_SHARE,
            };
            let is_alike = |node: &NodeId| self.outline.dom.name(*node) == Some(name);
            nodes.any(|node| is_alike(node) && shared_share(first, set_of(node)) >= least)
        };
        records.iter().filter(is_doubled).count() as f64 / records.len() as f64
    }

    fn hinted(&self, records: &Division) -> f64 {
        let Some(texts) = &self.hinted else {
            return 1.0;
        };
        let has_hint = |node: &NodeId| {
            let from = texts.partition_point(|text| text < node);
            texts.get(from).is_some_and(|&text| text < self.outline.dom.subtree_end(*node))
        };
        records.iter().filter(|record| record.iter().any(has_hint)).count() as f64 / records.len() as f64
    }

    fn raw_text(&self, records: &Division) -> f64 {
        let all = records.iter().flatten();
        all.map(|node| f64::from(self.outline.text_len[node.index()])).sum()
    }

    /// The share of the page's text that the records hold; link text counts little, since menus are made of it.
    fn coverage(&self, records: &Division) -> f64 {
        let worth = |node: usize| {
            let (text, link) = (self.outline.text_len[node], self.outline.link_len[node]);
            f64::from(text) - 0.8 * f64::from(link)
        };
        records.iter().flatten().map(|node| worth(node.index())).sum::<f64>() / f64::max(worth(0), 1.0)
    }

    fn richness(&self, records: &Division) -> f64 {
        let all = records.iter().flatten();
        let texts: u32 = all.map(|node| self.outline.n_texts[node.index()]).sum();
        f64::from(texts) / records.len() as f64
    }

    /// The mean over records of the chance that a path of the record is in another record, too, and as often.
    fn regularity(&mut self, sequence: &Sequence, sets: &PathSets, records: &Division) -> f64 {
        let mut having = vec![[0u32; OFTEN]; sets.n_paths];
        let mut counts = vec![0u32; sets.n_paths];
        let mut touched: Vec<u32> = Vec::new();
        let mut all: Vec<Vec<(u32, u32)>> = Vec::with_capacity(records.len());
        for record in records {
            for node in record {
                let set = sequence.nodes.binary_search(node).map_or(&[][..], |at| &sets.of_nodes[at][..]);
                for &(path, count) in set {
                    if counts[path as usize] == 0 {
                        touched.push(path);
                    }
                    counts[path as usize] += count;
                }
            }
            let mut own = Vec::with_capacity(touched.len());
            for path in touched.drain(..) {
                let count = std::mem::take(&mut counts[path as usize]).min(OFTEN as u32);
                for often in 0..count {
                    having[path as usize][often as usize] += 1;
                }
                own.push((path, count));
            }
            all.push(own);
        }
        let others = (records.len() - 1) as f64;
        let chance = |&(path, count): &(u32, u32)| -> f64 {
            let having = having[path as usize];
            (0..count).map(|often| f64::from(having[often as usize] - 1) / others).sum()
        };
        let mean = |own: &Vec<(u32, u32)>| {
            let number: u32 = own.iter().map(|(_, count)| count).sum();
            own.iter().map(chance).sum::<f64>() / f64::from(number.max(1))
        };
        all.iter().map(mean).sum::<f64>() / records.len() as f64
    }

    /// The share of records whose text is no other record's.
    fn variety(&self, records: &Division) -> f64 {
        let text_hash = |record: &Vec<NodeId>| {
            let texts = record
                .iter()
                .flat_map(|&node| self.outline.dom.subtree(node))
                .filter(|node| self.outline.is_shown[node.index()] && self.outline.dom.is_text(*node));
            let mut hasher = FixedState::with_seed(1).build_hasher();
            for text in texts {
                hasher.write(self.outline.dom.text(text).trim().as_bytes());
            }
            hasher.finish()
        };
        let all: HashSet<u64, FixedState> = records.iter().map(text_hash).collect();
        all.len() as f64 / records.len() as f64
    }

    /// How many records are not nearly empty, against the others.
    fn filled(&self, records: &Division) -> usize {
        let text = |record: &Vec<NodeId>| record.iter().map(|node| self.outline.text_len[node.index()]).sum::<u32>();
        let total: u32 = records.iter().map(text).sum();
        let least = total / records.len() as u32 / 10;
        records.iter().filter(|record| text(record) > least).count()
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

    /// Whether a region stands in a menu, a header or a footer, inside of whatever says that it is content.
    fn is_aside(&self, region: NodeId) -> bool {
        let dom = self.outline.dom;
        let says = |node: NodeId, attribute: Name| dom.attribute(node, attribute).is_some_and(is_aside_word);
        for node in std::iter::once(region).chain(dom.ancestors(region)) {
            match dom.name(node) {
                Some(Name::NAV | Name::FOOTER | Name::ASIDE | Name::HEADER) => return true,
                Some(Name::MAIN | Name::BODY) => return false,
                _ if dom.attribute(node, Name::ROLE) == Some("main") => return false,
                _ if says(node, Name::CLASS) || says(node, Name::ID) || says(node, Name::ROLE) => return true,
                _ => {}
            }
        }
        false
    }
}

/// The texts that have a value of the query; `None` when there is no query, or hardly any text has.
fn hinted_texts(outline: &Outline<'_>, hint: &QueryHint) -> Option<Vec<NodeId>> {
    if hint.values.is_empty() {
        return None;
    }
    let texts = outline.dom.nodes().filter(|&node| outline.is_shown[node.index()] && outline.dom.is_text(node));
    let found: Vec<NodeId> = texts.filter(|&node| hint.is_in(outline.dom.text(node))).collect();
    (found.len() > 1).then_some(found)
}

/// Whether a class, an identifier or a role names something beside the content.
fn is_aside_word(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    lower.split_ascii_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphabetic());
        let ends = ["nav", "menu", "navbar", "footer", "sidebar", "navigation", "breadcrumb", "breadcrumbs"];
        ends.iter().any(|end| {
            word.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(['-', '_']) || rest.len() > 3)
        })
    })
}
