//! Address shapes: what addresses of a site have in common, learnt from all that are known.
//!
//! In: the addresses met so far, visited or not. Out: a [`ShapeBook`], which gives every address a
//! shape such as `/lib/*/*_index.html`. A folder with many folders in it is a wildcard, and so is a
//! word that few addresses have at that place; what is left tells templates apart before anything
//! is downloaded. [`UrlParts::form`](crate::page::UrlParts::form) does the same for one address by
//! form alone; a site's addresses together tell `card-` from `ada-`.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::FixedState;
use url::Url;

use super::address_marks::stems_of;
use crate::page::{UrlParts, is_number, is_word, without_numbers, words};

/// How many folders in a folder make them data: values from 8 to 32 were alike on all sites of a
/// sweep.
const FOLDERS_MAX: usize = 12;

/// Folders deeper than this are one.
const DEPTH_MAX: usize = 8;

/// In a place with so few addresses, each is a shape of its own: menus lead to these.
const FEW: u32 = 6;

/// A word is part of the shape when this many addresses have it, and at least one in [`RARE`].
const WORD_COUNT: u32 = 4;
/// A folder among many is part of the shape when it has at least one address in this many.
const FOLDER_RARE: u32 = 20;
const RARE: u32 = 50;

/// This many different words, each coming twice on the average, are a vocabulary.
const VOCABULARY_MAX: usize = 12;

/// How many words of one place belong to shapes: more are data.
const WORDS_MAX: usize = 8;

/// What the addresses of a site have in common.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShapeBook {
    /// Folders, generalised, whose own folders are data but for those named in [`Self::words`].
    pub wide_folders: BTreeSet<String>,
    /// Words that belong to shapes: the place, and the word.
    pub words: BTreeSet<(String, String)>,
}

/// The folders of an address that are looked at.
fn folders<'a, 'b>(parts: &'b UrlParts<'a>) -> &'b [&'a str] {
    &parts.folders[..parts.folders.len().min(DEPTH_MAX)]
}

/// The form of the name: its words taken out, and what repeats said once.
fn name_form(stem: &str) -> String {
    if stem.len() > 1 && is_number(stem) {
        return "#".to_owned();
    }
    let mut form = String::new();
    for c in stem.chars() {
        let mark = if is_word(c) { '*' } else { c };
        if !form.ends_with(mark) {
            form.push(mark);
        }
        // `*-*-*` is `*-*`: how many words a name has is data.
        let marks: Vec<char> = form.chars().rev().take(4).collect();
        if let ['*', last, '*', before] = marks[..]
            && last == before
        {
            form.truncate(form.len() - 1 - last.len_utf8());
        }
    }
    form
}

impl ShapeBook {
    /// Learns from addresses.
    pub fn of(urls: &[Url]) -> Self {
        let parts: Vec<UrlParts<'_>> = urls.iter().map(UrlParts::of).collect();
        let mut book = Self::default();
        book.learn_folders(&parts);
        book.learn_words(&parts);
        book.learn_stems(&parts);
        book
    }

