//! The template tree: which template filled the page at an address, as far as the pages visited
//! tell.
//!
//! In: the addresses known of a site, and the features of the pages visited. Out: a
//! [`TemplateTree`], which gives every address a leaf, visited or not. A site's scripts give their
//! pages addresses of one kind, so that some part of the address tells templates apart: a folder on
//! one site, the first word of the name on another. Others are data: the letter of a dictionary,
//! the year of a post, the name of a thing. Which is which, only the pages know.
//!
//! So the parts of addresses are asked one after the other, from the left to the right. At each
//! node the addresses fall into groups by their values of the part (values with few pages are one
//! group, the rest), and the groups are compared by the [contrast](contrast) of their pages, which
//! is small when pages differ between groups as they do within. Groups of little contrast are
//! joined, nearest first; where all are joined the part is data, and the next one is asked. What is
//! left apart is divided further, each by itself: contrasts are then between pages that have all
//! that was asked before in common, so that the frame of a section hides nothing.
//!
//! Why this is right where a measure of likeness between pages is not: the likeness of two pages
//! mixes what their template, their section, and chance have in common, in proportions that differ
//! from site to site, so that no bound on it holds on all. A contrast is a comparison with
//! everything else held equal, over all pages of a group.

mod address_part;
mod contrast;
mod joining;
mod part_book;
mod unjudged;

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use address_part::AddressPart;
pub(super) use contrast::PageGroup;
pub use contrast::{FeatureBook, PageFeatures, SeenPage};
use joining::joined;
pub use part_book::{AddressParts, PartBook};

use super::address_book::AddressId;
use crate::tuning::settable;

/// What decides how a tree is grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TemplateTuning {
    /// Groups of less contrast were made by one template. Swept in the search itself, 119 classes
    /// of 38 sites: 0.2 to 0.3 are alike.
    pub contrast_min: f64,
    /// How much more contrast it takes for each division above: the more is known to be alike, the
    /// more parts were asked that might differ by chance.
    pub contrast_step: f64,
    /// Leaves of less contrast were made by one template, whatever their addresses say. 0.15 to
    /// 0.25 are alike.
    pub leaf_contrast_min: f64,
    /// Features that a smaller share of the pages of both groups have are not compared: they are
    /// content. 0.2 to 0.5 are alike; all features: more recall, less precision.
    pub feature_share_min: f64,
    /// What it counts that links to pages stand at the same places, of all that is compared. 0.2 to
    /// 0.33 are alike, and better than nothing; with a half classes become one.
    pub place_weight: f64,
    /// A value with fewer pages visited is not judged by itself. 3 is better than 4 and 5.
    pub pages_min: usize,
    /// A value with fewer addresses is not judged by itself. 4, 5 and 8 are alike; with 4 a small
    /// class in a folder of its own is told from other pages.
    pub addresses_min: usize,
}

settable!(TemplateTuning {
    contrast_min,
    contrast_step,
    leaf_contrast_min,
    feature_share_min,
    place_weight,
    pages_min,
    addresses_min
});

impl Default for TemplateTuning {
    fn default() -> Self {
        Self {
            contrast_min: 0.25,
            contrast_step: 0.05,
            leaf_contrast_min: 0.15,
            feature_share_min: 0.34,
            place_weight: 0.25,
            pages_min: 3,
            addresses_min: 4,
        }
    }
}

/// Pages of a group that are compared: they bound the time, and their errors are taken into
/// account.
const GROUP_PAGES_MAX: usize = 12;

/// Values of a part that are judged by themselves, those with most pages first: they bound the
/// time.
const VALUES_MAX: usize = 48;

/// One step of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateNode {
    /// Addresses that come here are of one template, or nothing in them tells templates apart.
    Leaf(usize),
    /// Where to go on by the value of a part, as numbers of nodes.
    Test {
        /// The part that is asked, by its place in the order.
        part: usize,
        /// The node for each value that was judged.
        branches: BTreeMap<u32, usize>,
        /// The node for all other values.
        other: usize,
    },
}

