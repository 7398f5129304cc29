//! Links that stand as another does: what a person means by "like this one", as far as one page
//! tells.
//!
//! In: a page and a link on it. Out: the links whose way from the document has the same tags, told
//! by the same classes, and in tables the same column, unless those are cards laid out in a grid.
//! Rows and entries of lists are alike whatever their classes, and so are neighbours of one tag
//! that share a few classes among many: stripes, first and last ones, the current one.
//!
//! Paper 005 calls links with one tag path a link collection. Departure: its tag paths have all
//! attributes, so that stripes halve a collection, and no columns, so that those of a table are
//! one.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::fast::FixedState;

use crate::page::{Dom, Name, NodeId, Page, links};

/// Neighbours of one tag from which on their classes may be stripes. By hand.
const STRIPED_MIN: usize = 4;

/// The links that stand as a link of the page does, itself among them, in document order.
pub(super) fn links_alike(page: &Page, link: NodeId) -> Vec<NodeId> {
    let places = Places::of(&page.dom);
    let own = places.of_node(link);
    let all = links(page).into_iter().map(|link| link.node);
    all.filter(|&node| places.of_node(node) == own).collect()
}

/// How each element of a page stands: elements that stand alike have the same number.
struct Places(Vec<u64>);

impl Places {
    fn of(dom: &Dom) -> Self {
        let (stripes, grids) = (stripes(dom), grids(dom));
        let hasher = FixedState::with_seed(0);
        let mut places = vec![0_u64; dom.len()];
        // Parents come before their children.
        for parent in dom.nodes() {
            let mut column = 0_usize;
            let is_grid = dom.parent(parent).is_some_and(|rows| grids.contains(&rows));
            for child in dom.children(parent).filter(|&child| dom.is_element(child)) {
                let mut state = hasher.build_hasher();
                places[parent.index()].hash(&mut state);
                dom.name_text(child).hash(&mut state);
                match dom.name_text(child) {
                    "td" if is_grid => {}
                    "td" | "th" => {
                        column.hash(&mut state);
                        column += 1;
                    }
                    "li" | "tr" | "dt" | "dd" | "html" | "body" => {}
                    _ => telling(dom, child, &stripes).hash(&mut state),
                }
                places[child.index()] = state.finish();
            }
        }
        Self(places)
    }

    fn of_node(&self, node: NodeId) -> u64 {
        self.0[node.index()]
    }
}

/// The holders of table rows that lay cards out: there is no header, and all cells that hold
/// elements hold several, of the same tags. What differs from column to column is data.
fn grids(dom: &Dom) -> HashSet<NodeId, FixedState> {
    let has_rows = |&parent: &NodeId| dom.children(parent).any(|child| dom.name_text(child) == "tr");
    dom.nodes()
        .filter(has_rows)
        .filter(|&rows| is_grid(dom, rows))
        .collect()
}

fn is_grid(dom: &Dom, rows: NodeId) -> bool {
    let elements = |node: NodeId| dom.children(node).filter(|&child| dom.is_element(child));
    let cells = elements(rows).flat_map(elements);
    let mut first: Option<Vec<&str>> = None;
    for cell in cells {
        let tags: Vec<&str> = elements(cell).map(|element| dom.name_text(element)).collect();
        let is_empty = tags.is_empty() && dom.visible_text(cell).is_empty();
        match &first {
            _ if dom.name_text(cell) != "td" => return false,
            _ if is_empty => {}
            Some(known) if *known != tags => return false,
            Some(_) => {}
            None if tags.len() < 2 => return false,
            None => first = Some(tags),
        }
    }
    first.is_some()
}

/// What tells an element from others: its classes but for stripes, and an `id` that is not one of a
/// series.
fn telling<'a>(dom: &'a Dom, element: NodeId, stripes: &HashSet<&str, FixedState>) -> (Vec<&'a str>, Option<&'a str>) {
    let mut classes = classes_of(dom, element);
    classes.retain(|class| !stripes.contains(class));
    classes.sort_unstable();
    let id = dom.attribute(element, Name::ID);
    (classes, id.filter(|id| !id.contains(|c: char| c.is_ascii_digit())))
}

fn classes_of(dom: &Dom, element: NodeId) -> Vec<&str> {
    let classes = dom.attribute(element, Name::CLASS);
    classes.map_or_else(Vec::new, |classes| classes.split_whitespace().collect())
}

/// The classes that some of many neighbours of one tag have and others have not, where there are
/// few such among them: those of every other row, of the first and the last, of the current one.
fn stripes(dom: &Dom) -> HashSet<&str, FixedState> {
    let mut stripes: HashSet<&str, FixedState> = HashSet::default();
    for parent in dom.nodes() {
        let mut by_tag: HashMap<&str, Vec<NodeId>, FixedState> = HashMap::default();
        for child in dom.children(parent).filter(|&child| dom.is_element(child)) {
            by_tag.entry(dom.name_text(child)).or_default().push(child);
        }
        for neighbours in by_tag.values().filter(|neighbours| neighbours.len() >= STRIPED_MIN) {
            stripes.extend(striped(dom, neighbours));
        }
    }
    stripes
}

fn striped<'a>(dom: &'a Dom, neighbours: &[NodeId]) -> Vec<&'a str> {
    let mut counts: HashMap<&str, usize, FixedState> = HashMap::default();
    for class in neighbours.iter().flat_map(|&element| classes_of(dom, element)) {
        *counts.entry(class).or_default() += 1;
    }
    let is_few = counts.len() <= STRIPED_MIN && counts.len() * 2 <= neighbours.len();
    let partly = counts.into_iter().filter(|(_, count)| *count < neighbours.len());
    partly.filter(|_| is_few).map(|(class, _)| class).collect()
}
