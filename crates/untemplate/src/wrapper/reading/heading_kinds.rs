//! Kinds in headings: `Directive Alias`, `Directive Order` are two things of one kind.
//!
//! In: the headings of a class's pages, while pages are counted. Out: the first words that say what
//! kind of thing a heading names. Of the headings of one rank at least half begin with such a
//! word, and nearly all of these go on with one word, mostly another one: a name. `The pond class`,
//! `The lake class` are of no kind, and `Chapter 7` is a name as a whole. Nothing is told in scripts
//! without blanks. The numbers are set by hand; a sweep with sites left out is owed.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use crate::content::{BlockId, BlockKind, Content};
use crate::page::{stable_hash, stable_hash_more};

use super::vocabulary::{Hashes, text_hash};

/// The least share of the headings of a rank that begin with the word.
const KIND_SHARE: f64 = 0.5;

/// The greatest share of the headings of a kind that go on with the same word.
const NEXT_SHARE: f64 = 0.5;

/// The least share of the headings of a kind that go on with one word alone.
const NAMED_SHARE: f64 = 0.8;

/// The least share of a class's pages that have headings of the kind: what few have is part of their
/// running text.
const PAGES_SHARE: f64 = 0.5;

/// The fewest headings of a kind.
const HEADINGS_MIN: u32 = 5;

/// The most words that are told apart behind the first one.
const NEXT_MAX: usize = 64;

/// The headings that begin with each word.
#[derive(Debug, Clone, Default)]
pub(super) struct HeadingKinds {
    words: HashMap<u64, FirstWord, FixedState>,
    /// By rank, all headings.
    n_of_rank: HashMap<u8, u32, FixedState>,
}

/// What is known of a first word of headings of one rank.
#[derive(Debug, Clone, Default)]
struct FirstWord {
    rank: u8,
    n: u32,
    n_pages: u32,
    last_page: u32,
    /// Those with one word behind it.
    n_named: u32,
    next: HashMap<u64, u32, FixedState>,
}

/// The first word of a heading, and the rest.
fn first_word(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.trim().split_once(char::is_whitespace)?;
    let is_word = word.chars().all(char::is_alphabetic) && word.chars().nth(1).is_some();
    is_word
        .then(|| (word, rest.trim_start()))
        .filter(|(_, rest)| !rest.is_empty())
}

fn hash_of(rank: u8, word: &str) -> u64 {
    stable_hash_more(stable_hash(&[rank]), &text_hash(word).to_le_bytes())
}

impl HeadingKinds {
    /// Counts a heading of a page.
    pub fn add(&mut self, content: &Content, id: BlockId, page: u32) {
        let rank = content.block(id).rank;
        *self.n_of_rank.entry(rank).or_default() += 1;
        let Some((word, rest)) = first_word(content.text(id)) else {
            return;
        };
        let own = self.words.entry(hash_of(rank, word)).or_default();
        own.rank = rank;
        own.n += 1;
        own.n_pages += u32::from(own.last_page != page);
        own.last_page = page;
        own.n_named += u32::from(!rest.contains(char::is_whitespace) && rest.contains(char::is_alphabetic));
        let next = text_hash(rest.split_whitespace().next().unwrap_or_default());
        if own.next.len() < NEXT_MAX || own.next.contains_key(&next) {
            *own.next.entry(next).or_default() += 1;
        }
    }

    /// Forgets words on few pages.
    pub fn forget_rare(&mut self, n_pages: u32) {
        self.words.retain(|_, own| own.n_pages > n_pages);
        self.words.shrink_to_fit();
    }

    /// The words that are kinds, of that many pages of a class.
    pub fn kinds(&self, n_pages: u32) -> Hashes {
        let pages_min = PAGES_SHARE * f64::from(n_pages);
        let is_kind = |own: &FirstWord| {
            let n_all = self.n_of_rank.get(&own.rank).copied().unwrap_or(0);
            let most = own.next.values().copied().max().unwrap_or(0);
            own.n >= HEADINGS_MIN
                && f64::from(own.n_pages) >= pages_min
                && f64::from(own.n) >= KIND_SHARE * f64::from(n_all)
                && f64::from(own.n_named) >= NAMED_SHARE * f64::from(own.n)
                && f64::from(most) <= NEXT_SHARE * f64::from(own.n)
        };
        let kinds = self.words.iter().filter(|(_, own)| is_kind(own));
        kinds.map(|(&hash, _)| hash).collect()
    }
}

/// The kind that a heading says it names a thing of, and that thing.
pub(super) fn kind_of<'c>(content: &'c Content, id: BlockId, kinds: &Hashes) -> Option<(&'c str, &'c str)> {
    let block = content.block(id);
    if kinds.is_empty() || block.kind != BlockKind::Heading {
        return None;
    }
    let is_kind = |word: &str| kinds.contains(&hash_of(block.rank, word));
    first_word(content.text(id)).filter(|(word, rest)| is_kind(word) && rest.contains(char::is_alphabetic))
}
