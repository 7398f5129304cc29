//! Rows as text: JSON lines, CSV, XML.

use serde_json::Value;

use super::folder::RowFormat;
use crate::table_file::csv::push_row;
use crate::table_file::json_lines::quoted;
use crate::table_file::xml::escaped;

/// The formats that are text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextFormat {
    JsonLines,
    Csv,
    Xml,
}

impl TextFormat {
    /// The text format of a format; `None` for databases.
    pub(super) fn of(format: RowFormat) -> Option<Self> {
        match format {
            RowFormat::JsonLines => Some(Self::JsonLines),
            RowFormat::Csv => Some(Self::Csv),
            RowFormat::Xml => Some(Self::Xml),
            RowFormat::Sqlite => None,
        }
    }

    /// How its files end.
    pub(super) fn ending(self) -> &'static str {
        match self {
            Self::JsonLines => "jsonl",
            Self::Csv => "csv",
            Self::Xml => "xml",
        }
    }
}

/// What comes before the rows.
pub(super) fn head(format: TextFormat, name: &str, columns: &[String]) -> String {
    match format {
        TextFormat::JsonLines => String::new(),
        TextFormat::Csv => csv_line(columns.iter().map(String::as_str)),
        TextFormat::Xml => {
            format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<table name=\"{}\">\n",
                escaped(name)
            )
        }
    }
}

/// What comes after them.
pub(super) fn end(format: TextFormat) -> &'static str {
    match format {
        TextFormat::Xml => "</table>\n",
        TextFormat::JsonLines | TextFormat::Csv => "",
    }
}

/// A row, with its line end.
pub(super) fn row(format: TextFormat, columns: &[String], values: &[Vec<String>]) -> String {
    match format {
        TextFormat::JsonLines => json_line(columns, values),
        TextFormat::Csv => {
            let cells: Vec<String> = values.iter().map(|values| values.join("\n")).collect();
            csv_line(cells.iter().map(String::as_str))
        }
        TextFormat::Xml => {
            let mut text = String::from("  <row>\n");
            for (column, values) in columns.iter().zip(values) {
                let name = escaped(column);
                let fields = values
                    .iter()
                    .map(|value| format!("    <field name=\"{name}\">{}</field>\n", escaped(value)));
                text.extend(fields);
            }
            text.push_str("  </row>\n");
            text
        }
    }
}

/// Keys are written by hand, so that they stay in the order of the columns.
fn json_line(columns: &[String], values: &[Vec<String>]) -> String {
    let mut text = String::from("{");
    for (column, values) in columns.iter().zip(values) {
        let value = match values.as_slice() {
            [] => continue,
            [only] => Value::from(only.as_str()),
            several => Value::from(several.to_vec()),
        };
        let separator = if text.len() > 1 { "," } else { "" };
        text.push_str(&format!("{separator}{}:{value}", quoted(column)));
    }
    text.push_str("}\n");
    text
}

fn csv_line<'a>(cells: impl ExactSizeIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    push_row(cells, &mut text);
    text
}
