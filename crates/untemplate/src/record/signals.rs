//! Signals: what is measured of a division.
//!
//! In: a sequence and a division of it. Out: [`Signals`]. They come in two steps, since most
//! divisions are out of the question by what sums over their nodes tell; the paths and texts of
//! records are compared for the others only.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::FixedState;

use super::aside::is_aside;
use super::division::{Division, divisions};
use super::likeness::{PathSets, clusters, path_sets, shared_share};
use super::outline::{Outline, TEXT_STEP};
use super::query_hint::QueryHint;
use super::sequence::Sequence;
use crate::page::{Name, NodeId};

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
        let Self {
            text,
            regularity,
            variety,
            coverage,
            richness,
            linked,
            ..
        } = self;
        write!(
            f,
            "regularity {regularity:.2}, text {text:.0}, coverage {coverage:.2}, texts a record {richness:.1}, "
        )?;
        write!(f, "linked {linked:.2}, variety {variety:.2}")
    }
}

/// Measures divisions of one page.
pub struct Meter<'a> {
    pub(super) outline: &'a Outline<'a>,
    /// What link text counts, against other text.
    link_text: f64,
    /// The texts that have a value that was searched for, in document order; nothing without a
    /// query.
    hinted: Option<Vec<NodeId>>,
}

/// A sequence with what is the same for all its divisions, found when it is first asked for.
pub struct Measured<'a> {
    pub(super) outline: &'a Outline<'a>,
    /// The sequence.
    pub sequence: Sequence,
    /// The only way to cut it, where that is known already.
    pub fixed: Option<Division>,
    is_aside: bool,
    sets: OnceCell<PathSets>,
    text_hashes: OnceCell<Vec<u64>>,
}

/// From this share of common paths on, two nodes of one record may be two records.
const DOUBLE_SHARE: f64 = 0.75;

/// The same for elements that pages make records of more often than rows of records.
const BLOCK_DOUBLE_SHARE: f64 = 0.5;

/// The shares of common paths from which on two nodes are of one kind: one for kinds with optional
/// parts, and one that tells a title's row from the row of its text.
const LOOSE_SHARE: f64 = 0.5;
const CLOSE_SHARE: f64 = 0.75;

/// How many times a path is counted in one record.
const OFTEN: usize = 2;

/// The most text of one record that counts.
const RECORD_TEXT_MAX: f64 = 1000.0;

impl<'a> Measured<'a> {
    /// A sequence that nothing was measured of yet.
    pub fn new(outline: &'a Outline<'a>, sequence: Sequence, fixed: Option<Division>) -> Self {
        Self {
            outline,
            is_aside: is_aside(outline.dom, sequence.region),
            sequence,
            fixed,
            sets: OnceCell::new(),
            text_hashes: OnceCell::new(),
        }
    }

    /// The paths below each node of the sequence.
    pub fn sets(&self) -> &PathSets {
        self.sets.get_or_init(|| path_sets(self.outline, &self.sequence))
    }

    /// The ways to cut the sequence: by tags, by classes, and by what its nodes hold.
    pub fn divisions(&self) -> Vec<Division> {
        if let Some(division) = &self.fixed {
            return vec![division.clone()];
        }
        let steps = |table: &[u32]| self.sequence.nodes.iter().map(|node| table[node.index()]).collect();
        let mut keys: Vec<Vec<u32>> = vec![
            steps(&self.outline.tag_step),
            steps(&self.outline.class_step),
            clusters(&self.sets().of_nodes, LOOSE_SHARE),
            clusters(&self.sets().of_nodes, CLOSE_SHARE),
        ];
        // In lines of text, what comes next tells a number before a title from a text below it.
        if keys[0].contains(&TEXT_STEP) {
            let next = |at: usize| keys[0].get(at + 1).map_or(0, |step| step.wrapping_add(1));
            let pairs = keys[0]
                .iter()
                .enumerate()
                .map(|(at, step)| step.wrapping_mul(1009) ^ next(at));
            let pairs = pairs.collect();
            keys.push(pairs);
        }
        let mut all: Vec<Division> = keys.iter().flat_map(|keys| divisions(&self.sequence, keys)).collect();
        let mut seen: HashSet<Division, FixedState> = HashSet::default();
        all.retain(|division| self.keeps_terms(division) && seen.insert(division.clone()));
        all
    }

