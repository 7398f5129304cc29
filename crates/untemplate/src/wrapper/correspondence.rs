//! Correspondence: which node of a new page is which node of an old page about the same thing.
//!
//! In: two trees that say much the same, in other mark-up and maybe in another order. Out: for each
//! node of the old one its node in the new one, where that is certain. Nodes are compared by the
//! texts and pictures inside them that both trees have, whatever their order, tags and classes:
//! what only one node of either tree says is the same node, and inside such a pair the same is
//! asked again. Elements that gained or lost something go with the element that holds most of what
//! they hold. As in tree differencing (GumTree, 2014), whose hashes keep tags and order.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use crate::page::{Dom, Name, NodeId};

use super::feature::{HashNumbers, hash_collapsed, hash_text, is_seen};

/// The node of the new tree for each node of the old one, by its number.
pub(crate) fn corresponding(old: &Dom, new: &Dom) -> Vec<Option<NodeId>> {
    let (old_leaves, new_leaves) = (leaves_of(old), leaves_of(new));
    let mut pairing = Pairing {
        old: Side::new(old, &new_leaves),
        new: Side::new(new, &old_leaves),
        images: vec![None; old.len()],
    };
    let (Some(old_root), Some(new_root)) = (old.find(Name::HTML), new.find(Name::HTML)) else {
        return pairing.images;
    };
    pairing.pair(old_root, new_root);
    pairing.pair_inside(old_root, new_root);
    let containers = pairing.pair_containers(old_root);
    // The innermost first: what is said once in a row may be said often in its table.
    for (old, new) in containers.into_iter().rev() {
        pairing.pair_inside(old, new);
    }
    pairing.images
}

/// The same, and with it what is left over in nodes that correspond: where as many texts and
/// elements have no partner on both sides, in the same order, they are each other's. So texts that
/// changed have one.
pub(super) fn corresponding_with_rest(old: &Dom, new: &Dom) -> Vec<Option<NodeId>> {
    let mut images = corresponding(old, new);
    let mut is_taken = vec![false; new.len()];
    images.iter().flatten().for_each(|image| is_taken[image.index()] = true);
    // Parents come before what they hold, so that what is paired here is looked into as well.
    for node in old.nodes() {
        let Some(image) = images[node.index()] else { continue };
        let rest = |dom: &Dom, node: NodeId, is_free: &dyn Fn(NodeId) -> bool| -> Vec<NodeId> {
            dom.children(node)
                .filter(|&child| is_seen(dom, child) && is_free(child))
                .collect()
        };
        let olds = rest(old, node, &|child| images[child.index()].is_none());
        let news = rest(new, image, &|child| !is_taken[child.index()]);
        let is_alike = olds.len() == news.len()
            && olds
                .iter()
                .zip(&news)
                .all(|(&one, &other)| old.is_text(one) == new.is_text(other));
        for (one, other) in olds.into_iter().zip(news).filter(|_| is_alike) {
            images[one.index()] = Some(other);
            is_taken[other.index()] = true;
        }
    }
    images
}

/// A tree, and what its nodes say.
struct Side<'a> {
    dom: &'a Dom,
    /// The sum of the hashes of all texts and pictures in a node.
    bags: Vec<u64>,
    /// How many there are.
    n_leaves: Vec<u32>,
    /// Nodes that have a partner.
    is_taken: Vec<bool>,
    /// Nodes that say the same as their partner, so that all inside them was looked at.
    is_exact: Vec<bool>,
}

impl<'a> Side<'a> {
    fn new(dom: &'a Dom, shared: &HashNumbers) -> Self {
        let mut bags = vec![0_u64; dom.len()];
        let mut n_leaves = vec![0_u32; dom.len()];
        for node in dom.nodes().rev() {
            let Some(parent) = dom.parent(node) else { continue };
            if !is_seen(dom, node) {
                (bags[node.index()], n_leaves[node.index()]) = (0, 0);
                continue;
            }
            if let Some(own) = leaf_hash(dom, node).filter(|own| shared.contains(own)) {
                bags[node.index()] = bags[node.index()].wrapping_add(own);
                n_leaves[node.index()] += 1;
            }
            bags[parent.index()] = bags[parent.index()].wrapping_add(bags[node.index()]);
            n_leaves[parent.index()] += n_leaves[node.index()];
        }
        Self {
            dom,
            bags,
            n_leaves,
            is_taken: vec![false; dom.len()],
            is_exact: vec![false; dom.len()],
        }
    }

    fn says_same(&self, one: NodeId, other: NodeId) -> bool {
        self.bags[one.index()] == self.bags[other.index()] && self.n_leaves[one.index()] == self.n_leaves[other.index()]
    }

