//! Lists as records: what a page shows in its lists, where no other page is like it.
//!
//! In: a page that stands alone in its class, so that nothing tells its template from its data. Out: a [`Record`] with a list for each list of the page that
//! [`find_records`] is sure of, under the names of its columns.

use std::sync::Arc;

use crate::page::Page;
use crate::record::{ItemKind, ListRegion, RecordOptions, find_records};
use crate::wrapper::{Record, Value};

/// What was read from a page's lists.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ReadLists {
    /// The lists.
    pub record: Record,
    /// The keys that are addresses, sorted.
    pub address_keys: Vec<Arc<str>>,
}

/// Reads the main list of a page.
pub fn read_lists(page: &Page) -> ReadLists {
    let found = find_records(page, &RecordOptions::default());
    let mut read = ReadLists::default();
    for (number, region) in found.regions.iter().enumerate() {
        let key: Arc<str> = match number {
            0 => "list".into(),
            _ => format!("list_{}", number + 1).into(),
        };
        let rows = rows_of(region, &key, &mut read.address_keys);
        read.record.values.push((key, Value::List(rows)));
    }
    read.address_keys.sort();
    read.address_keys.dedup();
    read
}

fn rows_of(region: &ListRegion, list: &str, address_keys: &mut Vec<Arc<str>>) -> Vec<Record> {
    let keys: Vec<Arc<str>> = region
        .columns
        .iter()
        .map(|column| column.name.as_str().into())
        .collect();
    let kinds = region.columns.iter().zip(&keys);
    let addresses = kinds.filter(|(column, _)| !matches!(column.kind, ItemKind::Text));
    address_keys.extend(addresses.map(|(_, key)| key.clone()));
    let _ = list;
    let row = |record: &crate::record::Record| {
        let fields = record.fields.iter().zip(&keys);
        let values = fields.filter_map(|(field, key)| Some((key.clone(), Value::Text(field.as_ref()?.value.clone()))));
        Record {
            values: values.collect(),
        }
    };
    region.records.iter().map(row).collect()
}
