//! Marks of addresses: what may tell addresses of one script from those of another.
//!
//! In: an address. Out: its [`AddressMark`]s: folders by where they stand, the words at the ends of
//! its name, the form of both, the names and values of its parameters. Which of them tell templates
//! apart is not known here; [`super::address_tree`] asks the pages.
//!
//! Scripts also write a word and a key in one (`card81f3`). Such words are found among all
//! addresses of a site ([`name_stems`]): many names begin with them, and go on in different ways.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use url::Url;

use crate::page::{UrlParts, is_word, runs_form, without_numbers, words};

/// What kind of thing an address has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// The host.
    Host,
    /// How many folders its path has.
    Depth,
    /// A folder at one place.
    Folder,
    /// A folder anywhere.
    AnyFolder,
    /// The last folder.
    LastFolder,
    /// The form of a folder at one place.
    FolderForm,
    /// The whole name.
    Name,
    /// The first word of the name.
    FirstWord,
    /// The last word of the name.
    LastWord,
    /// Whether the name has one word or several.
    Words,
    /// The form of the name.
    Form,
    /// A sign in the name.
    Sign,
    /// What the name begins with.
    Stem,
    /// The end of the name, such as `.html`.
    End,
    /// The name of a parameter.
    Parameter,
    /// A parameter and its value.
    Value,
}

impl MarkKind {
    /// All of them, with the words that stand for them in files.
    pub const ALL: [(&'static str, MarkKind); 16] = [
        ("host", Self::Host),
        ("depth", Self::Depth),
        ("folder", Self::Folder),
        ("any_folder", Self::AnyFolder),
        ("last_folder", Self::LastFolder),
        ("folder_form", Self::FolderForm),
        ("name", Self::Name),
        ("first_word", Self::FirstWord),
        ("last_word", Self::LastWord),
        ("words", Self::Words),
        ("form", Self::Form),
        ("sign", Self::Sign),
        ("stem", Self::Stem),
        ("end", Self::End),
        ("parameter", Self::Parameter),
        ("value", Self::Value),
    ];
}

/// One thing that an address has.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AddressMark {
    /// What it is.
    pub kind: MarkKind,
    /// For folders, which one from the left; 0 for all else.
    pub place: usize,
    /// What it says.
    pub text: String,
}

/// Folders deeper than this are not looked at.
const DEPTH_MAX: usize = 8;

/// The marks of an address, sorted, each once; `stems` are what names may begin with.
pub fn address_marks(url: &Url, stems: &[String]) -> Vec<AddressMark> {
    let mut marks = Marks(Vec::new());
    let UrlParts {
        host,
        folders,
        stem,
        end,
        ..
    } = UrlParts::of(url);
    marks.add(MarkKind::Host, 0, host);
    marks.add(MarkKind::Depth, 0, folders.len().to_string());
    marks.add(MarkKind::End, 0, end);
    for (place, folder) in folders.iter().enumerate().take(DEPTH_MAX) {
        marks.add(MarkKind::Folder, place, *folder);
        marks.add(MarkKind::AnyFolder, 0, *folder);
        marks.add(MarkKind::FolderForm, place, runs_form(folder));
    }
    marks.add(MarkKind::LastFolder, 0, folders.last().copied().unwrap_or(""));
    add_name(&mut marks, stem, stems);
    for (key, value) in url.query_pairs() {
        marks.add(MarkKind::Parameter, 0, key.clone());
        marks.add(MarkKind::Value, 0, format!("{key}={value}"));
    }
    marks.0.sort_unstable();
    marks.0.dedup();
    marks.0
}

struct Marks(Vec<AddressMark>);

impl Marks {
    fn add(&mut self, kind: MarkKind, place: usize, text: impl Into<String>) {
        let text = text.into();
        self.0.push(AddressMark { kind, place, text });
    }
}

fn add_name(marks: &mut Marks, stem: &str, stems: &[String]) {
    let name = stem.to_lowercase();
    let mut words = words(&name);
    let first = words.next();
    let last = words.next_back();
    marks.add(MarkKind::Words, 0, if last.is_some() { "several" } else { "one" });
    if let Some(first) = first {
        marks.add(MarkKind::FirstWord, 0, without_numbers(first));
        marks.add(MarkKind::LastWord, 0, without_numbers(last.unwrap_or(first)));
    }
    marks.add(MarkKind::Form, 0, runs_form(&name));
    for sign in name.chars().filter(|&c| !is_word(c)) {
        marks.add(MarkKind::Sign, 0, sign);
    }
    for begin in stems.iter().filter(|begin| name.starts_with(begin.as_str())) {
        marks.add(MarkKind::Stem, 0, begin.as_str());
    }
    marks.add(MarkKind::Name, 0, name.as_str());
}

