//! What to read in each row: a proposal for the fields, with names.
//!
//! Of a table, a field for each column, called as its header. Of other rows, a field for each text
//! that rows show: told by a class or a tag that no other text of a row has, or else by its
//! position. Where links lead is proposed as well, for whoever wants it; so is what all rows say
//! alike. Both are not taken unless somebody wants them.

use std::collections::BTreeMap;

use super::super::route::steps_down;
use super::grid::Grid;
use super::propose::ProposedField;
use super::taught_rows::{GridColumn, RowField};
use crate::content::label_cut;
use crate::page::{Dom, Name, NodeId};
use crate::rule::{Axis, LocationPath, NodeTest, Predicate, Selected, Step, Trim, select, value_text};

/// Rows that a proposal is made from, and fields that are proposed at most.
const ROWS_LOOKED_AT: usize = 60;
const FIELDS_MAX: usize = 60;

/// The fields of the rows of a table.
pub(super) fn table_fields(dom: &Dom, grid: &Grid, rows: &[NodeId]) -> Vec<ProposedField> {
    let rows: Vec<NodeId> = rows
        .iter()
        .copied()
        .filter(|row| !grid.header_rows.contains(row))
        .collect();
    let width = rows.iter().map(|&row| grid.width(row)).max().unwrap_or(0);
    let mut fields = Vec::new();
    for column in 0..width.min(FIELDS_MAX) {
        let header = grid.headers.get(column).filter(|header| !header.is_empty()).cloned();
        let name = header.clone().unwrap_or_else(|| format!("column {}", column + 1));
        let field = RowField {
            name,
            column: Some(GridColumn {
                number: column as u32 + 1,
                header,
            }),
            path: None,
            trim: Trim::default(),
        };
        let cells: Vec<Option<NodeId>> = rows.iter().map(|&row| grid.cell(row, column)).collect();
        let texts = cells.iter().flatten().map(|&cell| dom.visible_text(cell));
        let texts: Vec<String> = texts.filter(|text| !text.trim().is_empty()).collect();
        let link = link_field(dom, &field, &cells);
        if !texts.is_empty() {
            let is_wanted = !is_constant(&texts, rows.len());
            fields.push(ProposedField { field, is_wanted });
        }
        fields.extend(link);
    }
    fields
}

/// Where the links of a column lead, if most of its cells have one.
fn link_field(dom: &Dom, field: &RowField, cells: &[Option<NodeId>]) -> Option<ProposedField> {
    let path = LocationPath::relative(vec![
        Step {
            axis: Axis::Descendant,
            test: NodeTest::Name("a".into()),
            predicates: Vec::new(),
        },
        Step::attribute("href"),
    ]);
    let n_linked = cells
        .iter()
        .flatten()
        .filter(|&&cell| !select(&path, dom, cell).is_empty())
        .count();
    (n_linked * 2 > cells.len()).then(|| ProposedField {
        field: RowField {
            name: format!("{} link", field.name),
            path: Some(path),
            ..field.clone()
        },
        is_wanted: false,
    })
}

/// Whether all of several rows say the same: a label, or a button.
fn is_constant(texts: &[String], n_rows: usize) -> bool {
    texts.len() == n_rows && n_rows > 2 && texts.iter().all(|text| *text == texts[0])
}

/// The fields of rows that are no table's.
pub(super) fn list_fields(dom: &Dom, rows: &[NodeId]) -> Vec<ProposedField> {
    let rows = &rows[..rows.len().min(ROWS_LOOKED_AT)];
    let mut order: Vec<LocationPath> = Vec::new();
    let mut found: BTreeMap<LocationPath, Vec<Selected>> = BTreeMap::new();
    for &row in rows {
        let mut after = 0;
        for unit in units(dom, row) {
            let Some(path) = path_in_rows(dom, row, unit, rows) else {
                continue;
            };
            match order.iter().position(|its| *its == path) {
                Some(at) => after = at + 1,
                None if order.len() < FIELDS_MAX => {
                    order.insert(after.min(order.len()), path.clone());
                    after += 1;
                }
                None => continue,
            }
            found.entry(path).or_default().push(unit);
        }
    }
    let fields = order.into_iter().map(|path| {
        let places = &found[&path];
        list_field(dom, path, places, rows.len())
    });
    fields.collect()
}

fn list_field(dom: &Dom, path: LocationPath, places: &[Selected], n_rows: usize) -> ProposedField {
    let texts: Vec<String> = places.iter().map(|&place| value_text(dom, place)).collect();
    let label = shared_label(&texts);
    let is_link = places[0].attribute.is_some();
    let own_name = label.clone().map(|label| label.trim_end_matches([':', ' ']).to_owned());
    let mut name = own_name.unwrap_or_else(|| name_at(dom, places[0].node));
    if is_link {
        name.push_str(" link");
    }
    let trim = Trim {
        prefix: label.unwrap_or_default().into(),
        suffix: "".into(),
    };
    // One row among many with something of its own is odd, and not what the rows are about.
    let is_odd = n_rows > 5 && places.len() * 10 < n_rows;
    ProposedField {
        is_wanted: !is_link && !is_odd && !is_constant(&texts, n_rows),
        field: RowField {
            name,
            column: None,
            path: Some(path),
            trim,
        },
    }
}

