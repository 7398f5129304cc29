//! Extraction rules: what picks values, or requests, on a page.
//!
//! Paper 002 §4 has three classes, and a rule here is one of them by its parts: ABSOLUTE is a path
//! from the document, LABELED one from a pivot, a text of the template that stands nearby;
//! URL-REGEX is either with a pattern that the picked address must match.
//!
//! Departures: a path's steps may be told by attributes as well as by positions (`Step`), and
//! constant text around a value can be left out ([`Trim`]): "Director: X" gives X, and a text
//! without its "Director: " gives nothing rather than something wrong.

use std::collections::HashSet;

use url::Url;

use super::text_index::TextIndex;
use super::url_regex::UrlRegex;
use super::xpath::node_text;
use super::{LocationPath, PathError, Selected, select};
use crate::page::{Dom, NodeId, Page};

/// Picks values or requests on a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExtractionRule {
    /// Where it starts and which way it goes.
    pub place: Locator,
    /// What the picked address must match.
    pub url: Option<UrlRegex>,
    /// Constant text around the value.
    pub trim: Trim,
}

/// Where a rule starts, and its path from there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Locator {
    /// From the document.
    Absolute(LocationPath),
    /// From a text that is on every page of the class.
    Labeled {
        /// The text, white space collapsed.
        pivot: Box<str>,
        /// Which of the texts that read so, from 1; 0 for each of them.
        nth: u32,
        /// From the pivot's text node to the value.
        path: LocationPath,
    },
}

/// Text around values that belongs to the template.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Trim {
    /// What every value begins with.
    pub prefix: Box<str>,
    /// What every value ends with.
    pub suffix: Box<str>,
}

/// Something that a rule picked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picked {
    /// Where it stands.
    pub place: Selected,
    /// Its value: white space collapsed, constant text left out.
    pub text: String,
}

impl ExtractionRule {
    /// A rule of a place alone.
    pub fn at(place: Locator) -> Self {
        Self {
            place,
            url: None,
            trim: Trim::default(),
        }
    }

    /// An ABSOLUTE rule from its path.
    pub fn absolute(path: &str) -> Result<Self, PathError> {
        Ok(Self::at(Locator::Absolute(path.parse()?)))
    }

    /// A LABELED rule from its pivot, the first of its text, and its path.
    pub fn labeled(pivot: &str, path: &str) -> Result<Self, PathError> {
        Ok(Self::at(Locator::Labeled {
            pivot: pivot.into(),
            nth: 1,
            path: path.parse()?,
        }))
    }

    /// What it picks on a page, in document order.
    pub fn values(&self, page: &Page) -> Vec<Picked> {
        self.values_by(page, &|| TextIndex::of(&page.dom))
    }

    /// The same, where the page's texts have been looked up already.
    pub fn values_with(&self, page: &Page, texts: &TextIndex) -> Vec<Picked> {
        let picked = |selected: Vec<Selected>| self.picked(page, selected);
        match &self.place {
            Locator::Absolute(path) => picked(select(path, &page.dom, NodeId::DOCUMENT)),
            Locator::Labeled { pivot, nth, path } => picked(from_pivot(&page.dom, texts, pivot, *nth, path)),
        }
    }

    fn values_by(&self, page: &Page, texts: &dyn Fn() -> TextIndex) -> Vec<Picked> {
        match &self.place {
            Locator::Absolute(_) => self.values_with(page, &TextIndex::default()),
            Locator::Labeled { .. } => self.values_with(page, &texts()),
        }
    }

    /// The addresses that it picks on a page, each once.
    pub fn addresses(&self, page: &Page) -> Vec<Url> {
        let mut seen: HashSet<Url> = HashSet::new();
        let picked = self.values(page).into_iter();
        picked
            .filter_map(|picked| page.resolve(&picked.text))
            .filter(|address| seen.insert(address.clone()))
            .collect()
    }

