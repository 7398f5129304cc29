//! All fields of a page, proposed: what inference finds on the pages of a class, as examples.
//!
//! In: the sample of a class and the page in view. Out: a [`ProposedValue`] for each field that the
//! inferred wrapper of the sample has on its pages, with the examples that teach it. A person
//! strikes out what is not wanted and renames the rest.
//!
//! Two ways to a value vouch for each other: the wrapper's alignment of whole pages, and the rules
//! that its values give. Where both say the same on every page, all pages count as shown and
//! nothing is left to ask; where they part, only the page in view counts, and the usual questions
//! follow.

use super::sample::SamplePage;
use super::session::{Example, Session, SessionOptions};
use super::spot::ShownValue;
use super::taught_field::TaughtField;
use crate::page::{Name, Page};
use crate::rule::Selected;
use crate::wrapper::{Extraction, Matcher, SourcePart, Value, infer_template};

/// A field that may be wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposedValue {
    /// What the page calls it.
    pub name: String,
    /// On each page of the sample what it is there, if anything.
    pub values: Vec<Option<ShownValue>>,
    /// What teaches it.
    pub examples: Vec<Example>,
    /// Pages that are known to be without it.
    pub absent: Vec<usize>,
    /// Whether it is told beyond doubt, so that nothing is asked.
    pub is_sure: bool,
    /// Whether it is likely wanted: what all pages say alike is not.
    pub is_wanted: bool,
}

/// Pages that a wrapper can be inferred from.
const PAGES_MIN: usize = 2;

/// Fields that are proposed at most.
const FIELDS_MAX: usize = 80;

/// Letters of a value at most: longer ones are running text, which nobody puts into a column
/// unasked.
const WANTED_LETTERS_MAX: usize = 400;

/// Proposes the fields of a class, in the order of the page in view; none where the sample is too
/// small to tell what varies.
pub fn propose_fields(sample: &[SamplePage], page: usize) -> Vec<ProposedValue> {
    if sample.len() < PAGES_MIN || page >= sample.len() {
        return Vec::new();
    }
    let pages: Vec<&Page> = sample.iter().map(|its| &*its.page).collect();
    let matcher = Matcher::new(infer_template(&pages));
    let read: Vec<Extraction> = pages.iter().map(|page| matcher.extract(page)).collect();
    let mut names: Vec<&str> = Vec::new();
    // The page in view says the order; what only others have comes behind.
    let in_order = std::iter::once(&read[page]).chain(&read);
    for (key, value) in in_order.flat_map(|its| &its.record.values) {
        if matches!(value, Value::Text(_)) && !names.contains(&&**key) && names.len() < FIELDS_MAX {
            names.push(key);
        }
    }
    let proposed = names.into_iter().filter_map(|name| {
        let values: Vec<Option<ShownValue>> = sample
            .iter()
            .zip(&read)
            .map(|(page, read)| shown_value(&page.page, read, name))
            .collect();
        proposed(sample, page, (name, is_piece(&read, name)), values)
    });
    proposed.collect()
}

