//! Addresses in parts, and what addresses of one kind have in common.
//!
//! In: addresses. Out: [`UrlParts`], the tokens of one, and views of them. By form alone:
//! [`UrlParts::kind`] keeps what is the same for all pages of a folder, [`UrlParts::form`] writes
//! numbers and names by their form. Learnt from a set: [`UrlPattern`] is the text that addresses
//! have in common, [`covering_regex`] the regular expression. What is learnt over a whole site is
//! `site/model/address_shape.rs`, `address_marks.rs` and `site/template_tree`; what may be a trap, `trap/pattern.rs` of the crawler. Every view is made of
//! the same tokens, so that two of them never disagree about where a name or a word ends.

mod covering;
mod parts;
mod template;
mod words;

pub use covering::covering_regex;
pub use parts::UrlParts;
pub use template::UrlPattern;
pub(crate) use words::{is_number, is_word, runs_form, without_numbers, words};
