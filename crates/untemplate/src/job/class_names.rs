//! Names of classes, once all of their pages are known.
//!
//! In: the readers of a site. Out: the same with a name each that a person would use. Tried in this
//! order: what links to its pages say, where they spell out a word of its addresses; the label of
//! the pages' heading; such a word that addresses of no other class have and that the site shows
//! its readers; what the titles of its pages alone have in common; what the page that lists the
//! class is called; any word of the addresses; what links to its pages say; what the mark-up calls
//! the part that only pages of this class have; the name that the site model gave. A value of one
//! page is never a name.

use std::collections::{BTreeMap, BTreeSet};

use crate::site::AddressId;
use crate::table::{is_place_mark, is_place_name, mark_words};
use crate::wrapper::reading::{StepKind, without_headers};

use super::class_reader::ClassReader;
use super::ledger::Ledger;
use super::link_texts::is_name;
use super::name_hints::NameHints;
use super::title_parts::TitleParts;

/// The least share of a class's addresses that have a word of its name, and of its pages that have
/// a part it is named after.
const WORD_SHARE: f64 = 0.6;

/// Names the classes of a site, each differently.
pub(super) fn name_classes(readers: &mut [ClassReader], ledger: &Ledger, hints: &NameHints) {
    let words: Vec<Vec<String>> = readers.iter().map(|reader| address_words(reader, ledger)).collect();
    let marks: Vec<BTreeMap<String, usize>> = readers.iter().map(marks_of).collect();
    let n_named = words.iter().filter(|own| !own.is_empty()).count();
    let is_of_others = |word: &String, class: usize| is_of_others(readers, &words, word, class);
    let names: Vec<String> = (0..readers.len())
        .map(|class| {
            // Larger classes come first and choose first; a folder of most classes names none of
            // them.
            let is_own = |word: &&String| {
                let n_with = words.iter().filter(|own| own.contains(word)).count();
                let is_of_site = n_with > 2 && n_with * 2 > n_named || is_of_others(word, class);
                !is_of_site && !words[..class].iter().any(|own| own.contains(word))
            };
            let by_words = || words[class].iter().find(is_own).cloned();
            let by_shown_words = || {
                let own = words[class].iter().filter(is_own);
                own.clone()
                    .find(|words| words.split(' ').all(|word| hints.is_shown(word)))
                    .cloned()
            };
            // Links spell out what an address abbreviates.
            let by_link = || {
                let name = hints.link_name(class)?;
                let begins = |word: &String| name.split_whitespace().any(|own| own.starts_with(word.as_str()));
                words[class].iter().filter(is_own).any(begins).then_some(name)
            };
            let by_mark = |is_shown: &dyn Fn(&str) -> bool| {
                let own = marks[class].iter().filter(|(mark, _)| {
                    let n_others = marks.iter().filter(|other| other.contains_key(*mark)).count() - 1;
                    n_others * 5 <= marks.len() && is_shown(mark)
                });
                own.max_by_key(|(mark, size)| (**size, std::cmp::Reverse((*mark).clone())))
                    .map(|(mark, _)| mark.clone())
            };
            let reader = &readers[class];
            let by_title = || {
                let others = (0..readers.len()).filter(|other| *other != class);
                let others: Vec<&TitleParts> = others.map(|other| &readers[other].titles).collect();
                Some(reader.titles.own_part(&others)?.to_lowercase())
            };
            if reader.pages.len() < 2 {
                return reader.name.clone();
            }
            let known = Some(&reader.name).filter(|name| {
                let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
                !name.ends_with(" and others")
                    && is_name(name)
                    && !is_of_few(reader, ledger, name)
                    && !is_place_name(bare)
            });
            by_link()
                .or_else(|| heading_label(reader))
                .or_else(by_shown_words)
                .or_else(by_title)
                .or_else(|| hints.index_name(class))
                .or_else(by_words)
                .or_else(|| hints.link_name(class))
                .or_else(|| by_mark(&|mark| mark.split(' ').all(|word| hints.is_shown(word))))
                .or_else(|| words[class].iter().find(|word| !is_of_others(word, class)).cloned())
                .or_else(|| known.cloned())
                .or_else(|| by_mark(&|_| true))
                .unwrap_or_else(|| "page".to_owned())
        })
        .collect();
    tell_apart(readers, names);
}

/// Whether most pages of the other classes have a word in their addresses.
fn is_of_others(readers: &[ClassReader], words: &[Vec<String>], word: &str, class: usize) -> bool {
    let others = || (0..readers.len()).filter(|other| *other != class);
    let with_word = others().filter(|&other| words[other].iter().any(|own| own == word));
    let n_with: usize = with_word.map(|other| readers[other].pages.len()).sum();
    let n_pages: usize = others().map(|other| readers[other].pages.len()).sum();
    n_with * 2 > n_pages
}