    /// Whether no description of a term goes with the next term: a list of terms (`dl`) says which is
    /// whose by their order.
    fn keeps_terms(&self, division: &Division) -> bool {
        let dom = self.outline.dom;
        let is = |at: usize, name: Name| dom.is_html(self.sequence.nodes[at], name);
        let is_mixed = |record: &Range<usize>| {
            let first = record.clone().find(|&at| is(at, Name::DD));
            first.is_some_and(|first| (first..record.end).any(|at| is(at, Name::DT)))
        };
        !division.iter().any(is_mixed)
    }

    /// A number for the text of each node of the sequence.
    fn text_hashes(&self) -> &[u64] {
        self.text_hashes.get_or_init(|| {
            let (outline, dom) = (self.outline, self.outline.dom);
            let text_hash = |&root: &NodeId| {
                let mut hasher = FixedState::with_seed(1).build_hasher();
                for node in dom
                    .subtree(root)
                    .filter(|&node| outline.is_shown[node.index()] && dom.is_text(node))
                {
                    hasher.write(dom.text(node).trim().as_bytes());
                }
                hasher.finish()
            };
            self.sequence.nodes.iter().map(text_hash).collect()
        })
    }
}

impl<'a> Meter<'a> {
    /// A meter for this page.
    pub fn new(outline: &'a Outline<'a>, link_text: f64, hint: &QueryHint) -> Self {
        Self {
            outline,
            link_text,
            hinted: hinted_texts(outline, hint),
        }
    }

    /// The signals that sums over nodes tell; the others are the best they can be.
    pub fn at_best(&self, measured: &Measured<'_>, records: &Division) -> Signals {
        let nodes = &measured.sequence.nodes;
        let outline = self.outline;
        let number = records.len() as f64;
        let (mut text, mut raw, mut links, mut texts, mut n_linked) = (0.0, 0.0, 0.0, 0u32, 0);
        let mut sizes = Vec::with_capacity(records.len());
        for record in records {
            let (mut own, mut own_links, mut has_link) = (0u32, 0u32, false);
            for node in &nodes[record.clone()] {
                own += outline.text_len[node.index()];
                own_links += outline.link_len[node.index()];
                texts += outline.n_texts[node.index()];
                has_link |= outline.n_links[node.index()] > 0;
            }
            let worth = f64::from(own) - (1.0 - self.link_text) * f64::from(own_links);
            text += worth.min(RECORD_TEXT_MAX);
            raw += f64::from(own);
            links += f64::from(own_links);
            n_linked += u32::from(has_link);
            sizes.push(own);
        }
        let least = raw / number / 10.0;
        let all = f64::from(outline.text_len[0]) - LINK_LOSS * f64::from(outline.link_len[0]);
        Signals {
            text,
            number: records.len(),
            regularity: 1.0,
            variety: 1.0,
            is_aside: measured.is_aside,
            linked: f64::from(n_linked) / number,
            size: raw / number,
            filled: sizes.iter().filter(|size| f64::from(**size) > least).count() as f64 / number,
            richness: f64::from(texts) / number,
            doubled: 0.0,
            coverage: (raw - LINK_LOSS * links) / all.max(1.0),
            hinted: self.hinted(nodes, records),
        }
    }

    /// All signals, from those that sums tell.
    pub fn complete(&self, measured: &Measured<'_>, records: &Division, at_best: Signals) -> Signals {
        Signals {
            regularity: regularity(measured.sets(), records),
            variety: variety(measured.text_hashes(), records),
            doubled: self.doubled(measured, records),
            ..at_best
        }
    }

    fn hinted(&self, nodes: &[NodeId], records: &Division) -> f64 {
        let Some(texts) = &self.hinted else {
            return 1.0;
        };
        let has_hint = |node: &NodeId| {
            let from = texts.partition_point(|text| text < node);
            texts
                .get(from)
                .is_some_and(|&text| text < self.outline.dom.subtree_end(*node))
        };
        let n_hinted = records
            .iter()
            .filter(|record| nodes[(*record).clone()].iter().any(has_hint))
            .count();
        n_hinted as f64 / records.len() as f64
    }