/// Which template filled the page at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateTree {
    /// The nodes, the root first, each before those below it.
    nodes: Vec<TemplateNode>,
}

impl Default for TemplateTree {
    /// All pages are of one template.
    fn default() -> Self {
        Self {
            nodes: vec![TemplateNode::Leaf(0)],
        }
    }
}

impl TemplateTree {
    /// The leaf of an address.
    pub fn leaf(&self, parts: &AddressParts) -> usize {
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                TemplateNode::Leaf(leaf) => return *leaf,
                TemplateNode::Test { part, branches, other } => {
                    at = branches.get(&parts[*part]).copied().unwrap_or(*other);
                }
            }
        }
    }

    /// Grows the tree of a site's addresses from the pages visited.
    pub fn grow(book: &PartBook, addresses: &[AddressId], pages: &[SeenPage<'_>], tuning: &TemplateTuning) -> Self {
        let mut growing = Growing {
            book,
            tuning,
            nodes: Vec::new(),
            leaves: Vec::new(),
        };
        growing.grow(addresses, pages, (0, 0));
        growing.join_leaves();
        Self { nodes: growing.nodes }
    }
}

struct Growing<'a> {
    book: &'a PartBook,
    tuning: &'a TemplateTuning,
    nodes: Vec<TemplateNode>,
    /// The pages of each leaf, as far as they are judged.
    leaves: Vec<Option<PageGroup>>,
}

/// How the addresses of a node are divided: for each value that was judged, and for all others, the
/// number of its branch.
struct Division {
    part: usize,
    branches: BTreeMap<u32, usize>,
    other: usize,
    n_branches: usize,
}

