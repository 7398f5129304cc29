//! RoadRunner, as the paper has it: an expression that all pages match, found by aligning token
//! lists.
//!
//! In: the token lists of pages. Out: [`Expression`]s, one for each set of pages that agree. Paper:
//! Crescenzi, Mecca and Merialdo 2001, with the later system's depth rule and subtrees. The product
//! infers templates instead ([`infer_template`](untemplate::wrapper::infer_template)): they degrade
//! where pages differ. This engine is what `--faithful` runs, and the measure of what the paper's
//! algorithm gives.
//!
//! `token.rs` makes tokens, `parse.rs` matches an expression with them and says where it fails,
//! `operator.rs` says what may be done there, `square.rs` finds repeats, `search.rs` tries it all
//! within bounds, `wrapper.rs` goes through the pages.

mod description;
mod expression;
mod expression_set;
mod operator;
mod parse;
mod search;
mod square;
mod token;
mod wrapper;

pub use expression::{Expression, show_expression};
pub use expression_set::ExpressionSet;
pub use search::SearchOptions;
pub use token::{Symbol, SymbolKind};
pub use wrapper::ExpressionWrapper;

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod property_tests;
