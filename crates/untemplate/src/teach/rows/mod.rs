//! Rows: a table or list of a page, taught as rows by one click.
//!
//! In: a page and a node that was clicked ([`propose_rows`]). Out: [`TaughtRows`], a path to the
//! rows and the fields of each, which read the same table or list on every page of the class. What
//! is proposed is what a person then strikes out and renames; rules are kept as they were chosen,
//! so that a lesson replays to the byte whatever becomes of the proposals.
//!
//! Beyond paper 002, whose wrappers read one record a page. `record` finds the main list of a page
//! without being told; here somebody pointed at a row, so that nothing is to be found, and the rule
//! must hold on other pages, where the list may be shorter, elsewhere, or missing.
//!
//! 1. [`grid`]: which column a cell of a table stands in, and what heads it.
//! 2. [`taught_rows`]: the rules, and what they read.
//! 3. [`row_set`]: the rows that a click may mean, and the paths to them; [`row_fields`]: what to
//!    read in each; [`propose`]: the walk.

mod grid;
mod propose;
mod row_fields;
mod row_set;
mod taught_rows;
#[cfg(test)]
mod tests;

pub use propose::{ProposedField, ProposedRows, propose_rows};
pub use taught_rows::{GridColumn, RowField, RowReading, RowsReading, TaughtRows};