    /// The nodes inside a node that say something else than what is around them, the outer ones
    /// first; `enter` says whether to look inside one.
    fn inside(&self, root: NodeId, mut enter: impl FnMut(NodeId) -> bool) {
        let end = self.dom.subtree_end(root);
        let mut node = NodeId(root.0 + 1);
        while node < end {
            let is_open = self.n_leaves[node.index()] > 0 && !self.is_exact[node.index()];
            let is_outer = || {
                let parent = self.dom.parent(node);
                parent.is_none_or(|parent| parent == root || !self.says_same(parent, node))
            };
            let goes_in = is_open && (!is_outer() || enter(node));
            node = if goes_in {
                NodeId(node.0 + 1)
            } else {
                self.dom.subtree_end(node)
            };
        }
    }

    /// A node, and those inside it that say all that it says.
    fn chain(&self, node: NodeId) -> Vec<NodeId> {
        let inner = |&node: &NodeId| self.dom.children(node).find(|&child| self.says_same(node, child));
        std::iter::successors(Some(node), inner).collect()
    }
}

/// What the nodes of a tree say.
fn leaves_of(dom: &Dom) -> HashNumbers {
    dom.nodes().filter_map(|node| leaf_hash(dom, node)).collect()
}

/// What a node says itself: a text, or where a picture or a statement of the page about itself is.
fn leaf_hash(dom: &Dom, node: NodeId) -> Option<u64> {
    if dom.is_text(node) {
        return Some(hash_collapsed(dom.text(node)));
    }
    let attribute = match dom.name(node) {
        Some(Name::IMG) => Name::SRC,
        Some(Name::META) => Name::CONTENT,
        _ => return None,
    };
    dom.attribute(node, attribute).map(hash_text)
}

/// The pairs so far.
struct Pairing<'a> {
    old: Side<'a>,
    new: Side<'a>,
    images: Vec<Option<NodeId>>,
}

/// How often something is said on either side, and where the last time.
#[derive(Default)]
struct Said {
    old: u32,
    new: u32,
    place: Option<NodeId>,
}

/// The images of this many leaves tell which elements may be the one around them.
const LEAVES_ASKED: usize = 6;

