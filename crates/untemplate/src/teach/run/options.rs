//! How a specification is run, and why it cannot be.

use super::super::form::ProductOptions;
use super::super::specification::{NavigationalPath, RequestMeans, Specification, SpecificationError};

/// How a specification is run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOptions {
    /// The names of the paths to follow; none for all.
    pub follow: Vec<String>,
    /// The request classes whose forms are sent although they may change something.
    pub send: Vec<String>,
    /// Requests that are made together; this many pages are in memory at once.
    pub batch_max: usize,
    /// Pages in a row that are followed from a class to itself.
    pub next_max: usize,
    /// Submissions of one form on one page.
    pub submissions_max: usize,
    /// How products of options are judged.
    pub product: ProductOptions,
    /// Visit the entries and a few pages that each request class leads to, and count what leads on
    /// from there. No form is sent.
    pub is_dry: bool,
}

/// Pages that a dry run visits by each request class: with three, a page that is unlike the others
/// is seen to be one.
pub(super) const DRY_PAGES: usize = 3;

impl Default for RunOptions {
    fn default() -> Self {
        Self {
            follow: Vec::new(),
            send: Vec::new(),
            batch_max: 64,
            next_max: 10_000,
            submissions_max: 10_000,
            product: ProductOptions::default(),
            is_dry: false,
        }
    }
}

/// Why a specification cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RunError {
    /// It makes no sense.
    #[error(transparent)]
    Specification(#[from] SpecificationError),
    /// It has no path.
    #[error("the specification has no path to follow; add a <path>, or use extract with pages that you have")]
    NoPath,
    /// It has no path, or no form, of a name.
    #[error("the specification has no {what} {name}; it has {known}")]
    Unknown {
        /// What is missing.
        what: &'static str,
        /// Its name.
        name: String,
        /// What there is.
        known: String,
    },
}

/// The paths that the options name, or all.
pub(super) fn followed<'a>(
    specification: &'a Specification,
    options: &RunOptions,
) -> Result<Vec<&'a NavigationalPath>, RunError> {
    let unknown = |what, name: &String, known: Vec<&str>| RunError::Unknown {
        what,
        name: name.clone(),
        known: if known.is_empty() {
            "none".to_owned()
        } else {
            known.join(", ")
        },
    };
    let is_form = |means: &RequestMeans| matches!(means, RequestMeans::Form(_));
    let forms = specification
        .request_classes
        .iter()
        .filter(|class| is_form(&class.means));
    let forms: Vec<&str> = forms.map(|class| class.id.as_str()).collect();
    if let Some(name) = options.send.iter().find(|name| !forms.contains(&name.as_str())) {
        return Err(unknown("request class with a form called", name, forms));
    }
    let names: Vec<&str> = specification.paths.iter().map(NavigationalPath::name).collect();
    if names.is_empty() {
        return Err(RunError::NoPath);
    }
    if let Some(name) = options.follow.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(unknown("path", name, names));
    }
    let is_followed =
        |path: &&NavigationalPath| options.follow.is_empty() || options.follow.iter().any(|name| name == path.name());
    Ok(specification.paths.iter().filter(is_followed).collect())
}
