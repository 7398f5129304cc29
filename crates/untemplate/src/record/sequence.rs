//! Sequences: what a list is cut from.
//!
//! In: a node of the outline. Out: the nodes that may be records or parts of records, in document
//! order: its children, or, where several of its children are alike and hold the true items (rows
//! of a grid, two lists in a row), the children of those.

use std::collections::{BTreeSet, HashMap, HashSet};

use foldhash::fast::FixedState;

use super::likeness::nested_kinds;
use super::outline::{Outline, TEXT_STEP};
use crate::page::{Name, NodeId};

/// Nodes in document order that a division cuts into records.
#[derive(Debug, Clone)]
pub struct Sequence {
    /// The node that holds them all.
    pub region: NodeId,
    /// The nodes.
    pub nodes: Vec<NodeId>,
    /// Which container each node stands in; no record crosses from one into another.
    pub containers: Vec<u32>,
    /// Whether the nodes are the region's grandchildren.
    pub is_inner: bool,
    /// Whether the containers are what pages make one record of: rows of tables, items of lists,
    /// articles.
    pub is_inner_of_items: bool,
}

impl Sequence {
    /// Nodes of which each is an item of its own.
    pub fn of_items(nodes: Vec<NodeId>) -> Self {
        Self {
            region: nodes[0],
            containers: vec![0; nodes.len()],
            nodes,
            is_inner: false,
            is_inner_of_items: false,
        }
    }
}

/// The children of a region as a sequence.
pub fn children_sequence(outline: &Outline<'_>, region: NodeId) -> Sequence {
    let nodes = unfolded(outline, outline.shown_children(region));
    Sequence {
        region,
        containers: vec![0; nodes.len()],
        nodes,
        is_inner: false,
        is_inner_of_items: false,
    }
}

/// How many nodes of a kind make a list that goes on inside one of its neighbours.
const FOLDED_MIN: usize = 3;

/// Replaces a node by its children where a list goes on inside it: it holds several nodes of a kind
/// that one of its neighbours is of, too. Pages that load more results as one scrolls do this, and
/// boxes that show a first result apart.
fn unfolded(outline: &Outline<'_>, nodes: Vec<NodeId>) -> Vec<NodeId> {
    let dom = outline.dom;
    let mut kinds: HashMap<u32, usize, FixedState> = HashMap::default();
    let is_block = |node: NodeId| dom.is_element(node) && outline.text_len[node.index()] > 0;
    for &node in nodes.iter().filter(|&&node| is_block(node)) {
        *kinds.entry(outline.class_step[node.index()]).or_default() += 1;
    }
    let most = kinds.values().max().copied().unwrap_or(0).max(FOLDED_MIN);
    let is_list_kind = |node: NodeId| {
        // A tag without a class says little: it must be what most neighbours are.
        let has_class = dom.attribute(node, Name::CLASS).is_some();
        let least = if has_class { 1 } else { most };
        kinds
            .get(&outline.class_step[node.index()])
            .is_some_and(|&count| count >= least)
    };
    let mut all = Vec::with_capacity(nodes.len());
    for node in nodes {
        let inner = match outline.text_len[node.index()] {
            0 => Vec::new(),
            _ => outline.shown_children(node),
        };
        let mut inside: HashMap<u32, usize, FixedState> = HashMap::default();
        for &child in inner.iter().filter(|&&child| is_block(child) && is_list_kind(child)) {
            *inside.entry(outline.class_step[child.index()]).or_default() += 1;
        }
        match inside.values().any(|&count| count >= FOLDED_MIN) {
            true => all.extend(inner),
            false => all.push(node),
        }
    }
    all
}

/// The sequences of what alike children of a region hold.
pub fn inner_sequences(outline: &Outline<'_>, outer: &Sequence) -> Vec<Sequence> {
    let mut groups: HashMap<u32, Vec<NodeId>, FixedState> = HashMap::default();
    let mut order = Vec::new();
    for &node in &outer.nodes {
        let step = outline.class_step[node.index()];
        if step == TEXT_STEP {
            continue;
        }
        let group = groups.entry(step).or_default();
        if group.is_empty() {
            order.push(step);
        }
        group.push(node);
    }
    let mut sequences = Vec::new();
    for step in order {
        let group = &groups[&step];
        if group.len() < 2 {
            continue;
        }
        let (mut nodes, mut containers) = (Vec::new(), Vec::new());
        for (number, items) in items_of(outline, group).into_iter().enumerate() {
            containers.extend(std::iter::repeat_n(number as u32, items.len()));
            nodes.extend(items);
        }
        // As many items as containers is the outer sequence over again.
        if nodes.len() > group.len() {
            sequences.push(Sequence {
                region: outer.region,
                nodes,
                containers,
                is_inner: true,
                is_inner_of_items: group.iter().all(|&node| is_item(outline, node)),
            });
        }
    }
    sequences
}

