//! Site models: the page classes of a site, and which one a page is of.

use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use untemplate::page::{AttributeFilter, Page, ParseOptions};
use untemplate::site::model::{
    Classification, Classifier, ModelAlgorithm, ModelOptions, Predictor, explore_model, sight,
};
use untemplate_papers::compute_model::SchemaClassifier;
use untemplate_store::{ModelFileError, SourceSite, parse_model, read_model, write_model, write_whole};

use crate::error::{FileError, FormatError, SiteError, file_error, told};
use crate::page::{GivenPage, all_pages, each_page, parse_url};
use crate::rebuilding::PagesSource;

/// Tells the page classes of pages that somebody has, and the links between them. With `entry`,
/// only as many pages are looked at as it takes to know the site from there, as `untemplate model`
/// does; else all are.
#[pyfunction]
#[pyo3(signature = (pages, *, entry=None))]
pub fn model(py: Python<'_>, pages: &Bound<'_, PyAny>, entry: Option<&str>) -> PyResult<SiteModel> {
    let pages = all_pages(pages)?;
    let (entry, seeds) = match (entry, pages.as_slice()) {
        (_, []) => return Err(SiteError::new_err("there are no pages")),
        (Some(entry), _) => (parse_url(entry)?, Vec::new()),
        (None, [first, rest @ ..]) => (first.url.clone(), rest.iter().map(|page| page.url.clone()).collect()),
    };
    let exploration = py.detach(|| {
        let source = PagesSource::new(pages);
        let mut site = SourceSite::new(vec![Box::new(source)], ParseOptions::default());
        explore_model(&mut site, &entry, &seeds, &ModelOptions::default())
    });
    if exploration.model.classes.is_empty() {
        return Err(SiteError::new_err(format!(
            "cannot begin at {entry}: there is no such page"
        )));
    }
    Ok(SiteModel::new(exploration.model))
}

/// Tells the class of each page by a model; a dict for each, in their order.
#[pyfunction]
pub fn classify<'py>(
    py: Python<'py>,
    model: &SiteModel,
    pages: &Bound<'py, PyAny>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let pages = all_pages(pages)?;
    let found = each_page(py, &pages, |page| model.way.classify(&page.parse()));
    let dicts = pages
        .iter()
        .zip(found)
        .map(|(page, found)| model.class_dict(py, page, found));
    dicts.collect()
}

/// The page classes of a site, and the links between them.
#[pyclass(frozen, module = "untemplate")]
pub struct SiteModel {
    model: untemplate::site::model::SiteModel,
    way: Way,
}

/// The way of classification that suits how a model was made.
enum Way {
    Fingerprints(Box<Classifier>, AttributeFilter),
    Schemas(Box<SchemaClassifier>),
}

impl Way {
    fn classify(&self, page: &Page) -> Classification {
        match self {
            Self::Fingerprints(classifier, filter) => classifier.classify(&sight(page, filter).fingerprint, &page.url),
            Self::Schemas(classifier) => classifier.classify(page),
        }
    }
}

impl SiteModel {
    fn new(model: untemplate::site::model::SiteModel) -> Self {
        let way = match model.algorithm {
            ModelAlgorithm::Fingerprints => {
                let mode = model.attributes;
                Way::Fingerprints(Box::new(Classifier::new(&model)), AttributeFilter { mode })
            }
            ModelAlgorithm::ComputeModel => Way::Schemas(Box::new(SchemaClassifier::new(&model))),
        };
        Self { model, way }
    }

    fn class_dict<'py>(
        &self,
        py: Python<'py>,
        page: &GivenPage,
        found: Classification,
    ) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("url", page.url.as_str())?;
        dict.set_item("page_class", found.class)?;
        dict.set_item("class_name", found.class.map(|class| &self.model.classes[class].name))?;
        dict.set_item("cost", rounded(found.cost))?;
        Ok(dict)
    }
}

#[pymethods]
impl SiteModel {
    /// Reads a model file, of `untemplate model` or `untemplate rebuild`.
    #[classmethod]
    fn load(_class: &Bound<'_, PyType>, path: PathBuf) -> PyResult<Self> {
        let model = read_model(&path).map_err(|error| match error {
            ModelFileError::Unreadable { .. } => FileError::new_err(told(&error)),
            _ => FormatError::new_err(told(&error)),
        })?;
        Ok(Self::new(model))
    }

    /// Reads the text of a model file.
    #[classmethod]
    fn loads(_class: &Bound<'_, PyType>, text: &str) -> PyResult<Self> {
        Ok(Self::new(parse_model(text).map_err(FormatError::new_err)?))
    }

    /// Writes a model file, which the program reads as well; whole or not at all.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let text = format!("{}\n", self.dumps());
        write_whole(&path, text.as_bytes()).map_err(|error| file_error("write", &path, error))
    }

    /// The text of a model file.
    fn dumps(&self) -> String {
        write_model(&self.model)
    }

    /// The page classes, each a dict: `name`, `kind`, `url_pattern`, `estimated_pages`, `pages`.
    #[getter]
    fn classes<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let classes = self.model.classes.iter().map(|class| {
            let dict = PyDict::new(py);
            dict.set_item("name", &class.name)?;
            dict.set_item("kind", class.kind.name())?;
            dict.set_item("url_pattern", &class.url_pattern)?;
            dict.set_item("estimated_pages", class.estimated_pages)?;
            dict.set_item("pages", &class.pages)?;
            Ok(dict)
        });
        classes.collect()
    }

    /// Tells the class of a page: a dict with `url`, `page_class` (None for a page that is like
    /// none), `class_name` and `cost`, what of the page the class does not explain, from 0 to 1.
    fn classify<'py>(&self, py: Python<'py>, page: GivenPage) -> PyResult<Bound<'py, PyDict>> {
        let found = py.detach(|| self.way.classify(&page.parse()));
        self.class_dict(py, &page, found)
    }

    /// Tells the class of an address that nobody downloaded: a dict with `page_class`, `class_name`
    /// and `confidence`, or None where nothing is known.
    fn predict<'py>(&self, py: Python<'py>, url: &str) -> PyResult<Option<Bound<'py, PyDict>>> {
        let url = parse_url(url)?;
        let Some(found) = py.detach(|| Predictor::new(&self.model).predict(&url)) else {
            return Ok(None);
        };
        let dict = PyDict::new(py);
        dict.set_item("page_class", found.class)?;
        dict.set_item("class_name", &self.model.classes[found.class].name)?;
        dict.set_item("confidence", rounded(found.confidence))?;
        Ok(Some(dict))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("loads")?, (self.dumps(),)))
    }
}

fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
