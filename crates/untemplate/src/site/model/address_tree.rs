//! The address tree: which addresses one script made, as far as the pages behind them tell.
//!
//! In: the marks of the addresses of pages visited ([`super::address_marks`]) and the features of
//! these pages. Out: an [`AddressTree`], which gives every address of the site a leaf, visited or
//! not. A page class shows in both, and in what they have in common: the word `card` in an address
//! is the name of a template when pages with it are made otherwise than pages without it, and a
//! thing's name when they are not. So the tree is grown as decision trees are. At each node the
//! mark is chosen that explains most of the pages, and the node is divided while it explains a
//! share of them that is worth the division.
//!
//! What a mark explains: each feature occurs at one rate on all pages of the node, or at two rates
//! on the two sides. With Jeffreys' prior on rates both have a known probability; the second is
//! believed with [`DIFFERS_PRIOR`] beforehand, so that features that do not differ cost nearly
//! nothing, however many there are. The sum over all features, in nats, is set against what it
//! takes to write the features down at all; a mark of few pages can explain little, so the bound is
//! on the share of what a mark of its size could. Optional sections do not part a class: their
//! presence follows no mark of the address. Pages of different classes whose addresses have the
//! same marks stay in one leaf; likeness parts them ([`super::grouping`]).
//!
//! Departure from the papers: they know addresses not at all, or trust their shape.

use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::FixedState;
use url::Url;

use super::address_marks::{AddressMark, MarkKind, address_marks};
use super::fingerprint::{Feature, FeatureKind, Fingerprint};
use super::tuning::ModelTuning;

/// The kinds of features that are explained. Texts are left out: with them the classes are as good,
/// but pages of one template in several languages come apart where many of them are known.
const EXPLAINED: [FeatureKind; 2] = [FeatureKind::MarkUp, FeatureKind::TagPairs];

/// How likely a feature differs between the sides of a mark, before the pages are asked. 0.01 and
/// 0.2 give the same classes.
const DIFFERS_PRIOR: f64 = 0.05;

/// A mark that fewer pages have explains nothing.
const PAGES_MIN: usize = 5;

/// Of a site with more pages visited, this many are asked, from all over; it bounds the time.
const PAGES_MAX: usize = 640;

/// One step of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressNode {
    /// Addresses that come here are of one script, or nothing tells them apart; the number of the
    /// leaf.
    Leaf(usize),
    /// Where to go on with a mark and without it, as numbers of nodes.
    Test(AddressMark, usize, usize),
}

/// Which script made an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressTree {
    /// The nodes, the root first, each before those below it.
    nodes: Vec<AddressNode>,
    /// What the names in its tests begin with.
    stems: Vec<String>,
    n_leaves: usize,
}

impl Default for AddressTree {
    /// All addresses are of one script.
    fn default() -> Self {
        Self {
            nodes: vec![AddressNode::Leaf(0)],
            stems: Vec::new(),
            n_leaves: 1,
        }
    }
}

impl AddressTree {
    /// The tree with these nodes, the root first; `None` where a node leads to one that is not
    /// after it.
    pub fn from_nodes(nodes: Vec<AddressNode>) -> Option<Self> {
        let is_after = |at: usize, next: usize| next > at && next < nodes.len();
        let is_sound = nodes.iter().enumerate().all(|(at, node)| match node {
            AddressNode::Leaf(_) => true,
            AddressNode::Test(_, with, without) => is_after(at, *with) && is_after(at, *without),
        });
        if nodes.is_empty() || !is_sound {
            return None;
        }
        let stems = nodes.iter().filter_map(|node| match node {
            AddressNode::Test(mark, ..) if mark.kind == MarkKind::Stem => Some(mark.text.clone()),
            _ => None,
        });
        let stems = stems.collect();
        let leaves = nodes.iter().filter_map(|node| match node {
            AddressNode::Leaf(leaf) => Some(leaf + 1),
            AddressNode::Test(..) => None,
        });
        let n_leaves = leaves.max()?;
        Some(Self { nodes, stems, n_leaves })
    }

    /// The nodes, the root first.
    pub fn nodes(&self) -> &[AddressNode] {
        &self.nodes
    }

    /// How many leaves it has.
    pub fn n_leaves(&self) -> usize {
        self.n_leaves
    }

    /// Whether the addresses of a leaf have a mark that others lack.
    pub fn is_marked(&self, leaf: usize) -> bool {
        let mut at = 0;
        while let AddressNode::Test(_, _, without) = &self.nodes[at] {
            at = *without;
        }
        self.nodes[at] != AddressNode::Leaf(leaf)
    }