/// The label that nearly all texts begin with.
fn shared_label(texts: &[String]) -> Option<String> {
    let first = texts.first()?;
    let cut = label_cut(first, None)?;
    let label = &first[..cut.value_start as usize];
    let label = label.trim_end();
    let is_shared = texts.len() > 1 && texts.iter().all(|text| text.starts_with(label));
    is_shared.then(|| label.to_owned())
}

/// What a text is called by its element: what it is for machines, its class, or its tag.
fn name_at(dom: &Dom, node: NodeId) -> String {
    let around = std::iter::once(node).chain(dom.ancestors(node));
    let holder = around.into_iter().find(|&it| dom.is_element(it)).unwrap_or(node);
    let told = [Name::ITEMPROP, Name::CLASS]
        .into_iter()
        .filter_map(|name| dom.attribute(holder, name));
    let word = told
        .flat_map(str::split_whitespace)
        .find(|word| word.chars().any(char::is_alphabetic));
    let by_tag = match dom.name_text(holder) {
        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => "title",
        "a" => "name",
        "time" => "date",
        "p" => "text",
        _ => "value",
    };
    word.map_or_else(|| by_tag.to_owned(), |word| word.replace(['-', '_'], " "))
}

/// The texts of a row, in document order, and where its links lead. Running text with emphasis in
/// it is one text.
fn units(dom: &Dom, row: NodeId) -> Vec<Selected> {
    let mut units = Vec::new();
    let mut waiting = vec![row];
    while let Some(node) = waiting.pop() {
        if dom.is_unseen(node) {
            continue;
        }
        let whole = |attribute| Selected { node, attribute };
        if dom.is_text(node) {
            if !dom.text(node).trim().is_empty() {
                units.push(whole(None));
            }
            continue;
        }
        if dom.is_html(node, Name::A) && dom.attribute(node, Name::HREF).is_some() {
            units.push(whole(Some(Name::HREF)));
        }
        if node != row && is_running(dom, node) {
            units.push(whole(None));
            continue;
        }
        let inner: Vec<NodeId> = dom
            .children(node)
            .filter(|&it| dom.is_element(it) || dom.is_text(it))
            .collect();
        waiting.extend(inner.into_iter().rev());
    }
    units
}

/// Whether most of an element's text is its own, and not that of elements in it.
fn is_running(dom: &Dom, node: NodeId) -> bool {
    let letters = |node: NodeId| dom.visible_text(node).trim().chars().count();
    let own = dom.children(node).filter(|&child| dom.is_text(child));
    let n_own: usize = own.map(|text| dom.text(text).trim().chars().count()).sum();
    n_own > 0 && n_own * 2 >= letters(node)
}

/// The way from a row to a text in it: by the nearest element around the text that a class, or its
/// tag, tells from all others in every row; else by positions.
fn path_in_rows(dom: &Dom, row: NodeId, unit: Selected, rows: &[NodeId]) -> Option<LocationPath> {
    let around = std::iter::once(unit.node).chain(dom.ancestors(unit.node));
    for node in around
        .take_while(|&node| node != row)
        .filter(|&node| dom.is_element(node))
    {
        for step in telling_steps(dom, node) {
            let head = LocationPath::relative(vec![step.clone()]);
            let is_alone = |&it: &NodeId| select(&head, dom, it).len() <= 1;
            if !rows.iter().all(is_alone) {
                continue;
            }
            let down = steps_down(dom, node, unit)?;
            return Some(LocationPath::relative(std::iter::once(step).chain(down).collect()));
        }
    }
    let down = steps_down(dom, row, unit)?;
    (!down.is_empty()).then(|| LocationPath::relative(down))
}

/// Steps down to an element by what it is for machines, by a word of its class, by its tag.
fn telling_steps(dom: &Dom, node: NodeId) -> Vec<Step> {
    let step = |predicates: Vec<Predicate>| Step {
        axis: Axis::Descendant,
        test: NodeTest::Name(dom.name_text(node).into()),
        predicates,
    };
    let mut steps = Vec::new();
    let property = dom.attribute(node, Name::ITEMPROP);
    steps.extend(property.map(|value| step(vec![Predicate::Attribute("itemprop".into(), value.into())])));
    let words = dom.attribute(node, Name::CLASS).unwrap_or("").split_whitespace();
    steps.extend(words.map(|word| step(vec![Predicate::Word("class".into(), word.into())])));
    steps.push(step(Vec::new()));
    steps
}
