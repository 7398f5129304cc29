//! What is different from an earlier run.

use maud::{Markup, html};
use untemplate::table::{Changes, RowChange, TableChanges};

use crate::text::{number, shown_value};

/// Characters of a value in an example.
const CELL_CHARS: usize = 80;

/// What is different from an earlier run.
pub(super) fn changes(changes: &Changes) -> Markup {
    html! {
        section #changes {
            h2 { "Since the last run" }
            @if changes.is_empty() {
                p { "Nothing has changed." }
            } @else {
                @for (names, what) in [(&changes.tables_added, "new"), (&changes.tables_gone, "gone")] {
                    @if !names.is_empty() { p { "Tables that are " (what) ": " (names.join(", ")) } }
                }
                (counts(&changes.tables))
                @for table in changes.tables.iter().filter(|table| !table.examples.is_empty()) { (examples(table)) }
            }
        }
    }
}

/// How many rows of each table came, changed and went.
fn counts(tables: &[TableChanges]) -> Markup {
    html! {
        div.scroll tabindex="0" { table.rows {
            thead { tr { @for name in ["table", "added", "changed", "vanished", "columns"] { th { (name) } } } }
            tbody { @for table in tables {
                tr {
                    td { (table.name) }
                    @for count in [table.n_added, table.n_changed, table.n_vanished] { td.number { (number(count as u64)) } }
                    td { (columns(table)) }
                }
            } }
        } }
    }
}

fn columns(table: &TableChanges) -> String {
    let added = table.columns_added.iter().map(|name| format!("+{name}"));
    let gone = table.columns_gone.iter().map(|name| format!("−{name}"));
    added.chain(gone).collect::<Vec<_>>().join(", ")
}

fn examples(table: &TableChanges) -> Markup {
    let shown = |value: &Option<String>| match value {
        Some(value) => shown_value(value, CELL_CHARS),
        None => html! { "–" },
    };
    html! {
        details {
            summary { (table.name) ": examples" }
            ul { @for RowChange { kind, key, cells } in &table.examples {
                li {
                    (kind.word()) " "
                    @for (index, value) in key.iter().enumerate() { @if index > 0 { ", " } (shown_value(value, CELL_CHARS)) }
                    @for (name, before, after) in cells {
                        br; (name) ": " del { (shown(before)) } " " ins { (shown(after)) }
                    }
                }
            } }
        }
    }
}
