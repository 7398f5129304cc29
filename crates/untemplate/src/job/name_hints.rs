//! Name hints: what the pages of a site show that tells how a person calls its classes.
//!
//! In: the content of every page, and what links call pages. Out: the words that the site shows in
//! headings, labels and short lines; for each class what the page that lists it is called, and what
//! the links to its pages say. A word of an address that the
//! site shows nowhere (`prd`) is an abbreviation of its makers; what the page that lists a class is
//! called is a name for readers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;

use url::Url;

use crate::content::{BlockKind, Content, MarkKind};
use crate::site::AddressId;
use crate::site::model::ShapeBook;

use crate::table::{is_place_mark, mark_words};
use crate::wrapper::reading::{FieldInfo, without_headers};

use super::class_reader::ClassReader;
use super::ledger::Ledger;
use super::link_texts::{LinkTexts, NAME_WORDS_MAX, is_name};

/// What pages show.
#[derive(Debug, Clone, Default)]
pub(super) struct NameHints {
    words: BTreeSet<Box<str>>,
    /// How many pages each class has.
    sizes: Vec<usize>,
    /// For each class the page that lists it best.
    indexes: Vec<Option<Index>>,
    /// What the links to nearly all pages of a class say.
    link_names: Vec<Option<String>>,
}

/// A page that lists a class.
#[derive(Debug, Clone)]
struct Index {
    /// How much its links and the class's pages are the same set, from 0 to 1 (the F measure).
    agreement: f64,
    page: AddressId,
    /// What most of its links stand under.
    heading: Option<String>,
    /// What links call it.
    link_name: Option<String>,
}

/// The most words that are kept: a site has no end of names.
const WORDS_MAX: usize = 200_000;

/// The longest line whose words are kept, in bytes.
const LINE_MAX: usize = 80;

/// A page lists a class when the pages it leads to and those of the class agree by this much.
const AGREEMENT_MIN: f64 = 0.5;

/// The fewest links to a class on a page that lists it.
const LINKS_MIN: usize = 5;

/// The least share of a class's pages that links call the same.
const LINK_NAME_SHARE: f64 = 0.5;

/// How many letters a shown word may have beyond a word that stands for it, or lack: the plural.
const ENDING_MAX: usize = 2;

/// An ending is one letter in this many at most: `plc` is no form of `pl`.
const ENDING_SHARE: usize = 4;

impl NameHints {
    /// Hints for classes of these sizes.
    pub fn new(sizes: Vec<usize>) -> Self {
        Self {
            words: BTreeSet::new(),
            indexes: vec![None; sizes.len()],
            link_names: vec![None; sizes.len()],
            sizes,
        }
    }

