//! A few rows of a table, under their names.

use maud::{Markup, html};
use untemplate::table::{ColumnKind, Table};

use super::page::TableSection;
use crate::text::{number, shown_value};

/// Characters of a value in a sample row.
const CELL_CHARS: usize = 80;

/// A few rows of a table; nothing where there are none.
pub(super) fn sample_rows(table: &Table, section: &TableSection) -> Markup {
    if section.sample.is_empty() {
        return html! {};
    }
    html! {
        div.scroll tabindex="0" { table.rows {
            thead { tr { @for column in &table.columns {
                th { (column.name) @if let Some(unit) = &column.unit { " " small { (unit) } } }
            } } }
            tbody { @for row in &section.sample {
                tr { @for (column, value) in table.columns.iter().zip(row) {
                    @let is_number = matches!(column.kind, ColumnKind::Integer | ColumnKind::Decimal);
                    @match value {
                        Some(value) => { td.number[is_number] { (shown_value(value, CELL_CHARS)) } }
                        None => { td.none { "–" } }
                    }
                } }
            } }
        } }
        @if section.sample.len() < section.n_rows {
            p.soft { (number(section.sample.len() as u64)) " of " (number(section.n_rows as u64)) " rows" }
        }
    }
}
