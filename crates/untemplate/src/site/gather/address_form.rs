//! The form of an address: what of it a script fixes, and how alike two addresses are.
//!
//! In: addresses of a site. Out: an [`AddressForm`] each, and [`AddressLikeness`] between two.
//! Names and numbers vary within a class, fixed words such as `-plan` or `card_` tell classes
//! apart; which is which is learnt from all addresses met so far: in a folder whose names begin or
//! end in many different words these are names, where a few words return they are fixed.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use url::Url;

use crate::page::url_steps;

/// An address, taken apart and hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressForm {
    /// Its generalisations from fine to coarse ([`url_steps`]).
    pub steps: [u64; 5],
    /// How many folders, which end of a file name, which parameters.
    pub frame: u64,
    /// The first folder, within the frame.
    pub top: u64,
    /// The first and last word of the name, with their marks; 0 where there is none.
    pub edges: [u64; 2],
    /// Whether the name is a number.
    pub is_number: bool,
}

fn hash(text: &str) -> u64 {
    FixedState::with_seed(0x666f_726d).hash_one(text)
}

impl AddressForm {
    /// The form of an address.
    pub fn of(url: &Url) -> Self {
        let steps = url_steps(url);
        let name = |step: &str| step.rsplit('/').next().unwrap_or("").to_owned();
        let first = name(&steps[2]);
        let last = name(&steps[1]);
        let edge = |text: Option<&str>| text.filter(|text| !text.is_empty()).map_or(0, hash);
        let first = edge(first.split_once('~').map(|(word, _)| word));
        let last = edge(
            last.split_once('~')
                .map(|(_, rest)| rest.split(['.', '?']).next().unwrap_or("")),
        );
        Self {
            is_number: is_number(url),
            frame: hash(&steps[5]),
            top: hash(&steps[4]),
            edges: [first, last],
            steps: [0, 1, 2, 3, 4].map(|index| hash(&steps[index])),
        }
    }
}

/// Whether the name after the last slash is a number, but for its end.
fn is_number(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or("");
    let stem = name.split('.').next().unwrap_or("");
    !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_digit())
}

/// How alike two addresses are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddressLikeness {
    /// Another number of folders, other parameters, or another fixed word.
    Other,
    /// The same frame; whether it was made by one script is open.
    Open,
    /// The same frame and folder, which has many, and no fixed word differs.
    Same,
}

/// The words at the edges of names, counted by folder.
#[derive(Debug, Clone, Default)]
pub struct EdgeWords {
    counts: HashMap<(u64, usize, u64), u32, FixedState>,
    /// Of each folder and edge: addresses, and words that returned.
    folders: HashMap<(u64, usize), (u32, u32), FixedState>,
}

/// A folder of fewer names is more likely one of single pages than one of a script's.
const FOLDER_SOME: u32 = 10;
/// From this many addresses on, what varies in a folder is known.
const FOLDER_KNOWN: u32 = 20;
/// Words that this many addresses have may be fixed ones.
const WORD_COMMON: u32 = 5;
/// Where more words return than this, they are names.
const FIXED_MAX: u32 = 12;
/// Fixed words return in many addresses each, names in a few: there are at least this many
/// addresses for each word that returns.
const FIXED_SHARE: u32 = 8;

impl EdgeWords {
    /// Counts one more address.
    pub fn add(&mut self, form: &AddressForm) {
        for (edge, &word) in form.edges.iter().enumerate() {
            let folder = self.folders.entry((form.top, edge)).or_default();
            folder.0 += 1;
            if word != 0 {
                let count = self.counts.entry((form.top, edge, word)).or_default();
                *count += 1;
                folder.1 += u32::from(*count == 2);
            }
        }
    }

    /// Whether a word is fixed (`Some(true)`), part of a name (`Some(false)`), or not known.
    fn is_fixed(&self, top: u64, edge: usize, word: u64) -> Option<bool> {
        let &(addresses, returned) = self.folders.get(&(top, edge))?;
        let count = self.counts.get(&(top, edge, word)).copied().unwrap_or(0);
        if word != 0 && count >= WORD_COMMON && returned <= FIXED_MAX.min(addresses / FIXED_SHARE) {
            return Some(true);
        }
        (addresses >= FOLDER_KNOWN).then_some(false)
    }

    /// How alike two addresses are.
    pub fn likeness(&self, left: &AddressForm, right: &AddressForm) -> AddressLikeness {
        let is_named_otherwise = left.top != right.top && left.is_number != right.is_number;
        if left.frame != right.frame || is_named_otherwise {
            return AddressLikeness::Other;
        }
        let n_in_folder = self.folders.get(&(left.top, 0)).map_or(0, |folder| folder.0);
        let are_many = left.is_number && right.is_number || n_in_folder >= FOLDER_SOME;
        let mut likeness = if left.top == right.top && are_many {
            AddressLikeness::Same
        } else {
            AddressLikeness::Open
        };
        for edge in 0..2 {
            if left.edges[edge] == right.edges[edge] {
                continue;
            }
            let fixed = (
                self.is_fixed(left.top, edge, left.edges[edge]),
                self.is_fixed(right.top, edge, right.edges[edge]),
            );
            match fixed {
                (Some(true), _) | (_, Some(true)) => return AddressLikeness::Other,
                (Some(false), Some(false)) => {}
                _ => likeness = AddressLikeness::Open,
            }
        }
        likeness
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(path: &str) -> AddressForm {
        AddressForm::of(&Url::parse(&format!("http://site.example/{path}")).expect("a good address"))
    }

    fn check(words: &EdgeWords, left: &str, right: &str, expected: AddressLikeness) {
        assert_eq!(words.likeness(&form(left), &form(right)), expected, "{left} {right}");
    }

    #[test]
    fn fixed_words_tell_scripts_apart_once_they_are_known() {
        let mut words = EdgeWords::default();
        check(&words, "p1-feat.html", "p1-conf.html", AddressLikeness::Open);
        check(&words, "teams/1.html", "teams/2.html", AddressLikeness::Same);
        check(&words, "teams/1.html", "games/2.html", AddressLikeness::Open);
        check(&words, "teams/1.html", "teams/x/2.html", AddressLikeness::Other);
        for number in 0..20 {
            words.add(&form(&format!("p{number}-feat.html")));
            words.add(&form(&format!("p{number}-conf.html")));
            words.add(&form(&format!("people/ada-n{number}th.html")));
        }
        check(&words, "p1-feat.html", "p77-feat.html", AddressLikeness::Same);
        check(&words, "p1-feat.html", "p1-conf.html", AddressLikeness::Other);
        check(&words, "p1-feat.html", "p1.html", AddressLikeness::Other);
    }

    #[test]
    fn names_that_return_are_no_fixed_words() {
        let mut words = EdgeWords::default();
        for number in 0..100 {
            words.add(&form(&format!("people/n{}n-{number}.html", "x".repeat(number % 20))));
        }
        check(
            &words,
            "people/nxxn-7.html",
            "people/nxxxn-8.html",
            AddressLikeness::Same,
        );
        check(&words, "people/nxxn-7.html", "people/new-8.html", AddressLikeness::Same);
    }
}
