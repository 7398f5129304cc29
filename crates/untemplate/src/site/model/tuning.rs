//! The numbers that decide how pages are grouped into classes.
//!
//! They are values, not constants of their stages, so that `cargo xtask eval model --sweep` can try
//! others without a build and judge each site by the values that are best for all others.

use crate::tuning::settable;

/// What decides how pages are grouped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelTuning {
    /// A node of the tree of addresses is divided by a mark that explains this share of how its
    /// pages are made. On 12 or 40 pages of each class of 18 sites, F* and purity are 0.914 to
    /// 0.920 and 0.950 to 0.956 for 0.06 and 0.1; 0.875 and 0.915 without the tree.
    pub explained_min: f64,
    /// How much of what parts two pages it explains that one script made their addresses, where few
    /// addresses are of it. F* is 0.917 to 0.934 from 0.5 to 0.8, and 0.885 to 0.909 from 0.2 to
    /// 0.4. With 0.8, families of chips and languages came apart on two sites.
    pub script_trust: f32,
    /// How much less two pages have in common by the marks of both addresses, the more a further
    /// mark explains that one of them has. `model` on 18 sites, F* and purity, in two orders of
    /// visits: 0.886 and 0.917 for 0, 0.889 and 0.918 for 0.5, 0.891 and 0.921 for 1, 0.888 and
    /// 0.925 for 2, 0.895 and 0.932 for 4; where only pages of one leaf have anything in common,
    /// 0.886 and 0.935. `rebuild` of 13 sites has F1 0.810 with 0.5, 2 and 4, and 0.817 or 0.801
    /// with leaves alone, by the order of visits.
    pub division_doubt: f32,
    /// How much the tag pairs count between pages of one script: no data and no language can blur
    /// them. F* and purity of `model` are 0.918 and 0.951 without, 0.920 and 0.954 with 0.8, and a
    /// site of two languages has its two classes that are alike in each.
    pub tag_pairs_trust: f32,
    /// Two groups are joined when they are this alike, as a share of how alike pages within them
    /// are. Swept 0.75 to 0.85 on sixteen sites: below, like classes of uniform pages flow
    /// together; above, varied ones fall apart.
    pub join_share: f32,
    /// How alike the pages of a class are thought to be before two of them are known. Swept 0.75 to
    /// 1 on 18 sites: F* and purity are 0.906 and 0.952 for 0.75, 0.909 and 0.954 for 0.85, 0.912
    /// and 0.957 for 0.95, 0.902 and 0.956 from 0.98 on. Sites left out have 0.909 and 0.957:
    /// little is to be gained.
    pub expected_likeness: f32,
}

impl Default for ModelTuning {
    fn default() -> Self {
        Self {
            explained_min: 0.08,
            script_trust: 0.6,
            division_doubt: 4.0,
            tag_pairs_trust: 0.8,
            join_share: 0.8,
            expected_likeness: 0.85,
        }
    }
}

settable!(ModelTuning {
    explained_min,
    script_trust,
    division_doubt,
    tag_pairs_trust,
    join_share,
    expected_likeness
});
