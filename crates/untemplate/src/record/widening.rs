//! Widening: a list that lacks some of its items gets them.
//!
//! In: the records of a list. Out: the same, and what stands among them and is of their kind. The
//! best division of a list is often a regular part of it: results of one kind among those of
//! others, the one that is shown first, those with a picture. Items and articles beside the records
//! that hold enough of what a record holds are records with other fields. What stands right before
//! the records and holds nearly what one of them holds is the first record, marked up in another
//! way: no line stands above it, or it is outside of what each other one is in.

use std::collections::BTreeSet;

use super::likeness::{nested_kinds, path_sets, shared_share};
use super::outline::Outline;
use super::sequence::Sequence;
use crate::page::{Name, NodeId};

/// The share of paths that a further record has in common with one of the list, at least. Swept
/// 0.15, 0.2, 0.3, 0.4, 0.5 on all sites, with rows of tables and boxes: `cells` records 0.971,
/// 0.971, 0.971, 0.971, 0.970, perfect pages 0.813, 0.813, 0.831, 0.831, 0.818.
const ITEM_SHARE: f64 = 0.3;

/// With how many records of the list others are compared: a limit on the work.
const MODELS: usize = 12;

/// A further record has this share of the text of the others, at least, as in `Signals::filled`.
/// Set by hand.
const TEXT_SHARE: f64 = 0.1;

/// How alike the first record and another must be, by what both hold. Of 369 list pages, two that
/// lack their first record have 0.96 and 0.92; what stands before the others has 0.79 at most. 0.8,
/// 0.85 and 0.9 give the same.
const FIRST_SHARE: f64 = 0.85;

