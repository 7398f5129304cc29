//! Options of `gather`: which algorithm, and each of its extensions as a switch.

use url::Url;

use super::family::Nearness;
use crate::site::explored::ExploreOptions;

/// Which way pages like the sample are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Algorithm {
    /// The product's own: INDESIT's idea, with forecasts.
    #[default]
    Guided,
    /// INDESIT, as the paper has it.
    Indesit,
    /// TRIVIALSEARCH, as the paper has it.
    Trivial,
}

/// What `gather` may do.
#[derive(Debug, Clone, PartialEq)]
pub struct GatherOptions {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The site, the attributes of paths, the budget of downloads.
    pub explore: ExploreOptions,
    /// Further pages to start from.
    pub entries: Vec<Url>,
    /// The extensions of the guided algorithm.
    pub extensions: Extensions,
    /// How near a page must be to be like the sample, in the guided algorithm.
    pub nearness: Nearness,
    /// The papers' similarity threshold: pages whose schemas differ in fewer paths are similar.
    pub similar_below: usize,
    /// How many levels of indices TRIVIALSEARCH looks for.
    pub depth: usize,
    /// Count every look that the papers' pseudo-code takes, repeated searches included.
    pub is_faithful: bool,
}

impl Default for GatherOptions {
    fn default() -> Self {
        Self {
            algorithm: Algorithm::Guided,
            explore: ExploreOptions::default(),
            entries: Vec::new(),
            extensions: Extensions::default(),
            nearness: Nearness::default(),
            similar_below: 10,
            depth: 2,
            is_faithful: false,
        }
    }
}

/// Extensions beyond the paper, each of which can be switched off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extensions {
    /// Compare whole forms of pages, not their link paths alone.
    pub forms: bool,
    /// Compare the words that templates print.
    pub labels: bool,
    /// Let links of one place lead elsewhere now and then.
    pub tolerance: bool,
    /// Follow the links of targets to other targets.
    pub closure: bool,
    /// Ask the site for the addresses it lists itself.
    pub listed: bool,
    /// Tell by an address what it leads to.
    pub addresses: bool,
    /// Visit first what promises most new targets.
    pub value: bool,
    /// Go on while the class is thought to be larger than what was found.
    pub estimate: bool,
}

impl Default for Extensions {
    fn default() -> Self {
        Self {
            forms: true,
            labels: true,
            tolerance: true,
            closure: true,
            listed: true,
            addresses: true,
            value: true,
            estimate: true,
        }
    }
}
