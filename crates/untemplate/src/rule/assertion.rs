//! Assertions: what a page of a class must satisfy (paper 002 §4).
//!
//! A conjunction of paths, each of which must select something. They are learnt from texts and tags of the template, so a page
//! of another template that a rule led to by mistake fails them.

use super::{LocationPath, select};
use crate::page::{NodeId, Page};

/// What a page of a class must satisfy.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Assertion {
    /// Paths that must each select a node.
    pub paths: Vec<LocationPath>,
    /// The share of them that must hold; 1 for all.
    pub min_hold: f64,
}

impl Assertion {
    /// An assertion that all paths must satisfy.
    pub fn all(paths: Vec<LocationPath>) -> Self {
        Self { paths, min_hold: 1.0 }
    }

    /// The paths that select nothing on a page.
    pub fn failing<'a>(&'a self, page: &Page) -> Vec<&'a LocationPath> {
        let holds = |path: &LocationPath| !select(path, &page.dom, NodeId::DOCUMENT).is_empty();
        self.paths.iter().filter(|path| !holds(path)).collect()
    }

    /// Whether a page is of the class, as far as this can tell.
    pub fn holds(&self, page: &Page) -> bool {
        let held = self.paths.len() - self.failing(page).len();
        held as f64 >= self.min_hold * self.paths.len() as f64 - 1e-9
    }
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
