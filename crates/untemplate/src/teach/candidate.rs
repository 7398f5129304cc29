//! Candidate rules: every sensible way to a place where an example's value stands.
//!
//! Paper 002 §4 takes ABSOLUTE, URL-REGEX and LABELED rules. Here LABELED routes count from the
//! pivot's own branch (`route`), and a fourth kind is anchored: from an element that an attribute,
//! or its rarity on the page, tells from all others. The prior weights say how well each kind
//! survives change; they only order the candidates, the votes of a field come from what they did on
//! the pages.

use super::occurrence::Occurrence;
use super::route::{anchor_step, distance, route_from, siblings_passed, steps_down};
use super::sample::Support;
use super::tuning::CandidateTuning;
use crate::page::{Dom, Name, NodeId, Page};
use crate::rule::{
    Axis, ExtractionRule, LocationPath, Locator, NodeTest, Predicate, Selected, Step, TextIndex, value_text,
};

const TUNING: CandidateTuning = CandidateTuning::DEFAULT;

/// A rule that may be the one, and how well its kind survives change.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub rule: ExtractionRule,
    pub prior: f64,
}

/// All ways to a place.
pub(super) fn candidates(page: &Page, texts: &TextIndex, occurrence: &Occurrence, support: &Support) -> Vec<Candidate> {
    let dom = &page.dom;
    let mut all = anchored(dom, occurrence.place, support);
    all.extend(labeled(dom, texts, occurrence.place, support));
    all.extend(self_labeled(dom, occurrence.place, support));
    if let Some(steps) = steps_down(dom, NodeId::DOCUMENT, occurrence.place) {
        all.push((Locator::Absolute(LocationPath::absolute(steps)), TUNING.absolute_prior));
    }
    all.into_iter()
        .map(|(place, prior)| {
            let mut rule = ExtractionRule::at(place);
            rule.trim = occurrence.trim.clone();
            Candidate { rule, prior }
        })
        .collect()
}

/// Rules from an ancestor that can be told from others.
fn anchored(dom: &Dom, place: Selected, support: &Support) -> Vec<(Locator, f64)> {
    let mut all = Vec::new();
    let holders = std::iter::once(place.node)
        .chain(dom.ancestors(place.node))
        .filter(|&node| dom.is_element(node));
    for (height, holder) in holders.enumerate() {
        let Some(down) = steps_down(dom, holder, place) else {
            continue;
        };
        // The farther the anchor, the more positions on the way can shift.
        let nearness = TUNING.height_decay.powi(height as i32);
        let told_by = TUNING.anchors.iter().filter_map(|&(name, worth)| {
            let value = dom.attribute(holder, name).filter(|value| !value.trim().is_empty())?;
            // What one page of several has alone is its data: an `id` that is the name of what the
            // page is about.
            let is_shared = support.n_pages < TUNING.alone_pages_min || support.of_anchor(name, value) > 1;
            is_shared.then_some((Some((name, value)), worth))
        });
        for (attribute, worth) in told_by.chain(is_rare_kind(dom, holder).then_some((None, TUNING.rare_tag_prior))) {
            let (step, n_alike) = anchor_step(dom, holder, attribute);
            if n_alike > TUNING.alike_max {
                continue;
            }
            let worth = worth * nearness / (n_alike as f64).sqrt();
            let steps = std::iter::once(step).chain(down.iter().cloned()).collect();
            all.push((Locator::Absolute(LocationPath::absolute(steps)), worth));
        }
    }
    all
}

/// Rules from texts nearby that other pages have as well.
fn labeled(dom: &Dom, texts: &TextIndex, place: Selected, support: &Support) -> Vec<(Locator, f64)> {
    let mut pivots: Vec<(usize, bool, &str, NodeId, u32)> = Vec::new();
    for (text, nodes) in texts.texts() {
        if support.of_text(text) < 2 {
            continue;
        }
        for (index, &node) in nodes.iter().enumerate() {
            let distance = distance(dom, node, place.node);
            if distance <= TUNING.pivot_distance_max && node != place.node {
                pivots.push((distance, node > place.node, text, node, index as u32 + 1));
            }
        }
    }
    // Nearest first; of two as near, the one before the value, as labels are.
    pivots.sort_by_key(|&(distance, is_after, _, node, _)| {
        let gap = node.index().abs_diff(place.node.index());
        (distance, is_after, gap)
    });
    pivots.truncate(TUNING.pivots_max);
    pivots
        .into_iter()
        .filter_map(|(distance, is_after, text, node, nth)| {
            let path = route_from(dom, node, place)?;
            let side = if is_after { TUNING.after_factor } else { 1.0 };
            // A text that few pages have is data more often than a label.
            let share = support.of_text(text) as f64 / support.n_pages as f64;
            // A label stands next to its value; the ninth row after a label is some other label's.
            let apart = TUNING
                .sibling_decay
                .powi(siblings_passed(&path).min(TUNING.siblings_max) as i32);
            let nearness = apart * TUNING.distance_decay.powi(distance as i32);
            let worth = TUNING.labeled_prior * side * share.sqrt() * nearness / f64::from(nth).sqrt();
            let pivot = text.into();
            Some((Locator::Labeled { pivot, nth, path }, worth))
        })
        .collect()
}

/// Rules for a text that carries its own label: the texts that begin with it, and which of those.
fn self_labeled(dom: &Dom, place: Selected, support: &Support) -> Option<(Locator, f64)> {
    if !dom.is_text(place.node) {
        return None;
    }
    let text = value_text(dom, place);
    let start = &text[..text.find(':')? + 1];
    if start.chars().count() > TUNING.label_letters_max || support.of_start(start) < 2 {
        return None;
    }
    let same = dom.nodes().filter(|&node| dom.is_text(node) && node < place.node);
    let before = same.filter(|&node| value_text(dom, Selected { node, attribute: None }).starts_with(start));
    let nth = before.count() as u32 + 1;
    let step = Step {
        axis: Axis::Descendant,
        test: NodeTest::Text,
        predicates: vec![Predicate::TextStart(start.into()), Predicate::Position(nth)],
    };
    Some((
        Locator::Absolute(LocationPath::absolute(vec![step])),
        1.0 / f64::from(nth).sqrt(),
    ))
}

/// Whether an element can be told from others by its tag alone: not those that every page has.
fn is_rare_kind(dom: &Dom, element: NodeId) -> bool {
    !matches!(dom.name(element), Some(Name::HTML | Name::HEAD | Name::BODY))
}
