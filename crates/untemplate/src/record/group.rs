//! Groups: like lists under headings are one list, and what stands above each is a column of its
//! rows.
//!
//! In: the records of a list. Out: where they are groups, the items of all of them, each with the
//! number of its group. Records are groups when they hold elements of one kind beside each other,
//! here one and there several, or three and more in each, that are records themselves: alike, each with a link and a text
//! beside it, and together nearly all that the groups say. What always comes in the same small number
//! is fields.

use std::collections::BTreeMap;

use super::likeness::{path_sets, shared_share};
use super::outline::Outline;
use super::sequence::Sequence;
use crate::page::NodeId;

/// An item of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupItem {
    /// Its node.
    pub node: NodeId,
    /// The record that is its group, by its number.
    pub group: usize,
}

/// The share of the groups' text that their items hold, at least.
const TEXT_SHARE: f64 = 0.7;

/// The share of items that are rich and like the first ones, at least.
const ALIKE_SHARE: f64 = 0.8;

/// The share of paths that an item has in common with one of the first, at least.
const PATHS_SHARE: f64 = 0.5;

/// With how many of the first items the others are compared.
const MODELS: usize = 3;

/// From this number of items on, groups may all have as many; fewer are fields. Set by hand: two are
/// a value and its label.
const ITEMS_MIN: usize = 3;

/// How far below the nodes of a record items are looked for.
const DEPTH_MAX: usize = 6;

/// The items of all groups; `None` where the records are no groups.
pub fn ungrouped(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Option<Vec<GroupItem>> {
    let mut kinds: BTreeMap<(usize, u64), Vec<GroupItem>> = BTreeMap::new();
    for (group, record) in records.iter().enumerate() {
        for &root in record {
            collect(outline, root, group, &mut kinds);
        }
    }
    // The outermost kind that is right is meant: what is inside its items is theirs.
    let families = kinds.into_values().map(|items| largest_families(outline, items));
    families.into_iter().find(|items| are_items(outline, items, records))
}

/// Of each group, those that are children of one element: the ones that say most.
fn largest_families(outline: &Outline<'_>, items: Vec<GroupItem>) -> Vec<GroupItem> {
    let family_of = |item: &GroupItem| (item.group, outline.dom.parent(item.node));
    let mut texts: BTreeMap<(usize, Option<NodeId>), u32> = BTreeMap::new();
    for item in &items {
        *texts.entry(family_of(item)).or_default() += outline.text_len[item.node.index()];
    }
    let mut largest: BTreeMap<usize, (u32, Option<NodeId>)> = BTreeMap::new();
    for ((group, parent), text) in texts {
        let known = largest.entry(group).or_insert((text, parent));
        if text > known.0 {
            *known = (text, parent);
        }
    }
    let is_kept = |item: &GroupItem| largest[&item.group].1 == outline.dom.parent(item.node);
    items.into_iter().filter(is_kept).collect()
}

/// Adds the elements below a node, by how deep and under which tags they stand.
fn collect(outline: &Outline<'_>, root: NodeId, group: usize, kinds: &mut BTreeMap<(usize, u64), Vec<GroupItem>>) {
    let mut waiting = vec![(root, 0, 1_u64)];
    while let Some((node, depth, above)) = waiting.pop() {
        let place = (above ^ u64::from(outline.tag_step[node.index()]))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(23);
        if depth > 0 {
            kinds.entry((depth, place)).or_default().push(GroupItem { node, group });
        }
        if depth < DEPTH_MAX {
            let children = outline.shown_children(node);
            let elements = children
                .into_iter()
                .rev()
                .filter(|&child| outline.dom.is_element(child));
            waiting.extend(elements.map(|child| (child, depth + 1, place)));
        }
    }
}

/// Whether elements of one kind are what the records are groups of.
fn are_items(outline: &Outline<'_>, items: &[GroupItem], records: &[Vec<NodeId>]) -> bool {
    let n_groups = records.len();
    let mut counts = vec![0_usize; n_groups];
    items.iter().for_each(|item| counts[item.group] += 1);
    let n_empty = counts.iter().filter(|&&count| count == 0).count();
    let is_like_fields = counts[0] < ITEMS_MIN && counts.iter().all(|&count| count == counts[0]);
    let is_many = items.len() > 1 && 2 * items.len() >= 3 * n_groups && !is_like_fields;
    if !is_many || 5 * n_empty > n_groups {
        return false;
    }
    let text_of = |node: NodeId| f64::from(outline.text_len[node.index()]);
    let own: f64 = items.iter().map(|item| text_of(item.node)).sum();
    let all: f64 = records.iter().flatten().map(|&node| text_of(node)).sum();
    own >= TEXT_SHARE * all && are_alike(outline, items)
}

/// Whether most items have a link and a text beside it, and are like one of the first.
fn are_alike(outline: &Outline<'_>, items: &[GroupItem]) -> bool {
    let nodes: Vec<NodeId> = items.iter().map(|item| item.node).collect();
    let sets = path_sets(outline, &Sequence::of_items(nodes));
    let models = &sets.of_nodes[..MODELS.min(items.len())];
    let is_good = |(item, set): &(&GroupItem, &Vec<(u32, u32)>)| {
        let at = item.node.index();
        let is_rich = outline.n_links[at] > 0 && outline.n_texts[at] > 1;
        is_rich && models.iter().any(|model| shared_share(model, set) >= PATHS_SHARE)
    };
    let n_good = items.iter().zip(&sets.of_nodes).filter(is_good).count();
    n_good as f64 >= ALIKE_SHARE * items.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Name, Page, ParseOptions, Response};

    /// How many items each of four groups of a heading and a list is found to have.
    fn check(counts: [usize; 4], item: impl Fn(usize) -> String, expected: Option<[usize; 4]>) {
        let group = |count: usize| {
            let items: String = (0..count).map(&item).collect();
            format!("<h2>A region</h2><ul>{items}</ul>")
        };
        let url = "http://beach.example/".parse().expect("a good address");
        let html: String = counts.into_iter().map(group).collect();
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let outline = Outline::of(&page.dom);
        let is_heading = |node: &NodeId| page.dom.is_html(*node, Name::H2);
        let headings = page.dom.nodes().filter(is_heading);
        let records: Vec<Vec<NodeId>> = headings
            .map(|heading| {
                [Some(heading), page.dom.next_sibling(heading)]
                    .into_iter()
                    .flatten()
                    .collect()
            })
            .collect();
        let found = ungrouped(&outline, &records).map(|items| {
            let mut counts = [0; 4];
            items.iter().for_each(|item| counts[item.group] += 1);
            counts
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn groups_of_records_are_opened() {
        let place = |at: usize| format!("<li><a href='/{at}'>Sands {at}</a> where the water is warm</li>");
        check([3, 1, 4, 2], place, Some([3, 1, 4, 2]));
        // As many in each are fields.
        check([2, 2, 2, 2], place, None);
        // But for many.
        check([3, 3, 3, 3], place, Some([3, 3, 3, 3]));
        check(
            [3, 1, 4, 2],
            |at| format!("<li>Some plain words about sand {at}</li>"),
            None,
        );
    }
}
