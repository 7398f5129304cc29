//! Local menus: what pages of a part of the site say on the way to each other.
//!
//! In: pages of a class, and pages that they lead to. Out: the locations (names of elements around
//! a line) of menus that are not the same on all pages of the class: the entries of a chapter, of a
//! letter, of a family of things. What makes a menu is that the page an entry leads to has the same
//! menu at the same location: the entry beside it, and itself among the entries. A list of what a
//! page is related to does not name the page that it stands on. Nothing is lost: all that such a
//! list says is where pages are and what they are called, and that is what their own rows say. The
//! numbers are set by hand; a sweep with sites left out is owed.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::FixedState;

use crate::content::{BlockId, BlockKind, Content, MarkKind};
use crate::page::{stable_hash, stable_hash_more};

use super::step::recurring_name;
use super::vocabulary::{Hashes, Vocabulary};

/// The most pairs of entries of a page that are followed.
const PAIRS_MAX: usize = 24;

/// The fewest pairs of entries that tell of a location.
const PAIRS_MIN: usize = 8;

/// The least share of the pairs of entries that the pages which they lead to have, too, and of the
/// texts beside them.
const MENU_SHARE: f64 = 0.8;

/// The least share of what stands in a menu that leads somewhere.
const LINK_SHARE: f64 = 0.4;

/// The lowest rank of what is marked up as a heading; what only looks like one has lower ones.
const HEADING_RANK_MAX: u8 = 6;

/// A text in a line: what a link says, or what stands before, between or behind links.
struct Entry<'c> {
    text: u64,
    link: Option<&'c str>,
    /// The locations that it stands at, the innermost last.
    locations: Vec<u64>,
}

/// The entries of a page.
fn entries<'c>(content: &'c Content, vocabulary: &Vocabulary) -> Vec<Entry<'c>> {
    let mut found = Vec::new();
    each_leaf(content, vocabulary, &mut |id, locations| {
        let text = content.text(id);
        let mut add = |text: &str, link: Option<&'c str>| {
            if text.contains(char::is_alphanumeric) {
                let letters = text
                    .chars()
                    .filter(|c| c.is_alphanumeric())
                    .flat_map(char::to_lowercase);
                let letters: String = letters.collect();
                found.push(Entry {
                    text: stable_hash(letters.as_bytes()),
                    link,
                    locations: locations.to_vec(),
                });
            }
        };
        let mut from = 0;
        for mark in content.marks(id).iter().filter(|mark| mark.kind == MarkKind::Link) {
            let (start, end) = (mark.text.start as usize, mark.text.end as usize);
            add(text.get(from..start).unwrap_or_default(), None);
            add(text.get(start..end).unwrap_or_default(), Some(content.url(mark)));
            from = end.max(from);
        }
        add(text.get(from..).unwrap_or_default(), None);
    });
    found
}

/// Shows each line, label and heading of a page with the locations that it stands at, but for what
/// is set as a heading: that is no entry, and what a page is called. A section is no location: an
/// entry in bold looks like a heading on its own page. Nor is anything in a grid: who sets one means
/// data.
fn each_leaf<'c>(content: &'c Content, vocabulary: &Vocabulary, take: &mut dyn FnMut(BlockId, &[u64])) {
    let mut open: Vec<u32> = Vec::new();
    let mut locations: Vec<u64> = Vec::new();
    let mut row_end = 0;
    for id in content.ids().skip(1) {
        if id.0 < row_end {
            continue;
        }
        while open.last().is_some_and(|&end| end <= id.0) {
            open.pop();
            locations.pop();
        }
        let block = content.block(id);
        if block.kind == BlockKind::Row {
            row_end = block.end();
        } else if content.is_leaf(id) {
            if block.kind != BlockKind::Heading || block.rank > HEADING_RANK_MAX {
                take(id, &locations);
            }
        } else if !matches!(block.kind, BlockKind::Section | BlockKind::Pair) {
            let own = stable_hash(recurring_name(content, id, vocabulary).as_bytes());
            let around = locations.last().copied().unwrap_or(0);
            open.push(block.end());
            locations.push(stable_hash_more(around, &own.to_le_bytes()));
        }
    }
}

