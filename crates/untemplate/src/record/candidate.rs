//! Candidates: every region of a page that may hold a list, with every way to cut it, each with its score.
//!
//! In: the outline of a page. Out: candidates, best first. Regions are taken by how much text stands in children that
//! have alike siblings, which one pass tells; the best of them are cut in all ways (`division.rs`), and region and
//! division are judged together (`ranking.rs`), since a region without its right division proves nothing.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::division::{Division, divisions};
use super::likeness::{clusters, path_sets};
use super::outline::{Outline, TEXT_STEP};
use super::query_hint::QueryHint;
use super::ranking::{Judge, Signals, Weights};
use super::sequence::{Sequence, children_sequence, inner_sequences};
use crate::page::NodeId;

/// A region cut into records, and what speaks for it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The node that holds the list.
    pub region: NodeId,
    /// The records, each as its nodes.
    pub records: Division,
    /// What was measured of it.
    pub signals: Signals,
    /// The score that the signals add up to; more is better.
    pub score: f64,
}

/// How many regions of a page are cut and judged.
const REGIONS_MAX: usize = 32;

/// The candidates of a page, best first.
pub fn candidates(outline: &Outline<'_>, weights: &Weights, hint: &QueryHint) -> Vec<Candidate> {
    let mut judge = Judge::new(outline, weights, hint);
    let mut found: Vec<Candidate> = Vec::new();
    for region in promising_regions(outline) {
        let outer = children_sequence(outline, region);
        let inner = inner_sequences(outline, &outer);
        for sequence in std::iter::once(outer).chain(inner) {
            found.extend(judged(outline, &sequence, &mut judge));
        }
    }
    found.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then(outline.dom.depth(one.region).cmp(&outline.dom.depth(other.region)))
            .then(one.region.cmp(&other.region))
    });
    found
}

/// All ways to cut one sequence, judged.
fn judged(outline: &Outline<'_>, sequence: &Sequence, judge: &mut Judge<'_>) -> Vec<Candidate> {
    let sets = path_sets(outline, sequence);
    let tags: Vec<u32> = sequence.nodes.iter().map(|node| outline.tag_step[node.index()]).collect();
    let classes: Vec<u32> = sequence.nodes.iter().map(|node| outline.class_step[node.index()]).collect();
    let mut seen: HashSet<Vec<Vec<NodeId>>, FixedState> = HashSet::default();
    let mut found = Vec::new();
    for keys in [tags, classes, clusters(&sets.of_nodes, 0.5), clusters(&sets.of_nodes, 0.75)] {
        for records in divisions(sequence, &keys) {
            if !seen.insert(records.clone()) {
                continue;
            }
            if let Some((signals, score)) = judge.judge(sequence, &sets, &records) {
                found.push(Candidate {
                    region: sequence.region,
                    records,
                    signals,
                    score,
                });
            }
        }
    }
    found
}

/// The regions with the most text in children that have alike siblings, in document order.
fn promising_regions(outline: &Outline<'_>) -> Vec<NodeId> {
    let mut ranked: Vec<(u32, NodeId)> = Vec::new();
    for node in outline.dom.nodes() {
        let at = node.index();
        let is_worth = outline.is_shown[at] && !outline.is_transparent[at] && outline.text_len[at] > 20;
        if !is_worth || !outline.dom.is_element(node) {
            continue;
        }
        let text = repeated_text(outline, node);
        if text > 0 {
            ranked.push((text, node));
        }
    }
    ranked.sort_by_key(|&(text, node)| (std::cmp::Reverse(text), node));
    ranked.truncate(REGIONS_MAX);
    let mut regions: Vec<NodeId> = ranked.into_iter().map(|(_, node)| node).collect();
    regions.sort_unstable();
    regions
}

/// The text below a node that stands in children of a tag which recurs among them.
fn repeated_text(outline: &Outline<'_>, node: NodeId) -> u32 {
    let mut by_step: HashMap<u32, (u32, u32), FixedState> = HashMap::default();
    for child in outline.shown_children(node) {
        let step = outline.tag_step[child.index()];
        let (count, text) = by_step.entry(step).or_default();
        *count += 1;
        *text += outline.text_len[child.index()];
    }
    let has_recurring = by_step.iter().any(|(&step, &(count, _))| step != TEXT_STEP && count > 1);
    match has_recurring {
        true => by_step.values().filter(|(count, _)| *count > 1).map(|(_, text)| text).sum(),
        false => 0,
    }
}