/// Lengths of stems, in characters.
const STEM_CHARS: std::ops::Range<usize> = 3..24;

/// A stem has at least this many names, and one in [`STEM_RARE`].
const STEM_NAMES: usize = 8;
const STEM_RARE: usize = 200;

/// Names go on behind a stem in at least this many ways, none of which has more than [`NEXT_SHARE`]
/// of them.
const NEXT_LEAST: usize = 3;
const NEXT_SHARE: f64 = 0.6;

/// Stems that are kept, and names that are read: both bound the time for sites with many addresses.
const STEMS_MAX: usize = 200;
const NAMES_MAX: usize = 20_000;

/// What many names of a site begin with, and go on from in different ways; those that say most of
/// the names first.
pub fn name_stems(urls: &[Url]) -> Vec<String> {
    let step = urls.len().div_ceil(NAMES_MAX).max(1);
    stems_of(urls.iter().step_by(step).map(|url| UrlParts::of(url).stem))
}

/// The same for names without their ends.
pub fn stems_of<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut next: HashMap<String, HashMap<char, usize, FixedState>, FixedState> = HashMap::default();
    let mut n_names = 0;
    for name in names {
        let name = name.to_lowercase();
        n_names += 1;
        for (number, (at, c)) in name.char_indices().enumerate().take(STEM_CHARS.end) {
            if number >= STEM_CHARS.start {
                *next.entry(name[..at].to_owned()).or_default().entry(c).or_default() += 1;
            }
        }
    }
    let least = STEM_NAMES.max(n_names / STEM_RARE);
    let mut stems: Vec<(usize, String)> = Vec::new();
    for (stem, ways) in next {
        let count: usize = ways.values().sum();
        let most = ways.values().copied().max().unwrap_or(0);
        if count >= least && ways.len() >= NEXT_LEAST && most as f64 <= NEXT_SHARE * count as f64 {
            stems.push((count * stem.chars().count(), stem));
        }
    }
    stems.sort_unstable_by(|left, right| right.cmp(left));
    stems.truncate(STEMS_MAX);
    stems.into_iter().map(|(_, stem)| stem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse(&format!("http://a.example{path}")).expect("a good address")
    }

    fn check_marks(path: &str, stems: &[&str], kind: MarkKind, expected: &[&str]) {
        let stems: Vec<String> = stems.iter().map(|&stem| stem.to_owned()).collect();
        let marks = address_marks(&url(path), &stems);
        let texts: Vec<&str> = marks
            .iter()
            .filter(|mark| mark.kind == kind)
            .map(|mark| mark.text.as_str())
            .collect();
        assert_eq!(texts, expected, "{path}");
    }

    #[test]
    fn an_address_in_its_parts() {
        let path = "/clubs/1907/Card-81f3.html?view=full";
        check_marks(path, &[], MarkKind::Depth, &["2"]);
        check_marks(path, &[], MarkKind::Folder, &["clubs", "1907"]);
        check_marks(path, &[], MarkKind::FolderForm, &["a", "#"]);
        check_marks(path, &[], MarkKind::FirstWord, &["card"]);
        check_marks(path, &[], MarkKind::LastWord, &["#f#"]);
        check_marks(path, &[], MarkKind::Form, &["a-#a#"]);
        check_marks(path, &[], MarkKind::Value, &["view=full"]);
        check_marks(path, &["card", "cars"], MarkKind::Stem, &["card"]);
        check_marks("/", &[], MarkKind::Name, &[""]);
    }

    #[test]
    fn words_before_keys_are_stems() {
        let names = |word: &str| {
            (0..40_u32)
                .map(|n| url(&format!("/{word}{:04x}.html", n.wrapping_mul(40_503) & 0xffff)))
                .collect::<Vec<_>>()
        };
        let urls: Vec<Url> = [names("card"), names("cardlist")].concat();
        let stems = name_stems(&urls);
        assert!(
            stems.contains(&"card".to_owned()) && stems.contains(&"cardlist".to_owned()),
            "{stems:?}"
        );
        assert!(!stems.contains(&"cardl".to_owned()), "{stems:?}");
        assert!(name_stems(&[]).is_empty());
    }
}
