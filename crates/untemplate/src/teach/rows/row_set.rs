//! The rows that a click may mean, and the paths that lead to them.
//!
//! In: a page and a node. Out: sets of rows, the nearest to the click first: the rows of the table
//! around it, and elements beside one another that are made alike; and wider ones, where what holds
//! them stands beside others like it. What is alike is told by tags and by words of `class`;
//! zebra stripes and the marks of a first and a last one do not part what is alike.

use std::collections::BTreeSet;

use super::super::route::{anchor_step, steps_down};
use super::super::sample::SamplePage;
use crate::page::table_layout::{cells_of_row, is_cell, rows_of_table, table_of};
use crate::page::{Dom, Name, NodeId};
use crate::rule::{Axis, LocationPath, NodeTest, Predicate, Selected, Step, select};

/// Rows that stand in one place, or in several that are alike.
pub(super) struct RowSet {
    pub rows: Vec<NodeId>,
    /// What holds them.
    pub holder: NodeId,
    /// The steps from there to the rows.
    pub steps: Vec<Step>,
    /// Whether they are rows of tables.
    pub is_table: bool,
}

/// Siblings that are compared at most: a click on a page of 200,000 links is answered at once.
const ALIKE_MAX: usize = 5000;

/// How alike two elements are, at least, to be rows of one list: the share of tag paths in them
/// that both have. A judgement: rows without their optional parts have still more than this.
const LIKENESS_MIN: f64 = 0.4;

/// The sets of rows that a node is in, the nearest first.
pub(super) fn row_sets(dom: &Dom, clicked: NodeId) -> Vec<RowSet> {
    let mut sets = Vec::new();
    let around = std::iter::once(clicked).chain(dom.ancestors(clicked));
    for node in around.filter(|&node| dom.is_element(node)) {
        if dom.is_html(node, Name::BODY) {
            break;
        }
        if dom.is_html(node, Name::TR) {
            sets.extend(table_set(dom, node));
        } else if !is_part_of_table(dom, node) {
            let own = sibling_set(dom, node);
            let wider = own.as_ref().and_then(|own| wider_set(dom, own));
            sets.extend(own);
            sets.extend(wider);
        }
    }
    sets
}

fn is_part_of_table(dom: &Dom, node: NodeId) -> bool {
    let parts = [Name::TBODY, Name::THEAD, Name::TFOOT, Name::TABLE];
    is_cell(dom, node) || parts.into_iter().any(|name| dom.is_html(node, name))
}

/// The rows of the body of a table. One that labels each row and has no second value is a list of
/// facts about one thing, and no rows.
fn table_set(dom: &Dom, row: NodeId) -> Option<RowSet> {
    let table = table_of(dom, row)?;
    let body = dom.parent(row).filter(|&body| dom.is_html(body, Name::TBODY))?;
    let is_in_body = |row: &NodeId| dom.parent(*row).is_some_and(|it| dom.name(it) == dom.name(body));
    let rows: Vec<NodeId> = rows_of_table(dom, table).into_iter().filter(is_in_body).collect();
    let is_fact = |&row: &NodeId| {
        let cells: Vec<NodeId> = cells_of_row(dom, row).collect();
        matches!(cells[..], [label, value] if dom.is_html(label, Name::TH) && dom.is_html(value, Name::TD))
    };
    let is_facts = rows.iter().filter(|&row| is_fact(row)).count() * 2 > rows.len();
    (rows.len() > 1 && !is_facts).then(|| RowSet {
        rows,
        holder: table,
        steps: vec![Step::child("tbody", None), Step::child("tr", None)],
        is_table: true,
    })
}

