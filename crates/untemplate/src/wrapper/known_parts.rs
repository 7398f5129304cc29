//! Known parts: which part of an old template each node of a new page is, and what its labels say
//! now.
//!
//! In: a template, and pairs of an old page that it reads and a new page about the same thing. Out:
//! for each new page the part of each node that is one ([`KnownPage`]), by the node of the old page
//! that corresponds to it (`correspondence.rs`); and the labels of the template as the new pages
//! have them, as most places say. A part stands in one place of the template, so nodes whose
//! surroundings are others than most nodes of their part have are not known.

use std::collections::{BTreeMap, BTreeSet};

use crate::page::{Dom, NodeId, Page};

use super::correspondence::corresponding_with_rest;
use super::feature::{HashMapOf, PageFeatures, collapsed, first_text, hash_label, label_prefix, number_prefix};
use super::matcher::Matcher;
use super::template::{PartId, Template, TextPart};

/// A new page, and what its nodes are.
pub(super) struct KnownPage<'a> {
    pub page: &'a Page,
    /// The part of each node, by its number.
    pub parts: Vec<Option<PartId>>,
}

/// What is known of all new pages that have a partner.
pub(super) struct KnownParts<'a> {
    pub pages: Vec<KnownPage<'a>>,
    /// The labels of the template, as the new pages have them.
    pub labels: Vec<String>,
}

impl<'a> KnownParts<'a> {
    pub fn find(matcher: &Matcher, pairs: &[(&Page, usize)], new: &[&'a Page]) -> Self {
        let mut labels = LabelVotes::new(matcher.template());
        let mut pages = Vec::new();
        for &(old, number) in pairs {
            let page = new[number];
            let images = corresponding_with_rest(&old.dom, &page.dom);
            labels.count(&PageFeatures::new(&old.dom, &matcher.labels), &page.dom, &images);
            pages.push(known_page(matcher, old, page, &images));
        }
        let labels = labels.elected();
        leave_out_strays(matcher.template(), &mut pages);
        Self { pages, labels }
    }
}

fn known_page<'a>(matcher: &Matcher, old: &Page, page: &'a Page, images: &[Option<NodeId>]) -> KnownPage<'a> {
    let mut parts = vec![None; page.dom.len()];
    for (part, node) in matcher.trace_all(old) {
        let is_text = matches!(matcher.part(part).text, TextPart::Field(_));
        // Inline mark-up around a text may come and go.
        let said = || images[first_text(&old.dom, node).filter(|_| is_text)?.index()];
        if let Some(image) = images[node.index()].or_else(said) {
            parts[image.index()].get_or_insert(part);
        }
    }
    KnownPage { page, parts }
}

/// Forgets nodes that are inside another part than most nodes of their part.
fn leave_out_strays(template: &Template, pages: &mut [KnownPage<'_>]) {
    let mut votes: Vec<BTreeMap<Option<PartId>, usize>> = vec![BTreeMap::new(); template.parts.len()];
    for page in pages.iter() {
        for (part, around, _) in page.known() {
            *votes[part.index()].entry(around).or_default() += 1;
        }
    }
    let most = |votes: &BTreeMap<Option<PartId>, usize>| {
        let most = votes
            .iter()
            .max_by_key(|&(around, count)| (*count, std::cmp::Reverse(*around)));
        most.and_then(|(around, _)| *around)
    };
    let elected: Vec<Option<PartId>> = votes.iter().map(most).collect();
    for page in pages {
        let strays: Vec<NodeId> = page
            .known()
            .filter(|(part, around, _)| elected[part.index()] != *around)
            .map(|(.., node)| node)
            .collect();
        strays.into_iter().for_each(|node| page.parts[node.index()] = None);
    }
}

impl KnownPage<'_> {
    /// Each node that is known, with its part and the part that it is inside of.
    fn known(&self) -> impl Iterator<Item = (PartId, Option<PartId>, NodeId)> {
        let dom = &self.page.dom;
        let around = move |node| dom.ancestors(node).find_map(|above| self.parts[above.index()]);
        dom.nodes()
            .filter_map(move |node| Some((self.parts[node.index()]?, around(node), node)))
    }
}

/// What the places of each label say on new pages.
struct LabelVotes<'a> {
    texts: HashMapOf<u64, (&'a str, BTreeMap<String, usize>)>,
}

impl<'a> LabelVotes<'a> {
    fn new(template: &'a Template) -> Self {
        let label = |label: &'a String| (hash_label(label), (label.as_str(), BTreeMap::new()));
        Self {
            texts: template.labels.iter().map(label).collect(),
        }
    }

    fn count(&mut self, old: &PageFeatures<'_>, new: &Dom, images: &[Option<NodeId>]) {
        for &(label, node) in &old.shapes.labels {
            let (Some((_, votes)), Some(image)) = (self.texts.get_mut(&label), images[node.index()]) else {
                continue;
            };
            let text = new.text(image);
            let said = match old.shape(node).is_prefix {
                true => label_prefix(text).or_else(|| number_prefix(text)),
                false => Some(text),
            };
            *votes.entry(said.map(collapsed).unwrap_or_default()).or_default() += 1;
        }
    }

    /// What most places of each label say; a label that no new page has stays as it was.
    fn elected(self) -> Vec<String> {
        let most = |(own, votes): (&str, BTreeMap<String, usize>)| {
            let most = votes.into_iter().max_by_key(|(_, count)| *count);
            most.map_or_else(|| own.to_owned(), |(text, _)| text)
        };
        let labels: BTreeSet<String> = self.texts.into_values().map(most).collect();
        labels.into_iter().filter(|label| !label.is_empty()).collect()
    }
}
