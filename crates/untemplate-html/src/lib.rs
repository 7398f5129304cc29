//! An HTML parser: any bytes to an arena tree, as browsers build it.
//!
//! In: the bytes of a page and the `Content-Type` they came with. Out: a [`Dom`], the encoding that
//! the bytes were read in, and what was odd. Parsing is total: there is no error to handle, no
//! input panics, and [`Limits`] bound what a hostile page can cost.
//!
//! - Charset, tokenizer and tree builder follow the HTML standard and are held to it by its public
//!   conformance suites (html5lib-tests). Scripts are not run.
//! - A [`Dom`] is flat: nodes lie in document order, a node is 24 bytes, and first child, next
//!   sibling and "is inside" are arithmetic on node numbers.
//! - A [`Name`] is a number. The names that the standard knows are constants ([`Name::A`],
//!   [`Name::HREF`]) that mean the same on every page.
//! - No `unsafe`, no build script, no global state.
//!
//! ```
//! use untemplate_html::{Name, ParseOptions, read_html};
//!
//! let bytes = b"<title>Cup</title><table><tr><td><a href=/final>Final</a><td>2:1";
//! let html = read_html(bytes, Some("text/html; charset=utf-8"), &ParseOptions::default());
//! let links: Vec<(&str, String)> = html
//!     .dom
//!     .nodes()
//!     .filter(|&node| html.dom.is_html(node, Name::A))
//!     .filter_map(|node| Some((html.dom.attribute(node, Name::HREF)?, html.dom.visible_text(node))))
//!     .collect();
//! assert_eq!(links, [("/final", "Final".to_owned())]);
//! assert!(html.problems.is_empty());
//! ```
//!
//! Text that is decoded already goes to [`parse_html`]; bytes alone become text with [`decode`].

mod charset;
mod dom;
mod name;
mod parser;
mod problem;
mod read;

pub use charset::{Decoded, ToldBy, decode};
pub use dom::{Dom, Namespace, NodeId, NodeKind};
pub use name::{Name, Names};
pub use parser::{Limits, ParseOptions, parse_html};
pub use problem::Problem;
pub use read::{Html, read_html};

#[cfg(test)]
mod fuzz_tests;
#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod property_tests;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
