//! Facts: what is known about the classes and fields of a site before their values are looked at.

use super::schema::ColumnKind;

/// What is known about a page class.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClassFacts {
    /// What it is called.
    pub name: String,
    /// What its pages are for.
    pub kind: ClassKind,
    /// Its fields, in the order of the template.
    pub columns: Vec<FieldFacts>,
}

/// What the pages of a class are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClassKind {
    /// Each is about one thing.
    #[default]
    Detail,
    /// They list things that other pages are about.
    List,
    /// They lead to other pages, and say nothing themselves.
    Menu,
    /// There is only one of them.
    Singleton,
}

/// What is known about a field.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldFacts {
    /// The keys of the lists that lead to it, outermost first.
    pub list_path: Vec<String>,
    /// Its key.
    pub key: String,
    /// The label before it, or the header above it; empty when there is none.
    pub label: String,
    /// The labels and headings around it, outermost first; the last one is its own label.
    pub context: Vec<String>,
    /// Its `class`, `id` or `itemprop`, or that of what holds it; empty when there is none.
    pub mark: String,
    /// The tag that holds it.
    pub tag: String,
    /// The attribute that it is the value of; `None` for text.
    pub attribute: Option<String>,
    /// The link that it is the text of, or stands inside: the key of that field.
    pub link: Option<String>,
    /// Whether it is a heading.
    pub is_heading: bool,
    /// Whether it is running text.
    pub is_prose: bool,
    /// Whether it is of a list of where a running text leads.
    pub is_reference: bool,
    /// Whether it is a list, and no value.
    pub is_list: bool,
    /// What its values are, where somebody said so.
    pub kind: Option<ColumnKind>,
}
