//! The crawl: every page of the site that is needed, each parsed once, read, put on the shelf and dropped.
//!
//! In: a site, a model of it, readers for its classes. Out: records on the shelf and the [`Ledger`]. Breadth first, in batches. What a class's pages show
//! that its wrapper never saw is learnt when there is enough of it ([`Crawl::refine`]), and the class's pages are read again: the source has them, so
//! that costs no download. Pages that no class is like wait until the others are read, and then become classes of their own.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use foldhash::fast::FixedState;
use url::Url;

use crate::page::{AttributeFilter, Event, Page, Request, Site, Visit, links, normalise};
use crate::site::model::{ClassKind, ModelOptions, Portrait, SiteModel, explore_model};
use crate::site::{AddressId, content_hash};
use crate::table::{ReadPage, Shelf, ShelfError};

use super::class_reader::{Candidate, ClassReader};
use super::ledger::{Fate, Ledger, canonical};
use super::options::{JobOptions, Reading};
use super::placing::Placing;
use super::shape_yield::ShapeYield;

/// A crawl under way.
pub(super) struct Crawl<'a> {
    pub site: &'a mut dyn Site,
    pub shelf: &'a mut dyn Shelf,
    pub options: &'a JobOptions,
    filter: AttributeFilter,
    placing: Placing,
    pub readers: Vec<ClassReader>,
    pub ledger: Ledger,
    queue: VecDeque<AddressId>,
    by_content: HashMap<u64, AddressId, FixedState>,
    /// What pages say is their own address, where that is another one.
    claims: Vec<(AddressId, AddressId)>,
    shapes: ShapeYield,
    /// Pages that no class is like, so far.
    unmet: Vec<AddressId>,
    n_shelf_classes: usize,
    n_read: usize,
    losses: Vec<(Url, String)>,
    n_refused: usize,
    n_dead: usize,
    n_copies: usize,
    n_unread: usize,
    is_stopped: bool,
}

/// Pages of a class that are looked at to choose what to learn from.
const CANDIDATES_MAX: usize = 60;

/// A class's wrapper is looked at again when so many of its pages are read, and each time there are so many times more.
const REFINE_FIRST: usize = 64;
const REFINE_FACTOR: usize = 8;

/// Pages that no class is like of which classes are made at a time.
const UNMET_MAX: usize = 400;

/// How often pages that no class is like are made classes of.
const ROUNDS_MAX: usize = 8;

impl<'a> Crawl<'a> {
    pub fn new(site: &'a mut dyn Site, shelf: &'a mut dyn Shelf, entry: &Url, options: &'a JobOptions) -> Self {
        Self {
            site,
            shelf,
            options,
            filter: AttributeFilter {
                mode: options.model.explore.attributes,
                common: None,
            },
            placing: Placing::default(),
            readers: Vec::new(),
            ledger: Ledger::new(entry.clone(), options.model.explore.scope),
            queue: VecDeque::new(),
            by_content: HashMap::default(),
            claims: Vec::new(),
            shapes: ShapeYield::default(),
            unmet: Vec::new(),
            n_shelf_classes: 0,
            n_read: 0,
            losses: Vec::new(),
            n_refused: 0,
            n_dead: 0,
            n_copies: 0,
            n_unread: 0,
            is_stopped: false,
        }
    }

    /// Learns to read the classes of a model.
    pub fn learn(&mut self, model: &SiteModel) {
        self.placing.add(model);
        self.shapes.book = model.shapes.clone();
        for class in &model.classes {
            let addresses = self.intern_all(&class.pages);
            let reader = self.learn_class(&class.name, class.kind, &addresses);
            self.readers.push(reader);
        }
    }

    fn intern_all(&mut self, pages: &[String]) -> Vec<AddressId> {
        let urls = pages.iter().filter_map(|page| Url::parse(page).ok());
        urls.filter_map(|url| self.ledger.addresses.intern(&url)).collect()
    }

    fn learn_class(&mut self, name: &str, kind: ClassKind, addresses: &[AddressId]) -> ClassReader {
        let step = addresses.len().div_ceil(CANDIDATES_MAX).max(1);
        let some: Vec<AddressId> = addresses.iter().copied().step_by(step).collect();
        let candidates = self.candidates(&some);
        let mut reader = ClassReader::learn(name, kind, &candidates, self.options.training_max, &self.filter);
        reader.shelf_class = self.next_shelf_class();
        reader
    }

    fn next_shelf_class(&mut self) -> usize {
        self.n_shelf_classes += 1;
        self.n_shelf_classes - 1
    }

    /// Has pages that were had before, to learn from.
    fn candidates(&mut self, addresses: &[AddressId]) -> Vec<Candidate> {
        let visits = self.visit(addresses);
        let pages = addresses.iter().zip(visits).filter_map(|(&address, visit)| match visit {
            Visit::Page(page) => Some(Candidate { address, page }),
            _ => None,
        });
        pages.collect()
    }