    /// The leaf of an address.
    pub fn leaf(&self, url: &Url) -> usize {
        if self.nodes.len() == 1 {
            return 0;
        }
        let marks = address_marks(url, &self.stems);
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                AddressNode::Leaf(leaf) => return *leaf,
                AddressNode::Test(mark, with, without) => {
                    at = if marks.binary_search(mark).is_ok() {
                        *with
                    } else {
                        *without
                    };
                }
            }
        }
    }

    /// Grows the tree of pages; `stems` are what names of the site may begin with. Returns also, by
    /// node, the share of how its pages are made that its mark explains.
    pub fn grow<'a>(
        pages: impl Iterator<Item = (Url, &'a Fingerprint)>,
        stems: &[String],
        tuning: &ModelTuning,
    ) -> (Self, Vec<f64>) {
        let pages: Vec<(Url, &Fingerprint)> = pages.collect();
        let step = pages.len().div_ceil(PAGES_MAX).max(1);
        let asked: Vec<&(Url, &Fingerprint)> = pages.iter().step_by(step).collect();
        let mut growing = Growing::new(&asked, stems, tuning.explained_min);
        growing.grow(&Bits::all(asked.len()));
        let explained = growing.explained;
        Self::from_nodes(growing.nodes).map_or_else(Default::default, |tree| (tree, explained))
    }
}

/// A set of pages.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Bits(Box<[u64]>);

impl Bits {
    fn none(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)].into())
    }

    fn all(len: usize) -> Self {
        let mut bits = Self::none(len);
        (0..len).for_each(|page| bits.insert(page));
        bits
    }

    fn insert(&mut self, page: usize) {
        self.0[page / 64] |= 1 << (page % 64);
    }

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn count_in(&self, other: &Self) -> usize {
        let both = self.0.iter().zip(&other.0).map(|(left, right)| left & right);
        both.map(|word| word.count_ones() as usize).sum()
    }

    fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(left, right)| left & right).collect())
    }

    fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(left, right)| left & !right).collect())
    }
}

/// A tree that grows.
struct Growing {
    /// The marks of the site's addresses, and the pages that have each; of marks that the same
    /// pages have, the first.
    marks: Vec<(AddressMark, Bits)>,
    /// By kind: the pages that have each feature, each set of pages once.
    features: [Vec<Bits>; 2],
    rates: Rates,
    explained_min: f64,
    nodes: Vec<AddressNode>,
    /// By node, the share of how its pages are made that its mark explains; 0 for leaves.
    explained: Vec<f64>,
    n_leaves: usize,
}

impl Growing {
    fn new(pages: &[&(Url, &Fingerprint)], stems: &[String], explained_min: f64) -> Self {
        let n_pages = pages.len();
        let mut marks: BTreeMap<AddressMark, Bits> = BTreeMap::new();
        for (number, (url, _)) in pages.iter().enumerate() {
            for mark in address_marks(url, stems) {
                marks.entry(mark).or_insert_with(|| Bits::none(n_pages)).insert(number);
            }
        }
        let mut seen: HashSet<Bits, FixedState> = HashSet::default();
        let mut marks: Vec<(AddressMark, Bits)> = marks.into_iter().collect();
        marks.retain(|(_, pages)| (PAGES_MIN..n_pages).contains(&pages.count()) && seen.insert(pages.clone()));
        Self {
            marks,
            features: EXPLAINED.map(|kind| columns(pages, kind)),
            rates: Rates::new(n_pages),
            explained_min,
            nodes: Vec::new(),
            explained: Vec::new(),
            n_leaves: 0,
        }
    }

    /// Grows the node of these pages, and what is below it; returns its number.
    fn grow(&mut self, pages: &Bits) -> usize {
        let at = self.nodes.len();
        self.explained.push(0.0);
        let Some((explained, mark, with)) = self.best_mark(pages) else {
            self.nodes.push(AddressNode::Leaf(self.n_leaves));
            self.n_leaves += 1;
            return at;
        };
        self.nodes.push(AddressNode::Leaf(0));
        let left = self.grow(&with);
        let right = self.grow(&pages.without(&with));
        self.nodes[at] = AddressNode::Test(mark, left, right);
        self.explained[at] = explained;
        at
    }

