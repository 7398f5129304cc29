//! Whole jobs in memory, for programs that use this library: an address in, tables out.
//!
//! Sites that are larger than memory go through [`read_site`] with a
//! [`RecordStore`](crate::table::RecordStore) of their own, and rows are handed on by
//! [`fill_tables`] one by one.

use std::collections::BTreeMap;

use url::Url;

use crate::page::{Problem, Site, VisitError, visit_page};
use crate::record::{RecordOptions, follow_list};
use crate::site::{GatherOptions, Gathered};
use crate::table::{Database, RecordStoreError, Table};

use super::list_table::ShownList;
use super::options::{CrawlResult, JobOptions};
use super::rebuild::read_site;
use super::tables::{fill_tables, infer_tables};

/// A site as a database.
#[derive(Debug)]
pub struct Rebuilt {
    /// The tables, with their columns, keys and references.
    pub database: Database,
    /// The rows of each table: for each column a value, or nothing.
    pub rows: Vec<Rows>,
    /// Values that are none of their column's kind, and were left out.
    pub problems: Vec<Problem>,
    /// How the site was read: its classes, its pages, what could not be had.
    pub crawl_result: CrawlResult,
}

/// Why a site could not be rebuilt.
#[derive(Debug, thiserror::Error)]
pub enum RebuildError {
    /// There is nothing to begin with.
    #[error("cannot begin at {entry}")]
    Entry {
        /// The address.
        entry: Url,
        /// Why its page could not be had.
        source: Box<VisitError>,
    },
    /// The records could not be kept.
    #[error(transparent)]
    Records(#[from] RecordStoreError),
}

/// Rebuilds the database of a site from its entry page.
pub fn rebuild(site: &mut dyn Site, entry: &Url, options: &JobOptions) -> Result<Rebuilt, RebuildError> {
    let mut record_store: BTreeMap<(usize, Url), Vec<u8>> = BTreeMap::new();
    let crawl_result = read_site(site, &mut record_store, entry, options)?;
    if crawl_result.readers.is_empty() {
        let source = no_entry(&crawl_result, entry);
        let entry = entry.clone();
        let source = Box::new(source);
        return Err(RebuildError::Entry { entry, source });
    }
    let database = infer_tables(&crawl_result, &mut record_store)?;
    let mut rows = vec![Vec::new(); database.tables.len()];
    let problems = fill_tables(&crawl_result, &mut record_store, &database, &mut |table, row| {
        rows[table].push(row.to_vec());
        Ok(())
    })?;
    Ok(Rebuilt {
        database,
        rows,
        problems,
        crawl_result,
    })
}

/// Why a site has no page to begin with.
fn no_entry(crawl_result: &CrawlResult, entry: &Url) -> VisitError {
    let url = entry.clone();
    match crawl_result.losses.first() {
        Some((_, reason)) => VisitError::Failed {
            url,
            reason: reason.clone(),
        },
        None if crawl_result.is_stopped => VisitError::Stopped { url },
        None => VisitError::Dead {
            url,
            reason: "check the address".to_owned(),
        },
    }
}

/// Finds all pages of a site that are made by the same template as a sample page.
pub fn gather(site: &mut dyn Site, sample: &Url, options: &GatherOptions) -> Result<Gathered, VisitError> {
    let sample = visit_page(site, sample)?;
    Ok(crate::site::gather(site, &sample, options))
}

/// The rows of a table: for each column a value, or nothing.
pub type Rows = Vec<Vec<Option<String>>>;

/// Reads the main list of a page, and of the next `pages_max - 1` pages of that list, as a typed
/// table and its rows. The first column is the page; a page without a list gives no row.
pub fn records(
    site: &mut dyn Site,
    page: &Url,
    options: &RecordOptions,
    pages_max: usize,
) -> Result<(Table, Rows), VisitError> {
    let first = visit_page(site, page)?;
    let list = follow_list(site, first, options, pages_max);
    Ok(ShownList::of(&list).table(true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::error::Error;

    #[test]
    fn an_entry_that_is_not_there_is_an_error_with_its_cause() {
        let entry: Url = "http://cup.example/".parse().expect("a good address");
        let mut site: HashMap<String, String> = HashMap::new();
        let error = rebuild(&mut site, &entry, &JobOptions::default()).expect_err("there is no page");
        assert_eq!(error.to_string(), "cannot begin at http://cup.example/");
        let cause = error.source().expect("it says why").to_string();
        assert_eq!(cause, "there is no page http://cup.example/: check the address");
        let error = gather(&mut site, &entry, &GatherOptions::default()).expect_err("there is no page");
        assert_eq!(
            error.to_string(),
            "there is no page http://cup.example/: nothing stands at this address"
        );
    }
}
