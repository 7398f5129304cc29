//! The Python package `untemplate`: the library's functions, as Python's.
//!
//! It translates and decides nothing: pages are tuples, results are dictionaries and Arrow tables,
//! errors are exceptions of its own. Whatever takes time runs without the interpreter's lock. The
//! Python side, with types and the modules for Scrapy and Spark, is in `python/untemplate`.

use pyo3::prelude::*;

mod arrow;
mod error;
mod learning;
mod page;
mod rebuilding;
mod records;
mod site_model;
mod site_reader;
mod specification;
mod table;
mod value;
mod warc;
mod wrapper;

/// The part of the package that is compiled.
#[pymodule]
mod _untemplate {
    #[pymodule_export]
    use super::error::{AddressError, Error, FileError, FormatError, LearnError, SiteError};
    #[pymodule_export]
    use super::learning::learn;
    #[pymodule_export]
    use super::rebuilding::rebuild;
    #[pymodule_export]
    use super::records::records;
    #[pymodule_export]
    use super::site_model::{SiteModel, classify, model};
    #[pymodule_export]
    use super::site_reader::SiteReader;
    #[pymodule_export]
    use super::specification::Specification;
    #[pymodule_export]
    use super::table::Table;
    #[pymodule_export]
    use super::warc::{WarcPages, read_warc};
    #[pymodule_export]
    use super::wrapper::{Wrapper, infer};
}