/// What a page has at each location.
#[derive(Debug, Default)]
struct Texts {
    all: Hashes,
    /// What does not lead to another page.
    own: Hashes,
}

/// An entry and the one before it, and where they lead.
#[derive(Debug)]
struct Pair {
    one: u64,
    other: u64,
    target: String,
    locations: Vec<u64>,
}

/// A page whose entries are followed.
#[derive(Debug)]
struct Followed {
    pairs: Vec<Pair>,
    /// By location, the texts that lead nowhere, and how many lead somewhere.
    others: HashMap<u64, (Hashes, usize), FixedState>,
}

/// The address that the row of a page of the class is under, by where a link leads.
type RowAddress<'a> = &'a dyn Fn(&str) -> Option<&'a str>;

/// Finds the local menus of a class.
#[derive(Debug, Default)]
pub struct MenuSearch {
    followed: Vec<Followed>,
    targets: BTreeMap<String, Option<HashMap<u64, Texts, FixedState>>>,
}

impl MenuSearch {
    /// Takes in a page, and follows some of its entries that lead to pages of its class.
    pub fn follow(&mut self, url: &str, content: &Content, vocabulary: &Vocabulary, row_address: RowAddress<'_>) {
        let entries = entries(content, vocabulary);
        let mut others: HashMap<u64, (Hashes, usize), FixedState> = HashMap::default();
        for entry in &entries {
            for &location in &entry.locations {
                let (texts, n_links) = others.entry(location).or_default();
                match entry.link {
                    None => _ = texts.insert(entry.text),
                    Some(_) => *n_links += 1,
                }
            }
        }
        let linked: Vec<&Entry<'_>> = entries.iter().filter(|own| own.link.is_some()).collect();
        let pairs: Vec<Pair> = linked
            .windows(2)
            .filter(|pair| pair[0].link != pair[1].link)
            .filter_map(|pair| {
                let target = row_address(pair[1].link?).filter(|target| *target != url)?;
                Some(Pair {
                    one: pair[0].text,
                    other: pair[1].text,
                    target: target.to_owned(),
                    locations: common(&pair[0].locations, &pair[1].locations),
                })
            })
            .filter(|pair| !pair.locations.is_empty())
            .collect();
        let step = pairs.len().div_ceil(PAIRS_MAX).max(1);
        let pairs: Vec<Pair> = pairs.into_iter().step_by(step).collect();
        self.targets
            .extend(pairs.iter().map(|pair| (pair.target.clone(), None)));
        self.followed.push(Followed { pairs, others });
    }

    /// The pages that entries lead to.
    pub fn targets(&self) -> impl Iterator<Item = &str> {
        self.targets.keys().map(String::as_str)
    }

    /// Takes in a page that entries lead to.
    pub fn arrive(&mut self, url: &str, content: &Content, vocabulary: &Vocabulary, row_address: RowAddress<'_>) {
        let mut texts: HashMap<u64, Texts, FixedState> = HashMap::default();
        for entry in entries(content, vocabulary) {
            for location in entry.locations {
                let own = texts.entry(location).or_default();
                own.all.insert(entry.text);
                if entry.link.is_none_or(|link| row_address(link) == Some(url)) {
                    own.own.insert(entry.text);
                }
            }
        }
        self.targets.insert(url.to_owned(), Some(texts));
    }

    /// The locations of menus.
    pub fn finish(&self) -> Hashes {
        let mut counts: HashMap<u64, Counts, FixedState> = HashMap::default();
        for page in &self.followed {
            for pair in &page.pairs {
                let Some(Some(target)) = self.targets.get(&pair.target) else {
                    continue;
                };
                for location in &pair.locations {
                    let own = counts.entry(*location).or_default();
                    own.n_pairs += 1;
                    let Some(there) = target.get(location) else { continue };
                    own.n_again += usize::from(there.all.contains(&pair.one));
                    own.n_itself += usize::from(there.own.contains(&pair.other));
                    if let Some((texts, n_links)) = page.others.get(location) {
                        let n_gone = texts.iter().filter(|text| !there.all.contains(*text)).count();
                        // The page's own entry is a link there.
                        own.n_gone += n_gone.saturating_sub(1);
                        own.n_others += texts.len();
                        own.n_links += n_links;
                    }
                }
            }
        }
        let menus = counts.into_iter().filter(|(_, own)| own.is_menu());
        menus.map(|(location, _)| location).collect()
    }
}

