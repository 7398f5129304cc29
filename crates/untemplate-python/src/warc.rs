//! `untemplate.read_warc`: the pages of a WARC file, one after the other.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use untemplate::page::Response;
use untemplate_store::{RecordReader, WarcOptions, page_of_record};

use crate::error::file_error;

/// The pages of a WARC file, plain, gzip or zstd, as `(url, body)`, in their order: what was
/// answered with HTML and a status of 2xx. With `content_type` pages are
/// `(url, body, content_type)`, so that encodings that only the server named are known. Records
/// that are damaged are left out; `problems` of the iterator tells of them.
#[pyfunction]
#[pyo3(signature = (path, *, content_type=false))]
pub fn read_warc(path: PathBuf, content_type: bool) -> PyResult<WarcPages> {
    let file = File::open(&path).map_err(|error| file_error("read", &path, error))?;
    let options = WarcOptions::default();
    Ok(WarcPages {
        reading: Mutex::new(OpenWarc {
            records: RecordReader::new(file, &options),
            problems: Vec::new(),
        }),
        options,
        path,
        content_type,
    })
}

/// The pages of a WARC file.
#[pyclass(frozen, module = "untemplate")]
pub struct WarcPages {
    reading: Mutex<OpenWarc>,
    options: WarcOptions,
    path: PathBuf,
    content_type: bool,
}

struct OpenWarc {
    records: RecordReader<File>,
    problems: Vec<String>,
}

impl WarcPages {
    /// The next page; `None` at the end.
    fn next_page(&self) -> PyResult<Option<Response>> {
        let mut reading = self.reading.lock().map_err(poisoned)?;
        let unreadable = |error| file_error("read", &self.path, error);
        while let Some(record) = reading.records.next_record().map_err(unreadable)? {
            match page_of_record(record, &self.options) {
                Ok(None) => {}
                Ok(Some(response)) => return Ok(Some(response)),
                Err(problem) => reading.problems.push(problem),
            }
        }
        Ok(None)
    }
}

fn poisoned<T>(_: T) -> PyErr {
    PyRuntimeError::new_err("an earlier read of the file did not end")
}

#[pymethods]
impl WarcPages {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(page) = py.detach(|| self.next_page())? else {
            return Ok(None);
        };
        let body = PyBytes::new(py, &page.body);
        let page = match self.content_type {
            true => (page.url.as_str(), body, page.content_type).into_pyobject(py)?,
            false => (page.url.as_str(), body).into_pyobject(py)?,
        };
        Ok(Some(page))
    }

    /// What was odd about the records so far.
    #[getter]
    fn problems(&self) -> PyResult<Vec<String>> {
        Ok(self.reading.lock().map_err(poisoned)?.problems.clone())
    }
}
