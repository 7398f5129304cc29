//! A few rows of a table, as a person would show them.
//!
//! Values come first, then places in lists, addresses last. A typed value stands with its unit, or
//! as the page shows it where it could not be read as its type; the columns that have these alone
//! are not shown beside it. Neither are columns that all of the rows leave empty.

use std::borrow::Cow;

use maud::{Markup, html};
use untemplate::table::{Column, ColumnKind, ColumnSource, Table};

use super::page::TableSection;
use crate::text::{number, shown_value};

/// Characters of a value in a sample row.
const CELL_CHARS: usize = 80;

/// The longest number with its unit that stays on one line.
const NUMBER_BYTES: usize = 24;

type Row = [Option<String>];

/// A column that is shown, and those that are shown with it.
struct ShownColumn {
    value: usize,
    /// The column that has the same as the page shows it.
    raw: Option<usize>,
    /// The column that has the unit of each row.
    unit: Option<usize>,
}

/// A few rows of a table; nothing where there are none.
pub(super) fn sample_rows(table: &Table, section: &TableSection) -> Markup {
    if section.sample.is_empty() {
        return html! {};
    }
    let (filled, empty): (Vec<ShownColumn>, Vec<ShownColumn>) = shown_columns(table)
        .into_iter()
        .partition(|shown| section.sample.iter().any(|row| cell(shown, row).is_some()));
    let empty: Vec<&str> = empty
        .iter()
        .map(|shown| table.columns[shown.value].name.as_str())
        .collect();
    html! {
        div.scroll tabindex="0" { table.rows.sample {
            thead { tr { @for shown in &filled { (head(&table.columns[shown.value])) } } }
            tbody { @for row in &section.sample {
                tr { @for shown in &filled { (body(&table.columns[shown.value], cell(shown, row))) } }
            } }
        } }
        @if section.sample.len() < section.n_rows {
            p.soft { (number(section.sample.len() as u64)) " of " (number(section.n_rows as u64)) " rows" }
        }
        @if !empty.is_empty() { p.soft { "Empty in these rows: " (empty.join(", ")) } }
    }
}

fn head(column: &Column) -> Markup {
    html! { th { (column.name) @if let Some(unit) = &column.unit { " " small { (unit) } } } }
}

fn body(column: &Column, value: Option<Cow<'_, str>>) -> Markup {
    let is_number = matches!(column.kind, ColumnKind::Integer | ColumnKind::Decimal);
    html! {
        @match value {
            // What could not be read as a number may be a sentence, which wraps.
            Some(value) => { td data-name=(column.name) class=[(is_number && reads_as_number(&value)).then_some("number")] { (shown_value(&value, CELL_CHARS)) } }
            None => { td.none data-name=(column.name) { "–" } }
        }
    }
}

fn reads_as_number(value: &str) -> bool {
    let first = value.split(' ').next().unwrap_or_default();
    value.len() <= NUMBER_BYTES && first.parse::<f64>().is_ok()
}

/// The columns that are shown, in the order in which they are.
fn shown_columns(table: &Table) -> Vec<ShownColumn> {
    let columns = || table.columns.iter().enumerate();
    let find = |source: ColumnSource| {
        columns()
            .find(|(_, column)| column.source == source)
            .map(|(index, _)| index)
    };
    let mut shown: Vec<ShownColumn> = Vec::new();
    for (value, column) in columns() {
        let (raw, unit) = match &column.source {
            ColumnSource::Raw(key) | ColumnSource::Unit(key) if find(ColumnSource::Field(key.clone())).is_some() => {
                continue;
            }
            ColumnSource::Field(key) => (
                find(ColumnSource::Raw(key.clone())),
                find(ColumnSource::Unit(key.clone())),
            ),
            _ => (None, None),
        };
        shown.push(ShownColumn { value, raw, unit });
    }
    shown.sort_by_key(|shown| place(&table.columns[shown.value]));
    shown
}

/// What the heading of a page is called as a column: it says what the row is about.
const NAME: &str = "name";

/// Where a column stands among others: the name, values, places in lists, addresses.
fn place(column: &Column) -> usize {
    match (&column.source, column.kind) {
        (ColumnSource::Address, _) => 4,
        (_, ColumnKind::Url) => 3,
        (ColumnSource::Position(_), _) => 2,
        _ if column.name == NAME => 0,
        _ => 1,
    }
}

fn cell<'a>(shown: &ShownColumn, row: &'a Row) -> Option<Cow<'a, str>> {
    let at = |index: usize| row.get(index).and_then(Option::as_deref);
    let Some(value) = at(shown.value) else {
        return shown.raw.and_then(at).map(Cow::Borrowed);
    };
    match shown.unit.and_then(at) {
        Some(unit) => Some(Cow::Owned(format!("{value} {unit}"))),
        None => Some(Cow::Borrowed(value)),
    }
}
