//! The guided search: from one sample page to every page like it, in few downloads.
//!
//! In: a [`Site`] and a sample. Out: the pages of the sample's class. Paper: Blanco, Crescenzi,
//! Merialdo 2004, section 2.3.2 (INDESIT). Its idea is kept: learn which links of which pages lead
//! to targets, and follow these. Departures:
//!
//! - Pages are told apart by their whole form and their address ([`Families`]), not by link paths
//!   alone, and what the address tells of their templates is asked of the pages
//!   ([`super::templates`]).
//! - A page is one page under the address asked for, the address it was had from, and any other
//!   that leads there.
//! - A link is forecast before it is followed ([`Forecast`]), by where it stands and by its
//!   address; one stray link kills nothing.
//! - There is no recursion: a page that is no target is worth what pages of its family brought
//!   lately, in targets first met there, and a share of what pages first met there brought. So
//!   indices, indices of indices and their pages ("next") are one case.
//! - Targets are followed like any page (closure), and it ends when nothing left is worth its
//!   download.
//!
//! Downloading a target is never waste, so likely targets go first; then the index pages that
//! promise most; then what is not known yet, a few of each kind.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use url::Url;

use super::address_form::{AddressForm, EdgeWords};
use super::family::{Families, FamilyId};
use super::forecast::{Forecast, Outlook};
use super::options::GatherOptions;
use super::templates::Templates;
use crate::page::{AttributeFilter, Event, Page, Site};
use crate::site::address_book::AddressId;
use crate::site::explored::{Explored, Reached};
use crate::site::model::{Observer, Sighting, sight};
use crate::site::visited_page::PageId;

/// What is known of an address beside its text.
#[derive(Debug, Clone)]
pub(super) struct Prospect {
    pub form: AddressForm,
    /// The signs of where links to it stand: hashes of a page's family and a tag path.
    pub ways: Vec<u64>,
    /// The page that it was first met on.
    pub found_on: Option<PageId>,
}

/// How many places of links to one address are remembered.
const WAYS_MAX: usize = 8;

/// The state of a search.
pub(super) struct Search<'a> {
    pub site: Observer<'a>,
    pub templates: Templates,
    pub options: &'a GatherOptions,
    pub explored: Explored,
    pub families: Families,
    pub forecast: Forecast,
    pub words: EdgeWords,
    /// By address; `None` for addresses that no link was met to yet.
    pub prospects: Vec<Option<Prospect>>,
    /// Addresses not visited yet, in the order they were met.
    pub pending: Vec<AddressId>,
    /// Addresses met since the last look for targets.
    pub fresh: Vec<AddressId>,
    /// What each page brought: targets first met there, and a share of what pages first met there
    /// brought.
    pub credit: Vec<f64>,
    /// The visited pages that are no targets, by family, in order of visits.
    pub by_family: HashMap<FamilyId, Vec<PageId>, FixedState>,
    pub n_targets: usize,
    pub rebuild_at: usize,
    /// How many pages the class was last thought to have.
    pub size_estimate: usize,
}

impl<'a> Search<'a> {
    pub fn new(site: &'a mut dyn Site, sample: &Page, options: &'a GatherOptions) -> Self {
        Self {
            site: Observer::new(site, filter(options)),
            templates: Templates::default(),
            options,
            explored: Explored::new(sample.url.clone(), &options.explore),
            families: Families::new(options.extensions),
            forecast: Forecast::default(),
            words: EdgeWords::default(),
            prospects: Vec::new(),
            pending: Vec::new(),
            fresh: Vec::new(),
            credit: Vec::new(),
            by_family: HashMap::default(),
            n_targets: 0,
            rebuild_at: 4,
            size_estimate: 0,
        }
    }

