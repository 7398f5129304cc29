//! Addresses in records: which keys hold them, and a way to change them.

use std::sync::Arc;

use crate::wrapper::reading::ClassReading;
use crate::wrapper::{Record, Value};

/// The keys of a class's records that are addresses, sorted.
pub fn address_keys(reading: &ClassReading) -> Vec<Arc<str>> {
    let addresses = reading.schema.fields.iter().filter(|field| field.attribute.is_some());
    let mut keys: Vec<Arc<str>> = addresses.map(|field| field.key.clone()).collect();
    keys.sort();
    keys.dedup();
    keys
}

/// Shows the texts of these keys to somebody who may change them, in lists as well.
pub fn each_address(record: &mut Record, keys: &[Arc<str>], change: &mut dyn FnMut(&mut String)) {
    let mut waiting: Vec<&mut Record> = vec![record];
    while let Some(record) = waiting.pop() {
        for (key, value) in &mut record.values {
            match value {
                Value::Text(text) if keys.binary_search(key).is_ok() => change(text),
                Value::Text(_) => {}
                Value::List(rounds) => waiting.extend(rounds.iter_mut()),
            }
        }
    }
}
