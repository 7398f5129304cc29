//! Stage 8, `job`: the stages in a row.
//!
//! In: a [`Site`](crate::page::Site) and an entry, or a sample page. Out: its tables. [`read_site`] reads a whole site: model, wrappers, crawl, records; [`read_like`] all
//! pages like a sample. [`relate_tables`] makes a database of what was read, and [`fill_tables`] its rows.
//! Records wait on a [`Shelf`](crate::table::Shelf), never in memory.

mod address_keys;
mod claims;
mod class_names;
mod class_reader;
mod crawl;
mod keys;
mod learning;
mod ledger;
mod merging;
mod options;
mod placing;
mod readings;
mod rebuild;
mod report;
mod shape_yield;
mod tables;

pub use class_reader::{ClassReader, Profile};
pub use ledger::{Fate, Ledger};
pub use options::{Harvest, JobOptions};
pub use readings::learn_readings;
pub use rebuild::read_site;
pub use report::read_like;
pub use tables::{PutRow, fill_tables, relate_tables};

#[cfg(test)]
mod site_tests;
