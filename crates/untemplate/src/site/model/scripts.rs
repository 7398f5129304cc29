//! Scripts: what the tree of addresses says of pages, one by one and two by two.
//!
//! In: an [`AddressTree`] and the addresses of the pages visited. Out: the script of each page, and
//! of each two how much it tells that their addresses have marks in common: the more, the fewer
//! addresses have these marks. A tree that is grown from many pages divides a script further: the
//! pages of one chapter come to have a leaf of their own below that of all chapters. They still
//! have the marks of the larger script in common with the others, so it is the deepest node above
//! both leaves that counts, not whether the leaves are the same; the less, the more its division
//! explains.

use url::Url;

use super::address_tree::{AddressNode, AddressTree};
use super::tuning::ModelTuning;

/// The scripts of pages.
#[derive(Debug, Clone, Default)]
pub struct Scripts {
    leaves: Vec<usize>,
    is_marked: Vec<bool>,
    /// By two leaves, the share of the pages that lack what their addresses have in common; 0 for
    /// leaves with nothing in common.
    rarity: Vec<f32>,
}

impl Scripts {
    /// The scripts of pages at these addresses; `explained` is by node of the tree what its mark
    /// explains.
    pub fn of(tree: &AddressTree, explained: &[f64], urls: &[Url], tuning: &ModelTuning) -> Self {
        let leaves: Vec<usize> = urls.iter().map(|url| tree.leaf(url)).collect();
        let n_leaves = tree.n_leaves();
        let mut counts = vec![0_u32; n_leaves];
        leaves.iter().for_each(|&leaf| counts[leaf] += 1);
        let mut scripts = Self {
            leaves,
            is_marked: vec![false; n_leaves],
            rarity: vec![0.0; n_leaves * n_leaves],
        };
        scripts.fill((tree, explained, tuning.division_doubt), 0, false, &counts);
        scripts
    }

    /// Fills in the pairs of leaves below a node; returns these leaves.
    fn fill(
        &mut self,
        (tree, explained, doubt): (&AddressTree, &[f64], f32),
        at: usize,
        is_marked: bool,
        counts: &[u32],
    ) -> Vec<usize> {
        let n_leaves = counts.len();
        let (with, without) = match &tree.nodes()[at] {
            AddressNode::Leaf(leaf) => {
                self.is_marked[*leaf] = is_marked;
                (vec![*leaf], vec![*leaf])
            }
            AddressNode::Test(_, with, without) => (
                self.fill((tree, explained, doubt), *with, true, counts),
                self.fill((tree, explained, doubt), *without, is_marked, counts),
            ),
        };
        let mut below: Vec<usize> = with.iter().chain(&without).copied().collect();
        below.sort_unstable();
        below.dedup();
        if is_marked {
            let n_here: u32 = below.iter().map(|&leaf| counts[leaf]).sum();
            let rarity = 1.0 - n_here as f32 / self.leaves.len().max(1) as f32;
            let told = explained.get(at).copied().unwrap_or(0.0) as f32 * doubt;
            let rarity = rarity * (1.0 - told).max(0.0);
            for (&left, &right) in with
                .iter()
                .flat_map(|left| without.iter().map(move |right| (left, right)))
            {
                self.rarity[left * n_leaves + right] = rarity;
                self.rarity[right * n_leaves + left] = rarity;
            }
        }
        below
    }

    /// The script of a page; `None` for what is left over once all marks are taken, which is no
    /// script.
    pub fn marked(&self, page: usize) -> Option<usize> {
        let leaf = self.leaves[page];
        self.is_marked[leaf].then_some(leaf)
    }

    /// The share of the pages that lack what the addresses of two pages have in common; 0 where
    /// they have nothing in common.
    pub fn rarity(&self, left: usize, right: usize) -> f32 {
        self.rarity[self.leaves[left] * self.is_marked.len() + self.leaves[right]]
    }
}

#[cfg(test)]
mod tests {
    use super::super::address_marks::{AddressMark, MarkKind};
    use super::*;

    #[test]
    fn scripts_below_one_mark_have_it_in_common() {
        let test = |word: &str, with, without| {
            let mark = AddressMark {
                kind: MarkKind::FirstWord,
                place: 0,
                text: word.to_owned(),
            };
            AddressNode::Test(mark, with, without)
        };
        // Cards, of which those of clubs are made otherwise; lists; and the rest.
        let nodes = vec![
            test("card", 1, 4),
            test("club", 2, 3),
            AddressNode::Leaf(0),
            AddressNode::Leaf(1),
            test("list", 5, 6),
            AddressNode::Leaf(2),
            AddressNode::Leaf(3),
        ];
        let tree = AddressTree::from_nodes(nodes).expect("a good tree");
        let mut scripts = Scripts {
            leaves: vec![0, 1, 1, 2, 3],
            is_marked: vec![false; 4],
            rarity: vec![0.0; 16],
        };
        let explained = [1.0, 0.4, 0.0, 0.0, 1.0, 0.0, 0.0];
        scripts.fill((&tree, &explained, 0.5), 0, false, &[1, 2, 1, 1]);
        let check = |left, right, expected: f32| {
            let rarity = scripts.rarity(left, right);
            assert!((rarity - expected).abs() < 1e-6, "{left} {right}: {rarity}");
            assert_eq!(rarity, scripts.rarity(right, left));
        };
        check(1, 2, 0.6);
        check(0, 0, 0.8);
        // Three of five are cards; two tenths of what parts clubs from other cards are told by the
        // mark.
        check(0, 1, 0.4 * 0.8);
        check(0, 3, 0.0);
        check(4, 4, 0.0);
        assert_eq!(
            [0, 1, 3, 4].map(|page| scripts.marked(page)),
            [Some(0), Some(1), Some(2), None]
        );
    }
}
