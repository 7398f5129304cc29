//! CSV as RFC 4180 has it: a row of names, lines that end in CR LF, quotes where they are needed.

use super::table::Table;

/// The table as CSV. Text only: who loads it decides what is a number.
pub fn write(table: &Table) -> Vec<u8> {
    let mut text = String::new();
    push_row(table.columns.iter().map(|column| column.name.as_str()), &mut text);
    for row in &table.rows {
        push_row(row.iter().map(|value| value.as_deref().unwrap_or("")), &mut text);
    }
    text.into_bytes()
}

/// Appends a row, with its line end.
pub(crate) fn push_row<'a>(values: impl ExactSizeIterator<Item = &'a str>, text: &mut String) {
    let is_single = values.len() == 1;
    for (index, value) in values.enumerate() {
        if index > 0 {
            text.push(',');
        }
        // A line with nothing on it is no row to most readers.
        if value.contains([',', '"', '\r', '\n']) || is_single && value.is_empty() {
            text.push('"');
            text.push_str(&value.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(value);
        }
    }
    text.push_str("\r\n");
}
