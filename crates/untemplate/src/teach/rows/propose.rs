//! The walk from a click to proposals.

use super::super::sample::SamplePage;
use super::grid::Grid;
use super::row_fields::{list_fields, table_fields};
use super::row_set::{RowSet, paths_to, row_sets};
use super::taught_rows::{RowField, TaughtRows};
use crate::page::{Dom, NodeId};
use crate::rule::LocationPath;

/// Rows that a click may mean.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposedRows {
    /// What selects them.
    pub path: LocationPath,
    /// The rows on the page that was clicked.
    pub rows: Vec<NodeId>,
    /// What may be read in each.
    pub fields: Vec<ProposedField>,
    /// What the page calls them: a caption or the heading before; `None` where it says nothing.
    pub title: Option<String>,
}

/// A field that may be read in rows.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposedField {
    /// The field, with the name that the page gives it.
    pub field: RowField,
    /// Whether it is likely wanted.
    pub is_wanted: bool,
}

/// Proposals that are made at most.
const PROPOSALS_MAX: usize = 4;

/// The rows that a click on a node may mean, the likeliest first; none where nothing around it is
/// one of several alike.
pub fn propose_rows(sample: &[SamplePage], page: usize, clicked: NodeId) -> Vec<ProposedRows> {
    let Some(shown) = sample.get(page) else {
        return Vec::new();
    };
    let dom = &shown.page.dom;
    let sets = row_sets(dom, clicked).into_iter();
    let mut all: Vec<ProposedRows> = sets.filter_map(|set| proposed(sample, shown, set)).collect();
    // A list of single words is less likely meant than the rows that each of them is a part of.
    all.sort_by_key(|rows| !is_row_like(rows));
    all.truncate(PROPOSALS_MAX);
    all
}

/// Whether there are several rows, and several things are read in each.
fn is_row_like(rows: &ProposedRows) -> bool {
    let n_wanted = rows.fields.iter().filter(|field| field.is_wanted).count();
    rows.rows.len() > 2 && n_wanted > 1
}

fn proposed(sample: &[SamplePage], shown: &SamplePage, set: RowSet) -> Option<ProposedRows> {
    let dom = &shown.page.dom;
    let mut fields = if set.is_table {
        let grid = Grid::of(dom, set.holder);
        table_fields(dom, &grid, &set.rows)
    } else {
        list_fields(dom, &set.rows)
    };
    if fields.is_empty() {
        return None;
    }
    told_apart(&mut fields);
    let path = best_path(sample, shown, &set, &fields)?;
    let rules = rules_of(path.clone(), &fields);
    let rows: Vec<NodeId> = rules.read(&shown.page).rows.into_iter().map(|row| row.node).collect();
    (rows.len() > 1).then(|| ProposedRows {
        path,
        rows,
        fields,
        title: title_of(dom, set.holder),
    })
}

/// Of the paths to rows, the first of those that find rows on most pages of the sample.
fn best_path(
    sample: &[SamplePage],
    shown: &SamplePage,
    set: &RowSet,
    fields: &[ProposedField],
) -> Option<LocationPath> {
    let n_found = |path: &LocationPath| {
        let rules = rules_of(path.clone(), fields);
        sample
            .iter()
            .filter(|page| !rules.read(&page.page).rows.is_empty())
            .count()
    };
    let counted = paths_to(shown, sample, set)
        .into_iter()
        .map(|path| (n_found(&path), path));
    let best = counted.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, path)| path)
}

fn rules_of(path: LocationPath, fields: &[ProposedField]) -> TaughtRows {
    TaughtRows {
        name: String::new(),
        is_optional: true,
        path,
        fields: fields.iter().map(|its| its.field.clone()).collect(),
    }
}

/// Gives fields of one name numbers.
fn told_apart(fields: &mut [ProposedField]) {
    for index in 1..fields.len() {
        let (before, rest) = fields.split_at_mut(index);
        let own = &mut rest[0].field.name;
        let is_taken = |name: &str| before.iter().any(|its| its.field.name.eq_ignore_ascii_case(name));
        if is_taken(own) {
            let names = (2_u32..).map(|number| format!("{own} {number}"));
            *own = names.into_iter().find(|name| !is_taken(name)).unwrap_or_default();
        }
    }
}

/// What a table or list is called: its caption, or the heading that stands before it.
fn title_of(dom: &Dom, holder: NodeId) -> Option<String> {
    /// How far up the heading may stand.
    const LEVELS: usize = 3;
    let caption = dom.children(holder).find(|&node| dom.name_text(node) == "caption");
    let before = || {
        let around = std::iter::once(holder).chain(dom.ancestors(holder)).take(LEVELS);
        around.into_iter().find_map(|branch| {
            let siblings = dom.parent(branch).into_iter().flat_map(|parent| dom.children(parent));
            let before = siblings.take_while(|&node| node != branch);
            let is_heading = |node: &NodeId| matches!(dom.name_text(*node), "h2" | "h3" | "h4" | "h5" | "h6");
            before.filter(is_heading).last()
        })
    };
    let titled = caption.or_else(before)?;
    Some(dom.visible_text(titled)).filter(|text| !text.trim().is_empty())
}