    /// Marks the folders that have many, from the top down.
    fn learn_folders(&mut self, parts: &[UrlParts<'_>]) {
        for depth in 0..DEPTH_MAX {
            let mut children: HashMap<String, HashMap<&str, u32, FixedState>, FixedState> = HashMap::default();
            for parts in parts.iter().filter(|parts| parts.folders.len() > depth) {
                let above = self.folder(parts.host, &parts.folders[..depth]);
                *children
                    .entry(above)
                    .or_default()
                    .entry(parts.folders[depth])
                    .or_default() += 1;
            }
            for (above, own) in children.into_iter().filter(|(_, own)| own.len() > FOLDERS_MAX) {
                let population: u32 = own.values().sum();
                let large = own
                    .into_iter()
                    .filter(|&(_, count)| count >= 3 * WORD_COUNT && count * FOLDER_RARE >= population);
                let place = format!("{above} folder");
                self.words
                    .extend(large.map(|(folder, _)| (place.clone(), folder.to_owned())));
                self.wide_folders.insert(above);
            }
        }
    }

    fn learn_words(&mut self, parts: &[UrlParts<'_>]) {
        let mut counts: BTreeMap<String, (u32, BTreeMap<String, u32>)> = BTreeMap::new();
        for parts in parts {
            for (place, word) in self.edge_words(parts) {
                let (population, words) = counts.entry(place).or_default();
                *population += 1;
                *words.entry(word).or_default() += 1;
            }
        }
        let is_closed = |side: Option<&(u32, BTreeMap<String, u32>)>| {
            side.is_some_and(|(population, words)| {
                words.len() <= VOCABULARY_MAX && *population as usize >= 2 * words.len()
            })
        };
        for (place, side) in &counts {
            let (population, words) = side;
            let other = match place.strip_suffix("first") {
                Some(stem) => counts.get(&format!("{stem}last")),
                None => place
                    .strip_suffix("last")
                    .and_then(|stem| counts.get(&format!("{stem}first"))),
            };
            let (closed, other_closed) = (is_closed(Some(side)), is_closed(other));
            // Of two vocabularies the smaller one names templates, and the larger one things.
            if closed && other_closed && other.is_some_and(|other| other.1.len() < words.len()) {
                continue;
            }
            let least = if other_closed { 3 * WORD_COUNT } else { WORD_COUNT };
            let telling = words
                .iter()
                .filter(|&(_, &count)| *population <= FEW || closed || count >= least && count * RARE >= *population);
            let mut telling: Vec<(&String, &u32)> = telling.collect();
            telling.sort_by_key(|(_, count)| Reverse(**count));
            telling.truncate(if closed { VOCABULARY_MAX } else { WORDS_MAX });
            self.words
                .extend(telling.into_iter().map(|(word, _)| (place.clone(), word.clone())));
        }
    }

    /// Learns the words that names of a place begin with before a key, where a few of them say how
    /// most names begin.
    fn learn_stems(&mut self, parts: &[UrlParts<'_>]) {
        let mut by_place: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for parts in parts {
            by_place.entry(self.place(parts)).or_default().push(parts.stem);
        }
        for (place, names) in by_place {
            let mut stems = stems_of(names.iter().copied());
            stems.truncate(VOCABULARY_MAX);
            let is_covered = |name: &&&str| stems.iter().any(|stem| name.to_lowercase().starts_with(stem));
            if 2 * names.iter().filter(is_covered).count() >= names.len() {
                let words = stems.into_iter().map(|stem| (format!("{place} stem"), stem));
                self.words.extend(words);
            }
        }
    }

    /// The folder of an address, with what is data taken out.
    fn folder(&self, host: &str, folders: &[&str]) -> String {
        let mut shape = host.to_owned();
        for folder in folders {
            let step = match self.wide_folders.contains(&shape) {
                true if !self.words.contains(&(format!("{shape} folder"), (*folder).to_owned())) => "*".to_owned(),
                // A folder of one letter is a drawer.
                _ if folder.chars().count() == 1 => "*".to_owned(),
                _ if is_number(folder) => "#".to_owned(),
                _ => (*folder).to_owned(),
            };
            shape.push('/');
            shape.push_str(&step);
        }
        shape
    }

    /// The places of the first and the last word of a name, and the words with their numbers taken
    /// out.
    fn edge_words(&self, parts: &UrlParts<'_>) -> Vec<(String, String)> {
        let place = self.place(parts);
        let stem = parts.stem.to_lowercase();
        let mut all = words(&stem);
        let first = all.next().map(|word| (format!("{place} first"), without_numbers(word)));
        let last = all
            .next_back()
            .map(|word| (format!("{place} last"), without_numbers(word)));
        first.into_iter().chain(last).filter(|(_, word)| word != "#").collect()
    }

    fn place(&self, parts: &UrlParts<'_>) -> String {
        let folder = self.folder(parts.host, folders(parts));
        let parameters = parts.query.iter().flatten().filter(|pair| **pair != ("", None));
        let parameters = parameters.map(|(name, _)| *name).collect::<Vec<_>>().join("&");
        let mark = if parameters.is_empty() { "" } else { "?" };
        format!("{folder}/{}{}{mark}{parameters}", name_form(parts.stem), parts.end)
    }

    /// The longest word that many names of a place begin with and this one, too.
    fn stem(&self, place: &str, name: &str) -> Option<&str> {
        let place = format!("{place} stem");
        let from = (place.clone(), String::new());
        let words = self.words.range(from..).take_while(|(own, _)| *own == place);
        let fitting = words
            .map(|(_, stem)| stem.as_str())
            .filter(|stem| name.starts_with(stem));
        fitting.max_by_key(|stem| stem.len())
    }

    /// The shape of an address.
    pub fn shape(&self, url: &Url) -> String {
        let parts = UrlParts::of(url);
        let mut shape = self.place(&parts);
        let known = self
            .edge_words(&parts)
            .into_iter()
            .filter(|entry| self.words.contains(entry));
        let (mut first, mut last) = (String::new(), String::new());
        for (place, word) in known {
            match place.ends_with("first") {
                true => first = word,
                false => last = word,
            }
        }
        if let Some(stem) = self.stem(&shape, &parts.stem.to_lowercase()) {
            stem.clone_into(&mut first);
        }
        for (mark, word) in [(' ', first), ('~', last)] {
            if !word.is_empty() {
                shape.push(mark);
                shape.push_str(&word);
            }
        }
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_shapes(paths: &[String], path: &str, expected: &str) {
        let url = |path: &str| Url::parse(&format!("http://a.example{path}")).expect("a good address");
        let urls: Vec<Url> = paths.iter().map(|path| url(path)).collect();
        assert_eq!(ShapeBook::of(&urls).shape(&url(path)), expected, "{path}");
    }

    #[test]
    fn what_many_addresses_share_tells_shapes_apart() {
        let letters = || "abcdefghijklmnopqrstuvwxyz".chars();
        let mut paths: Vec<String> = letters().map(|c| format!("/chips/{c}{c}x-feat.html")).collect();
        paths.extend(letters().map(|c| format!("/chips/{c}{c}x-ram.html")));
        paths.extend(letters().map(|c| format!("/people/{c}/index.html")));
        paths.extend(["/about.html", "/contact.html"].map(str::to_owned));
        check_shapes(&paths, "/chips/newx-ram.html", "a.example/chips/*-*.html~ram");
        check_shapes(&paths, "/people/z/index.html", "a.example/people/*/*.html index");
        check_shapes(&paths, "/people/other/x9.html", "a.example/people/*/*.html");
        check_shapes(&paths, "/about.html", "a.example/*.html about");
        check_shapes(&paths, "/17.html", "a.example/#.html");
        check_shapes(&paths, "/17.html?id=7", "a.example/#.html?id");
        let keyed = |word: &str| {
            (0..30_u32)
                .map(|n| format!("/{word}{:04x}.html", n.wrapping_mul(40_503) & 0xffff))
                .collect::<Vec<_>>()
        };
        let paths = [keyed("card"), keyed("cardlist"), keyed("plan")].concat();
        check_shapes(&paths, "/cardlist12ab.html", "a.example/*.html cardlist");
        check_shapes(&paths, "/card0000.html", "a.example/*.html card");
    }
}
