//! The outline of a page: what every later step asks of each node, found in one pass.
//!
//! In: a tree. Out: for each node whether a reader sees it, its step and its path in two alphabets
//! (the tag alone, and the tag with its classes), how much text and how much link text it holds,
//! and whether it is transparent: a wrapper that only formats, such as a `font` around whole
//! tables, which the paths and the lists of children look through. Everything is a loop over the
//! arena; nothing recurses.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::stripes::stripes;
use crate::page::{Dom, Name, NodeId, Visibility};

/// What is known of each node of a page; every table is indexed by [`NodeId::index`].
pub struct Outline<'a> {
    /// The tree.
    pub dom: &'a Dom,
    /// Whether a reader sees the node as part of the page.
    pub is_shown: Vec<bool>,
    /// Whether the node only formats what it holds.
    pub is_transparent: Vec<bool>,
    /// Whether the node is an element that flows with the text around it.
    pub is_inline: Vec<bool>,
    /// The tag of the node as a number; text nodes share one.
    pub tag_step: Vec<u32>,
    /// The tag and the classes of the node as a number.
    pub class_step: Vec<u32>,
    /// Characters of text that the subtree shows, white space left out.
    pub text_len: Vec<u32>,
    /// Those of them that links say. Of a link around a whole card that is its first text.
    pub link_len: Vec<u32>,
    /// Texts in the subtree that are not blank, the node included.
    pub n_texts: Vec<u32>,
    /// Links in the subtree, the node included, or the one that the node stands in.
    pub n_links: Vec<u32>,
    /// Pictures in the subtree, the node included.
    pub n_images: Vec<u32>,
}

/// The step of text nodes.
pub const TEXT_STEP: u32 = u32::MAX;

impl<'a> Outline<'a> {
    /// Looks over a tree once.
    pub fn of(dom: &'a Dom) -> Self {
        let n = dom.len();
        let is_shown = are_shown(dom);
        let (is_inline, is_transparent) = inline_and_transparent(dom, &is_shown);
        let (tag_step, class_step) = steps(dom, &is_shown);
        let mut outline = Self {
            dom,
            is_shown,
            is_transparent,
            is_inline,
            tag_step,
            class_step,
            text_len: vec![0; n],
            link_len: vec![0; n],
            n_texts: vec![0; n],
            n_links: vec![0; n],
            n_images: vec![0; n],
        };
        outline.sum_up();
        outline
    }

    /// The children of a node that a reader sees: elements and texts that are not blank, with
    /// transparent ones replaced by what they hold.
    pub fn shown_children(&self, node: NodeId) -> Vec<NodeId> {
        let mut children = Vec::new();
        let end = self.dom.subtree_end(node);
        let mut at = NodeId(node.0 + 1);
        while at < end {
            if !self.is_shown[at.index()] {
                at = self.dom.subtree_end(at);
            } else if self.is_transparent[at.index()] {
                at = NodeId(at.0 + 1);
            } else {
                children.push(at);
                at = self.dom.subtree_end(at);
            }
        }
        children
    }

    /// Sums of texts, links and pictures, from the leaves up: a parent stands before its children.
    fn sum_up(&mut self) {
        let dom = self.dom;
        let is_link = |node: NodeId| dom.is_html(node, Name::A) && dom.attribute(node, Name::HREF).is_some();
        for node in dom.nodes().rev().filter(|node| dom.is_text(*node)) {
            let at = node.index();
            if self.is_shown[at] {
                self.text_len[at] = dom.text(node).chars().filter(|c| !c.is_whitespace()).count() as u32;
                self.n_texts[at] = 1;
            }
        }
        let links = dom.nodes().filter(|&node| self.is_shown[node.index()] && is_link(node));
        let links: Vec<NodeId> = links.collect();
        for &link in &links {
            let n_said = if self.is_card(link) { 1 } else { usize::MAX };
            let texts = dom.subtree(link).filter(|text| self.n_texts[text.index()] > 0);
            for text in texts.take(n_said).collect::<Vec<NodeId>>() {
                self.link_len[text.index()] = self.text_len[text.index()];
            }
        }
        for node in dom
            .nodes()
            .rev()
            .filter(|&node| self.is_shown[node.index()])
            .collect::<Vec<NodeId>>()
        {
            let at = node.index();
            self.n_links[at] += u32::from(is_link(node));
            self.n_images[at] += u32::from(dom.is_html(node, Name::IMG));
            if let Some(parent) = dom.parent(node) {
                let above = parent.index();
                self.text_len[above] += self.text_len[at];
                self.link_len[above] += self.link_len[at];
                self.n_texts[above] += self.n_texts[at];
                self.n_links[above] += self.n_links[at];
                self.n_images[above] += self.n_images[at];
            }
        }
        for link in links {
            self.n_links[link.index() + 1..dom.subtree_end(link).index()].fill(1);
        }
    }

    /// Whether a link is around several things, none of which is text of its own: a card that is a
    /// link as a whole, not a line with some of its words emphasised.
    fn is_card(&self, link: NodeId) -> bool {
        let mut children = self.shown_children(link);
        while let [only] = children[..] {
            children = self.shown_children(only);
        }
        let said = |node: &&NodeId| self.dom.subtree(**node).any(|text| self.n_texts[text.index()] > 0);
        children.iter().filter(said).count() > 1 && !children.iter().any(|&node| self.dom.is_text(node))
    }
}

