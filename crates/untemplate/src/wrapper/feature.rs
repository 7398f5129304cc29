//! Features: what alignment compares in a node, as numbers.
//!
//! In: a page. Out: for each node what its subtree holds ([`Shapes`]), and for the children of a
//! node their [`Features`]: tag, `id`, classes, the label a child begins with and the label before
//! it. Numbers are FNV-1a hashes, which stay the same over versions, since wrappers store sets of
//! them.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::page::{Dom, Name, NodeId, push_collapsed};

pub(super) use super::hash::*;

/// A set of hashes.
pub(super) type HashNumbers = HashSet<u64, FixedState>;

/// What alignment compares.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Features {
    /// The tag; [`TEXT`] for a text.
    pub name: u64,
    /// The `id`; 0 for none.
    pub id: u64,
    /// The set of classes; 0 for none.
    pub class_bits: u64,
    /// The label it begins with; 0 for none.
    pub label: u64,
    /// The label it begins with when it holds others, too; 0 for none.
    pub lead: u64,
    /// The label before it; 0 for none.
    pub heading: u64,
    /// Whether it is so small that its label must name it.
    pub is_small: bool,
    /// Whether it is one text, maybe inside inline mark-up.
    pub is_phrase: bool,
    /// What it surely holds.
    pub holds_always: u128,
    /// What it may hold.
    pub holds_ever: u128,
    /// The part of an older template that it is.
    pub origin: Origin,
}

/// The part of an older template that a node of a new page is, if that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord)]
pub(super) struct Origin(u32);

impl Origin {
    /// Not known.
    pub const NONE: Self = Self(0);
    /// The part is one of a list's.
    const LISTED: u32 = 1 << 31;

    pub fn of(part: usize, is_listed: bool) -> Self {
        Self((part as u32 + 1) | if is_listed { Self::LISTED } else { 0 })
    }

    /// The number of the part.
    pub fn part(self) -> Option<usize> {
        ((self.0 & !Self::LISTED) as usize).checked_sub(1)
    }

    pub fn is_listed(self) -> bool {
        self.0 & Self::LISTED != 0
    }

    pub fn to_bytes(self) -> [u8; 4] {
        self.0.to_le_bytes()
    }
}

/// The name of texts.
pub(super) const TEXT: u64 = hash_text("#text");

/// The name of what is a text on some pages, and a text inside inline mark-up on others.
pub(super) const PHRASE: u64 = hash_text("#phrase");

/// What a node holds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shape {
    /// What is inside it, as a set of hashes of tags and labels.
    pub holds: u128,
    /// Of a text, the label that it is or begins with.
    pub label: u64,
    /// How many texts there are inside it, itself included.
    pub n_texts: u32,
    /// How many labels.
    pub n_labels: u32,
    /// The first text inside it, where there is one.
    pub first_text: u32,
    /// Whether a text in it begins with a label, and goes on.
    pub is_prefix: bool,
    /// Whether alignment looks at it.
    pub is_seen: bool,
}

/// What the nodes of a page hold.
pub(super) struct Shapes {
    /// Node by node.
    pub nodes: Vec<Shape>,
    /// The labels of the page, last first, with their texts.
    pub labels: Vec<(u64, NodeId)>,
    /// The hashes of tags, by the numbers of their names.
    names: Vec<u64>,
}

/// The features of a page's nodes, on demand.
pub(super) struct PageFeatures<'a> {
    pub dom: &'a Dom,
    pub shapes: Shapes,
    /// What nodes are in an older template, by their numbers; empty where there is none.
    pub origins: &'a [Origin],
}

impl<'a> PageFeatures<'a> {
    /// Prepares a page.
    pub fn new(dom: &'a Dom, labels: &'a HashNumbers) -> Self {
        let shapes = shapes(dom, labels);
        Self {
            dom,
            shapes,
            origins: &[],
        }
    }