    fn picked(&self, page: &Page, selected: Vec<Selected>) -> Vec<Picked> {
        let mut all = Vec::new();
        for place in selected {
            let text = value_text(&page.dom, place);
            let Some(text) = self.trim.apply(&text) else {
                continue;
            };
            let is_wanted = self
                .url
                .as_ref()
                .is_none_or(|url| page.resolve(text).is_some_and(|address| url.matches(&address)));
            if !text.is_empty() && is_wanted {
                let text = text.to_owned();
                all.push(Picked { place, text });
            }
        }
        all
    }
}

fn from_pivot(dom: &Dom, texts: &TextIndex, pivot: &str, nth: u32, path: &LocationPath) -> Vec<Selected> {
    let places = texts.places(pivot);
    let places = match nth {
        0 => places,
        nth => places.get(nth as usize - 1..nth as usize).unwrap_or(&[]),
    };
    let mut selected: Vec<Selected> = places.iter().flat_map(|&place| select(path, dom, place)).collect();
    selected.sort_unstable();
    selected.dedup();
    selected
}

/// The value of a place: the attribute's, the text's, or all visible text of an element, white
/// space collapsed.
pub fn value_text(dom: &Dom, place: Selected) -> String {
    match place.attribute {
        Some(name) => {
            let value = dom.attribute(place.node, name).unwrap_or("");
            value.split_whitespace().collect::<Vec<&str>>().join(" ")
        }
        None => node_text(dom, place.node),
    }
}

impl Trim {
    /// The value inside a text; `None` where the constant text is missing.
    pub fn apply<'a>(&self, text: &'a str) -> Option<&'a str> {
        let inner = text.strip_prefix(&*self.prefix)?.strip_suffix(&*self.suffix)?;
        Some(inner.trim())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};

    fn page(html: &str) -> Page {
        let url = Url::parse("http://shop.example/a/").expect("a good address");
        Page::read(&Response::html(url, html), &ParseOptions::default())
    }

    fn check(rule: &ExtractionRule, html: &str, expected: &[&str]) {
        let texts: Vec<String> = rule.values(&page(html)).into_iter().map(|picked| picked.text).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_labeled_rule_survives_a_removed_row_that_breaks_an_absolute_one() {
        let absolute =
            ExtractionRule::absolute("/html[1]/body[1]/table[1]/tbody[1]/tr[2]/td[2]/text()[1]").expect("a good path");
        let labeled = ExtractionRule::labeled("Last:", "../../td[2]/text()[1]").expect("a good path");
        let whole = "<table><tr><td>Sector:<td>Steel<tr><td>Last:<td> 12 <tr><td>Volume:<td>7</table>";
        let shorter = "<table><tr><td>Last:<td>12<tr><td>Volume:<td>7</table>";
        check(&absolute, whole, &["12"]);
        check(&labeled, whole, &["12"]);
        check(&absolute, shorter, &["7"]);
        check(&labeled, shorter, &["12"]);
        check(&labeled, "<table><tr><td>Sector:<td>Steel</table>", &[]);
    }

    #[test]
    fn constant_text_is_left_out_or_nothing_is_picked() {
        let mut rule = ExtractionRule::absolute("//li/text()").expect("a good path");
        rule.trim = Trim {
            prefix: "Director:".into(),
            suffix: "".into(),
        };
        check(&rule, "<ul><li>Director: Ada<li>Writer: Bo<li>Director:</ul>", &["Ada"]);
    }

    #[test]
    fn addresses_are_resolved_held_against_the_pattern_and_given_once() {
        let mut rule = ExtractionRule::absolute("//a/@href").expect("a good path");
        rule.url = Some(UrlRegex::new(r"^http://shop\.example/a/\d+$").expect("a good pattern"));
        let page = page("<a href=1>1</a><a href=x>x</a><a href=./1#top>1</a><a href=2>2</a>");
        let addresses: Vec<String> = rule.addresses(&page).iter().map(Url::to_string).collect();
        assert_eq!(addresses, ["http://shop.example/a/1", "http://shop.example/a/2"]);
    }
}
