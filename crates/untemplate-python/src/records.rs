//! `untemplate.records`: the main list of a page.

use std::sync::Arc;

use pyo3::prelude::*;
use untemplate::job::ShownList;
use untemplate::record::{FollowedList, QueryHint, RecordOptions, find_records};

use crate::page::{Body, GivenPage, parse_url};
use crate::table::Table;

/// The main list of a page, as a typed table; without rows where the page has no list. `query` is
/// what was searched for where the page shows results: a text, or the values of a form as
/// `a=1&b=2`.
#[pyfunction]
#[pyo3(signature = (html, url, *, query=None))]
pub fn records(py: Python<'_>, html: Body, url: &str, query: Option<&str>) -> PyResult<Table> {
    let given = GivenPage::new(parse_url(url)?, html);
    let options = RecordOptions {
        hint: query.map(QueryHint::parse).unwrap_or_default(),
        ..RecordOptions::default()
    };
    let (table, rows) = py.detach(|| {
        let page = Arc::new(given.parse());
        let main = find_records(&page, &options).regions.into_iter().take(1);
        let list = FollowedList {
            parts: main.map(|region| (Arc::clone(&page), region)).collect(),
            cut_short: None,
        };
        ShownList::of(&list).table(false)
    });
    Ok(Table::of_table(&table, rows))
}
