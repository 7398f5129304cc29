//! Stage 5, `wrapper`: pages of a class to a wrapper, and pages to records.
//!
//! In: pages made by one template, with no labels by hand. Out: a [`Template`], and with its [`Matcher`] a nested
//! [`Record`] of every page.

mod alignment;
mod column;
mod extraction;
mod feature;
mod inference;
mod label;
mod matcher;
mod naming;
mod piece;
mod pruning;
mod record;
mod repetition;
mod rescue;
pub mod roadrunner;
mod rounds;
mod template;

pub use extraction::Extraction;
pub use inference::infer_template;
pub use matcher::Matcher;
pub use record::{Record, Value};
pub use template::{AttributeField, Field, Item, Part, PartId, Pattern, Piece, PieceKind, Repeat, Template, TextPart};
