//! Wrappers: inferred from pages, or from a file that the program wrote.

use std::fs;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use untemplate::page::Page;
use untemplate::table::ColumnKind;
use untemplate::wrapper::{Extraction, infer_template, pick_training_pages};
use untemplate_store::{Extractor, read_wrapper, write_whole, write_wrapper};

use crate::error::{Error, FormatError, file_error, told};
use crate::page::{GivenPage, all_pages, each_page};
use crate::table::{Cell, Column, Table, of_records};
use crate::value::{extraction_dict, record_dict};

/// How many pages of many a wrapper is inferred from, as `untemplate infer` does.
const TRAINING_PAGES: usize = 40;

/// Infers the wrapper of pages that one template made: what they have in common, and where they
/// differ. Of more pages than `training`, the most different are taken.
#[pyfunction]
#[pyo3(signature = (pages, *, training=TRAINING_PAGES))]
pub fn infer(py: Python<'_>, pages: &Bound<'_, PyAny>, training: usize) -> PyResult<Wrapper> {
    let pages = all_pages(pages)?;
    if pages.is_empty() {
        return Err(Error::new_err("there are no pages; give five or more of one kind"));
    }
    let parsed = each_page(py, &pages, GivenPage::parse);
    let wrapper = py.detach(|| {
        let all: Vec<&Page> = parsed.iter().collect();
        let chosen: Vec<&Page> = pick_training_pages(&all, training)
            .iter()
            .map(|&index| all[index])
            .collect();
        untemplate_store::Wrapper::Template(infer_template(&chosen))
    });
    Ok(Wrapper {
        text: write_wrapper(&wrapper),
        extractor: Extractor::new(wrapper),
    })
}

/// All that turns a page of one class into a record.
#[pyclass(frozen, module = "untemplate")]
pub struct Wrapper {
    text: String,
    extractor: Extractor,
}

impl Wrapper {
    fn read(&self, page: &GivenPage) -> Extraction {
        self.extractor.extract(&page.parse())
    }
}

#[pymethods]
impl Wrapper {
    /// Reads a wrapper file, of `untemplate infer` or `untemplate rebuild`.
    #[classmethod]
    fn load(class: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Self> {
        let text = fs::read_to_string(&path).map_err(|error| file_error("read", &path, error))?;
        Self::loads(class, &text).map_err(|error| named(class.py(), &path, &error))
    }

    /// Reads the text of a wrapper file.
    #[classmethod]
    fn loads(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        let wrapper = read_wrapper(text).map_err(|error| FormatError::new_err(told(&error)))?;
        Ok(Self {
            text: text.to_owned(),
            extractor: Extractor::new(wrapper),
        })
    }

    /// Writes a wrapper file, which the program reads as well; whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        write_whole(&path, self.text.as_bytes()).map_err(|error| file_error("write", &path, error))
    }

    /// The text of a wrapper file.
    fn dumps(&self) -> &str {
        &self.text
    }

    /// Reads a page: a dict with `url`, `matched` (whether the page is of the class), `record` and
    /// `problems`.
    fn extract<'py>(&self, py: Python<'py>, page: GivenPage) -> PyResult<Bound<'py, PyDict>> {
        let read = py.detach(|| self.read(&page));
        extraction(py, &page, &read)
    }

    /// Reads pages on all cores; a dict for each, in their order.
    fn extract_all<'py>(&self, py: Python<'py>, pages: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let pages = all_pages(pages)?;
        let read = each_page(py, &pages, |page| self.read(page));
        let dicts = pages.iter().zip(&read).map(|(page, read)| extraction(py, page, read));
        dicts.collect()
    }

    /// Reads pages on all cores into a table: `_url`, `_matched`, and a column for each key that a
    /// page has; what a page lists is a list of structs.
    fn table(&self, py: Python<'_>, pages: &Bound<'_, PyAny>) -> PyResult<Table> {
        let pages = all_pages(pages)?;
        let read = each_page(py, &pages, |page| self.read(page));
        let records: Vec<_> = read.iter().map(|read| &read.record).collect();
        let (columns, rows) = of_records(&records);
        let heads = pages
            .iter()
            .zip(&read)
            .map(|(page, read)| (page.url.as_str(), read.is_matched));
        Ok(page_table(columns, rows, heads))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (&str,))> {
        Ok((py.get_type::<Self>().getattr("loads")?, (&self.text,)))
    }
}

/// An error with the file it is about.
pub fn named(py: Python<'_>, path: &std::path::Path, error: &PyErr) -> PyErr {
    FormatError::new_err(format!("{}: {}", path.display(), error.value(py)))
}

/// A table of pages: their addresses, whether they are of the class, and what was read.
pub fn page_table<'a>(
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    heads: impl Iterator<Item = (&'a str, bool)>,
) -> Table {
    let own = [
        Column::of("_url", ColumnKind::Url),
        Column::of("_matched", ColumnKind::Boolean),
    ];
    let heads = heads.map(|(url, is_matched)| [Cell::Value(url.to_owned()), Cell::Value(is_matched.to_string())]);
    Table {
        columns: own.into_iter().chain(columns).collect(),
        rows: heads
            .zip(rows)
            .map(|(head, row)| head.into_iter().chain(row).collect())
            .collect(),
    }
}

fn extraction<'py>(py: Python<'py>, page: &GivenPage, read: &Extraction) -> PyResult<Bound<'py, PyDict>> {
    let record = record_dict(py, &read.record)?;
    extraction_dict(py, page.url.as_str(), read.is_matched, record, &read.problems)
}
