//! Taught records: what the wrapper of a taught class reads on a page.
//!
//! In: a page, a class or a whole specification. Out: a [`TaughtRecord`], and what was odd about
//! it. A page that the class's assertion rejects has no record: it is another template's, and what
//! rules pick there means nothing.

use url::Url;

use super::TaughtField;
use super::rows::RowsReading;
use super::specification::{Specification, TaughtClass};
use crate::page::{Page, Problem};
use crate::rule::{ExtractionRule, Locator, Picked, Selected, TextIndex};

/// What was read on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct TaughtRecord {
    /// The page's class.
    pub class: String,
    /// The page's address.
    pub url: Url,
    /// Each field of the class with its values in document order; none where it is absent or in
    /// doubt.
    pub fields: Vec<(String, Vec<Picked>)>,
    /// The rows of each table or list of the class, in the class's order.
    pub rows: Vec<RowsReading>,
    /// What is missing or in doubt.
    pub problems: Vec<Problem>,
}

/// What a specification makes of a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SpecifiedRecord {
    /// The record; `None` when the page is of no class that has a wrapper.
    pub record: Option<TaughtRecord>,
    /// Why there is none.
    pub problems: Vec<Problem>,
}

impl TaughtRecord {
    /// Reads the fields of a class on a page, whether or not its assertion holds.
    pub fn read(class: &TaughtClass, page: &Page) -> Self {
        Self::read_with(class, page, &texts_for(class, page))
    }

    /// The same, where the page's texts have been looked up already.
    pub fn read_with(class: &TaughtClass, page: &Page, texts: &TextIndex) -> Self {
        let mut record = Self {
            class: class.id.clone(),
            url: page.url.clone(),
            fields: Vec::with_capacity(class.fields.len()),
            rows: Vec::with_capacity(class.rows.len()),
            problems: Vec::new(),
        };
        for field in &class.fields {
            let reading = field.read(page, texts);
            record.problems.extend(reading.problem);
            record.fields.push((field.name.clone(), reading.values));
        }
        for rows in &class.rows {
            let mut reading = rows.read(page);
            record.problems.extend(reading.problem.take());
            record.rows.push(reading);
        }
        record
    }

    /// Where the values of a field stand; of a row, given by its list and its place from 1, the one
    /// that it has.
    pub fn places(&self, class: &TaughtClass, row: Option<(&str, usize)>, field: &str) -> Vec<Selected> {
        let Some((list, place)) = row else {
            let values = self.fields.iter().filter(|(name, _)| name == field);
            return values
                .flat_map(|(_, values)| values)
                .map(|picked| picked.place)
                .collect();
        };
        let mut lists = class.rows.iter().zip(&self.rows).filter(|(rows, _)| rows.name == list);
        let found = lists.next().and_then(|(rows, reading)| {
            let index = rows.fields.iter().position(|its| its.name == field)?;
            let row = reading.rows.get(place.checked_sub(1)?)?;
            Some(row.values.get(index)?.as_ref()?.place)
        });
        found.into_iter().collect()
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.fields.iter().all(|(_, values)| values.is_empty()) && self.rows.iter().all(|its| its.rows.is_empty())
    }
}

/// Where a specification reads a field on a page that somebody brought; of a row, given by its list
/// and its place from 1, the field there.
pub fn specified_places(
    page: &Page,
    specification: &Specification,
    row: Option<(&str, usize)>,
    field: &str,
) -> Vec<Selected> {
    let record = extract_by_specification(page, specification).record;
    let class = |record: &TaughtRecord| specification.classes.iter().find(|class| class.id == record.class);
    let found = record.and_then(|record| Some(record.places(class(&record)?, row, field)));
    found.unwrap_or_default()
}

/// The texts of a page that rules of the class start from.
pub(super) fn texts_for(class: &TaughtClass, page: &Page) -> TextIndex {
    let rules = class.fields.iter().flat_map(TaughtField::rules);
    TextIndex::of_texts(&page.dom, &pivots(rules.map(|taught| &taught.rule)))
}

