//! Features: what alignment compares in a node, as numbers.
//!
//! In: a page. Out: for each node what its subtree holds ([`Shapes`]), and for the children of a node their [`Features`]: tag, `id`,
//! classes, the label a child begins with and the label before it. Numbers are FNV-1a hashes, which stay the same over
//! versions, since wrappers store sets of them.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::page::{Dom, Name, NodeId, push_collapsed};

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
}

/// The name of texts.
pub(super) const TEXT: u64 = hash_text("#text");

/// The name of what is a text on some pages, and a text inside inline mark-up on others.
pub(super) const PHRASE: u64 = hash_text("#phrase");

/// FNV-1a.
pub(super) const fn hash_text(text: &str) -> u64 {
    hash_more(0xcbf2_9ce4_8422_2325, text.as_bytes())
}

/// Goes on hashing.
pub(super) const fn hash_more(mut hash: u64, bytes: &[u8]) -> u64 {
    let mut index = 0;
    while index < bytes.len() {
        hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01b3);
        index += 1;
    }
    hash
}

/// The hash of a text with its white space collapsed.
pub(super) fn hash_collapsed(text: &str) -> u64 {
    let mut hash = hash_text("");
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            hash = hash_more(hash, b" ");
        }
        hash = hash_more(hash, word.as_bytes());
    }
    hash
}

/// The hash of a label: case, the colon, and whether it is one or several make no difference.
pub(super) fn hash_label(text: &str) -> u64 {
    let text = text.trim().trim_end_matches(':').trim_end();
    let text = text.strip_suffix("(s)").unwrap_or(text);
    let text = text.strip_suffix(['s', 'S']).unwrap_or(text);
    let mut hash = hash_text("label");
    for word in text.split_whitespace() {
        hash = hash_more(hash, b" ");
        for c in word.chars().flat_map(char::to_lowercase) {
            hash = hash_more(hash, &u32::from(c).to_le_bytes());
        }
    }
    hash
}