    /// The mark that explains most of some pages, and the pages that have it, if it explains
    /// enough.
    fn best_mark(&self, pages: &Bits) -> Option<(f64, AddressMark, Bits)> {
        let node = Node::new(self, pages);
        let mut seen: HashSet<Bits, FixedState> = HashSet::default();
        let mut best: Option<(f64, f64, &AddressMark, Bits)> = None;
        for (mark, own) in &self.marks {
            let with = own.and(pages);
            let n_with = with.count();
            if n_with < PAGES_MIN || n_with == node.n_pages || !seen.insert(with.clone()) {
                continue;
            }
            let size = 2.0 * n_with.min(node.n_pages - n_with) as f64 / node.n_pages as f64;
            let explained = self.explained(&node, &with, n_with, size);
            // A mark of few pages easily explains much of what it could; of those that explain
            // enough, large ones are sure.
            let worth = explained * size.sqrt();
            if explained >= self.explained_min && best.as_ref().is_none_or(|(most, ..)| worth > *most) {
                best = Some((worth, explained, mark, with));
            }
        }
        best.map(|(_, explained, mark, with)| (explained, mark.clone(), with))
    }

    /// The share of the features of a node's pages that a mark explains, of what a mark of its size
    /// could; the mean over the kinds.
    fn explained(&self, node: &Node<'_>, with: &Bits, n_with: usize, size: f64) -> f64 {
        let n_without = node.n_pages - n_with;
        let shares = node.features.iter().zip(node.lengths).map(|(features, length)| {
            let told = features.iter().map(|&(feature, n_all)| {
                let n_both = feature.count_in(with);
                self.rates.evidence((n_both, n_with), (n_all - n_both, n_without))
            });
            told.sum::<f64>() / (length * size).max(1.0)
        });
        shares.sum::<f64>() / EXPLAINED.len() as f64
    }
}

