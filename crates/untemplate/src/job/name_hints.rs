//! Name hints: what the pages of a site show that tells how a person calls its classes.
//!
//! In: the content of every page. Out: the words that the site shows in headings, labels and short
//! lines, and for each class the headings of the pages that list it. A word of an address that the
//! site shows nowhere (`prd`) is an abbreviation of its makers; what the page that lists a class is
//! called is a name for readers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use crate::content::{BlockKind, Content, MarkKind};

use super::ledger::Ledger;

/// What pages show.
#[derive(Debug, Clone, Default)]
pub(super) struct NameHints {
    words: BTreeSet<Box<str>>,
    /// How many pages each class has.
    sizes: Vec<usize>,
    /// For each class, the headings of pages that list it, with the number of links.
    headings: Vec<BTreeMap<String, usize>>,
}

/// The most words that are kept: a site has no end of names.
const WORDS_MAX: usize = 200_000;

/// The longest line whose words are kept, in bytes.
const LINE_MAX: usize = 80;

/// The fewest links to a class on a page that lists it.
const LINKS_MIN: usize = 5;

/// A page that lists a class leads to a tenth of its pages at least.
const LISTED_SHARE: usize = 10;

/// The longest heading that can be a name, in words and bytes.
const HEADING_WORDS_MAX: usize = 3;
const HEADING_MAX: usize = 40;

/// How many letters a shown word may have beyond a word that stands for it, or lack: the plural.
const ENDING_MAX: usize = 2;

impl NameHints {
    /// Hints for classes of these sizes.
    pub fn new(sizes: Vec<usize>) -> Self {
        Self {
            words: BTreeSet::new(),
            headings: vec![BTreeMap::new(); sizes.len()],
            sizes,
        }
    }

    /// Takes in what a page of a class shows.
    pub fn add(&mut self, class: usize, content: &Content, ledger: &Ledger) {
        let mut n_links = 0;
        // By the class that links lead to, the headings that they stand under.
        let mut targets: BTreeMap<usize, BTreeMap<&str, usize>> = BTreeMap::new();
        let mut heading = "";
        for id in content.ids() {
            let text = content.text(id);
            let is_short = match content.block(id).kind {
                BlockKind::Heading => {
                    heading = text.trim();
                    true
                }
                BlockKind::Label => true,
                BlockKind::Line => text.len() <= LINE_MAX,
                _ => false,
            };
            if is_short {
                self.add_words(text);
            }
            for mark in content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Link) {
                if let Some((target, _)) = ledger.page_at(content.url(mark)) {
                    n_links += 1;
                    *targets.entry(target).or_default().entry(heading).or_default() += 1;
                }
            }
        }
        let size = |headings: &BTreeMap<&str, usize>| headings.values().sum::<usize>();
        // A page that leads to a few of them is about something else.
        let is_listed = |target: usize, n: usize| {
            target != class && n >= LINKS_MIN && n * 2 > n_links && n * LISTED_SHARE >= self.sizes[target]
        };
        let mut found = Vec::new();
        for (target, headings) in targets.iter().filter(|(target, own)| is_listed(**target, size(own))) {
            for (heading, n) in headings.iter().filter(|(heading, _)| is_name(heading)) {
                found.push((*target, (*heading).to_owned(), *n));
            }
        }
        for (target, heading, n) in found {
            *self.headings[target].entry(heading).or_default() += n;
        }
    }

    fn add_words(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 1) {
            if self.words.len() >= WORDS_MAX {
                return;
            }
            let word = word.to_lowercase();
            if !self.words.contains(word.as_str()) {
                self.words.insert(word.into());
            }
        }
    }

    /// Whether the site shows a word, or one that differs by an ending.
    pub fn is_shown(&self, word: &str) -> bool {
        let n_chars = word.chars().count();
        let is_longer = |shown: &str| shown.chars().count() <= n_chars + ENDING_MAX;
        let mut from = self
            .words
            .range::<str, _>((Bound::Included(word), Bound::Unbounded))
            .take_while(|shown| shown.starts_with(word));
        from.any(|shown| is_longer(shown))
            || (1..=ENDING_MAX).any(|n| {
                let end = word.char_indices().rev().nth(n - 1).map_or(0, |(at, _)| at);
                end > n && self.words.contains(&word[..end])
            })
    }

    /// What the page is called that lists a class, if it lists a good part of the class's pages.
    pub fn list_heading(&self, class: usize) -> Option<String> {
        let n_pages = *self.sizes.get(class)?;
        let headings = self.headings.get(class)?.iter();
        let most = headings.max_by_key(|&(heading, &n)| (n, std::cmp::Reverse(heading)));
        most.filter(|(_, n)| **n * 2 > n_pages)
            .map(|(heading, _)| heading.to_lowercase())
    }
}

/// Whether a heading is short enough to be a name.
fn is_name(heading: &str) -> bool {
    heading.len() <= HEADING_MAX
        && heading.split_whitespace().count() <= HEADING_WORDS_MAX
        && heading.contains(char::is_alphabetic)
}
