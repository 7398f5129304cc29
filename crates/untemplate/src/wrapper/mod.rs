//! Stage 5, `wrapper`: pages of a class to a wrapper, and pages to records.
//!
//! In: pages made by one template, with no labels by hand. Out: a [`Template`], and with its [`Matcher`] a nested
//! [`Record`] of every page.

mod alignment;
mod column;
mod extraction;
mod extractor;
mod feature;
mod hash;
mod inference;
mod label;
mod matcher;
mod naming;
mod piece;
mod pruning;
mod record;
mod repetition;
mod report;
mod rescue;
pub mod roadrunner;
mod rounds;
mod sample;
mod show;
mod template;

pub use extraction::Extraction;
pub use extractor::{Extractor, Wrapper};
pub use inference::infer_template;
pub use matcher::Matcher;
pub use record::{Record, Value};
pub use report::html_report;
pub use sample::pick_training_pages;
pub use show::show_template;
pub use template::{AttributeField, Field, Item, Part, PartId, Pattern, Piece, PieceKind, Repeat, Template, TextPart};

#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod template_tests;