/// The nodes that a reader sees, in document order: no scripts, no comments, no choices of forms,
/// no blank texts, nothing that is hidden.
pub fn shown_nodes(dom: &Dom) -> Vec<NodeId> {
    let is_shown = are_shown(dom);
    dom.nodes().filter(|node| is_shown[node.index()]).collect()
}

/// By node, whether a reader sees it.
fn are_shown(dom: &Dom) -> Vec<bool> {
    let visibility = Visibility::of(dom);
    let mut is_shown = vec![true; dom.len()];
    let mut at = NodeId::DOCUMENT;
    let end = NodeId(dom.len() as u32);
    while at < end {
        let is_blank = dom.is_text(at) && dom.text(at).chars().all(char::is_whitespace);
        if is_blank || dom.is_unseen(at) || is_left_out(dom, at, visibility) {
            let after = dom.subtree_end(at);
            is_shown[at.index()..after.index()].fill(false);
            at = after;
        } else {
            at = NodeId(at.0 + 1);
        }
    }
    is_shown
}

fn is_left_out(dom: &Dom, node: NodeId, visibility: Visibility) -> bool {
    let Some(name) = dom.name(node) else {
        return false;
    };
    let is_form_part = matches!(
        name,
        Name::HEAD | Name::SELECT | Name::OPTION | Name::DATALIST | Name::TEXTAREA | Name::NOSCRIPT | Name::OBJECT
    );
    is_form_part || visibility.hides(dom, node)
}

/// Which elements flow with text, and which only format what they hold. The first are those that
/// HTML says so of, and those that it does not know as long as they hold no block, as browsers show
/// them. The second flow with text and hold blocks all the same, as pages of old do, or are
/// `center`, `form` and `blockquote`.
fn inline_and_transparent(dom: &Dom, is_shown: &[bool]) -> (Vec<bool>, Vec<bool>) {
    let mut holds_block = vec![false; dom.len()];
    let (mut is_inline, mut is_transparent) = (vec![false; dom.len()], vec![false; dom.len()]);
    for node in dom.nodes().rev().filter(|node| is_shown[node.index()]) {
        let Some(name) = dom.name(node) else { continue };
        let holds = holds_block[node.index()];
        let flows = dom.is_inline(node) || !name.is_known() && !holds;
        is_inline[node.index()] = flows;
        let only_formats = matches!(name, Name::CENTER | Name::FORM | Name::BLOCKQUOTE);
        is_transparent[node.index()] = holds && (only_formats || flows && name != Name::A);
        let is_block = !flows && !matches!(name, Name::BR | Name::IMG | Name::INPUT | Name::BUTTON);
        if let (true, Some(parent)) = (holds || is_block, dom.parent(node)) {
            // What an inline element holds counts for those around it, what a block holds does not.
            holds_block[parent.index()] |= is_block || holds;
        }
    }
    (is_inline, is_transparent)
}

/// The steps of all nodes, without and with classes.
fn steps(dom: &Dom, is_shown: &[bool]) -> (Vec<u32>, Vec<u32>) {
    let counts = class_counts(dom, is_shown);
    let stripes = stripes(dom, is_shown);
    let mut known: HashMap<(u32, Vec<String>), u32, FixedState> = HashMap::default();
    // Most elements have the classes of one before, or none.
    let mut known_values: HashMap<(u32, &str), u32, FixedState> = HashMap::default();
    let (mut tag_steps, mut class_steps) = (vec![TEXT_STEP; dom.len()], vec![TEXT_STEP; dom.len()]);
    for node in dom.nodes().filter(|node| is_shown[node.index()]) {
        let Some(name) = dom.name(node) else { continue };
        let tag = name.index() as u32;
        let value = dom.attribute(node, Name::CLASS).unwrap_or("");
        tag_steps[node.index()] = tag;
        class_steps[node.index()] = *known_values.entry((tag, value)).or_insert_with(|| {
            let is_kind = |word: &String| counts[word] > 1 && !stripes.contains(word);
            let mut words: Vec<String> = class_words(value).filter(is_kind).collect();
            words.sort_unstable();
            words.dedup();
            let next = known.len() as u32;
            *known.entry((tag, words)).or_insert(next)
        });
    }
    (tag_steps, class_steps)
}

/// How often each class occurs: one that occurs once says nothing of a template.
fn class_counts(dom: &Dom, is_shown: &[bool]) -> HashMap<String, u32, FixedState> {
    let mut values: HashMap<&str, u32, FixedState> = HashMap::default();
    for node in dom
        .nodes()
        .filter(|node| is_shown[node.index()] && dom.is_element(*node))
    {
        if let Some(value) = dom.attribute(node, Name::CLASS) {
            *values.entry(value).or_default() += 1;
        }
    }
    let mut counts = HashMap::default();
    for (value, count) in values {
        for word in class_words(value) {
            *counts.entry(word).or_insert(0) += count;
        }
    }
    counts
}

/// The classes of an element without their numbers, and without those that only tell neighbours
/// apart.
pub fn class_words(value: &str) -> impl Iterator<Item = String> + '_ {
    let bare = |word: &str| {
        let mut word: String = word.chars().filter(|c| !c.is_ascii_digit()).collect();
        word.make_ascii_lowercase();
        word
    };
    let words = value.split_ascii_whitespace().map(bare);
    words.filter(|word| !NEIGHBOUR_WORDS.contains(&word.as_str()))
}

/// Classes that tell where in a list something stands, not what it is.
const NEIGHBOUR_WORDS: [&str; 12] = [
    "", "odd", "even", "alt", "first", "last", "active", "selected", "current", "row", "clearfix", "hover",
];
