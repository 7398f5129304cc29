//! `rebuild`: a whole site to the database it was made from.
//!
//! In: a site, its entry, a shelf for records. Out: a [`Harvest`]. Straight on: a model of the site
//! from few pages; a wrapper for each of its classes; every page once, read and put away.
//! [`relate_tables`](super::relate_tables) then decides the tables, and
//! [`fill_tables`](super::fill_tables) makes rows of what is on the shelf.

use url::Url;

use crate::page::{Event, Phase, Site};
use crate::site::model::explore_model;
use crate::table::{Shelf, ShelfError};

use super::crawl::Crawl;
use super::options::{Harvest, JobOptions};
use super::readings::learn_readings;

/// Reads a whole site.
pub fn read_site(
    site: &mut dyn Site,
    shelf: &mut dyn Shelf,
    entry: &Url,
    options: &JobOptions,
) -> Result<Harvest, ShelfError> {
    site.note(Event::Phase(Phase::Exploring));
    let exploration = explore_model(site, entry, &options.first_starts(), &options.model);
    if exploration.model.classes.is_empty() {
        // The entry could not be had: its host would only be asked in vain once more.
        return Ok(Harvest {
            losses: exploration
                .losses
                .into_iter()
                .map(|(_, why)| (entry.clone(), why))
                .collect(),
            is_stopped: exploration.is_stopped,
            ..Crawl::new(site, shelf, entry, options).finish(None)
        });
    }
    let mut entries = vec![entry.clone()];
    entries.extend(options.starts.iter().cloned());
    entries.extend(site.listed(entry));
    let mut crawl = Crawl::new(site, shelf, entry, options);
    crawl.shapes.book = exploration.model.shapes.clone();
    crawl.learn(&exploration.model);
    crawl.run(&entries)?;
    let mut harvest = crawl.finish(Some(exploration.model));
    site.note(Event::Phase(Phase::Learning));
    learn_readings(&mut harvest, shelf, &options.reading)?;
    Ok(harvest)
}