    /// Runs the search to its end.
    pub fn run(&mut self, sample: &Page) {
        let Some(page) = self.explored.add(sample) else { return };
        self.templates.add(&sight(sample, &filter(self.options)).fingerprint);
        self.take(page);
        let listed = match self.options.extensions.listed {
            true => self.site.listed(&sample.url),
            false => Vec::new(),
        };
        self.meet_all(&listed, "listed");
        self.visit_urls(&self.options.entries.clone());
        let mut has_tried_parents = false;
        while !self.explored.is_stopped {
            if self.explored.len() >= self.rebuild_at {
                self.rebuild();
            }
            let asked = self.unjudged(&sample.url);
            if !asked.is_empty() {
                self.visit(&asked);
                self.rebuild_at = 0;
                continue;
            }
            let batch = self.next_batch();
            if !batch.is_empty() {
                self.visit(&batch);
            } else if !std::mem::replace(&mut has_tried_parents, true) {
                self.visit_urls(&parents(&sample.url));
            } else if !self.rebuild() {
                let mut untried = self.unexplored();
                if untried.is_empty() {
                    untried = self.doubtful(&sample.url);
                }
                if untried.is_empty() {
                    break;
                }
                self.visit(&untried);
            }
        }
    }

    fn visit_urls(&mut self, urls: &[Url]) {
        self.meet_all(urls, "entry");
        let addresses: Vec<AddressId> = urls
            .iter()
            .filter_map(|url| self.explored.addresses.intern(url))
            .collect();
        self.visit(&addresses);
    }

    fn meet_all(&mut self, urls: &[Url], way: &str) {
        let way = hash_sign((way, 0));
        for url in urls {
            if let Some(address) = self.explored.addresses.intern(url) {
                self.meet(address, way, None);
            }
        }
    }

    /// Visits addresses and learns from what they led to.
    pub fn visit(&mut self, batch: &[AddressId]) {
        let reached = self.explored.visit(&mut self.site, batch);
        for number in self.families.of_page.len()..self.explored.len() {
            let url = self.explored.url(PageId(number as u32));
            let Sighting { fingerprint, .. } = self.site.take(url.as_str()).unwrap_or_default();
            self.templates.add(&fingerprint);
            self.take(PageId(number as u32));
        }
        for (&address, reached) in batch.iter().zip(reached) {
            match reached {
                // What its own address led to was noted when it was taken.
                Reached::Page(page) if self.explored.page(page).address != address => {
                    self.learn(address, self.families.of(page));
                }
                Reached::Page(_) | Reached::Stopped => {}
                Reached::Dead | Reached::Refused | Reached::Failed => self.learn(address, FamilyId::DEAD),
            }
        }
        self.site.note(Event::Found(self.n_targets));
    }

    /// Places the next page, learns from it, and meets its links.
    fn take(&mut self, page: PageId) {
        let address = self.explored.page(page).address;
        let form = self.prospect(address).form;
        self.families.note_leaf(&self.templates.tree, &self.explored.url(page));
        let family = self
            .families
            .place(page, &form, &mut self.explored, &self.words, self.options);
        self.credit.push(0.0);
        if family == FamilyId::TARGET && self.explored.page(page).copy_of.is_none() {
            self.site.note(Event::Alike(self.explored.url(page)));
        }
        self.learn(address, family);
        self.count(page, family);
        self.meet_links(page, family);
    }

    fn count(&mut self, page: PageId, family: FamilyId) {
        self.by_family.entry(family).or_default().push(page);
        if family == FamilyId::TARGET {
            self.n_targets += 1;
            self.give_credit(page);
        }
    }

    /// Credits a target to the page it was first met on, and shares to the pages that led there.
    fn give_credit(&mut self, target: PageId) {
        let mut share = 1.0;
        let mut at = self.found_on(target);
        while let Some(page) = at.filter(|_| share > 0.1) {
            self.credit[page.index()] += share;
            if self.families.of(page) == FamilyId::TARGET {
                break;
            }
            share /= 2.0;
            at = self.found_on(page);
        }
    }

