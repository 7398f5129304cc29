//! `report`: all pages like a sample, read.
//!
//! In: a site, a sample page, a shelf for records. Out: a [`Harvest`] with one class, and how the search went. Pages are looked for by [`gather()`]; each page that it
//! visits passes by here, and as soon as a few are like the sample a wrapper is learnt from them and reads the others as they come. When the search ends, pages that were not read are, the wrapper is learnt
//! anew if some show what it never saw, and records of pages that are not of the class after all are left alone.

use std::collections::HashSet;
use std::sync::Arc;

use foldhash::fast::FixedState;
use url::Url;

use crate::page::{Event, Page, Request, Site, Visit};
use crate::site::model::{ClassKind, Portrait, Witness};
use crate::site::{AddressId, GatherOptions, Gathered, UrlPattern, gather};
use crate::table::{Shelf, ShelfError};

use super::class_reader::Candidate;
use super::crawl::Crawl;
use super::ledger::Fate;
use super::options::{Harvest, JobOptions};

/// A wrapper is learnt when so many pages are like the sample.
const ENOUGH: usize = 8;

/// How alike the mark-up of a page and of the sample must be before there is a wrapper to tell.
const ALIKE: f64 = 0.5;

/// A page is read as it passes when the wrapper finds so much of what every page has.
const AGREEMENT_MIN: f64 = 0.7;

/// Reads all pages like a sample.
pub fn read_like(
    site: &mut dyn Site,
    shelf: &mut dyn Shelf,
    sample: &Arc<Page>,
    search: &GatherOptions,
    options: &JobOptions,
) -> Result<(Harvest, Gathered), ShelfError> {
    let mut watch = Watch {
        crawl: Crawl::new(site, shelf, &sample.url, options),
        sample: Vec::new(),
        alike: Vec::new(),
        trouble: None,
    };
    watch.see(sample.url.clone(), sample);
    let gathered = gather(&mut watch, sample, search);
    let Watch {
        mut crawl,
        alike,
        trouble,
        ..
    } = watch;
    if let Some(trouble) = trouble {
        return Err(trouble);
    }
    crawl.is_stopped |= gathered.is_stopped;
    read_rest(&mut crawl, &gathered, alike)?;
    let pages: Vec<Url> = gathered.pages.iter().map(|page| page.url.clone()).collect();
    let losses = gathered.losses.clone();
    let mut harvest = crawl.finish(None);
    harvest.losses.extend(losses);
    for reader in &mut harvest.readers {
        reader.pattern = UrlPattern::of(&pages)
            .map(|pattern| pattern.to_string())
            .unwrap_or_default();
        reader.estimated_pages = Some(gathered.size_estimate);
    }
    Ok((harvest, gathered))
}

/// Reads the pages found that did not pass by in time, and forgets others.
fn read_rest(crawl: &mut Crawl<'_>, gathered: &Gathered, alike: Vec<Candidate>) -> Result<(), ShelfError> {
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
    if crawl.readers.is_empty() {
        let own: Vec<Candidate> = alike
            .into_iter()
            .filter(|candidate| known.contains(&candidate.address))
            .collect();
        let own = if own.len() == wanted.len() {
            own
        } else {
            crawl.candidates(&wanted[..wanted.len().min(ENOUGH)])
        };
        crawl.add_reader(class_name(gathered), ClassKind::Detail, &own);
    }
    crawl.forget_others(&known);
    let rest: Vec<AddressId> = wanted
        .into_iter()
        .filter(|&page| !matches!(crawl.ledger.fate(page), Fate::Read(_)))
        .collect();
    crawl.read_all(0, &rest)?;
    crawl.refine(0)?;
    crawl.n_unread += crawl.unmet.len();
    Ok(())
}

/// What to call the class: the folder that its pages are in, or else their host.
fn class_name(gathered: &Gathered) -> &str {
    let Some(first) = gathered.pages.first() else {
        return "pages";
    };
    name_of(&first.url)
}

fn name_of(url: &Url) -> &str {
    let folders = url.path_segments().into_iter().flatten().rev().skip(1);
    let named = folders.filter(|folder| folder.chars().filter(|c| c.is_alphabetic()).count() > 1);
    named.into_iter().next().or_else(|| url.host_str()).unwrap_or("pages")
}

/// A site whose pages are read as they pass by.
struct Watch<'a> {
    crawl: Crawl<'a>,
    /// What the sample's mark-up shows, sorted.
    sample: Vec<u64>,
    /// Pages that are like the sample, until there are enough to learn from.
    alike: Vec<Candidate>,
    trouble: Option<ShelfError>,
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
        let portrait = Portrait::of(page, &self.crawl.filter);
        if self.crawl.readers.is_empty() {
            self.compare(address, page, &portrait);
        } else if self.crawl.agreement(0, page) >= AGREEMENT_MIN
            && let Err(error) = self.crawl.read(0, address, page, &portrait)
        {
            self.trouble = Some(error);
        }
    }

    /// Keeps a page that is like the sample, and learns a wrapper when there are enough.
    fn compare(&mut self, address: AddressId, page: &Arc<Page>, portrait: &Portrait) {
        let own = portrait.by(Witness::MarkUp);
        if self.alike.is_empty() {
            self.sample = own.to_vec();
        } else if jaccard(&self.sample, own) < ALIKE {
            return;
        }
        self.alike.push(Candidate {
            address,
            page: Arc::clone(page),
        });
        if self.alike.len() < ENOUGH {
            return;
        }
        let alike = std::mem::take(&mut self.alike);
        let name = name_of(&alike[0].page.url).to_owned();
        self.crawl.add_reader(&name, ClassKind::Detail, &alike);
        for candidate in alike {
            self.see(candidate.page.url.clone(), &candidate.page);
        }
    }
}

/// What two sorted sets have in common, as a share of both.
fn jaccard(left: &[u64], right: &[u64]) -> f64 {
    let shared = left
        .iter()
        .filter(|feature| right.binary_search(feature).is_ok())
        .count();
    shared as f64 / (left.len() + right.len() - shared).max(1) as f64
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