/// The elements beside a node that are made as it is.
fn sibling_set(dom: &Dom, node: NodeId) -> Option<RowSet> {
    let holder = dom.parent(node)?;
    let is_same_tag = |&it: &NodeId| dom.is_element(it) && dom.name(it) == dom.name(node);
    let siblings: Vec<NodeId> = dom.children(holder).filter(is_same_tag).take(ALIKE_MAX).collect();
    let own = shape(dom, node);
    let is_alike = |&it: &NodeId| it == node || likeness(&own, &shape(dom, it)) >= LIKENESS_MIN;
    let rows: Vec<NodeId> = siblings.iter().copied().filter(is_alike).collect();
    if rows.len() < 2 {
        return None;
    }
    let mut step = Step::child(dom.name_text(node), None);
    let (rows, predicate) = told_by(dom, &siblings, rows);
    step.predicates.extend(predicate);
    Some(RowSet {
        rows,
        holder,
        steps: vec![step],
        is_table: false,
    })
}

/// What tells rows from siblings of the same tag: nothing where all are rows, else a word of
/// `class` that all of them have and no other; where there is none, all siblings are rows.
fn told_by(dom: &Dom, siblings: &[NodeId], rows: Vec<NodeId>) -> (Vec<NodeId>, Option<Predicate>) {
    if rows.len() == siblings.len() {
        return (rows, None);
    }
    let words = |node: NodeId| -> BTreeSet<&str> {
        let class = dom.attribute(node, Name::CLASS).unwrap_or("");
        class.split_whitespace().collect()
    };
    let mut shared = words(rows[0]);
    rows.iter().for_each(|&row| shared = &shared & &words(row));
    let others = siblings.iter().filter(|node| rows.binary_search(node).is_err());
    let of_others: BTreeSet<&str> = others.flat_map(|&node| words(node)).collect();
    match shared.difference(&of_others).next() {
        Some(&word) => (rows, Some(Predicate::Word("class".into(), word.into()))),
        None => (siblings.to_vec(), None),
    }
}

/// The rows of all holders that stand beside the one of a set, and are made as it is.
fn wider_set(dom: &Dom, own: &RowSet) -> Option<RowSet> {
    let groups = sibling_set(dom, own.holder)?;
    let steps: Vec<Step> = groups.steps.iter().chain(&own.steps).cloned().collect();
    let path = LocationPath::relative(steps.clone());
    let rows: Vec<NodeId> = select(&path, dom, groups.holder).iter().map(|it| it.node).collect();
    (rows.len() > own.rows.len()).then_some(RowSet {
        rows,
        holder: groups.holder,
        steps,
        is_table: false,
    })
}

/// What an element is made of: the paths of tags in it, each once.
fn shape(dom: &Dom, node: NodeId) -> BTreeSet<Vec<Name>> {
    /// Elements that are looked at, and how deep.
    const ELEMENTS_MAX: usize = 200;
    const DEPTH_MAX: usize = 4;
    let mut shape = BTreeSet::new();
    let inner = dom.subtree(node).filter(|&it| dom.is_element(it)).skip(1);
    for it in inner.take(ELEMENTS_MAX) {
        let mut path: Vec<Name> = Vec::new();
        let up = std::iter::once(it)
            .chain(dom.ancestors(it))
            .take_while(|&up| up != node);
        path.extend(up.filter_map(|up| dom.name(up)).take(DEPTH_MAX + 1));
        if path.len() <= DEPTH_MAX {
            shape.insert(path);
        }
    }
    shape
}

/// The share of paths that both have; elements without any are alike.
fn likeness(left: &BTreeSet<Vec<Name>>, right: &BTreeSet<Vec<Name>>) -> f64 {
    let n_all = left.union(right).count();
    if n_all == 0 {
        return 1.0;
    }
    left.intersection(right).count() as f64 / n_all as f64
}

