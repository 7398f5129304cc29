//! The report of a run: one page that a person reads.
//!
//! In: a [`ReportPage`], plain values from whoever ran the stages. Out: a page ([`report_page`])
//! with no script, light or dark as the reader has it, as wide as the screen is, fit for paper.

mod cards;
mod changes;
mod omitted;
mod order;
mod page;
mod relations;
mod rows;
mod sections;
mod style;

pub use page::{ClassSection, Cost, OmittedSection, ReportPage, TableSection, report_page};

#[cfg(test)]
mod tests;
