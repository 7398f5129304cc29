//! `untemplate.learn`: pages and examples to a specification.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use untemplate::teach::{Example, Question, SamplePage};

use crate::error::{LearnError, told};
use crate::page::{GivenPage, all_pages, each_page, parse_url};
use crate::specification::Specification;

/// Learns to read pages of one class from a few values on them: `examples` has for each field the
/// addresses of pages and the value that the field has there, as the page shows it. What is in
/// doubt is asked: `answer` is called with a dict (`field`, `url`, `choices`) and returns the
/// values that the field has on that page, `[]` where it is absent, or None where nobody knows.
#[pyfunction]
#[pyo3(signature = (pages, examples, *, answer=None, class_name="PAGE"))]
pub fn learn(
    py: Python<'_>,
    pages: &Bound<'_, PyAny>,
    examples: &Bound<'_, PyDict>,
    answer: Option<Py<PyAny>>,
    class_name: &str,
) -> PyResult<Specification> {
    let pages = all_pages(pages)?;
    let examples = numbered(&pages, examples)?;
    let parsed = each_page(py, &pages, |page| {
        SamplePage::new(page.url.as_str(), Arc::new(page.parse()))
    });
    let mut failure = None;
    let learnt = py.detach(|| {
        let mut ask = |question: &Question| {
            let answer = answer.as_ref().filter(|_| failure.is_none())?;
            match Python::attach(|py| asked(py, answer, question, &pages)) {
                Ok(values) => values,
                Err(error) => {
                    failure = Some(error);
                    None
                }
            }
        };
        untemplate::learn(class_name, parsed, &examples, &mut ask)
    });
    match (failure, learnt) {
        (Some(error), _) => Err(error),
        (None, Ok(specification)) => Ok(Specification::new(specification)),
        (None, Err(error)) => Err(LearnError::new_err(told(&error))),
    }
}

/// The examples, with the places of their pages among those that were given.
fn numbered(pages: &[GivenPage], examples: &Bound<'_, PyDict>) -> PyResult<Vec<Example>> {
    let mut all = Vec::new();
    for (field, values) in examples.iter() {
        let field: String = field.extract()?;
        for (address, value) in values.cast::<PyDict>()?.iter() {
            let url = parse_url(&address.extract::<String>()?)?;
            let Some(page) = pages.iter().position(|page| page.url == url) else {
                let what = format!("the example of {field} is on {url}, which is not among the pages");
                return Err(LearnError::new_err(what));
            };
            let value: String = value.extract()?;
            let value = value.split_whitespace().collect::<Vec<&str>>().join(" ").into();
            let field = field.clone();
            all.push(Example { field, page, value });
        }
    }
    if all.is_empty() {
        let what = "there is no example; give {\"price\": {\"http://site.example/a\": \"$ 9\"}}";
        return Err(LearnError::new_err(what));
    }
    Ok(all)
}

/// What somebody answers to a question.
fn asked(
    py: Python<'_>,
    answer: &Py<PyAny>,
    question: &Question,
    pages: &[GivenPage],
) -> PyResult<Option<Vec<String>>> {
    let shown: HashMap<&str, Py<PyAny>> = HashMap::from([
        ("field", question.field.clone().into_pyobject(py)?.into_any().unbind()),
        (
            "url",
            pages[question.page].url.as_str().into_pyobject(py)?.into_any().unbind(),
        ),
        (
            "choices",
            question.choices.clone().into_pyobject(py)?.into_any().unbind(),
        ),
    ]);
    let given = answer.bind(py).call1((shown,))?;
    if let Ok(text) = given.extract::<String>() {
        return Ok(Some(vec![text]));
    }
    given.extract()
}