    fn visit(&mut self, addresses: &[AddressId]) -> Vec<Visit> {
        let requests: Vec<Request> = addresses
            .iter()
            .map(|&address| Request::get(self.ledger.addresses.url(address)))
            .collect();
        self.site.visit(&requests)
    }

    /// Reads the site from its entry on.
    pub fn run(&mut self, entries: &[Url]) -> Result<(), ShelfError> {
        for entry in entries {
            if let Some(address) = self.ledger.addresses.intern(entry) {
                self.queue_up(address);
            }
        }
        for _ in 0..ROUNDS_MAX {
            self.crawl()?;
            for class in 0..self.readers.len() {
                self.refine(class)?;
            }
            if self.is_stopped || self.unmet.is_empty() || !self.meet()? {
                break;
            }
        }
        self.n_unread += self.unmet.len();
        self.settle_claims();
        Ok(())
    }

    fn queue_up(&mut self, address: AddressId) {
        if self.ledger.fate(address) == Fate::Met {
            self.ledger.set(address, Fate::Waiting);
            self.queue.push_back(address);
        }
    }

    /// Visits whatever waits.
    fn crawl(&mut self) -> Result<(), ShelfError> {
        while !self.queue.is_empty() && !self.is_stopped {
            let batch = self.next_batch();
            let visits = self.visit(&batch);
            for (address, visit) in batch.into_iter().zip(visits) {
                self.arrive(address, visit)?;
            }
            let estimate = self.n_read + self.queue.len();
            self.site.note(Event::Estimated(estimate));
            self.site.note(Event::Found(self.n_read));
        }
        Ok(())
    }

    fn next_batch(&mut self) -> Vec<AddressId> {
        let mut batch = Vec::with_capacity(self.options.batch);
        while batch.len() < self.options.batch {
            let Some(address) = self.queue.pop_front() else { break };
            // It can have been reached by another address since.
            if self.ledger.fate(address) != Fate::Waiting {
                continue;
            }
            if self.shapes.is_exhausted(&self.ledger.addresses.url(address)) {
                self.ledger.set(address, Fate::Met);
                self.shapes.n_left_out += 1;
                continue;
            }
            batch.push(address);
        }
        batch
    }

    fn arrive(&mut self, address: AddressId, visit: Visit) -> Result<(), ShelfError> {
        match visit {
            Visit::Page(page) => return self.take(address, &page),
            Visit::Dead { .. } => self.n_dead += 1,
            Visit::Refused { .. } => self.n_refused += 1,
            Visit::Failed { reason } => self.losses.push((self.ledger.addresses.url(address), reason)),
            Visit::Stopped => {
                self.is_stopped = true;
                self.ledger.set(address, Fate::Met);
                return Ok(());
            }
        }
        self.ledger.set(address, Fate::NoPage);
        Ok(())
    }

    /// Takes a page that was had for the first time.
    fn take(&mut self, asked: AddressId, page: &Arc<Page>) -> Result<(), ShelfError> {
        let own = self.ledger.addresses.intern(&page.url).unwrap_or(asked);
        if own != asked {
            self.ledger.set(asked, Fate::SameAs(own));
            if !matches!(self.ledger.fate(own), Fate::Met | Fate::Waiting) {
                return Ok(());
            }
        }
        let first = *self.by_content.entry(content_hash(&page.dom)).or_insert(own);
        if first != own {
            self.n_copies += 1;
            self.ledger.set(own, Fate::SameAs(first));
            self.shapes.count(&page.url, false);
            return Ok(());
        }
        for problem in page.problems.iter().filter(|problem| problem.is_loss()) {
            self.losses.push((page.url.clone(), problem.to_string()));
        }
        if let Some(claimed) = canonical(page).and_then(|url| self.ledger.addresses.intern(&url)) {
            self.claims.push((own, claimed));
            self.queue_up(claimed);
        }
        let brings = self.follow(page);
        let portrait = Portrait::of(page, &self.filter);
        let is_new = match self.placing.class_of(&portrait, &page.url) {
            Some(class) => self.read(class, own, page, &portrait)?,
            None => {
                self.ledger.set(own, Fate::Unread);
                self.unmet.push(own);
                true
            }
        };
        self.shapes.count(&page.url, brings || is_new);
        Ok(())
    }

    /// Queues what a page links to; whether that has another shape than itself, and was not known.
    fn follow(&mut self, page: &Page) -> bool {
        let mut brings = false;
        let own_shape = self.shapes.shape(&page.url);
        for link in links(page) {
            let Some(address) = self.ledger.addresses.intern_link(&link.url) else { continue };
            if self.ledger.fate(address) == Fate::Met {
                brings = brings || self.shapes.shape(&link.url) != own_shape;
                self.queue_up(address);
            }
        }
        brings
    }

