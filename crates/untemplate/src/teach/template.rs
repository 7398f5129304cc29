//! Assertions from the template: texts that every page of the sample has (paper 002 §4).
//!
//! In: the sample, pages that were rejected, and the fields. Out: an [`Assertion`] of at most
//! twelve texts. A text that a rejected page has as well tells nothing; of the others those near
//! the fields come first, since menus and footers are on every page of a site, and then those
//! farthest apart, so that they speak for the whole page.
//!
//! Departure: a text is told by its own element and not by its position on the page, which optional
//! parts shift; and half of the texts must hold, not all. Ten pages cannot tell a text that is
//! always there from one that is nearly always, and twelve of those would together refuse many good
//! pages, while a page of another template has none of what stands near the fields.

use super::sample::SamplePage;
use super::taught_field::TaughtField;
use super::tuning::AssertionTuning;
use crate::page::{Dom, NodeId};
use crate::rule::{Assertion, Axis, LocationPath, Locator, NodeTest, Predicate, Step, TextIndex};

const TUNING: AssertionTuning = AssertionTuning::DEFAULT;

/// What pages of the sample have in common and rejected pages have not.
pub fn assertion_of(sample: &[SamplePage], rejected: &[SamplePage], fields: &[TaughtField]) -> Assertion {
    let Some(first) = sample.first() else {
        return Assertion::default();
    };
    let dom = &first.page.dom;
    let is_everywhere = |text: &str| sample.iter().all(|page| !page.texts.places(text).is_empty());
    let is_elsewhere = |text: &str| rejected.iter().any(|page| !page.texts.places(text).is_empty());
    let mut texts: Vec<(NodeId, &str)> = first
        .texts
        .texts()
        .filter(|(text, _)| TUNING.is_telling(text) && is_everywhere(text) && !is_elsewhere(text))
        .map(|(text, places)| (places[0], text))
        .collect();
    texts.sort_unstable();
    let pivots = pivots(fields);
    let (near, far): (Vec<_>, Vec<_>) = texts.into_iter().partition(|(_, text)| pivots.contains(text));
    let far_count = TUNING.texts_max.saturating_sub(near.len());
    let chosen = near.into_iter().take(TUNING.texts_max).chain(spread(&far, far_count));
    let mut paths: Vec<LocationPath> = chosen.filter_map(|(node, text)| path_to(dom, node, text)).collect();
    // A text whose element reads otherwise on another page, by mark-up inside it, would fail there.
    paths.retain(|path| {
        sample
            .iter()
            .all(|page| Assertion::all(vec![path.clone()]).holds(&page.page))
    });
    Assertion {
        paths,
        min_hold: TUNING.hold_share,
        ..Assertion::default()
    }
}

/// The texts that the fields' rules start from.
fn pivots(fields: &[TaughtField]) -> Vec<&str> {
    let rules = fields
        .iter()
        .flat_map(|field| &field.slots)
        .flat_map(|slot| &slot.rules);
    rules
        .filter_map(|taught| match &taught.rule.place {
            Locator::Labeled { pivot, .. } => Some(&**pivot),
            Locator::Absolute(_) => None,
        })
        .collect()
}

/// This many of the texts, evenly spread over the page.
fn spread<'a>(texts: &[(NodeId, &'a str)], count: usize) -> Vec<(NodeId, &'a str)> {
    let count = count.min(texts.len());
    (0..count).map(|index| texts[index * texts.len() / count]).collect()
}

/// The elements of the text's own kind that read so.
pub(super) fn path_to(dom: &Dom, node: NodeId, text: &str) -> Option<LocationPath> {
    let holder = dom.parent(node).filter(|&holder| dom.is_element(holder))?;
    let mut steps = vec![Step {
        axis: Axis::Descendant,
        test: NodeTest::Name(dom.name_text(holder).into()),
        predicates: Vec::new(),
    }];
    if dom.visible_text(holder) == text {
        steps[0].predicates.push(Predicate::Text(text.into()));
    } else {
        let predicates = vec![Predicate::Text(text.into())];
        steps.push(Step {
            predicates,
            ..Step::text(None)
        });
    }
    Some(LocationPath::absolute(steps))
}

impl SamplePage {
    /// Where its texts stand.
    pub fn texts(&self) -> &TextIndex {
        &self.texts
    }
}
