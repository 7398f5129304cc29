//! Options of `gather`: the site, and each extension beyond the paper as a switch.

use url::Url;

use super::family::Nearness;
use crate::site::explored::ExploreOptions;
use crate::site::template_tree::TemplateTuning;

/// What `gather` may do.
#[derive(Debug, Clone, Default)]
pub struct GatherOptions {
    /// The site, the attributes of paths, the budget of downloads.
    pub explore: ExploreOptions,
    /// Further pages to start from.
    pub entries: Vec<Url>,
    /// The extensions beyond the paper.
    pub extensions: Extensions,
    /// How near a page must be to be like the sample.
    pub nearness: Nearness,
    /// How templates are told apart by addresses.
    pub templates: TemplateTuning,
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
