//! Exceptions: one base class, and a class for each thing that somebody may want to catch.

use std::error::Error as StdError;
use std::fmt::{Display, Write};
use std::path::Path;

use pyo3::PyErr;
use pyo3::exceptions::PyException;

pyo3::create_exception!(
    untemplate,
    Error,
    PyException,
    "What all errors of this package have in common."
);
pyo3::create_exception!(
    untemplate,
    AddressError,
    Error,
    "An address is none, or none that a page can have."
);
pyo3::create_exception!(untemplate, FileError, Error, "A file cannot be read or written.");
pyo3::create_exception!(
    untemplate,
    FormatError,
    Error,
    "A file or text is not what it should be, or was written by another version."
);
pyo3::create_exception!(
    untemplate,
    LearnError,
    Error,
    "Nothing could be learnt from the pages and examples."
);
pyo3::create_exception!(
    untemplate,
    SiteError,
    Error,
    "A site has no page to begin with, or could not be read."
);

/// An error with all that caused it, on one line.
pub fn told(error: &dyn StdError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let _ = write!(text, ": {error}");
        cause = error.source();
    }
    text
}

/// A file that cannot be read or written.
pub fn file_error(what: &str, path: &Path, error: impl Display) -> PyErr {
    FileError::new_err(format!("cannot {what} {}: {error}", path.display()))
}
