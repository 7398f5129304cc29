//! The parts of a specification, as plain values.

use url::Url;

use super::super::{FieldEvidence, TaughtField, TaughtRows};
use crate::page::Method;
use crate::rule::{Assertion, ExtractionRule, LocationPath};
use crate::wrapper::MarkupProfile;

/// What was taught about a site.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Specification {
    /// The site. Where it is given, requests that lead to other sites are left out.
    pub site: Option<Url>,
    /// The page classes.
    pub classes: Vec<TaughtClass>,
    /// The request classes between them.
    pub request_classes: Vec<RequestClass>,
    /// The paths from entries to targets; a specification without one is for pages that somebody
    /// else brings.
    pub paths: Vec<NavigationalPath>,
}

/// A page class as it was taught: how to tell its pages, and what to read on them.
#[doc(alias = "Page-Class")]
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaughtClass {
    /// Its name; the table of its records is called so, too.
    pub id: String,
    /// The addresses where paths begin that begin with it.
    pub addresses: Vec<Url>,
    /// What its pages must satisfy.
    pub assertion: Assertion,
    /// The wrapper: what is read on its pages, in the order of the columns.
    pub fields: Vec<TaughtField>,
    /// Tables and lists of its pages, read row by row.
    pub rows: Vec<TaughtRows>,
    /// What the fields were on the pages that they were learnt from; nothing where somebody wrote
    /// them by hand.
    pub evidence: Vec<FieldEvidence>,
    /// What those pages are dressed with.
    pub markup: MarkupProfile,
}

/// Requests that lead from the pages of one class to those of another; from a class to itself, they
/// are its NEXT pages.
#[doc(alias = "Request-Class")]
#[derive(Debug, Clone, PartialEq)]
pub struct RequestClass {
    /// Its name.
    pub id: String,
    /// The class that it departs from.
    pub from: String,
    /// The class that it leads to.
    pub to: String,
    /// How its requests are sent.
    pub method: Method,
    /// What makes its requests on a page.
    pub means: RequestMeans,
}

/// What makes requests on a page.
#[derive(Debug, Clone, PartialEq)]
pub enum RequestMeans {
    /// Addresses that rules pick: what any of them picks, each once.
    Links(Vec<ExtractionRule>),
    /// Submissions of a form.
    Form(FormRule),
}

/// How a form is filled in. Fields that are not named keep what the page fills in.
#[derive(Debug, Clone, PartialEq)]
pub struct FormRule {
    /// The form on the page.
    pub path: LocationPath,
    /// What its fields are given.
    pub choices: Vec<FieldChoice>,
}

/// What one field of a form is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldChoice {
    /// The field's name.
    pub name: String,
    /// Its values: one submission for each.
    pub values: Values,
}

/// The values that a field of a form is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Values {
    /// This one.
    Constant(String),
    /// Each that the page offers, but for empty ones: those stand for no choice.
    Options,
    /// Each of these.
    Listed(Vec<String>),
    /// The field is not sent.
    Omitted,
}

/// Page class, request class, page class, … from an entry to a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NavigationalPath {
    /// The name it was given; see [`NavigationalPath::name`].
    pub given_name: Option<String>,
    /// The names of its classes, in order: page classes and request classes in turn.
    pub steps: Vec<String>,
}

impl Specification {
    /// The place of a page class.
    pub fn class_index(&self, id: &str) -> Option<usize> {
        self.classes.iter().position(|class| class.id == id)
    }

    /// The place of a request class.
    pub fn request_class_index(&self, id: &str) -> Option<usize> {
        self.request_classes.iter().position(|class| class.id == id)
    }
}

impl TaughtClass {
    /// A class of which nothing but its name is known.
    pub fn named(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            ..Self::default()
        }
    }
}

impl TaughtClass {
    /// Whether anything is read on its pages.
    pub fn is_read(&self) -> bool {
        !self.fields.is_empty() || !self.rows.is_empty()
    }
}

impl RequestClass {
    /// Whether it leads from a class to itself.
    #[doc(alias = "NEXT")]
    pub fn is_loop(&self) -> bool {
        self.from == self.to
    }
}

impl NavigationalPath {
    /// What it is called: the name it was given, or else its first request class, or its only page
    /// class.
    pub fn name(&self) -> &str {
        let first = self.steps.get(1).or_else(|| self.steps.first());
        self.given_name.as_deref().or(first.map(String::as_str)).unwrap_or("")
    }
}
