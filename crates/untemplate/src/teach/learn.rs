//! Learning from examples: pages that somebody has, or a site to find them on, examples and answers
//! in, a specification out.

use super::assembly::{ClassEvidence, assemble};
use super::navigation::{
    LearnOptions, LearntNavigation, NamedExample, NavigationError, ShownSite, Teacher, learn_navigation,
};
use super::sample::SamplePage;
use super::session::{Answer, Example, Question, Session, SessionOptions};
use super::specification::{Specification, SpecificationError};
use super::spot::ShownValue;
use crate::page::Site;

/// Why nothing could be learnt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LearnError {
    /// An example names a page that the sample does not have.
    #[error("the example of {field} is on page {page}, and there are {n_pages}; pages are counted from 0")]
    NoSuchPage {
        /// The field.
        field: String,
        /// The number of the page.
        page: usize,
        /// How many pages there are.
        n_pages: usize,
    },
    /// The values of these fields stand nowhere on their pages.
    #[error("no text of its pages is the value that was shown of {}; give values as the pages show them", fields.join(", "))]
    Unlearnt {
        /// The fields.
        fields: Vec<String>,
    },
    /// None of the examples is on a page that could be visited.
    #[error("none of the pages that the examples are on could be fetched")]
    NoExample,
    /// Pages cannot be reached as it was shown.
    #[error(transparent)]
    Navigation(#[from] NavigationError),
    /// What was learnt makes no sense as a specification.
    #[error(transparent)]
    Specification(#[from] SpecificationError),
}

/// Learns to read pages of one class, called `class`. Whatever is in doubt is asked: `answer` gives
/// the values that the field has on the page of the question, none where it is absent, or `None`
/// where nobody knows.
pub fn learn(
    class: &str,
    pages: Vec<SamplePage>,
    examples: &[Example],
    answer: &mut dyn FnMut(&Question) -> Option<Vec<String>>,
) -> Result<Specification, LearnError> {
    if let Some(example) = examples.iter().find(|example| example.page >= pages.len()) {
        return Err(LearnError::NoSuchPage {
            field: example.field.clone(),
            page: example.page,
            n_pages: pages.len(),
        });
    }
    let mut session = Session::new(pages, SessionOptions::default());
    session.show(examples);
    session.ask_all(|question, _| {
        let values = answer(question)?.into_iter().map(ShownValue::from);
        Some(Answer::Values(values.collect()))
    });
    let fields: Vec<String> = session.unlearnt().into_iter().map(str::to_owned).collect();
    if !fields.is_empty() {
        return Err(LearnError::Unlearnt { fields });
    }
    let specification = class_specification(class, &session);
    specification.check()?;
    Ok(specification)
}

/// What a session learnt, as the specification of one class without navigation.
pub fn class_specification(class: &str, session: &Session) -> Specification {
    assemble(None, vec![ClassEvidence::of(class, Vec::new(), session)], Vec::new()).0
}

/// What was learnt of a site.
#[derive(Debug, Clone)]
pub struct LearntSite {
    /// How it is read; its target has no fields where none was learnt.
    pub specification: Specification,
    /// How many questions were asked, answered or not.
    pub n_questions: usize,
    /// What could not be learnt or visited, for people.
    pub lost: Vec<String>,
}

/// Learns to reach and to read the pages of a class from what is shown of a site: its navigation is
/// tried out, and what is in doubt, of links and of fields, is asked.
pub fn learn_site(
    shown: &ShownSite,
    options: &LearnOptions,
    site: &mut dyn Site,
    teacher: &mut dyn Teacher,
) -> Result<LearntSite, LearnError> {
    let mut learnt = if shown.navigation.is_empty() {
        LearntNavigation::of_known(&shown.known)
    } else {
        learn_navigation(shown, options, site, teacher)?
    };
    let mut sample = learnt
        .class(&shown.target)
        .map_or_else(Vec::new, |class| class.sample.clone());
    sample.retain(|page| shown.unwanted.iter().all(|its| its.name != page.name));
    let examples = numbered(&shown.examples, &sample);
    if examples.is_empty() {
        return Err(LearnError::NoExample);
    }
    let mut session = Session::new(sample, options.session);
    session.show(&examples);
    session.ask_all(|question, page| teacher.value(question, page));
    learnt.lost.extend(unlearnt(&session));
    let evidence = learnt.classes.iter().map(|class| {
        let mut evidence = ClassEvidence {
            id: class.id.clone(),
            addresses: class.addresses.clone(),
            fields: Vec::new(),
            rows: Vec::new(),
            wanted: class.sample.clone(),
            unwanted: Vec::new(),
        };
        if class.id == shown.target {
            evidence = ClassEvidence::of(&class.id, class.addresses.clone(), &session);
            evidence.unwanted.splice(..0, shown.unwanted.iter().cloned());
        }
        evidence
    });
    let entry = shown.entries.first().cloned();
    let (specification, untold) = assemble(entry, evidence.collect(), learnt.request_classes);
    learnt.lost.extend(untold);
    Ok(LearntSite {
        specification,
        n_questions: learnt.n_questions + session.n_questions(),
        lost: learnt.lost,
    })
}

/// The examples with their pages as numbers; those whose page is not in the sample are left out.
fn numbered(examples: &[NamedExample], sample: &[SamplePage]) -> Vec<Example> {
    let number = |example: &NamedExample| {
        let page = sample.iter().position(|page| page.name == example.page)?;
        let (field, value) = (example.field.clone(), example.value.clone());
        Some(Example { field, page, value })
    };
    examples.iter().filter_map(number).collect()
}

/// The fields that were not learnt, or are in doubt, for people.
fn unlearnt(session: &Session) -> Vec<String> {
    let unlearnt = session.unlearnt().into_iter().map(|name| {
        format!("field {name}: no text of its pages is the value that was shown; look at `untemplate show page`")
    });
    let doubtful = session.doubtful().into_iter().map(|(name, page)| {
        let page = &session.sample()[page].name;
        format!(
            "field {name}: every rule contradicts what is known of {page}; check the examples and answers, or give the field one meaning"
        )
    });
    unlearnt.chain(doubtful).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};
    use std::sync::Arc;

    fn learnt(value: &str, page: usize) -> Result<Specification, LearnError> {
        let read = |born: &u32| {
            let url = format!("http://cup.example/{born}").parse().expect("a good address");
            let html = format!("<dl><dt>Born<dd>{born}<dt>Team<dd>Rovers</dl>");
            SamplePage::new(
                "page",
                Arc::new(Page::read(&Response::html(url, html), &ParseOptions::default())),
            )
        };
        let example = Example {
            field: "born".to_owned(),
            page,
            value: value.into(),
        };
        learn(
            "PLAYER",
            [1815, 1905].iter().map(read).collect(),
            &[example],
            &mut |_| None,
        )
    }

    #[test]
    fn what_stands_nowhere_cannot_be_learnt() {
        assert_eq!(
            learnt("1815", 0).expect("it is there").classes[0].fields[0].name,
            "born"
        );
        let unlearnt = LearnError::Unlearnt {
            fields: vec!["born".to_owned()],
        };
        assert_eq!(learnt("1816", 0), Err(unlearnt));
        assert!(matches!(learnt("1815", 2), Err(LearnError::NoSuchPage { page: 2, .. })));
    }
}
