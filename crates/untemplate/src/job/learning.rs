//! Learning while a crawl is under way: wrappers for the classes of the model, better ones when pages show more, classes for pages that none is like.
//!
//! A wrapper is replaced only when all pages of its class could be read again by the new one; until then the records of the old one stay on the shelf, so that a
//! stop at any moment leaves a whole class. Pages that were had before are had again from the source, which costs no download.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use url::Url;

use crate::page::{Page, Visit};
use crate::site::AddressId;
use crate::site::model::{ClassKind, ModelOptions, Portrait, SiteModel, explore_model};
use crate::table::{ReadPage, ShelfError};

use super::class_reader::{Candidate, ClassReader, Means};
use super::crawl::Crawl;
use super::ledger::Fate;

/// Pages of a class that are looked at to choose what to learn from.
pub(super) const CANDIDATES_MAX: usize = 60;

/// Pages that no class is like of which classes are made at a time.
const UNMET_MAX: usize = 400;

impl Crawl<'_> {
    /// Learns to read the classes of a model; the number of the first.
    pub fn learn(&mut self, model: &SiteModel) -> usize {
        let first = self.placing.add(model);
        for (number, class) in model.classes.iter().enumerate() {
            let addresses = self.intern_all(&class.pages);
            self.placed
                .extend(addresses.iter().map(|&address| (address, first + number)));
            let candidates = self.candidates(&spread(&addresses, CANDIDATES_MAX));
            self.add_reader(&class.name, class.kind, &candidates);
            let reader = &mut self.readers[first + number];
            reader.pattern.clone_from(&class.url_pattern);
            reader.estimated_pages = Some(class.estimated_pages);
        }
        first
    }

    fn intern_all(&mut self, pages: &[String]) -> Vec<AddressId> {
        let urls = pages.iter().filter_map(|page| Url::parse(page).ok());
        urls.filter_map(|url| self.ledger.addresses.intern(&url)).collect()
    }

    /// Learns to read pages like these.
    pub(super) fn add_reader(&mut self, name: &str, kind: ClassKind, candidates: &[Candidate]) {
        let mut reader = ClassReader::learn(name, kind, candidates, self.options.training_max, &self.filter);
        reader.shelf_class = self.next_shelf_class();
        self.readers.push(reader);
    }

    fn next_shelf_class(&mut self) -> usize {
        self.n_shelf_classes += 1;
        self.n_shelf_classes - 1
    }

    /// Has pages that were had before, to learn from.
    pub(super) fn candidates(&mut self, addresses: &[AddressId]) -> Vec<Candidate> {
        let visits = self.visit(addresses);
        self.is_stopped |= visits.iter().any(|visit| matches!(visit, Visit::Stopped));
        let pages = addresses
            .iter()
            .zip(visits)
            .filter_map(|(&address, visit)| match visit {
                Visit::Page(page) => Some(Candidate { address, page }),
                _ => None,
            });
        pages.collect()
    }

    /// Learns a class anew with pages that show what its wrapper never saw, and reads its pages again.
    pub(super) fn refine(&mut self, class: usize) -> Result<(), ShelfError> {
        let is_crawling = self.is_crawling();
        let reader = &mut self.readers[class];
        let strays = std::mem::take(&mut reader.strays);
        let mut more = reader.variety.take_news();
        more.extend(strays.iter().copied().take(CANDIDATES_MAX));
        let is_small = reader.training.len() < self.options.training_max && reader.training.len() < reader.pages.len();
        if is_small && !is_crawling {
            more.extend(spread(&reader.pages, self.options.training_max));
        }
        more.retain(|page| !reader.training.contains(page));
        if more.is_empty() || self.is_stopped || !self.relearn(class, &more, &strays)? {
            self.unmet.extend(strays);
        }
        Ok(())
    }

    /// Learns a class anew from its training pages and more, and reads its pages and others again; whether that could be done.
    pub(super) fn relearn(
        &mut self,
        class: usize,
        more: &[AddressId],
        others: &[AddressId],
    ) -> Result<bool, ShelfError> {
        let old = &self.readers[class];
        let (name, kind, pattern, estimated_pages) =
            (old.name.clone(), old.kind, old.pattern.clone(), old.estimated_pages);
        let mut chosen = old.training.clone();
        chosen.extend(more);
        chosen.truncate(CANDIDATES_MAX + CANDIDATES_MAX / 2);
        let mut pages = old.pages.clone();
        pages.extend(others);
        let candidates = self.candidates(&chosen);
        let training_max = 2 * self.options.training_max;
        let mut reader = ClassReader::learn(&name, kind, &candidates, training_max, &self.filter);
        reader.shelf_class = self.next_shelf_class();
        (reader.pattern, reader.estimated_pages) = (pattern, estimated_pages);
        drop(candidates);
        if !self.read_again(class, &mut reader, &pages)? {
            return Ok(false);
        }
        self.unmet.extend(std::mem::take(&mut reader.strays));
        self.readers[class] = reader;
        Ok(true)
    }

    /// How much of what every page of a class has a page has, from 0 to 1.
    pub(super) fn agreement(&self, class: usize, page: &Page) -> f64 {
        match &self.readers[class].means {
            Means::Template(matcher) => matcher.extract(page).agreement,
            Means::Lists => 0.0,
        }
    }

    /// Reads pages that are known to be of a class.
    pub(super) fn read_all(&mut self, class: usize, pages: &[AddressId]) -> Result<(), ShelfError> {
        for batch in pages.chunks(self.options.batch) {
            for (&address, visit) in batch.iter().zip(self.visit(batch)) {
                match visit {
                    Visit::Page(page) => {
                        let portrait = Portrait::of(&page, &self.filter);
                        self.read(class, address, &page, &portrait)?;
                    }
                    visit => self.is_stopped |= matches!(visit, Visit::Stopped),
                }
            }
        }
        Ok(())
    }

    /// Forgets that pages were read, but for some.
    pub(super) fn forget_others(&mut self, known: &HashSet<AddressId, FixedState>) {
        let fates: Vec<(AddressId, Fate)> = self.ledger.fates().collect();
        for (address, fate) in fates {
            if matches!(fate, Fate::Read(_) | Fate::Unread) && !known.contains(&address) {
                self.ledger.set(address, Fate::Met);
            }
        }
        for reader in &mut self.readers {
            reader.pages.retain(|page| known.contains(page));
            reader.strays.retain(|page| known.contains(page));
        }
    }

    /// Reads pages again by another wrapper; whether all could be had.
    fn read_again(&mut self, class: usize, reader: &mut ClassReader, pages: &[AddressId]) -> Result<bool, ShelfError> {
        for batch in pages.chunks(self.options.batch) {
            for (&address, visit) in batch.iter().zip(self.visit(batch)) {
                let Visit::Page(page) = visit else {
                    self.is_stopped |= matches!(visit, Visit::Stopped);
                    return Ok(false);
                };
                let read = reader.read(&page);
                if !read.is_matched {
                    reader.strays.push(address);
                    continue;
                }
                reader.note(&page.url, &read.problems);
                reader.pages.push(address);
                let read_page = ReadPage {
                    page_class: reader.shelf_class,
                    url: self.ledger.addresses.url(address),
                    record: read.record,
                };
                self.shelf.put(&read_page)?;
            }
        }
        for &address in &reader.strays {
            self.ledger.set(address, Fate::Unread);
        }
        for &address in &reader.pages {
            self.ledger.set(address, Fate::Read(class as u32));
        }
        Ok(true)
    }

    /// Makes classes of pages that no class is like, and reads them; whether any was read.
    pub(super) fn meet(&mut self) -> Result<bool, ShelfError> {
        let unmet = std::mem::take(&mut self.unmet);
        let some = spread(&unmet, UNMET_MAX);
        let some: Vec<Url> = some.iter().map(|&page| self.ledger.addresses.url(page)).collect();
        let options = ModelOptions {
            pages_max: Some(0),
            ..self.options.model.clone()
        };
        let found = explore_model(self.site, &some[0], &some[1..], &options);
        if found.is_stopped || found.model.classes.is_empty() {
            self.is_stopped |= found.is_stopped;
            self.unmet = unmet;
            return Ok(false);
        }
        let first = self.learn(&found.model);
        for batch in unmet.chunks(self.options.batch) {
            for (&address, visit) in batch.iter().zip(self.visit(batch)) {
                let Visit::Page(page) = visit else {
                    self.is_stopped |= matches!(visit, Visit::Stopped);
                    continue;
                };
                let portrait = Portrait::of(&page, &self.filter);
                let placed = self.placed.get(&address).copied().filter(|&class| class >= first);
                match placed.or_else(|| self.placing.class_from(first, &portrait, &page.url)) {
                    Some(class) => {
                        self.read(class, address, &page, &portrait)?;
                    }
                    None => self.unmet.push(address),
                }
            }
        }
        Ok(self.unmet.len() < unmet.len())
    }
}

/// Some of many, taken evenly.
pub(super) fn spread(addresses: &[AddressId], most: usize) -> Vec<AddressId> {
    let n_taken = addresses.len().min(most);
    (0..n_taken)
        .map(|index| addresses[index * addresses.len() / n_taken])
        .collect()
}
