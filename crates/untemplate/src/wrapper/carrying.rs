//! Carrying: the parts of an old template, found on new pages.
//!
//! In: a template, and pairs of an old page that it reads and a new page about the same thing. Out:
//! for each node of the new pages the old part that it is ([`Carried`]), by the node of the old
//! page that corresponds to it (`correspondence.rs`); inference keeps such parts together, so that
//! lists stay lists and fields stay fields. Then, which new path stands for which old one.

use std::collections::BTreeMap;

use crate::page::Page;

use super::correspondence::corresponding;
use super::feature::{Origin, first_text};
use super::matcher::Matcher;
use super::template::{Item, PartId, Template, TextPart};

/// What the nodes of new pages were in an old template.
pub(super) struct Carried<'a> {
    pub template: &'a Template,
    /// By page, then by node; empty for pages of which nothing is known.
    pub origins: Vec<Vec<Origin>>,
}

impl<'a> Carried<'a> {
    /// Finds the parts on the new page of each pair.
    pub fn find(matcher: &'a Matcher, pairs: &[(&Page, usize)], new: &[&Page]) -> Self {
        let template = matcher.template();
        let is_listed = listed(template);
        let mut origins = vec![Vec::new(); new.len()];
        for &(old, number) in pairs {
            let page = new[number];
            let images = corresponding(&old.dom, &page.dom);
            let mut own = vec![Origin::NONE; page.dom.len()];
            for (part, node) in matcher.trace(old) {
                let is_text = matches!(template.parts[part.index()].text, TextPart::Field(_));
                // Inline mark-up around a text may come and go; the text is the part.
                let said = first_text(&old.dom, node).filter(|_| is_text).unwrap_or(node);
                if let Some(image) = images[said.index()] {
                    own[image.index()] = Origin::of(part.index(), is_listed[part.index()]);
                }
            }
            origins[number] = own;
        }
        Self { template, origins }
    }
}

/// Which parts are members of a list.
fn listed(template: &Template) -> Vec<bool> {
    let mut is_listed = vec![false; template.parts.len()];
    for item in template.parts.iter().flat_map(|part| &part.items) {
        if let Item::Repeat(repeat) = item {
            repeat.parts.iter().for_each(|part| is_listed[part.index()] = true);
        }
    }
    is_listed
}

/// The old and the new path of each value of parts that are known. Where several parts were one,
/// the one of most pages comes first.
pub(super) fn carried_paths(old: &Template, new: &Template, origins: &[Origin]) -> Vec<(String, String)> {
    let (before, after) = (paths_of(old), paths_of(new));
    let mut parts: Vec<usize> = (0..new.parts.len()).collect();
    parts.sort_by_key(|&part| std::cmp::Reverse(new.parts[part].seen));
    let mut found = Vec::new();
    for part in parts {
        let Some(origin) = origins[part].part() else { continue };
        for (slot, is) in &after[part] {
            if let Some(was) = before[origin].get(slot) {
                found.push((was.clone(), is.clone()));
            }
        }
    }
    found
}

/// What of a part a value is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Text,
    Piece(usize),
    Attribute(String),
}

/// The paths of each part's values.
fn paths_of(template: &Template) -> Vec<BTreeMap<Slot, String>> {
    let mut paths = vec![BTreeMap::new(); template.parts.len()];
    let mut waiting: Vec<(PartId, String)> = vec![(PartId(0), String::new())];
    while let Some((id, prefix)) = waiting.pop() {
        let Some(part) = template.parts.get(id.index()) else {
            continue;
        };
        let mut add = |slot: Slot, name: &str| {
            if !name.is_empty() {
                paths[id.index()].insert(slot, format!("{prefix}{name}"));
            }
        };
        if let TextPart::Field(field) = &part.text {
            add(Slot::Text, &field.name);
            let pieces = field.pieces.iter().enumerate();
            pieces.for_each(|(number, piece)| add(Slot::Piece(number), &piece.name));
        }
        for field in &part.attributes {
            add(Slot::Attribute(field.attribute.clone()), &field.name);
        }
        for item in &part.items {
            let inside = match item {
                Item::Repeat(repeat) if !repeat.name.is_empty() => format!("{prefix}{}.", repeat.name),
                _ => prefix.clone(),
            };
            waiting.extend(item.parts().iter().map(|&inner| (inner, inside.clone())));
        }
    }
    paths
}