    /// Takes in what a page of a class shows.
    pub fn add(&mut self, class: usize, url: &Url, content: &Content, ledger: &Ledger) {
        // By the class that links lead to, the pages, and the heading that each stands under first.
        let mut targets: BTreeMap<usize, BTreeMap<AddressId, &str>> = BTreeMap::new();
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
                if let Some((target, page)) = ledger.page_at(content.url(mark)) {
                    targets.entry(target).or_default().entry(page).or_insert(heading);
                }
            }
        }
        let n_pages: usize = targets.values().map(BTreeMap::len).sum();
        for (target, pages) in targets.into_iter().filter(|(target, _)| *target != class) {
            let agreement = 2.0 * pages.len() as f64 / (n_pages + self.sizes[target]) as f64;
            let best = &mut self.indexes[target];
            let is_better = best.as_ref().is_none_or(|best| agreement > best.agreement);
            if let Some((_, page)) = ledger.page_at(url.as_str())
                && is_better
                && pages.len() >= LINKS_MIN
                && agreement >= AGREEMENT_MIN
            {
                *best = Some(Index {
                    agreement,
                    page,
                    heading: common_heading(pages.into_values()),
                    link_name: None,
                });
            }
        }
    }

    /// Takes in what links call pages.
    pub fn add_link_texts(&mut self, readers: &[ClassReader], ledger: &Ledger, texts: &LinkTexts, shapes: &ShapeBook) {
        let entry = ledger.entry();
        for index in self.indexes.iter_mut().flatten() {
            // What links call the entry of a site is what they call the site.
            let is_entry = Some(index.page) == entry;
            index.link_name = texts.name(index.page).filter(|_| !is_entry).map(str::to_owned);
        }
        let of_class = |reader: &ClassReader| {
            let urls = reader.pages.iter().map(|&page| ledger.addresses.url(page));
            let own: BTreeSet<String> = urls.map(|url| shapes.shape(&url)).collect();
            let least = reader.pages.len() as f64 * LINK_NAME_SHARE;
            texts.shapes_name(&own, least.ceil() as u32).map(str::to_owned)
        };
        self.link_names = readers.iter().map(of_class).collect();
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
        let is_longer = |shown: &str| shown.chars().count() <= n_chars + ENDING_MAX.min(n_chars / 2);
        let mut from = self
            .words
            .range::<str, _>((Bound::Included(word), Bound::Unbounded))
            .take_while(|shown| shown.starts_with(word));
        from.any(|shown| is_longer(shown))
            || (1..=ENDING_MAX.min(n_chars / ENDING_SHARE)).any(|n| {
                let end = word.char_indices().rev().nth(n - 1).map_or(0, |(at, _)| at);
                self.words.contains(&word[..end])
            })
    }

    /// What the mark-up calls the rows of a list or else what holds them, in words that the site
    /// shows: others are abbreviations of its makers.
    pub fn shown_mark(&self, list: &FieldInfo) -> Option<String> {
        let steps = list.key.rsplit('/').filter(|step| !step.starts_with('#'));
        let holders = steps.filter_map(|step| Some(without_headers(step).split_once(['.', '#'])?.1));
        let mut marks = Some(list.mark.as_str())
            .filter(|mark| !mark.is_empty())
            .into_iter()
            .chain(holders);
        let words = |mark: &str| mark_words(mark).filter(|words| !is_place_mark(words));
        let (mark, words) = marks.find_map(|mark| Some((mark, words(mark)?)))?;
        words
            .split('_')
            .all(|word| self.is_shown(word))
            .then(|| mark.to_owned())
    }

    /// What the page that lists a class is called: by the heading over the list, or by the links
    /// to it.
    pub fn index_name(&self, class: usize) -> Option<String> {
        let index = self.indexes.get(class)?.as_ref()?;
        let is_other = |(other, index): (usize, &Option<Index>), heading: &String| {
            other != class && index.as_ref().and_then(|index| index.heading.as_ref()) == Some(heading)
        };
        // A heading over the lists of several classes is part of the site's frame.
        let is_own = |heading: &&String| !self.indexes.iter().enumerate().any(|other| is_other(other, heading));
        let heading = index.heading.as_ref().filter(is_own);
        Some(heading.or(index.link_name.as_ref())?.to_lowercase())
    }

    /// What the links to most pages of a class say.
    pub fn link_name(&self, class: usize) -> Option<String> {
        Some(self.link_names.get(class)?.as_ref()?.to_lowercase())
    }
}

/// The heading that more than half of some links stand under, or else the words that nearly all of
/// their headings have, if they can be a name.
fn common_heading<'a>(headings: impl Iterator<Item = &'a str>) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for heading in headings {
        *counts.entry(heading).or_default() += 1;
    }
    let n_links: usize = counts.values().sum();
    if let Some((heading, _)) = counts.iter().find(|(_, n)| **n * 2 > n_links) {
        return is_name(heading).then(|| (*heading).to_owned());
    }
    common_words(&counts, n_links)
}

/// The words, one or more side by side, that the headings of nearly all links have: `Spells` of
/// `Spells of the first level` and `Spells of the second level`.
fn common_words(headings: &BTreeMap<&str, usize>, n_links: usize) -> Option<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (heading, n) in headings {
        let words: Vec<String> = heading
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let lengths = 1..=NAME_WORDS_MAX;
        let runs = lengths
            .flat_map(|length| words.windows(length))
            .map(|run| run.join(" "));
        let runs: BTreeSet<String> = runs.filter(|run| is_name(run)).collect();
        for run in runs {
            *counts.entry(run).or_default() += n;
        }
    }
    let is_common = |n: usize| n as f64 >= COMMON_WORDS_SHARE * n_links as f64;
    let common = counts.into_iter().filter(|(_, n)| is_common(*n));
    common
        .map(|(run, _)| run)
        .max_by_key(|run| (run.chars().count(), std::cmp::Reverse(run.clone())))
}

/// The least share of links whose headings have the words that the pages are called by.
const COMMON_WORDS_SHARE: f64 = 0.9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_called_what_the_headings_over_its_links_share() {
        for (headings, expected) in [
            (vec!["Roses", "Roses", "Herbs"], Some("Roses")),
            (
                vec!["Tools for wood", "Tools for iron", "Tools for clay"],
                Some("tools for"),
            ),
            (vec!["Old tools (o)", "New tools (n)", "My tools (m)"], Some("tools")),
            (vec!["Roses", "Herbs", "Trees"], None),
        ] {
            assert_eq!(
                common_heading(headings.iter().copied()).as_deref(),
                expected,
                "{headings:?}"
            );
        }
    }
}