/// What entries and the pages they lead to have in common at a location.
#[derive(Debug, Default)]
struct Counts {
    n_pairs: usize,
    n_again: usize,
    n_itself: usize,
    n_gone: usize,
    n_others: usize,
    n_links: usize,
}

impl Counts {
    fn is_menu(&self) -> bool {
        let least = MENU_SHARE * self.n_pairs as f64;
        self.n_pairs >= PAIRS_MIN
            && self.n_again as f64 >= least
            && self.n_itself as f64 >= least
            && self.n_gone as f64 <= (1.0 - MENU_SHARE) * self.n_others as f64
            && self.n_links as f64 >= LINK_SHARE * (self.n_links + self.n_others) as f64
    }
}

/// What two lists begin with.
fn common(one: &[u64], other: &[u64]) -> Vec<u64> {
    let pairs = one.iter().zip(other);
    pairs
        .take_while(|(one, other)| one == other)
        .map(|(one, _)| *one)
        .collect()
}

impl Vocabulary {
    /// A page without its menus.
    pub(super) fn without_menus<'c>(&self, content: &'c Content) -> Cow<'c, Content> {
        if self.menus.is_empty() || content.is_empty() {
            return Cow::Borrowed(content);
        }
        let mut left_out: HashSet<BlockId, FixedState> = HashSet::default();
        each_leaf(content, self, &mut |id, locations| {
            if locations.iter().any(|location| self.menus.contains(location)) {
                left_out.insert(id);
            }
        });
        match left_out.is_empty() {
            true => Cow::Borrowed(content),
            false => Cow::Owned(content.without(&|id| left_out.contains(&id))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::show_content;
    use crate::page::{Page, ParseOptions, Response};
    use crate::wrapper::reading::VocabularyCounts;

    const N: usize = 6;

    fn address(chapter: usize, page: usize) -> String {
        format!("http://book.example/{chapter}-{page}.html")
    }

    /// A page with the menu of its chapter, and pages that it is related to.
    fn page(chapter: usize, page: usize, in_menu: bool) -> Content {
        let link = |page: usize| format!("<a href={}>Page {chapter}.{page}</a>", address(chapter, page));
        let entry = |other: usize| match other == page {
            true => format!("<li>Page {chapter}.{other}"),
            false => format!("<li>{}", link(other)),
        };
        let menu: String = (0..N).map(entry).collect();
        let related: String = (1..4).map(|step| format!("<li>{}", link((page + step) % N))).collect();
        let menu = if in_menu {
            format!("<ul class=menu>{menu}</ul>")
        } else {
            String::new()
        };
        let html =
            format!("{menu}<h1>Page {chapter}.{page}</h1><p>Text {page} of {chapter}<ul class=related>{related}</ul>");
        let url = address(chapter, page).parse().expect("a good address");
        Content::of(&Page::read(&Response::html(url, html), &ParseOptions::default()))
    }

    /// The first page of a book without its menus.
    fn without_menus(in_menu: bool) -> String {
        let all: BTreeMap<String, Content> = (0..5)
            .flat_map(|chapter| (0..N).map(move |own| (address(chapter, own), page(chapter, own, in_menu))))
            .collect();
        let mut counts = VocabularyCounts::default();
        all.values().for_each(|content| counts.add(content));
        let mut vocabulary = counts.finish(&Hashes::default());
        let row_address = |link: &str| all.get_key_value(link).map(|(own, _)| own.as_str());
        let mut search = MenuSearch::default();
        for (url, content) in &all {
            search.follow(url, content, &vocabulary, &row_address);
        }
        for (url, content) in &all {
            search.arrive(url, content, &vocabulary, &row_address);
        }
        vocabulary.menus = search.finish();
        show_content(&vocabulary.without_menus(&page(0, 0, in_menu)))
    }

    #[test]
    fn the_menu_of_a_chapter_is_no_content() {
        let related = without_menus(true);
        assert!(
            related.contains("Page 0.1") && !related.contains("Page 0.4"),
            "{related}"
        );
        // What leads on to other pages and does not name its own is none.
        assert_eq!(without_menus(false), related);
    }
}