/// The children of each container, or of the only child that it has, and so on. An only child of
/// the kind that other containers have several of is an item itself, and is not opened.
fn items_of(outline: &Outline<'_>, containers: &[NodeId]) -> Vec<Vec<NodeId>> {
    let opened: Vec<Vec<Vec<NodeId>>> = containers.iter().map(|&container| levels(outline, container)).collect();
    let kinds: HashSet<u32, FixedState> = lists_of_several(&opened)
        .map(|item| outline.class_step[item.index()])
        .collect();
    // A box without a class says little: those around items look like items.
    let is_telling = |node: NodeId| is_item(outline, node) || outline.dom.attribute(node, Name::CLASS).is_some();
    let models: Vec<BTreeSet<(u32, u32)>> = lists_of_several(&opened)
        .take(MODELS)
        .map(|item| nested_kinds(outline, &[item]))
        .collect();
    let is_alike = |node: NodeId| {
        let own = nested_kinds(outline, &[node]);
        let n_common = |model: &BTreeSet<(u32, u32)>| model.intersection(&own).count();
        models
            .iter()
            .any(|model| 2 * n_common(model) > own.len().max(model.len()))
    };
    // Where most boxes hold one thing, they are boxes around it.
    let n_several = opened.iter().filter(|levels| levels[0].len() > 1).count();
    let are_rows = 2 * n_several > opened.len();
    let is_listed = |node: NodeId| {
        kinds.contains(&outline.class_step[node.index()]) && (is_telling(node) || are_rows && is_alike(node))
    };
    let chosen = |levels: Vec<Vec<NodeId>>| {
        let item = levels
            .iter()
            .find(|level| matches!(level[..], [only] if is_listed(only)));
        item.or(levels.last()).cloned().unwrap_or_default()
    };
    opened.into_iter().map(chosen).collect()
}

/// The items of those containers that have several.
fn lists_of_several(opened: &[Vec<Vec<NodeId>>]) -> impl Iterator<Item = NodeId> + '_ {
    let lists = opened.iter().filter_map(|levels| levels.last());
    lists.filter(|items| items.len() > 1).flatten().copied()
}

/// With how many items an only child is compared.
const MODELS: usize = 12;

/// The children of a container, those of its only child, and so on.
fn levels(outline: &Outline<'_>, container: NodeId) -> Vec<Vec<NodeId>> {
    let mut levels = vec![outline.shown_children(container)];
    while let Some(&[only]) = levels.last().map(Vec::as_slice) {
        let inner = outline.shown_children(only);
        if inner.is_empty() {
            break;
        }
        levels.push(inner);
    }
    levels
}

/// Whether pages make one record of an element: a row of a table, an item of a list, an article.
fn is_item(outline: &Outline<'_>, node: NodeId) -> bool {
    matches!(outline.dom.name(node), Some(Name::TR | Name::LI | Name::ARTICLE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};

    /// The items of the inner sequence of a page's body, as their tags with the numbers of their
    /// containers.
    fn check(html: &str, expected: &str) {
        let url = "http://list.example/".parse().expect("a good address");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let outline = Outline::of(&page.dom);
        let body = page.dom.find(Name::BODY).expect("the parser always adds a body");
        let sequences = inner_sequences(&outline, &children_sequence(&outline, body));
        let first = sequences.first().expect("the page has containers");
        let items = first.containers.iter().zip(&first.nodes);
        let items: Vec<String> = items
            .map(|(number, &node)| format!("{number}{}", page.dom.name_text(node)))
            .collect();
        assert_eq!(items.join(" "), expected);
    }

    #[test]
    fn the_only_item_of_a_container_is_not_opened() {
        let item = "<li><a href=/a>Ada</a> <b>1815</b></li>";
        check(
            &format!("<ul>{item}{item}</ul><ul>{item}</ul><ul>{item}{item}</ul>"),
            "0li 0li 1li 2li 2li",
        );
        let part = "<a href=/a>Ada</a><p class=body><i>was</i> <b>born</b></p>";
        let bare = "<p class=body><i>was</i> <b>born</b></p>";
        check(
            &format!("<section><div>{part}</div></section><section><div>{bare}</div></section>"),
            "0a 0p 1p",
        );
    }

    #[test]
    fn the_only_item_of_the_last_row_is_not_opened() {
        let item = "<div><a href=/a>Ada</a> <b>1815</b></div>";
        check(
            &format!("<section>{item}{item}</section><section>{item}{item}</section><section>{item}</section>"),
            "0div 0div 1div 1div 2div",
        );
    }

    #[test]
    fn boxes_around_items_are_opened() {
        let item = "<p class=hit><a href=/a>Ada</a></p>";
        check(
            &format!("<div>{item}{item}</div><div><div>{item}{item}</div></div>"),
            "0p 0p 1p 1p",
        );
    }
}
