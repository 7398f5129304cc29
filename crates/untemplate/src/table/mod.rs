//! Stage 8, `table`: records to typed, named, related tables.
//!
//! In: what wrappers read from the pages of each class, a [`ReadPage`] at a time. Out: a
//! [`Database`], the schema that the pages were poured from, and the rows of each page under it.
//! Records may be more than memory holds: they wait on a [`RecordStore`], and two passes over it
//! are enough: one sees what the columns hold ([`Survey`], [`infer_schema`]), one fills the tables
//! ([`rows_of`]).
//!
//! ```
//! use std::sync::Arc;
//! use untemplate::table::{Addresses, ClassFacts, ColumnKind, FieldFacts, ReadPage, Survey, infer_schema, rows_of};
//! use untemplate::wrapper::{Record, Value};
//! let page = |name: &str, height: &str| ReadPage {
//!     page_class: 0,
//!     url: format!("http://a.example/{name}").parse().expect("a good address"),
//!     record: Record {
//!         values: [("name", name), ("height", height)].map(|(key, text)| (Arc::from(key), Value::Text(text.to_owned()))).into(),
//!     },
//! };
//! let pages = [page("Ada", "1.60 m"), page("Bo", "1.75 m"), page("Cleo", "1.82 m")];
//! let labelled = |key: &str| FieldFacts { key: key.to_owned(), label: key.to_owned(), ..FieldFacts::default() };
//! let facts = ClassFacts { columns: ["name", "height"].map(labelled).into(), ..ClassFacts::default() };
//! let mut survey = Survey::new(&[facts]);
//! pages.iter().for_each(|page| survey.add(page));
//! let database = infer_schema(survey, &Addresses::default());
//! let height = &database.tables[0].columns[2];
//! assert_eq!((height.name.as_str(), height.kind, height.unit.as_deref()), ("height", ColumnKind::Decimal, Some("m")));
//! rows_of(&database, &pages[0], &mut |_, row| assert_eq!(row[2].as_deref(), Some("1.60")));
//! ```

mod addresses;
mod changes;
mod chosen;
mod date;
mod draft;
mod evidence;
mod excerpts;
mod facts;
mod frame;
mod list_names;
mod names;
mod noise;
mod number;
mod problem_groups;
mod profile;
mod profiler;
mod reading;
mod record_store;
mod redundant_lists;
mod reference;
mod repeated_tables;
mod rows;
mod sample;
mod schema;
mod schema_inference;
mod survey;
mod table_names;
mod typing;
mod user_schema;

pub use addresses::Addresses;
pub use changes::{Changes, RowChange, RowChangeKind, TableChanges};
pub use chosen::infer_chosen_schema;
pub use facts::{ClassFacts, ClassKind, FieldFacts};
pub(crate) use names::{is_place_mark, is_place_name, mark_words};
pub use problem_groups::{ProblemGroup, ProblemGroups};
pub use profile::Profile;
pub use profiler::Profiler;
pub use reading::{Marks, Reading, read_value, value_hash};
pub use record_store::{ReadPage, RecordStore, RecordStoreError, TakeBytes};
pub use rows::rows_of;
pub use schema::{Column, ColumnKind, ColumnSource, Database, ForeignKey, Table};
pub use schema_inference::{LeftOut, infer_schema, infer_schema_and_explain, infer_schema_keeping};
pub use survey::Survey;
pub use user_schema::{AppliedSchema, KeptField, UserColumn, UserSchema, UserTable, apply_schema};

#[cfg(test)]
mod kept_tests;
#[cfg(test)]
mod left_out_tests;
#[cfg(test)]
mod list_name_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod schema_inference_tests;