    /// The children that alignment looks at, and their features.
    pub fn children(&self, node: NodeId, into: &mut Vec<(NodeId, Features)>) {
        into.clear();
        let mut heading = 0;
        for child in self.dom.children(node).filter(|&child| self.shape(child).is_seen) {
            let mut features = self.features(child);
            match features.label {
                0 => features.heading = heading,
                // What begins with its label, and goes on, names itself and not what follows.
                label if self.shape(child).n_texts == 1 && !self.shape(child).is_prefix => heading = label,
                _ => features.heading = heading,
            }
            into.push((child, features));
        }
    }

    /// What a node holds.
    #[inline]
    pub fn shape(&self, node: NodeId) -> &Shape {
        &self.shapes.nodes[node.index()]
    }

    /// The features of a node, but for its heading.
    pub fn features(&self, node: NodeId) -> Features {
        let dom = self.dom;
        let shape = self.shape(node);
        let Some(name) = dom.name(node) else {
            return Features {
                name: TEXT,
                origin: self.origin(node),
                label: shape.label,
                is_small: true,
                is_phrase: true,
                ..Features::default()
            };
        };
        let (mut id, mut class_bits) = (0, 0);
        for (attribute, value) in dom.attributes(node) {
            match attribute {
                // What a page says of itself is told apart by its name alone.
                Name::NAME | Name::PROPERTY | Name::HTTP_EQUIV if name == Name::META => {
                    id = hash_text(value);
                }
                Name::ID if !value.is_empty() => id = hash_without_digits(value),
                Name::CLASS => class_bits = class_set(value),
                _ => {}
            }
        }
        let first = if shape.n_labels == 0 {
            0
        } else {
            self.shapes.nodes[shape.first_text as usize].label
        };
        // A label names the node when there is no other: what has several holds rows.
        let is_row = shape.n_labels == 1;
        Features {
            name: self.shapes.names[name.index()],
            id,
            class_bits,
            label: if is_row { first } else { 0 },
            lead: if is_row { 0 } else { first },
            heading: 0,
            is_small: shape.n_texts <= SMALL_TEXTS,
            is_phrase: shape.n_texts == 1 && dom.is_inline(node),
            holds_always: shape.holds,
            holds_ever: shape.holds,
            origin: self.origin(node),
        }
    }

    #[inline]
    fn origin(&self, node: NodeId) -> Origin {
        self.origins.get(node.index()).copied().unwrap_or_default()
    }
}

/// An element with at most this many texts is named by the label it begins with.
pub(super) const SMALL_TEXTS: u32 = 8;

/// Whether alignment looks at a node: not at scripts, comments, line breaks, lists of options, and
/// texts without letters or digits.
#[inline]
pub(super) fn is_seen(dom: &Dom, node: NodeId) -> bool {
    if dom.is_text(node) {
        return is_said(dom.text(node)) || stands_alone(dom, node);
    }
    let is_empty_mark = matches!(
        dom.name(node),
        Some(Name::BR | Name::HR | Name::WBR | Name::LINK | Name::SELECT | Name::OPTION | Name::NOSCRIPT | Name::INPUT)
    );
    !is_empty_mark && !dom.is_unseen(node)
}

/// Whether a text is all that its block holds, inline mark-up aside, and not blank: a dash in a cell
/// is a value, one between links is none.
fn stands_alone(dom: &Dom, text: NodeId) -> bool {
    if dom.text(text).trim().is_empty() {
        return false;
    }
    let mut inner = text;
    while let Some(parent) = dom.parent(inner) {
        let is_beside = |node: &NodeId| *node != inner && (!dom.is_text(*node) || !dom.text(*node).trim().is_empty());
        let mut children = dom.children(parent);
        let has_others = children.by_ref().take(BLANKS_MAX).any(|node| is_beside(&node)) || children.next().is_some();
        if has_others || dom.is_html(parent, Name::A) {
            return false;
        }
        if !dom.is_inline(parent) {
            return true;
        }
        inner = parent;
    }
    false
}

/// A text that stands alone has fewer blanks around it.
const BLANKS_MAX: usize = 4;

/// Whether a text says anything: a letter or a digit.
#[inline]
pub(super) fn is_said(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_alphanumeric()) || !text.is_ascii() && text.chars().any(char::is_alphanumeric)
}

