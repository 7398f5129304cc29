//! Widening: a list that lacks some of its items gets them.
//!
//! In: the records of a list. Out: the same, and what stands among them and is of their kind. The best
//! division of a list is often a regular part of it: results of one kind among those of others, the one that is shown
//! first, those with a picture. Items and articles beside the records that hold enough of what a record
//! holds are records with other fields.

use std::collections::BTreeSet;

use super::likeness::{path_sets, shared_share};
use super::outline::Outline;
use super::sequence::Sequence;
use crate::page::{Name, NodeId};

/// The share of paths that a further record has in common with one of the list, at least. Swept 0.15, 0.2, 0.3, 0.4,
/// 0.5 on all sites, with rows of tables and boxes: `cells` records 0.971, 0.971, 0.971, 0.971, 0.970, perfect pages 0.813,
/// 0.813, 0.831, 0.831, 0.818.
const ITEM_SHARE: f64 = 0.3;

/// With how many records of the list others are compared: a limit on the work.
const MODELS: usize = 12;

/// A further record has this share of the text of the others, at least, as in `Signals::filled`. Set by hand.
const TEXT_SHARE: f64 = 0.1;

/// The records of a list with those that it lacks, in document order.
pub fn widened(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Vec<Vec<NodeId>> {
    let nodes: Option<Vec<NodeId>> = records
        .iter()
        .map(|record| <[NodeId; 1]>::try_from(&record[..]).ok().map(|[only]| only))
        .collect();
    let Some(mut nodes) = nodes else {
        return records.to_vec();
    };
    let tags: BTreeSet<u32> = nodes.iter().map(|node| outline.tag_step[node.index()]).collect();
    // Rows of tables and boxes are headings, pagers and advertisements as well.
    let are_items = matches!(outline.dom.name(nodes[0]), Some(Name::LI | Name::ARTICLE));
    let others = match are_items && tags.len() == 1 {
        true => others_beside(outline, &nodes),
        false => Vec::new(),
    };
    // More others than records: the list is chosen from many of its kind for a reason.
    if others.is_empty() || others.len() > nodes.len() {
        return records.to_vec();
    }
    let step = nodes.len().div_ceil(MODELS);
    let mut compared: Vec<NodeId> = nodes.iter().copied().step_by(step).collect();
    let n_models = compared.len();
    compared.extend(&others);
    let sets = path_sets(outline, &Sequence::of_items(compared));
    let (models, sets) = sets.of_nodes.split_at(n_models);
    let is_alike = |set: &Vec<(u32, u32)>| models.iter().any(|model| shared_share(model, set) >= ITEM_SHARE);
    let alike = others
        .into_iter()
        .zip(sets)
        .filter(|(_, set)| is_alike(set))
        .map(|(node, _)| node);
    nodes.extend(alike.collect::<Vec<NodeId>>());
    nodes.sort_unstable();
    nodes.into_iter().map(|node| vec![node]).collect()
}

/// The elements beside records that have their tag and are no records, unless they are nearly empty.
fn others_beside(outline: &Outline<'_>, nodes: &[NodeId]) -> Vec<NodeId> {
    let dom = outline.dom;
    let tag = outline.tag_step[nodes[0].index()];
    let known: BTreeSet<NodeId> = nodes.iter().copied().collect();
    let parents: BTreeSet<NodeId> = nodes.iter().filter_map(|&node| dom.parent(node)).collect();
    let text: f64 = nodes.iter().map(|node| f64::from(outline.text_len[node.index()])).sum();
    let least = TEXT_SHARE * text / nodes.len() as f64;
    let is_other = |node: &NodeId| {
        let at = node.index();
        let is_one = outline.is_shown[at] && dom.is_element(*node) && outline.tag_step[at] == tag;
        is_one && !known.contains(node) && f64::from(outline.text_len[at]) > least
    };
    let children = parents.iter().flat_map(|&parent| dom.children(parent));
    children.filter(is_other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};

    /// How many records a list of four has once it is widened by what else the page's list holds.
    fn check_widened(other: &str, expected: usize) {
        let item = |n: usize| format!("<li class=hit><h3><a href='/{n}'>Sands {n}</a></h3><p>Warm water</p></li>");
        let items: String = (0..4).map(item).collect();
        let url = "http://beach.example/".parse().expect("a good address");
        let html = format!("<ul>{items}{other}</ul>");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let is_hit = |node: &NodeId| page.dom.attribute(*node, Name::CLASS) == Some("hit");
        let records: Vec<Vec<NodeId>> = page.dom.nodes().filter(is_hit).map(|node| vec![node]).collect();
        assert_eq!(widened(&Outline::of(&page.dom), &records).len(), expected);
    }

    #[test]
    fn other_kinds_of_items_are_records_too() {
        check_widened(
            "<li class=film><h3><a href='/f'>A film</a></h3><img src=f.png> 3:05</li>",
            5,
        );
        // Neither what holds nothing of the kind nor what is nearly empty.
        check_widened("<li><table><tr><td>Some other thing that is said here</table></li>", 4);
        check_widened("<li><h3>»</h3></li>", 4);
    }
}
