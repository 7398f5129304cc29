//! The archive on SQLite: the schedule and what is known of every page in one database, bodies in
//! segments beside it.
//!
//! `schema` says which tables there are; `database` runs transactions; `writing` is one of them
//! under way, with the SQL of each concern in `requests`, `hosts`, `claims`, `outcomes` and
//! `pages`; `archive` puts it together.

mod archive;
mod claims;
mod commit;
mod database;
mod hosts;
mod outcomes;
mod pages;
mod requests;
mod schema;
#[cfg(test)]
mod tests;
mod writing;

pub use archive::{ArchiveOptions, ArchiveReader, SqliteArchive};
