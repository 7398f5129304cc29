//! The data region: the node below which most pairs of texts of one path meet.
//!
//! In: texts, each with the number of its path. Out: the score of each node that is the deepest
//! common ancestor of a pair, and the node with the highest. Paper: section 3, steps 1 to 5. The
//! paper takes all pairs; here the counts of each path are merged upwards, the smaller into the
//! larger, which gives the same scores in `n log n`. Ties go to the deeper node, then to the one
//! that comes first.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use untemplate::page::{Dom, NodeId};

/// A text and the number of its path.
pub type PathText = (NodeId, u32);

/// The score of each node with one: how many pairs of texts of one path have it as their deepest
/// common ancestor. The texts are in document order.
pub fn pair_scores(dom: &Dom, texts: &[PathText]) -> BTreeMap<NodeId, u64> {
    let mut scores = BTreeMap::new();
    // The nodes whose counts are not yet merged into their parents, each inside the one before it.
    let mut open: Vec<Open> = Vec::new();
    for &(text, path) in texts {
        while open.last().is_some_and(|last| !dom.contains(last.node, text)) {
            close_last(dom, &mut open, text, &mut scores);
        }
        let mut counts = Counts::default();
        counts.insert(path, 1);
        open.push(Open { node: text, counts });
    }
    while open.len() > 1 || open.first().is_some_and(|last| last.node != NodeId::DOCUMENT) {
        close_last(dom, &mut open, NodeId(dom.len() as u32), &mut scores);
    }
    scores
}

/// The node with the highest score; `None` when no two texts have one path.
pub fn best_region(dom: &Dom, scores: &BTreeMap<NodeId, u64>) -> Option<NodeId> {
    let best = scores
        .iter()
        .max_by_key(|&(&node, &score)| (score, dom.depth(node), std::cmp::Reverse(node)));
    best.filter(|(_, score)| **score > 0).map(|(node, _)| *node)
}

/// How many texts of each path there are below a node.
type Counts = HashMap<u32, u64, FixedState>;

struct Open {
    node: NodeId,
    counts: Counts,
}

/// Merges the last open node into the nearest ancestor that has another text: the one before it, or
/// the one that the next text shares with it.
fn close_last(dom: &Dom, open: &mut Vec<Open>, next: NodeId, scores: &mut BTreeMap<NodeId, u64>) {
    let Some(last) = open.pop() else { return };
    let meets_next = |node: &NodeId| dom.contains(*node, next);
    let with_next = dom.ancestors(last.node).find(meets_next).unwrap_or(NodeId::DOCUMENT);
    let target = match open.last() {
        Some(before) if before.node >= with_next => before.node,
        _ => with_next,
    };
    match open.last_mut() {
        Some(before) if before.node == target => {
            *scores.entry(target).or_default() += merged(&mut before.counts, last.counts);
        }
        _ => open.push(Open {
            node: target,
            counts: last.counts,
        }),
    }
}

/// Adds the counts of one part of a subtree to those of another; how many pairs the two parts have
/// together.
fn merged(into: &mut Counts, mut from: Counts) -> u64 {
    if into.len() < from.len() {
        std::mem::swap(into, &mut from);
    }
    let mut pairs = 0;
    for (path, count) in from {
        let known = into.entry(path).or_default();
        pairs += *known * count;
        *known += count;
    }
    pairs
}
