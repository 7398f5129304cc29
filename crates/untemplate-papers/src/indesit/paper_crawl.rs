//! What the paper's two algorithms share: similarity of pages by their link paths, and following
//! links.
//!
//! Paper: Blanco, Crescenzi, Merialdo 2004, section 2. Pages are *similar* when the symmetric
//! difference of their schemas has fewer than [`SimilarityOptions::similar_below`] paths. With
//! fewer paths than that all pages of a site are similar, so unless it is to be faithful the
//! difference must also be at most 0.35 of all paths, and pages with fewer than 8 paths are
//! compared by their whole form.

use untemplate::page::{PathId, Site};
use untemplate::site::{AddressId, Explored, Gathered, GatheredPage, PageId};

use super::options::SimilarityOptions;

/// The share of all paths in which similar pages differ at most.
const DIFFERENCE_MAX: f64 = 0.35;
/// Pages with fewer paths are compared by their whole form.
const PATHS_FEW: usize = 8;
/// How alike their forms must be then.
const FORMS_ALIKE: f64 = 0.6;

/// A crawl of one of the paper's algorithms.
pub(super) struct PaperCrawl<'a> {
    pub site: &'a mut dyn Site,
    pub options: &'a SimilarityOptions,
    pub explored: Explored,
}

impl PaperCrawl<'_> {
    /// Whether two pages are similar.
    pub fn is_similar(&mut self, left: PageId, right: PageId) -> bool {
        if left == right {
            return true;
        }
        let (left_schema, right_schema) = (self.explored.schema(left), self.explored.schema(right));
        if left_schema.distance(right_schema) >= self.options.similar_below {
            return false;
        }
        if self.options.is_faithful {
            return true;
        }
        let is_near = left_schema.normalised_distance(right_schema) <= DIFFERENCE_MAX;
        let few = left_schema.paths().len().min(right_schema.paths().len()) < PATHS_FEW;
        is_near && (!few || self.explored.likeness(left, right).jaccard >= FORMS_ALIKE)
    }

    /// Follows links one after the other; the pages they lead to.
    pub fn follow(&mut self, addresses: &[AddressId]) -> Vec<PageId> {
        let reached = self.explored.visit(self.site, addresses);
        reached.into_iter().filter_map(|reached| reached.page()).collect()
    }

    /// Follows one link.
    pub fn follow_one(&mut self, address: AddressId) -> Option<PageId> {
        self.follow(&[address]).pop()
    }

    /// The links of a page at one path.
    pub fn links_at(&self, page: PageId, path: PathId) -> Vec<AddressId> {
        let collections = self.explored.collections(page);
        collections
            .into_iter()
            .find(|(at, _)| *at == path)
            .map_or_else(Vec::new, |(_, addresses)| addresses)
    }

    /// What was found, nearest first.
    pub fn conclude(self, sample: PageId, mut found: Vec<PageId>) -> Gathered {
        let explored = self.explored;
        found.sort_unstable();
        found.dedup();
        let distance = |page: PageId| explored.schema(sample).distance(explored.schema(page)) as f64;
        let page = |id: PageId| GatheredPage {
            url: explored.url(id),
            distance: if id == sample { 0.0 } else { distance(id) },
            copy_of: explored.page(id).copy_of.map(|first| explored.url(first)),
        };
        let mut pages: Vec<GatheredPage> = found.into_iter().map(page).collect();
        pages[1..].sort_by(|left, right| {
            left.distance
                .total_cmp(&right.distance)
                .then_with(|| left.url.cmp(&right.url))
        });
        Gathered {
            size_estimate: pages.len(),
            pages,
            leads: Vec::new(),
            downloads: explored.downloads,
            evaluations: explored.evaluations,
            is_stopped: explored.is_stopped,
            losses: explored
                .losses
                .iter()
                .map(|(address, why)| (explored.addresses.url(*address), why.clone()))
                .collect(),
        }
    }
}
