//! Emphasis: which inline elements are part of a sentence, and which set a value apart.
//!
//! In: the nodes of all records of a list. Out: the kinds of inline elements that text runs through. A reader cannot tell
//! `by <a>Ada</a>` from `the <span>cup</span> final` by the mark-up; the list can. A word that is marked because it was
//! searched for stands in running text, and occurs once here, thrice there and elsewhere not at all. A value of a
//! field occurs as often in each record.

use std::collections::{BTreeMap, HashSet};

use foldhash::fast::FixedState;

use super::outline::Outline;
use crate::page::{Name, NodeId};

/// The kinds of inline elements, by their step with classes, that text runs through in one list.
pub struct Emphasis {
    steps: HashSet<u32, FixedState>,
}

/// How often a kind of element occurs in the records of a list.
#[derive(Debug, Clone, Default)]
struct Occurrences {
    sets_apart: bool,
    /// For each record that has it in running text, how often.
    in_text: BTreeMap<usize, usize>,
    n_in_text: usize,
    n_all: usize,
}

impl Emphasis {
    /// Compares the records of a list.
    pub fn of(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Self {
        let mut kinds: BTreeMap<u32, Occurrences> = BTreeMap::new();
        for (number, nodes) in records.iter().enumerate() {
            for node in nodes.iter().flat_map(|&node| outline.dom.subtree(node)) {
                if !outline.is_shown[node.index()] || !outline.dom.is_inline(node) {
                    continue;
                }
                let kind = kinds.entry(outline.class_step[node.index()]).or_default();
                kind.sets_apart = sets_apart(outline, node);
                kind.n_all += 1;
                if is_in_text(outline, node) {
                    kind.n_in_text += 1;
                    *kind.in_text.entry(number).or_default() += 1;
                }
            }
        }
        let steps = kinds
            .into_iter()
            .filter(|(_, kind)| kind.is_emphasis(records.len()))
            .map(|(step, _)| step);
        Self { steps: steps.collect() }
    }

    /// Whether text runs on into an element and out of it again.
    pub fn joins(&self, outline: &Outline<'_>, node: NodeId) -> bool {
        let dom = outline.dom;
        let follows_connector = || text_before(outline, node).is_some_and(is_connector);
        dom.is_inline(node) && (self.steps.contains(&outline.class_step[node.index()]) || follows_connector())
    }
}

impl Occurrences {
    fn is_emphasis(&self, n_records: usize) -> bool {
        let is_mostly_in_text = self.n_in_text * 2 > self.n_all;
        let mut by_count: BTreeMap<usize, usize> = BTreeMap::new();
        for &count in self.in_text.values() {
            *by_count.entry(count).or_default() += 1;
        }
        by_count.insert(0, n_records - self.in_text.len());
        let most = by_count.keys().max().copied().unwrap_or(0);
        let n_mode = by_count.values().max().copied().unwrap_or(0);
        // A field that some records lack is there once or not at all.
        let is_steady = most < 2 || n_mode * 10 >= n_records * STEADY_TENTHS;
        match self.sets_apart {
            true => is_mostly_in_text && !is_steady,
            false => true,
        }
    }
}

/// Where at least this many tenths of the records have as many elements of a kind, it is no matter of chance.
const STEADY_TENTHS: usize = 8;

/// Whether an inline element is one that pages set values apart with, as far as its name tells.
fn sets_apart(outline: &Outline<'_>, node: NodeId) -> bool {
    match outline.dom.name(node) {
        Some(Name::A | Name::LABEL | Name::TIME) => true,
        Some(Name::SPAN) => outline.dom.attribute(node, Name::CLASS).is_some(),
        _ => false,
    }
}

/// Whether text stands right before or after an element.
fn is_in_text(outline: &Outline<'_>, node: NodeId) -> bool {
    let dom = outline.dom;
    let is_words = |node: NodeId| dom.is_text(node) && dom.text(node).contains(char::is_alphanumeric);
    if dom.next_sibling(node).is_some_and(is_words) {
        return true;
    }
    text_before(outline, node).is_some_and(|text| text.contains(char::is_alphanumeric))
}

/// The text right before an element, inside the same parent.
fn text_before<'a>(outline: &Outline<'a>, node: NodeId) -> Option<&'a str> {
    let dom = outline.dom;
    let before = NodeId(node.0.checked_sub(1)?);
    (dom.parent(node) == dom.parent(before) && dom.is_text(before)).then(|| dom.text(before))
}

/// Whether a text only leads to what comes after it: `by`, `posted in`, `Genre:`, a dash.
fn is_connector(text: &str) -> bool {
    let text = text.trim();
    let n_words = text.split_whitespace().count();
    let is_label = text.ends_with(':') && n_words <= 3;
    let is_dash = matches!(text, "-" | "–" | "—");
    let is_preposition = n_words == 1 && text.len() <= 4 && text.chars().all(char::is_alphabetic);
    is_label || is_dash || is_preposition
}
