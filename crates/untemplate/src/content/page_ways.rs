//! Ways around a page: links to places of the page itself that say what stands there.
//!
//! A table of contents says each heading of the page once more, and a sign behind a heading (`¶`)
//! leads to where it stands. Neither is data, nor is a raised number that leads to a note. A link to
//! another place of the page that says something else, such as `see below`, is part of its line like
//! any other.

use std::collections::{HashMap, HashSet};

use crate::page::{Dom, Name, NodeId, Page};

/// How far above a link the element is that sets it as a raised sign.
const RAISED_DEPTH: usize = 3;

/// The most letters and digits of a sign that leads to a note.
const NOTE_CHARS_MAX: usize = 4;

/// The links of a page that lead around it.
#[derive(Debug, Default)]
pub(super) struct PageWays {
    /// Links into the page that are signs alone.
    signs: HashSet<NodeId>,
    /// By node, the links inside it that say what stands where they lead; empty if the page has
    /// none.
    n_ways: Vec<u32>,
    /// By node, whether there are words inside it beside such links.
    has_others: Vec<bool>,
}

/// How far behind the place that a link leads to its words are looked for, in bytes and in nodes: a
/// number, a line above the heading. A longer link is none of a table of contents. It bounds the
/// time: a page may have as many links as nodes.
const REACH: usize = 200;

/// The fewest links of a table of contents: one alone may be a heading that leads to itself.
const LINKS_MIN: u32 = 2;

impl PageWays {
    /// Finds the ways around a page.
    pub fn of(page: &Page) -> Self {
        let dom = &page.dom;
        let links: Vec<(NodeId, &str)> = dom
            .nodes()
            .filter_map(|node| Some((node, fragment(page, node)?)))
            .collect();
        if links.is_empty() {
            return Self::default();
        }
        let places = places(dom);
        let mut signs = HashSet::new();
        let mut is_way = vec![false; dom.len()];
        for (link, fragment) in links {
            let text = dom.visible_text(link);
            let place = places.get(fragment);
            if !text.contains(char::is_alphanumeric) {
                // A picture that leads nowhere is a picture all the same.
                let has_picture = dom.subtree(link).any(|inner| dom.is_html(inner, Name::IMG));
                signs.extend((!has_picture).then_some(link));
            } else if let Some(raised) = raised_sign(page, link) {
                signs.insert(raised);
            } else if place.is_some_and(|&place| says_again(dom, link, &text, place)) {
                dom.subtree(link).for_each(|inner| is_way[inner.index()] = true);
            }
        }
        let mut n_ways = vec![0; dom.len()];
        let mut has_others = vec![false; dom.len()];
        for node in dom.nodes().rev() {
            let own = node.index();
            n_ways[own] += u32::from(is_way[own] && dom.is_html(node, Name::A));
            has_others[own] |= !is_way[own] && dom.is_text(node) && dom.text(node).contains(char::is_alphabetic);
            if let Some(parent) = dom.parent(node) {
                n_ways[parent.index()] += n_ways[own];
                has_others[parent.index()] |= has_others[own];
            }
        }
        Self {
            signs,
            n_ways,
            has_others,
        }
    }

    /// Whether a node is a link into the page that is a sign alone.
    pub fn is_sign(&self, node: NodeId) -> bool {
        self.signs.contains(&node)
    }

    /// Whether an element holds a table of contents and nothing else.
    pub fn is_contents(&self, node: NodeId) -> bool {
        let n_ways = self.n_ways.get(node.index()).copied().unwrap_or(0);
        n_ways >= LINKS_MIN && !self.has_others[node.index()]
    }
}

/// The raised element that holds a link to a note and nothing else but such links: `1`, `[a]`.
fn raised_sign(page: &Page, link: NodeId) -> Option<NodeId> {
    let dom = &page.dom;
    let raised = dom
        .ancestors(link)
        .take(RAISED_DEPTH)
        .find(|&node| dom.is_html(node, Name::SUP))?;
    let is_in_link = |text: NodeId| {
        let mut above = dom.ancestors(text).take_while(|&node| node != raised);
        above.any(|node| fragment(page, node).is_some())
    };
    // A page may have all of its links in one such element.
    if dom.subtree(raised).nth(REACH).is_some() {
        return None;
    }
    let mut texts = dom.subtree(raised).filter(|&node| dom.is_text(node));
    let is_sign = |text: NodeId| {
        let n_letters = dom.text(text).chars().filter(|c| c.is_alphanumeric()).count();
        n_letters == 0 || n_letters <= NOTE_CHARS_MAX && is_in_link(text)
    };
    texts.all(is_sign).then_some(raised)
}

/// Which place of its own page a link leads to.
fn fragment(page: &Page, node: NodeId) -> Option<&str> {
    if !page.dom.is_html(node, Name::A) {
        return None;
    }
    let (address, fragment) = page.dom.attribute(node, Name::HREF)?.trim().split_once('#')?;
    let is_own = address.is_empty() || page.resolve(address).is_some_and(|url| url == page.url);
    is_own.then_some(fragment)
}

/// The places of a page that links may lead to.
fn places(dom: &Dom) -> HashMap<&str, NodeId> {
    let mut places = HashMap::new();
    for node in dom.nodes().filter(|&node| dom.is_element(node)) {
        let name = dom.attribute(node, Name::NAME).filter(|_| dom.is_html(node, Name::A));
        for name in dom.attribute(node, Name::ID).into_iter().chain(name) {
            places.entry(name).or_insert(node);
        }
    }
    places
}

/// Whether the place that a link leads to stands apart from it and begins with what it says, or
/// lies in a heading that says it.
fn says_again(dom: &Dom, link: NodeId, text: &str, place: NodeId) -> bool {
    let is_heading = |node: &NodeId| {
        matches!(
            dom.name(*node),
            Some(Name::H1 | Name::H2 | Name::H3 | Name::H4 | Name::H5 | Name::H6 | Name::DT)
        )
    };
    let start = dom.ancestors(place).find(is_heading).unwrap_or(place);
    if dom.contains(start, link) {
        return false;
    }
    let text: String = text.split_whitespace().collect();
    if text.len() > REACH {
        return false;
    }
    let mut behind = String::new();
    for node in (start.0..dom.len() as u32)
        .take(REACH)
        .map(NodeId)
        .filter(|&node| dom.is_text(node))
    {
        if node > link && link >= start {
            return false;
        }
        behind.extend(dom.text(node).split_whitespace());
        if behind.contains(&text) {
            return true;
        }
        if behind.len() > REACH + text.len() {
            return false;
        }
    }
    false
}
