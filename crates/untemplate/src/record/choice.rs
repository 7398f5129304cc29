//! Choice: which of the lists of a page is its main one.
//!
//! In: the candidates of a page. Out: the same, the main list first. Scores (`ranking.rs`) say which
//! of several ways to cut one list is best, and what is nearly as good elsewhere on the page is
//! often a menu, a set of filters or an article: of each place the best way is taken, and these are
//! compared by their evidence as well. The weights are those of a conditional logistic regression,
//! fitted on list pages as they are and changed in ways that pages differ in (fewer records, records
//! that are links as a whole, menus, filters and articles beside the list): `cargo xtask fit
//! choice`, which tells also how sites fare that were left out.

use super::candidate::Candidate;
use super::division::Division;
use super::evidence::{EVIDENCE, Evidence, PageText, evidence_of};
use super::group::ungrouped;
use super::outline::Outline;
use super::ranking::Weights;
use super::sequence::Sequence;
use super::signals::{Measured, Meter};
use crate::page::NodeId;

/// By how much the score of the main list may be below the best one. Swept 1.5, 2.5, 4 with sites
/// left out: the same within a page in a hundred.
pub const SCORE_MARGIN: f64 = 2.5;

/// From this share of what they reach over on, two candidates are ways to cut one list.
const SAME_SHARE: f64 = 0.5;

/// What each number of the evidence counts beside the score, in the order of `EVIDENCE_NAMES`.
const WEIGHTS: [f64; EVIDENCE] = [
    0.194,  // number
    -1.352, // few
    1.705,  // regularity
    -0.405, // variety
    2.970,  // filled
    0.534,  // linked
    0.014,  // richness
    -0.899, // sections
    0.160,  // size
    0.348,  // share
    0.178,  // plain share
    -0.747, // link text
    -0.440, // links
    0.802,  // pictures
    1.279,  // targets
    0.181,  // labels
    -0.724, // narrow
    -0.355, // flowing
    0.118,  // headed
    -1.687, // aside
    0.053,  // before
    -0.001, // after
    -0.494, // menu
    -3.100, // articles
];

/// What candidates are compared by.
pub struct Choice<'a> {
    /// Measures the records of groups.
    pub meter: &'a Meter<'a>,
    /// How signals are weighed.
    pub weights: &'a Weights,
    /// What the page shows.
    pub page_text: &'a PageText,
}

/// A candidate with what speaks for it.
pub struct Chosen {
    /// The candidate.
    pub candidate: Candidate,
    /// Its evidence.
    pub evidence: Evidence,
    /// Whether it is the best way to cut its part of the page and may be the main list.
    pub is_best_here: bool,
}

/// The candidates of a page with their evidence, from candidates by their scores: the best of each
/// place, the main list first, and after these the other ways to cut them.
pub fn by_choice(choice: &Choice<'_>, candidates: Vec<Candidate>) -> impl Iterator<Item = Chosen> {
    let outline = choice.meter.outline;
    let mut best_here: Vec<(f64, Chosen)> = Vec::new();
    let mut others = Vec::new();
    let least = candidates
        .first()
        .map_or(0.0, |candidate| candidate.score - SCORE_MARGIN);
    for mut candidate in candidates {
        let is_known = |(_, known): &(f64, Chosen)| are_one(outline, &known.candidate, &candidate);
        if candidate.score < least || best_here.iter().any(is_known) {
            others.push(candidate);
            continue;
        }
        let evidence;
        (candidate.score, evidence) = said_of(choice, &candidate);
        let said: f64 = evidence.iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum();
        let chosen = Chosen {
            is_best_here: true,
            evidence,
            candidate,
        };
        best_here.push((chosen.candidate.score + said, chosen));
    }
    best_here.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let others = others.into_iter().map(|candidate| Chosen {
        is_best_here: false,
        evidence: evidence_of(outline, choice.page_text, &candidate),
        candidate,
    });
    best_here.into_iter().map(|(_, chosen)| chosen).chain(others)
}

/// The score and the evidence of a candidate: of the records of all groups, where its records are
/// groups of them.
fn said_of(choice: &Choice<'_>, candidate: &Candidate) -> (f64, Evidence) {
    let outline = choice.meter.outline;
    let Some(items) = ungrouped(outline, &candidate.records) else {
        return (candidate.score, evidence_of(outline, choice.page_text, candidate));
    };
    let nodes: Vec<NodeId> = items.iter().map(|item| item.node).collect();
    let measured = Measured::new(outline, Sequence::of_items(nodes.clone()), None);
    let each: Division = (0..nodes.len()).map(|at| at..at + 1).collect();
    let at_best = choice.meter.at_best(&measured, &each);
    let signals = choice.meter.complete(&measured, &each, at_best);
    let opened = Candidate {
        region: candidate.region,
        records: nodes.into_iter().map(|node| vec![node]).collect(),
        signals,
        score: choice.weights.score(&signals),
    };
    let evidence = evidence_of(outline, choice.page_text, &opened);
    (opened.score.max(candidate.score), evidence)
}

/// Whether two candidates are ways to cut one list: most of what either reaches over is the same.
fn are_one(outline: &Outline<'_>, one: &Candidate, other: &Candidate) -> bool {
    let (one, other) = (reach(outline, &one.records), reach(outline, &other.records));
    let common = other.1.0.min(one.1.0).saturating_sub(one.0.0.max(other.0.0));
    let all = other.1.0.max(one.1.0) - one.0.0.min(other.0.0);
    f64::from(common) >= SAME_SHARE * f64::from(all)
}

/// The first node of records, and the one after their last.
pub fn reach(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> (NodeId, NodeId) {
    let nodes = || records.iter().flatten().copied();
    let end = nodes().map(|node| outline.dom.subtree_end(node)).max();
    let first = nodes().min().unwrap_or(NodeId::DOCUMENT);
    (first, end.unwrap_or(first))
}
