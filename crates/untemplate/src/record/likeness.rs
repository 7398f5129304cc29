//! Likeness: which nodes of a sequence are of one kind, in linear time.
//!
//! In: a sequence. Out: three keys for each node: its tag, its tag with its classes, and a cluster
//! of nodes that hold nearly the same paths. The paper clusters by edit similarity of all pairs
//! (`cluster.rs` has that); here each node is compared with the first of each cluster so far, by
//! the paths that both hold.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;

use super::outline::Outline;
use super::sequence::Sequence;
use crate::page::NodeId;

/// The paths below each node of a sequence.
pub struct PathSets {
    /// For each node its distinct paths and how often it has each, sorted by path.
    pub of_nodes: Vec<Vec<(u32, u32)>>,
    /// How many distinct paths there are in all: they are numbered from 0.
    pub n_paths: usize,
}

/// The paths below each node of a sequence, with and without classes. The classes of the node
/// itself do not count, since they often tell records of one list apart.
pub fn path_sets(outline: &Outline<'_>, sequence: &Sequence) -> PathSets {
    let mut numbers: HashMap<u64, u32, FixedState> = HashMap::default();
    let mut places: Vec<(u64, u64)> = Vec::new();
    let mut of_nodes = Vec::with_capacity(sequence.nodes.len());
    for &node in &sequence.nodes {
        places.clear();
        of_nodes.push(path_set(outline, node, &mut places, &mut numbers));
    }
    PathSets {
        of_nodes,
        n_paths: numbers.len(),
    }
}

fn path_set(
    outline: &Outline<'_>,
    root: NodeId,
    places: &mut Vec<(u64, u64)>,
    numbers: &mut HashMap<u64, u32, FixedState>,
) -> Vec<(u32, u32)> {
    let dom = outline.dom;
    let mut all = Vec::new();
    for node in dom.subtree(root) {
        let at = node.index();
        let (tag, class) = (outline.tag_step[at], outline.class_step[at]);
        let above = match node == root {
            true => (1, 2),
            false => places[(dom.parent(node).unwrap_or(root).0 - root.0) as usize],
        };
        let place = match outline.is_transparent[at] {
            true => above,
            false if node == root => (mix(above.0, tag), mix(above.1, tag)),
            false => (mix(above.0, tag), mix(above.1, class)),
        };
        places.push(place);
        if outline.is_shown[at] {
            for place in [place.0, place.1] {
                let next = numbers.len() as u32;
                all.push(*numbers.entry(place).or_insert(next));
            }
        }
    }
    all.sort_unstable();
    let mut set: Vec<(u32, u32)> = Vec::new();
    for path in all {
        match set.last_mut() {
            Some((last, count)) if *last == path => *count += 1,
            _ => set.push((path, 1)),
        }
    }
    set
}

fn mix(above: u64, step: u32) -> u64 {
    (above ^ u64::from(step))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_left(23)
}

/// The share of paths that two nodes have in common: 1 for the same, 0 for none.
pub fn shared_share(one: &[(u32, u32)], other: &[(u32, u32)]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < one.len() && j < other.len() {
        match one[i].0.cmp(&other[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                (i, j, common) = (i + 1, j + 1, common + 1);
            }
        }
    }
    2.0 * common as f64 / (one.len() + other.len()).max(1) as f64
}

/// The kinds of what has text inside nodes, each with the kind of what it stands in: the same,
/// however the nodes are wrapped, and whatever lines and pictures set them apart.
pub fn nested_kinds(outline: &Outline<'_>, nodes: &[NodeId]) -> BTreeSet<(u32, u32)> {
    let dom = outline.dom;
    let inside = nodes.iter().flat_map(|&node| dom.subtree(node).skip(1));
    let texts = inside.filter(|node| outline.is_shown[node.index()] && outline.text_len[node.index()] > 0);
    let kind = |node: NodeId| outline.class_step[node.index()];
    texts
        .filter_map(|node| Some((kind(dom.parent(node)?), kind(node))))
        .collect()
}

/// Clusters are told apart up to this number; what is like none of them is of no kind.
const LEADERS_MAX: usize = 24;

/// The cluster of each node: that of the first node before it which shares at least `least` of its
/// paths.
pub fn clusters(sets: &[Vec<(u32, u32)>], least: f64) -> Vec<u32> {
    let mut leaders: Vec<usize> = Vec::new();
    sets.iter()
        .enumerate()
        .map(|(index, set)| {
            let known = leaders
                .iter()
                .position(|&leader| shared_share(&sets[leader], set) >= least);
            match known {
                Some(cluster) => cluster as u32,
                None if leaders.len() < LEADERS_MAX => {
                    leaders.push(index);
                    leaders.len() as u32 - 1
                }
                None => LEADERS_MAX as u32 + index as u32,
            }
        })
        .collect()
}
