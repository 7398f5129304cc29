//! Noted records: a record in the making, with where each of its values was read.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::FixedState;

use crate::page::{NodeId, Page, stable_hash, stable_hash_more};
use crate::wrapper::record::{Record, Value};
use crate::wrapper::source::{Round, SourcePart, ValueSource};

/// How the key of a list of links ends.
pub(super) const LINKS_SUFFIX: &str = "@links";

/// A record in the making.
#[derive(Debug, Clone, Default)]
pub(super) struct Noted {
    values: Vec<(Arc<str>, NotedValue)>,
    /// Where lists of links lead already, by list and address: a page may have a hundred thousand
    /// links.
    known_links: HashSet<u64, FixedState>,
}

#[derive(Debug, Clone)]
enum NotedValue {
    Text(String, Origin),
    List(Vec<Noted>),
}

/// Where a value was read; of a text of several lines, the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Origin {
    /// The node.
    pub node: NodeId,
    /// What of it.
    pub part: SourcePart,
}

impl Noted {
    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Whether a key has something.
    pub fn has(&self, key: &Arc<str>) -> bool {
        self.values.iter().any(|(own, _)| own == key)
    }

    /// Adds a text to what a key has already.
    pub fn add_text(&mut self, key: &Arc<str>, text: &str, origin: Origin) {
        match self.values.iter_mut().find(|(own, _)| own == key) {
            Some((_, NotedValue::Text(known, _))) => {
                known.push('\n');
                known.push_str(text);
            }
            Some(_) => {}
            None => self.push_text(key, text, origin),
        }
    }

    /// Sets a text that a key has once: the first counts.
    pub fn set_text(&mut self, key: &Arc<str>, text: &str, origin: Origin) {
        if !self.values.iter().any(|(own, _)| own == key) {
            self.push_text(key, text, origin);
        }
    }

    fn push_text(&mut self, key: &Arc<str>, text: &str, origin: Origin) {
        self.values
            .push((key.clone(), NotedValue::Text(text.to_owned(), origin)));
    }

    /// Notes that a list of links leads to an address; whether it did not before.
    pub fn leads_to(&mut self, list: &str, url: &str) -> bool {
        let hash = stable_hash_more(stable_hash(list.as_bytes()), url.as_bytes());
        self.known_links.insert(hash)
    }

    /// The rows of a key, made if they are not there.
    pub fn list(&mut self, key: &Arc<str>) -> &mut Vec<Noted> {
        let known = self
            .values
            .iter()
            .position(|(own, value)| own == key && matches!(value, NotedValue::List(_)));
        let place = known.unwrap_or_else(|| {
            self.values.push((key.clone(), NotedValue::List(Vec::new())));
            self.values.len() - 1
        });
        match &mut self.values[place].1 {
            NotedValue::List(rows) => rows,
            NotedValue::Text(..) => unreachable!("the value was just found to be a list"),
        }
    }

    /// Gives the texts of a row to the rows of its one list, which become rows of this record.
    pub fn take_flat(&mut self, row: Noted) {
        let (texts, lists): (Vec<_>, Vec<_>) = row
            .values
            .into_iter()
            .partition(|(_, value)| matches!(value, NotedValue::Text(..)));
        for (key, value) in lists {
            let NotedValue::List(inner) = value else { continue };
            let outer = self.list(&key);
            for mut row in inner {
                let mut values = texts.clone();
                values.append(&mut row.values);
                outer.push(Noted {
                    values,
                    ..Noted::default()
                });
            }
        }
    }

    /// Gives a text to the rows of all lists inside, but for lists of links.
    pub fn carry(&mut self, key: &Arc<str>) {
        let own = self
            .values
            .iter()
            .find(|(own, value)| own == key && matches!(value, NotedValue::Text(..)));
        let Some(own) = own.cloned() else { return };
        self.take_carried(&own);
    }

    fn take_carried(&mut self, carried: &(Arc<str>, NotedValue)) {
        for (key, value) in &mut self.values {
            let NotedValue::List(rows) = value else { continue };
            for row in rows.iter_mut().filter(|_| !key.ends_with(LINKS_SUFFIX)) {
                row.take_carried(carried);
                row.values.push(carried.clone());
            }
        }
    }

    /// The record alone.
    pub fn into_record(self) -> Record {
        let values = self.values.into_iter().map(|(key, value)| {
            let value = match value {
                NotedValue::Text(text, _) => Value::Text(text),
                NotedValue::List(rows) => Value::List(rows.into_iter().map(Noted::into_record).collect()),
            };
            (key, value)
        });
        Record {
            values: values.collect(),
        }
    }

    /// Where each value was read, and the rounds of lists that they are in.
    pub fn sources(&self, page: &Page) -> (Vec<ValueSource>, Vec<Round>) {
        let mut sources = Vec::new();
        let mut rounds = vec![Round::page()];
        self.add_sources(page, 0, &mut sources, &mut rounds);
        (sources, rounds)
    }

    fn add_sources(&self, page: &Page, round: usize, sources: &mut Vec<ValueSource>, rounds: &mut Vec<Round>) {
        for (key, value) in &self.values {
            match value {
                NotedValue::Text(text, origin) => sources.push(ValueSource {
                    key: key.clone(),
                    node: holder(page, text, *origin),
                    part: origin.part,
                    round,
                }),
                NotedValue::List(rows) => {
                    for (number, row) in rows.iter().enumerate() {
                        rounds.push(Round {
                            list: Some(key.clone()),
                            number,
                            inside: round,
                        });
                        row.add_sources(page, rounds.len() - 1, sources, rounds);
                    }
                }
            }
        }
    }
}

/// The longest label before a value in its line, in bytes: a node with more text than both holds
/// other lines.
const LABEL_MAX: usize = 320;

/// The smallest node around the beginning of a line that has all of its text; the beginning itself
/// if there is none.
fn holder(page: &Page, text: &str, origin: Origin) -> NodeId {
    if matches!(origin.part, SourcePart::Attribute(_)) {
        return origin.node;
    }
    let wanted: String = text.lines().next().unwrap_or_default().split_whitespace().collect();
    let mut at = origin.node;
    loop {
        let own: String = page.dom.visible_text(at).split_whitespace().collect();
        if own.contains(&wanted) {
            return at;
        }
        match page.dom.parent(at).filter(|_| own.len() < wanted.len() + LABEL_MAX) {
            Some(parent) => at = parent,
            None => return origin.node,
        }
    }
}
