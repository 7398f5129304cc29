//! Verification: does a wrapper still read pages as it read those it was inferred from?
//!
//! In: a template, and what it read of pages, one by one. Out: for the template as a whole, and for
//! each field and list of a record, on how many pages it held. The template carries how many of its
//! training pages had each ([`Template::counts`](super::Template)), counted by reading them with
//! it, so that training pages never disagree with it. Something has drifted where fewer pages have
//! it than chance explains (`statistics.rs`), or where its values look like nothing that training
//! pages had (`value_profile.rs`): over all fields together, pages of an unchanged site raise an
//! alarm once in [`FALSE_ALARMS`]. Of an engine that counts nothing, with which a page matches
//! whole or not at all, the whole alone is verified.

use std::collections::BTreeMap;

use crate::page::Page;
use crate::statistics::chance_of_so_few;

use super::extraction::Extraction;
use super::markup::{MarkupProfile, MarkupTally};
use super::record::{Record, Value};
use super::template::{FieldCount, Template};
use super::value_profile::{N_TESTS, VALUES_MAX, ValueProfile};

/// The chance that an unchanged site raises an alarm, shared out among all tests.
pub const FALSE_ALARMS: f64 = 0.01;

/// The same where pages have changed, so that what is missing is more likely gone.
pub(crate) const REDESIGN_ALARMS: f64 = 0.5;

/// The parts of that chance that go to the template as a whole, to the presence of its fields, and
/// to their values.
const PARTS: [f64; 3] = [0.25, 0.5, 0.25];

/// How something has drifted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Drift {
    /// Too few pages have it.
    Lost,
    /// Pages have it, and its values are not what they were: how, for people.
    OtherValues(String),
    /// The pages are not dressed as they were: what all of them had, classes and ids, is gone.
    OtherMarkup,
}

/// How a wrapper fares on pages.
#[derive(Debug, Clone)]
pub struct WrapperVerification {
    /// The template as a whole first, then fields and lists in document order.
    pub items: Vec<WrapperItem>,
    markup: MarkupProfile,
    tally: MarkupTally,
}

/// How the template, or a field or list, fares.
#[derive(Debug, Clone, PartialEq)]
pub struct WrapperItem {
    /// The key in a record, with those of the lists that it is in before it; empty for the template
    /// as a whole.
    pub field: String,
    /// How many training pages had it, and of how many.
    pub trained: (usize, usize),
    /// What its values were there.
    pub profile: ValueProfile,
    /// Pages that were looked at; of what is in a list, those that have the list.
    pub pages: usize,
    /// Pages that have it.
    pub present: usize,
    /// The first value of each page that has one, as far as they are compared.
    pub values: Vec<String>,
    /// A page without it that should have it, and why.
    pub example: Option<(String, String)>,
}

impl WrapperVerification {
    /// Nothing looked at yet of what a template reads.
    pub fn new(template: &Template) -> Self {
        match template.counts.is_empty() {
            true => Self::of_whole_pages(),
            false => Self {
                items: template.counts.iter().map(WrapperItem::new).collect(),
                markup: template.markup.clone(),
                tally: MarkupTally::default(),
            },
        }
    }

    /// Nothing looked at yet of an engine that knows only whether a page matches.
    pub fn of_whole_pages() -> Self {
        let all = FieldCount {
            field: String::new(),
            present: WHOLE_PAGES,
            pages: WHOLE_PAGES,
            values: ValueProfile::default(),
        };
        Self {
            items: vec![WrapperItem::new(&all)],
            markup: MarkupProfile::default(),
            tally: MarkupTally::default(),
        }
    }

    /// Looks at how a page is dressed, beside what was read of it.
    pub fn see(&mut self, page: &Page) {
        self.tally.see(&self.markup, page);
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
            if let Some(value) = first_text(&extraction.record, &item.field)
                && is_present
                && item.values.len() < VALUES_MAX
            {
                item.values.push(value.to_owned());
            }
            if !is_present && item.is_needed() && item.example.is_none() {
                let why = why.clone().unwrap_or_else(|| "it is not there".to_owned());
                item.example = Some((name.to_owned(), why));
            }
        }
    }

    /// What too few of the pages have: a smaller share than `held_min` of what the training pages
    /// had, and fewer than chance explains; and what has other values.
    pub fn drifted(&self, held_min: f64) -> impl Iterator<Item = (&WrapperItem, Drift)> {
        let n_fields = self.items.len().saturating_sub(1).max(1) as f64;
        let is_gone = self.tally.is_gone(&self.markup);
        let is_other = self.tally.is_other(&self.markup);
        let alarms = if is_other { REDESIGN_ALARMS } else { FALSE_ALARMS };
        let drift = move |item: &WrapperItem| {
            let [whole, presence, values] = PARTS.map(|part| alarms * part);
            let level = if item.field.is_empty() {
                whole
            } else {
                presence / n_fields
            };
            let is_less = (item.present as f64) < held_min * item.share() * item.pages as f64;
            if is_less && chance_of_so_few((item.present, item.pages), item.evidence()) < level {
                return Some(Drift::Lost);
            }
            if is_gone && item.field.is_empty() {
                return Some(Drift::OtherMarkup);
            }
            let own = item.values.iter().map(String::as_str);
            let deviation = item.profile.deviation(own, held_min)?;
            let is_odd = deviation.chance < values / n_fields / N_TESTS as f64;
            is_odd.then_some(Drift::OtherValues(deviation.what))
        };
        self.items.iter().filter_map(move |item| Some((item, drift(item)?)))
    }
}

/// The page for which a field is one. Without it, 2 of 96 samples of unchanged real pages raise an
/// alarm.
const FIELD_PAGES_MIN: usize = 1;

