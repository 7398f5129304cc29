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

impl Record {
    /// The record as bytes, for who keeps it until all were read. The form is private to one run.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut waiting: Vec<&Self> = vec![self];
        let mut next = 0;
        // Lists follow their record, so that nothing recurses.
        while let Some(record) = waiting.get(next).copied() {
            next += 1;
            put(&mut bytes, record.values.len());
            for (key, value) in &record.values {
                put_text(&mut bytes, key);
                match value {
                    Value::Text(text) => {
                        bytes.push(0);
                        put_text(&mut bytes, text);
                    }
                    Value::List(rounds) => {
                        bytes.push(1);
                        put(&mut bytes, rounds.len());
                        waiting.extend(rounds);
                    }
                }
            }
        }
        bytes
    }

    /// A record from its bytes; `None` if they are not one.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let rest = &mut bytes;
        let mut records: Vec<Self> = Vec::new();
        // Of each list: its record, its place there, its first round and how many it has.
        let mut lists: Vec<(usize, usize, usize, usize)> = Vec::new();
        let mut n_known = 1_usize;
        while records.len() < n_known {
            let mut record = Self::default();
            for place in 0..take(rest)? {
                let key: Arc<str> = take_text(rest)?.into();
                let (&mark, after) = rest.split_first()?;
                *rest = after;
                if mark == 0 {
                    record.values.push((key, Value::Text(take_text(rest)?.to_owned())));
                    continue;
                }
                let length = take(rest)?;
                lists.push((records.len(), place, n_known, length));
                n_known = n_known.checked_add(length)?;
                record.values.push((key, Value::List(Vec::new())));
            }
            records.push(record);
        }
        // Lists are filled from the last record to the first.
        for (record, place, first, length) in lists.into_iter().rev() {
            let rounds = (first..first + length).map(|round| std::mem::take(&mut records[round]));
            let rounds: Vec<Self> = rounds.collect();
            records[record].values[place].1 = Value::List(rounds);
        }
        records.into_iter().next()
    }
}

fn put(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend_from_slice(&(number as u32).to_le_bytes());
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
}

fn take(rest: &mut &[u8]) -> Option<usize> {
    let (number, after) = rest.split_first_chunk::<4>()?;
    *rest = after;
    Some(u32::from_le_bytes(*number) as usize)
}

fn take_text<'b>(rest: &mut &'b [u8]) -> Option<&'b str> {
    let length = take(rest)?;
    let text = rest.get(..length)?;
    *rest = &rest[length..];
    std::str::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_its_bytes() {
        let text = |text: &str| Value::Text(text.to_owned());
        let goal = |name: &str| Record {
            values: vec![("minute".into(), text("12")), ("player".into(), text(name))],
        };
        let half = |number: &str| Record {
            values: vec![
                ("half".into(), text(number)),
                ("goals".into(), Value::List(vec![goal("Ada"), goal("Bo")])),
            ],
        };
        let record = Record {
            values: vec![
                ("name".into(), text("Ada – ünï")),
                ("halves".into(), Value::List(vec![half("1"), half("2")])),
                ("none".into(), Value::List(Vec::new())),
            ],
        };
        assert_eq!(Record::from_bytes(&record.to_bytes()), Some(record));
        assert_eq!(Record::from_bytes(b"none"), None);
    }
}
