//! TRIVIALSEARCH: follow everything, then everything that stands where a link to a target stood.
//!
//! In: a sample page. Out: the pages found that are similar to it. Paper: Blanco, Crescenzi,
//! Merialdo 2004, section 2.3.1, figure 2, with the depth of 2 that it sets. Resolutions: the
//! sample belongs to what was reached; the figure's P0 is C0. A search for pages like one of a
//! cluster is done once for the cluster; to be faithful, the looks that the figure would repeat are
//! counted again.

use std::collections::{BTreeSet, HashMap};

use foldhash::fast::FixedState;
use untemplate::page::PathId;
use untemplate::site::{AddressId, PageId, SchemaId};

use super::paper_crawl::PaperCrawl;

/// What a search returned, and the looks it took.
struct Done {
    pages: Vec<PageId>,
    evaluations: usize,
}

/// A search, and what earlier ones returned.
pub(super) struct TrivialSearch<'a> {
    pub crawl: PaperCrawl<'a>,
    done: HashMap<(SchemaId, usize), Done, FixedState>,
}

impl<'a> TrivialSearch<'a> {
    pub fn new(crawl: PaperCrawl<'a>) -> Self {
        Self {
            crawl,
            done: HashMap::default(),
        }
    }

    /// The pages similar to `first`, through at most `depth` levels of indices.
    pub fn search(&mut self, first: PageId, depth: usize) -> Vec<PageId> {
        if depth == 0 {
            return vec![first];
        }
        let key = (self.crawl.explored.page(first).schema, depth);
        if let Some(done) = self.done.get(&key) {
            if self.crawl.options.is_faithful {
                self.crawl.explored.evaluations += done.evaluations;
            }
            return done.pages.clone();
        }
        let before = self.crawl.explored.evaluations;
        let mut reached: BTreeSet<PageId> = BTreeSet::from([first]);
        for (_, addresses) in self.crawl.explored.collections(first) {
            reached.extend(self.crawl.follow(&addresses));
        }
        for (index, path, addresses) in self.back_links(first, &reached) {
            reached.extend(self.crawl.follow(&addresses));
            for like_index in self.search(index, depth - 1) {
                let addresses = self.crawl.links_at(like_index, path);
                reached.extend(self.crawl.follow(&addresses));
            }
        }
        let pages: Vec<PageId> = reached
            .into_iter()
            .filter(|&page| self.crawl.is_similar(page, first))
            .collect();
        let evaluations = self.crawl.explored.evaluations - before;
        let done = Done {
            pages: pages.clone(),
            evaluations,
        };
        self.done.insert(key, done);
        pages
    }

    /// The link collections of pages that hold a link to one with the schema of `first`.
    fn back_links(&self, first: PageId, reached: &BTreeSet<PageId>) -> Vec<(PageId, PathId, Vec<AddressId>)> {
        let explored = &self.crawl.explored;
        let schema = explored.page(first).schema;
        let is_target = |address: &AddressId| {
            let page = explored.reached(*address).and_then(|reached| reached.page());
            page.is_some_and(|page| reached.contains(&page) && explored.page(page).schema == schema)
        };
        let mut back = Vec::new();
        for &page in reached {
            for (path, addresses) in explored.collections(page) {
                if addresses.iter().any(is_target) {
                    back.push((page, path, addresses));
                }
            }
        }
        back
    }
}
