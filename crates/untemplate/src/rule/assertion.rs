//! Assertions: what a page of a class must satisfy (paper 002 §4).
//!
//! A conjunction of paths, each of which must select something. They are learnt from texts and tags
//! of the template, so a page of another template that a rule led to by mistake fails them.
//!
//! Departure: pages that one template makes of different things (coaches among players) satisfy the
//! same paths. Where somebody showed such pages, an assertion can also say what a page must not
//! have, and what its address must look like.

use super::{LocationPath, UrlRegex, select};
use crate::page::{NodeId, Page};

/// What a page of a class must satisfy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assertion {
    /// Paths that must each select a node.
    pub paths: Vec<LocationPath>,
    /// The share of them that must hold; 1 for all.
    pub min_hold: f64,
    /// Paths that must select nothing, each of them.
    pub never: Vec<LocationPath>,
    /// What the page's address must match.
    pub address: Option<UrlRegex>,
}

impl Assertion {
    /// An assertion that all paths must satisfy.
    pub fn all(paths: Vec<LocationPath>) -> Self {
        Self {
            paths,
            min_hold: 1.0,
            ..Self::default()
        }
    }

    /// All that it asserts, for people: the paths, then those that must select nothing, then the
    /// address.
    pub fn told(&self) -> Vec<String> {
        let paths = self.paths.iter().map(ToString::to_string);
        let never = self.never.iter().map(never_text);
        paths
            .chain(never)
            .chain(self.address.as_ref().map(address_text))
            .collect()
    }

    /// What of it does not hold on a page, as [`Assertion::told`] has it.
    pub fn broken(&self, page: &Page) -> Vec<String> {
        let paths = self.failing(page).into_iter().map(ToString::to_string);
        let never = self.never.iter().filter(|path| selects(path, page)).map(never_text);
        let address = self.address.as_ref().filter(|address| !address.matches(&page.url));
        paths.chain(never).chain(address.map(address_text)).collect()
    }

    /// The paths that select nothing on a page.
    pub fn failing<'a>(&'a self, page: &Page) -> Vec<&'a LocationPath> {
        self.paths.iter().filter(|path| !selects(path, page)).collect()
    }

    /// Whether enough of the paths hold.
    pub fn is_template_of(&self, page: &Page) -> bool {
        let held = self.paths.len() - self.failing(page).len();
        held as f64 >= self.min_hold * self.paths.len() as f64 - 1e-9
    }

    /// Whether a page is of the class, as far as this can tell.
    pub fn holds(&self, page: &Page) -> bool {
        self.is_template_of(page)
            && !self.never.iter().any(|path| selects(path, page))
            && self.address.as_ref().is_none_or(|address| address.matches(&page.url))
    }
}

fn selects(path: &LocationPath, page: &Page) -> bool {
    !select(path, &page.dom, NodeId::DOCUMENT).is_empty()
}

fn never_text(path: &LocationPath) -> String {
    format!("not {path}")
}

fn address_text(address: &UrlRegex) -> String {
    format!("address {}", address.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};

    #[test]
    fn a_page_of_another_template_is_rejected() {
        let path = |text: &str| text.parse::<LocationPath>().expect("a good path");
        let assertion = Assertion::all(vec![path("//h1[.='Player']"), path("//table[@class='facts']")]);
        let check = |html: &str, expected: bool| {
            let url = "http://team.example/".parse().expect("a good address");
            let page = Page::read(&Response::html(url, html), &ParseOptions::default());
            assert_eq!(assertion.holds(&page), expected, "{html}");
        };
        check("<h1>Player</h1><table class=facts></table>", true);
        check("<h1>Coach</h1><table class=facts></table>", false);
        let sternly = Assertion {
            never: vec![path("//b[.='Retired']")],
            address: UrlRegex::new("^http://team\\.example/$").ok(),
            ..assertion.clone()
        };
        let url: url::Url = "http://team.example/".parse().expect("a good address");
        let read =
            |url: &url::Url, html: &str| Page::read(&Response::html(url.clone(), html), &ParseOptions::default());
        let good = "<h1>Player</h1><table class=facts></table>";
        assert!(sternly.holds(&read(&url, good)));
        let retired = read(&url, &format!("{good}<b>Retired</b>"));
        assert!(!sternly.holds(&retired));
        assert_eq!(sternly.broken(&retired), ["not /descendant::b[.='Retired']"]);
        let elsewhere = read(&url.join("x").expect("a good address"), good);
        assert!(!sternly.holds(&elsewhere));
        assert_eq!(sternly.broken(&elsewhere), [sternly.told()[3].clone()]);
        assert!(
            Assertion::default()
                .failing(&Page::read(
                    &Response::html("http://team.example/".parse().expect("a good address"), ""),
                    &ParseOptions::default()
                ))
                .is_empty()
        );
    }
}
