//! Nested records: a record inside another of its kind, as a reply stands inside the comment it
//! answers.
//!
//! In: the records of a list. Out: the same records and those found inside them, each with the one
//! it stands in. An inner record has the tag and the classes of the outer one and most of its
//! paths.

use super::likeness::{path_sets, shared_share};
use super::outline::Outline;
use super::sequence::Sequence;
use crate::page::{Name, NodeId};

/// A record before its fields are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outer {
    /// Its nodes.
    pub nodes: Vec<NodeId>,
    /// The records inside it, which are no part of it.
    pub inner: Vec<NodeId>,
    /// The record it stands in.
    pub parent: Option<usize>,
}

impl Outer {
    /// A record of one node that holds no other.
    pub fn alone(node: NodeId) -> Self {
        Self {
            nodes: vec![node],
            inner: Vec::new(),
            parent: None,
        }
    }
}

/// The least share of paths that an inner record has in common with the outer one.
const NESTED_SHARE: f64 = 0.5;

/// How many records inside one are looked for.
const INNER_MAX: usize = 200;

/// The records of a list with those inside them, in document order.
pub fn with_nested(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Vec<Outer> {
    let mut all: Vec<Outer> = Vec::new();
    for record in records {
        all.push(Outer {
            nodes: record.clone(),
            inner: Vec::new(),
            parent: None,
        });
        let [root] = record[..] else { continue };
        let top = all.len() - 1;
        // The records that are open, innermost last.
        let mut open = vec![top];
        for node in inner_candidates(outline, root) {
            while open.len() > 1 && !outline.dom.contains(all[open[open.len() - 1]].nodes[0], node) {
                open.pop();
            }
            let parent = open[open.len() - 1];
            all[parent].inner.push(node);
            all.push(Outer {
                nodes: vec![node],
                inner: Vec::new(),
                parent: Some(parent),
            });
            open.push(all.len() - 1);
        }
    }
    all
}

/// The nodes below a record that are of its kind, in document order.
fn inner_candidates(outline: &Outline<'_>, root: NodeId) -> Vec<NodeId> {
    let dom = outline.dom;
    let is_telling =
        matches!(dom.name(root), Some(Name::LI | Name::ARTICLE)) || dom.attribute(root, Name::CLASS).is_some();
    if !is_telling {
        return Vec::new();
    }
    let kind = outline.class_step[root.index()];
    let alike: Vec<NodeId> = dom
        .subtree(root)
        .skip(1)
        .filter(|&node| {
            outline.is_shown[node.index()]
                && outline.class_step[node.index()] == kind
                && dom.is_element(node)
                && outline.text_len[node.index()] > 0
        })
        .take(INNER_MAX)
        .collect();
    if alike.is_empty() {
        return alike;
    }
    let mut nodes = vec![root];
    nodes.extend(&alike);
    let sets = path_sets(outline, &Sequence::of_items(nodes));
    let outer = &sets.of_nodes[0];
    alike
        .into_iter()
        .zip(&sets.of_nodes[1..])
        .filter(|(_, set)| shared_share(outer, set) >= NESTED_SHARE)
        .map(|(node, _)| node)
        .collect()
}
