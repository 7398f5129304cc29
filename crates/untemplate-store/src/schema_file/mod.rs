//! `schema.toml`: the tables that a job found, for a person to change.
//!
//! In: what a job found. Out: a file whose lines can be edited; read back, a [`UserSchema`]. A
//! table is known by `class` and `list`, a column by `source` and `key`: those stay as they are.
//! What was changed is written again by the next job, with what applied to nothing then, so that
//! one file serves run after run.

mod change;
mod read;
mod seal;
#[cfg(test)]
mod tests;
mod write;

pub use change::{ColumnWish, TableWish, change_schema, read_wishes};
pub use read::{SchemaFileError, parse_schema, read_schema, type_words};
pub use seal::{as_written, is_changed};
pub use write::{SchemaFacts, schema_text};

/// The file's name among those of a job.
pub const SCHEMA_FILE: &str = "schema.toml";