/// The label that a text is, or begins with; 0 when there is none. What ends in a colon is a label
/// even when no page had it before, unless it is a number: ranks name nothing.
fn text_label(text: &str, labels: &HashNumbers) -> u64 {
    if text.len() > LABEL_BYTES {
        return prefix_label(text, labels);
    }
    let hash = hash_label(text);
    let names = text.ends_with(':') && text.contains(char::is_alphabetic);
    match names || labels.contains(&hash) {
        true => hash,
        false => prefix_label(text, labels),
    }
}

/// The label before a text's first colon or number, when it is known.
fn prefix_label(text: &str, labels: &HashNumbers) -> u64 {
    let prefixes = [label_prefix(text), number_prefix(text)];
    let mut hashes = prefixes.into_iter().flatten().map(hash_label);
    hashes.find(|hash| labels.contains(hash)).unwrap_or(0)
}

/// The words before the number that a text ends with, when there are several.
pub(super) fn number_prefix(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let number = text.bytes().take(LABEL_BYTES).position(|byte| byte.is_ascii_digit())?;
    let prefix = text.get(..number)?.strip_suffix(char::is_whitespace)?;
    let is_end = !text[number..].contains(char::is_alphabetic);
    (is_end && prefix.contains(char::is_whitespace) && !prefix.contains(':')).then_some(prefix)
}

/// A text up to its first colon, when that may be a label.
pub(super) fn label_prefix(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let colon = text.bytes().take(LABEL_BYTES).position(|byte| byte == b':')?;
    let is_apart = text[colon + 1..].starts_with(char::is_whitespace) || text.len() == colon + 1;
    (is_apart && is_said(&text[..colon])).then(|| &text[..=colon])
}

/// Labels are not longer.
pub(super) const LABEL_BYTES: usize = 48;

/// What each node holds: one pass from the last node to the first.
fn shapes(dom: &Dom, labels: &HashNumbers) -> Shapes {
    let mut nodes = vec![Shape::default(); dom.len()];
    let mut names = vec![0; dom.names().count()];
    let mut page_labels = Vec::new();
    for node in dom.nodes().rev() {
        let Some(parent) = dom.parent(node) else { continue };
        if !is_seen(dom, node) {
            continue;
        }
        let mut shape = nodes[node.index()];
        shape.is_seen = true;
        if let Some(name) = dom.name(node) {
            let hash = &mut names[name.index()];
            if *hash == 0 {
                *hash = hash_text(dom.name_text(node));
            }
            shape.holds |= shape_bit(*hash);
        } else {
            shape.n_texts = 1;
            shape.first_text = node.0;
            let text = dom.text(node).trim();
            shape.label = text_label(text, labels);
            let is_long = text.len() > LABEL_BYTES;
            shape.is_prefix = shape.label != 0 && (is_long || shape.label != hash_label(text));
            if shape.label != 0 {
                shape.holds = shape_bit(shape.label);
                shape.n_labels = 1;
                page_labels.push((shape.label, node));
            }
        }
        nodes[node.index()] = shape;
        let above = &mut nodes[parent.index()];
        above.n_texts += shape.n_texts;
        above.n_labels += shape.n_labels;
        above.is_prefix |= shape.is_prefix;
        above.holds |= shape.holds;
        if shape.n_texts > 0 {
            above.first_text = shape.first_text;
        }
    }
    Shapes {
        nodes,
        labels: page_labels,
        names,
    }
}

/// A text with its white space collapsed.
pub(super) fn collapsed(text: &str) -> String {
    let mut result = String::new();
    push_collapsed(text, &mut result);
    result
}

/// The first text at or inside a node, with its white space collapsed.
pub(super) fn text_inside(dom: &Dom, node: NodeId) -> String {
    first_text(dom, node)
        .map(|text| collapsed(dom.text(text)))
        .unwrap_or_default()
}

/// The first text at or inside a node.
pub(super) fn first_text(dom: &Dom, node: NodeId) -> Option<NodeId> {
    if dom.is_text(node) {
        return Some(node);
    }
    dom.subtree(node)
        .find(|&inner| dom.is_text(inner) && is_seen(dom, inner))
}

/// A map keyed by hashes.
pub(super) type HashMapOf<K, V> = std::collections::HashMap<K, V, FixedState>;
