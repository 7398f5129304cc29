//! `gather`: from one sample page to every page of its site that the same template made.
//!
//! In: a [`Site`], a sample, [`GatherOptions`]. Out: a [`Gathered`]. Three algorithms: [`Algorithm::Trivial`] and [`Algorithm::Indesit`] are the paper's
//! (Blanco, Crescenzi, Merialdo 2004); [`Algorithm::Guided`], the default, is built on INDESIT's idea and told in `guided.rs`.

mod address_form;
mod conclusion;
mod drawing;
mod estimate;
mod family;
mod forecast;
mod guided;
mod indesit;
mod options;
mod papers;
mod plan;
mod result;
mod trivial;
mod worth;

pub use drawing::{draw, explain};
pub use family::Nearness;
pub use options::{Algorithm, Extensions, GatherOptions};
pub use result::{Gathered, GatheredPage, Lead};

use crate::page::{Page, Site};
use crate::site::explored::Explored;
use crate::site::visited_page::PageId;
use guided::Search;
use indesit::Indesit;
use papers::PaperCrawl;
use trivial::TrivialSearch;

/// Finds the pages of a site that are like a sample.
pub fn gather(site: &mut dyn Site, sample: &Page, options: &GatherOptions) -> Gathered {
    if options.algorithm == Algorithm::Guided {
        let mut search = Search::new(site, sample, options);
        search.run(sample);
        return search.conclude();
    }
    let mut explored = Explored::new(sample.url.clone(), &options.explore);
    let Some(first) = explored.add(sample) else {
        return Gathered::default();
    };
    let crawl = PaperCrawl {
        site,
        options,
        explored,
    };
    match options.algorithm {
        Algorithm::Trivial => {
            let mut search = TrivialSearch::new(crawl);
            let found: Vec<PageId> = search.search(first, options.depth);
            search.crawl.conclude(first, found)
        }
        _ => {
            let mut search = Indesit::new(crawl);
            let found: Vec<PageId> = search.search(&[first]);
            search.crawl.conclude(first, found)
        }
    }
}

#[cfg(test)]
mod guided_tests;
#[cfg(test)]
mod paper_tests;