/// Gives classes their names, with a number where another class has that name.
fn tell_apart(readers: &mut [ClassReader], names: Vec<String>) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for (reader, base) in readers.iter_mut().zip(names) {
        let mut name = base.clone();
        let mut count = 1;
        while !taken.insert(name.to_lowercase()) {
            count += 1;
            name = format!("{base} {count}");
        }
        reader.name = name;
    }
}

/// Whether a name is a word in the addresses of few pages of a class only: a name that the few
/// pages of a model had in common.
fn is_of_few(reader: &ClassReader, ledger: &Ledger, name: &str) -> bool {
    let name = name.to_lowercase();
    let has_name = |page: &&AddressId| {
        let address = ledger.addresses.text(**page).to_lowercase();
        address
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == name.as_str())
    };
    let n_with = reader.pages.iter().filter(has_name).count();
    n_with > 0 && (n_with as f64) < WORD_SHARE * reader.pages.len() as f64
}

/// Words that most addresses of a class have: folders, the innermost first, then those of file
/// names.
fn address_words(reader: &ClassReader, ledger: &Ledger) -> Vec<String> {
    let mut stems: BTreeMap<String, usize> = BTreeMap::new();
    let mut folders: BTreeMap<(usize, String), usize> = BTreeMap::new();
    for &page in &reader.pages {
        let url = ledger.addresses.url(page);
        let mut segments: Vec<&str> = url
            .path_segments()
            .into_iter()
            .flatten()
            .filter(|part| !part.is_empty())
            .collect();
        if segments.last().is_some_and(|last| last.starts_with("index.")) {
            segments.pop();
        }
        let Some(last) = segments.pop() else { continue };
        let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        let parts: Vec<&str> = stem.split(['-', '_', '.', '~']).collect();
        if parts.len() > 1 {
            let ends: BTreeSet<String> = [parts[0], parts[parts.len() - 1]]
                .into_iter()
                .filter_map(word)
                .collect();
            for end in ends {
                *stems.entry(end).or_default() += 1;
            }
        }
        for (depth, folder) in segments.iter().rev().enumerate() {
            if let Some(folder) = word(folder) {
                *folders.entry((depth, folder)).or_default() += 1;
            }
        }
    }
    let least = WORD_SHARE * reader.pages.len() as f64;
    let common = |count: &usize| *count as f64 >= least;
    let stems = stems
        .into_iter()
        .filter(|(_, count)| common(count))
        .map(|(word, _)| word);
    let folders = folders
        .into_iter()
        .filter(|(_, count)| common(count))
        .map(|((_, word), _)| word);
    folders.chain(stems).collect()
}

/// A part of an address as a word: letters alone, two at least.
fn word(part: &str) -> Option<String> {
    let bare = part.trim_matches(|c: char| !c.is_alphabetic());
    let is_word = bare.chars().count() >= 2 && !bare.contains(|c: char| c.is_ascii_digit() || c == '%');
    // `html` says how pages are written and `index` how servers find them, not what they are about.
    let word = mark_words(bare)?.replace('_', " ");
    (is_word && !is_place_name(&word) && word != "index").then_some(word)
}

/// The label that the headings of a class's pages begin with.
fn heading_label(reader: &ClassReader) -> Option<String> {
    let fields = reader.reading.iter().flat_map(|reading| &reading.schema.fields);
    let labels = fields.filter(|field| field.is_heading && field.list_path.is_empty() && !field.label.is_empty());
    labels.map(|field| field.label.clone()).next_back()
}

/// What the mark-up of a class calls the parts that hold most of what is read of its pages, with
/// the characters in each.
fn marks_of(reader: &ClassReader) -> BTreeMap<String, usize> {
    let Some(reading) = &reader.reading else {
        return BTreeMap::new();
    };
    let guide = &reading.schema.guide;
    let n_pages = reading.vocabulary.n_pages() as f64;
    let n_read = reading.schema.characters_read(0);
    let mut marks = BTreeMap::new();
    for (number, place) in guide.places.iter().enumerate() {
        let is_common = place.n as f64 >= WORD_SHARE * n_pages && (place.n as f64) < 1.5 * n_pages;
        if !is_common || !matches!(place.kind, StepKind::Group | StepKind::Grid | StepKind::List) {
            continue;
        }
        let Some((_, mark)) = without_headers(&place.text).split_once(['.', '#']) else {
            continue;
        };
        let mark: String = mark.chars().map(|c| if c.is_alphabetic() { c } else { ' ' }).collect();
        let mark = mark.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        // A part that holds little of what is read, such as the site's frame, is not what the class
        // is about.
        let size = reading.schema.characters_read(number);
        let tells = mark.chars().count() > 2 && !is_place_mark(&mark.replace(' ', "_"));
        if tells && size * 2 > n_read {
            let known = marks.entry(mark).or_insert(0);
            *known = size.max(*known);
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_an_address_is_words() {
        for (part, expected) in [
            ("TagNames", Some("tag names")),
            ("roses", Some("roses")),
            ("2024", None),
            ("index", None),
        ] {
            assert_eq!(word(part).as_deref(), expected, "{part}");
        }
    }
}
