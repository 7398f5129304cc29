//! Verification: does a wrapper still read pages as it read those it was inferred from?
//!
//! In: a template, and what it read of pages, one by one. Out: for the template as a whole, and for each field and list of a record, on how many pages it held. What every
//! training page had must be there. What some had may be missing, but where it is missing far more often than it was, that is told, too: a tail of the
//! binomial distribution below [`TAIL_MIN`]. Of an engine that knows no shares, with which a page matches whole or not at all, the whole alone is verified.

use std::collections::BTreeMap;

use super::extraction::Extraction;
use super::record::{Record, Value};
use super::template::{Item, PartId, Template, TextPart};

/// What is less likely than this has not happened by chance.
const TAIL_MIN: f64 = 0.001;

/// Pages from which on something that none of them has is said to be lost, where it is not known how many had it.
const LOST_PAGES_MIN: usize = 5;

/// How a wrapper fares on pages.
#[derive(Debug, Clone)]
pub struct WrapperVerification {
    /// The template as a whole first, then fields and lists in document order.
    pub items: Vec<WrapperItem>,
}

/// How the template, or a field or list, fares.
#[derive(Debug, Clone, PartialEq)]
pub struct WrapperItem {
    /// The key in a record, with those of the lists that it is in before it; empty for the template as a whole.
    pub field: String,
    /// The share of training pages, or of the rounds of its list, that had it; `None` where that is not known: of a piece of a text, or a list of an older file.
    pub share: Option<f64>,
    /// Pages that were looked at; of what is in a list, those that have the list.
    pub pages: usize,
    /// Pages that have it.
    pub present: usize,
    /// A page without it that should have it, and why.
    pub example: Option<(String, String)>,
}

impl WrapperVerification {
    /// Nothing looked at yet of what a template reads.
    pub fn new(template: &Template) -> Self {
        Self::of_fields(shares(template))
    }

    /// Nothing looked at yet of an engine that knows only whether a page matches.
    pub fn of_whole_pages() -> Self {
        Self::of_fields(Vec::new())
    }

    fn of_fields(fields: Vec<(String, Option<f64>)>) -> Self {
        let item = |(field, share): (String, Option<f64>)| WrapperItem {
            field,
            share,
            pages: 0,
            present: 0,
            example: None,
        };
        let whole = (String::new(), Some(1.0));
        Self {
            items: std::iter::once(whole).chain(fields).map(item).collect(),
        }
    }

    /// Looks at what was read of a page, which is called `name` where it is an example.
    pub fn look_at(&mut self, extraction: &Extraction, name: &str) {
        let why = extraction.problems.first().map(|problem| problem.message.clone());
        for item in &mut self.items {
            let is_present = match item.field.as_str() {
                "" => extraction.is_matched,
                field if extraction.is_matched => match has(&extraction.record, field) {
                    Some(is_present) => is_present,
                    None => continue,
                },
                field if field.contains('.') => continue,
                _ => false,
            };
            item.pages += 1;
            item.present += usize::from(is_present);
            if !is_present && item.is_needed() && item.example.is_none() {
                let why = why.clone().unwrap_or_else(|| "it is not there".to_owned());
                item.example = Some((name.to_owned(), why));
            }
        }
    }

    /// What held on too few of the pages.
    pub fn drifted(&self, held_min: f64) -> impl Iterator<Item = &WrapperItem> {
        self.items.iter().filter(move |item| item.has_drifted(held_min))
    }
}

impl WrapperItem {
    /// Whether every training page had it.
    pub fn is_needed(&self) -> bool {
        self.share.is_some_and(|share| share >= 1.0)
    }

    fn has_drifted(&self, held_min: f64) -> bool {
        match self.share {
            Some(share) if share >= 1.0 => (self.present as f64) < held_min * self.pages as f64,
            Some(share) => is_too_rare(self.present, self.pages, share),
            None => self.present == 0 && self.pages >= LOST_PAGES_MIN,
        }
    }
}

/// Whether so few of the pages have what this share of the training pages had that it is no chance.
fn is_too_rare(present: usize, pages: usize, share: f64) -> bool {
    // The share was seen on few pages; it is taken for a little less.
    tail(present, pages, share * 0.9) < TAIL_MIN
}