/// An engine that counts nothing was inferred from pages that all match; how many is not written
/// down.
const WHOLE_PAGES: u32 = 10;

impl WrapperItem {
    fn new(count: &FieldCount) -> Self {
        Self {
            field: count.field.clone(),
            trained: (count.present as usize, count.pages as usize),
            profile: count.values.clone(),
            pages: 0,
            present: 0,
            values: Vec::new(),
            example: None,
        }
    }

    /// What its training pages say about how many others have it. It is a field because one of them
    /// has it: that one says nothing about how many do, or what few pages happen to share would be
    /// expected of all.
    fn evidence(&self) -> (usize, usize) {
        let (present, pages) = self.trained;
        let chosen_for = if self.field.is_empty() {
            0
        } else {
            present.min(FIELD_PAGES_MIN)
        };
        (present - chosen_for, pages - chosen_for)
    }

    /// The share of training pages that had it; of what is in a list, of those that had the list.
    pub fn share(&self) -> f64 {
        self.trained.0 as f64 / self.trained.1.max(1) as f64
    }

    /// Whether every training page had it.
    pub fn is_needed(&self) -> bool {
        self.trained.0 == self.trained.1
    }
}

/// How many of the pages that were read have each field and list, the template as a whole first.
pub(super) fn counts_of(extractions: &[Extraction]) -> Vec<FieldCount> {
    let mut order: Vec<String> = vec![String::new()];
    let mut known: BTreeMap<String, usize> = BTreeMap::from([(String::new(), 0)]);
    for extraction in extractions {
        add_fields(&extraction.record, "", &mut |field| {
            if !known.contains_key(&field) {
                known.insert(field.clone(), order.len());
                order.push(field);
            }
        });
    }
    let mut verification = WrapperVerification {
        items: order
            .into_iter()
            .map(|field| {
                WrapperItem::new(&FieldCount {
                    field,
                    ..FieldCount::default()
                })
            })
            .collect(),
        markup: MarkupProfile::default(),
        tally: MarkupTally::default(),
    };
    extractions
        .iter()
        .for_each(|extraction| verification.look_at(extraction, ""));
    let counted = |item: WrapperItem| FieldCount {
        values: ValueProfile::of(item.values.iter().map(String::as_str)),
        field: item.field,
        present: item.present as u32,
        pages: item.pages as u32,
    };
    verification.items.into_iter().map(counted).collect()
}

/// Names the fields and lists of a record, with the keys of the lists around them.
fn add_fields(record: &Record, prefix: &str, add: &mut impl FnMut(String)) {
    let mut waiting: Vec<(&Record, String)> = vec![(record, prefix.to_owned())];
    while let Some((record, prefix)) = waiting.pop() {
        for (key, value) in &record.values {
            add(format!("{prefix}{key}"));
            if let Value::List(rounds) = value {
                waiting.extend(rounds.iter().map(|round| (round, format!("{prefix}{key}."))));
            }
        }
    }
}

/// Whether a record has a key; of a list, whether it has a round; of a key in a list, whether a
/// round has it, `None` where there is no round that could.
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

/// The first text of a key, in the first round of a list that has it.
fn first_text<'a>(record: &'a Record, field: &str) -> Option<&'a str> {
    let (first, rest) = field
        .split_once('.')
        .map_or((field, None), |(first, rest)| (first, Some(rest)));
    match (record.get(first)?, rest) {
        (Value::Text(text), None) => Some(text),
        (Value::List(rounds), Some(rest)) => rounds.iter().find_map(|round| first_text(round, rest)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};
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

    /// The fields that drifted on forty pages.
    fn check(pages: impl Fn(usize) -> Page, expected: &[&str]) {
        let training: Vec<Page> = (0..10).map(|number| film(number, "Director:")).collect();
        let template = infer_template(&training.iter().collect::<Vec<_>>());
        let mut verification = WrapperVerification::new(&template);
        let matcher = Matcher::new(template);
        (20..60).for_each(|number| verification.look_at(&matcher.extract(&pages(number)), "a.html"));
        let drifted: Vec<&str> = verification.drifted(0.9).map(|(item, _)| item.field.as_str()).collect();
        assert_eq!(drifted, expected, "{:?}", verification.items);
    }

    #[test]
    fn training_pages_are_as_training_counted_them() {
        let training: Vec<Page> = (0..10).map(|number| person(number, number % 4 != 1)).collect();
        let template = infer_template(&training.iter().collect::<Vec<_>>());
        let mut verification = WrapperVerification::new(&template);
        assert!(verification.items.len() > 4, "{:?}", verification.items);
        let matcher = Matcher::new(template);
        training
            .iter()
            .for_each(|page| verification.look_at(&matcher.extract(page), "a.html"));
        for item in &verification.items {
            assert_eq!((item.present, item.pages), item.trained, "{item:?}");
        }
        assert_eq!(verification.drifted(1.0).count(), 0);
    }

    #[test]
    fn what_is_gone_is_told_and_what_comes_and_goes_is_not() {
        check(|number| film(number, "Director:"), &[]);
        check(|number| film(2 * number + 1, "Director:"), &["year"]);
        let without = |number: usize| {
            format!(
                "<h1>{}</h1><p><b>Year:</b> 19{number:02}</p><footer>Films</footer>",
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

    /// Whether a list that pages lack has drifted, where `lacks` says which of the training pages
    /// lack it.
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
        let has_drifted = verification.drifted(0.9).any(|(item, _)| item.field == list);
        assert_eq!(has_drifted, expected, "{list}: {items:?}");
        assert!(
            !verification.drifted(0.9).any(|(item, _)| item.field.contains('.')),
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
}
