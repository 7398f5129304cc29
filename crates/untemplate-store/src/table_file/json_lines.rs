//! JSON lines: an object a row, its keys in the order of the columns.

use super::table::{ColumnKind, Table};

/// The table as JSON lines. Keys are written by hand, so that they stay in the order of the columns.
pub fn write(table: &Table) -> Vec<u8> {
    let keys: Vec<String> = table.columns.iter().map(|column| quoted(&column.name)).collect();
    let mut text = String::new();
    for row in &table.rows {
        let mut separator = "{";
        for ((key, column), value) in keys.iter().zip(&table.columns).zip(row) {
            let Some(value) = value.as_deref().and_then(|value| json_value(value, column.kind)) else {
                continue;
            };
            text.push_str(separator);
            text.push_str(key);
            text.push(':');
            text.push_str(&value);
            separator = ",";
        }
        text.push_str(if separator == "{" { "{}\n" } else { "}\n" });
    }
    text.into_bytes()
}

fn json_value(value: &str, kind: ColumnKind) -> Option<String> {
    match kind {
        ColumnKind::Text => Some(quoted(value)),
        ColumnKind::Integer => value.parse::<i64>().ok().map(|number| number.to_string()),
        ColumnKind::Real => value
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .map(|number| number.to_string()),
    }
}

/// A text as JSON quotes it.
pub(crate) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
