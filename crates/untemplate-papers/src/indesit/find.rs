//! The search: a sample in, the pages similar to it out.

use untemplate::page::{Page, Site};
use untemplate::site::{Explored, Gathered};

use super::options::{Algorithm, SimilarityOptions};
use super::paper_crawl::PaperCrawl;
use super::search::Indesit;
use super::trivial::TrivialSearch;

/// Finds the pages of a site that are similar to a sample.
pub fn find_similar(site: &mut dyn Site, sample: &Page, options: &SimilarityOptions) -> Gathered {
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
            let found = search.search(first, options.depth);
            search.crawl.conclude(first, found)
        }
        Algorithm::Indesit => {
            let mut search = Indesit::new(crawl);
            let found = search.search(&[first]);
            search.crawl.conclude(first, found)
        }
    }
}
