//! [`PageFacts`]: what the guard wants to know of a page.
//!
//! Hashes of its blocks of text, of its whole content, and of its tag paths. Session names in links
//! and what calendars and pagination count (dates, times, numbers near those in the address) are
//! left out, so that pages which differ in nothing else are seen to be alike. This is done for
//! every page of a crawl, so it makes no strings.

use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, Hasher};

use foldhash::fast::FixedState;
use untemplate::page::{Name, NodeId, Page, may_be_page};
use url::Url;

use super::pattern;
use crate::url_rules::is_session;

/// What the guard wants to know of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFacts {
    /// The address that it was asked for by.
    pub url: Url,
    /// The page whose link led to it; `None` for a seed or an entry of a sitemap.
    pub found_on: Option<Url>,
    /// What it says.
    pub text: u64,
    /// What it says and where it leads, session names left out.
    pub content: u64,
    /// How many words it has.
    pub n_words: usize,
    /// The tag paths of its elements: pages of one template have the same.
    pub template: u64,
    /// Its blocks of text, its pictures and the files it links to, sorted.
    pub(super) blocks: Vec<Block>,
}

/// A block of text: what it says, and what it says with digits made alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    pub(super) exact: u64,
    pub(super) shape: u64,
}

/// Blocks of text, and links and pictures, that are looked at. A page that has more has shown by
/// then whether it is new.
const BLOCKS_MAX: usize = 4_000;
const REFERENCES_MAX: usize = 10_000;

/// How far from a number in the address a number on the page still counts as the same counter: a
/// pagination bar's reach.
const COUNTER_REACH: u64 = 12;

/// Hashes that are never stored, only compared within one run.
pub(super) const HASHER: FixedState = FixedState::with_seed(0x7472_6170);

impl PageFacts {
    /// The facts of a page that was asked for by `url`, found on another page.
    pub fn of(page: &Page, url: &Url, found_on: Option<&Url>) -> Self {
        let counters = numbers_of(url);
        let mut content = HASHER.build_hasher();
        let (mut n_words, mut blocks) = (0, Vec::new());
        for text in visible_texts(page) {
            for word in text.split_ascii_whitespace() {
                word.hash(&mut content);
                n_words += 1;
            }
            if blocks.len() < BLOCKS_MAX {
                blocks.extend(block(text, &counters));
            }
        }
        let text = content.finish();
        let mut skeletons = Vec::new();
        for (reference, is_picture) in references(page) {
            let skeleton = skeleton(&page.base, reference);
            match is_picture || is_file(reference) {
                true => blocks.push(file_block(skeleton)),
                false => skeletons.push(skeleton),
            }
        }
        sort_and_dedup(&mut blocks);
        sort_and_dedup(&mut skeletons);
        skeletons.hash(&mut content);
        Self {
            url: url.clone(),
            found_on: found_on.cloned(),
            text,
            content: content.finish(),
            n_words,
            template: template(page),
            blocks,
        }
    }
}

/// The text nodes that a reader sees, in order.
fn visible_texts(page: &Page) -> impl Iterator<Item = &str> {
    let dom = &page.dom;
    let mut at = NodeId::DOCUMENT;
    std::iter::from_fn(move || {
        while at.index() < dom.len() {
            let node = at;
            at = if dom.is_unseen(node) {
                dom.subtree_end(node)
            } else {
                NodeId(node.0 + 1)
            };
            if dom.is_text(node) {
                return Some(dom.text(node));
            }
        }
        None
    })
}

/// A block of text without what a calendar or pagination counts; `None` if nothing is left.
fn block(text: &str, counters: &[u64]) -> Option<Block> {
    let (mut exact, mut shape) = (HASHER.build_hasher(), HASHER.build_hasher());
    let mut is_empty = true;
    for word in text.split_ascii_whitespace() {
        let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
        if word.is_empty() || is_counted(word, counters) {
            continue;
        }
        is_empty = false;
        word.hash(&mut exact);
        match word.bytes().any(|byte| byte.is_ascii_digit()) {
            true => pattern::shape(word).hash(&mut shape),
            false => word.hash(&mut shape),
        }
    }
    (!is_empty).then(|| Block {
        exact: exact.finish(),
        shape: shape.finish(),
    })
}

/// The numbers in an address.
fn numbers_of(url: &Url) -> Vec<u64> {
    let text = &url.as_str()[url.scheme().len()..];
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    numbers.filter_map(|digits| digits.parse().ok()).take(20).collect()
}

