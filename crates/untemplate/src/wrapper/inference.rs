//! Inference: pages of a class to a template.
//!
//! In: pages made by one template, with no labels by hand. Out: a [`Template`]. From the root down,
//! the nodes that stand for one part on all pages are taken together, and their children are
//! aligned: by tag, `id`, classes, by the labels they begin with or stand under, and by what they
//! hold. Children that repeat become a list. What pages have in common is template, texts and
//! attributes that differ are fields. It always ends with a template: pages that do not agree get
//! optional parts. Paper: RoadRunner (2001) asks for the least general expression that all pages
//! match; this departs from it by aligning trees from the top instead of token lists from the left,
//! which is near-linear, degrades where pages differ and nowhere else, and lets labels decide what
//! order alone cannot.

use std::collections::VecDeque;

use crate::page::{Dom, Name, NodeId, Page, without_numbers};

use super::carrying::Carried;
use super::column::{Column, columns_of};
use super::extraction::Extraction;
use super::feature::{
    Features, HashMapOf, HashNumbers, Origin, PHRASE, PageFeatures, TEXT, class_bit, class_words, hash_label,
    hash_text, text_inside,
};
use super::label::learn_labels;
use super::markup::MarkupProfile;
use super::matcher::Matcher;
use super::naming::name_fields;
use super::piece::find_pieces;
use super::pruning::prune;
use super::repetition::{Children, repeating_kinds, spread_origins};
use super::rounds::tandem_kinds;
use super::sibling_label::drop_false_labels;
use super::template::{AttributeField, Field, Item, Part, PartId, Pattern, Piece, Repeat, Template, TextPart};
use super::verification::counts_of;

/// A node of a training page.
pub(super) type PageNode = (usize, NodeId);

/// A template in the making.
pub(super) struct Draft<'a> {
    pub doms: Vec<&'a Dom>,
    pub parts: Vec<Part>,
    /// The nodes that each part stands for.
    pub places: Vec<Vec<PageNode>>,
    pub label_texts: HashMapOf<u64, String>,
    /// The template whose parts nodes may be, and which of them each part is.
    pub carried: Option<&'a Carried<'a>>,
    pub origins: Vec<Origin>,
}

impl<'a> Draft<'a> {
    fn new(doms: Vec<&'a Dom>, labels: &[String], carried: Option<&'a Carried<'a>>) -> Self {
        Draft {
            doms,
            parts: Vec::new(),
            places: Vec::new(),
            label_texts: labels.iter().map(|label| (hash_label(label), label.clone())).collect(),
            carried,
            origins: Vec::new(),
        }
    }

    /// Those of the labels that no part has.
    fn unused(&self, labels: &HashNumbers) -> HashNumbers {
        let mut unused = labels.clone();
        for pattern in self.parts.iter().map(|part| &part.pattern) {
            for label in [&pattern.label, &pattern.lead, &pattern.heading] {
                unused.remove(&hash_label(label));
            }
        }
        unused
    }
}

impl Draft<'_> {
    /// The part of the older template that a part is.
    pub fn old_part(&self, index: usize) -> Option<&Part> {
        self.carried?.template.parts.get(self.origins[index].part()?)
    }
}

/// The template of pages that one template made.
pub fn infer_template(pages: &[&Page]) -> Template {
    infer(pages, None).0
}

/// The template of pages some of whose nodes are known to be parts of an older template: those are
/// aligned with each other, lists stay lists, fields stay fields. With it, which old part each part
/// is.
pub(super) fn infer_carried(pages: &[&Page], carried: &Carried<'_>) -> (Template, Vec<Origin>) {
    infer(pages, Some(carried))
}

fn infer(pages: &[&Page], carried: Option<&Carried<'_>>) -> (Template, Vec<Origin>) {
    let doms: Vec<&Dom> = pages.iter().map(|page| &page.dom).collect();
    let (mut numbers, mut labels) = learn_labels(&doms);
    let mut draft = Draft::new(doms, &labels, carried);
    let dropped = grow(&mut draft, &numbers);
    let unused = draft.unused(&dropped);
    if !unused.is_empty() {
        // What names nothing must not be taken for a name when pages are read.
        numbers.retain(|label| !unused.contains(label));
        labels.retain(|label| !unused.contains(&hash_label(label)));
        draft = Draft::new(draft.doms, &labels, carried);
        grow(&mut draft, &numbers);
    }
    prune(&mut draft);
    name_fields(&mut draft);
    let origins = draft.origins;
    let template = Template {
        labels,
        parts: draft.parts,
        counts: Vec::new(),
        markup: MarkupProfile::of(pages),
    };
    // What the template reads of the pages it was inferred from is what it is verified against.
    let matcher = Matcher::new(template);
    let extractions: Vec<Extraction> = pages.iter().map(|page| matcher.extract(page)).collect();
    let template = Template {
        counts: counts_of(&extractions),
        ..matcher.template
    };
    (template, origins)
}