/// A bit that stands for a hash in a set of 128.
pub(super) fn shape_bit(hash: u64) -> u128 {
    1 << ((hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57)
}

/// A bit that stands for a hash in a set of 64.
pub(super) fn class_bit(hash: u64) -> u64 {
    1 << ((hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

/// Classes that tell where in a list or in which state an element is, not what it is.
const STATES: [&str; 14] = [
    "odd",
    "even",
    "first",
    "last",
    "alt",
    "alternate",
    "active",
    "selected",
    "current",
    "hover",
    "on",
    "off",
    "clearfix",
    "clear",
];

/// The class words that tell what an element is, with digits as `#`.
pub(super) fn class_words(value: &str) -> impl Iterator<Item = String> + '_ {
    value
        .split_ascii_whitespace()
        .map(without_digits)
        .filter(|word| !STATES.contains(&word.to_ascii_lowercase().as_str()))
}

/// A text with each run of digits as one `#`.
pub(super) fn without_digits(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for c in text.chars() {
        match c.is_ascii_digit() {
            true if result.ends_with('#') => {}
            true => result.push('#'),
            false => result.push(c),
        }
    }
    result
}

/// What each node of a page holds, and how many texts.
pub(super) struct Shapes {
    /// What is inside each node, as a set of hashes of tags, classes and labels.
    pub holds: Vec<u128>,
    /// How many texts there are inside each node, itself included.
    pub n_texts: Vec<u32>,
    /// How many labels.
    pub n_labels: Vec<u32>,
    /// The labels of the page, last first, with their texts.
    pub labels: Vec<(u64, NodeId)>,
}

/// The features of a page's nodes, on demand.
pub(super) struct PageFeatures<'a> {
    pub dom: &'a Dom,
    pub shapes: Shapes,
    labels: &'a HashNumbers,
}

impl<'a> PageFeatures<'a> {
    /// Prepares a page.
    pub fn new(dom: &'a Dom, labels: &'a HashNumbers) -> Self {
        let shapes = shapes(dom, labels);
        Self { dom, shapes, labels }
    }

    /// The children that alignment looks at, and their features.
    pub fn children(&self, node: NodeId, into: &mut Vec<(NodeId, Features)>) {
        into.clear();
        let mut heading = 0;
        for child in self.dom.children(node).filter(|&child| is_seen(self.dom, child)) {
            let mut features = self.features(child);
            match features.label {
                0 => features.heading = heading,
                label if self.shapes.n_texts[child.index()] == 1 => heading = label,
                _ => features.heading = heading,
            }
            into.push((child, features));
        }
    }

    /// The features of a node, but for its heading.
    pub fn features(&self, node: NodeId) -> Features {
        let dom = self.dom;
        if dom.is_text(node) {
            return Features {
                name: TEXT,
                label: text_label(dom.text(node), self.labels),
                is_small: true,
                is_phrase: true,
                ..Features::default()
            };
        }
        let (mut id, mut class_bits) = (0, 0);
        for (name, value) in dom.attributes(node) {
            match name {
                // What a page says of itself is told apart by its name alone.
                Name::NAME | Name::PROPERTY | Name::HTTP_EQUIV if dom.name(node) == Some(Name::META) => {
                    id = hash_text(value);
                }
                Name::ID if !value.is_empty() => id = hash_text(&without_digits(value)),
                Name::CLASS => class_bits = class_set(value),
                _ => {}
            }
        }
        let n_texts = self.shapes.n_texts[node.index()];
        let first = self.first_label(node);
        let is_row = self.shapes.n_labels[node.index()] == 1;
        let holds = self.shapes.holds[node.index()];
        Features {
            name: hash_text(dom.name_text(node)),
            id,
            class_bits,
            label: if is_row { first } else { 0 },
            lead: if is_row { 0 } else { first },
            heading: 0,
            is_small: n_texts <= SMALL_TEXTS,
            is_phrase: n_texts == 1 && dom.is_inline(node),
            holds_always: holds,
            holds_ever: holds,
        }
    }

    /// The label that a node begins with. It names the node when there is no other: what has several holds rows, and is none.
    fn first_label(&self, node: NodeId) -> u64 {
        if self.shapes.n_labels[node.index()] == 0 {
            return 0;
        }
        let mut at = node;
        let end = self.dom.subtree_end(node);
        while at < end {
            if self.dom.is_unseen(at) {
                at = self.dom.subtree_end(at);
                continue;
            }
            if self.dom.is_text(at) && is_seen(self.dom, at) {
                return text_label(self.dom.text(at), self.labels);
            }
            at = NodeId(at.0 + 1);
        }
        0
    }
}

/// An element with at most so many texts is named by the label it begins with.
pub(super) const SMALL_TEXTS: u32 = 8;

/// The set of classes of an attribute's value.
pub(super) fn class_set(value: &str) -> u64 {
    class_words(value).fold(0, |bits, word| bits | class_bit(hash_text(&word)))
}

/// Whether alignment looks at a node: not at scripts, comments, line breaks, lists of options, and texts without letters or digits.
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

/// Whether a text is all that its element holds, and not blank: a dash in a cell is a value, one between links is none.
fn stands_alone(dom: &Dom, node: NodeId) -> bool {
    let Some(parent) = dom.parent(node) else { return false };
    parent.0 + 1 == node.0
        && dom.subtree_end(parent).0 == node.0 + 1
        && !matches!(
            dom.name(parent),
            Some(Name::A | Name::SPAN | Name::B | Name::FONT | Name::STRONG)
        )
        && !dom.text(node).trim().is_empty()
}

/// Whether a text says anything: a letter or a digit.
pub(super) fn is_said(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_alphanumeric()) || text.chars().any(char::is_alphanumeric)
}

/// The label that a text is, or begins with; 0 when there is none. What ends in a colon is a label even when no page had it before.
fn text_label(text: &str, labels: &HashNumbers) -> u64 {
    let text = text.trim();
    if text.len() > LABEL_BYTES {
        return prefix_label(text, labels);
    }
    let hash = hash_label(text);
    match text.ends_with(':') || labels.contains(&hash) {
        true => hash,
        false => prefix_label(text, labels),
    }
}

/// The label before a text's first colon, when it is known.
fn prefix_label(text: &str, labels: &HashNumbers) -> u64 {
    let Some(prefix) = label_prefix(text) else { return 0 };
    let hash = hash_label(prefix);
    if labels.contains(&hash) { hash } else { 0 }
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
    let mut holds = vec![0u128; dom.len()];
    let mut n_texts = vec![0u32; dom.len()];
    let mut n_labels = vec![0u32; dom.len()];
    let mut page_labels = Vec::new();
    for node in dom.nodes().rev() {
        let index = node.index();
        let Some(parent) = dom.parent(node) else { continue };
        if dom.is_text(node) {
            if !is_seen(dom, node) {
                continue;
            }
            n_texts[index] = 1;
            let label = text_label(dom.text(node), labels);
            if label != 0 {
                holds[index] = shape_bit(label);
                n_labels[index] = 1;
                page_labels.push((label, node));
            }
        } else if is_seen(dom, node) {
            holds[index] |= shape_bit(hash_text(dom.name_text(node)));
        } else {
            continue;
        }
        n_texts[parent.index()] += n_texts[index];
        n_labels[parent.index()] += n_labels[index];
        holds[parent.index()] |= holds[index];
    }
    Shapes {
        holds,
        n_texts,
        n_labels,
        labels: page_labels,
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
    let text = dom
        .subtree(node)
        .find(|&inner| dom.is_text(inner) && is_seen(dom, inner));
    text.map(|text| collapsed(dom.text(text))).unwrap_or_default()
}

/// A map keyed by hashes.
pub(super) type HashMapOf<K, V> = std::collections::HashMap<K, V, FixedState>;
