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
mod unjudged;

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
use url::Url;

use address_part::{AddressPart, AddressView};
use contrast::PageGroup;
pub use contrast::{FeatureBook, PageFeatures};

use super::model::name_stems;
use joining::joined;

/// What decides how a tree is grown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TemplateTuning {
    /// Groups of less contrast were made by one template. With 500 pages of each site (a prototype
    /// of the tree alone), F* and purity of the leaves are 0.914 to 0.926 and 0.94 to 0.95 from 0.2
    /// to 0.3 on 18 development sites, and 0.874 to 0.892 and 0.92 to 0.93 on 16 others.
    pub contrast_min: f64,
    /// How much more contrast it takes for each division above: the more is known to be alike, the
    /// more parts were asked that might differ by chance. Swept 0 to 0.15 in the same way: 0.05 and
    /// 0.1 are alike, without it classes of names fall apart.
    pub contrast_step: f64,
    /// Leaves of less contrast were made by one template, whatever their addresses say. Swept 0 to
    /// 0.2: purity falls from 0.961 to 0.952, and recall of classes grows from 0.896 to 0.911.
    pub leaf_contrast_min: f64,
    /// A value with fewer pages visited is not judged by itself. 3 and 5 are alike.
    pub pages_min: usize,
    /// A value with fewer addresses is not judged by itself.
    pub addresses_min: usize,
}

impl Default for TemplateTuning {
    fn default() -> Self {
        Self {
            contrast_min: 0.25,
            contrast_step: 0.05,
            leaf_contrast_min: 0.15,
            pages_min: 5,
            addresses_min: 8,
        }
    }
}

/// Pages of a group that are compared: they bound the time, and their errors are taken into
/// account.
pub(super) const GROUP_PAGES_MAX: usize = 12;

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
        /// The part that is asked.
        part: AddressPart,
        /// The node for each value that was judged.
        branches: BTreeMap<String, usize>,
        /// The node for all other values.
        other: usize,
    },
}

/// Which template filled the page at an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateTree {
    /// The nodes, the root first, each before those below it.
    nodes: Vec<TemplateNode>,
    stems: Vec<String>,
}

impl Default for TemplateTree {
    /// All pages are of one template.
    fn default() -> Self {
        Self {
            nodes: vec![TemplateNode::Leaf(0)],
            stems: Vec::new(),
        }
    }
}

impl TemplateTree {
    /// The nodes, the root first.
    fn nodes(&self) -> &[TemplateNode] {
        &self.nodes
    }

    /// What names of the site may begin with, those that say most of the names first.
    fn stems(&self) -> &[String] {
        &self.stems
    }

    /// The leaf of an address.
    pub fn leaf(&self, url: &Url) -> usize {
        let view = AddressView::of(url, &self.stems);
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                TemplateNode::Leaf(leaf) => return *leaf,
                TemplateNode::Test { part, branches, other } => {
                    at = branches.get(&view.part(*part)).copied().unwrap_or(*other);
                }
            }
        }
    }

    /// Grows the tree of a site; `pages` are those visited, each with the number of its address.
    pub fn grow(addresses: &[Url], pages: &[(usize, &PageFeatures)], tuning: &TemplateTuning) -> Self {
        let stems = name_stems(addresses);
        let mut growing = Growing {
            views: addresses.iter().map(|url| AddressView::of(url, &stems)).collect(),
            tuning,
            nodes: Vec::new(),
            leaves: Vec::new(),
        };
        growing.grow(&(0..addresses.len()).collect::<Vec<_>>(), pages, (0, 0));
        growing.join_leaves();
        let Growing { nodes, .. } = growing;
        Self { nodes, stems }
    }
}

struct Growing<'a> {
    views: Vec<AddressView<'a>>,
    tuning: &'a TemplateTuning,
    nodes: Vec<TemplateNode>,
    /// The pages of each leaf, as far as they are judged.
    leaves: Vec<Option<PageGroup>>,
}

/// How the addresses of a node are divided: for each value that was judged, and for all others, the
/// number of its branch.
struct Division {
    part: AddressPart,
    branches: BTreeMap<String, usize>,
    other: usize,
    n_branches: usize,
}

