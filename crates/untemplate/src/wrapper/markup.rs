//! Mark-up: whether pages are dressed as the training pages were.
//!
//! In: the class words and ids of training pages, and later of the pages that are verified. Out:
//! whether the site was redesigned: what every training page has is gone from most pages. Where
//! most pages have something that no training page had, nothing need be broken; but a field that is
//! missing is believed sooner when the pages around it have changed.

use std::collections::{BTreeMap, BTreeSet};

use crate::page::{Dom, Name, Page, without_numbers};
use crate::statistics::chance_of_so_few;

use super::hash::{class_words, hash_text};

/// The words that pages are dressed with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MarkupProfile {
    /// How many training pages there were.
    pub pages: u32,
    /// Words that all of them have, as far as they are kept.
    pub always: Vec<String>,
    /// The words that any of them has, as a Bloom filter; empty where nothing is known.
    pub ever: Vec<u64>,
}

/// Words of all training pages that are kept: enough for a majority.
const ALWAYS_MAX: usize = 40;

/// Numbers of the Bloom filter: 8,192 bits for a few hundred words.
const FILTER_WORDS: usize = 128;

/// Bits of the filter for each word.
const FILTER_BITS: usize = 3;

impl MarkupProfile {
    /// The words of training pages.
    pub fn of(pages: &[&Page]) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for page in pages {
            for word in words_of(&page.dom) {
                *counts.entry(word).or_default() += 1;
            }
        }
        let mut ever = vec![0; FILTER_WORDS];
        for word in counts.keys() {
            bits_of(word).for_each(|(at, bit)| ever[at] |= bit);
        }
        let always: Vec<&String> = counts
            .iter()
            .filter(|(_, count)| **count == pages.len())
            .map(|(word, _)| word)
            .collect();
        let n_kept = always.len().min(ALWAYS_MAX);
        Self {
            pages: pages.len() as u32,
            always: (0..n_kept)
                .map(|index| always[index * always.len() / n_kept].clone())
                .collect(),
            ever,
        }
    }

    /// Whether a training page may have had a word.
    fn may_have(&self, word: &str) -> bool {
        bits_of(word).all(|(at, bit)| self.ever.get(at).is_none_or(|bits| bits & bit != 0))
    }
}

/// The words of pages that are verified.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct MarkupTally {
    pages: usize,
    /// Pages that have most of what all training pages have.
    alike: usize,
    /// On how many pages each word is that no training page had.
    unknown: BTreeMap<u64, usize>,
}

/// Unknown words that are counted. A bound on memory.
const UNKNOWN_MAX: usize = 10_000;

/// The chance below which the pages are dressed otherwise.
const OTHER_CHANCE: f64 = 1e-4;

impl MarkupTally {
    /// Counts the words of a page.
    pub fn see(&mut self, profile: &MarkupProfile, page: &Page) {
        let words = words_of(&page.dom);
        let n_found = profile.always.iter().filter(|word| words.contains(*word)).count();
        self.pages += 1;
        self.alike += usize::from(2 * n_found >= profile.always.len());
        for word in words.iter().filter(|word| !profile.may_have(word)) {
            if self.unknown.len() < UNKNOWN_MAX {
                *self.unknown.entry(hash_text(word)).or_default() += 1;
            }
        }
    }

    /// Whether the site was redesigned: too few pages have what all training pages have.
    pub fn is_gone(&self, profile: &MarkupProfile) -> bool {
        !profile.always.is_empty() && self.is_odd(self.alike, profile)
    }

    /// Whether pages have changed at all: that, or too few are without a word that all training
    /// pages are without.
    pub fn is_other(&self, profile: &MarkupProfile) -> bool {
        let commonest = self.unknown.values().copied().max().unwrap_or(0);
        self.is_gone(profile) || self.is_odd(self.pages - commonest, profile)
    }

    fn is_odd(&self, count: usize, profile: &MarkupProfile) -> bool {
        let trained = (profile.pages as usize, profile.pages as usize);
        profile.pages > 0 && chance_of_so_few((count, self.pages), trained) < OTHER_CHANCE
    }
}

/// The class words and ids of a page.
fn words_of(dom: &Dom) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for node in dom.nodes().filter(|&node| dom.is_element(node)) {
        words.extend(dom.attribute(node, Name::CLASS).into_iter().flat_map(class_words));
        words.extend(
            dom.attribute(node, Name::ID)
                .map(|id| format!("#{}", without_numbers(id))),
        );
    }
    words
}

/// The places of a word in the filter.
fn bits_of(word: &str) -> impl Iterator<Item = (usize, u64)> {
    let hash = hash_text(word);
    (0..FILTER_BITS).map(move |turn| {
        let bit = (hash >> (16 * turn)) as usize % (64 * FILTER_WORDS);
        (bit / 64, 1 << (bit % 64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};

    fn page(html: &str) -> Page {
        let url = "http://shop.example/".parse().expect("a good address");
        Page::read(&Response::html(url, html), &ParseOptions::default())
    }

    /// Whether twenty pages are dressed otherwise than ten training pages.
    fn check(html: impl Fn(usize) -> String, expected: [bool; 2]) {
        let training: Vec<Page> = (0..10)
            .map(|number| {
                page(&format!(
                    "<div class='box b{number}'><p id=price class=note{}>1",
                    number % 3
                ))
            })
            .collect();
        let profile = MarkupProfile::of(&training.iter().collect::<Vec<_>>());
        let mut tally = MarkupTally::default();
        (20..40).for_each(|number| tally.see(&profile, &page(&html(number))));
        assert_eq!(
            [tally.is_gone(&profile), tally.is_other(&profile)],
            expected,
            "{tally:?}"
        );
    }

    #[test]
    fn a_redesign_is_told_from_pages_that_differ() {
        check(|number| format!("<div class='box b{number}'><p id=price>1"), [false; 2]);
        check(
            |number| format!("<div class='box x{}'><p id=price>1", ["a", "b", "c"][number % 3]),
            [false; 2],
        );
        check(|_| "<div class=panel><p id=cost>1".to_owned(), [true; 2]);
        check(
            |_| "<div class=notice>New</div><div class=box><p id=price>1".to_owned(),
            [false, true],
        );
    }
}
