//! Link texts: what the links to pages call them.
//!
//! In: the links of every page, while the site is read. Out: for each address the text that most of
//! the links to it have, by a majority vote; and for the addresses of one shape the texts that many
//! of the links to them have, by the counters of Misra and Gries. Both take one pass and memory
//! that does not grow with the links. A page that lists things is called by the menu what its
//! readers call the things, and a tab that leads to every page of a class says what such a page is.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::page::stable_hash;
use crate::site::AddressId;

/// What links call the pages that they lead to.
#[derive(Debug, Clone, Default)]
pub struct LinkTexts {
    by_page: HashMap<AddressId, Vote, FixedState>,
    by_shape: HashMap<String, Vec<Vote>, FixedState>,
    /// The texts that each address was called by so far, as hashes.
    counted: HashSet<(AddressId, u64), FixedState>,
}

/// A text, and by how many votes it is ahead.
#[derive(Debug, Clone)]
pub(super) struct Vote {
    pub text: Box<str>,
    pub lead: u32,
}

/// A text this far ahead stays: what hundreds of pages link to is in a menu.
const LEAD_MAX: u32 = 16;

/// A page that lists a class shares its name with its other orders and parts: with this many pages
/// in all.
const CALLED_MAX: usize = 3;

/// Texts counted for a shape: a text that more than one link in this many has is found.
const COUNTERS: usize = 12;

/// The text of a shape is said this many times as often of it as of all others.
const OWN_LEAD: u32 = 4;

/// The longest text that can be a name, in bytes and words.
const NAME_MAX: usize = 40;
pub(super) const NAME_WORDS_MAX: usize = 3;

impl LinkTexts {
    /// Whether more links can change what an address is called.
    pub fn is_open(&self, address: AddressId) -> bool {
        self.by_page.get(&address).is_none_or(|vote| vote.lead < LEAD_MAX)
    }

    /// Counts a link to an address of some shape.
    pub fn add(&mut self, address: AddressId, shape: &str, text: &str) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        let page = self.by_page.entry(address).or_insert_with(|| Vote::of(text));
        match *page.text == *text {
            true => page.lead += 1,
            false if page.lead > 1 => page.lead -= 1,
            false => *page = Vote::of(text),
        }
        if !self.counted.insert((address, stable_hash(text.as_bytes()))) {
            return;
        }
        if !self.by_shape.contains_key(shape) {
            self.by_shape.insert(shape.to_owned(), Vec::new());
        }
        if let Some(votes) = self.by_shape.get_mut(shape) {
            count(votes, text);
        }
    }

    /// What most links call an address, if that can be the name of a class and few others are
    /// called so: `print` leads to the printed form of whatever it stands on.
    pub fn name(&self, address: AddressId) -> Option<&str> {
        let text = &*self.by_page.get(&address)?.text;
        let is_same = |vote: &&Vote| *vote.text == *text;
        let n_called = self.by_page.values().filter(is_same).take(CALLED_MAX + 1).count();
        (is_name(text) && n_called <= CALLED_MAX).then_some(text)
    }

    /// The text that links to at least this many addresses of some shapes have, and those of no
    /// other shape, if it can be the name of a class.
    pub fn shapes_name(&self, shapes: &BTreeSet<String>, least: u32) -> Option<&str> {
        let mut leads: BTreeMap<&str, (u32, u32)> = BTreeMap::new();
        for (shape, votes) in &self.by_shape {
            for vote in votes {
                let (own, other) = leads.entry(&vote.text).or_default();
                *(if shapes.contains(shape) { own } else { other }) += vote.lead;
            }
        }
        let is_own = |own: u32, other: u32| own >= least && own > other * OWN_LEAD;
        let names = leads
            .into_iter()
            .filter(|&(text, (own, other))| is_own(own, other) && is_name(text));
        names.max_by_key(|&(_, (own, _))| own).map(|(text, _)| text)
    }
}

impl Vote {
    fn of(text: &str) -> Self {
        Self {
            text: text.into(),
            lead: 1,
        }
    }
}

/// Counts a text: in its own counter, or in a free one, or else against all others.
pub(super) fn count(votes: &mut Vec<Vote>, text: &str) {
    if let Some(vote) = votes.iter_mut().find(|vote| *vote.text == *text) {
        vote.lead += 1;
    } else if votes.len() < COUNTERS {
        votes.push(Vote::of(text));
    } else {
        votes.iter_mut().for_each(|vote| vote.lead -= 1);
        votes.retain(|vote| vote.lead > 0);
    }
}

/// Whether a text can be the name of a class: a few words, and no number, which tells one thing
/// from another.
pub(super) fn is_name(text: &str) -> bool {
    text.len() <= NAME_MAX
        && text.split_whitespace().count() <= NAME_WORDS_MAX
        && text.chars().filter(|c| c.is_alphabetic()).count() > 1
        && !text.contains(|c: char| c.is_numeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_links_name_a_page() {
        let mut texts = LinkTexts::default();
        for text in ["Roses", "more", "Roses", "12", "Roses"] {
            texts.add(AddressId(1), "/*", text);
        }
        assert_eq!(texts.name(AddressId(1)), Some("Roses"));
        texts.add(AddressId(2), "/*", "A long sentence about what is there");
        assert_eq!(texts.name(AddressId(2)), None);
        assert_eq!(texts.name(AddressId(3)), None);
    }

    #[test]
    fn a_tab_names_the_pages_that_it_leads_to() {
        let mut texts = LinkTexts::default();
        for page in 0..40 {
            texts.add(AddressId(page), "/*-care", &format!("Rose {page}"));
            texts.add(AddressId(page), "/*-care", "How to care");
            texts.add(AddressId(page), "/*-care", "Print");
            texts.add(AddressId(100 + page), "/*-print", "Print");
        }
        let name = |shape: &str| texts.shapes_name(&BTreeSet::from([shape.to_owned()]), 20);
        assert_eq!(name("/*-care"), Some("How to care"));
        assert_eq!(name("/*-print"), None);
    }
}