impl Growing<'_> {
    /// Grows the node of some addresses, of which `pages` are visited, asking the parts from the
    /// `asked`-th on, below `depth` divisions; returns its number.
    fn grow(&mut self, addresses: &[usize], pages: &[(usize, &PageFeatures)], (asked, depth): (usize, usize)) -> usize {
        let number = self.nodes.len();
        let parts = AddressPart::ALL.iter().enumerate().skip(asked);
        let bound = self.tuning.contrast_min + self.tuning.contrast_step * depth as f64;
        let found = parts
            .filter_map(|(at, &part)| Some((at, self.divide(addresses, pages, part, bound)?)))
            .next();
        let Some((at, division)) = found else {
            self.nodes.push(TemplateNode::Leaf(self.leaves.len()));
            let pages: Vec<&PageFeatures> = pages.iter().map(|(_, features)| *features).collect();
            let is_judged = pages.len() >= self.tuning.pages_min;
            self.leaves.push(is_judged.then(|| group_of(&pages)));
            return number;
        };
        self.nodes.push(TemplateNode::Leaf(0));
        let branch = |address: usize| {
            let value = self.views[address].part(division.part);
            division.branches.get(&value).copied().unwrap_or(division.other)
        };
        let mut addresses_of = vec![Vec::new(); division.n_branches];
        addresses
            .iter()
            .for_each(|&address| addresses_of[branch(address)].push(address));
        let mut pages_of = vec![Vec::new(); division.n_branches];
        pages.iter().for_each(|&page| pages_of[branch(page.0)].push(page));
        let below = addresses_of.iter().zip(&pages_of);
        let below: Vec<usize> = below
            .map(|(addresses, pages)| self.grow(addresses, pages, (at + 1, depth + 1)))
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
        let home = joined(&groups, self.tuning.leaf_contrast_min);
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
    fn divide(
        &self,
        addresses: &[usize],
        pages: &[(usize, &PageFeatures)],
        part: AddressPart,
        bound: f64,
    ) -> Option<Division> {
        let values = self.judged_values(addresses, pages, part);
        let mut groups: Vec<Vec<&PageFeatures>> = vec![Vec::new(); values.len() + 1];
        for &(address, features) in pages {
            let place = values.get(&self.views[address].part(part)).copied();
            groups[place.unwrap_or(values.len())].push(features);
        }
        // What is left over is a group of its own where enough of it was visited.
        if groups[values.len()].len() < self.tuning.pages_min {
            groups.pop();
        }
        if groups.len() < 2 {
            return None;
        }
        let counted: Vec<PageGroup> = groups.iter().map(|pages| group_of(pages)).collect();
        let branch_of = joined(&counted, bound);
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
    fn judged_values(
        &self,
        addresses: &[usize],
        pages: &[(usize, &PageFeatures)],
        part: AddressPart,
    ) -> BTreeMap<String, usize> {
        let mut visited: HashMap<String, usize, FixedState> = HashMap::default();
        for (address, _) in pages {
            *visited.entry(self.views[*address].part(part)).or_default() += 1;
        }
        visited.retain(|_, count| *count >= self.tuning.pages_min);
        if visited.is_empty() {
            return BTreeMap::new();
        }
        let mut known: HashMap<String, usize, FixedState> = HashMap::default();
        for &address in addresses {
            *known.entry(self.views[address].part(part)).or_default() += 1;
        }
        let is_known = |value: &String| {
            known
                .get(value)
                .is_some_and(|&count| count >= self.tuning.addresses_min)
        };
        let mut values: Vec<(usize, String)> = (visited.into_iter())
            .filter(|(value, _)| is_known(value))
            .map(|(value, count)| (count, value))
            .collect();
        values.sort_unstable_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
        values.truncate(VALUES_MAX);
        let mut values: Vec<String> = values.into_iter().map(|(_, value)| value).collect();
        values.sort_unstable();
        values.into_iter().zip(0..).collect()
    }
}

/// Counts pages of a group, some from all over it where there are many.
pub(super) fn group_of(pages: &[&PageFeatures]) -> PageGroup {
    let n_counted = pages.len().min(GROUP_PAGES_MAX);
    let chosen = (0..n_counted).map(|at| pages[at * pages.len() / n_counted]);
    PageGroup::of(chosen)
}

#[cfg(test)]
mod tests;
