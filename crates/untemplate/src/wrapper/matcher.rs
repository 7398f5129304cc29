//! Matchers: templates compiled for reading pages.
//!
//! A [`Matcher`] holds what alignment compares as numbers, and knows which parts have data inside
//! them, so that menus and footers are never entered.

use std::collections::HashMap;
use std::sync::Arc;

use crate::page::{Name, Names};

use super::feature::{Features, HashNumbers, Origin, class_bit, hash_label, hash_text};
use super::template::{Item, Part, PartId, Template, TextPart};

/// A template, ready to read pages.
#[derive(Debug, Clone)]
pub struct Matcher {
    pub(super) template: Template,
    pub(super) labels: HashNumbers,
    pub(super) parts: Vec<CompiledPart>,
    /// The parts outside of lists that have a label, and data.
    pub(super) labelled: Vec<PartId>,
}

/// A part as numbers.
#[derive(Debug, Clone)]
pub(super) struct CompiledPart {
    pub features: Features,
    /// Whether there is data at it or inside it.
    pub is_wanted: bool,
    /// How many places with data every page has in it; a list counts as one.
    pub n_required: usize,
    /// The keys of its own data: the text, its pieces, its attributes, in this order.
    pub keys: Vec<Key>,
    /// The names of its attributes that mean the same on every page; of others none.
    pub attributes: Vec<Option<Name>>,
    /// The keys of its lists, one for each item; of other items none.
    pub list_keys: Vec<Option<Arc<str>>>,
}

/// A key of a record.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub name: Arc<str>,
    /// Whether another part has the same, so that a record might get it twice.
    pub is_shared: bool,
}

impl Matcher {
    /// Compiles a template.
    pub fn new(template: Template) -> Self {
        let labels = template.labels.iter().map(|label| hash_label(label)).collect();
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for name in template.parts.iter().flat_map(keys_of) {
            *counts.entry(name).or_default() += 1;
        }
        let mut parts: Vec<CompiledPart> = template.parts.iter().map(|part| compile(part, &counts)).collect();
        for index in (0..parts.len()).rev() {
            let always = |item: &Item| match item {
                Item::One(part) if !template.parts[part.index()].is_optional() => parts[part.index()].n_required,
                Item::One(_) => 0,
                Item::Repeat(repeat) => usize::from(repeat.parts.iter().any(|part| parts[part.index()].is_wanted)),
            };
            let n_inside: usize = template.parts[index].items.iter().map(always).sum();
            parts[index].n_required += n_inside;
            let inner = template.parts[index].items.iter().flat_map(Item::parts);
            parts[index].is_wanted |= inner.into_iter().any(|part| parts[part.index()].is_wanted);
        }
        let labelled = labelled_parts(&template, &parts);
        Self {
            template,
            labels,
            parts,
            labelled,
        }
    }

    /// The template.
    pub fn template(&self) -> &Template {
        &self.template
    }

    pub(super) fn part(&self, id: PartId) -> &Part {
        &self.template.parts[id.index()]
    }
}

/// The keys of a part's own data.
fn keys_of(part: &Part) -> impl Iterator<Item = &str> {
    let field = match &part.text {
        TextPart::Field(field) => Some(field),
        _ => None,
    };
    let pieces = field
        .into_iter()
        .flat_map(|field| field.pieces.iter().map(|piece| piece.name.as_str()));
    let attributes = part.attributes.iter().map(|field| field.name.as_str());
    field
        .map(|field| field.name.as_str())
        .into_iter()
        .chain(pieces)
        .chain(attributes)
}

fn compile(part: &Part, counts: &HashMap<&str, usize>) -> CompiledPart {
    let pattern = &part.pattern;
    let label = |text: &str| if text.is_empty() { 0 } else { hash_label(text) };
    let features = Features {
        name: hash_text(&pattern.tag),
        id: if pattern.id.is_empty() {
            0
        } else {
            hash_text(&pattern.id)
        },
        class_bits: pattern
            .classes
            .iter()
            .fold(0, |bits, word| bits | class_bit(hash_text(word))),
        label: label(&pattern.label),
        lead: label(&pattern.lead),
        heading: label(&pattern.heading),
        is_small: pattern.is_small,
        is_phrase: pattern.tag == "#phrase",
        holds_always: pattern.holds_always,
        holds_ever: pattern.holds_ever,
        origin: Origin::NONE,
    };
    let keys = keys_of(part).map(|name| Key {
        name: name.into(),
        is_shared: counts.get(name).is_some_and(|count| *count > 1),
    });
    let list_keys = part.items.iter().map(|item| match item {
        Item::Repeat(repeat) => Some(repeat.name.as_str().into()),
        Item::One(_) => None,
    });
    let names = Names::default();
    CompiledPart {
        features,
        is_wanted: part.has_own_data(),
        n_required: usize::from(part.has_own_data()),
        keys: keys.collect(),
        attributes: part
            .attributes
            .iter()
            .map(|field| names.find(&field.attribute))
            .collect(),
        list_keys: list_keys.collect(),
    }
}

/// The parts outside of lists that have a label, and data; not those inside one that has the same.
fn labelled_parts(template: &Template, parts: &[CompiledPart]) -> Vec<PartId> {
    let mut outside = vec![true; parts.len()];
    let mut names = vec![0; parts.len()];
    let mut result = Vec::new();
    for (index, part) in template.parts.iter().enumerate() {
        let features = &parts[index].features;
        let name = if features.label != 0 {
            features.label
        } else {
            features.heading
        };
        if outside[index] && name != 0 && name != names[index] && parts[index].is_wanted && features.is_small {
            result.push(PartId(index as u32));
        }
        let inner = if name != 0 { name } else { names[index] };
        for item in &part.items {
            for child in item.parts() {
                outside[child.index()] = outside[index] && matches!(item, Item::One(_));
                names[child.index()] = inner;
            }
        }
    }
    result
}
