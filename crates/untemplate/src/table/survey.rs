//! Surveys: the first pass over the records of a site.
//!
//! In: every record of every class, once, in any order. Out: for each level of each class (the page itself, and each list in it) what its columns hold:
//! counts, and samples of rows. Memory goes with the number of columns, not of rows, but for a hash of each page's address.

use std::collections::{BTreeMap, HashMap};

use crate::wrapper::{Record, Value};

use super::addresses::{Addresses, address_hash};
use super::evidence::Evidence;
use super::facts::{ClassFacts, FieldFacts};
use super::reading::read_url;
use super::sample::{Pairs, Sample, SampleRow};
use super::shelf::ReadPage;

/// What the records of a site hold.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    pub(super) classes: Vec<ClassSurvey>,
    pub(super) addresses: Addresses,
}

/// What the records of a class hold.
#[derive(Debug, Clone, Default)]
pub(super) struct ClassSurvey {
    pub facts: ClassFacts,
    /// The page itself first; lists after what holds them.
    pub levels: Vec<Level>,
}

/// A level of records: the page, or the rounds of a list.
#[derive(Debug, Clone, Default)]
pub(super) struct Level {
    /// The keys of the lists that lead to it.
    pub list_path: Vec<String>,
    /// The level that holds it.
    pub parent: Option<usize>,
    pub n_rows: usize,
    pub columns: Vec<ColumnSurvey>,
    /// Rows by page and place.
    pub sample: Sample,
    /// Rows by the address that a column has in them.
    pub by_link: BTreeMap<usize, Sample>,
    by_key: HashMap<String, usize>,
    children: HashMap<String, usize>,
}

/// A column of a level.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnSurvey {
    pub facts: FieldFacts,
    /// Its place among the facts of the class; behind all of them when it has none.
    pub order: usize,
    /// Whether it is no field but the number of rounds of a list.
    pub is_length: bool,
    pub evidence: Evidence,
    /// Of addresses, which page has which.
    pub pairs: Pairs,
}

/// Values are kept in samples up to so many bytes.
const VALUE_MAX: usize = 300;

impl Survey {
    /// A survey of a site with these classes.
    pub fn new(classes: &[ClassFacts]) -> Self {
        let classes = classes.iter().map(|facts| ClassSurvey {
            facts: facts.clone(),
            levels: vec![Level::default()],
        });
        Self {
            classes: classes.collect(),
            addresses: Addresses::default(),
        }
    }

    /// Looks at what was read from a page.
    pub fn add(&mut self, page: &ReadPage) {
        while self.classes.len() <= page.page_class {
            self.classes.push(ClassSurvey {
                facts: ClassFacts::default(),
                levels: vec![Level::default()],
            });
        }
        self.addresses.add(page.url.as_str(), page.page_class);
        self.classes[page.page_class].add(page);
    }
}

impl ClassSurvey {
    fn add(&mut self, page: &ReadPage) {
        let url = page.url.as_str();
        let hash = address_hash(url);
        let mut waiting = vec![(0, &page.record, hash)];
        while let Some((level, record, thing)) = waiting.pop() {
            self.add_row(level, record, url, thing);
            for (key, value) in &record.values {
                if let Value::List(rounds) = value {
                    let child = self.child(level, key);
                    let number = |(place, round)| (child, round, thing.wrapping_mul(31).wrapping_add(place as u64 + 1));
                    waiting.extend(rounds.iter().enumerate().map(number).rev());
                }
            }
        }
    }

    /// The level of a list.
    fn child(&mut self, level: usize, key: &str) -> usize {
        if let Some(&child) = self.levels[level].children.get(key) {
            return child;
        }
        let child = self.levels.len();
        let mut list_path = self.levels[level].list_path.clone();
        list_path.push(key.to_owned());
        self.levels[level].children.insert(key.to_owned(), child);
        self.levels.push(Level {
            list_path,
            parent: Some(level),
            ..Level::default()
        });
        child
    }

    fn add_row(&mut self, level: usize, record: &Record, page: &str, thing: u64) {
        let mut values: Vec<(usize, String)> = Vec::with_capacity(record.values.len());
        for (key, value) in &record.values {
            let (column, text) = match value {
                Value::Text(text) => (self.column(level, key, false), text.clone()),
                Value::List(rounds) => (self.column(level, key, true), rounds.len().to_string()),
            };
            let text = text.trim();
            self.levels[level].columns[column].evidence.add(text);
            if !text.is_empty() {
                values.push((column, shortened(text)));
            }
        }
        values.sort();
        let level = &mut self.levels[level];
        level.n_rows += 1;
        for (column, text) in &values {
            if let Some(url) = read_url(text) {
                let sample = level.by_link.entry(*column).or_default();
                let target = address_hash(&url);
                level.columns[*column].pairs.add(address_hash(page), target);
                if sample.wants(target) {
                    sample.add(
                        target,
                        SampleRow {
                            page: page.to_owned(),
                            values: values.clone(),
                        },
                    );
                }
            }
        }
        if level.sample.wants(thing) {
            level.sample.add(
                thing,
                SampleRow {
                    page: page.to_owned(),
                    values,
                },
            );
        }
    }

    /// The column of a key, or of the length of the list with that key.
    fn column(&mut self, level: usize, key: &str, is_length: bool) -> usize {
        if let Some(&column) = self.levels[level].by_key.get(key) {
            return column;
        }
        let own = &mut self.levels[level];
        let known = |field: &FieldFacts| field.key == key && field.list_path == own.list_path;
        let order = self.facts.columns.iter().position(known);
        let facts = match order {
            Some(order) => self.facts.columns[order].clone(),
            None => FieldFacts {
                list_path: own.list_path.clone(),
                key: key.to_owned(),
                ..FieldFacts::default()
            },
        };
        own.by_key.insert(key.to_owned(), own.columns.len());
        own.columns.push(ColumnSurvey {
            facts,
            order: order.unwrap_or(usize::MAX),
            is_length,
            evidence: Evidence::default(),
            pairs: Pairs::default(),
        });
        own.columns.len() - 1
    }
}

/// A text, up to a number of bytes.
fn shortened(text: &str) -> String {
    if text.len() <= VALUE_MAX {
        return text.to_owned();
    }
    let end = (0..=VALUE_MAX)
        .rev()
        .find(|&end| text.is_char_boundary(end))
        .unwrap_or(0);
    text[..end].to_owned()
}
