//! The tag paths of a site, with what one page alone has left out.
//!
//! In: nodes of pages, one page after the other. Out: a [`PathId`] each whose steps keep only
//! attribute values that at least two pages have: a class name or an id that one page alone has
//! says nothing about a template, and would take its class apart.
//!
//! What is common is not known at the start, so there are two kinds of paths. *Raw* paths keep
//! every value and never change; a page is remembered by these. [`SitePaths::settle`] gives the
//! path that a raw one stands for as far as the site is known. When a second page turns out to have
//! a value, the first one's paths change, and no others: a value that one page alone had is on that
//! page's raw paths only. So [`SitePaths::read_page`] tells which earlier pages to settle anew, and
//! the work is in proportion to what changed.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::page::{Alphabet, AttributeFilter, AttributeMode, Dom, NodeId, PathId, PathInterner};

/// The tag paths of a site, raw and settled.
#[derive(Debug, Clone)]
pub struct SitePaths {
    raw: PathInterner,
    settled: PathInterner,
    is_adaptive: bool,
    /// By the hash of a value: the number of the one page that has it, or [`SEVERAL`].
    owners: HashMap<u64, u32, FixedState>,
    /// What raw paths stand for, where nothing can change that any more.
    known: Vec<Option<PathId>>,
    /// The paths of tags alone, and which of them each raw path is.
    bare: PathInterner,
    bare_known: Vec<PathId>,
}

/// The owner of a value that at least two pages have.
const SEVERAL: u32 = u32::MAX;

/// What reading a page told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PagePaths {
    /// The raw paths of the nodes that were asked for, in order.
    pub nodes: Vec<PathId>,
    /// The raw paths of all elements, sorted, each once.
    pub all: Vec<PathId>,
    /// Earlier pages whose paths are to be settled anew.
    pub changed: Vec<u32>,
}

impl SitePaths {
    /// No paths yet. Values of one page alone are left out in [`AttributeMode::Normalised`] only;
    /// other modes are as they are.
    pub fn new(mode: AttributeMode) -> Self {
        Self {
            raw: PathInterner::new(Alphabet::TagAttributes(AttributeFilter { mode })),
            settled: PathInterner::new(Alphabet::Tag),
            is_adaptive: mode == AttributeMode::Normalised,
            owners: HashMap::default(),
            known: Vec::new(),
            bare: PathInterner::new(Alphabet::Tag),
            bare_known: vec![PathId::ROOT, PathId::OTHER],
        }
    }

    /// Reads page number `page`: the raw paths of some of its nodes, which must be in document
    /// order, and of all its elements.
    pub fn read_page(&mut self, page: u32, dom: &Dom, nodes: &[NodeId]) -> PagePaths {
        let elements: Vec<NodeId> = dom.nodes().filter(|&node| dom.is_element(node)).collect();
        let paths = self.raw.paths(dom, &elements);
        let mut at = 0;
        let mut chosen = Vec::with_capacity(nodes.len());
        for &node in nodes {
            while elements.get(at).is_some_and(|&element| element < node) {
                at += 1;
            }
            chosen.push(paths.get(at).copied().unwrap_or(PathId::OTHER));
        }
        let mut all = paths;
        all.sort_unstable();
        all.dedup();
        let changed = if self.is_adaptive {
            self.own_values(page, &all)
        } else {
            Vec::new()
        };
        PagePaths {
            nodes: chosen,
            all,
            changed,
        }
    }

    /// Notes that a page has the values of its steps; returns the pages that had one alone until
    /// now.
    fn own_values(&mut self, page: u32, all: &[PathId]) -> Vec<u32> {
        let mut changed = Vec::new();
        for &path in all {
            for_each_value(self.raw.last_step(path), |hash| {
                let owner = self.owners.entry(hash).or_insert(page);
                if *owner != page && *owner != SEVERAL {
                    changed.push(*owner);
                    *owner = SEVERAL;
                }
            });
        }
        changed.sort_unstable();
        changed.dedup();
        changed
    }

    /// The path that a raw one stands for, as far as the site is known.
    pub fn settle(&mut self, raw: PathId) -> PathId {
        let mut chain = Vec::new();
        let mut at = raw;
        let (mut path, mut is_final) = (PathId::ROOT, true);
        while at != PathId::ROOT {
            if let Some(&Some(known)) = self.known.get(at.0 as usize) {
                path = known;
                break;
            }
            chain.push(at);
            at = self.raw.parent(at);
        }
        let mut step = String::new();
        for &part in chain.iter().rev() {
            step.clear();
            is_final &= self.write_settled(part, &mut step);
            path = self.settled.child(path, &step);
            if is_final {
                self.remember(part, path);
            }
        }
        path
    }

    /// The path of tags alone that a raw path is.
    pub fn bare(&mut self, raw: PathId) -> PathId {
        // A path's parent has a smaller number, so that those up to it can be filled in order.
        for index in self.bare_known.len()..=raw.0 as usize {
            let path = PathId(index as u32);
            let parent = self.bare_known[self.raw.parent(path).0 as usize];
            let (tag, _) = split_mark(self.raw.last_step(path));
            self.bare_known.push(self.bare.child(parent, tag));
        }
        self.bare_known[raw.0 as usize]
    }

    fn remember(&mut self, raw: PathId, path: PathId) {
        let index = raw.0 as usize;
        if self.known.len() <= index {
            self.known.resize(index + 1, None);
        }
        self.known[index] = Some(path);
    }

