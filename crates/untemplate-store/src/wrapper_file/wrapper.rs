//! Wrappers and extractors: what a wrapper file holds, whichever engine inferred it.

use untemplate::page::Page;
use untemplate::wrapper::reading::ClassReading;
use untemplate::wrapper::{Extraction, Matcher, Template, WrapperVerification, show_template};
use untemplate_papers::roadrunner::ExpressionSet;

/// All that turns a page of one class into a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Wrapper {
    /// A tree that the pages have in common.
    Template(Template),
    /// The paper's expressions.
    Expressions(ExpressionSet),
    /// What the content of the pages has in common.
    Reading(Box<ClassReading>),
}

impl Wrapper {
    /// As text for a person: the template, an expression a line, or a place a line.
    pub fn show(&self) -> String {
        match self {
            Self::Template(template) => show_template(template),
            Self::Expressions(set) => set.wrappers.iter().map(|wrapper| set.show(wrapper) + "\n").collect(),
            Self::Reading(reading) => reading.show(),
        }
    }

    /// The verification of what it reads, of no page yet.
    pub fn verification(&self) -> WrapperVerification {
        match self {
            Self::Template(template) => WrapperVerification::new(template),
            Self::Expressions(_) | Self::Reading(_) => WrapperVerification::of_whole_pages(),
        }
    }
}

/// A wrapper, ready to read pages.
#[derive(Debug, Clone)]
pub enum Extractor {
    /// Of a template.
    Template(Matcher),
    /// Of expressions, which need no preparation.
    Expressions(ExpressionSet),
    /// Of a reading, which needs none either.
    Reading(Box<ClassReading>),
}

impl Extractor {
    /// Compiles a wrapper.
    pub fn new(wrapper: Wrapper) -> Self {
        match wrapper {
            Wrapper::Template(template) => Self::Template(Matcher::new(template)),
            Wrapper::Expressions(set) => Self::Expressions(set),
            Wrapper::Reading(reading) => Self::Reading(reading),
        }
    }

    /// Reads a page.
    pub fn extract(&self, page: &Page) -> Extraction {
        match self {
            Self::Template(matcher) => matcher.extract(page),
            Self::Expressions(set) => set.extract(page),
            Self::Reading(reading) => reading.extract(page),
        }
    }
}
