//! Wrappers and extractors: whatever was inferred, behind one door.

use crate::page::Page;

use super::extraction::Extraction;
use super::matcher::Matcher;
use super::roadrunner::ExpressionSet;
use super::template::Template;

/// All that turns a page of one class into a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Wrapper {
    /// A tree that the pages have in common.
    Template(Template),
    /// The paper's expressions.
    Expressions(ExpressionSet),
}

/// A wrapper, ready to read pages.
#[derive(Debug, Clone)]
pub enum Extractor {
    /// Of a template.
    Template(Matcher),
    /// Of expressions, which need no preparation.
    Expressions(ExpressionSet),
}

impl Extractor {
    /// Compiles a wrapper.
    pub fn new(wrapper: Wrapper) -> Self {
        match wrapper {
            Wrapper::Template(template) => Self::Template(Matcher::new(template)),
            Wrapper::Expressions(set) => Self::Expressions(set),
        }
    }

    /// Reads a page.
    pub fn extract(&self, page: &Page) -> Extraction {
        match self {
            Self::Template(matcher) => matcher.extract(page),
            Self::Expressions(set) => set.extract(page),
        }
    }
}
