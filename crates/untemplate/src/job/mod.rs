//! Stage 9, `job`: the stages in a row.
//!
//! In: a [`Site`](crate::page::Site) and an entry, a sample page, or a specification. Out: its
//! tables. [`read_site`] reads a whole site: model, wrappers, crawl, records; [`read_like`] all
//! pages like a sample; [`read_taught`] what a specification says. [`infer_tables`] makes a
//! database of what was read, and [`fill_tables`] its rows. Records wait on a
//! [`RecordStore`](crate::table::RecordStore), never in memory.

mod address_keys;
mod claims;
mod class_names;
mod class_reader;
mod coverage;
mod crawl;
mod in_memory;
mod keys;
mod label_profile;
mod learning;
mod ledger;
mod link_texts;
mod list_table;
mod merging;
mod name_hints;
mod omissions;
mod options;
mod placing;
mod readings;
mod rebuild;
mod report;
mod shape_yield;
mod site_reader;
mod tables;
mod taught;
mod title_parts;

pub use class_reader::{ClassReader, Profile};
pub use coverage::{ClassCoverage, class_coverage};
pub use in_memory::{RebuildError, Rebuilt, Rows, gather, rebuild, records};
pub use ledger::{Fate, Ledger};
pub use list_table::ShownList;
pub use omissions::Omissions;
pub use options::{CrawlResult, JobOptions};
pub use placing::PlacingModel;
pub use readings::learn_readings;
pub use rebuild::read_site;
pub use report::read_like;
pub use site_reader::{PageRows, ReaderClass, SiteReader};
pub use tables::{PutRow, Records, TakePage, apply_to_tables, fill_tables, infer_tables, infer_tables_keeping};
pub use taught::{TaughtError, TaughtResult, read_taught};
pub use title_parts::TitleParts;

#[cfg(test)]
mod site_tests;
