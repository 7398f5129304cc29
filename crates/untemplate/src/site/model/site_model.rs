//! Site models: the page classes of a site and the links between them.
//!
//! What [`super::explore_model`] returns, `untemplate-store` writes and [`super::Classifier`]
//! reads. Plain values: paths and addresses are texts, so that a model means the same without the
//! run that made it.

use super::address_shape::ShapeBook;
use super::address_tree::AddressTree;
use super::description::SchemaMode;
use super::fingerprint::Feature;
use super::tuning::ModelTuning;
use crate::page::AttributeMode;

/// The page classes of a site and the links between them.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteModel {
    /// Where the exploration began.
    pub entry: String,
    /// How the classes were found.
    pub algorithm: ModelAlgorithm,
    /// Which attributes belong to tag paths.
    pub attributes: AttributeMode,
    /// How class schemas are made from page schemas.
    pub schema_mode: SchemaMode,
    /// The classes; a class's number is its place.
    pub classes: Vec<PageClass>,
    /// The links between classes.
    pub links: Vec<ClassLink>,
    /// What tells pages of the classes apart, by kind as in [`super::FeatureKind::ALL`].
    pub signs: [Vec<Sign>; 4],
    /// How its pages were grouped, and others are classified.
    pub tuning: ModelTuning,
    /// Which addresses of the site one script made.
    pub scripts: AddressTree,
    /// What the site's addresses have in common.
    pub shapes: ShapeBook,
    /// What addresses of each shape led to.
    pub shape_outcomes: Vec<ShapeOutcome>,
    /// How the model grew.
    pub curve: Vec<CurvePoint>,
    /// How many addresses of the site are known, visited or not.
    pub n_addresses: usize,
}

/// Which algorithm made a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelAlgorithm {
    /// Fingerprints of four kinds of features, grouped by likeness: the product's.
    Fingerprints,
    /// Link paths alone, grouped by description length as they come: the paper's.
    ComputeModel,
}

/// Pages made by one template.
#[derive(Debug, Clone, PartialEq)]
#[doc(alias = "cluster")]
pub struct PageClass {
    /// What to call it.
    pub name: String,
    /// What its pages are for.
    pub kind: ClassKind,
    /// The addresses of the pages visited, in order of visits.
    pub pages: Vec<String>,
    /// The titles of the first few.
    pub titles: Vec<String>,
    /// Its schema: paths to links, and on what share of its pages each stands.
    pub schema: Vec<SchemaPath>,
    /// What its addresses have in common.
    pub url_pattern: String,
    /// How many pages of it are thought to be among the known addresses.
    pub estimated_pages: usize,
    /// How alike its pages are, from 0 to 1.
    pub likeness: f32,
}

/// A path of a class schema.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaPath {
    /// The tag path, as text.
    pub path: String,
    /// The share of the class's visited pages that have it.
    pub support: f64,
}

/// What the pages of a class are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassKind {
    /// Each lists many pages of one other class.
    List,
    /// Each is about one thing.
    Detail,
    /// Each leads to pages of many classes.
    Menu,
    /// There is one such page.
    Singleton,
}

impl ClassKind {
    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Detail => "detail",
            Self::Menu => "menu",
            Self::Singleton => "singleton",
        }
    }
}

/// Observed: links at this tag path lead from this page class to that one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClassLink {
    /// The class whose pages have the links.
    pub from: usize,
    /// The class they lead to.
    pub to: usize,
    /// The tag path.
    pub path: String,
    /// How many such links were seen, to pages that were visited.
    pub count: usize,
}

/// A feature that tells classes apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Sign {
    /// The feature.
    pub feature: Feature,
    /// How much it tells.
    pub weight: f32,
    /// The classes with pages that have it, and on what share of their pages, in order of classes.
    pub classes: Vec<(u32, f32)>,
}

/// What the visited addresses of one shape led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeOutcome {
    /// The shape.
    pub shape: String,
    /// By class, how many.
    pub classes: Vec<(usize, u32)>,
    /// How many led to no page.
    pub dead: u32,
}

/// The model when this many pages were visited.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Pages visited.
    pub n_pages: usize,
    /// Classes.
    pub n_classes: usize,
    /// The description length of all pages visited, a page.
    pub description: f64,
}