    /// The page on which a page was first met, under the address that led there or its own.
    pub fn found_on(&self, page: PageId) -> Option<PageId> {
        let visited = self.explored.page(page);
        let found_on = |address: AddressId| self.prospects.get(address.index())?.as_ref()?.found_on;
        found_on(visited.asked).or_else(|| found_on(visited.address))
    }

    /// Notes what an address led to, for all its signs.
    fn learn(&mut self, address: AddressId, family: FamilyId) {
        let uses_addresses = self.options.extensions.addresses;
        let Prospect { form, ways, .. } = self.prospect(address);
        let (steps, ways) = (form.steps, ways.clone());
        let page = self.explored.reached(address).and_then(Reached::page);
        for way in ways {
            self.learn_way(way, &steps, family, page);
        }
        for sign in steps.into_iter().filter(|_| uses_addresses) {
            self.forecast.note(sign, family, page);
        }
    }

    /// Notes where a place of links leads, by itself and together with what the address looks like.
    fn learn_way(&mut self, way: u64, steps: &[u64; 5], family: FamilyId, page: Option<PageId>) {
        self.forecast.note(way, family, page);
        if self.options.extensions.addresses {
            for sign in joint_signs(way, steps) {
                self.forecast.note(sign, family, page);
            }
        }
    }

    fn prospect(&mut self, address: AddressId) -> &mut Prospect {
        if self.prospects.len() <= address.index() {
            self.prospects.resize(self.explored.addresses.len(), None);
        }
        let Self {
            prospects,
            explored,
            words,
            ..
        } = self;
        prospects[address.index()].get_or_insert_with(|| {
            let form = AddressForm::of(&explored.addresses.url(address));
            words.add(&form);
            Prospect {
                form,
                ways: Vec::new(),
                found_on: None,
            }
        })
    }

    fn meet_links(&mut self, page: PageId, family: FamilyId) {
        if !self.options.extensions.closure && family == FamilyId::TARGET && page != PageId(0) {
            return;
        }
        for index in 0..self.explored.page(page).links.len() {
            let links_at = &self.explored.page(page).links[index];
            let way = hash_sign((family, links_at.path));
            for at in 0..links_at.addresses.len() {
                let address = self.explored.page(page).links[index].addresses[at];
                // That a page links to itself says nothing about where its other links lead.
                if self.explored.reached(address) != Some(Reached::Page(page)) {
                    self.meet(address, way, Some(page));
                }
            }
        }
    }

    /// Notes that a link to an address stands somewhere.
    fn meet(&mut self, address: AddressId, way: u64, page: Option<PageId>) {
        let is_new = self.prospects.get(address.index()).is_none_or(Option::is_none);
        let prospect = self.prospect(address);
        if is_new {
            prospect.found_on = page;
        }
        if prospect.ways.len() >= WAYS_MAX || prospect.ways.contains(&way) {
            return;
        }
        prospect.ways.push(way);
        let steps = prospect.form.steps;
        match self.outcome(address) {
            Some(family) => {
                let page = self.explored.reached(address).and_then(Reached::page);
                self.learn_way(way, &steps, family, page);
            }
            None => {
                if is_new {
                    self.pending.push(address);
                }
                self.fresh.push(address);
            }
        }
    }

    /// The family that an address led to, if it was visited.
    pub fn outcome(&self, address: AddressId) -> Option<FamilyId> {
        match self.explored.reached(address)? {
            Reached::Page(page) => self.families.get(page),
            Reached::Dead | Reached::Refused | Reached::Failed => Some(FamilyId::DEAD),
            Reached::Stopped => None,
        }
    }

    /// What an address likely leads to.
    pub fn outlook(&self, prospect: &Prospect) -> Option<Outlook> {
        let uses_addresses = self.options.extensions.addresses;
        let steps = prospect.form.steps.into_iter().filter(|_| uses_addresses);
        let both = prospect
            .ways
            .iter()
            .flat_map(|&way| joint_signs(way, &prospect.form.steps));
        self.forecast
            .outlook(prospect.ways.iter().copied().chain(both).chain(steps))
    }

