//! Addresses in parts, and what addresses of one kind have in common.
//!
//! In: addresses. Out: [`UrlParts`], the tokens of one, and three views of them, from coarse to
//! fine: [`UrlParts::kind`] keeps what is the same for all pages of a folder; [`UrlParts::form`]
//! writes numbers and names by their form alone; [`covering_regex`] is the regular expression that
//! a set of addresses has in common. Every view is made of the same tokens, so that two of them
//! never disagree about where a name ends.

mod covering;
mod parts;

pub use covering::covering_regex;
pub use parts::UrlParts;
pub(crate) use parts::push_numbers_out;
