//! Records as dictionaries, and what is odd about a page as texts.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use untemplate::page::Problem;
use untemplate::wrapper::{Record, Value};

/// A record: texts, and lists of records.
pub fn record_dict<'py>(py: Python<'py>, record: &Record) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (key, value) in &record.values {
        match value {
            Value::Text(text) => dict.set_item(&**key, text)?,
            Value::List(rounds) => {
                let rounds = rounds.iter().map(|round| record_dict(py, round));
                dict.set_item(&**key, PyList::new(py, rounds.collect::<PyResult<Vec<_>>>()?)?)?;
            }
        }
    }
    Ok(dict)
}

/// What `untemplate extract` says of a page.
pub fn extraction_dict<'py>(
    py: Python<'py>,
    url: &str,
    is_matched: bool,
    record: Bound<'py, PyDict>,
    problems: &[Problem],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("url", url)?;
    dict.set_item("matched", is_matched)?;
    dict.set_item("record", record)?;
    dict.set_item("problems", problem_texts(problems))?;
    Ok(dict)
}

/// Problems, for people.
pub fn problem_texts(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}
