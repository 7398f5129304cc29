//! Stage 3, `rule`: picking nodes on a page.
//!
//! In: a page. Out: the places that a rule picks, with their values. A rule is data: a
//! [`LocationPath`] of the XPath subset, perhaps with a pivot to start from, an address pattern to
//! hold against, and constant text to leave out; it prints as text and reads back.
//!
//! - [`LocationPath`]: `/html[1]/body[1]/table[2]/tr/td[2]/text()`, parsed, printed, evaluated
//!   without recursion.
//! - [`ExtractionRule`]: ABSOLUTE, URL-REGEX and LABELED rules (paper 002 §4).
//! - [`Assertion`]: what a page of a class must satisfy (paper 002 §4).
//! - [`UrlRegex`]: what the addresses of one request class have in common.
//!
//! ```
//! use untemplate::page::{Page, ParseOptions, Response};
//! use untemplate::rule::ExtractionRule;
//! let url = "http://shop.example/".parse().expect("a good address");
//! let page = Page::read(&Response::html(url, "<table><tr><th>Price<td>$ 9"), &ParseOptions::default());
//! let rule = ExtractionRule::labeled("Price", "../../td[1]/text()[1]").expect("a good path");
//! assert_eq!(rule.values(&page)[0].text, "$ 9");
//! ```

mod assertion;
mod extraction;
mod text_index;
mod url_regex;
mod xpath;

pub use assertion::Assertion;
pub use extraction::{ExtractionRule, Locator, Picked, Trim, value_text};
pub use text_index::TextIndex;
pub use url_regex::{UrlRegex, UrlRegexError};
pub use xpath::{Axis, LocationPath, NodeTest, PathError, Predicate, Selected, Step, select};

#[cfg(test)]
mod property_tests;
