//! Options of `gather`: the site, and the numbers that decide.

use url::Url;

use crate::site::explored::ExploreOptions;
use crate::site::template_tree::TemplateTuning;
use crate::tuning::settable;

/// What `gather` may do.
#[derive(Debug, Clone)]
pub struct GatherOptions {
    /// The site, the attributes of paths, the budget of downloads.
    pub explore: ExploreOptions,
    /// Further pages to start from.
    pub entries: Vec<Url>,
    /// Whether the site is asked for the addresses it lists itself.
    pub listed: bool,
    /// How a search is led.
    pub tuning: GatherTuning,
    /// How templates are told apart.
    pub templates: TemplateTuning,
}

impl Default for GatherOptions {
    fn default() -> Self {
        Self {
            explore: ExploreOptions::default(),
            entries: Vec::new(),
            listed: true,
            tuning: GatherTuning::default(),
            templates: TemplateTuning::default(),
        }
    }
}

/// What decides how a search is led. Swept over 119 classes of 38 sites, 20 of which nothing was
/// made on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GatherTuning {
    /// Pages of the sample's leaf that differ from it by more contrast are strangers there. Less
    /// than 0.8 costs recall.
    pub stranger_contrast: f64,
    /// How many of the last pages of a group say what it brings. 48 is better than 16, which gives
    /// groups up by chance.
    pub recent: usize,
    /// What a page of which nothing is known may bring. With 0.5 fewer classes are found, at a
    /// lower cost.
    pub hope: f64,
    /// As how many pages what the whole leaf brings counts for a group of it. 2 and 4 are alike.
    pub leaf_weight: f64,
    /// Pages that are expected to bring less are left alone: what a target is worth, in downloads,
    /// turned round.
    pub yield_min: f64,
    /// The same once more pages were wasted than may be. 0.04 to 0.2 trade recall for cost.
    pub yield_good: f64,
    /// How many pages may be wasted to get to know a site.
    pub waste_min: usize,
    /// How many more may be wasted, as a share of what was found.
    pub waste_share: f64,
    /// An address that leads to a target is visited at once where it is as likely as this.
    pub chance_min: f64,
    /// One that is less likely than this is left alone: nearly all like it were dead, or something
    /// else.
    pub chance_least: f64,
    /// After this many tries without a page all addresses with a sign are taken for dead. 4 costs
    /// recall, 6 and 8 are alike.
    pub dead_after: usize,
    /// How many pages are visited to judge groups of addresses: it bounds what a search wastes on a
    /// site of very many groups. 100 and 240 are alike.
    pub judged_max: usize,
}

settable!(GatherTuning {
    stranger_contrast,
    recent,
    hope,
    leaf_weight,
    yield_min,
    yield_good,
    waste_min,
    waste_share,
    chance_min,
    chance_least,
    dead_after,
    judged_max
});

impl Default for GatherTuning {
    fn default() -> Self {
        Self {
            stranger_contrast: 0.8,
            recent: 48,
            hope: 1.0,
            leaf_weight: 2.0,
            yield_min: 0.03,
            yield_good: 0.15,
            waste_min: 45,
            waste_share: 0.06,
            chance_min: 0.5,
            chance_least: 0.08,
            dead_after: 6,
            judged_max: 240,
        }
    }
}