impl Pairing<'_> {
    fn pair(&mut self, old: NodeId, new: NodeId) {
        self.images[old.index()] = Some(new);
        self.old.is_taken[old.index()] = true;
        self.new.is_taken[new.index()] = true;
    }

    /// Pairs what is said once inside either node, and then what is said once inside those.
    fn pair_inside(&mut self, old: NodeId, new: NodeId) {
        let mut waiting = vec![(old, new)];
        while let Some((old, new)) = waiting.pop() {
            let mut said: HashMap<(u64, u32), Said, FixedState> = HashMap::default();
            let count = |side: &Side<'_>, node: NodeId| (side.bags[node.index()], side.n_leaves[node.index()]);
            self.old.inside(old, |node| {
                said.entry(count(&self.old, node)).or_default().old += 1;
                true
            });
            self.new.inside(new, |node| {
                let its = said.entry(count(&self.new, node)).or_default();
                its.new += 1;
                its.place = Some(node);
                true
            });
            let mut found = Vec::new();
            self.old.inside(old, |node| {
                let its = &said[&count(&self.old, node)];
                let partner = its.place.filter(|_| its.old == 1 && its.new == 1);
                found.extend(partner.map(|partner| (node, partner)));
                partner.is_none()
            });
            for (old, new) in found {
                let (old, new) = self.pair_chains(old, new);
                waiting.push((old, new));
            }
        }
    }

    /// Pairs nodes that say the same, and those inside them that do, from the inside out; returns
    /// the innermost ones. Boxes that were put around something have no partner.
    fn pair_chains(&mut self, old: NodeId, new: NodeId) -> (NodeId, NodeId) {
        let (mut olds, mut news) = (self.old.chain(old), self.new.chain(new));
        for (side, nodes) in [(&mut self.old, &olds), (&mut self.new, &news)] {
            nodes.iter().for_each(|node| side.is_exact[node.index()] = true);
        }
        let innermost = (olds[olds.len() - 1], news[news.len() - 1]);
        while let (Some(&old), Some(&new)) = (olds.last(), news.last()) {
            let is_same = self.old.dom.name_text(old) == self.new.dom.name_text(new);
            if is_same || olds.len() == news.len() {
                if !self.old.is_taken[old.index()] && !self.new.is_taken[new.index()] {
                    self.pair(old, new);
                }
                olds.pop();
                news.pop();
            } else if olds.len() > news.len() {
                olds.pop();
            } else {
                news.pop();
            }
        }
        innermost
    }

    /// Pairs elements that hold most of what the other holds, the outer ones first.
    fn pair_containers(&mut self, root: NodeId) -> Vec<(NodeId, NodeId)> {
        let mut found = vec![];
        if let Some(&Some(new)) = self.images.get(root.index()) {
            found.push((root, new));
        }
        for old in self.old.dom.subtree(root) {
            let is_open = self.old.dom.is_element(old) && self.old.n_leaves[old.index()] > 0;
            if !is_open || self.old.is_taken[old.index()] || self.old.is_exact[old.index()] {
                continue;
            }
            if let Some(new) = self.likest(old) {
                self.pair(old, new);
                found.push((old, new));
            }
        }
        found
    }

    /// The element that holds more than half of what an old one holds, and hardly anything else.
    fn likest(&self, old: NodeId) -> Option<NodeId> {
        let leaves = self
            .old
            .dom
            .subtree(old)
            .filter(|&leaf| leaf_hash(self.old.dom, leaf).is_some());
        let mut images: Vec<NodeId> = leaves.filter_map(|leaf| self.images[leaf.index()]).collect();
        images.sort_unstable();
        let step = (images.len() / LEAVES_ASKED).max(1);
        let mut candidates: BTreeMap<NodeId, usize> = BTreeMap::new();
        for &image in images.iter().step_by(step) {
            for around in self.new.dom.ancestors(image) {
                if self.new.is_taken[around.index()] || candidates.contains_key(&around) {
                    continue;
                }
                let first = images.partition_point(|&its| its < around);
                let last = images.partition_point(|&its| its < self.new.dom.subtree_end(around));
                candidates.insert(around, last - first);
            }
        }
        let name = self.old.dom.name_text(old);
        let n_old = self.old.n_leaves[old.index()] as usize;
        let measure = |(&new, &common): (&NodeId, &usize)| {
            let n_all = n_old + self.new.n_leaves[new.index()] as usize;
            // Twice the common share in thousandths; of equals that of the same name, then the
            // outermost.
            let share = 2_000 * common / n_all.max(1);
            (share, self.new.dom.name_text(new) == name, std::cmp::Reverse(new))
        };
        let (share, _, std::cmp::Reverse(new)) = candidates.iter().map(measure).max()?;
        (share > 500).then_some(new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};

    fn page(html: &str) -> Page {
        let url = "http://shop.example/".parse().expect("a good address");
        Page::read(&Response::html(url, html), &ParseOptions::default())
    }

    /// The elements and texts of the old page that have a partner, each as `tag text` on both
    /// sides.
    fn check(old: &str, new: &str, expected: &[(&str, &str)]) {
        let (old, new) = (page(old), page(new));
        let images = corresponding(&old.dom, &new.dom);
        let told = |dom: &Dom, node: NodeId| match dom.is_text(node) {
            true => dom.text(node).trim().to_owned(),
            false => dom.name_text(node).to_owned(),
        };
        let pairs: Vec<(String, String)> = old
            .dom
            .nodes()
            .filter_map(|node| Some((told(&old.dom, node), told(&new.dom, images[node.index()]?))))
            .filter(|(name, _)| name != "html" && name != "body")
            .collect();
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(old, new)| (old.as_str(), new.as_str())).collect();
        assert_eq!(pairs, expected);
    }

    #[test]
    fn other_tags_and_another_order_say_the_same() {
        check(
            "<ul><li><b>Goals</b> 7</li><li><b>Caps</b> 7</li></ul>",
            "<div><p><i>Caps</i> 7</p><p><i>Goals</i> 7</p></div>",
            &[
                ("ul", "div"),
                ("li", "p"),
                ("b", "i"),
                ("Goals", "Goals"),
                ("7", "7"),
                ("li", "p"),
                ("b", "i"),
                ("Caps", "Caps"),
                ("7", "7"),
            ],
        );
    }

    #[test]
    fn what_is_said_twice_is_told_by_what_is_around_it() {
        // The label of the first row has changed, and a row is new.
        check(
            "<h1>Ann</h1><ul><li><b>Goals</b> 7<em>now</em></li><li><b>Caps</b> 7</li></ul>",
            "<h1>Ann</h1><ul><li>New</li><li><b>Scored</b> 7<em>now</em></li><li><b>Caps</b> 7</li></ul>",
            &[
                ("h1", "h1"),
                ("Ann", "Ann"),
                ("ul", "ul"),
                ("li", "li"),
                ("7", "7"),
                ("em", "em"),
                ("now", "now"),
                ("li", "li"),
                ("b", "b"),
                ("Caps", "Caps"),
                ("7", "7"),
            ],
        );
    }
}
