//! Naming: the keys of fields and lists.
//!
//! A field is called after the label before it or at the start of its row, else after the `itemprop`, `class` or `id` nearest above
//! it, else after its tag. Names are unique in a template, so that a key means one thing. Paper: RoadRunner's labeller (2003), without its renderer:
//! the tree stands in for the boxes on the screen.

use std::collections::HashMap;

use super::inference::Draft;
use super::template::{Item, Part, PartId, TextPart};

/// Names all fields and lists.
pub(super) fn name_fields(draft: &mut Draft<'_>) {
    let parents = parents(&draft.parts);
    let mut used: HashMap<String, usize> = HashMap::new();
    let mut shared: Vec<usize> = Vec::new();
    for index in 0..draft.parts.len() {
        let name = own_name(&draft.parts, &parents, index);
        if matches!(draft.parts[index].text, TextPart::Field(_)) {
            let known = shared
                .iter()
                .find(|&&other| is_alternative(draft, &parents, index, other, &name));
            let chosen = match known.map(|&other| &draft.parts[other].text) {
                Some(TextPart::Field(field)) => field.name.clone(),
                _ => unique(&name, &mut used),
            };
            let is_shared = known.is_some();
            shared.push(index);
            if let TextPart::Field(field) = &mut draft.parts[index].text {
                field.name = chosen;
                if is_shared {
                    // Its pieces might be other ones than those at the first place.
                    field.pieces.clear();
                }
                for piece in &mut field.pieces {
                    let end = as_key(&piece.before)
                        .or_else(|| as_key(&piece.after))
                        .unwrap_or_else(|| "part".to_owned());
                    piece.name = unique(&format!("{}_{end}", field.name), &mut used);
                }
            }
        }
        for position in 0..draft.parts[index].attributes.len() {
            let name = format!("{name}_{}", draft.parts[index].attributes[position].attribute);
            draft.parts[index].attributes[position].name = unique(&name, &mut used);
        }
        for position in 0..draft.parts[index].items.len() {
            if let Item::Repeat(repeat) = &draft.parts[index].items[position] {
                let first = repeat.parts[0].index();
                let base = own_name(&draft.parts, &parents, index);
                let name = if base == "text" {
                    own_name(&draft.parts, &parents, first)
                } else {
                    base
                };
                let name = unique(&format!("{name}_list"), &mut used);
                if let Item::Repeat(repeat) = &mut draft.parts[index].items[position] {
                    repeat.name = name;
                }
            }
        }
    }
}

/// Whether two fields are one and the same at two places: called the same, alike, and never on the same page.
fn is_alternative(draft: &Draft<'_>, parents: &[Option<PartId>], one: usize, other: usize, name: &str) -> bool {
    let parts = &draft.parts;
    let above = |index: usize| parents[index].map(|parent| &parts[parent.index()].pattern);
    let (Some(first), Some(second)) = (above(one), above(other)) else {
        return false;
    };
    first.tag == second.tag
        && first.classes == second.classes
        && own_name(parts, parents, other) == name
        && scope_of(parts, parents, one) == scope_of(parts, parents, other)
        && draft.places[one]
            .iter()
            .all(|(page, _)| draft.places[other].iter().all(|(its, _)| its != page))
}

/// The part whose rounds a part belongs to; `None` outside of lists.
fn scope_of(parts: &[Part], parents: &[Option<PartId>], index: usize) -> Option<usize> {
    let mut at = index;
    while let Some(parent) = parents[at] {
        let is_round = |item: &Item| matches!(item, Item::Repeat(repeat) if repeat.parts.contains(&PartId(at as u32)));
        if parts[parent.index()].items.iter().any(is_round) {
            return Some(parent.index());
        }
        at = parent.index();
    }
    None
}

/// The part that holds each part.
pub(super) fn parents(parts: &[Part]) -> Vec<Option<PartId>> {
    let mut parents = vec![None; parts.len()];
    for (index, part) in parts.iter().enumerate() {
        for child in part.items.iter().flat_map(Item::parts) {
            parents[child.index()] = Some(PartId(index as u32));
        }
    }
    parents
}

/// What a part is called: the nearest name, looking upward.
fn own_name(parts: &[Part], parents: &[Option<PartId>], index: usize) -> String {
    let mut at = Some(index);
    let mut fallback = None;
    for _ in 0..NAME_STEPS {
        let Some(here) = at else { break };
        let pattern = &parts[here].pattern;
        let is_field = matches!(parts[here].text, TextPart::Field(_));
        let label = if pattern.label.is_empty() || (here != index && !pattern.is_small) {
            &pattern.heading
        } else {
            &pattern.label
        };
        let _ = is_field;
        if let Some(name) = as_key(label) {
            return name;
        }
        let marks = pattern.classes.iter().chain(std::iter::once(&pattern.id));
        fallback = fallback.or_else(|| marks.filter_map(|mark| as_key(mark)).next());
        at = parents[here].map(PartId::index);
    }
    fallback.unwrap_or_else(|| match parents[index] {
        Some(parent) => as_key(&parts[parent.index()].pattern.tag).unwrap_or_else(|| "text".to_owned()),
        None => "text".to_owned(),
    })
}

/// So many parts are looked at upward.
const NAME_STEPS: usize = 4;

/// A text as a key: lower case, words joined by underscores.
pub(super) fn as_key(text: &str) -> Option<String> {
    let mut key = String::new();
    for word in text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(6)
    {
        if !key.is_empty() {
            key.push('_');
        }
        key.extend(word.chars().flat_map(char::to_lowercase));
    }
    (2..=60).contains(&key.chars().count()).then_some(key)
}

fn unique(name: &str, used: &mut HashMap<String, usize>) -> String {
    let mut count = used.get(name).copied().unwrap_or(0);
    loop {
        count += 1;
        let candidate = if count == 1 {
            name.to_owned()
        } else {
            format!("{name}_{count}")
        };
        if count == 1 || !used.contains_key(&candidate) {
            used.insert(name.to_owned(), count);
            if count > 1 {
                used.insert(candidate.clone(), 1);
            }
            return candidate;
        }
    }
}