/// The texts that rules start from, each once.
pub(super) fn pivots<'a>(rules: impl Iterator<Item = &'a ExtractionRule>) -> Vec<&'a str> {
    let pivot = |rule: &'a ExtractionRule| match &rule.place {
        Locator::Labeled { pivot, .. } => Some(&**pivot),
        Locator::Absolute(_) => None,
    };
    let mut pivots: Vec<&str> = rules.filter_map(pivot).collect();
    pivots.sort_unstable();
    pivots.dedup();
    pivots
}

/// Reads a page that somebody brought: by the class with a wrapper whose assertion holds. Where
/// several do, the one that asserts most is meant.
pub fn extract_by_specification(page: &Page, specification: &Specification) -> SpecifiedRecord {
    let wrapped = specification.classes.iter().filter(|class| class.is_read());
    let holding = wrapped.clone().filter(|class| class.assertion.holds(page));
    let class = holding.reduce(|best, next| {
        let asserts_more = next.assertion.paths.len() > best.assertion.paths.len();
        if asserts_more { next } else { best }
    });
    let no_record = |problem| SpecifiedRecord {
        record: None,
        problems: vec![problem],
    };
    let Some(class) = class else {
        return no_record(match wrapped.min_by_key(|class| class.assertion.broken(page).len()) {
            Some(class) => rejected(class, page),
            None => Problem::new("no wrapper", "no page class of the specification says what to read"),
        });
    };
    let record = TaughtRecord::read(class, page);
    if record.is_empty() {
        let message = format!("none of the fields of {} was found", class.id);
        return no_record(Problem::new("nothing read", message));
    }
    SpecifiedRecord {
        record: Some(record),
        problems: Vec::new(),
    }
}

fn rejected(class: &TaughtClass, page: &Page) -> Problem {
    let broken = class.assertion.broken(page);
    let (n_failing, n_all) = (broken.len(), class.assertion.told().len());
    // What must not be there, or the address, is refused alone; of the other paths some may fail.
    let first = if class.assertion.is_template_of(page) {
        broken.last()
    } else {
        broken.first()
    };
    let first = first.cloned().unwrap_or_default();
    let message = format!(
        "{n_failing} of {n_all} assertions of {} do not hold, such as {first}",
        class.id
    );
    Problem::new("other template", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};
    use crate::rule::{Assertion, ExtractionRule};
    use crate::teach::{TaughtField, TaughtRule};

    fn class(id: &str, heading: &str, label: &str) -> TaughtClass {
        let rule = ExtractionRule::labeled(label, "../../td[1]/text()[1]").expect("a good path");
        let path = format!("//h1[.='{heading}']").parse().expect("a good path");
        TaughtClass {
            assertion: Assertion::all(vec![path]),
            fields: vec![TaughtField::of_rules(
                label.to_lowercase(),
                false,
                vec![TaughtRule { rule, weight: 1.0 }],
            )],
            ..TaughtClass::named(id)
        }
    }

    #[test]
    fn a_page_is_read_by_the_class_that_it_satisfies() {
        let specification = Specification {
            classes: vec![
                TaughtClass::named("HOME"),
                class("ITEM", "Item", "Price"),
                class("SHOP", "Shop", "Street"),
            ],
            ..Specification::default()
        };
        let check = |html: &str, expected: Result<(&str, &str), &str>| {
            let url = "http://shop.example/".parse().expect("a good address");
            let page = Page::read(&Response::html(url, html), &ParseOptions::default());
            let read = extract_by_specification(&page, &specification);
            let value = read
                .record
                .as_ref()
                .map(|record| (record.class.as_str(), record.fields[0].1[0].text.as_str()));
            assert_eq!(value.ok_or_else(|| read.problems[0].kind), expected, "{html}");
        };
        check("<h1>Shop</h1><table><tr><th>Street<td>Elm", Ok(("SHOP", "Elm")));
        check("<h1>Item</h1><table><tr><th>Price<td>$ 9", Ok(("ITEM", "$ 9")));
        check("<h1>News</h1><table><tr><th>Price<td>$ 9", Err("other template"));
        check("<h1>Item</h1><p>Price", Err("nothing read"));
    }
}
