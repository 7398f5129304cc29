//! Fingerprints of pages: its features of four kinds, as sets of hashes.
//!
//! In: a [`Page`]. Out: a [`Fingerprint`]. A template shows in its mark-up (pairs of nested
//! elements with their normalised attributes), in its tag pairs (the same pairs by tag alone, which
//! no data can blur), in its texts (short texts, most of which are labels of the template) and in
//! the words of its address. Each kind fails on some sites: attributes carry data, tags are the
//! same on all pages, texts are all data, addresses are numbers. Together they seldom do.
//!
//! Departure from the papers: they know paths to links alone. Whole paths suffer from one odd
//! ancestor, since all below it differ then; pairs of nested elements suffer once.

use crate::page::{AttributeFilter, Dom, Name, NodeId, Page, stable_hash};
use url::Url;

/// What one element, text or word says: a hash that means the same in every run.
pub type Feature = u64;

/// A kind of features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeatureKind {
    /// Pairs of nested elements, with their normalised attributes.
    MarkUp,
    /// Pairs of nested elements, by their tags.
    TagPairs,
    /// Short texts and the tags around them.
    Texts,
    /// Words of the address, by where they stand.
    Address,
}

impl FeatureKind {
    /// All of them, in the order in which fingerprints hold them.
    pub const ALL: [FeatureKind; 4] = [Self::MarkUp, Self::TagPairs, Self::Texts, Self::Address];

    /// Its place in a fingerprint.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// The features of a page by kind, sorted, each once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// By kind, as in [`FeatureKind::ALL`].
    pub features: [Box<[Feature]>; 4],
}

/// How many features of a kind are kept; of a page with more, those of least hash, which are the
/// same ones on like pages.
const FEATURES_MAX: usize = 1024;

/// Texts longer than this are content, not labels.
const LABEL_CHARS_MAX: usize = 60;

impl Fingerprint {
    /// The fingerprint of a page.
    pub fn of(page: &Page, filter: &AttributeFilter) -> Self {
        let (mark_up, tag_pairs) = element_features(&page.dom, filter);
        Self {
            features: [
                condensed(mark_up),
                condensed(tag_pairs),
                condensed(text_features(&page.dom)),
                condensed(address_features(&page.url)),
            ],
        }
    }

    /// The features of one kind.
    pub fn by(&self, kind: FeatureKind) -> &[Feature] {
        &self.features[kind.index()]
    }
}

fn condensed(mut features: Vec<Feature>) -> Box<[Feature]> {
    features.sort_unstable();
    features.dedup();
    features.truncate(FEATURES_MAX);
    features.into()
}

/// The pairs of nested elements, by mark-up and by tag.
fn element_features(dom: &Dom, filter: &AttributeFilter) -> (Vec<Feature>, Vec<Feature>) {
    let mut steps: Vec<(u64, u64)> = vec![(0, 0); dom.len()];
    let (mut mark_up, mut tag_pairs) = (Vec::new(), Vec::new());
    let mut step = String::new();
    for node in dom.offered_nodes().filter(|&node| dom.is_element(node)) {
        step.clear();
        filter.write_step(dom, node, &mut step);
        let own = (hash(step.as_bytes()), hash(dom.name_text(node).as_bytes()));
        steps[node.index()] = own;
        let parent = dom.parent(node).map_or((0, 0), |parent| steps[parent.index()]);
        mark_up.push(pair(parent.0, own.0));
        tag_pairs.push(pair(parent.1, own.1));
    }
    (mark_up, tag_pairs)
}

/// The short texts of a page with the tag around each. Numbers are one: they are data.
fn text_features(dom: &Dom) -> Vec<Feature> {
    let mut features = Vec::new();
    for node in dom.offered_nodes().filter(|&node| dom.is_text(node)) {
        let parent = dom.parent(node).unwrap_or(NodeId::DOCUMENT);
        if dom.is_unseen(parent) || dom.is_html(parent, Name::TITLE) {
            continue;
        }
        if let Some(label) = label(dom.text(node)) {
            features.push(pair(hash(dom.name_text(parent).as_bytes()), hash(label.as_bytes())));
        }
    }
    features
}

/// A text as a label: white space collapsed, numbers as `#`; `None` for what is long or says
/// nothing.
fn label(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > 4 * LABEL_CHARS_MAX || !text.contains(char::is_alphabetic) {
        return None;
    }
    let mut label = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !label.is_empty() {
            label.push(' ');
        }
        for c in word.chars() {
            match c.is_numeric() {
                true if label.ends_with('#') => {}
                true => label.push('#'),
                false => label.push(c),
            }
        }
    }
    (label.chars().count() <= LABEL_CHARS_MAX).then_some(label)
}

/// The words of an address by where they stand, its depth, and the names of its parameters.
pub fn address_features(url: &Url) -> Vec<Feature> {
    let segments: Vec<&str> = url.path().split('/').skip(1).collect();
    let mut features = vec![pair(1, segments.len() as u64)];
    for (place, segment) in segments.iter().enumerate() {
        let is_last = place + 1 == segments.len();
        let place = if is_last { u64::MAX } else { place as u64 };
        for word in words(segment) {
            let word = if word.starts_with(|c: char| c.is_ascii_digit()) {
                "#".to_owned()
            } else {
                word.to_lowercase()
            };
            features.push(pair(place.wrapping_add(2), hash(word.as_bytes())));
        }
    }
    for parameter in url.query().unwrap_or("").split('&').filter(|pair| !pair.is_empty()) {
        let name = parameter.split('=').next().unwrap_or("");
        features.push(pair(3 << 32, hash(name.as_bytes())));
    }
    features
}

/// The runs of letters and of digits in a segment.
fn words(segment: &str) -> impl Iterator<Item = &str> {
    let mut rest = segment;
    std::iter::from_fn(move || {
        let start = rest.find(|c: char| c.is_alphanumeric())?;
        let is_digit = rest[start..].starts_with(|c: char| c.is_ascii_digit());
        let end = rest[start..]
            .find(|c: char| !c.is_alphanumeric() || c.is_ascii_digit() != is_digit)
            .map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        rest = &rest[end..];
        Some(word)
    })
}

/// A hash with a last mix: the model file stores these, so they must never change.
fn hash(bytes: &[u8]) -> u64 {
    mixed(stable_hash(bytes))
}

fn pair(first: u64, second: u64) -> Feature {
    mixed(first.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ second)
}

fn mixed(mut hash: u64) -> u64 {
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}
