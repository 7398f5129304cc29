//! `rebuild`: a whole site to the database it was made from.
//!
//! In: a site, its entry, a record store. Out: a [`CrawlResult`]. Straight on: a model of the site
//! from few pages; a wrapper for each of its classes; every page once, read and put away.
//! [`infer_tables`](super::infer_tables) then decides the tables, and
//! [`fill_tables`](super::fill_tables) makes rows of what is in the record store.

use url::Url;

use crate::page::{Event, Phase, Site};
use crate::site::model::explore_model;
use crate::table::{RecordStore, RecordStoreError};

use super::crawl::Crawl;
use super::options::{CrawlResult, JobOptions};
use super::readings::learn_readings;

/// Reads a whole site.
pub fn read_site(
    site: &mut dyn Site,
    record_store: &mut dyn RecordStore,
    entry: &Url,
    options: &JobOptions,
) -> Result<CrawlResult, RecordStoreError> {
    site.note(Event::Phase(Phase::Exploring));
    let exploration = explore_model(site, entry, &options.first_starts(), &options.model);
    if exploration.model.classes.is_empty() {
        // The entry could not be had: its host would only be asked in vain once more.
        return Ok(CrawlResult {
            losses: exploration
                .losses
                .into_iter()
                .map(|(_, why)| (entry.clone(), why))
                .collect(),
            is_stopped: exploration.is_stopped,
            ..Crawl::new(site, record_store, entry, options).finish(None)
        });
    }
    let mut entries = vec![entry.clone()];
    entries.extend(options.starts.iter().cloned());
    entries.extend(site.listed(entry));
    let mut crawl = Crawl::new(site, record_store, entry, options);
    crawl.shapes.book = exploration.model.shapes.clone();
    crawl.learn(&exploration.model);
    crawl.run(&entries)?;
    let mut crawl_result = crawl.finish(Some(exploration.model));
    site.note(Event::Phase(Phase::Learning));
    learn_readings(&mut crawl_result, record_store, &options.reading)?;
    Ok(crawl_result)
}
