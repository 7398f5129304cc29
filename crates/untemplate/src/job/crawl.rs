//! The crawl: every page of the site that is needed, each parsed once, read, put in the record
//! store and dropped.
//!
//! In: a site, a model of it. Out: what each page says in the record store, and the [`Ledger`].
//! Breadth first, in batches. Pages that no class is like wait until the others are read, and then
//! become classes of their own (`learning.rs`).

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use foldhash::fast::FixedState;
use url::Url;

use crate::content::Content;
use crate::page::{AttributeFilter, Event, Page, Phase, Request, Site, Visit, links, normalise};
use crate::site::model::{Fingerprint, SiteModel};
use crate::site::{AddressId, content_hash};
use crate::table::{RecordStore, RecordStoreError};

use super::class_reader::ClassReader;
use super::ledger::{Fate, Ledger, canonical};
use super::link_texts::LinkTexts;
use super::omissions::{Omissions, keep};
use super::options::{CrawlResult, JobOptions};
use super::placing::Placing;
use super::shape_yield::ShapeYield;

/// A crawl under way.
pub(super) struct Crawl<'a> {
    pub site: &'a mut dyn Site,
    pub record_store: &'a mut dyn RecordStore,
    pub options: &'a JobOptions,
    pub filter: AttributeFilter,
    pub placing: Placing,
    /// The classes of pages that a model was made from.
    pub placed: HashMap<AddressId, usize, FixedState>,
    pub readers: Vec<ClassReader>,
    pub ledger: Ledger,
    queue: VecDeque<AddressId>,
    by_content: HashMap<u64, AddressId, FixedState>,
    /// Addresses first met on a copy of another page.
    met_on_copies: HashSet<AddressId, FixedState>,
    /// What pages say is their own address, where that is another one.
    pub claims: Vec<(AddressId, AddressId)>,
    pub shapes: ShapeYield,
    link_texts: LinkTexts,
    /// Pages that no class is like, so far.
    pub unclassified: Vec<AddressId>,
    n_read: usize,
    losses: Vec<(Url, String)>,
    n_refused: usize,
    n_dead: usize,
    n_copies: usize,
    omissions: Omissions,
    pub n_unread: usize,
    pub is_stopped: bool,
}

/// How often pages that no class is like are made classes of.
const ROUNDS_MAX: usize = 8;

impl<'a> Crawl<'a> {
    pub fn new(
        site: &'a mut dyn Site,
        record_store: &'a mut dyn RecordStore,
        entry: &Url,
        options: &'a JobOptions,
    ) -> Self {
        Self {
            site,
            record_store,
            options,
            filter: AttributeFilter {
                mode: options.model.explore.attributes,
            },
            placing: Placing::default(),
            placed: HashMap::default(),
            readers: Vec::new(),
            ledger: Ledger::new(
                entry.clone(),
                options.model.explore.scope,
                options.model.explore.bounds.clone(),
            ),
            queue: VecDeque::new(),
            by_content: HashMap::default(),
            met_on_copies: HashSet::default(),
            claims: Vec::new(),
            shapes: ShapeYield::default(),
            link_texts: LinkTexts::default(),
            unclassified: Vec::new(),
            n_read: 0,
            losses: Vec::new(),
            n_refused: 0,
            n_dead: 0,
            n_copies: 0,
            omissions: Omissions::default(),
            n_unread: 0,
            is_stopped: false,
        }
    }

    pub(super) fn visit(&mut self, addresses: &[AddressId]) -> Vec<Visit> {
        let requests: Vec<Request> = addresses
            .iter()
            .map(|&address| Request::get(self.ledger.addresses.url(address)))
            .collect();
        self.site.visit(&requests)
    }

    /// Reads the site from its entry on.
    pub fn run(&mut self, entries: &[Url]) -> Result<(), RecordStoreError> {
        for entry in entries {
            if let Some(address) = self.ledger.addresses.intern(entry) {
                self.queue_up(address, false);
            }
        }
        self.note_progress();
        for _ in 0..ROUNDS_MAX {
            self.crawl()?;
            if self.is_stopped || self.unclassified.is_empty() || !self.cluster_unclassified()? {
                break;
            }
        }
        self.merge_classes();
        self.n_unread += self.unclassified.len();
        self.settle_claims()
    }

