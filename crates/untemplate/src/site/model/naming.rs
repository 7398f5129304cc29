//! Names of page classes: what a person would call them.
//!
//! In: the addresses, titles, headings and breadcrumbs of a class's visited pages. Out: a short
//! name, such as `teams` or `player`. Tried in this order: the folder and the fixed words of the
//! address pattern, the breadcrumb that all share, the words that all titles or all headings share
//! and most classes do not, the title of the first page. The name of an only page comes from its
//! title or heading first, and from its address second. Names are told apart by a number where two
//! classes would have one.

use std::collections::{BTreeMap, BTreeSet};

use crate::page::UrlPattern;
use url::Url;

/// What is known of the pages of one class.
#[derive(Debug, Clone, Default)]
pub struct NameEvidence {
    /// Their addresses.
    pub urls: Vec<Url>,
    /// Their titles.
    pub titles: Vec<String>,
    /// Their first headings.
    pub headings: Vec<String>,
    /// What their breadcrumbs say they are part of.
    pub crumbs: Vec<String>,
}

/// Letters of a name at most: longer ones are sentences.
const NAME_CHARS_MAX: usize = 40;

/// Names classes, each differently.
pub fn name_classes(classes: &[NameEvidence]) -> Vec<String> {
    let site_words = site_words(classes);
    let names = classes.iter().enumerate();
    let mut names: Vec<String> = names
        .map(|(number, evidence)| name_of(evidence, &site_words).unwrap_or_else(|| format!("class {number}")))
        .collect();
    make_names_differ(names.iter_mut());
    names
}

/// Gives each name that stands before it already a number that makes it another.
pub(super) fn make_names_differ<'a>(names: impl Iterator<Item = &'a mut String>) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for name in names {
        let base = name.clone();
        let mut count = 1;
        while !taken.insert(name.clone()) {
            count += 1;
            *name = format!("{base} {count}");
        }
    }
}

/// The words that the titles of most classes have: the name of the site.
fn site_words(classes: &[NameEvidence]) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for evidence in classes {
        let words: BTreeSet<String> = evidence.titles.iter().take(1).flat_map(|title| words(title)).collect();
        for word in words {
            *counts.entry(word).or_default() += 1;
        }
    }
    let many = classes.len().div_ceil(2).max(2);
    counts
        .into_iter()
        .filter(|(_, count)| *count >= many)
        .map(|(word, _)| word)
        .collect()
}

fn name_of(evidence: &NameEvidence, site_words: &BTreeSet<String>) -> Option<String> {
    let without_site = |texts: &[String]| {
        shared_words(texts)
            .filter(|word| !site_words.contains(&word.to_lowercase()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let by_texts = || {
        [without_site(&evidence.titles), without_site(&evidence.headings)]
            .into_iter()
            .find(|name| is_name(name))
    };
    let by_crumb = || shared_text(&evidence.crumbs);
    let first = || {
        let title = without_site(&evidence.titles[..evidence.titles.len().min(1)]);
        is_name(&title).then(|| format!("{} and others", shortened(&title)))
    };
    let found = match evidence.urls.len() {
        1 => by_texts().or_else(|| address_name(&evidence.urls)),
        _ => address_name(&evidence.urls)
            .or_else(by_crumb)
            .or_else(by_texts)
            .or_else(first),
    };
    found.map(|name| shortened(&name)).filter(|name| !name.is_empty())
}

fn is_name(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 2
}

fn shortened(name: &str) -> String {
    let short: String = name.chars().take(NAME_CHARS_MAX).collect();
    short.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// The text that all have.
fn shared_text(texts: &[String]) -> Option<String> {
    let first = texts.first().filter(|first| is_name(first))?;
    texts.iter().all(|text| text == first).then(|| first.clone())
}

/// The words that all texts have, in the order of the first.
fn shared_words(texts: &[String]) -> impl Iterator<Item = String> + use<> {
    let sets: Vec<BTreeSet<String>> = texts.iter().map(|text| words(text).collect()).collect();
    let first = texts.first().map(String::as_str).unwrap_or("").to_owned();
    let kept: Vec<String> = first
        .split_whitespace()
        .filter(|word| {
            let plain = plain(word);
            !plain.is_empty() && sets.iter().all(|set| set.contains(&plain))
        })
        .map(str::to_owned)
        .collect();
    kept.into_iter()
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace().map(plain).filter(|word| !word.is_empty())
}

fn plain(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// A name from the addresses: from what all have in common, or else from what those in the
/// commonest folder have, if most are there.
fn address_name(urls: &[Url]) -> Option<String> {
    pattern_name(urls).or_else(|| {
        let folder = |url: &Url| url.path().rsplit_once('/').map(|(folder, _)| folder.to_owned());
        let mut by_folder: BTreeMap<Option<String>, Vec<Url>> = BTreeMap::new();
        for url in urls {
            by_folder.entry(folder(url)).or_default().push(url.clone());
        }
        let commonest = by_folder.into_values().max_by_key(Vec::len)?;
        (commonest.len() * 2 >= urls.len())
            .then(|| pattern_name(&commonest))
            .flatten()
    })
}

/// The fixed words of the address pattern: the name's, and the last folder that says something.
fn pattern_name(urls: &[Url]) -> Option<String> {
    let pattern = UrlPattern::of(urls)?.to_string();
    let path = pattern.splitn(4, '/').nth(3)?;
    let path = path.split('?').next().unwrap_or("");
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let telling = |text: &str| {
        let words = text
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| word.chars().count() >= 2);
        words
            .map(str::to_lowercase)
            .filter(|word| word != "index")
            .collect::<Vec<_>>()
            .join(" ")
    };
    let folder = folders.rsplit('/').map(telling).find(|words| !words.is_empty());
    let stem = telling(stem);
    let joined = match (folder, stem.is_empty()) {
        (Some(folder), true) => folder,
        (Some(folder), false) if folder == stem => folder,
        (Some(folder), false) => format!("{folder} {stem}"),
        (None, _) => stem,
    };
    (!joined.is_empty()).then_some(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(urls: &[&str], titles: &[&str]) -> NameEvidence {
        NameEvidence {
            urls: urls.iter().map(|url| url.parse().expect("a good address")).collect(),
            titles: titles.iter().map(|title| (*title).to_owned()).collect(),
            ..NameEvidence::default()
        }
    }

    #[test]
    fn names_with_numbers_of_their_own_stay_apart() {
        let mut names = ["team", "team 2", "team", "team"].map(str::to_owned);
        make_names_differ(names.iter_mut());
        assert_eq!(names, ["team", "team 2", "team 3", "team 4"]);
    }

    #[test]
    fn names_come_from_addresses_and_titles() {
        let classes = [
            evidence(&["http://a.example/"], &["Home - Cup"]),
            evidence(
                &["http://a.example/team/1.html", "http://a.example/team/2.html"],
                &["Ada - Cup", "Bo - Cup"],
            ),
            evidence(
                &["http://a.example/p1-feat.html", "http://a.example/p2-feat.html"],
                &["P1 - Cup", "P2 - Cup"],
            ),
            evidence(
                &["http://a.example/x", "http://a.example/y"],
                &["Player Ada", "Player Bo"],
            ),
            evidence(
                &["http://a.example/team/9.html", "http://a.example/team/8.html"],
                &["Cy", "Di"],
            ),
            evidence(&["http://a.example/1", "http://a.example/2"], &["", ""]),
        ];
        assert_eq!(
            name_classes(&classes),
            ["Home", "team", "feat", "Player", "team 2", "class 5"]
        );
    }
}
