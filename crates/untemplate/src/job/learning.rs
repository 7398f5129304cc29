//! Learning while a crawl is under way: classes of the model, and classes for pages that none is
//! like.

use std::collections::HashSet;

use foldhash::fast::FixedState;
use url::Url;

use crate::page::{Event, Phase, Visit};
use crate::site::AddressId;
use crate::site::model::{ClassKind, Fingerprint, ModelOptions, SiteModel, explore_model};
use crate::table::RecordStoreError;

use super::class_reader::ClassReader;
use super::crawl::Crawl;
use super::ledger::Fate;

/// Pages that no class is like of which classes are made at a time.
const UNCLASSIFIED_MAX: usize = 400;

impl Crawl<'_> {
    /// Takes on the classes of a model; the number of the first.
    pub fn learn(&mut self, model: &SiteModel) -> usize {
        let first = self.placing.add(model);
        for (number, class) in model.classes.iter().enumerate() {
            let addresses = self.intern_all(&class.pages);
            self.placed
                .extend(addresses.iter().map(|&address| (address, first + number)));
            self.add_reader(&class.name, class.kind);
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

    /// Adds a class.
    pub(super) fn add_reader(&mut self, name: &str, kind: ClassKind) {
        self.readers.push(ClassReader::new(name, kind, self.readers.len()));
    }

    /// Reads pages that are known to be of a class.
    pub(super) fn read_all(&mut self, class: usize, pages: &[AddressId]) -> Result<(), RecordStoreError> {
        for batch in pages.chunks(self.options.batch) {
            for (&address, visit) in batch.iter().zip(self.visit(batch)) {
                match visit {
                    Visit::Page(page) => {
                        let fingerprint = Fingerprint::of(&page, &self.filter);
                        self.read(class, address, &page, &fingerprint)?;
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
        }
    }

    /// Makes classes of pages that no class is like, and reads them; whether any was read.
    pub(super) fn cluster_unclassified(&mut self) -> Result<bool, RecordStoreError> {
        let unclassified = std::mem::take(&mut self.unclassified);
        let some = spread(&unclassified, UNCLASSIFIED_MAX);
        let some: Vec<Url> = some.iter().map(|&page| self.ledger.addresses.url(page)).collect();
        let options = ModelOptions {
            pages_max: Some(0),
            ..self.options.model.clone()
        };
        self.site.note(Event::Phase(Phase::Exploring));
        let found = explore_model(self.site, &some[0], &some[1..], &options);
        self.note_progress();
        if found.is_stopped || found.model.classes.is_empty() {
            self.is_stopped |= found.is_stopped;
            self.unclassified = unclassified;
            return Ok(false);
        }
        let first = self.learn(&found.model);
        for batch in unclassified.chunks(self.options.batch) {
            for (&address, visit) in batch.iter().zip(self.visit(batch)) {
                let Visit::Page(page) = visit else {
                    self.is_stopped |= matches!(visit, Visit::Stopped);
                    continue;
                };
                let fingerprint = Fingerprint::of(&page, &self.filter);
                let placed = self.placed.get(&address).copied().filter(|&class| class >= first);
                match placed.or_else(|| self.placing.class_from(first, &fingerprint, &page.url)) {
                    Some(class) => {
                        self.read(class, address, &page, &fingerprint)?;
                    }
                    None => self.unclassified.push(address),
                }
            }
        }
        Ok(self.unclassified.len() < unclassified.len())
    }
}

/// Some of many, taken evenly.
pub(super) fn spread(addresses: &[AddressId], most: usize) -> Vec<AddressId> {
    let n_taken = addresses.len().min(most);
    (0..n_taken)
        .map(|index| addresses[index * addresses.len() / n_taken])
        .collect()
}
