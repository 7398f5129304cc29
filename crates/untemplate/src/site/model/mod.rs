//! Site models: page classes and the links between them, from few pages.
//!
//! Paper: Crescenzi, Merialdo, Missier 2005 (COMPUTEMODEL). [`explore_model`] is the product's way,
//! and [`Classifier`] tells the class of a page; `description` holds the paper's description
//! length. Its algorithm is in the crate `untemplate-papers`.

mod address_marks;
mod address_shape;
mod address_tree;
mod affinity;
mod assembly;
mod classes;
mod classifier;
mod description;
mod explorer;
mod fingerprint;
mod grouping;
mod kinds;
mod naming;
mod observer;
mod prediction;
mod prospect;
mod reunion;
mod revision;
mod scripts;
mod show;
mod site_model;
mod tuning;

pub(super) use address_marks::name_stems;
pub use address_marks::{AddressMark, MarkKind};
pub use address_shape::ShapeBook;
pub use address_tree::{AddressNode, AddressTree};
pub use affinity::Affinity;
pub use assembly::url_pattern;
pub use classifier::{Classification, Classifier};
pub use description::{Description, INDEX_COST, MISSING_COST, PATH_COST, SchemaMode};
pub use explorer::{Exploration, ModelOptions, explore_model};
pub use fingerprint::{Feature, FeatureKind, Fingerprint};
pub use grouping::{LikenessTable, group};
pub(super) use observer::Observer;
pub use observer::{Sighting, sight};
pub use prediction::{Prediction, Predictor};
pub use prospect::{Experience, Outcomes, Prospect};
pub use revision::keep_numbers;
pub use show::{show_model, strongest_links};
pub use site_model::{
    ClassKind, ClassLink, CurvePoint, ModelAlgorithm, PageClass, SchemaPath, ShapeOutcome, Sign, SiteModel,
};

pub use tuning::ModelTuning;

#[cfg(test)]
mod model_tests;
#[cfg(test)]
mod property_tests;
