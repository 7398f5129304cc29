//! Running a specification: crawl and extraction interleaved (paper 002 §3, Algorithm 1).
//!
//! In: a [`Specification`](super::Specification), a [`Site`](crate::page::Site), an observer. Out:
//! events as they happen, records among them, and a [`RunReport`]. The [`Plan`] joins the paths
//! that are followed, the loop in `crawl.rs` goes through them level by level, `requests.rs` makes
//! requests of pages.

mod crawl;
mod event;
mod options;
mod plan;
mod report;
mod requests;

pub use crawl::run_specification;
pub use event::{Arrival, Fate, RunEvent};
pub use options::{RunError, RunOptions};
pub use plan::{Plan, PlanNode};
pub use report::{ClassReport, FieldReport, RequestReport, RunReport};

#[cfg(test)]
mod form_tests;
#[cfg(test)]
mod tests;
