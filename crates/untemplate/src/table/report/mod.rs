//! The report of a run: one page that a person reads.
//!
//! In: a [`ReportPage`], plain values from whoever ran the stages. Out: HTML that needs nothing else ([`report_page`]): no script, no request, light or dark as the
//! reader has it, as wide as the screen is, fit for paper. Everything that came from the site is escaped.

mod cards;
mod page;
mod problem_groups;
mod relations;
mod sections;
mod style;
mod text;

pub use page::{ClassSection, Cost, ReportPage, TableSection, report_page};
pub use problem_groups::{ProblemGroup, ProblemGroups};

#[cfg(test)]
mod tests;
