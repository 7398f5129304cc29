//! What addresses of a shape bring: facets, calendars without end and session numbers are left alone once they bring nothing.
//!
//! In: each page that was read, and whether it brought anything: a value that no page of its class showed before, or the address of a page of
//! another shape that nobody had met. Out: whether addresses of a shape are still worth asking for. Records of numbers are new, too, for a good while. A list sorted in another way, a month without events, a
//! page under another session number bring neither. Pages about things do, each of them: their names are new.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use url::Url;

use crate::page::{stable_hash, stable_hash_more};
use crate::site::model::ShapeBook;
use crate::wrapper::{Record, Value};

/// Addresses of a shape are left alone when so many in a row brought nothing.
const IDLE_MAX: u32 = 24;

/// Addresses of a shape are given up when so many in a row brought new numbers and no new words: a calendar with a date in every cell has no end.
const NUMBERS_MAX: u32 = 1000;

/// A record whose only new number is one value is counted, not said: `Month 17` after `Month 16`.
const NUMBERS_MIN: usize = 2;

/// Addresses of a shape are left alone when so many led to no page, and none to one.
const DEAD_MAX: u32 = 24;

/// Values that are remembered: beyond, every value counts as new.
const VALUES_MAX: usize = 4 << 20;

/// What a record says that none of its class said before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum News {
    /// Nothing, or no more than another number in one place.
    Nothing,
    /// Numbers in several places: another draw, another measurement, another month.
    Numbers,
    /// Words.
    Words,
}

/// What addresses of each shape brought.
#[derive(Debug, Clone, Default)]
pub struct ShapeYield {
    /// The shapes of the site's addresses.
    pub book: ShapeBook,
    /// By shape, how many pages in a row brought nothing.
    idle: HashMap<String, u32, FixedState>,
    /// By shape, how many pages in a row brought numbers alone.
    numbers: HashMap<String, u32, FixedState>,
    /// By shape, how many addresses led to no page while none led to one.
    dead: HashMap<String, u32, FixedState>,
    /// The hashes of values seen, with their class.
    values: HashSet<u64, FixedState>,
    /// Addresses that were not asked for.
    pub n_left_out: usize,
    /// Those of them whose shape still brought new records.
    pub n_given_up: usize,
}

impl ShapeYield {
    /// The shape of an address.
    pub fn shape(&self, url: &Url) -> String {
        self.book.shape(url)
    }

    /// Notes what a page brought.
    pub fn count(&mut self, url: &Url, news: News) {
        let shape = self.book.shape(url);
        self.dead.insert(shape.clone(), 0);
        let numbers = self.numbers.entry(shape.clone()).or_default();
        match news {
            News::Nothing => {}
            News::Numbers => *numbers += 1,
            News::Words => *numbers = 0,
        }
        let idle = self.idle.entry(shape).or_default();
        *idle = if news == News::Nothing { *idle + 1 } else { 0 };
    }

    /// Notes that an address was not asked for.
    pub fn leave_out(&mut self, url: &Url) {
        self.n_left_out += 1;
        self.n_given_up += usize::from(self.is_endless(&self.book.shape(url)));
    }

    /// Whether addresses of a shape bring number after number.
    fn is_endless(&self, shape: &str) -> bool {
        self.numbers.get(shape).is_some_and(|numbers| *numbers >= NUMBERS_MAX)
    }

    /// Notes that an address led to no page.
    pub fn count_dead(&mut self, url: &Url) {
        let shape = self.book.shape(url);
        if !self.idle.contains_key(&shape) {
            *self.dead.entry(shape).or_default() += 1;
        }
    }

    /// Whether addresses like this one lead nowhere, or bring nothing. What pages of other shapes lead to is always worth a look.
    pub fn is_exhausted(&self, url: &Url, is_own: bool) -> bool {
        let shape = self.book.shape(url);
        let is_dead = self.dead.get(&shape).is_some_and(|dead| *dead >= DEAD_MAX);
        let is_idle = is_own && self.idle.get(&shape).is_some_and(|idle| *idle >= IDLE_MAX);
        is_dead || is_idle || (is_own && self.is_endless(&shape))
    }

