//! Pages like a sample, as the paper finds them: Blanco, Crescenzi, Merialdo, "Automatically
//! generating reports from large web sites", 2004.
//!
//! [`find_similar`] runs INDESIT or TRIVIALSEARCH, whichever [`SimilarityOptions`] names. The
//! product's own way is [`gather`](untemplate::site::gather()), which is built on INDESIT's idea.

mod find;
mod options;
mod paper_crawl;
mod search;
mod trivial;

pub use find::find_similar;
pub use options::{Algorithm, SimilarityOptions};

#[cfg(test)]
mod golden_tests;