/// What the wrapper reads on a page, where it stands.
fn shown_value(page: &Page, read: &Extraction, name: &str) -> Option<ShownValue> {
    let text = read.record.text(name).filter(|text| !text.trim().is_empty())?;
    let source = read.source(&[], name)?;
    let attribute = match source.part {
        SourcePart::Attribute(attribute) => Some(attribute),
        SourcePart::Text | SourcePart::Piece => None,
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // What the page is called stands where a reader sees it, too.
    let heading = page
        .dom
        .find(Name::H1)
        .filter(|&heading| page.dom.visible_text(heading) == text);
    let is_title = page.dom.is_html(source.node, Name::TITLE)
        || page
            .dom
            .ancestors(source.node)
            .any(|it| page.dom.is_html(it, Name::HEAD));
    let node = heading.filter(|_| is_title).unwrap_or(source.node);
    let value = ShownValue::at(&page.dom, Selected { node, attribute }, &text);
    // What is not at its place cannot be pointed at.
    value.innermost(&page.dom).is_some().then_some(value)
}

/// Whether the wrapper reads a field as a piece of a text: the whole text is a field as well.
fn is_piece(read: &[Extraction], name: &str) -> bool {
    let mut sources = read.iter().filter_map(|read| read.source(&[], name));
    sources.any(|source| source.part == SourcePart::Piece)
}

fn proposed(
    sample: &[SamplePage],
    page: usize,
    (name, is_piece): (&str, bool),
    values: Vec<Option<ShownValue>>,
) -> Option<ProposedValue> {
    let shown_on = if values[page].is_some() {
        page
    } else {
        values.iter().position(Option::is_some)?
    };
    let example = |page: usize, value: &ShownValue| Example {
        field: name.to_owned(),
        page,
        value: value.clone(),
    };
    let first = example(shown_on, values[shown_on].as_ref()?);
    let numbered = || values.iter().enumerate();
    let all: Vec<Example> = numbered()
        .filter_map(|(page, value)| Some(example(page, value.as_ref()?)))
        .collect();
    let absent: Vec<usize> = numbered()
        .filter(|(_, value)| value.is_none())
        .map(|(page, _)| page)
        .collect();
    let is_sure = is_sure(sample, name, &all, &absent, &values);
    let texts: Vec<&str> = values.iter().flatten().map(|value| value.text.as_str()).collect();
    let is_constant = texts.len() == sample.len() && texts.iter().all(|text| *text == texts[0]);
    let is_prose = texts.iter().any(|text| text.chars().count() > WANTED_LETTERS_MAX);
    let (examples, absent) = if is_sure {
        (all, absent)
    } else {
        (vec![first], Vec::new())
    };
    Some(ProposedValue {
        name: name.to_owned(),
        is_wanted: !is_constant && !is_prose && !is_piece,
        values,
        examples,
        absent,
        is_sure,
    })
}

/// Whether rules that are learnt from what the wrapper reads read the same on every page. A wrapper
/// that took another field's value on one page has rules from the others against it.
fn is_sure(
    sample: &[SamplePage],
    name: &str,
    examples: &[Example],
    absent: &[usize],
    values: &[Option<ShownValue>],
) -> bool {
    let mut session = Session::new(sample.to_vec(), SessionOptions::default());
    session.show(examples);
    absent.iter().for_each(|&page| session.show_absent(name, page));
    let fields = session.fields();
    let says_so = |(page, value): (&SamplePage, &Option<ShownValue>)| {
        fields.first().is_some_and(|field| says_so(field, page, value.as_ref()))
    };
    session.doubtful().is_empty() && sample.iter().zip(values).all(says_so)
}

/// Whether the rules of a field read on a page what the wrapper reads there.
fn says_so(field: &TaughtField, page: &SamplePage, value: Option<&ShownValue>) -> bool {
    let reading = field.read(&page.page, &page.texts);
    let texts: Vec<&str> = reading.values.iter().map(|picked| picked.text.as_str()).collect();
    match value {
        Some(value) => texts == [value.text.as_str()],
        None => texts.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use expect_test::expect;

    use super::*;
    use crate::page::{ParseOptions, Response};
    use crate::teach::{Choice, Lesson, replay};

    fn sample() -> Vec<SamplePage> {
        let page = |(number, (name, city, age)): (usize, &(&str, Option<&str>, &str))| {
            let city = city.map_or_else(String::new, |city| format!("<dt>City</dt><dd>{city}</dd>"));
            let html = format!(
                "<h1>{name}</h1><p>Member of the club</p><dl>{city}<dt>Age</dt><dd>{age}</dd><dt>Shirt</dt><dd>{age}</dd></dl>"
            );
            let url = format!("http://cup.example/{number}").parse().expect("a good address");
            let page = Page::read(&Response::html(url, html), &ParseOptions::default());
            SamplePage::new(number.to_string(), Arc::new(page))
        };
        let things = [
            ("Ada", Some("Bloerby"), "23"),
            ("Bo", None, "31"),
            ("Cy", Some("Creinford"), "40"),
            ("Di", Some("Thoronby"), "28"),
        ];
        things.iter().enumerate().map(page).collect()
    }

    #[test]
    fn all_fields_are_proposed_with_what_teaches_them() {
        let proposed = propose_fields(&sample(), 0);
        let line = |its: &ProposedValue| {
            let texts = its
                .values
                .iter()
                .map(|value| value.as_ref().map_or("-", |value| &value.text));
            let (name, texts) = (&its.name, texts.collect::<Vec<_>>().join(", "));
            format!(
                "{name}: {texts}; sure {}, {} shown, absent on {:?}\n",
                its.is_sure,
                its.examples.len(),
                its.absent
            )
        };
        expect![[r#"
            h1: Ada, Bo, Cy, Di; sure true, 4 shown, absent on []
            city: Bloerby, -, Creinford, Thoronby; sure true, 3 shown, absent on [1]
            age: 23, 31, 40, 28; sure true, 4 shown, absent on []
        "#]]
        .assert_eq(&proposed.iter().map(line).collect::<String>());
    }

    #[test]
    fn what_was_proposed_is_learnt_without_a_question() {
        let sample = sample();
        let mut lesson = Lesson::new("http://cup.example/".parse().expect("a good address"));
        for its in propose_fields(&sample, 0) {
            let absent = its.absent.iter().map(|&page| (its.name.clone(), page)).collect();
            lesson.take(&Choice::ShowAll {
                class: "HOME".to_owned(),
                examples: its.examples,
                absent,
            });
        }
        let session = replay(&lesson.classes[0], sample, SessionOptions::default());
        assert_eq!(session.question(), None);
        let fields = session.fields();
        let city = fields
            .iter()
            .find(|field| field.name == "city")
            .expect("it was proposed");
        assert!(city.is_optional, "Bo has none");
    }
}
