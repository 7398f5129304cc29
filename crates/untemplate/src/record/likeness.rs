//! Likeness: which nodes of a sequence are of one kind, in linear time.
//!
//! In: a sequence. Out: three keys for each node: its tag, its tag with its classes, and a cluster of nodes that hold
//! nearly the same paths. The paper clusters by edit similarity of all pairs (`cluster.rs` has that); here each node is
//! compared with the first of each cluster so far, by the paths that both hold.

use super::outline::Outline;
use super::sequence::Sequence;
use crate::page::NodeId;

/// The distinct paths below each node of a sequence, sorted, with their classes.
pub fn path_sets(outline: &Outline<'_>, sequence: &Sequence) -> Vec<Vec<u32>> {
    sequence
        .nodes
        .iter()
        .map(|&node| distinct(outline, node, &outline.class_path))
        .collect()
}

fn distinct(outline: &Outline<'_>, node: NodeId, paths: &[u32]) -> Vec<u32> {
    let range = node.index()..outline.dom.subtree_end(node).index();
    let shown = range.filter(|&at| outline.is_shown[at]);
    let mut set: Vec<u32> = shown.map(|at| paths[at]).collect();
    set.sort_unstable();
    set.dedup();
    set
}

/// The share of paths that two nodes have in common: 1 for the same, 0 for none.
pub fn shared_share(one: &[u32], other: &[u32]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < one.len() && j < other.len() {
        match one[i].cmp(&other[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                (i, j, common) = (i + 1, j + 1, common + 1);
            }
        }
    }
    2.0 * common as f64 / (one.len() + other.len()).max(1) as f64
}

/// Clusters are told apart up to this number; what is like none of them is of no kind.
const LEADERS_MAX: usize = 24;

/// The cluster of each node: that of the first node before it which shares at least `least` of its paths.
pub fn clusters(sets: &[Vec<u32>], least: f64) -> Vec<u32> {
    let mut leaders: Vec<usize> = Vec::new();
    sets.iter()
        .enumerate()
        .map(|(index, set)| {
            let known = leaders.iter().position(|&leader| shared_share(&sets[leader], set) >= least);
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
