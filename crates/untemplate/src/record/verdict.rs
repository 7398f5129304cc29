//! Verdict: whether a candidate is a list at all, or something else that repeats.
//!
//! In: a candidate. Out: why it is no list, or nothing. A page about one thing repeats itself too: its menus are sets of
//! links, its facts are labels with values, its prose is sentences with links. To call those records would be wrong,
//! and "no list here" is an answer.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use super::candidate::Candidate;
use super::outline::Outline;
use crate::page::{Name, NodeId};

/// Why a candidate is no list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoList {
    /// Its records have little in common, or many of them are empty.
    Irregular,
    /// Its records are sets of links, or it stands in a menu.
    Menu,
    /// Its records are labels, each with a value: the facts of one thing.
    Facts,
    /// Its records are pieces of running text.
    Prose,
    /// It is a small part of its page, so that it cannot be the main list.
    Small,
}

/// The least regularity of a list. Lists of the development pages have 0.62 and more.
const REGULARITY_MIN: f64 = 0.58;

/// The least share of records that are not nearly empty.
const FILLED_MIN: f64 = 0.7;

/// From this number of links a record on, records that are links and nothing else are menus.
const MENU_LINKS: f64 = 4.0;

/// The least share of a page's text that its main list holds. On the development pages it is 0.15 and more, on pages
/// about one thing lists beside it hold 0.02 to 0.25.
const COVERAGE_MIN: f64 = 0.14;

/// The most texts that a record has on average: what holds more is a section of a page.
const RICHNESS_MAX: f64 = 40.0;

/// The texts that each of two records must have: two of anything are no list yet.
const TWO_RICHNESS: f64 = 8.0;

/// Why a candidate is no list; `None` for a list.
pub fn why_no_list(outline: &Outline<'_>, candidate: &Candidate) -> Option<NoList> {
    let signals = &candidate.signals;
    let is_pair = candidate.records.len() == 2 && signals.richness < TWO_RICHNESS;
    let regularity_min = match candidate.records.len() {
        _ if are_named_alike(outline, candidate) => REGULARITY_MIN,
        ..=4 => 0.88,
        5..=8 => 0.8,
        _ => REGULARITY_MIN,
    };
    let is_irregular = signals.regularity < regularity_min || signals.richness > RICHNESS_MAX;
    if is_irregular || signals.filled < FILLED_MIN || is_pair {
        return Some(NoList::Irregular);
    }
    if is_menu(outline, candidate) {
        return Some(NoList::Menu);
    }
    if is_prose(outline, candidate) {
        return Some(NoList::Prose);
    }
    is_facts(outline, candidate).then_some(NoList::Facts)
}

/// Whether the page itself says that the records are of one kind: each is one item of a list, with the same classes.
fn are_named_alike(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let dom = outline.dom;
    let kind_of = |record: &Vec<NodeId>| match record[..] {
        [node] if dom.is_html(node, Name::LI) || dom.is_html(node, Name::ARTICLE) => dom
            .attribute(node, Name::CLASS)
            .map(|_| outline.class_step[node.index()]),
        _ => None,
    };
    let first = candidate.records.first().and_then(kind_of);
    first.is_some() && candidate.records.iter().all(|record| kind_of(record) == first)
}

/// Why a list is not the main list of its page; `None` for one that may be.
pub fn why_not_main(candidate: &Candidate) -> Option<NoList> {
    let signals = &candidate.signals;
    if signals.is_aside && signals.coverage < 3.0 * COVERAGE_MIN {
        return Some(NoList::Menu);
    }
    (signals.coverage < COVERAGE_MIN).then_some(NoList::Small)
}

/// Whether the records are links and nothing else, several in each.
fn is_menu(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let sum = |table: &[u32]| -> f64 {
        let nodes = candidate.records.iter().flatten();
        nodes.map(|node| f64::from(table[node.index()])).sum()
    };
    let (text, links) = (sum(&outline.text_len), sum(&outline.n_links));
    let plain = text - sum(&outline.link_len);
    let is_bare = candidate.signals.richness < 1.5 && candidate.signals.coverage < 4.0 * COVERAGE_MIN;
    plain < 0.08 * text && (is_bare || links / candidate.records.len() as f64 >= MENU_LINKS)
}

/// Whether records begin in the middle of a line, or are bare texts without a link or a picture.
fn is_prose(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let dom = outline.dom;
    let flows = |node: NodeId| dom.is_text(node) || dom.is_inline(node);
    let begins_inside = |record: &&Vec<NodeId>| {
        let Some(&first) = record.first() else {
            return false;
        };
        let before = (dom.parent(first).map_or(0, |parent| parent.0 + 1)..first.0)
            .rev()
            .map(NodeId)
            .find(|&node| outline.is_shown[node.index()] && dom.parent(node) == dom.parent(first));
        flows(first) && before.is_some_and(flows)
    };
    let is_bare = |record: &&Vec<NodeId>| {
        record
            .iter()
            .all(|&node| flows(node) || dom.is_html(node, Name::BR) || dom.is_html(node, Name::P))
            && record
                .iter()
                .all(|node| outline.n_links[node.index()] + outline.n_images[node.index()] == 0)
    };
    let signals = &candidate.signals;
    if signals.richness < 1.5 && signals.linked < 0.3 && signals.coverage < 6.0 * COVERAGE_MIN {
        return true;
    }
    let most = |n: usize| n * 2 > candidate.records.len();
    most(candidate.records.iter().skip(1).filter(begins_inside).count())
        || most(candidate.records.iter().filter(is_bare).count())
}

/// Whether most records are a label that no other record has, with a value.
fn is_facts(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let dom = outline.dom;
    let mut labels: HashSet<String, FixedState> = HashSet::default();
    let mut n_labelled = 0;
    for record in &candidate.records {
        let texts = record
            .iter()
            .flat_map(|&node| dom.subtree(node))
            .filter(|&node| outline.is_shown[node.index()] && dom.is_text(node));
        let beginning: Vec<&str> = texts.take(2).map(|node| dom.text(node).trim()).collect();
        if let Some(label) = label_of(&beginning.join(" ")) {
            n_labelled += 1;
            labels.insert(label.to_owned());
        }
    }
    let signals = &candidate.signals;
    if signals.linked >= 0.3 {
        return false;
    }
    let is_narrow = signals.richness <= 2.5 && signals.coverage < 5.0 * COVERAGE_MIN;
    if is_narrow && !has_header(outline, candidate) {
        return true;
    }
    n_labelled * 2 > candidate.records.len() && labels.len() * 2 > n_labelled
}

/// Whether the region is a table with headings.
fn has_header(outline: &Outline<'_>, candidate: &Candidate) -> bool {
    let dom = outline.dom;
    let table = std::iter::once(candidate.region)
        .chain(dom.ancestors(candidate.region))
        .take(3);
    let mut table = table.filter(|&node| dom.is_html(node, Name::TABLE));
    table.any(|table| {
        dom.subtree(table)
            .filter(|&node| dom.is_html(node, Name::TH))
            .take(2)
            .count()
            == 2
    })
}

/// The label that a text begins with: a few words and a colon.
fn label_of(text: &str) -> Option<&str> {
    let (label, _) = text.split_once(':')?;
    let is_short = label.len() <= 40 && !label.is_empty() && !label.ends_with(|c: char| c.is_ascii_digit());
    (is_short && !label.ends_with("http") && !label.ends_with("https")).then_some(label)
}