/// The records of a list with those that it lacks, in document order.
pub fn widened(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Vec<Vec<NodeId>> {
    let mut all = with_items(outline, records);
    if let Some(first) = first_record(outline, &all) {
        all = unwrapped(outline, all, &first);
        all.insert(0, first);
    }
    containers(outline, &all).unwrap_or(all)
}

/// The elements that each hold one record, beside each other, where most say more than their record
/// does: what is beside a record in a box of its own is part of it. Not where that is much like the
/// record, and may be another one.
fn containers(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Option<Vec<Vec<NodeId>>> {
    let dom = outline.dom;
    let node_of = |record: &Vec<NodeId>| <[NodeId; 1]>::try_from(&record[..]).ok().map(|[only]| only);
    let nodes: Vec<NodeId> = records.iter().map(node_of).collect::<Option<_>>()?;
    let boxes: Vec<NodeId> = nodes.iter().map(|&node| dom.parent(node)).collect::<Option<_>>()?;
    let first = *boxes.first()?;
    let is_beside = |&node: &NodeId| {
        dom.parent(node) == dom.parent(first) && outline.tag_step[node.index()] == outline.tag_step[first.index()]
    };
    let hold_one_each = boxes.windows(2).all(|pair| pair[0] < pair[1]);
    if !hold_one_each || !boxes.iter().all(is_beside) {
        return None;
    }
    let (mut n_more, mut n_alike) = (0, 0);
    for (&node, &around) in nodes.iter().zip(&boxes) {
        let mut said = outline.shown_children(around);
        said.retain(|&child| child != node && outline.text_len[child.index()] > 0);
        let own = nested_kinds(outline, &[node]);
        let is_alike = |&child: &NodeId| likeness(&own, &nested_kinds(outline, &[child])) >= BESIDE_SHARE;
        n_more += usize::from(!said.is_empty());
        n_alike += usize::from(said.iter().any(is_alike));
    }
    let are_whole = 2 * n_more > boxes.len() && 2 * n_alike <= boxes.len();
    are_whole.then(|| boxes.into_iter().map(|node| vec![node]).collect())
}

/// The share of what two nodes hold that both do.
fn likeness(one: &BTreeSet<(u32, u32)>, other: &BTreeSet<(u32, u32)>) -> f64 {
    2.0 * one.intersection(other).count() as f64 / (one.len() + other.len()).max(1) as f64
}

/// What is beside a record and holds this share of what it holds may be another one. Set by hand.
const BESIDE_SHARE: f64 = 0.5;

/// The nodes right before the records that are a record, too.
fn first_record(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Option<Vec<NodeId>> {
    let start = *records.first()?.first()?;
    let above = |node: &NodeId| !outline.is_transparent[node.index()];
    let beside = outline.shown_children(outline.dom.ancestors(start).find(above)?);
    let end = beside.iter().position(|&node| node == start)?;
    let longest = records.iter().map(Vec::len).max()?;
    // What is of the records' own tag was there to choose, and was not chosen.
    let is_candidate = |node: NodeId| longest > 1 || outline.tag_step[node.index()] != outline.tag_step[start.index()];
    let text: u32 = records
        .iter()
        .flatten()
        .map(|node| outline.text_len[node.index()])
        .sum();
    let least = TEXT_SHARE * f64::from(text) / records.len() as f64;
    let step = records.len().div_ceil(MODELS);
    let models: Vec<BTreeSet<(u32, u32)>> = records
        .iter()
        .step_by(step)
        .map(|record| nested_kinds(outline, record))
        .collect();
    let mut common = vec![0; models.len()];
    let mut kinds: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut own_text = 0;
    let (mut best, mut from) = (FIRST_SHARE, None);
    for (at, &node) in beside[..end].iter().enumerate().rev().take(longest) {
        own_text += outline.text_len[node.index()];
        for kind in nested_kinds(outline, &[node]) {
            if kinds.insert(kind) {
                let shared = common.iter_mut().zip(&models);
                shared.for_each(|(common, model)| *common += usize::from(model.contains(&kind)));
            }
        }
        let shares = common.iter().zip(&models).map(|(&common, model)| {
            let both = (kinds.len() + model.len()).max(1);
            2.0 * common as f64 / both as f64
        });
        let share = shares.fold(0.0, f64::max);
        if share >= best && f64::from(own_text) > least && is_candidate(node) {
            (best, from) = (share, Some(at));
        }
    }
    from.map(|from| beside[from..end].to_vec())
}

/// The only children of records, where the first record is of their kind: what is around the others
/// is not theirs then.
fn unwrapped(outline: &Outline<'_>, records: Vec<Vec<NodeId>>, first: &[NodeId]) -> Vec<Vec<NodeId>> {
    let only_child = |record: &Vec<NodeId>| {
        let (&[wrapper], &[first]) = (&record[..], first) else {
            return None;
        };
        let [child] = <[NodeId; 1]>::try_from(outline.shown_children(wrapper)).ok()?;
        let is_same = outline.tag_step[child.index()] == outline.tag_step[first.index()];
        is_same.then(|| vec![child])
    };
    let children: Option<Vec<Vec<NodeId>>> = records.iter().map(only_child).collect();
    children.unwrap_or(records)
}

/// The records with the items beside them that are like them.
fn with_items(outline: &Outline<'_>, records: &[Vec<NodeId>]) -> Vec<Vec<NodeId>> {
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

/// The elements beside records that have their tag and are no records, unless they are nearly
/// empty.
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

    /// How many records the list of a page's body has, once the first one is added to those with
    /// the tag given.
    fn check_first(html: &str, tag: Name, expected: usize) {
        let url = "http://beach.example/".parse().expect("a good address");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let body = page.dom.find(Name::BODY).expect("the parser always adds a body");
        let children: Vec<NodeId> = page
            .dom
            .children(body)
            .filter(|&node| page.dom.is_element(node))
            .collect();
        let starts = (0..children.len()).filter(|&at| page.dom.is_html(children[at], tag));
        let starts: Vec<usize> = starts.chain([children.len()]).collect();
        let records: Vec<Vec<NodeId>> = starts
            .windows(2)
            .map(|pair| children[pair[0]..pair[1]].to_vec())
            .collect();
        assert_eq!(widened(&Outline::of(&page.dom), &records).len(), expected);
    }

    #[test]
    fn the_first_record_may_be_marked_up_in_another_way() {
        let card = "<table><tr><td><b><a href=/a>Sands</a></b><td><i>Warm water</i></table>";
        let boxed = format!("<div>{card}</div>");
        check_first(&format!("<h1>Beaches</h1>{card}{boxed}{boxed}{boxed}"), Name::DIV, 4);
        check_first(
            &format!("<h1>Beaches of the <i>world</i></h1>{boxed}{boxed}{boxed}"),
            Name::DIV,
            3,
        );
        // Lines stand between the records, and none above the first.
        let hit = "<h3><a href=/a>Sands</a></h3><p>Warm <i>water</i></p>";
        check_first(
            &format!("<h1>Beaches</h1>{hit}<hr>{hit}<hr>{hit}<hr>{hit}"),
            Name::HR,
            4,
        );
    }
}
