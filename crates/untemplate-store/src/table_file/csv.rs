//! CSV as RFC 4180 has it: a row of names, lines that end in CR LF, quotes where they are needed.

use untemplate::table::Table;

use super::row::{Row, joined};

/// The row of names; nothing for a table without columns, since a line with nothing on it is a row
/// to some readers.
pub(super) fn push_head(table: &Table, text: &mut String) {
    if table.columns.is_empty() {
        return;
    }
    let names = table.columns.iter().map(|column| Some(column.name.as_str()));
    push_line(names, text);
}

/// Appends a row. Text only: who loads it decides what is a number.
pub(super) fn push_row(row: Row<'_>, text: &mut String) {
    let cells: Vec<_> = row.iter().map(|values| joined(values)).collect();
    push_line(cells.iter().map(|cell| cell.as_deref()), text);
}

fn push_line<'a>(cells: impl ExactSizeIterator<Item = Option<&'a str>>, text: &mut String) {
    let is_single = cells.len() == 1;
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        // A line with nothing on it is no row to most readers.
        let Some(value) = cell.or(is_single.then_some("")) else {
            continue;
        };
        if value.is_empty() || value.contains([',', '"', '\r', '\n']) {
            text.push('"');
            text.push_str(&value.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(value);
        }
    }
    text.push_str("\r\n");
}
