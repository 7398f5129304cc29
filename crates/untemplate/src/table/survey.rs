//! Surveys: the first pass over the records of a site.
//!
//! In: every record of every class, once, in any order. Out: for each level of each class (the page
//! itself, and each list in it) what its columns hold: counts, and samples of rows. Memory goes
//! with the number of columns, not of rows, but for a hash of each page's address.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::page::stable_hash_more;
use crate::wrapper::{Record, Value};

use super::addresses::{Addresses, address_hash};
use super::evidence::Evidence;
use super::facts::{ClassFacts, FieldFacts};
use super::reading::{read_url, value_hash};
use super::record_store::ReadPage;
use super::sample::{Pairs, Sample, SampleRow};

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
    /// The first round of the first list, while all others begin with the same.
    pub header: Option<Header>,
    /// Lists that were seen.
    pub n_lists: usize,
    /// Pages with such a list.
    pub n_pages: usize,
    /// The page of the list that was seen last: those of a page come one after the other.
    last_page: u64,
    /// Rows by the address that a column has in them.
    pub by_link: BTreeMap<usize, Sample>,
    by_key: HashMap<String, usize>,
    children: HashMap<String, usize>,
}

/// A round that lists begin with, and may be the head of a table.
#[derive(Debug, Clone)]
pub(super) struct Header {
    /// Its values, by column.
    pub values: Vec<(usize, String)>,
    /// The lists that begin with it.
    n_lists: usize,
    page: String,
    thing: u64,
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
    /// A sum over what each row says: columns with the same sum say the same in every row.
    pub trace: u64,
    /// Of addresses, which page has which.
    pub pairs: Pairs,
}

/// Values are kept in samples up to this many bytes.
const VALUE_MAX: usize = 300;

