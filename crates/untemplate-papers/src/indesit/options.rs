//! Options of the paper's searches.

use untemplate::site::ExploreOptions;

/// Which of the paper's two algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// INDESIT.
    #[default]
    Indesit,
    /// TRIVIALSEARCH.
    Trivial,
}

/// What a search may do.
#[derive(Debug, Clone)]
pub struct SimilarityOptions {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The site, the attributes of paths, the budget of downloads.
    pub explore: ExploreOptions,
    /// The similarity threshold: pages whose schemas differ in fewer paths are similar.
    pub similar_below: usize,
    /// How many levels of indices TRIVIALSEARCH looks for.
    pub depth: usize,
    /// Judge similarity exactly as the paper does, and count every look that its pseudo-code takes,
    /// repeated searches included.
    pub is_faithful: bool,
}

impl Default for SimilarityOptions {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Indesit,
            explore: ExploreOptions::default(),
            similar_below: 10,
            depth: 2,
            is_faithful: false,
        }
    }
}
