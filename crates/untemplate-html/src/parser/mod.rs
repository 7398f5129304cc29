//! The parser: text to a tree, as the HTML standard says and browsers do.
//!
//! In: the decoded text of a page. Out: a [`Dom`](crate::Dom) and what was odd. The tokenizer and
//! the tree builder are our own: the pair is several times as fast as html5ever with rcdom
//! (`cargo xtask bench parse` measures it), and every step has a bound that hostile pages cannot
//! move. The public conformance suites hold them to the standard.

mod body;
mod builder;
mod declaration;
mod foreign;
mod formatting;
mod frame;
mod head;
mod layout;
mod parse;
mod quirks;
mod reference;
mod span;
mod stack;
mod table;
mod tag;
mod token;
mod tokenizer;
mod tree;

pub use parse::{Limits, ParseOptions, parse_html};

#[cfg(test)]
pub(super) mod suite_tests;