/// Whether a word is a date or a part of one, a time, or a number that counts along with the
/// address.
fn is_counted(word: &str, counters: &[u64]) -> bool {
    let is_numeric = word
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b"-/.:".contains(&byte));
    if !is_numeric {
        return is_date_word(word);
    }
    match word.parse::<u64>() {
        Ok(number) => {
            let is_near = |counter: &u64| counter.abs_diff(number) <= COUNTER_REACH;
            number <= 31 || (1900..2200).contains(&number) || counters.iter().any(is_near)
        }
        Err(_) => word.contains(':') || word.matches(['-', '/', '.']).count() == 2,
    }
}

/// Whether a word names a month or a day of the week, in full or by its first two to four letters.
/// Other languages than English have a dozen and seven such words as well, and are known after a
/// year.
fn is_date_word(word: &str) -> bool {
    const NAMES: [&str; 19] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    let begins = |name: &str| name.len() >= word.len() && name[..word.len()].eq_ignore_ascii_case(word);
    (2..=9).contains(&word.len())
        && NAMES
            .iter()
            .any(|name| begins(name) && (word.len() <= 4 || word.len() == name.len()))
}

fn sort_and_dedup<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

/// What a page links to and the pictures it shows, as it writes them, and whether each is a
/// picture: an album without words is one picture after another.
fn references(page: &Page) -> impl Iterator<Item = (&str, bool)> {
    let dom = &page.dom;
    let references = dom.nodes().filter_map(|node| match dom.name(node)? {
        Name::A | Name::AREA => Some((dom.attribute(node, Name::HREF)?, false)),
        Name::FRAME | Name::IFRAME => Some((dom.attribute(node, Name::SRC)?, false)),
        Name::IMG => Some((dom.attribute(node, Name::SRC)?, true)),
        _ => None,
    });
    let references = references.map(|(reference, is_picture)| {
        let end = reference.find('#').unwrap_or(reference.len());
        (reference[..end].trim(), is_picture)
    });
    let references = references.filter(|(reference, _)| !reference.is_empty() && may_be_page(reference));
    references.take(REFERENCES_MAX)
}

/// Whether a reference is to a file and no page, by the ending of its name: an issue of a journal
/// can be a number and a link to a file.
fn is_file(reference: &str) -> bool {
    const PAGES: [&str; 13] = [
        "html", "htm", "xhtml", "shtml", "phtml", "php", "asp", "aspx", "jsp", "cgi", "pl", "do", "cfm",
    ];
    let path = reference.split('?').next().unwrap_or("");
    let name = path.rsplit('/').next().unwrap_or("");
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let is_ending = (2..=5).contains(&ending.len())
        && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
        && ending.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_ending && !PAGES.iter().any(|page| ending.eq_ignore_ascii_case(page))
}

fn file_block(skeleton: u64) -> Block {
    Block {
        exact: !skeleton,
        shape: !skeleton,
    }
}

/// A reference without what only a session puts there: random names, and long numbers in its query.
/// A relative one counts with the folder it is relative to; that is cheaper than resolving it, and
/// tells as much.
fn skeleton(base: &Url, reference: &str) -> u64 {
    let mut hasher = HASHER.build_hasher();
    let is_relative = !reference.starts_with('/') && !reference.contains("://");
    if is_relative {
        let folder = base.path().rfind('/').map_or("", |slash| &base.path()[..slash]);
        folder.hash(&mut hasher);
    }
    let (path, query) = reference.split_once('?').unwrap_or((reference, ""));
    for segment in path.split('/') {
        if is_session(segment) { "{id}" } else { segment }.hash(&mut hasher);
    }
    for part in query.split('&') {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let is_long_number = value.len() >= 6 && value.bytes().all(|byte| byte.is_ascii_digit());
        let value = if is_session(value) || is_long_number {
            "{id}"
        } else {
            value
        };
        (key, value).hash(&mut hasher);
    }
    hasher.finish()
}

/// The set of tag paths of a page, as one number.
fn template(page: &Page) -> u64 {
    let dom = &page.dom;
    let mut paths: Vec<u64> = Vec::with_capacity(dom.len());
    let mut distinct: HashSet<u64, FixedState> = HashSet::with_hasher(HASHER);
    for node in dom.nodes() {
        let above = dom.parent(node).map_or(0, |parent| paths[parent.index()]);
        let is_step = dom.is_element(node) && !dom.is_unseen(node);
        paths.push(if is_step {
            HASHER.hash_one((above, dom.name_text(node)))
        } else {
            above
        });
        distinct.insert(paths[node.index()]);
    }
    distinct.into_iter().fold(0, u64::wrapping_add)
}
