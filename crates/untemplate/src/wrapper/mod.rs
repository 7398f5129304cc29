//! Stage 6, `wrapper`: pages of a class to a wrapper, and pages to records.
//!
//! In: pages made by one template, with no labels by hand. Out: a [`Template`]
//! ([`infer_template`]), and with its [`Matcher`] a nested [`Record`] of every page of the class.
//!
//! ```
//! use untemplate::page::{Page, ParseOptions, Response};
//! use untemplate::wrapper::{Matcher, infer_template};
//! let film = |title: &str, director: &str| {
//!     let html = format!("<h1>{title}</h1><p><b>Director:</b> {director}</p>");
//!     Page::read(&Response::html("http://a.example/".parse().expect("a good address"), html), &ParseOptions::default())
//! };
//! let training = [film("Alpha", "Ann"), film("Beta", "Bob"), film("Gamma", "Cid")];
//! let matcher = Matcher::new(infer_template(&training.iter().collect::<Vec<_>>()));
//! let read = matcher.extract(&film("Delta", "Dan"));
//! assert_eq!(read.record.text("director"), Some("Dan"));
//! ```

mod alignment;
mod carrying;
mod column;
mod correspondence;
mod extraction;
mod feature;
mod hash;
mod inference;
mod known_parts;
mod label;
mod markup;
mod matcher;
mod naming;
mod pairing;
mod piece;
mod pruning;
pub mod reading;
mod record;
mod renaming;
mod repair;
mod repetition;
mod rescue;
mod rounds;
mod sample;
mod show;
mod sibling_label;
mod source;
mod template;
mod transplant;
mod value_profile;
mod verification;

pub(crate) use correspondence::corresponding;
pub use extraction::Extraction;
pub use inference::infer_template;
pub use markup::MarkupProfile;
pub(crate) use markup::MarkupTally;
pub use matcher::Matcher;
pub use naming::as_key;
pub(crate) use pairing::{AGREED_MIN, KnownValues, OTHER_CHANCE, is_mended, is_misread_on, look_alike, pairs};
pub use record::{Record, Value};
pub use repair::{FieldFate, TemplateRepair, repair_template};
pub use sample::pick_training_pages;
pub use show::show_template;
pub use source::{Round, SourcePart, ValueSource};
pub use template::{
    AttributeField, Field, FieldCount, Item, Part, PartId, Pattern, Piece, PieceKind, Repeat, Template, TextPart,
};
pub(crate) use value_profile::VALUES_MAX;
pub use value_profile::{Deviation, N_TESTS, Spread, ValueProfile, ValueTrait};
pub(crate) use verification::REDESIGN_ALARMS;
pub use verification::{Drift, FALSE_ALARMS, WrapperItem, WrapperVerification};

#[cfg(test)]
mod list_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod repair_tests;
#[cfg(test)]
mod template_tests;
