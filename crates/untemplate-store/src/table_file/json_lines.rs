//! JSON lines: an object a row, its keys in the order of the columns.

use untemplate::table::{ColumnKind, Table};

use super::row::Row;

/// A row as an object, as files of JSON lines have it.
pub fn json_row(table: &Table, row: &[Option<String>]) -> String {
    let cells: Vec<&[String]> = row.iter().map(Option::as_slice).collect();
    let mut text = String::new();
    push_row(table, &cells, &mut text);
    text.truncate(text.trim_end().len());
    text
}

/// Appends a row. Keys are written by hand, so that they stay in the order of the columns.
pub(super) fn push_row(table: &Table, row: Row<'_>, text: &mut String) {
    let mut separator = '{';
    for (column, values) in table.columns.iter().zip(row) {
        let several: Vec<String> = values.iter().map(|value| json_value(value, column.kind)).collect();
        let value = match several.as_slice() {
            [] => continue,
            [only] => only.clone(),
            several => format!("[{}]", several.join(",")),
        };
        text.push(separator);
        text.push_str(&quoted(&column.name));
        text.push(':');
        text.push_str(&value);
        separator = ',';
    }
    text.push_str(if separator == '{' { "{}\n" } else { "}\n" });
}

/// Numbers and truth values as such, where they are written as JSON writes them; all else as text.
fn json_value(value: &str, kind: ColumnKind) -> String {
    let is_plain = match kind {
        ColumnKind::Integer | ColumnKind::Decimal => is_number(value),
        ColumnKind::Boolean => value == "true" || value == "false",
        _ => false,
    };
    if is_plain { value.to_owned() } else { quoted(value) }
}

/// Whether JSON has this number in just this form: no sign but minus, no zeros before others,
/// digits on both sides of a point.
fn is_number(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(part) && (whole == "0" || !whole.starts_with('0'))
}

/// A text as JSON quotes it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
