//! Stage 7, `table`: records to typed, named, related tables.
//!
//! In: what wrappers read from the pages of each class, a [`ReadPage`] at a time. Out: a [`Database`], the schema that the pages were poured from, and the
//! rows of each page under it. Records may be more than memory holds: they wait on a [`Shelf`], and two passes over it are enough: one
//! sees what the columns hold, one fills the tables.

mod addresses;
mod changes;
mod date;
mod draft;
mod evidence;
mod facts;
mod fold;
mod frame;
mod junk;
mod names;
mod number;
mod profile;
mod profiler;
mod reading;
mod reference;
mod relate;
mod repeated;
mod report;
mod rows;
mod sample;
mod schema;
mod shelf;
mod survey;
mod typing;

pub use addresses::Addresses;
pub use changes::{Changes, RowChange, RowChangeKind, TableChanges};
pub use facts::{ClassFacts, ClassKind, FieldFacts, facts_of, resolve_addresses};
pub use profile::Profile;
pub use profiler::Profiler;
pub use reading::{Marks, Reading, read_value, value_hash};
pub use relate::{LeftOut, relate, relate_and_explain};
pub use report::{ClassSection, Cost, ProblemGroup, ProblemGroups, ReportPage, TableSection, report_page};
pub use rows::rows_of;
pub use schema::{Column, ColumnKind, ColumnSource, Database, ForeignKey, Table};
pub use shelf::{ReadPage, Shelf, ShelfError};
pub use survey::Survey;