/// Aligns from the root down. Returns the labels that were taken from nodes.
fn grow(draft: &mut Draft<'_>, labels: &HashNumbers) -> HashNumbers {
    let mut dropped = HashNumbers::default();
    let mut pages: Vec<PageFeatures<'_>> = draft.doms.iter().map(|dom| PageFeatures::new(dom, labels)).collect();
    if let Some(carried) = draft.carried {
        for (page, origins) in pages.iter_mut().zip(&carried.origins) {
            page.origins = origins;
        }
    }
    let roots: Vec<PageNode> = draft
        .doms
        .iter()
        .enumerate()
        .filter_map(|(page, dom)| Some((page, dom.find(Name::HTML)?)))
        .collect();
    let pattern = Features {
        name: hash_text("html"),
        ..Features::default()
    };
    let root = add_part(draft, &pattern, roots, pages.len());
    let mut waiting = VecDeque::from([root]);
    let mut buffer = Vec::new();
    while let Some(part) = waiting.pop_front() {
        let places = draft.places[part.index()].clone();
        let mut sequences: Vec<Children> = Vec::with_capacity(places.len());
        for &(page, node) in &places {
            pages[page].children(node, &mut buffer);
            sequences.push(buffer.clone());
        }
        let listed = spread_origins(&mut sequences);
        dropped.extend(drop_false_labels(&mut sequences));
        let text_of = |sequence: usize, node: NodeId| hash_text(&text_inside(draft.doms[places[sequence].0], node));
        let mut repeating = repeating_kinds(&sequences, text_of);
        repeating.extend(tandem_kinds(&sequences));
        repeating.extend(listed);
        for column in columns_of(&sequences, &repeating) {
            let item = add_item(draft, &column, &places, &mut waiting);
            draft.parts[part.index()].items.push(item);
        }
    }
    dropped
}

/// Makes the parts of a column.
fn add_item(draft: &mut Draft<'_>, column: &Column, places: &[PageNode], waiting: &mut VecDeque<PartId>) -> Item {
    let mut parts = Vec::new();
    let mut n_rounds = 0;
    for (index, (_, features)) in column.kinds.iter().enumerate() {
        let members = column.members.iter().filter(|(_, kind, _)| *kind == index);
        let own: Vec<PageNode> = members.map(|&(sequence, _, node)| (places[sequence].0, node)).collect();
        n_rounds = n_rounds.max(own.len());
        let part = add_part(draft, features, own, places.len());
        if features.name != TEXT && features.name != PHRASE {
            waiting.push_back(part);
        }
        parts.push(part);
    }
    if !column.is_repeat {
        return Item::One(parts[0]);
    }
    for part in &parts {
        draft.parts[part.index()].places = n_rounds as u32;
    }
    let mut with_rounds: Vec<usize> = column.members.iter().map(|&(sequence, _, _)| sequence).collect();
    with_rounds.sort_unstable();
    with_rounds.dedup();
    Item::Repeat(Repeat {
        name: String::new(),
        parts,
        seen: with_rounds.len() as u32,
        places: places.len() as u32,
    })
}

fn add_part(draft: &mut Draft<'_>, features: &Features, places: Vec<PageNode>, n_places: usize) -> PartId {
    let id = PartId(draft.parts.len() as u32);
    let pattern = pattern_of(draft, features, &places);
    draft.origins.push(features.origin);
    let old = draft.old_part(id.index());
    let (text, attributes) = match features.name == TEXT || features.name == PHRASE {
        true => (
            carried_text(old).unwrap_or_else(|| text_part(draft, &places)),
            Vec::new(),
        ),
        false => (TextPart::None, attribute_fields(draft, &places, old)),
    };
    draft.parts.push(Part {
        pattern,
        seen: places.len() as u32,
        places: n_places as u32,
        items: Vec::new(),
        text,
        attributes,
    });
    draft.places.push(places);
    id
}

