//! Pruning: what of a draft is no data.
//!
//! Menus, footers and boxes that every page repeats differ from row to row, but not from page to page: their fields are none. A link that
//! is called the same on every page leads to a form or a print view of the page, and is none either. Parts without a field inside them stay as
//! anchors for alignment, but what is inside them is left out.

use std::collections::BTreeMap;

use super::feature::{HashNumbers, hash_text, text_inside};
use super::inference::Draft;
use super::template::{Item, TextPart};

/// Leaves out what holds no data.
pub(super) fn prune(draft: &mut Draft<'_>) {
    for index in 0..draft.parts.len() {
        if matches!(draft.parts[index].text, TextPart::Field(_)) && is_boilerplate(draft, index) {
            let (page, node) = draft.places[index][0];
            draft.parts[index].text = TextPart::Constant(text_inside(draft.doms[page], node));
        }
    }
    let mut wanted = vec![false; draft.parts.len()];
    for index in (0..draft.parts.len()).rev() {
        let part = &draft.parts[index];
        let inner = part.items.iter().flat_map(Item::parts).any(|part| wanted[part.index()]);
        if part.pattern.tag == "a" && !inner {
            draft.parts[index].attributes.clear();
        }
        wanted[index] = draft.parts[index].has_own_data() || inner;
        if !inner {
            draft.parts[index].items.clear();
        }
    }
}

/// Whether the texts of a part are nearly the same on every page.
fn is_boilerplate(draft: &Draft<'_>, index: usize) -> bool {
    let mut pages: BTreeMap<usize, HashNumbers> = BTreeMap::new();
    for &(page, node) in &draft.places[index] {
        pages.entry(page).or_default().insert(hash_text(&text_inside(draft.doms[page], node)));
    }
    if pages.len() < 2 || pages.values().map(HashNumbers::len).max() < Some(2) {
        return false;
    }
    let sets: Vec<&HashNumbers> = pages.values().collect();
    let likeness = |pair: &[&HashNumbers]| {
        let n_shared = pair[0].intersection(pair[1]).count();
        n_shared as f64 / (pair[0].len() + pair[1].len() - n_shared) as f64
    };
    let total: f64 = sets.windows(2).map(likeness).sum();
    total / (sets.len() - 1) as f64 >= BOILERPLATE_MIN
}

/// How much of a list two pages share when it is no data.
const BOILERPLATE_MIN: f64 = 0.7;
