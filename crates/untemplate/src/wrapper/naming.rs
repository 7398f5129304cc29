//! Naming: the keys of fields and lists.
//!
//! A field is called after the label before it or at the start of its row, else after the
//! `itemprop`, `class` or `id` nearest above it, else after its tag. Names are unique in a
//! template, so that a key means one thing. Paper: RoadRunner's labeller (2003), without its
//! renderer: the tree stands in for the boxes on the screen.

use std::collections::HashMap;

use super::inference::Draft;
use super::template::{Item, Part, PartId, TextPart};

/// Names all fields and lists.
pub(super) fn name_fields(draft: &mut Draft<'_>) {
    let parents = parents(&draft.parts);
    let scopes = scopes(&draft.parts);
    let names: Vec<String> = (0..draft.parts.len())
        .map(|index| own_name(&draft.parts, &parents, index))
        .collect();
    let mut used: HashMap<String, usize> = HashMap::new();
    let mut alike: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, name) in names.iter().enumerate() {
        if matches!(draft.parts[index].text, TextPart::Field(_)) {
            let others = alike.entry(name).or_default();
            let shared = shared_name(draft, others, |other| {
                is_alternative(draft, &parents, &scopes, index, other)
            });
            others.push(index);
            name_field(draft, index, name, shared, &mut used);
        }
        for field in &mut draft.parts[index].attributes {
            field.name = unique(&format!("{name}_{}", field.attribute), &mut used);
        }
        for item in &mut draft.parts[index].items {
            if let Item::Repeat(repeat) = item {
                let name = if name == "text" {
                    &names[repeat.parts[0].index()]
                } else {
                    name
                };
                repeat.name = unique(&format!("{name}_list"), &mut used);
            }
        }
    }
}

/// Names a field and its pieces.
fn name_field(
    draft: &mut Draft<'_>,
    index: usize,
    name: &str,
    shared: Option<String>,
    used: &mut HashMap<String, usize>,
) {
    let TextPart::Field(field) = &mut draft.parts[index].text else {
        return;
    };
    if let Some(shared) = shared {
        field.name = shared;
        // Its pieces might be other ones than those at the first place.
        field.pieces.clear();
        return;
    }
    field.name = unique(name, used);
    for piece in &mut field.pieces {
        let end = as_key(&piece.before)
            .or_else(|| as_key(&piece.after))
            .unwrap_or_else(|| "part".to_owned());
        piece.name = unique(&format!("{}_{end}", field.name), used);
    }
}

/// The name of fields that one more is an alternative of, all of them.
fn shared_name(draft: &Draft<'_>, others: &[usize], is_alternative: impl Fn(usize) -> bool) -> Option<String> {
    let name_of = |index: usize| match &draft.parts[index].text {
        TextPart::Field(field) => field.name.as_str(),
        _ => "",
    };
    let suits = |&&other: &&usize| {
        let same = others.iter().filter(|&&own| name_of(own) == name_of(other));
        same.copied().all(&is_alternative)
    };
    others
        .iter()
        .take(ALTERNATIVES_MAX)
        .find(suits)
        .map(|&other| name_of(other).to_owned())
}

/// This many fields of one name are compared with a new one.
const ALTERNATIVES_MAX: usize = 32;

/// Whether two fields are one and the same at two places: called the same, alike, and never on the
/// same page.
fn is_alternative(
    draft: &Draft<'_>,
    parents: &[Option<PartId>],
    scopes: &[Option<PartId>],
    one: usize,
    other: usize,
) -> bool {
    let above = |index: usize| parents[index].map(|parent| &draft.parts[parent.index()].pattern);
    let (Some(first), Some(second)) = (above(one), above(other)) else {
        return false;
    };
    first.tag == second.tag
        && first.classes == second.classes
        && scopes[one] == scopes[other]
        && draft.places[one]
            .iter()
            .all(|(page, _)| draft.places[other].iter().all(|(its, _)| its != page))
}

/// The part whose rounds each part belongs to; `None` outside of lists.
fn scopes(parts: &[Part]) -> Vec<Option<PartId>> {
    let mut scopes = vec![None; parts.len()];
    for (index, part) in parts.iter().enumerate() {
        for item in &part.items {
            let scope = match item {
                Item::One(_) => scopes[index],
                Item::Repeat(_) => Some(PartId(index as u32)),
            };
            for child in item.parts() {
                scopes[child.index()] = scope;
            }
        }
    }
    scopes
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
        let label = if pattern.label.is_empty() || (here != index && !pattern.is_small) {
            &pattern.heading
        } else {
            &pattern.label
        };
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

/// This many parts are looked at upward.
const NAME_STEPS: usize = 4;

/// A text as a key: lower case, words joined by underscores.
pub fn as_key(text: &str) -> Option<String> {
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
