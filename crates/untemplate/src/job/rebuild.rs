//! `rebuild`: a whole site to the database it was made from.
//!
//! In: a site, its entry, a record store. Out: a [`CrawlResult`]. Straight on: a model of the site
//! from some of its pages; a wrapper for each of its classes; every page once, read and put away.
//! [`infer_tables`](super::infer_tables) then decides the tables, and
//! [`fill_tables`](super::fill_tables) makes rows of what is in the record store.

use url::Url;

use crate::page::{Event, Phase, Site};
use crate::site::model::{ModelOptions, explore_model};
use crate::table::{RecordStore, RecordStoreError};

use super::crawl::Crawl;
use super::options::{CrawlResult, JobOptions};
use super::readings::learn_readings;

/// Pages that a model of a site is made from at least, when all its pages will be visited anyway. A
/// model of some 120 hangs on which pages these were: 9 to 13 classes of one site of 300 pages, by
/// the order of visits alone; with half of its pages it has the same in all six orders. With 640
/// pages F1 of 13 sites is 0.813 instead of 0.810; but a live site is asked for ten minutes then
/// before the first row is read.
const EXPLORED_MIN: usize = 240;

/// Reads a whole site.
pub fn read_site(
    site: &mut dyn Site,
    record_store: &mut dyn RecordStore,
    entry: &Url,
    options: &JobOptions,
) -> Result<CrawlResult, RecordStoreError> {
    site.note(Event::Phase(Phase::Exploring));
    let model = ModelOptions {
        pages_min: EXPLORED_MIN,
        ..options.model.clone()
    };
    let exploration = explore_model(site, entry, &options.first_starts(), &model);
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