    /// The share of records with a node much like their first: two records taken for one.
    fn doubled(&self, measured: &Measured<'_>, records: &Division) -> f64 {
        let dom = self.outline.dom;
        let (nodes, sets) = (&measured.sequence.nodes, &measured.sets().of_nodes);
        let is_doubled = |record: &&std::ops::Range<usize>| {
            let Some(name) = dom.name(nodes[record.start]) else {
                return false;
            };
            let is_alike =
                |at: &usize| dom.name(nodes[*at]) == Some(name) && self.outline.text_len[nodes[*at].index()] > 0;
            let mut alike = (*record).clone().filter(is_alike);
            let Some(first) = alike.next() else { return false };
            let least = match name {
                Name::LI | Name::ARTICLE => 0.0,
                Name::DIV | Name::TABLE | Name::SECTION | Name::DL | Name::UL | Name::OL => BLOCK_DOUBLE_SHARE,
                _ => DOUBLE_SHARE,
            };
            alike.any(|at| shared_share(&sets[first], &sets[at]) >= least)
        };
        records
            .iter()
            .filter(|record| record.len() > 1)
            .filter(is_doubled)
            .count() as f64
            / records.len() as f64
    }

    /// Whether most records show more than one thing, one of them a link or a picture.
    pub fn are_rich(&self, measured: &Measured<'_>, records: &Division) -> bool {
        let outline = self.outline;
        let is_rich = |record: &&std::ops::Range<usize>| {
            let nodes = measured.sequence.nodes[(*record).clone()].iter();
            let (mut targets, mut things) = (0, 0);
            for node in nodes {
                targets += outline.n_links[node.index()] + outline.n_images[node.index()];
                things += outline.n_texts[node.index()] + outline.n_images[node.index()];
            }
            targets > 0 && things > 1
        };
        records.iter().filter(is_rich).count() * 10 >= records.len() * 7
    }
}

/// How much less link text counts for the coverage: menus are made of it.
const LINK_LOSS: f64 = 0.8;

/// The mean over records of the chance that a path of the record is in another record, too, and as
/// often.
fn regularity(sets: &PathSets, records: &Division) -> f64 {
    let mut having = vec![[0u32; OFTEN]; sets.n_paths];
    let mut counts = vec![0u32; sets.n_paths];
    let mut touched: Vec<u32> = Vec::new();
    let mut all: Vec<(u32, u32)> = Vec::new();
    let mut ends: Vec<usize> = Vec::with_capacity(records.len());
    for record in records {
        for &(path, count) in sets.of_nodes[record.clone()].iter().flatten() {
            if counts[path as usize] == 0 {
                touched.push(path);
            }
            counts[path as usize] += count;
        }
        for path in touched.drain(..) {
            let count = std::mem::take(&mut counts[path as usize]).min(OFTEN as u32);
            for often in 0..count {
                having[path as usize][often as usize] += 1;
            }
            all.push((path, count));
        }
        ends.push(all.len());
    }
    let others = (records.len() - 1) as f64;
    let (mut total, mut start) = (0.0, 0);
    for end in ends {
        let (mut shared, mut number) = (0u64, 0u32);
        for &(path, count) in &all[start..end] {
            let having = having[path as usize];
            shared += (0..count)
                .map(|often| u64::from(having[often as usize] - 1))
                .sum::<u64>();
            number += count;
        }
        total += shared as f64 / others / f64::from(number.max(1));
        start = end;
    }
    total / records.len() as f64
}

/// The share of records whose text is no other record's.
fn variety(text_hashes: &[u64], records: &Division) -> f64 {
    let of_record = |record: &std::ops::Range<usize>| {
        text_hashes[record.clone()]
            .iter()
            .fold(0u64, |all, hash| all.rotate_left(7) ^ hash)
    };
    let all: HashSet<u64, FixedState> = records.iter().map(of_record).collect();
    all.len() as f64 / records.len() as f64
}

/// The texts that have a value of the query; `None` when there is no query, or hardly any text has.
fn hinted_texts(outline: &Outline<'_>, hint: &QueryHint) -> Option<Vec<NodeId>> {
    if hint.values.is_empty() {
        return None;
    }
    let texts = outline
        .dom
        .nodes()
        .filter(|&node| outline.is_shown[node.index()] && outline.dom.is_text(node));
    let found: Vec<NodeId> = texts.filter(|&node| hint.is_in(outline.dom.text(node))).collect();
    (found.len() > 1).then_some(found)
}
