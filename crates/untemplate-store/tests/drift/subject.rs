//! What is verified and mended: a wrapper, or a specification, as its file has it.

use std::collections::BTreeMap;

use untemplate::page::Page;
use untemplate::teach::{
    Example, RepairOutcome, SamplePage, Session, SessionOptions, ShownValue, Specification, Subject, Verification,
    class_specification, extract_by_specification, repair_specification,
};
use untemplate::wrapper::{FieldFate, Record, Value, infer_template, repair_template};
use untemplate_store::{Extractor, Wrapper, parse_specification, read_wrapper, specification_text, write_wrapper};

use crate::corpus::KnownPage;

/// What was learnt, after its file was written and read again.
pub enum Learnt {
    Wrapper(Box<Wrapper>),
    Specification(Specification),
}

/// The values of each field on a page; fields of lists by their path.
pub type Values = BTreeMap<String, Vec<String>>;

/// The share of pages that must hold, as the program has it unless told otherwise.
const HELD_MIN: f64 = 0.9;

impl Learnt {
    /// A wrapper of pages.
    pub fn inferred(pages: &[KnownPage]) -> Self {
        let pages: Vec<&Page> = pages.iter().map(|page| &*page.page).collect();
        Self::wrapper(Wrapper::Template(infer_template(&pages)))
    }

    pub fn wrapper(wrapper: Wrapper) -> Self {
        let text = write_wrapper(&wrapper);
        Self::Wrapper(Box::new(read_wrapper(&text).expect("what was written can be read")))
    }

    /// A specification of what the first page that has most of it shows; questions are answered by
    /// the truth. `None` where nothing can be learnt.
    pub fn taught(pages: &[KnownPage]) -> Option<Self> {
        let n_present = |page: &KnownPage| page.truth.values().filter(|values| !values.is_empty()).count();
        let mut order: Vec<usize> = (0..pages.len()).collect();
        order.sort_by_key(|&page| std::cmp::Reverse(n_present(&pages[page])));
        let mut examples = Vec::new();
        for field in pages.first()?.truth.keys() {
            let has = |&&page: &&usize| pages[page].truth.get(field).is_some_and(|values| !values.is_empty());
            let Some(&page) = order.iter().find(has) else {
                continue;
            };
            let values = pages[page].truth[field].iter();
            examples.extend(values.map(|value| Example {
                field: field.clone(),
                page,
                value: value.as_str().into(),
            }));
        }
        let sample = pages.iter().map(|page| SamplePage::new(&page.name, page.page.clone()));
        let mut session = Session::new(sample.collect(), SessionOptions::default());
        session.show(&examples);
        while let Some(question) = session.question() {
            let truth = pages[question.page].truth.get(&question.field);
            let values: Vec<ShownValue> = truth.into_iter().flatten().map(|value| value.as_str().into()).collect();
            session.answer(&question, &values);
        }
        let specification = class_specification("PAGE", &session);
        let is_empty = specification.classes.iter().all(|class| class.fields.is_empty());
        (!is_empty).then(|| Self::specification(&specification))
    }

    pub fn specification(specification: &Specification) -> Self {
        let text = specification_text(specification);
        Self::Specification(parse_specification(&text).expect("what was written can be read"))
    }

    /// What each page says; values of a field in no order, since changes turn lists around.
    pub fn read<'a>(&self, pages: impl Iterator<Item = &'a Page>) -> Vec<Values> {
        let mut read = self.read_in_order(pages);
        read.iter_mut()
            .flat_map(|page| page.values_mut())
            .for_each(|values| values.sort());
        read
    }

    fn read_in_order<'a>(&self, pages: impl Iterator<Item = &'a Page>) -> Vec<Values> {
        match self {
            Self::Wrapper(wrapper) => {
                let extractor = Extractor::new((**wrapper).clone());
                pages.map(|page| flat(&extractor.extract(page).record)).collect()
            }
            Self::Specification(specification) => pages
                .map(|page| match extract_by_specification(page, specification).record {
                    Some(record) => {
                        let fields = record.fields.into_iter();
                        let fields =
                            fields.map(|(name, values)| (name, values.into_iter().map(|it| it.text).collect()));
                        fields
                            .filter(|(_, values): &(String, Vec<String>)| !values.is_empty())
                            .collect()
                    }
                    None => Values::new(),
                })
                .collect(),
        }
    }

    /// What has drifted on pages, each in words.
    pub fn drifted<'a>(&self, pages: impl Iterator<Item = &'a Page>) -> Vec<String> {
        match self {
            Self::Wrapper(wrapper) => {
                let mut verification = wrapper.verification();
                let extractor = Extractor::new((**wrapper).clone());
                pages.for_each(|page| {
                    verification.see(page);
                    verification.look_at(&extractor.extract(page), "page");
                });
                let told = verification.drifted(HELD_MIN);
                told.map(|(item, drift)| {
                    format!(
                        "{} {} of {}, {:?}: {drift:?}",
                        item.field, item.present, item.pages, item.trained
                    )
                })
                .collect()
            }
            Self::Specification(specification) => {
                let mut verification = Verification::new(specification);
                pages.for_each(|page| verification.look_at(specification, page, "page"));
                let told = verification.drifted(HELD_MIN);
                told.map(|(item, drift)| {
                    let name = match &item.subject {
                        Subject::Assertion(path) | Subject::Field(path) => path,
                    };
                    format!("{name} {} of {}, {:?}: {drift:?}", item.held, item.pages, item.trained)
                })
                .collect()
            }
        }
    }
}

impl Learnt {
    /// What is learnt again from old and new pages, and the fields that are given up.
    pub fn repaired(&self, old: &[&Page], new: &[&Page]) -> (Self, Vec<String>) {
        match self {
            Self::Wrapper(wrapper) => {
                let Wrapper::Template(template) = &**wrapper else {
                    unreachable!("only templates are inferred here");
                };
                let repair = repair_template(template, old, new, HELD_MIN);
                let lost = repair.fields.iter().filter(|(_, fate)| *fate == FieldFate::Lost);
                let lost = lost.map(|(field, _)| field.clone()).collect();
                (Self::wrapper(Wrapper::Template(repair.template)), lost)
            }
            Self::Specification(specification) => {
                let sample = |pages: &[&Page]| -> Vec<SamplePage> {
                    let page = |page: &&Page| SamplePage::new(page.url.as_str(), std::sync::Arc::new((*page).clone()));
                    pages.iter().map(page).collect()
                };
                let repair = repair_specification(specification, &sample(old), &sample(new), HELD_MIN);
                let lost = repair
                    .fields
                    .iter()
                    .filter(|field| field.outcome == RepairOutcome::Lost);
                let lost = lost.map(|field| field.field.clone()).collect();
                (Self::specification(&repair.specification), lost)
            }
        }
    }
}

/// The values of a record, without its structure.
fn flat(record: &Record) -> Values {
    let mut values = Values::new();
    let mut waiting: Vec<(String, &Record)> = vec![(String::new(), record)];
    while let Some((prefix, record)) = waiting.pop() {
        for (key, value) in &record.values {
            let path = format!("{prefix}{key}");
            match value {
                Value::Text(text) => values.entry(path).or_default().push(text.clone()),
                Value::List(rounds) => {
                    waiting.extend(rounds.iter().rev().map(|round| (format!("{path}."), round)));
                }
            }
        }
    }
    values
}