/// The paths to the rows of a set, the ones that are likeliest to hold on other pages first: by an
/// `id`, by the heading before, by a class, by positions alone.
pub(super) fn paths_to(page: &SamplePage, sample: &[SamplePage], set: &RowSet) -> Vec<LocationPath> {
    let dom = &page.page.dom;
    let place = Selected {
        node: set.holder,
        attribute: None,
    };
    let mut all: Vec<Vec<Step>> = Vec::new();
    all.extend(anchored(dom, set.holder, Name::ID, sample));
    all.extend(headed(dom, set.holder, sample));
    all.extend(anchored(dom, set.holder, Name::CLASS, sample));
    all.extend(steps_down(dom, NodeId::DOCUMENT, place));
    let whole = |steps: Vec<Step>| LocationPath::absolute(steps.into_iter().chain(set.steps.iter().cloned()).collect());
    let leads_there = |path: &LocationPath| {
        let selected = select(path, dom, NodeId::DOCUMENT).into_iter().map(|it| it.node);
        selected.eq(set.rows.iter().copied())
    };
    all.into_iter().map(whole).filter(leads_there).collect()
}

/// From the nearest element around that an attribute tells, if other pages have it as well.
fn anchored(dom: &Dom, holder: NodeId, name: Name, sample: &[SamplePage]) -> Option<Vec<Step>> {
    let around = std::iter::once(holder).chain(dom.ancestors(holder));
    let attribute = |&node: &NodeId| {
        let value = dom.attribute(node, name).filter(|value| !value.trim().is_empty())?;
        (dom.is_element(node)
            && is_shared(sample, |dom| {
                let mut nodes = dom.nodes();
                nodes.any(|its| dom.attribute(its, name) == Some(value))
            }))
        .then_some((node, value))
    };
    let (anchor, value) = around.into_iter().find_map(|node| attribute(&node))?;
    let (step, _) = anchor_step(dom, anchor, Some((name, value)));
    let place = Selected {
        node: holder,
        attribute: None,
    };
    Some(std::iter::once(step).chain(steps_down(dom, anchor, place)?).collect())
}

/// From the heading before, if other pages have it as well.
fn headed(dom: &Dom, holder: NodeId, sample: &[SamplePage]) -> Option<Vec<Step>> {
    /// How far up the heading may stand beside what holds the rows.
    const LEVELS: usize = 3;
    let around = std::iter::once(holder).chain(dom.ancestors(holder)).take(LEVELS);
    for branch in around {
        let siblings = dom.parent(branch).into_iter().flat_map(|parent| dom.children(parent));
        let before = siblings
            .take_while(|&node| node != branch)
            .filter(|&node| is_heading(dom, node));
        let Some(heading) = before.last() else { continue };
        let text = dom.visible_text(heading);
        let is_there = |dom: &Dom| {
            dom.nodes()
                .any(|node| is_heading(dom, node) && dom.visible_text(node) == text)
        };
        if text.is_empty() || !is_shared(sample, is_there) {
            return None;
        }
        let start = Step {
            axis: Axis::Descendant,
            test: NodeTest::Name(dom.name_text(heading).into()),
            predicates: vec![Predicate::Text(text.into()), Predicate::Position(1)],
        };
        let between = dom.children(dom.parent(branch)?);
        let between = between
            .skip_while(|&node| node <= heading)
            .take_while(|&node| node < branch);
        let n_alike = between.filter(|&node| dom.name(node) == dom.name(branch)).count() as u32;
        let along = Step {
            axis: Axis::FollowingSibling,
            test: NodeTest::Name(dom.name_text(branch).into()),
            predicates: vec![Predicate::Position(n_alike + 1)],
        };
        let place = Selected {
            node: holder,
            attribute: None,
        };
        return Some(
            [start, along]
                .into_iter()
                .chain(steps_down(dom, branch, place)?)
                .collect(),
        );
    }
    None
}

fn is_heading(dom: &Dom, node: NodeId) -> bool {
    matches!(dom.name_text(node), "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
}

/// Whether something is on at least half of the pages of a sample.
fn is_shared(sample: &[SamplePage], is_there: impl Fn(&Dom) -> bool) -> bool {
    let n_there = sample.iter().filter(|page| is_there(&page.page.dom)).count();
    n_there * 2 >= sample.len()
}
