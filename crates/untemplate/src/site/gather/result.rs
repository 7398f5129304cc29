//! What `gather` returns: the pages, how they were found, what it cost.

use url::Url;

/// A page like the sample.
#[derive(Debug, Clone, PartialEq)]
pub struct GatheredPage {
    /// Its address.
    pub url: Url,
    /// How far it is from the sample: 0 for the sample itself.
    pub distance: f64,
    /// The page among these that says exactly the same, if there is one.
    pub copy_of: Option<Url>,
}

/// A way that led to pages like the sample.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lead {
    /// What the pages that hold the links are called: the number of their kind, 0 for the
    /// sample's own.
    pub family: u32,
    /// One of these pages.
    pub example: Url,
    /// How many of them were visited.
    pub n_pages: usize,
    /// The tag path of the links.
    pub path: String,
    /// How many addresses such links lead to, as far as visited.
    pub n_links: usize,
    /// How many of these are like the sample.
    pub n_targets: usize,
    /// How many were met here first.
    pub n_first: usize,
}

/// What `gather` found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gathered {
    /// The pages, nearest first.
    pub pages: Vec<GatheredPage>,
    /// How many pages the class is thought to have.
    pub size_estimate: usize,
    /// The ways that led to them, most fruitful first.
    pub leads: Vec<Lead>,
    /// Requests put to the site by the algorithm.
    pub downloads: usize,
    /// Looks at a page, known or not, as the paper counts them.
    pub evaluations: usize,
    /// Whether a limit or an interrupt cut it short.
    pub is_stopped: bool,
    /// Pages that are there and could not be had, and why.
    pub losses: Vec<(Url, String)>,
}

impl Gathered {
    /// Whether many pages of the class were likely not found, though nothing cut the search short:
    /// two in ten and a few more, since the estimate is one.
    pub fn is_short(&self) -> bool {
        !self.is_stopped && self.size_estimate * 10 > self.pages.len() * 12 + 50
    }
}