/// The chance of at most so many successes.
fn tail(successes: usize, trials: usize, chance: f64) -> f64 {
    let (mut sum, mut log) = (0.0, trials as f64 * (1.0 - chance).ln());
    for count in 0..=successes.min(trials) {
        sum += f64::exp(log);
        log += ((trials - count) as f64 / (count + 1) as f64).ln() + chance.ln() - (1.0 - chance).ln();
    }
    sum
}

/// Whether a record has a key; of a list, whether it has a round; of a key in a list, whether a round has it, `None` where there is no round that could.
fn has(record: &Record, field: &str) -> Option<bool> {
    let (first, rest) = field
        .split_once('.')
        .map_or((field, None), |(first, rest)| (first, Some(rest)));
    let value = record
        .values
        .iter()
        .find(|(key, _)| **key == *first)
        .map(|(_, value)| value);
    match (value, rest) {
        (Some(Value::List(rounds)), Some(rest)) => rounds.iter().filter_map(|round| has(round, rest)).max(),
        (None, Some(_)) => None,
        (Some(Value::List(rounds)), None) => Some(!rounds.is_empty()),
        (value, _) => Some(value.is_some()),
    }
}

/// The fields and lists of a template in document order, each with the share of pages that have it.
fn shares(template: &Template) -> Vec<(String, Option<f64>)> {
    let mut order: Vec<String> = Vec::new();
    let mut found: BTreeMap<String, Option<f64>> = BTreeMap::new();
    let mut add = |name: String, share: Option<f64>| match found.get(&name).copied() {
        // The same key at two places: a page has one or the other.
        Some(known) => {
            let either = known.zip(share).map(|(left, right)| 1.0 - (1.0 - left) * (1.0 - right));
            found.insert(name, either);
        }
        None => {
            order.push(name.clone());
            found.insert(name, share);
        }
    };
    let mut open: Vec<(PartId, String, f64)> = vec![(PartId(0), String::new(), 1.0)];
    while let Some((id, prefix, above)) = open.pop() {
        let Some(part) = template.parts.get(id.index()) else {
            continue;
        };
        let share = above * f64::from(part.seen) / f64::from(part.places.max(1));
        if let TextPart::Field(field) = &part.text {
            // Of what a text is cut into it is not known how often each piece is there.
            if field.pieces.is_empty() {
                add(format!("{prefix}{}", field.name), Some(share));
            }
            field
                .pieces
                .iter()
                .for_each(|piece| add(format!("{prefix}{}", piece.name), None));
        }
        for attribute in &part.attributes {
            add(format!("{prefix}{}", attribute.name), Some(share));
        }
        for item in part.items.iter().rev() {
            match item {
                Item::One(inner) => open.push((*inner, prefix.clone(), share)),
                Item::Repeat(repeat) => {
                    let inside = format!("{prefix}{}.", repeat.name);
                    open.extend(repeat.parts.iter().rev().map(|inner| (*inner, inside.clone(), 1.0)));
                    let own = f64::from(repeat.seen) / f64::from(repeat.places.max(1));
                    let is_known = repeat.places > 0;
                    add(format!("{prefix}{}", repeat.name), is_known.then_some(share * own));
                }
            }
        }
    }
    order.into_iter().map(|name| (name.clone(), found[&name])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};
    use crate::wrapper::{Matcher, infer_template};

    fn page(html: &str) -> Page {
        let url = "http://shop.example/".parse().expect("a good address");
        Page::read(&Response::html(url, html), &ParseOptions::default())
    }

    const NAMES: [&str; 7] = ["Ann", "Bob", "Cid", "Dan", "Eve", "Flo", "Gus"];

    fn film(number: usize, label: &str) -> Page {
        let (title, person) = (NAMES[number * 3 % 7], NAMES[number % 7]);
        let year = if number.is_multiple_of(2) {
            format!("<p><b>Year:</b> 19{number:02}</p>")
        } else {
            String::new()
        };
        page(&format!(
            "<h1>{title}</h1><p><b>{label}</b> {person}</p>{year}<footer>Films</footer>"
        ))
    }

    /// The fields that drifted on twelve pages.
    fn check(pages: impl Fn(usize) -> Page, expected: &[&str]) {
        let training: Vec<Page> = (0..10).map(|number| film(number, "Director:")).collect();
        let template = infer_template(&training.iter().collect::<Vec<_>>());
        let mut verification = WrapperVerification::new(&template);
        let matcher = Matcher::new(template);
        (20..32).for_each(|number| verification.look_at(&matcher.extract(&pages(number)), "a.html"));
        let drifted: Vec<&str> = verification.drifted(0.9).map(|item| item.field.as_str()).collect();
        assert_eq!(drifted, expected, "{:?}", verification.items);
    }

    #[test]
    fn what_is_gone_is_told_and_what_comes_and_goes_is_not() {
        check(|number| film(number, "Director:"), &[]);
        check(|number| film(2 * number + 1, "Director:"), &["year"]);
        let without = |number: usize| {
            format!(
                "<h1>{}</h1><p><b>Year:</b> 1999</p><footer>Films</footer>",
                NAMES[number % 7]
            )
        };
        check(|number| page(&without(number)), &["director"]);
    }

    /// A page about a person, with a list of works or without.
    fn person(number: usize, has_works: bool) -> Page {
        let works: String = (0..3 + number % 3)
            .map(|work| {
                let (left, right) = (NAMES[(number + work) % 7], NAMES[(number * 2 + work * 3) % 7]);
                format!("<li><a href='/w/{number}-{work}'>{left} and {right}</a> <i>19{number:02}</i></li>")
            })
            .collect();
        let works = if has_works {
            format!("<h2>Works</h2><ul class=works>{works}</ul>")
        } else {
            String::new()
        };
        let (name, town) = (NAMES[number % 7], NAMES[number * 3 % 7]);
        let (friend, born) = (NAMES[(number + 2) % 7], 1900 + number);
        page(&format!(
            "<h1>{name}</h1><p><b>Town:</b> {town}</p><p><b>Born:</b> {born}</p><p><b>Friend:</b> {friend}</p>{works}<footer>People</footer>"
        ))
    }

    /// Whether a list that pages lack has drifted, where `lacks` says which of the training pages lack it.
    fn check_list(lacks: impl Fn(usize) -> bool, pages: &[bool], expected: bool) {
        let training: Vec<Page> = (0..10).map(|number| person(number, !lacks(number))).collect();
        let template = infer_template(&training.iter().collect::<Vec<_>>());
        let mut verification = WrapperVerification::new(&template);
        let matcher = Matcher::new(template);
        let pages_of = pages.iter().enumerate();
        pages_of.for_each(|(number, &has)| verification.look_at(&matcher.extract(&person(20 + number, has)), "a.html"));
        let items = &verification.items;
        let inside: Vec<&WrapperItem> = items.iter().filter(|item| item.field.contains('.')).collect();
        assert!(!inside.is_empty(), "{items:?}");
        let with = pages.iter().filter(|has| **has).count();
        assert!(inside.iter().all(|item| item.pages == with), "{items:?}");
        let list = inside[0].field.split('.').next().unwrap_or_default();
        let has_drifted = verification.drifted(0.9).any(|item| item.field == list);
        assert_eq!(has_drifted, expected, "{list}: {items:?}");
        assert!(
            !verification.drifted(0.9).any(|item| item.field.contains('.')),
            "{items:?}"
        );
    }

    #[test]
    fn a_list_that_is_lost_is_told_and_what_is_in_it_is_not_counted() {
        check_list(|_| false, &[true; 9], false);
        check_list(|_| false, &[false; 4], true);
        check_list(
            |_| false,
            &[false, false, false, false, true, false, false, false, false],
            true,
        );
        check_list(|number| number == 3, &[false, true, true, false, true, true], false);
        check_list(|number| number == 3, &[false; 8], true);
    }

    #[test]
    fn tails_are_sums_of_the_binomial_distribution() {
        assert!((tail(0, 3, 0.5) - 0.125).abs() < 1e-12);
        assert!((tail(3, 3, 0.5) - 1.0).abs() < 1e-12);
        assert!((tail(1, 2, 0.25) - (0.5625 + 0.375)).abs() < 1e-12);
    }
}