impl Growing<'_> {
    /// Grows the node of some addresses, of which `pages` are visited, asking the parts from the
    /// `asked`-th on, below `depth` divisions; returns its number.
    fn grow(&mut self, addresses: &[AddressId], pages: &[SeenPage<'_>], (asked, depth): (usize, usize)) -> usize {
        let number = self.nodes.len();
        let bound = self.tuning.contrast_min + self.tuning.contrast_step * depth as f64;
        let parts = asked..AddressPart::ALL.len();
        let Some(division) = parts
            .filter_map(|part| self.divide(addresses, pages, part, bound))
            .next()
        else {
            self.nodes.push(TemplateNode::Leaf(self.leaves.len()));
            let is_judged = pages.len() >= self.tuning.pages_min;
            self.leaves.push(is_judged.then(|| group_of(pages)));
            return number;
        };
        self.nodes.push(TemplateNode::Leaf(0));
        let branch = |address: AddressId| {
            let value = self.book.of(address)[division.part];
            division.branches.get(&value).copied().unwrap_or(division.other)
        };
        let mut addresses_of = vec![Vec::new(); division.n_branches];
        addresses
            .iter()
            .for_each(|&address| addresses_of[branch(address)].push(address));
        let mut pages_of = vec![Vec::new(); division.n_branches];
        pages.iter().for_each(|&page| pages_of[branch(page.address)].push(page));
        let below = addresses_of.iter().zip(&pages_of);
        let below: Vec<usize> = below
            .map(|(addresses, pages)| self.grow(addresses, pages, (division.part + 1, depth + 1)))
            .collect();
        self.nodes[number] = TemplateNode::Test {
            part: division.part,
            branches: (division.branches.into_iter())
                .map(|(value, branch)| (value, below[branch]))
                .collect(),
            other: below[division.other],
        };
        number
    }

    /// Joins leaves of different branches that nothing tells apart, and numbers them anew. A part
    /// that was asked before the one that matters may have parted pages of one template, where
    /// those visited on either side were not of the same kinds.
    fn join_leaves(&mut self) {
        let judged: Vec<usize> = (0..self.leaves.len())
            .filter(|&leaf| self.leaves[leaf].is_some())
            .collect();
        let groups: Vec<PageGroup> = self.leaves.iter().flatten().cloned().collect();
        let home = joined(&groups, self.tuning.leaf_contrast_min, self.tuning);
        let mut number = vec![None; self.leaves.len()];
        for (&leaf, &home) in judged.iter().zip(&home) {
            number[leaf] = Some(home);
        }
        let mut n_leaves = home.iter().max().map_or(0, |most| most + 1);
        for node in &mut self.nodes {
            if let TemplateNode::Leaf(leaf) = node {
                *leaf = *number[*leaf].get_or_insert_with(|| {
                    n_leaves += 1;
                    n_leaves - 1
                });
            }
        }
    }

    /// Divides addresses by a part; `None` where it tells no templates apart.
    fn divide(&self, addresses: &[AddressId], pages: &[SeenPage<'_>], part: usize, bound: f64) -> Option<Division> {
        let values = self.judged_values(addresses, pages, part);
        let mut groups: Vec<Vec<SeenPage<'_>>> = vec![Vec::new(); values.len() + 1];
        for &page in pages {
            let place = values.get(&self.book.of(page.address)[part]).copied();
            groups[place.unwrap_or(values.len())].push(page);
        }
        // What is left over is a group of its own where any of it was visited.
        if groups[values.len()].is_empty() {
            groups.pop();
        }
        if groups.len() < 2 {
            return None;
        }
        let counted: Vec<PageGroup> = groups.iter().map(|pages| group_of(pages)).collect();
        let branch_of = joined(&counted, bound, self.tuning);
        let n_branches = branch_of.iter().max()? + 1;
        if n_branches < 2 {
            return None;
        }
        // A value that was not judged is where the rest is, or where most pages are.
        let most = (0..groups.len()).max_by_key(|&group| (groups[group].len(), std::cmp::Reverse(group)))?;
        let other = branch_of.get(values.len()).copied().unwrap_or(branch_of[most]);
        Some(Division {
            part,
            branches: values
                .into_iter()
                .map(|(value, group)| (value, branch_of[group]))
                .collect(),
            other,
            n_branches,
        })
    }

    /// The values of a part with enough addresses and pages to be judged, numbered in the order of
    /// the values.
    fn judged_values(&self, addresses: &[AddressId], pages: &[SeenPage<'_>], part: usize) -> BTreeMap<u32, usize> {
        let value = |address: AddressId| self.book.of(address)[part];
        let mut visited: HashMap<u32, usize, FixedState> = HashMap::default();
        for page in pages {
            *visited.entry(value(page.address)).or_default() += 1;
        }
        visited.retain(|_, count| *count >= self.tuning.pages_min);
        if visited.is_empty() {
            return BTreeMap::new();
        }
        let mut known: HashMap<u32, usize, FixedState> = HashMap::default();
        for &address in addresses {
            *known.entry(value(address)).or_default() += 1;
        }
        let is_known = |value: &u32| {
            known
                .get(value)
                .is_some_and(|&count| count >= self.tuning.addresses_min)
        };
        let mut values: Vec<(usize, u32)> = (visited.into_iter())
            .filter(|(value, _)| is_known(value))
            .map(|(value, count)| (count, value))
            .collect();
        values.sort_unstable_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
        values.truncate(VALUES_MAX);
        let mut values: Vec<u32> = values.into_iter().map(|(_, value)| value).collect();
        values.sort_unstable();
        values.into_iter().zip(0..).collect()
    }
}

/// Counts pages of a group, some from all over it where there are many.
fn group_of(pages: &[SeenPage<'_>]) -> PageGroup {
    let n_counted = pages.len().min(GROUP_PAGES_MAX);
    let chosen = (0..n_counted).map(|at| &pages[at * pages.len() / n_counted]);
    PageGroup::of(chosen)
}

#[cfg(test)]
mod tests;
