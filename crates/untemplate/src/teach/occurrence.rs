//! Where an example's value stands on its page.
//!
//! Whole text nodes first; where there are none, elements whose whole text it is; then values of
//! attributes that hold data; at last parts of a text between constant words, which a rule can
//! trim. The weaker kinds are looked for only where the stronger have none, since they match by
//! accident more often.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::page::{Dom, Name, NodeId, Page};
use crate::rule::{Selected, TextIndex, Trim, value_text};

/// Attributes whose values can be data.
const DATA_ATTRIBUTES: [Name; 5] = [Name::CONTENT, Name::ALT, Name::TITLE, Name::VALUE, Name::DATETIME];

/// Elements around a value that hold nothing else and are looked at.
const HOLDERS_MAX: usize = 3;

/// Letters of constant text before, or after, a value in one text: more is prose.
const AROUND_MAX: usize = 30;

/// Places of one value that are looked at: a value that stands everywhere ("1") says little.
const PLACES_MAX: usize = 24;

/// A place where a value stands, and the constant text around it there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Occurrence {
    pub place: Selected,
    pub trim: Trim,
}

/// The places of a value on a page, in document order.
pub(super) fn occurrences(page: &Page, texts: &TextIndex, value: &str) -> Vec<Occurrence> {
    let dom = &page.dom;
    let mut found: Vec<Occurrence> = Vec::new();
    for &node in texts.places(value).iter().take(PLACES_MAX) {
        found.extend(whole_occurrences(dom, Selected { node, attribute: None }, value));
    }
    if found.is_empty() {
        found = elements_reading(dom, value)
            .into_iter()
            .map(|node| whole(node, None))
            .collect();
    }
    if found.is_empty() {
        found = parts_reading(dom, texts, value);
    }
    if found.is_empty() {
        found = attributes_reading(dom, value)
            .into_iter()
            .map(|(node, name)| whole(node, Some(name)))
            .collect();
    }
    found.truncate(PLACES_MAX);
    found
}

fn whole(node: NodeId, attribute: Option<Name>) -> Occurrence {
    Occurrence {
        place: Selected { node, attribute },
        trim: Trim::default(),
    }
}

/// A place whose whole text is the value, and the elements around it that hold nothing else: where
/// mark-up around the value comes and goes, they stay.
pub(super) fn whole_occurrences(dom: &Dom, place: Selected, value: &str) -> Vec<Occurrence> {
    let mut found = vec![whole(place.node, place.attribute)];
    if place.attribute.is_none() {
        let same = dom
            .ancestors(place.node)
            .take(HOLDERS_MAX)
            .take_while(|&holder| dom.visible_text(holder) == value);
        found.extend(same.map(|holder| whole(holder, None)));
    }
    found
}

/// The innermost elements whose whole visible text is the value.
fn elements_reading(dom: &Dom, value: &str) -> Vec<NodeId> {
    let Some(first_word) = value.split_whitespace().next() else {
        return Vec::new();
    };
    let mut found: Vec<NodeId> = Vec::new();
    let mut looked_at: HashSet<NodeId, FixedState> = HashSet::default();
    // An element that reads so begins with a text node that begins so: only the ancestors of those
    // are read.
    for node in dom.nodes().filter(|&node| dom.is_text(node)) {
        let text = dom.text(node).trim_start();
        if text.is_empty() || !(text.starts_with(first_word) || first_word.starts_with(text.trim_end())) {
            continue;
        }
        for ancestor in dom.ancestors(node).take_while(|&ancestor| dom.is_element(ancestor)) {
            // Whoever looked at it before went on from there as far as there is to go: no element
            // is read twice.
            if !looked_at.insert(ancestor) {
                break;
            }
            let text = dom.visible_text(ancestor);
            if text == value {
                found.push(ancestor);
                break;
            }
            if text.len() > value.len() {
                break;
            }
        }
    }
    found
}

/// The texts that hold the value between other words, each with what stands around it.
fn parts_reading(dom: &Dom, texts: &TextIndex, value: &str) -> Vec<Occurrence> {
    let mut found = Vec::new();
    for (text, places) in texts.texts() {
        let trim = find_apart(text, value).and_then(|at| trim_around(text, value, at));
        let Some(trim) = trim else {
            continue;
        };
        found.extend(places.iter().map(|&node| Occurrence {
            place: Selected { node, attribute: None },
            trim: trim.clone(),
        }));
    }
    found.sort_by_key(|occurrence| occurrence.place);
    found.retain(|occurrence| !dom.is_unseen(occurrence.place.node));
    found
}

/// The constant text around a value at a place of a text; `None` where it is prose.
fn trim_around(text: &str, value: &str, at: usize) -> Option<Trim> {
    let trim = Trim {
        prefix: text[..at].trim_end().into(),
        suffix: text[at + value.len()..].trim_start().into(),
    };
    let n_letters = trim.prefix.chars().count().max(trim.suffix.chars().count());
    (n_letters <= AROUND_MAX).then_some(trim)
}

/// A value as a part of the text of a place: the one that `offset` letters stand before, or else
/// the first.
pub(super) fn part_at(dom: &Dom, place: Selected, value: &str, offset: Option<usize>) -> Option<Occurrence> {
    let text = value_text(dom, place);
    let said = offset.and_then(|letters| text.char_indices().map(|(at, _)| at).nth(letters));
    let at = said
        .filter(|&at| text[at..].starts_with(value))
        .or_else(|| find_apart(&text, value))?;
    let trim = trim_around(&text, value, at)?;
    Some(Occurrence { place, trim })
}

/// Where a value stands in a text with nothing that belongs to its words right before or after.
pub(super) fn find_apart(text: &str, value: &str) -> Option<usize> {
    if value.is_empty() {
        return None;
    }
    text.match_indices(value).map(|(at, _)| at).find(|&at| {
        let before = text[..at].chars().next_back();
        let after = text[at + value.len()..].chars().next();
        let splits = |outer: Option<char>, inner: Option<char>| {
            outer.is_some_and(char::is_alphanumeric) && inner.is_some_and(char::is_alphanumeric)
        };
        !splits(before, value.chars().next()) && !splits(after, value.chars().next_back())
    })
}

fn attributes_reading(dom: &Dom, value: &str) -> Vec<(NodeId, Name)> {
    let mut found = Vec::new();
    for node in dom.nodes().filter(|&node| dom.is_element(node)) {
        for name in DATA_ATTRIBUTES {
            let attribute = Some(name);
            if dom.attribute(node, name).is_some() && value_text(dom, Selected { node, attribute }) == value {
                found.push((node, name));
            }
        }
    }
    found
}
