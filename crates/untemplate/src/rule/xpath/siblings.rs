//! Steps to siblings, for many nodes of one parent at once.
//!
//! A list of 100,000 items has as many nodes to start from, and each has all others for siblings.
//! So the children of a parent that a step could lead to are listed once, in document order; what
//! comes before or after a node is a part of that list. Without a position the parts of all nodes
//! are joined by the farthest of them; with one, the node at that position is taken without looking
//! at the others.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::FixedState;

use super::select::narrowed;
use super::{Axis, Predicate, Step};
use crate::page::{Dom, NodeId};

/// A step to siblings under way. Nodes are to come in document order.
pub(super) struct SiblingStep<'a> {
    is_forward: bool,
    /// Predicates that hold of a node wherever the step starts.
    fixed: &'a [Predicate],
    /// The first that counts, and those after it.
    counted: &'a [Predicate],
    /// Of each parent the children that the step could lead to.
    parents: HashMap<NodeId, Siblings, FixedState>,
}

struct Siblings {
    nodes: Vec<NodeId>,
    /// How many of them, from the start, are found already; for steps back without a position.
    n_found: usize,
}

impl<'a> SiblingStep<'a> {
    pub(super) fn new(step: &'a Step) -> Self {
        let n_fixed = step
            .predicates
            .iter()
            .take_while(|predicate| !predicate.counts())
            .count();
        let (fixed, counted) = step.predicates.split_at(n_fixed);
        Self {
            is_forward: step.axis == Axis::FollowingSibling,
            fixed,
            counted,
            parents: HashMap::default(),
        }
    }

    /// Appends what the step finds from a node that was not found from those before it.
    pub(super) fn take(
        &mut self,
        dom: &Dom,
        node: NodeId,
        is_wanted: impl Fn(&NodeId) -> bool,
        found: &mut Vec<NodeId>,
    ) {
        let Some(parent) = dom.parent(node) else {
            return;
        };
        let fixed = self.fixed;
        let list = || {
            let nodes: Vec<NodeId> = dom.children(parent).filter(is_wanted).collect();
            fixed
                .iter()
                .fold(nodes, |nodes, predicate| narrowed(predicate, dom, nodes))
        };
        let (siblings, is_new) = match self.parents.entry(parent) {
            Entry::Occupied(known) => (known.into_mut(), false),
            Entry::Vacant(vacant) => {
                let (nodes, n_found) = (list(), 0);
                (vacant.insert(Siblings { nodes, n_found }), true)
            }
        };
        let n_before = siblings.nodes.partition_point(|&sibling| sibling < node);
        let n_until = siblings.nodes.partition_point(|&sibling| sibling <= node);
        let (before, after) = (&siblings.nodes[..n_before], &siblings.nodes[n_until..]);
        match (self.counted, self.is_forward) {
            // The first node of a parent has all that the later ones have.
            ([], true) => found.extend(after.iter().filter(|_| is_new)),
            ([], false) => {
                found.extend(&before[siblings.n_found.min(n_before)..]);
                siblings.n_found = siblings.n_found.max(n_before);
            }
            ([first, rest @ ..], is_forward) => {
                let part = if is_forward { after } else { before };
                let one: Vec<NodeId> = at_position(first, part, is_forward).into_iter().collect();
                found.extend(
                    rest.iter()
                        .fold(one, |nodes, predicate| narrowed(predicate, dom, nodes)),
                );
            }
        }
    }
}

/// The one of a part that a predicate counts off, the nearest being the first.
fn at_position(predicate: &Predicate, part: &[NodeId], is_forward: bool) -> Option<NodeId> {
    let index = match predicate {
        Predicate::Position(position) => (*position as usize).checked_sub(1)?,
        _ => part.len().checked_sub(1)?,
    };
    let mut nearest_first = part.iter();
    let picked = if is_forward {
        nearest_first.nth(index)
    } else {
        nearest_first.nth_back(index)
    };
    picked.copied()
}