    /// Queues an address that was not asked for yet; `is_own` tells whether it was met on a page of
    /// its own shape.
    fn queue_up(&mut self, address: AddressId, is_own: bool) {
        if self.ledger.fate(address) == Fate::Met {
            self.ledger.set(address, Fate::Waiting { is_own });
            self.queue.push_back(address);
        }
    }

    /// Visits whatever waits.
    fn crawl(&mut self) -> Result<(), RecordStoreError> {
        while !self.queue.is_empty() && !self.is_stopped {
            let batch = self.next_batch();
            let visits = self.visit(&batch);
            for (address, visit) in batch.into_iter().zip(visits) {
                self.arrive(address, visit)?;
            }
            self.note_count();
        }
        Ok(())
    }

    /// Tells that pages are read, and how many there are to read.
    pub(super) fn note_progress(&mut self) {
        self.site.note(Event::Phase(Phase::Reading));
        self.note_count();
    }

    /// Tells how many pages were read of how many. While links lead on, the classes of the model
    /// are thought to have more pages than those that wait.
    fn note_count(&mut self) {
        let known = self.n_read + self.unclassified.len() + self.queue.len();
        let of_classes: usize = self.readers.iter().filter_map(|reader| reader.estimated_pages).sum();
        let estimate = match self.queue.is_empty() {
            true => known,
            false => known.max(of_classes),
        };
        self.site.note(Event::Estimated(estimate));
        self.site.note(Event::Found(self.n_read + self.unclassified.len()));
    }

    fn next_batch(&mut self) -> Vec<AddressId> {
        let mut batch = Vec::with_capacity(self.options.batch);
        while batch.len() < self.options.batch {
            let Some(address) = self.queue.pop_front() else { break };
            // It can have been reached by another address since.
            let Fate::Waiting { is_own } = self.ledger.fate(address) else {
                continue;
            };
            let url = self.ledger.addresses.url(address);
            if self.shapes.is_exhausted(&url, is_own) {
                self.ledger.set(address, Fate::Met);
                self.shapes.n_left_out += 1;
                let why = "pages at addresses like this one brought nothing new";
                keep(&mut self.omissions.left_out, url, why.to_owned());
                continue;
            }
            batch.push(address);
        }
        batch
    }

