//! What addresses of a shape bring: facets, calendars without end and session numbers are left
//! alone once they bring nothing.
//!
//! In: each page that was read, and whether it brought anything: a value that no page of its class
//! showed before, or the address of a page of another shape that nobody had met. Out: whether
//! addresses of a shape are still worth asking for. A list sorted in another way, a month without
//! events, a page under another session number bring neither. Pages about things do, each of them:
//! their names are new.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use url::Url;

use crate::content::Content;
use crate::page::{stable_hash, stable_hash_more};
use crate::site::model::ShapeBook;

/// Addresses of a shape are left alone when this many in a row brought nothing.
const IDLE_MAX: u32 = 24;

/// Addresses of a shape are left alone when this many led to no page, and none to one.
const DEAD_MAX: u32 = 24;

/// Values that are remembered: beyond, every value counts as new.
const VALUES_MAX: usize = 4 << 20;

/// What addresses of each shape brought.
#[derive(Debug, Clone, Default)]
pub struct ShapeYield {
    /// The shapes of the site's addresses.
    pub book: ShapeBook,
    /// By shape, how many pages in a row brought nothing.
    idle: HashMap<String, u32, FixedState>,
    /// By shape, how many addresses led to no page while none led to one.
    dead: HashMap<String, u32, FixedState>,
    /// The hashes of values seen, with their class.
    values: HashSet<u64, FixedState>,
    /// Addresses that were not asked for.
    pub n_left_out: usize,
}

impl ShapeYield {
    /// The shape of an address.
    pub fn shape(&self, url: &Url) -> String {
        self.book.shape(url)
    }

    /// Notes whether a page brought anything.
    pub fn count(&mut self, url: &Url, is_new: bool) {
        let shape = self.book.shape(url);
        self.dead.insert(shape.clone(), 0);
        let idle = self.idle.entry(shape).or_default();
        *idle = if is_new { 0 } else { *idle + 1 };
    }

    /// Notes that an address led to no page.
    pub fn count_dead(&mut self, url: &Url) {
        let shape = self.book.shape(url);
        if !self.idle.contains_key(&shape) {
            *self.dead.entry(shape).or_default() += 1;
        }
    }

    /// Whether addresses like this one lead nowhere, or bring nothing. What pages of other shapes
    /// lead to is always worth a look.
    pub fn is_exhausted(&self, url: &Url, is_own: bool) -> bool {
        let shape = self.book.shape(url);
        let is_dead = self.dead.get(&shape).is_some_and(|dead| *dead >= DEAD_MAX);
        let is_idle = is_own && self.idle.get(&shape).is_some_and(|idle| *idle >= IDLE_MAX);
        is_dead || is_idle
    }

    /// Whether a page has a line that none of its class had before. Numbers and addresses are none.
    pub fn is_news(&mut self, class: usize, content: &Content) -> bool {
        let mut is_news = self.values.len() >= VALUES_MAX;
        let seed = stable_hash(&class.to_le_bytes());
        for text in content.ids().map(|id| content.text(id)).filter(|text| is_said(text)) {
            if self.values.len() >= VALUES_MAX {
                break;
            }
            is_news |= self.values.insert(hash_of_words(seed, text));
        }
        is_news
    }
}

/// The hash of a text without its digits: `May 2031` is no news after `May 2030`.
fn hash_of_words(seed: u64, text: &str) -> u64 {
    let words = text.split(|c: char| c.is_ascii_digit()).filter(|word| !word.is_empty());
    words.fold(seed, |hash, word| stable_hash_more(hash, word.as_bytes()))
}

/// Whether a value is words: numbers and addresses of facets and months are new on every page.
fn is_said(text: &str) -> bool {
    text.contains(char::is_alphabetic) && !text.contains("://")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};

    fn record(name: &str) -> Content {
        let url = "http://shop.example/".parse().expect("a good address");
        Content::of(&Page::read(
            &Response::html(url, format!("<p>{name}")),
            &ParseOptions::default(),
        ))
    }

    #[test]
    fn a_shape_that_brings_nothing_is_left_alone() {
        let mut shapes = ShapeYield::default();
        let url = |number: u32| Url::parse(&format!("http://shop.example/list?sort={number}")).expect("a good address");
        assert!(shapes.is_news(0, &record("Lamp")));
        for number in 0..IDLE_MAX {
            assert!(!shapes.is_exhausted(&url(number), true));
            let is_new = shapes.is_news(0, &record("Lamp"));
            shapes.count(&url(number), is_new);
        }
        assert!(shapes.is_exhausted(&url(99), true));
        assert!(!shapes.is_exhausted(&url(99), false));
        assert!(
            shapes.is_news(1, &record("Lamp")),
            "another class has values of its own"
        );
        assert!(!shapes.is_news(0, &record("2024-05")), "numbers are no news");
        assert!(shapes.is_news(0, &record("May 2030")));
        assert!(!shapes.is_news(0, &record("May 2031")));
    }
}
