//! `gather`: from one sample page to every page of its site that the same template made.
//!
//! In: a [`Site`], a sample, [`GatherOptions`]. Out: a [`Gathered`]. The search is built on
//! INDESIT's idea (Blanco, Crescenzi, Merialdo 2004) and told in `guided.rs`; the paper's own
//! algorithms are in the crate `untemplate-papers`.

mod address_form;
mod conclusion;
mod estimate;
mod expected_yield;
mod explanation;
mod family;
mod forecast;
mod guided;
mod options;
mod plan;
mod result;
mod templates;
mod unexplored;

pub use explanation::explain;
pub use family::Nearness;
pub use options::{Extensions, GatherOptions};
pub use result::{Gathered, GatheredPage, Lead};

use crate::page::{Page, Site};
use guided::Search;

/// Finds the pages of a site that are like a sample.
pub fn gather(site: &mut dyn Site, sample: &Page, options: &GatherOptions) -> Gathered {
    let mut search = Search::new(site, sample, options);
    search.run(sample);
    search.rebuild();
    search.conclude()
}

#[cfg(test)]
mod guided_tests;
