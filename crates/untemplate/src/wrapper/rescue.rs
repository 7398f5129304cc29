//! Rescue: rows that do not stand where training pages have them, found by their label.
//!
//! In: a page that was read, and the parts that were not found. Out: for each of them that has a
//! label which the page has exactly once, the node that is it. So a page with another frame around
//! the same rows still gives its data, and a page without the row stays without it.

use crate::page::NodeId;

use super::alignment::score;
use super::feature::{Features, PageFeatures};

/// The node that a part with a label is on a page, wherever it stands.
pub(super) fn find_by_label(page: &PageFeatures<'_>, part: &Features) -> Option<NodeId> {
    let label = if part.label != 0 { part.label } else { part.heading };
    let mut places = page.shapes.labels.iter().filter(|(own, _)| *own == label);
    let (Some(&(_, text)), None) = (places.next(), places.next()) else {
        return None;
    };
    match part.label != 0 {
        true => find_row(page, part, text),
        false => find_beside(page, part, text),
    }
}

/// The node around a label that suits the part best, as long as it holds no other label.
fn find_row(page: &PageFeatures<'_>, part: &Features, text: NodeId) -> Option<NodeId> {
    let around = std::iter::once(text).chain(page.dom.ancestors(text));
    let rows = around
        .take_while(|node| page.shape(*node).n_labels == 1)
        .take(ROW_STEPS);
    let scored = rows.map(|node| (score(part, &page.features(node)), node));
    scored
        .filter(|(score, _)| *score > 0)
        .max_by_key(|(score, node)| (*score, node.0))
        .map(|(_, node)| node)
}

/// The node after a label that suits the part.
fn find_beside(page: &PageFeatures<'_>, part: &Features, text: NodeId) -> Option<NodeId> {
    let around = std::iter::once(text).chain(page.dom.ancestors(text));
    let alone = around.take_while(|node| page.shape(*node).n_texts == 1).last()?;
    let mut children = Vec::new();
    page.children(page.dom.parent(alone)?, &mut children);
    let beside = children.iter().filter(|(_, features)| features.heading == part.heading);
    beside
        .copied()
        .find(|(_, features)| score(part, features) > 0)
        .map(|(node, _)| node)
}

/// A row is at most this many elements above its label.
const ROW_STEPS: usize = 8;
