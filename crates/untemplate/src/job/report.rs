//! `report`: all pages like a sample, read.
//!
//! In: a site, a sample page, a record store. Out: a [`CrawlResult`] with one class, and how the
//! search went. Pages are looked for by [`gather()`]; each page that it visits is put away as it
//! passes by, and those that turn out to be of the class are read when the search has ended.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::FixedState;
use url::Url;

use crate::page::{Event, Page, Phase, Request, Site, UrlPattern, Visit};
use crate::site::model::{ClassKind, Fingerprint};
use crate::site::{AddressId, GatherOptions, Gathered, gather};
use crate::table::{RecordStore, RecordStoreError};

use super::crawl::Crawl;
use super::ledger::Fate;
use super::options::{CrawlResult, JobOptions};
use super::readings::learn_readings;

/// Reads all pages like a sample.
pub fn read_like(
    site: &mut dyn Site,
    record_store: &mut dyn RecordStore,
    sample: &Arc<Page>,
    search: &GatherOptions,
    options: &JobOptions,
) -> Result<(CrawlResult, Gathered), RecordStoreError> {
    let mut watch = Watch {
        crawl: Crawl::new(site, record_store, &sample.url, options),
        trouble: None,
    };
    watch.crawl.add_reader(name_of(&sample.url), ClassKind::Detail);
    watch.see(sample.url.clone(), sample);
    watch.note(Event::Phase(Phase::Searching));
    let gathered = gather(&mut watch, sample, search);
    let Watch { mut crawl, trouble } = watch;
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    crawl.is_stopped |= gathered.is_stopped;
    read_rest(&mut crawl, &gathered)?;
    let pages: Vec<Url> = gathered.pages.iter().map(|page| page.url.clone()).collect();
    let losses = gathered.losses.clone();
    let mut crawl_result = crawl.finish(None);
    crawl_result.losses.extend(losses);
    for reader in &mut crawl_result.readers {
        reader.pattern = UrlPattern::of(&pages)
            .map(|pattern| pattern.to_string())
            .unwrap_or_default();
        reader.estimated_pages = Some(gathered.size_estimate);
    }
    site.note(Event::Phase(Phase::Learning));
    learn_readings(&mut crawl_result, record_store, &options.reading)?;
    Ok((crawl_result, gathered))
}

/// Reads the pages found that did not pass by, and forgets others.
fn read_rest(crawl: &mut Crawl<'_>, gathered: &Gathered) -> Result<(), RecordStoreError> {
    let mut wanted: Vec<AddressId> = Vec::new();
    for page in &gathered.pages {
        let Some(address) = crawl.ledger.addresses.intern(&page.url) else {
            continue;
        };
        match page.copy_of.as_ref().and_then(|url| crawl.ledger.addresses.intern(url)) {
            Some(first) if first != address => crawl.count_copy(address, first),
            _ => wanted.push(address),
        }
    }
    let known: HashSet<AddressId, FixedState> = wanted.iter().copied().collect();
    crawl.forget_others(&known);
    let rest: Vec<AddressId> = wanted
        .into_iter()
        .filter(|&page| !matches!(crawl.ledger.fate(page), Fate::Read(_)))
        .collect();
    crawl.read_all(0, &rest)
}

/// What to call the class: the folder that its pages are in, or else their host.
fn name_of(url: &Url) -> &str {
    let folders = url.path_segments().into_iter().flatten().rev().skip(1);
    let named = folders.filter(|folder| folder.chars().filter(|c| c.is_alphabetic()).count() > 1);
    named.into_iter().next().or_else(|| url.host_str()).unwrap_or("pages")
}

/// A site whose pages are put away as they pass by: whether they are of the class is known in the
/// end.
struct Watch<'a> {
    crawl: Crawl<'a>,
    trouble: Option<RecordStoreError>,
}

impl Watch<'_> {
    fn see(&mut self, asked: Url, page: &Arc<Page>) {
        let address = self.crawl.ledger.addresses.intern(&page.url);
        let Some(address) = address.or_else(|| self.crawl.ledger.addresses.intern(&asked)) else {
            return;
        };
        if self.crawl.ledger.fate(address) != Fate::Met {
            return;
        }
        let fingerprint = Fingerprint::of(page, &self.crawl.filter);
        if let Err(error) = self.crawl.read(0, address, page, &fingerprint) {
            self.trouble = Some(error);
        }
    }
}

impl Site for Watch<'_> {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        if self.trouble.is_some() {
            return requests.iter().map(|_| Visit::Stopped).collect();
        }
        let visits = self.crawl.site.visit(requests);
        for (request, visit) in requests.iter().zip(&visits) {
            if let Visit::Page(page) = visit {
                self.see(request.url.clone(), page);
            }
        }
        visits
    }

    fn listed(&mut self, around: &Url) -> Vec<Url> {
        self.crawl.site.listed(around)
    }

    fn note(&mut self, event: Event) {
        self.crawl.site.note(event);
    }
}
