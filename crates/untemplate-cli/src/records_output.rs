//! Lists as they leave the program: the JSON of the contract, and text for a terminal.

use std::fmt::Write;

use untemplate::job::ShownList;
use untemplate::page::{Page, xpath_of};
use untemplate::record::{Column, FollowedList, ItemKind, ListRecord, ListRegion};

/// A piece of JSON that keeps its keys in the order in which they were added.
pub enum Json {
    /// A value of any kind.
    Value(serde_json::Value),
    /// An array.
    Array(Vec<Json>),
    /// An object.
    Object(Vec<(String, Json)>),
}

impl Json {
    fn text(value: impl Into<String>) -> Self {
        Self::Value(serde_json::Value::String(value.into()))
    }

    fn object<const N: usize>(pairs: [(&str, Json); N]) -> Self {
        Self::Object(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    fn push(&self, text: &mut String) {
        match self {
            Self::Value(value) => text.push_str(&value.to_string()),
            Self::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    text.push(if index == 0 { '[' } else { ',' });
                    item.push(text);
                }
                text.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            Self::Object(pairs) => {
                for (index, (key, value)) in pairs.iter().enumerate() {
                    text.push(if index == 0 { '{' } else { ',' });
                    text.push_str(&serde_json::Value::from(key.as_str()).to_string());
                    text.push(':');
                    value.push(text);
                }
                text.push_str(if pairs.is_empty() { "{}" } else { "}" });
            }
        }
    }
}

/// The text of a piece of JSON, on one line.
pub fn json_text(json: &Json) -> String {
    let mut text = String::new();
    json.push(&mut text);
    text.push('\n');
    text
}

/// The lists of one page.
pub fn regions_json(name: &str, page: &Page, regions: &[ListRegion]) -> Json {
    let region = |region: &ListRegion| {
        let record = |record: &ListRecord| Json::Object(record_pairs(page, &region.columns, region, record));
        region_object(
            page,
            region,
            &region.columns,
            region.records.iter().map(record).collect(),
        )
    };
    Json::object([
        ("page", Json::text(name)),
        ("regions", Json::Array(regions.iter().map(region).collect())),
    ])
}

/// A list over several pages, as one region; each record says which page it is on.
pub fn followed_json(name: &str, list: &FollowedList) -> Json {
    let columns = list.columns();
    let mut records = Vec::new();
    for (page, region) in &list.parts {
        for record in &region.records {
            let mut pairs = vec![("page".to_owned(), Json::text(page.url.as_str()))];
            pairs.extend(record_pairs(page, &columns, region, record));
            records.push(Json::Object(pairs));
        }
    }
    let regions = match list.parts.first() {
        Some((page, region)) => vec![region_object(page, region, &columns, records)],
        None => Vec::new(),
    };
    Json::object([("page", Json::text(name)), ("regions", Json::Array(regions))])
}

fn region_object(page: &Page, region: &ListRegion, columns: &[Column], records: Vec<Json>) -> Json {
    let score = (region.score * 1000.0).round() / 1000.0;
    Json::object([
        ("xpath", Json::text(xpath_of(&page.dom, region.node))),
        ("score", Json::Value(serde_json::json!(score))),
        (
            "columns",
            Json::Array(columns.iter().map(|column| Json::text(column.name.as_str())).collect()),
        ),
        (
            "types",
            Json::Array(columns.iter().map(|column| Json::text(type_of(column))).collect()),
        ),
        (
            "constant",
            Json::Array(
                columns
                    .iter()
                    .filter(|column| column.is_constant)
                    .map(|column| Json::text(column.name.as_str()))
                    .collect(),
            ),
        ),
        ("records", Json::Array(records)),
    ])
}

fn type_of(column: &Column) -> &'static str {
    match column.kind {
        ItemKind::Text => column.shape.text(),
        ItemKind::Link => "link",
        ItemKind::Image => "image",
    }
}

fn record_pairs(page: &Page, columns: &[Column], region: &ListRegion, record: &ListRecord) -> Vec<(String, Json)> {
    let nodes = record.nodes.iter().map(|&node| Json::text(xpath_of(&page.dom, node)));
    let values = FollowedList::fields(columns, region, record);
    let fields = columns
        .iter()
        .zip(values)
        .filter_map(|(column, value)| Some((column.name.clone(), Json::text(value?))));
    let mut pairs = vec![
        ("nodes".to_owned(), Json::Array(nodes.collect())),
        ("fields".to_owned(), Json::Object(fields.collect())),
    ];
    if let Some(parent) = record.parent {
        pairs.push(("parent".to_owned(), Json::Value(serde_json::json!(parent))));
    }
    pairs
}

/// The widest cell of a table on a terminal; what is longer is cut.
const CELL_WIDTH: usize = 32;

/// A table for a person: names, a line, rows. Addresses are left out, since they fill lines and say
/// little there.
pub fn terminal_table(list: &ShownList) -> String {
    let is_address = |at: usize| {
        let mut values = list.rows.iter().filter_map(|(_, row)| row[at].as_deref()).peekable();
        values.peek().is_some() && values.all(|value| value.contains("://"))
    };
    let shown: Vec<usize> = (0..list.names.len()).filter(|&at| !is_address(at)).collect();
    let cell = |text: &str| -> String {
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        match line.chars().count() > CELL_WIDTH {
            true => line.chars().take(CELL_WIDTH - 1).chain(['…']).collect(),
            false => line,
        }
    };
    let mut lines: Vec<Vec<String>> = vec![shown.iter().map(|&at| cell(&list.names[at])).collect()];
    for (_, row) in &list.rows {
        lines.push(shown.iter().map(|&at| cell(row[at].as_deref().unwrap_or(""))).collect());
    }
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..shown.len()).map(width).collect();
    lines.insert(1, widths.iter().map(|width| "-".repeat(*width)).collect());
    let mut text = String::new();
    for line in &lines {
        let mut row = String::new();
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(row, "{cell:<width$}  ");
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}
