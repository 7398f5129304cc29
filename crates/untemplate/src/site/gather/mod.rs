//! `gather`: from one sample page to every page of its site that the same template made.
//!
//! In: a [`Site`], a sample, [`GatherOptions`]. Out: a [`Gathered`]. The search is built on
//! INDESIT's idea (Blanco, Crescenzi, Merialdo 2004) and told in `search.rs`; the paper's own
//! algorithms are in the crate `untemplate-papers`.

mod choice;
mod conclusion;
mod estimate;
mod explanation;
mod options;
mod result;
mod search;
mod standing;
mod strangers;
mod tallies;

pub use explanation::explain;
pub use options::{GatherOptions, GatherTuning};
pub use result::{Gathered, GatheredPage, Lead};

use crate::page::{Page, Site};
use search::Search;

/// Finds the pages of a site that are like a sample.
pub fn gather(site: &mut dyn Site, sample: &Page, options: &GatherOptions) -> Gathered {
    let mut search = Search::new(site, sample, options);
    search.run(sample);
    search.conclude()
}

#[cfg(test)]
mod search_tests;
