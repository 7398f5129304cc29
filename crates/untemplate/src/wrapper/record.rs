//! Records: what a wrapper reads from a page, nested as its lists are.

use std::sync::Arc;

/// A row: keys and values, in the order of the template.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The values that the page has; a key stands once. Keys are shared with the wrapper.
    pub values: Vec<(Arc<str>, Value)>,
}

/// A value of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text, white space collapsed.
    Text(String),
    /// The rounds of a list.
    List(Vec<Record>),
}

impl Record {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.values
            .iter()
            .find(|(own, _)| **own == *key)
            .map(|(_, value)| value)
    }

    /// The text of a key; `None` for a list.
    pub fn text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(Value::Text(text)) => Some(text),
            _ => None,
        }
    }
}
