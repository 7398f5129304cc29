//! Learning from pages that somebody has: examples and answers in, a specification out.

use super::lesson::taught_class;
use super::sample::SamplePage;
use super::session::{Example, Question, Session, SessionOptions};
use super::specification::{Specification, SpecificationError};

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
    /// What was learnt makes no sense as a specification.
    #[error(transparent)]
    Specification(#[from] SpecificationError),
}

/// Learns to read pages of one class, called `class`. Whatever is in doubt is asked: `answer` gives the values that the
/// field has on the page of the question, none where it is absent, or `None` where nobody knows.
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
    while let Some(question) = session.question() {
        match answer(&question) {
            Some(values) => session.answer(&question, &values),
            None => session.skip(&question),
        }
    }
    let fields: Vec<String> = session.unlearnt().into_iter().map(str::to_owned).collect();
    if !fields.is_empty() {
        return Err(LearnError::Unlearnt { fields });
    }
    let specification = Specification {
        classes: vec![taught_class(class, &session, &[])],
        ..Specification::default()
    };
    specification.check()?;
    Ok(specification)
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
            value: value.to_owned(),
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