/// The features of the pages of one node: those that some of the pages have and not all, with how
/// many have them.
struct Node<'a> {
    n_pages: usize,
    features: [Vec<(&'a Bits, usize)>; 2],
    /// By kind, what it takes to write down which page has which feature, in nats.
    lengths: [f64; 2],
}

impl<'a> Node<'a> {
    fn new(growing: &'a Growing, pages: &Bits) -> Self {
        let n_pages = pages.count();
        let features = growing.features.each_ref().map(|features| {
            let counted = features.iter().map(|feature| (feature, feature.count_in(pages)));
            counted
                .filter(|&(_, count)| count > 0 && count < n_pages)
                .collect::<Vec<_>>()
        });
        let lengths = features.each_ref().map(|features| {
            let lengths = features.iter().map(|&(_, count)| growing.rates.length(count, n_pages));
            lengths.sum()
        });
        Self {
            n_pages,
            features,
            lengths,
        }
    }
}

/// The pages that have each feature of a kind, without features of one page or of all; features of
/// the same pages are one.
fn columns(pages: &[&(Url, &Fingerprint)], kind: FeatureKind) -> Vec<Bits> {
    let mut by_feature: HashMap<Feature, Bits, FixedState> = HashMap::default();
    for (number, (_, fingerprint)) in pages.iter().enumerate() {
        for &feature in fingerprint.by(kind) {
            let own = by_feature.entry(feature).or_insert_with(|| Bits::none(pages.len()));
            own.insert(number);
        }
    }
    let mut columns: Vec<Bits> = by_feature.into_values().collect();
    columns.retain(|column| (2..pages.len()).contains(&column.count()));
    columns.sort_unstable_by(|left, right| left.0.cmp(&right.0));
    columns.dedup();
    columns
}

/// Logarithms of the probabilities of counts under Jeffreys' prior on the rate.
struct Rates {
    /// By count, the logarithm of the gamma function at the count and a half, less that at a half.
    halves: Vec<f64>,
    /// By count, the logarithm of the factorial.
    factorials: Vec<f64>,
}

impl Rates {
    fn new(n_pages: usize) -> Self {
        let (mut halves, mut factorials) = (vec![0.0], vec![0.0]);
        for count in 0..n_pages {
            halves.push(halves[count] + (count as f64 + 0.5).ln());
            factorials.push(factorials[count] + (count as f64 + 1.0).ln());
        }
        Self { halves, factorials }
    }

    /// What it takes to write down which of some pages have a feature, in nats.
    fn length(&self, count: usize, n_pages: usize) -> f64 {
        self.factorials[n_pages] - self.halves[count] - self.halves[n_pages - count]
    }

    /// What it tells of two sides, in nats, that this many of the pages of each have a feature.
    fn evidence(&self, (left, n_left): (usize, usize), (right, n_right): (usize, usize)) -> f64 {
        let apart = self.length(left, n_left) + self.length(right, n_right);
        let gain = self.length(left + right, n_left + n_right) - apart;
        // The exponential function of what is large or small says nothing more.
        match gain {
            gain if gain > 30.0 => gain + DIFFERS_PRIOR.ln(),
            gain if gain < -10.0 => (1.0 - DIFFERS_PRIOR).ln(),
            gain => (1.0 - DIFFERS_PRIOR + DIFFERS_PRIOR * gain.exp()).ln(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::address_marks::name_stems;
    use super::*;
    use crate::page::{AttributeFilter, Page, ParseOptions, Response};

    /// Grows a tree of pages, given as path and body; returns the leaves of some addresses.
    fn check_leaves(pages: &[(String, String)], asked: &[&str], expected: &[usize]) {
        let url = |path: &str| Url::parse(&format!("http://a.example{path}")).expect("a good address");
        let urls: Vec<Url> = pages.iter().map(|(path, _)| url(path)).collect();
        let fingerprints: Vec<Fingerprint> = urls
            .iter()
            .zip(pages)
            .map(|(url, (_, body))| {
                let page = Page::read(&Response::html(url.clone(), body.clone()), &ParseOptions::default());
                Fingerprint::of(&page, &AttributeFilter::default())
            })
            .collect();
        let (tree, _) = AddressTree::grow(
            urls.iter().cloned().zip(&fingerprints),
            &name_stems(&urls),
            &ModelTuning::default(),
        );
        let leaves: Vec<usize> = asked.iter().map(|path| tree.leaf(&url(path))).collect();
        // Leaves are numbered as they are met here, so that the order of nodes does not matter.
        let mut order: Vec<usize> = Vec::new();
        for leaf in &leaves {
            if !order.contains(leaf) {
                order.push(*leaf);
            }
        }
        let told: Vec<usize> = leaves
            .iter()
            .filter_map(|leaf| order.iter().position(|known| known == leaf))
            .collect();
        assert_eq!(told, expected, "{tree:?}");
        assert_eq!(AddressTree::from_nodes(tree.nodes().to_vec()), Some(tree));
    }

    fn card(n: usize) -> String {
        let notes = if n.is_multiple_of(3) {
            "<h2>Notes</h2><p class=note>None</p>"
        } else {
            ""
        };
        format!("<h1>Card {n}</h1><dl><dt>Born<dd>{n}<dt>Club<dd>c{n}</dl>{notes}")
    }

    fn list(n: usize) -> String {
        format!("<h1>List {n}</h1><table><tr><th>Player<th>Goals<tr><td>p{n}<td>{n}</table>")
    }

    #[test]
    fn words_that_pages_follow_part_addresses() {
        let mut pages: Vec<(String, String)> = Vec::new();
        for n in 0..12 {
            for club in ["north", "south", "east"] {
                pages.push((format!("/{club}/card-{n}.html"), card(n)));
                pages.push((format!("/{club}/list-{n}.html"), list(n)));
            }
        }
        check_leaves(
            &pages,
            &[
                "/north/card-99.html",
                "/west/card-7.html",
                "/south/list-3.html",
                "/east/list-99.html",
            ],
            &[0, 0, 1, 1],
        );
    }

    #[test]
    fn optional_sections_part_nothing() {
        let pages: Vec<(String, String)> = (0..24).map(|n| (format!("/{n}.html"), card(n))).collect();
        check_leaves(&pages, &["/3.html", "/4.html"], &[0, 0]);
    }

    #[test]
    fn words_before_keys_part_addresses() {
        let mut pages: Vec<(String, String)> = Vec::new();
        for n in 0..24_usize {
            let key = (n * 40_503) & 0xffff;
            pages.push((format!("/card{key:04x}.html"), card(n)));
            pages.push((format!("/list{key:04x}.html"), list(n)));
        }
        check_leaves(
            &pages,
            &["/card0123.html", "/cardffab.html", "/listab01.html"],
            &[0, 0, 1],
        );
    }

    #[test]
    fn no_page_is_one_leaf() {
        let (tree, _) = AddressTree::grow(std::iter::empty(), &[], &ModelTuning::default());
        assert_eq!(tree, AddressTree::default());
        assert_eq!(AddressTree::from_nodes(Vec::new()), None);
        let mark = AddressMark {
            kind: MarkKind::Depth,
            place: 0,
            text: "1".to_owned(),
        };
        assert_eq!(AddressTree::from_nodes(vec![AddressNode::Test(mark, 0, 0)]), None);
    }
}
