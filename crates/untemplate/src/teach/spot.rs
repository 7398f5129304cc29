//! A spot: the place that somebody pointed at, and not only the text that stands there.
//!
//! In: a page and the path to a node, with the number of letters before the value where it is a
//! part of the node's text. Out: the occurrences of the value at that spot and nowhere else. "23"
//! stands in many places of a page, and only one of them is the age: rules come from that one.
//!
//! Departure from paper 002, whose examples are texts: a text says less than a click does. An
//! example without a spot means every place of its text, as in the paper. Where a page has changed
//! so that the value is not at its spot any more, it counts as if it had been shown without one.

use super::occurrence::{Occurrence, find_apart, occurrences, part_at, whole_occurrences};
use super::route::steps_down;
use super::sample::SamplePage;
use url::Url;

use crate::page::{Dom, Name, NodeId, Page};
use crate::rule::{LocationPath, Selected, select, value_text};

/// A place on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The path to it: a text, an element, or an attribute. One that a person wrote may select
    /// several nodes; those that have the value are meant.
    pub path: LocationPath,
    /// How many letters of the node's text, white space collapsed, stand before the value; `None`
    /// where it is the whole text, or the first that reads so.
    pub offset: Option<usize>,
}

/// A value, and where it stands if somebody pointed at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownValue {
    /// The value, as the page shows it, white space collapsed.
    pub text: String,
    /// Where it stands; `None` for every place of the text.
    pub spot: Option<Spot>,
}

impl<T: Into<String>> From<T> for ShownValue {
    fn from(text: T) -> Self {
        let text = text.into();
        Self { text, spot: None }
    }
}

impl Spot {
    /// The spot of a node or attribute, each step of its path with a position.
    pub fn of(dom: &Dom, place: Selected, offset: Option<usize>) -> Option<Self> {
        let path = LocationPath::absolute(steps_down(dom, NodeId::DOCUMENT, place)?);
        Some(Self { path, offset })
    }
}

impl ShownValue {
    /// A value at the place where it was read on a page; a part of a text where it is one.
    pub fn at(dom: &Dom, place: Selected, text: &str) -> Self {
        let whole = value_text(dom, place);
        let offset = find_apart(&whole, text)
            .filter(|_| whole != text)
            .map(|at| whole[..at].chars().count());
        Self {
            text: text.to_owned(),
            spot: Spot::of(dom, place, offset),
        }
    }

    /// The place that its spot names on a page, if it reads so there.
    pub fn place_on(&self, dom: &Dom) -> Option<Selected> {
        Some(self.at_spot(dom).first()?.place)
    }

    /// Where it stands on a page: at its spot, or wherever it reads so.
    pub(super) fn occurrences(&self, page: &SamplePage) -> Vec<Occurrence> {
        let at_spot = self.at_spot(&page.page.dom);
        if at_spot.is_empty() {
            return occurrences(&page.page, &page.texts, &self.text);
        }
        at_spot
    }

    /// The occurrences at its spot; none where there is no spot, or another text at it.
    fn at_spot(&self, dom: &Dom) -> Vec<Occurrence> {
        let Some(spot) = &self.spot else {
            return Vec::new();
        };
        let selected = select(&spot.path, dom, NodeId::DOCUMENT).into_iter();
        let found = selected.map(|place| occurrences_at(dom, place, &self.text, spot.offset));
        found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
    }

    /// The element of a link that was pointed at, if it is still there and leads to the address.
    pub(super) fn node_of_link(&self, page: &Page, url: &Url) -> Option<NodeId> {
        let selected = select(&self.spot.as_ref()?.path, &page.dom, NodeId::DOCUMENT);
        let leads_there = |node: &NodeId| {
            let href = page.dom.attribute(*node, Name::HREF);
            href.and_then(|href| page.resolve(href)).as_ref() == Some(url)
        };
        selected.into_iter().map(|place| place.node).find(leads_there)
    }

    /// The innermost place of what it stands at; `None` where it has no spot on this page.
    pub(super) fn innermost(&self, dom: &Dom) -> Option<Selected> {
        let first = self.at_spot(dom).into_iter().next()?;
        Some(innermost(dom, first.place))
    }
}

/// The occurrences of a value at one place.
fn occurrences_at(dom: &Dom, place: Selected, value: &str, offset: Option<usize>) -> Vec<Occurrence> {
    if value_text(dom, place) == value {
        return whole_occurrences(dom, innermost(dom, place), value);
    }
    // An element is named for one of its texts; the nearest that reads so is meant.
    let texts = dom.subtree(place.node).filter(|&node| dom.is_text(node));
    let texts: Vec<Selected> = texts.map(|node| Selected { node, attribute: None }).collect();
    if let Some(&own) = texts.iter().find(|&&text| value_text(dom, text) == value) {
        return whole_occurrences(dom, own, value);
    }
    // A part of one text is nearer than a part of the element around several.
    let mut parts = texts.into_iter().chain([place]);
    parts
        .find_map(|part| part_at(dom, part, value, offset))
        .into_iter()
        .collect()
}

/// The text node that is all of an element's text, or the element where there are several: a cell,
/// the paragraph in it and the text in that are one spot.
pub(super) fn innermost(dom: &Dom, place: Selected) -> Selected {
    if place.attribute.is_some() {
        return place;
    }
    let mut node = place.node;
    loop {
        let mut children = dom.children(node).filter(|&child| has_text(dom, child));
        match (children.next(), children.next()) {
            (Some(only), None) => node = only,
            _ => return Selected { node, attribute: None },
        }
    }
}

/// Whether anything in it can be read.
fn has_text(dom: &Dom, node: NodeId) -> bool {
    !dom.is_unseen(node)
        && dom
            .subtree(node)
            .any(|it| dom.is_text(it) && !dom.text(it).trim().is_empty())
}

/// The places where rules read a value on a page, among the occurrences of its text: an answer in
/// words means what the rules read there.
pub(super) fn read_there(page: &SamplePage, value: &str, read: &[Selected]) -> Vec<Occurrence> {
    let all = occurrences(&page.page, &page.texts, value);
    let dom = &page.page.dom;
    let is_read = |its: &&Occurrence| read.contains(&innermost(dom, its.place));
    let kept: Vec<Occurrence> = all.iter().filter(is_read).cloned().collect();
    if kept.is_empty() { all } else { kept }
}