/// This many columns of links have samples of their own; of further ones nothing is found to be a
/// copy.
const LINK_SAMPLES_MAX: usize = 64;

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

    /// What is left to do when all pages were looked at.
    pub(super) fn settle(&mut self) {
        for level in self.classes.iter_mut().flat_map(|class| &mut class.levels) {
            level.settle_header();
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
        let mut waiting = vec![(0, &page.record, (hash, 0))];
        while let Some((level, record, (thing, place))) = waiting.pop() {
            self.add_row(level, record, url, (thing, place));
            for (key, value) in &record.values {
                if let Value::List(rounds) = value {
                    let child = self.child(level, key);
                    let number = |(place, round)| {
                        let own = thing.wrapping_mul(31).wrapping_add(place as u64 + 1);
                        (child, round, (own, place + 1))
                    };
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

    /// Adds a row, unless it is the first of its list and may be the head of a table.
    fn add_row(&mut self, level: usize, record: &Record, page: &str, (thing, place): (u64, usize)) {
        let values = self.row_values(level, record);
        let own = &mut self.levels[level];
        if place == 1 {
            own.n_lists += 1;
            let page_hash = address_hash(page);
            own.n_pages += usize::from(own.last_page != page_hash);
            own.last_page = page_hash;
            match &mut own.header {
                None if own.n_lists == 1 && values.len() > 1 => {
                    let page = page.to_owned();
                    own.header = Some(Header {
                        values,
                        n_lists: 1,
                        page,
                        thing,
                    });
                    return;
                }
                Some(header) if header.values == values => {
                    header.n_lists += 1;
                    return;
                }
                _ => {}
            }
        }
        own.add_values(values, page, thing);
    }

    /// The values of a row, by column.
    fn row_values(&mut self, level: usize, record: &Record) -> Vec<(usize, String)> {
        let mut values: Vec<(usize, String)> = Vec::with_capacity(record.values.len());
        for (key, value) in &record.values {
            let (column, text) = match value {
                Value::Text(text) => (self.column(level, key, false), text.clone()),
                Value::List(rounds) => (self.column(level, key, true), rounds.len().to_string()),
            };
            values.push((column, text.trim().to_owned()));
        }
        values.sort();
        values
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
            trace: 0,
            pairs: Pairs::default(),
        });
        own.columns.len() - 1
    }
}

impl Level {
    /// Whether lists begin with the head of a table: nearly all with the same row, others follow,
    /// and it is unlike those.
    pub fn has_header(&self) -> bool {
        let is_head = |header: &Header| {
            !self.has_labels(header)
                && header.n_lists > 1
                && header.n_lists * 10 >= self.n_lists * 9
                && self.n_rows >= header.n_lists
                && self.is_unlike_rows(header)
        };
        self.header.as_ref().is_some_and(is_head)
    }

    /// Whether what a row has is labelled column by column: it has a head above it.
    fn has_labels(&self, header: &Header) -> bool {
        let labels = header
            .values
            .iter()
            .map(|(column, _)| self.columns[*column].facts.label.as_str());
        let labels: HashSet<&str> = labels.collect();
        header.values.len() > 1 && labels.len() == header.values.len() && !labels.contains("")
    }

    /// Whether a row has words alone where others have numbers, dates or links, or words that no
    /// other row has there: lists may begin with the same thing, too.
    fn is_unlike_rows(&self, header: &Header) -> bool {
        let has_digit = |(column, text): &(usize, String)| {
            !self.columns[*column].is_length && text.contains(|c: char| c.is_ascii_digit())
        };
        if header.values.iter().any(has_digit) {
            return false;
        }
        if self.is_of_names(header) {
            return true;
        }
        self.columns.iter().enumerate().any(|(index, column)| {
            let value = header.values.iter().find(|(own, _)| *own == index);
            let evidence = &column.evidence;
            let n = evidence.n_filled;
            match value.filter(|(_, text)| !text.is_empty()) {
                Some((_, text)) if !column.is_length => {
                    let kinds = [
                        evidence.point.n_numbers,
                        evidence.comma.n_numbers,
                        evidence.day_first,
                        evidence.month_first,
                        evidence.times,
                        evidence.urls,
                    ];
                    n > 0 && kinds.into_iter().any(|count| count == n) && read_url(text).is_none()
                }
                Some(_) => false,
                None => evidence.urls > 0 && evidence.urls == self.n_rows,
            }
        })
    }

    /// Whether a row that three lists or more begin with is a few words for each column, all of them
    /// different, and none of them is in its column again: a first thing of all lists would share
    /// something with others.
    fn is_of_names(&self, header: &Header) -> bool {
        let is_own = |(column, text): &(usize, String)| {
            let column = &self.columns[*column];
            let evidence = &column.evidence;
            !column.is_length
                && evidence.n_filled > 0
                && evidence.is_counted()
                && !evidence.distinct.contains(&value_hash(text))
        };
        let texts: HashSet<&str> = header.values.iter().map(|(_, text)| text.as_str()).collect();
        header.n_lists >= NAMED_LISTS_MIN
            && self.n_rows >= 2 * header.n_lists
            && texts.len() > 1
            && texts.len() == header.values.len()
            && texts.iter().all(|text| is_of_words(text))
            && header.values.iter().all(is_own)
    }

    /// Takes rows that lists begin with as what they are: rows, if they are no heads of tables.
    fn settle_header(&mut self) {
        if self.has_header() {
            return;
        }
        if let Some(header) = self.header.take() {
            for _ in 0..header.n_lists {
                self.add_values(header.values.clone(), &header.page, header.thing);
            }
        }
    }

    fn add_values(&mut self, values: Vec<(usize, String)>, page: &str, thing: u64) {
        let mut kept: Vec<(usize, String)> = Vec::with_capacity(values.len());
        for (column, text) in values {
            self.columns[column].evidence.add(&text);
            if !text.is_empty() {
                let said = stable_hash_more(self.n_rows as u64, text.as_bytes());
                self.columns[column].trace = self.columns[column].trace.wrapping_add(said);
                kept.push((column, shortened(&text)));
            }
        }
        self.n_rows += 1;
        // One row may be in many samples, and is kept once.
        let row = SampleRow {
            page: page.into(),
            values: kept.into(),
        };
        for (column, text) in row.values.iter() {
            if let Some(url) = read_url(text) {
                let target = address_hash(&url);
                self.columns[*column].pairs.add(address_hash(page), target);
                if self.by_link.len() >= LINK_SAMPLES_MAX && !self.by_link.contains_key(column) {
                    continue;
                }
                let sample = self.by_link.entry(*column).or_default();
                if sample.wants(target) {
                    sample.add(target, row.clone());
                }
            }
        }
        if self.sample.wants(thing) {
            self.sample.add(thing, row);
        }
    }
}

/// The fewest lists that begin with the same few words, if these name their columns.
const NAMED_LISTS_MIN: usize = 3;

/// The most words and bytes of a header.
const HEADER_WORDS_MAX: usize = 3;
const HEADER_BYTES_MAX: usize = 40;

/// Whether a text is a few words without signs or numbers.
fn is_of_words(text: &str) -> bool {
    text.contains(char::is_alphabetic)
        && !text.contains(|c: char| c.is_ascii_punctuation() || c.is_numeric())
        && text.len() <= HEADER_BYTES_MAX
        && text.split_whitespace().count() <= HEADER_WORDS_MAX
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
