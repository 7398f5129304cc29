//! Lists as records: what a page shows in its main list, where no other page is like it.
//!
//! In: a page that stands alone in its class, so that nothing tells its template from its data. Out: a [`Record`] with one list, that which
//! [`find_records`] is sure of, under the names of its columns; nothing when the page has none.

use std::sync::Arc;

use crate::page::Page;
use crate::record::{ItemKind, RecordOptions, find_records};
use crate::wrapper::{Record, Value};

/// What was read from a page's main list.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadList {
    /// The list.
    pub record: Record,
    /// Its columns.
    pub fields: Vec<ListField>,
}

/// A column of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListField {
    /// The key of the list in the record.
    pub list: String,
    /// The key in its rounds.
    pub key: String,
    /// What the page calls it; empty when it says nothing.
    pub label: String,
    /// Whether it is where links lead, or pictures lie.
    pub is_address: bool,
}

/// The key of the list.
const LIST: &str = "list";

/// Reads the main list of a page.
pub fn read_list(page: &Page) -> ReadList {
    let found = find_records(page, &RecordOptions::default());
    let Some(region) = found.regions.first() else {
        return ReadList::default();
    };
    let keys: Vec<Arc<str>> = region
        .columns
        .iter()
        .map(|column| column.name.as_str().into())
        .collect();
    let row = |record: &crate::record::Record| {
        let fields = record.fields.iter().zip(&keys);
        let values = fields.filter_map(|(field, key)| Some((key.clone(), Value::Text(field.as_ref()?.value.clone()))));
        Record {
            values: values.collect(),
        }
    };
    let rows = region.records.iter().map(row).collect();
    let fields = region.columns.iter().map(|column| ListField {
        list: LIST.to_owned(),
        key: column.name.clone(),
        label: if column.is_said {
            column.name.clone()
        } else {
            String::new()
        },
        is_address: column.kind != ItemKind::Text,
    });
    ReadList {
        record: Record {
            values: vec![(LIST.into(), Value::List(rows))],
        },
        fields: fields.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};

    #[test]
    fn a_table_on_a_lonely_page_is_a_list() {
        let url = "http://cup.example/".parse().expect("a good address");
        let html = "<table><tr><th>Team<th>Founded<th>City
            <tr><td><a href=/r>Rovers</a><td>1904<td>Bloerby<tr><td><a href=/a>Athletic</a><td>1956<td>Creinford
            <tr><td><a href=/u>United</a><td>1902<td>Thoronby</table>";
        let read = read_list(&Page::read(&Response::html(url, html), &ParseOptions::default()));
        let Some(Value::List(rows)) = read.record.get(LIST) else {
            panic!("the page has a list");
        };
        assert_eq!(rows.len(), 3);
        assert_eq!(rows[1].text("Founded"), Some("1956"));
        let addresses: Vec<&str> = read
            .fields
            .iter()
            .filter(|field| field.is_address)
            .map(|field| field.key.as_str())
            .collect();
        assert_eq!(addresses.len(), 1);
    }
}