    /// Writes the last step of a raw path without what one page alone has; returns whether nothing
    /// was left out.
    fn write_settled(&self, raw: PathId, step: &mut String) -> bool {
        let text = self.raw.last_step(raw);
        if !self.is_adaptive {
            step.push_str(text);
            return true;
        }
        let mut is_whole = true;
        keep_values(text, step, |name, value| {
            let is_common = self.owners.get(&value_hash(name, value)) == Some(&SEVERAL);
            is_whole &= is_common;
            is_common
        });
        is_whole
    }

    /// A settled path as text.
    pub fn text(&self, path: PathId) -> String {
        self.settled.text(path)
    }
}

/// Calls for the hash of each attribute value of a step.
fn for_each_value(step: &str, mut each: impl FnMut(u64)) {
    let (_, mut rest) = split_mark(step);
    while !rest.is_empty() {
        let (attribute, after) = split_attribute(rest);
        rest = after;
        if let Some((name, values)) = attribute.split_once('=') {
            value_parts(name, values).for_each(|value| each(value_hash(name, value)));
        }
    }
}

/// Appends a step of a path to `kept`, such as `td[class=odd wide][width=#]`, with those of its
/// attribute values alone that are to be kept, by attribute name and value.
pub fn keep_values(step: &str, kept: &mut String, mut is_kept: impl FnMut(&str, &str) -> bool) {
    let (tag, mut rest) = split_mark(step);
    kept.push_str(tag);
    while !rest.is_empty() {
        let (attribute, after) = split_attribute(rest);
        rest = after;
        let (name, values) = attribute.split_once('=').unwrap_or((attribute, ""));
        kept.push('[');
        kept.push_str(name);
        let mut separator = '=';
        for value in value_parts(name, values).filter(|value| is_kept(name, value)) {
            kept.push(separator);
            kept.push_str(value);
            separator = ' ';
        }
        kept.push(']');
    }
}

/// The values of an attribute: for a class each word but those that say where or in which state
/// something stands, else the whole.
fn value_parts<'a>(name: &str, values: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
    let is_class = name == "class";
    let mut whole = (!is_class && !values.is_empty()).then_some(values);
    let mut words = values.split(' ');
    std::iter::from_fn(move || match is_class {
        false => whole.take(),
        true => words.find(|word| !word.is_empty() && !is_state(word)),
    })
}

/// Words that say where or in which state one of several like things stands: `odd`, `row-even`,
/// `active`.
fn is_state(word: &str) -> bool {
    let last = word.rsplit(['-', '_']).next().unwrap_or(word);
    matches!(
        last,
        "odd" | "even" | "first" | "last" | "active" | "current" | "selected"
    )
}

fn value_hash(name: &str, value: &str) -> u64 {
    FixedState::with_seed(0x7661_6c75).hash_one((name, value))
}

/// Splits a step before its first bracket that has no backslash.
fn split_mark(step: &str) -> (&str, &str) {
    let end = unescaped(step, b'[').unwrap_or(step.len());
    step.split_at(end)
}

/// Splits `[name=value]…` into `name=value` and what follows. A text of a file that somebody edited
/// may begin otherwise: nothing follows then.
fn split_attribute(text: &str) -> (&str, &str) {
    let Some(inside) = text.strip_prefix('[') else {
        return (text, "");
    };
    let end = unescaped(inside, b']').unwrap_or(inside.len());
    (&inside[..end], inside.get(end + 1..).unwrap_or(""))
}

/// Where a byte stands first without a backslash before it.
fn unescaped(text: &str, wanted: u8) -> Option<usize> {
    let mut is_escaped = false;
    text.bytes().position(|byte| {
        let is_found = byte == wanted && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_found
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, parse_html};

    fn read(paths: &mut SitePaths, page: u32, html: &str) -> PagePaths {
        let (dom, _) = parse_html(html, &ParseOptions::default());
        let nodes: Vec<NodeId> = dom.nodes().filter(|&node| dom.name_text(node) == "a").collect();
        paths.read_page(page, &dom, &nodes)
    }

    fn check_settled(paths: &mut SitePaths, raw: PathId, expected: &str) {
        let settled = paths.settle(raw);
        assert_eq!(paths.text(settled), expected);
    }

    #[test]
    fn values_of_one_page_are_left_out_until_a_second_has_them() {
        let mut paths = SitePaths::new(AttributeMode::Normalised);
        let first = read(&mut paths, 0, "<p class='card ronaldo' id=x1><a>A");
        check_settled(&mut paths, first.nodes[0], "html/body/p[class][id]/a");
        let second = read(&mut paths, 1, "<p class='card figo' id=x2><a>B");
        assert_eq!(second.changed, [0]);
        check_settled(&mut paths, first.nodes[0], "html/body/p[class=card][id=x#]/a");
        check_settled(&mut paths, second.nodes[0], "html/body/p[class=card][id=x#]/a");
        let third = read(&mut paths, 2, "<p class='card figo' id=x3><a>C");
        assert_eq!(third.changed, [1]);
        check_settled(&mut paths, second.nodes[0], "html/body/p[class=card figo][id=x#]/a");
    }

    #[test]
    fn states_and_marks_in_values() {
        let mut paths = SitePaths::new(AttributeMode::Normalised);
        let html = "<p class='row-odd x][y'><a>A</p><p class='row-even x][y'><a>B</p>";
        let first = read(&mut paths, 0, html);
        read(&mut paths, 1, html);
        check_settled(&mut paths, first.nodes[0], "html/body/p[class=x\\]\\[y]/a");
        check_settled(&mut paths, first.nodes[1], "html/body/p[class=x\\]\\[y]/a");
    }

    #[test]
    fn other_modes_are_as_they_are() {
        let mut paths = SitePaths::new(AttributeMode::Full);
        let first = read(&mut paths, 0, "<p class='odd A'><a>A");
        check_settled(&mut paths, first.nodes[0], "html/body/p[class=odd A]/a");
    }
}
