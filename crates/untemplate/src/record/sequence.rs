//! Sequences: what a list is cut from.
//!
//! In: a node of the outline. Out: the nodes that may be records or parts of records, in document order: its children,
//! or, where several of its children are alike and hold the true items (rows of a grid, two lists in a row), the
//! children of those.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::outline::{Outline, TEXT_STEP};
use crate::page::{Name, NodeId};

/// Nodes in document order that a division cuts into records.
#[derive(Debug, Clone)]
pub struct Sequence {
    /// The node that holds them all.
    pub region: NodeId,
    /// The nodes.
    pub nodes: Vec<NodeId>,
    /// Which container each node stands in; no record crosses from one into another.
    pub containers: Vec<u32>,
    /// Whether the nodes are the region's grandchildren.
    pub is_inner: bool,
    /// Whether the containers are what pages make one record of: rows of tables, items of lists, articles.
    pub is_inner_of_items: bool,
}

/// The children of a region as a sequence.
pub fn children_sequence(outline: &Outline<'_>, region: NodeId) -> Sequence {
    let nodes = unfolded(outline, outline.shown_children(region));
    Sequence {
        region,
        containers: vec![0; nodes.len()],
        nodes,
        is_inner: false,
        is_inner_of_items: false,
    }
}

/// How many nodes of a kind make a list that goes on inside one of its neighbours.
const FOLDED_MIN: usize = 3;

/// Replaces a node by its children where a list goes on inside it: it holds several nodes of a kind that one of its
/// neighbours is of, too. Pages that load more results as one scrolls do this, and boxes that show a first result apart.
fn unfolded(outline: &Outline<'_>, nodes: Vec<NodeId>) -> Vec<NodeId> {
    let dom = outline.dom;
    let mut kinds: HashMap<u32, usize, FixedState> = HashMap::default();
    let is_block = |node: NodeId| dom.is_element(node) && outline.text_len[node.index()] > 0;
    for &node in nodes.iter().filter(|&&node| is_block(node)) {
        *kinds.entry(outline.class_step[node.index()]).or_default() += 1;
    }
    let most = kinds.values().max().copied().unwrap_or(0).max(FOLDED_MIN);
    let is_list_kind = |node: NodeId| {
        // A tag without a class says little: it must be what most neighbours are.
        let has_class = dom.attribute(node, Name::CLASS).is_some();
        let least = if has_class { 1 } else { most };
        kinds
            .get(&outline.class_step[node.index()])
            .is_some_and(|&count| count >= least)
    };
    let mut all = Vec::with_capacity(nodes.len());
    for node in nodes {
        let inner = match outline.text_len[node.index()] {
            0 => Vec::new(),
            _ => outline.shown_children(node),
        };
        let mut inside: HashMap<u32, usize, FixedState> = HashMap::default();
        for &child in inner.iter().filter(|&&child| is_block(child) && is_list_kind(child)) {
            *inside.entry(outline.class_step[child.index()]).or_default() += 1;
        }
        match inside.values().any(|&count| count >= FOLDED_MIN) {
            true => all.extend(inner),
            false => all.push(node),
        }
    }
    all
}

/// The sequences of what alike children of a region hold.
pub fn inner_sequences(outline: &Outline<'_>, outer: &Sequence) -> Vec<Sequence> {
    let mut groups: HashMap<u32, Vec<NodeId>, FixedState> = HashMap::default();
    let mut order = Vec::new();
    for &node in &outer.nodes {
        let step = outline.class_step[node.index()];
        if step == TEXT_STEP {
            continue;
        }
        let group = groups.entry(step).or_default();
        if group.is_empty() {
            order.push(step);
        }
        group.push(node);
    }
    let is_item = |node: &NodeId| matches!(outline.dom.name(*node), Some(Name::TR | Name::LI | Name::ARTICLE));
    let mut sequences = Vec::new();
    for step in order {
        let group = &groups[&step];
        if group.len() < 2 {
            continue;
        }
        let (mut nodes, mut containers) = (Vec::new(), Vec::new());
        for (number, &container) in group.iter().enumerate() {
            let items = items_of(outline, container);
            containers.extend(std::iter::repeat_n(number as u32, items.len()));
            nodes.extend(items);
        }
        // As many items as containers is the outer sequence over again.
        if nodes.len() > group.len() {
            sequences.push(Sequence {
                region: outer.region,
                nodes,
                containers,
                is_inner: true,
                is_inner_of_items: group.iter().all(is_item),
            });
        }
    }
    sequences
}

/// The children of a container, or of the only child that it has, and so on.
fn items_of(outline: &Outline<'_>, container: NodeId) -> Vec<NodeId> {
    let mut items = outline.shown_children(container);
    while let [only] = items[..] {
        let inner = outline.shown_children(only);
        if inner.is_empty() {
            break;
        }
        items = inner;
    }
    items
}