    /// How likely an address leads to a target, and the sign of its kind.
    pub fn chance(&self, prospect: &Prospect) -> (f64, u64) {
        let ways = prospect.ways.iter();
        let is_pure = |way: &u64| {
            self.forecast
                .tally(*way)
                .is_none_or(|tally| tally.count(FamilyId::TARGET) == tally.total)
        };
        if !self.options.extensions.tolerance && !ways.clone().any(is_pure) {
            return (0.0, 0);
        }
        let ways = ways.map(|&way| (way, joint_signs(way, &prospect.form.steps)));
        match self.options.extensions.addresses {
            true => self.forecast.chance(ways, &prospect.form.steps),
            false => self.forecast.chance(ways.map(|(way, _)| (way, [way; 3])), &[]),
        }
    }

    /// Places all pages anew, now that more is known of the site; returns whether the class of
    /// targets changed.
    pub fn rebuild(&mut self) -> bool {
        self.rebuild_at = (self.explored.len() * 2).max(8);
        let before = self.targets();
        self.families = Families::new(self.options.extensions);
        for index in 0..self.explored.len() {
            let page = PageId(index as u32);
            let address = self.explored.page(page).address;
            let form = self.prospect(address).form;
            self.families
                .place(page, &form, &mut self.explored, &self.words, self.options);
        }
        self.families
            .tie_all(&mut self.explored, &self.words, &self.options.nearness);
        self.apply_templates();
        let is_changed = self.targets() != before;
        self.relearn();
        self.size_estimate = self.estimate();
        self.site.note(Event::Estimated(self.size_estimate));
        is_changed
    }

    pub fn targets(&self) -> Vec<PageId> {
        let pages = (0..self.families.of_page.len() as u32).map(PageId);
        pages
            .filter(|&page| self.families.of(page) == FamilyId::TARGET)
            .collect()
    }

    /// Counts all evidence anew.
    fn relearn(&mut self) {
        self.forecast = Forecast::default();
        self.by_family.clear();
        self.n_targets = 0;
        self.credit = vec![0.0; self.explored.len()];
        let listed = hash_sign(("listed", 0));
        for prospect in self.prospects.iter_mut().flatten() {
            prospect.ways.retain(|&way| way == listed);
        }
        for index in 0..self.prospects.len() {
            let address = AddressId(index as u32);
            if let Some(family) = self.outcome(address).filter(|_| self.prospects[index].is_some()) {
                self.learn(address, family);
            }
        }
        for index in 0..self.explored.len() {
            let page = PageId(index as u32);
            let family = self.families.of(page);
            self.count(page, family);
            self.meet_links(page, family);
        }
    }
}

/// Which attributes tell templates apart.
fn filter(options: &GatherOptions) -> AttributeFilter {
    AttributeFilter {
        mode: options.explore.attributes,
    }
}

/// The signs of a place of links together with what the address looks like, from coarse to fine:
/// its first folder, the first word of its name, the last.
pub(super) fn joint_signs(way: u64, steps: &[u64; 5]) -> [u64; 3] {
    [4, 2, 1].map(|step| hash_sign((way, steps[step])))
}

pub(super) fn hash_sign(sign: impl std::hash::Hash) -> u64 {
    FixedState::with_seed(0x7369_676e).hash_one(sign)
}

/// The folders above an address, nearest first, and the site's root.
fn parents(url: &Url) -> Vec<Url> {
    let mut parents = Vec::new();
    let mut at = url.clone();
    at.set_query(None);
    for reference in [".", "..", "..", "..", "/"] {
        if let Ok(parent) = at.join(reference)
            && parent != *url
            && !parents.contains(&parent)
        {
            parents.push(parent.clone());
            at = parent;
        }
    }
    parents
}
