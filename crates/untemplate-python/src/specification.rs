//! Specifications: page classes that somebody taught, by examples or in the studio.

use std::fs;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use untemplate::page::Problem;
use untemplate::rule::Picked;
use untemplate::teach::extract_by_specification;
use untemplate_store::{parse_specification, specification_text, write_whole};

use crate::error::{FormatError, file_error, told};
use crate::page::{GivenPage, all_pages, each_page};
use crate::table::{Cell, Column, Kind, Table};
use crate::value::extraction_dict;
use crate::wrapper::{named, page_table};

/// Page classes that were taught: how to tell their pages, and what to read on them.
#[pyclass(frozen, module = "untemplate")]
pub struct Specification {
    specification: untemplate::teach::Specification,
}

/// What was read on a page.
struct SpecificationReading {
    is_matched: bool,
    fields: Vec<(String, Vec<String>)>,
    problems: Vec<Problem>,
}

impl Specification {
    /// A specification of the library.
    pub fn new(specification: untemplate::teach::Specification) -> Self {
        Self { specification }
    }

    fn read(&self, page: &GivenPage) -> SpecificationReading {
        let specified = extract_by_specification(&page.parse(), &self.specification);
        let is_matched = specified.record.is_some();
        let mut problems = specified.problems;
        let fields = specified.record.map_or_else(Vec::new, |record| {
            problems.extend(record.problems);
            record.fields
        });
        let texts = |values: Vec<Picked>| values.into_iter().map(|picked| picked.text).collect();
        SpecificationReading {
            is_matched,
            fields: fields.into_iter().map(|(name, values)| (name, texts(values))).collect(),
            problems,
        }
    }
}

#[pymethods]
impl Specification {
    /// Reads a specification file, of `untemplate learn` or the studio.
    #[classmethod]
    fn load(class: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Self> {
        let text = fs::read_to_string(&path).map_err(|error| file_error("read", &path, error))?;
        Self::loads(class, &text).map_err(|error| named(class.py(), &path, &error))
    }

    /// Reads the text of a specification file.
    #[classmethod]
    fn loads(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        let specification = parse_specification(text).map_err(|error| FormatError::new_err(told(&error)))?;
        Ok(Self { specification })
    }

    /// Writes a specification file, which the program reads as well; whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        write_whole(&path, self.dumps().as_bytes()).map_err(|error| file_error("write", &path, error))
    }

    /// The text of a specification file.
    fn dumps(&self) -> String {
        specification_text(&self.specification)
    }

    /// The names of the fields of each page class.
    #[getter]
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for class in &self.specification.classes {
            let names: Vec<&str> = class.fields.iter().map(|field| field.name.as_str()).collect();
            dict.set_item(&class.id, names)?;
        }
        Ok(dict)
    }

    /// Reads a page by the class it is of: a dict with `url`, `matched`, `record` and `problems`. A
    /// field is a text, a list of texts where there are several, or None.
    fn extract<'py>(&self, py: Python<'py>, page: GivenPage) -> PyResult<Bound<'py, PyDict>> {
        let read = py.detach(|| self.read(&page));
        reading_dict(py, &page, &read)
    }

    /// Reads pages on all cores; a dict for each, in their order.
    fn extract_all<'py>(&self, py: Python<'py>, pages: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let pages = all_pages(pages)?;
        let read = each_page(py, &pages, |page| self.read(page));
        let dicts = pages.iter().zip(&read).map(|(page, read)| reading_dict(py, page, read));
        dicts.collect()
    }

    /// Reads pages on all cores into a table: `_url`, `_matched`, and a column of lists of texts
    /// for each field.
    fn table(&self, py: Python<'_>, pages: &Bound<'_, PyAny>) -> PyResult<Table> {
        let pages = all_pages(pages)?;
        let read = each_page(py, &pages, |page| self.read(page));
        let mut names: Vec<&str> = Vec::new();
        for field in self.specification.classes.iter().flat_map(|class| &class.fields) {
            if !names.contains(&field.name.as_str()) {
                names.push(&field.name);
            }
        }
        let column = |name: &&str| Column {
            name: (*name).to_owned(),
            kind: Kind::Texts,
            unit: None,
        };
        let row = |read: &SpecificationReading| {
            let cell = |name: &&str| {
                let field = read.fields.iter().find(|(own, _)| own == name);
                field.map_or(Cell::Missing, |(_, texts)| Cell::Texts(texts.clone()))
            };
            names.iter().map(cell).collect()
        };
        let heads = pages
            .iter()
            .zip(&read)
            .map(|(page, read)| (page.url.as_str(), read.is_matched));
        Ok(page_table(
            names.iter().map(column).collect(),
            read.iter().map(row).collect(),
            heads,
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("loads")?, (self.dumps(),)))
    }
}

fn reading_dict<'py>(py: Python<'py>, page: &GivenPage, read: &SpecificationReading) -> PyResult<Bound<'py, PyDict>> {
    let record = PyDict::new(py);
    for (name, texts) in &read.fields {
        match texts.as_slice() {
            [] => record.set_item(name, py.None())?,
            [only] => record.set_item(name, only)?,
            several => record.set_item(name, several)?,
        }
    }
    extraction_dict(py, page.url.as_str(), read.is_matched, record, &read.problems)
}
