//! The plan of a run: the paths that are followed, joined where they are the same.
//!
//! Paths that begin alike share their pages, and so do paths that end alike: a page that is reached
//! in two ways is looked at once. What paths have in common from a class on is one node, so that
//! the first page of a shared target counts for all of them. Requests from a class to itself are
//! not steps but part of every node of that class.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::super::specification::{NavigationalPath, Specification};

/// The paths that are followed, as one graph without circles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// Its nodes; those that others lead to come first.
    pub nodes: Vec<PlanNode>,
    /// The nodes where paths begin, in the order of the paths.
    pub entries: Vec<usize>,
}

/// A page class at a place of a path, and what is left of the path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlanNode {
    /// The page class, by its place in the specification.
    pub class: usize,
    /// The request classes to follow, by their places, and the node that each leads to.
    pub steps: Vec<(usize, usize)>,
    /// The request classes from the page class to itself.
    pub loops: Vec<usize>,
}

/// A node while paths are added: its children come later.
struct Growing {
    class: usize,
    steps: Vec<(usize, usize)>,
}

impl Plan {
    /// Joins paths of a specification that was checked.
    pub fn new<'a>(specification: &Specification, paths: impl Iterator<Item = &'a NavigationalPath>) -> Self {
        let mut growing: Vec<Growing> = Vec::new();
        let mut roots: Vec<usize> = Vec::new();
        for path in paths {
            add(specification, path, &mut growing, &mut roots);
        }
        let mut plan = Self::default();
        let mut numbers: Vec<usize> = vec![0; growing.len()];
        let mut known: HashMap<PlanNode, usize, FixedState> = HashMap::default();
        // Children were added after their parents, so that backwards each finds its children joined
        // already.
        for (index, node) in growing.iter().enumerate().rev() {
            let steps = node
                .steps
                .iter()
                .map(|&(request_class, child)| (request_class, numbers[child]));
            let joined = PlanNode {
                class: node.class,
                steps: steps.collect(),
                loops: loops(specification, node.class),
            };
            numbers[index] = *known.entry(joined.clone()).or_insert_with(|| {
                plan.nodes.push(joined);
                plan.nodes.len() - 1
            });
        }
        plan.entries = roots.into_iter().map(|root| numbers[root]).collect();
        plan
    }
}

fn add(specification: &Specification, path: &NavigationalPath, growing: &mut Vec<Growing>, roots: &mut Vec<usize>) {
    let class = |id: &String| specification.class_index(id).expect("the path was checked");
    let first = class(&path.steps[0]);
    let root = roots.iter().copied().find(|&root| growing[root].class == first);
    let mut at = root.unwrap_or_else(|| {
        roots.push(growing.len());
        push(first, growing)
    });
    for step in path.steps[1..].chunks_exact(2) {
        let request_class = specification
            .request_class_index(&step[0])
            .expect("the path was checked");
        if specification.request_classes[request_class].is_loop() {
            continue;
        }
        let known = growing[at].steps.iter().find(|(known, _)| *known == request_class);
        at = match known.copied() {
            Some((_, child)) => child,
            None => {
                let child = push(class(&step[1]), growing);
                growing[at].steps.push((request_class, child));
                child
            }
        };
    }
}

fn push(class: usize, growing: &mut Vec<Growing>) -> usize {
    let steps = Vec::new();
    growing.push(Growing { class, steps });
    growing.len() - 1
}

fn loops(specification: &Specification, class: usize) -> Vec<usize> {
    let id = &specification.classes[class].id;
    let all = specification.request_classes.iter().enumerate();
    let loops = all.filter(|(_, request_class)| request_class.is_loop() && request_class.from == *id);
    loops.map(|(index, _)| index).collect()
}