    fn arrive(&mut self, address: AddressId, visit: Visit) -> Result<(), RecordStoreError> {
        match visit {
            Visit::Page(page) => return self.take(address, &page),
            Visit::Dead { reason } => {
                let url = self.ledger.addresses.url(address);
                self.n_dead += 1;
                self.shapes.count_dead(&url);
                keep(&mut self.omissions.dead, url, reason);
            }
            Visit::Refused { reason } => {
                self.n_refused += 1;
                keep(&mut self.omissions.refused, self.ledger.addresses.url(address), reason);
            }
            Visit::NotFollowed { reason } => {
                self.shapes.n_left_out += 1;
                keep(&mut self.omissions.left_out, self.ledger.addresses.url(address), reason);
            }
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
    fn take(&mut self, asked: AddressId, page: &Arc<Page>) -> Result<(), RecordStoreError> {
        let Some(own) = self.ledger.addresses.intern(&page.url) else {
            // A redirect led out of the site.
            self.ledger.set(asked, Fate::NoPage);
            return Ok(());
        };
        if own != asked {
            self.ledger.set(asked, Fate::SameAs(own));
            if !matches!(self.ledger.fate(own), Fate::Met | Fate::Waiting { .. }) {
                return Ok(());
            }
        }
        let first = *self.by_content.entry(content_hash(&page.dom)).or_insert(own);
        if first != own {
            self.count_copy(own, first);
            // The same text in another folder links to other pages; what lies behind copies of
            // copies is a maze.
            let brings = !self.met_on_copies.contains(&own) && self.follow(page, true);
            self.shapes.count(&page.url, brings);
            return Ok(());
        }
        for problem in page.problems.iter().filter(|problem| problem.is_loss()) {
            self.losses.push((page.url.clone(), problem.to_string()));
        }
        if let Some(claimed) = canonical(page).and_then(|url| self.ledger.addresses.intern(&url)) {
            self.claims.push((own, claimed));
            self.queue_up(claimed, true);
        }
        let brings = self.follow(page, false);
        let fingerprint = Fingerprint::of(page, &self.filter);
        let is_new = match self
            .placing
            .class_of(self.placed.get(&own).copied(), &fingerprint, &page.url)
        {
            Some(class) => self.read(class, own, page, &fingerprint)?,
            None => {
                self.ledger.set(own, Fate::Unread);
                self.unclassified.push(own);
                true
            }
        };
        self.shapes.count(&page.url, brings || is_new);
        Ok(())
    }

    /// Notes that a page says what another one says.
    pub(super) fn count_copy(&mut self, copy: AddressId, of: AddressId) {
        self.n_copies += 1;
        let first = format!("the same as {}", self.ledger.addresses.text(of));
        keep(&mut self.omissions.copies, self.ledger.addresses.url(copy), first);
        self.ledger.set(copy, Fate::SameAs(of));
    }

    /// Queues what a page links to; whether that has another shape than itself, and was not known.
    fn follow(&mut self, page: &Page, is_copy: bool) -> bool {
        let mut brings = false;
        let own_shape = self.shapes.shape(&page.url);
        for link in links(page) {
            let Some(address) = self.ledger.addresses.intern_link(&link.url) else {
                continue;
            };
            let is_met = self.ledger.fate(address) == Fate::Met;
            let is_open = self.link_texts.is_open(address);
            if !is_met && !is_open {
                continue;
            }
            let shape = self.shapes.shape(&link.url);
            let is_own = shape == own_shape;
            // Pages of one class call each other `next`.
            if is_open && !is_own {
                self.link_texts.add(address, &shape, &link.text(&page.dom));
            }
            if is_met {
                brings |= !is_own;
                if is_copy {
                    self.met_on_copies.insert(address);
                }
                self.queue_up(address, is_own);
            }
        }
        brings
    }

    /// Puts away what a page of a class says; whether that is new.
    pub(super) fn read(
        &mut self,
        class: usize,
        own: AddressId,
        page: &Page,
        fingerprint: &Fingerprint,
    ) -> Result<bool, RecordStoreError> {
        let content = Content::of(page);
        let reader = &mut self.readers[class];
        reader.profile.add(fingerprint);
        reader.labels.add(&content);
        reader.titles.add(page);
        reader.pages.push(own);
        let is_new = self.shapes.is_news(class, &content);
        let store_class = reader.store_classes[0];
        self.record_store
            .put(store_class, &normalise(page.url.clone()), &content.to_bytes())?;
        self.ledger.set(own, Fate::Read(class as u32));
        self.n_read += 1;
        Ok(is_new)
    }

    /// What was read: the classes with pages, numbered anew, those with most pages first.
    pub fn finish(mut self, model: Option<SiteModel>) -> CrawlResult {
        let mut n_pages = vec![0_usize; self.readers.len()];
        for (_, fate) in self.ledger.fates() {
            if let Fate::Read(class) = fate {
                n_pages[class as usize] += 1;
            }
        }
        let mut order: Vec<usize> = (0..n_pages.len()).filter(|&class| n_pages[class] > 0).collect();
        order.sort_by_key(|&class| (std::cmp::Reverse(n_pages[class]), class));
        let mut numbers = vec![0_u32; self.readers.len()];
        for (number, &class) in order.iter().enumerate() {
            numbers[class] = number as u32;
        }
        self.ledger.renumber(&numbers);
        let n_left_out = self.shapes.n_left_out;
        let number = |class: usize| (n_pages[class] > 0).then(|| numbers[class] as usize);
        let mut readers: Vec<Option<ClassReader>> = self.readers.into_iter().map(Some).collect();
        CrawlResult {
            model,
            placing: self.placing.into_models(number),
            readers: order.iter().filter_map(|&class| readers[class].take()).collect(),
            ledger: self.ledger,
            link_texts: self.link_texts,
            shapes: self.shapes.book,
            losses: self.losses,
            n_refused: self.n_refused,
            n_dead: self.n_dead,
            n_copies: self.n_copies,
            omissions: self.omissions,
            n_left_out,
            n_unread: self.n_unread,
            is_stopped: self.is_stopped,
        }
    }
}
