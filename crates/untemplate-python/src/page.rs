//! Pages as Python has them: `(url, body)`, or `(url, body, content_type)` where a server said how
//! the body is encoded.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::PyTuple;
use rayon::prelude::*;
use untemplate::page::{Page, ParseOptions, Response};
use url::Url;

use crate::error::AddressError;

/// A page that was given.
pub struct GivenPage {
    /// Its address.
    pub url: Url,
    body: Body,
    content_type: Option<String>,
}

/// The body of a page; it stays where Python has it.
pub enum Body {
    /// As it was fetched.
    Bytes(PyBackedBytes),
    /// As somebody decoded it.
    Text(PyBackedStr),
}

impl<'py> FromPyObject<'_, 'py> for Body {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = given.extract::<PyBackedBytes>() {
            return Ok(Self::Bytes(bytes));
        }
        match given.extract::<PyBackedStr>() {
            Ok(text) => Ok(Self::Text(text)),
            Err(_) => {
                let kind = given.get_type().name()?.to_string();
                Err(PyTypeError::new_err(format!(
                    "the body of a page is bytes or str, not {kind}"
                )))
            }
        }
    }
}

impl<'py> FromPyObject<'_, 'py> for GivenPage {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let shape = || PyTypeError::new_err("a page is (url, body) or (url, body, content_type)");
        let tuple = given.cast::<PyTuple>().map_err(|_| shape())?;
        let content_type = match tuple.len() {
            2 => None,
            3 => tuple.get_item(2)?.extract::<Option<String>>()?,
            _ => return Err(shape()),
        };
        let address: String = tuple.get_item(0)?.extract().map_err(|_| shape())?;
        Ok(Self {
            url: parse_url(&address)?,
            body: tuple.get_item(1)?.extract()?,
            content_type,
        })
    }
}

impl GivenPage {
    /// A page of its parts.
    pub fn new(url: Url, body: Body) -> Self {
        Self {
            url,
            body,
            content_type: None,
        }
    }

    /// The page as a source would answer it.
    pub fn response(&self) -> Response {
        let (bytes, content_type) = match &self.body {
            Body::Bytes(bytes) => (bytes.to_vec(), self.content_type.clone()),
            // Whoever decoded it knew its encoding.
            Body::Text(text) => (text.as_bytes().to_vec(), Some("text/html; charset=utf-8".to_owned())),
        };
        let response = Response::html(self.url.clone(), bytes);
        Response {
            content_type: content_type.or(response.content_type),
            ..response
        }
    }

    /// The page, parsed.
    pub fn parse(&self) -> Page {
        Page::read(&self.response(), &ParseOptions::default())
    }
}

/// An address that a page can have.
pub fn parse_url(address: &str) -> PyResult<Url> {
    let what = "give one such as http://site.example/";
    match Url::parse(address) {
        Ok(url) => Ok(url),
        Err(error) => Err(AddressError::new_err(format!(
            "{address:?} is no address ({error}); {what}"
        ))),
    }
}

/// All pages of something that can be iterated over.
pub fn all_pages(pages: &Bound<'_, PyAny>) -> PyResult<Vec<GivenPage>> {
    pages.try_iter()?.map(|page| page?.extract()).collect()
}

/// A page that was given, or its address and why it is none.
pub type AnyPage = Result<GivenPage, (Option<String>, String)>;

/// Pages as they come; what is no page is kept with the reason.
pub fn any_pages(pages: &Bound<'_, PyAny>) -> PyResult<Vec<AnyPage>> {
    let take = |page: PyResult<Bound<'_, PyAny>>| {
        let page = page?;
        Ok(page.extract::<GivenPage>().map_err(|error| {
            let address = page.get_item(0).ok().and_then(|address| address.extract().ok());
            (address, error.value(page.py()).to_string())
        }))
    };
    pages.try_iter()?.map(take).collect()
}

/// Does something with each page, on all cores and without the interpreter's lock; results are in
/// the order of the pages.
pub fn each_page<P: Sync, T: Send>(py: Python<'_>, pages: &[P], read: impl Fn(&P) -> T + Sync + Send) -> Vec<T> {
    py.detach(|| match pages {
        [only] => vec![read(only)],
        _ => pages.par_iter().map(&read).collect(),
    })
}