    /// Reads a page by the wrapper of its class; whether it says anything new.
    fn read(&mut self, class: usize, own: AddressId, page: &Page, portrait: &Portrait) -> Result<bool, ShelfError> {
        let reader = &mut self.readers[class];
        let read = reader.read(page);
        if !read.is_matched {
            reader.strays.push(own);
            self.ledger.set(own, Fate::Unread);
            return Ok(true);
        }
        reader.n_missing += read.n_missing;
        reader.variety.see(own, portrait);
        reader.pages.push(own);
        let is_new = self.shapes.is_news(class, &read.record);
        let read_page = ReadPage {
            page_class: reader.shelf_class,
            url: normalise(page.url.clone()),
            record: read.record,
        };
        self.shelf.put(&read_page)?;
        self.ledger.set(own, Fate::Read(class as u32));
        self.n_read += 1;
        let n_pages = reader.pages.len();
        if n_pages >= REFINE_FIRST && (0..8).any(|power| n_pages == REFINE_FIRST * REFINE_FACTOR.pow(power)) {
            self.refine(class)?;
        }
        Ok(is_new)
    }

    /// Learns a class anew with pages that show what its wrapper never saw, and reads its pages again.
    fn refine(&mut self, class: usize) -> Result<(), ShelfError> {
        let reader = &mut self.readers[class];
        let strays = std::mem::take(&mut reader.strays);
        let news = reader.variety.take_news();
        if news.is_empty() && strays.is_empty() || self.is_stopped {
            self.unmet.extend(strays);
            return Ok(());
        }
        let (name, kind) = (reader.name.clone(), reader.kind);
        let training = reader.training.iter().copied();
        let mut chosen: Vec<AddressId> = training.chain(news).chain(strays.iter().copied().take(CANDIDATES_MAX)).collect();
        chosen.truncate(2 * CANDIDATES_MAX);
        let candidates = self.candidates(&chosen);
        let training_max = (2 * self.options.training_max).min(candidates.len());
        let mut better = ClassReader::learn(&name, kind, &candidates, training_max, &self.filter);
        better.shelf_class = self.next_shelf_class();
        let mut old_pages = self.readers[class].pages.clone();
        old_pages.extend(strays.iter().copied());
        if !self.read_again(class, &mut better, &old_pages)? {
            self.unmet.extend(strays);
            return Ok(());
        }
        let strays = std::mem::take(&mut better.strays);
        self.unmet.extend(strays);
        self.readers[class] = better;
        Ok(())
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
                reader.n_missing += read.n_missing;
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

    /// Makes classes of pages that no class is like, and reads them; whether any was made.
    fn meet(&mut self) -> Result<bool, ShelfError> {
        let unmet = std::mem::take(&mut self.unmet);
        let some: Vec<Url> = unmet.iter().take(UNMET_MAX).map(|&page| self.ledger.addresses.url(page)).collect();
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
        let first = self.placing.add(&found.model);
        for class in &found.model.classes {
            let addresses = self.intern_all(&class.pages);
            let reader = self.learn_class(&class.name, class.kind, &addresses);
            self.readers.push(reader);
        }
        for batch in unmet.chunks(self.options.batch) {
            for (&address, visit) in batch.iter().zip(self.visit(batch)) {
                let Visit::Page(page) = visit else {
                    self.is_stopped |= matches!(visit, Visit::Stopped);
                    continue;
                };
                let portrait = Portrait::of(&page, &self.filter);
                match self.placing.class_from(first, &portrait, &page.url) {
                    Some(class) => {
                        self.read(class, address, &page, &portrait)?;
                    }
                    None => self.unmet.push(address),
                }
            }
        }
        Ok(self.unmet.len() < unmet.len())
    }

    /// Believes pages that say that they are another one, where that one is there, of the same class, and says nothing of the kind.
    fn settle_claims(&mut self) {
        let claims = std::mem::take(&mut self.claims);
        let claimants: std::collections::HashSet<AddressId, FixedState> = claims.iter().map(|(own, _)| *own).collect();
        for (own, claimed) in claims {
            let target = self.ledger.own(claimed);
            let is_alike = matches!((self.ledger.fate(own), self.ledger.fate(target)), (Fate::Read(left), Fate::Read(right)) if left == right);
            if target != own && is_alike && !claimants.contains(&target) {
                self.ledger.set(own, Fate::SameAs(target));
                self.n_copies += 1;
            }
        }
    }

    /// What was read.
    pub fn finish(self, model: SiteModel) -> Reading {
        Reading {
            model,
            readers: self.readers,
            ledger: self.ledger,
            losses: self.losses,
            n_refused: self.n_refused,
            n_dead: self.n_dead,
            n_copies: self.n_copies,
            n_left_out: self.shapes.n_left_out,
            n_unread: self.n_unread,
            is_stopped: self.is_stopped,
        }
    }
}
