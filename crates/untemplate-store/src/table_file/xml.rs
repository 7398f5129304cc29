//! XML: an element a row, with an element a value that is there. Names of columns are attributes,
//! since few are XML names.

use untemplate::table::Table;

use super::row::Row;

/// What comes after the rows.
pub(super) const END: &str = "</table>\n";

/// What comes before them.
pub(super) fn push_head(table: &Table, text: &mut String) {
    text.push_str("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.push_str(&format!("<table name=\"{}\">\n", escaped(&table.name)));
}

/// Appends a row.
pub(super) fn push_row(table: &Table, row: Row<'_>, text: &mut String) {
    text.push_str("  <row>\n");
    for (column, values) in table.columns.iter().zip(row) {
        let name = escaped(&column.name);
        for value in *values {
            text.push_str(&format!("    <field name=\"{name}\">{}</field>\n", escaped(value)));
        }
    }
    text.push_str("  </row>\n");
}

/// Text for a value or an attribute. Control characters that XML cannot hold become replacement
/// characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push_str(&format!("&#{};", u32::from(c))),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(c),
        }
    }
    escaped
}
