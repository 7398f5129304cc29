//! Candidates: every region of a page that may hold a list, with every way to cut it, each with its
//! score.
//!
//! In: the outline of a page. Out: candidates, best first. Regions are taken by how much text
//! stands in children that have alike siblings, which one pass tells; the best of them are cut in
//! all ways (`division.rs`), and region and division are judged together (`ranking.rs`), since a
//! region without its right division proves nothing.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::choice::SCORE_MARGIN;
use super::division::Division;
use super::evidence::are_prose;
use super::outline::{Outline, TEXT_STEP};
use super::parallel_blocks::parallel_blocks;
use super::query_hint::QueryHint;
use super::ranking::Weights;
use super::sequence::{children_sequence, inner_sequences};
use super::signals::{Measured, Meter, Signals};
use crate::page::NodeId;

/// A region cut into records, and what speaks for it.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The node that holds the list.
    pub region: NodeId,
    /// The records, each as its nodes.
    pub records: Vec<Vec<NodeId>>,
    /// What was measured of it.
    pub signals: Signals,
    /// The score that the signals add up to; more is better.
    pub score: f64,
}

/// How many regions of a page are cut and judged.
const REGIONS_MAX: usize = 32;

/// The texts that each of two records must have: two of anything are no list yet.
const TWO_RICHNESS: f64 = 8.0;

/// What a page's candidates are asked for.
pub struct Search<'a> {
    /// How signals are weighed.
    pub weights: &'a Weights,
    /// What was searched for.
    pub hint: &'a QueryHint,
    /// Whether others than the best are wanted, too.
    pub all: bool,
}

/// The candidates of a page, best first.
pub fn candidates(meter: &Meter<'_>, search: &Search<'_>) -> Vec<Candidate> {
    let outline = meter.outline;
    let mut sequences: Vec<(f64, Measured<'_>)> = Vec::new();
    for region in promising_regions(outline) {
        let outer = children_sequence(outline, region);
        let inner = inner_sequences(outline, &outer);
        let parallel = parallel_blocks(outline, &outer).map(|(sequence, division)| (sequence, Some(division)));
        let whole = std::iter::once(outer).chain(inner).map(|sequence| (sequence, None));
        for (sequence, fixed) in whole.chain(parallel).filter(|(sequence, _)| sequence.nodes.len() > 1) {
            let measured = Measured::new(outline, sequence, fixed);
            let each: Division = (0..measured.sequence.nodes.len()).map(|at| at..at + 1).collect();
            let mut signals = meter.at_best(&measured, &each);
            (signals.filled, signals.linked, signals.size, signals.richness) = (1.0, 1.0, f64::MAX, f64::MAX);
            sequences.push((search.weights.score(&signals), measured));
        }
    }
    // What may score highest comes first, so that most of the rest is out of the question.
    sequences.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let mut found: Vec<Candidate> = Vec::new();
    let mut least = f64::NEG_INFINITY;
    for (at_best, measured) in &sequences {
        if *at_best < least {
            break;
        }
        judge(meter, measured, search, &mut least, &mut found);
    }
    found.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then(outline.dom.depth(one.region).cmp(&outline.dom.depth(other.region)))
            .then(one.region.cmp(&other.region))
            .then(one.records.cmp(&other.records))
    });
    found
}

/// Judges all ways to cut one sequence.
fn judge(meter: &Meter<'_>, measured: &Measured<'_>, search: &Search<'_>, least: &mut f64, found: &mut Vec<Candidate>) {
    let sequence = &measured.sequence;
    for records in measured.divisions() {
        // A row or an item is one record, unless each part of it is one.
        if sequence.is_inner_of_items && records.iter().any(|record| record.len() > 1) {
            continue;
        }
        let at_best = meter.at_best(measured, &records);
        let is_empty = at_best.text < 1.0 || sequence.is_inner && !meter.are_rich(measured, &records);
        if is_empty || search.weights.score(&at_best) < *least {
            continue;
        }
        let signals = meter.complete(measured, &records, at_best);
        let score = search.weights.score(&signals);
        if score < *least || records.len() == 2 && signals.richness < TWO_RICHNESS {
            continue;
        }
        let nodes = records.into_iter().map(|record| sequence.nodes[record].to_vec());
        let records: Vec<Vec<NodeId>> = nodes.collect();
        if are_prose(meter.outline, &records) {
            continue;
        }
        if !search.all {
            *least = least.max(score - SCORE_MARGIN);
        }
        found.push(Candidate {
            region: sequence.region,
            records,
            signals,
            score,
        });
    }
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
    let has_recurring = by_step
        .iter()
        .any(|(&step, &(count, _))| step != TEXT_STEP && count > 1);
    match has_recurring {
        true => by_step
            .values()
            .filter(|(count, _)| *count > 1)
            .map(|(_, text)| text)
            .sum(),
        false => 0,
    }
}
