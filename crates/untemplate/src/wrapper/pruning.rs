//! Pruning: what of a draft is no data.
//!
//! Menus, footers and boxes that every page repeats differ from row to row, but not from page to
//! page: their fields are none. A link that is called the same on every page leads to a form or a
//! print view of the page, and is none either. Parts without a field inside them stay as anchors
//! for alignment, but what is inside them is left out.

use std::collections::BTreeMap;

use super::feature::{HashMapOf, HashNumbers, hash_more, hash_text, text_inside};
use super::inference::Draft;
use super::naming::parents;
use super::template::{Field, Item, Part, PartId, TextPart};

/// Leaves out what holds no data.
pub(super) fn prune(draft: &mut Draft<'_>) {
    keep_named_constants(draft);
    leave_out_boilerplate(draft);
    leave_out_echoes(draft);
    let mut wanted = vec![false; draft.parts.len()];
    for index in (0..draft.parts.len()).rev() {
        let part = &draft.parts[index];
        let inner = part.items.iter().flat_map(Item::parts).any(|part| wanted[part.index()]);
        if part.pattern.tag == "a" && !inner && draft.old_part(index).is_none() {
            draft.parts[index].attributes.clear();
        }
        wanted[index] = draft.parts[index].has_own_data() || inner;
        if !inner {
            draft.parts[index].items.clear();
        }
    }
}

/// Leaves out lists that pages share, and what one page alone has. A list is judged as a whole: a
/// column with few values is data when the one beside it is.
fn leave_out_boilerplate(draft: &mut Draft<'_>) {
    let lists = lists_of(&draft.parts);
    let is_field = |draft: &Draft<'_>, index: usize| matches!(draft.parts[index].text, TextPart::Field(_));
    let mut n_data = vec![0u32; draft.parts.len() + 1];
    let boilerplate: Vec<bool> = (0..draft.parts.len())
        .map(|index| is_field(draft, index) && is_boilerplate(draft, index))
        .collect();
    for index in (0..draft.parts.len()).filter(|&index| is_field(draft, index) && !boilerplate[index]) {
        n_data[lists[index]] += 1;
    }
    for index in 0..draft.parts.len() {
        let is_shared = boilerplate[index] && n_data[lists[index]] == 0;
        let is_kept = draft.old_part(index).is_some();
        if is_field(draft, index) && !is_kept && (is_shared || is_rare(draft, index)) {
            draft.parts[index].text = TextPart::LeftOut;
        }
    }
}

/// The list that each part is in, as the number of its first part; the number of parts for those in
/// none.
fn lists_of(parts: &[Part]) -> Vec<usize> {
    let mut lists = vec![parts.len(); parts.len()];
    for index in 0..parts.len() {
        for item in &parts[index].items {
            let list = match item {
                Item::One(_) => lists[index],
                Item::Repeat(repeat) => repeat.parts[0].index(),
            };
            for child in item.parts() {
                lists[child.index()] = list;
            }
        }
    }
    lists
}

/// A text right under a label is a value, even when all training pages have the same: others may
/// not.
fn keep_named_constants(draft: &mut Draft<'_>) {
    let parents = parents(&draft.parts);
    for index in 0..draft.parts.len() {
        let TextPart::Constant(text) = &draft.parts[index].text else {
            continue;
        };
        if !draft.parts[index].pattern.label.is_empty() || text.len() > CONSTANT_BYTES || draft.parts[index].seen < 2 {
            continue;
        }
        let above = || std::iter::successors(Some(index), |&at| parents[at].map(PartId::index)).take(3);
        let is_named =
            above().any(|at| !draft.parts[at].pattern.heading.is_empty() && draft.parts[at].pattern.is_small);
        let is_button = above().any(|at| matches!(draft.parts[at].pattern.tag.as_str(), "a" | "button" | "label"));
        if is_named && !is_button {
            draft.parts[index].text = TextPart::Field(Field {
                name: String::new(),
                pieces: Vec::new(),
            });
        }
    }
}

/// Longer texts that are always the same are instructions.
const CONSTANT_BYTES: usize = 60;

/// Whether a part is on one page alone, of many, and has no name: such a text is an accident of
/// that page.
fn is_rare(draft: &Draft<'_>, index: usize) -> bool {
    let first = draft.places[index][0].0;
    let pattern = &draft.parts[index].pattern;
    draft.doms.len() >= 4
        && pattern.label.is_empty()
        && pattern.heading.is_empty()
        && draft.places[index].iter().all(|(page, _)| *page == first)
}

/// Leaves out fields that say on every page what another one says: the last of them stays when it
/// alone has a label, else the first.
fn leave_out_echoes(draft: &mut Draft<'_>) {
    let mut known: HashMapOf<u64, usize> = HashMapOf::default();
    for index in 0..draft.parts.len() {
        if !matches!(draft.parts[index].text, TextPart::Field(_)) || draft.places[index].len() < 2 {
            continue;
        }
        let said = draft.places[index]
            .iter()
            .fold(hash_text("said"), |hash, &(page, node)| {
                let hash = hash_more(hash, &page.to_le_bytes());
                hash_more(hash, text_inside(draft.doms[page], node).as_bytes())
            });
        let has_label = |index: usize| {
            !draft.parts[index].pattern.label.is_empty() || !draft.parts[index].pattern.heading.is_empty()
        };
        let is_old = |index: usize| draft.old_part(index).is_some();
        match known.get(&said).copied() {
            None => drop(known.insert(said, index)),
            Some(first) if is_old(first) && is_old(index) => {}
            Some(first) if !is_old(first) && (is_old(index) || has_label(index) && !has_label(first)) => {
                draft.parts[first].text = TextPart::LeftOut;
                known.insert(said, index);
            }
            Some(_) => draft.parts[index].text = TextPart::LeftOut,
        }
    }
}

/// Whether the texts of a part are nearly the same on every page.
fn is_boilerplate(draft: &Draft<'_>, index: usize) -> bool {
    let mut pages: BTreeMap<usize, HashNumbers> = BTreeMap::new();
    for &(page, node) in &draft.places[index] {
        pages
            .entry(page)
            .or_default()
            .insert(hash_text(&text_inside(draft.doms[page], node)));
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