    /// What the record of a page says that none of its class said before. Addresses say nothing.
    pub fn news(&mut self, class: usize, url: &Url, record: &Record) -> News {
        if self.values.len() >= VALUES_MAX {
            return News::Words;
        }
        let seed = stable_hash(&class.to_le_bytes());
        let mut has_words = false;
        let mut waiting: Vec<&Record> = vec![record];
        while let Some(record) = waiting.pop() {
            for (key, value) in &record.values {
                match value {
                    Value::Text(text) if text.contains(char::is_alphabetic) && !is_address(text) => {
                        let seed = stable_hash_more(seed, key.as_bytes());
                        has_words |= self.values.insert(hash_of_words(seed, text));
                    }
                    Value::Text(_) => {}
                    Value::List(rounds) => waiting.extend(rounds),
                }
            }
        }
        let mut numbers: HashSet<String, FixedState> = HashSet::default();
        for (key, value) in &record.values {
            let digits = digits_of(value);
            let hash = stable_hash_more(stable_hash_more(!seed, key.as_bytes()), digits.as_bytes());
            // A number of the address is no surprise: that a month is in the year that it is asked for says nothing.
            let is_expected = url.as_str().contains(digits.trim_end());
            if !is_expected && self.values.insert(hash) {
                numbers.insert(digits);
            }
        }
        match (has_words, numbers.len()) {
            (true, _) => News::Words,
            (false, n_numbers) if n_numbers >= NUMBERS_MIN => News::Numbers,
            _ => News::Nothing,
        }
    }
}

/// Whether a text leads somewhere: addresses of facets and months are new on every page.
fn is_address(text: &str) -> bool {
    let is_path = text.contains('/') && text.contains(char::is_alphabetic) && !text.contains(char::is_whitespace);
    text.contains("://") || is_path
}

/// The numbers of a value; a list is one value, since its numbers may be few, as those of draws and of days are.
fn digits_of(value: &Value) -> String {
    let mut digits = String::new();
    let mut waiting: Vec<&Value> = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Text(text) if is_address(text) || !text.contains(|c: char| c.is_ascii_digit()) => {}
            Value::Text(text) => {
                digits.extend(text.chars().filter(char::is_ascii_digit));
                digits.push(' ');
            }
            Value::List(rounds) => waiting.extend(rounds.iter().flat_map(|round| round.values.iter().map(|it| &it.1))),
        }
    }
    digits
}

/// The hash of a text without its digits: `May 2031` is no news after `May 2030`.
fn hash_of_words(seed: u64, text: &str) -> u64 {
    let words = text.split(|c: char| c.is_ascii_digit()).filter(|word| !word.is_empty());
    words.fold(seed, |hash, word| stable_hash_more(hash, word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str) -> Record {
        Record {
            values: vec![("name".into(), Value::Text(name.to_owned()))],
        }
    }

    fn url(number: u32) -> Url {
        Url::parse(&format!("http://shop.example/list?sort={number}")).expect("a good address")
    }

    #[test]
    fn a_shape_that_brings_nothing_is_left_alone() {
        let mut shapes = ShapeYield::default();
        assert_eq!(shapes.news(0, &url(0), &record("Lamp")), News::Words);
        for number in 0..IDLE_MAX {
            assert!(!shapes.is_exhausted(&url(number), true));
            let news = shapes.news(0, &url(0), &record("Lamp"));
            shapes.count(&url(number), news);
        }
        assert!(shapes.is_exhausted(&url(99), true));
        assert!(!shapes.is_exhausted(&url(99), false));
        assert_eq!(
            shapes.news(1, &url(0), &record("Lamp")),
            News::Words,
            "another class has values of its own"
        );
        assert_eq!(
            shapes.news(0, &url(0), &record("2024-05")),
            News::Nothing,
            "one number is no news"
        );
        assert_eq!(shapes.news(0, &url(0), &record("May 2030")), News::Words);
        assert_eq!(shapes.news(0, &url(0), &record("May 2031")), News::Nothing);
    }

    #[test]
    fn numbers_are_news_for_a_good_while() {
        let mut shapes = ShapeYield::default();
        for number in 0..=NUMBERS_MAX {
            assert_eq!(shapes.is_exhausted(&url(number), true), number > NUMBERS_MAX);
            let mut draw = record(&format!("Draw {number}"));
            draw.values
                .push(("ball".into(), Value::Text((number * 7 + 1).to_string())));
            draw.values
                .push(("sum".into(), Value::Text((number * 11 + 1234).to_string())));
            let news = shapes.news(0, &url(0), &draw);
            assert_eq!(news == News::Words, number == 0);
            assert_ne!(news, News::Nothing);
            shapes.count(&url(number), news);
        }
        assert!(shapes.is_exhausted(&url(0), true));
        shapes.leave_out(&url(0));
        assert_eq!(shapes.n_given_up, 1);
    }
}
