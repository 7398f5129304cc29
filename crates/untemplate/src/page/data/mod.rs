//! Data that a page has for programs: JSON-LD, microdata, RDFa Lite and OpenGraph.
//!
//! In: a [`Page`]. Out: [`PageData`]: items with types and properties, in one form whatever the
//! syntax, in document order, and what could not be read. Names are as pages write them, without
//! the address of their vocabulary: `price` is `https://schema.org/price`. Departures from the
//! standards: contexts are not fetched, so that a name means what it says; of RDFa what RDFa Lite
//! has is read; a page with more than [`PROPERTIES_MAX`] properties is cut.

mod json_ld;
mod microdata;
mod rdfa;
mod show;
#[cfg(test)]
mod tests;

pub use show::show_data;

use super::document::Page;
use untemplate_html::Problem;

/// Properties of a page that are read: items can refer to each other, so that a page of any size
/// could make more.
const PROPERTIES_MAX: usize = 50_000;

/// Items inside of each other that are read.
const DEPTH_MAX: usize = 64;

/// How a page writes data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DataSyntax {
    /// `<script type="application/ld+json">`.
    JsonLd,
    /// `itemscope` and `itemprop`.
    Microdata,
    /// `typeof` and `property`.
    Rdfa,
    /// `<meta property="og:title">`.
    OpenGraph,
}

/// What a page says for programs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageData {
    /// The items that are no property of another one.
    pub items: Vec<DataItem>,
    /// What could not be read.
    pub problems: Vec<Problem>,
}

/// A thing that a page describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataItem {
    /// How it was written.
    pub syntax: DataSyntax,
    /// What it is, such as `Product`.
    pub types: Vec<String>,
    /// The address that stands for it.
    pub id: Option<String>,
    /// Its properties, in order; a name can be there several times.
    pub properties: Vec<(String, DataValue)>,
}

/// A value of a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataValue {
    /// A text, a number, an address.
    Text(String),
    /// Another thing.
    Item(DataItem),
}

/// Reads the data of a page.
pub fn page_data(page: &Page) -> PageData {
    let mut data = PageData::default();
    let mut budget = Budget { left: PROPERTIES_MAX };
    json_ld::read(page, &mut budget, &mut data);
    data.items.extend(microdata::read(page, &mut budget));
    data.items.extend(rdfa::read(page, &mut budget));
    data.items.extend(rdfa::open_graph(page, &mut budget));
    if budget.left == 0 {
        let message = format!("only the first {PROPERTIES_MAX} properties were read");
        data.problems.push(Problem::new("much data", message));
    }
    data
}

/// How many properties may still be read.
struct Budget {
    left: usize,
}

impl Budget {
    /// Takes one; whether there was one.
    fn spend(&mut self) -> bool {
        let has_some = self.left > 0;
        self.left = self.left.saturating_sub(1);
        has_some
    }
}

impl DataItem {
    fn new(syntax: DataSyntax) -> Self {
        Self {
            syntax,
            types: Vec::new(),
            id: None,
            properties: Vec::new(),
        }
    }
}

/// A name without the address of its vocabulary.
fn plain_name(name: &str) -> &str {
    let name = name.trim();
    for vocabulary in [
        "http://schema.org/",
        "https://schema.org/",
        "schema:",
        "http://data-vocabulary.org/",
    ] {
        if let Some(rest) = name.strip_prefix(vocabulary).filter(|rest| !rest.is_empty()) {
            return rest;
        }
    }
    name
}