/// The pattern of features, in words that the first page has.
pub(super) fn pattern_of(draft: &Draft<'_>, features: &Features, places: &[PageNode]) -> Pattern {
    let label = |hash: u64| draft.label_texts.get(&hash).cloned().unwrap_or_default();
    let mut pattern = Pattern {
        tag: "#text".to_owned(),
        label: label(features.label),
        lead: label(features.lead),
        heading: label(features.heading),
        is_small: features.is_small,
        holds_always: features.holds_always,
        holds_ever: features.holds_ever,
        ..Pattern::default()
    };
    let Some(&(page, node)) = places.first() else {
        return pattern;
    };
    let dom = draft.doms[page];
    if features.name == PHRASE {
        pattern.tag = "#phrase".to_owned();
    }
    if features.name == TEXT || features.name == PHRASE {
        return pattern;
    }
    pattern.tag = dom.name_text(node).to_owned();
    if features.id != 0 {
        pattern.id = id_of(dom, node);
    }
    let classes = class_words(dom.attribute(node, Name::CLASS).unwrap_or_default());
    pattern.classes = classes
        .filter(|word| features.class_bits & class_bit(hash_text(word)) != 0)
        .collect();
    pattern
}

/// The `id` of an element, and the name of what a page says of itself.
fn id_of(dom: &Dom, node: NodeId) -> String {
    if dom.name(node) != Some(Name::META) {
        return without_numbers(dom.attribute(node, Name::ID).unwrap_or_default());
    }
    let names = [Name::NAME, Name::PROPERTY, Name::HTTP_EQUIV];
    let name = dom.attributes(node).filter(|(name, _)| names.contains(name)).last();
    name.map(|(_, value)| value.to_owned()).unwrap_or_default()
}

/// What was a field is one, with the pieces that it had; names come later.
fn carried_text(old: Option<&Part>) -> Option<TextPart> {
    let TextPart::Field(field) = &old?.text else {
        return None;
    };
    let unnamed = |piece: &Piece| Piece {
        name: String::new(),
        ..piece.clone()
    };
    Some(TextPart::Field(Field {
        name: String::new(),
        pieces: field.pieces.iter().map(unnamed).collect(),
    }))
}

/// A text is template when all pages have the same.
fn text_part(draft: &Draft<'_>, places: &[PageNode]) -> TextPart {
    let texts: Vec<String> = places
        .iter()
        .map(|&(page, node)| text_inside(draft.doms[page], node))
        .collect();
    let Some(first) = texts.first() else {
        return TextPart::None;
    };
    match texts.iter().any(|text| text != first) {
        true => TextPart::Field(Field {
            name: String::new(),
            pieces: find_pieces(&texts),
        }),
        false => TextPart::Constant(first.clone()),
    }
}

/// The attributes that are data: where a link leads, what a picture shows, unless all pages have
/// the same and it was no data before.
fn attribute_fields(draft: &Draft<'_>, places: &[PageNode], old: Option<&Part>) -> Vec<AttributeField> {
    let Some(&(page, node)) = places.first() else {
        return Vec::new();
    };
    let attributes: &[(Name, &str)] = match draft.doms[page].name(node) {
        Some(Name::A) => &[(Name::HREF, "href")],
        Some(Name::IMG) => &[(Name::SRC, "src")],
        Some(Name::META) => &[(Name::CONTENT, "content")],
        Some(Name::TIME) => &[(Name::DATETIME, "datetime")],
        _ => &[],
    };
    let value_at = |&(page, node): &PageNode, name: Name| draft.doms[page].attribute(node, name);
    let differs = |name: Name| {
        let mut values = places.iter().filter_map(|place| value_at(place, name));
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    let was_data = |attribute: &str| {
        let mut before = old.iter().flat_map(|part| &part.attributes);
        before.any(|field| field.attribute == attribute)
    };
    let found = attributes
        .iter()
        .filter(|(name, attribute)| was_data(attribute) || differs(*name));
    found
        .map(|(_, attribute)| AttributeField {
            attribute: (*attribute).to_owned(),
            name: String::new(),
        })
        .collect()
}
