//! Stage 7, `table`: records to typed, named, related tables.
//!
//! In: what wrappers read from the pages of each class, a [`ReadPage`] at a time. Out: a [`Database`], the schema that the pages were poured from, and the
//! rows of each page under it. Records may be more than memory holds: they wait on a [`Shelf`], and two passes over it are enough: one
//! sees what the columns hold, one fills the tables.

mod changes;
mod profile;
mod report;
mod schema;
mod shelf;

pub use changes::{Changes, RowChange, RowChangeKind, TableChanges};
pub use profile::Profile;
pub use report::{ClassSection, Cost, ProblemGroup, ProblemGroups, ReportPage, TableSection, report_page};
pub use schema::{Column, ColumnKind, ColumnSource, Database, ForeignKey, Table};
pub use shelf::{ReadPage, Shelf, ShelfError};
