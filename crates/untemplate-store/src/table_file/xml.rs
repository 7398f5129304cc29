//! XML: an element a row, with an element a value that is there. Names of columns are attributes, since few are XML names.

use super::table::Table;

/// The table as XML.
pub fn write(table: &Table) -> Vec<u8> {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.push_str(&format!("<table name=\"{}\">\n", escaped(&table.name)));
    for row in &table.rows {
        text.push_str("  <row>\n");
        for (column, value) in table.columns.iter().zip(row) {
            if let Some(value) = value {
                let name = escaped(&column.name);
                text.push_str(&format!("    <field name=\"{name}\">{}</field>\n", escaped(value)));
            }
        }
        text.push_str("  </row>\n");
    }
    text.push_str("</table>\n");
    text.into_bytes()
}

/// Text for a value or an attribute. Control characters that XML cannot hold become replacement characters.
pub(crate) fn escaped(text: &str) -> String {
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
