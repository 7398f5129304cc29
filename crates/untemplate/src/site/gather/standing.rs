//! What is known of a site while it is searched: its templates, what each page brought, and what
//! addresses led to.
//!
//! In: the pages visited. Out: the leaf of each address, who brought targets, and the addresses to
//! try so that the sample's leaf is known. All is counted anew with each tree, since another tree
//! makes other pages targets.

use super::search::Search;
use super::tallies::{Sign, Tallies};
use crate::page::{Event, Site};
use crate::site::address_book::AddressId;
use crate::site::explored::Reached;
use crate::site::template_tree::{AddressParts, SeenPage, TemplateTree};
use crate::site::visited_page::PageId;

/// Of what a page brought, the page it was first met on has this share, and so on.
const SHARE_ABOVE: f64 = 0.5;

/// Smaller shares are not counted.
const SHARE_MIN: f64 = 0.1;

impl Search<'_> {
    /// Grows the tree anew and counts all evidence again.
    pub(super) fn learn(&mut self) {
        self.parts.learn_stems(&self.explored.addresses);
        self.parts.read_on(&self.explored.addresses);
        let places = self.sorted_places();
        let seen = self.seen_pages(&places);
        self.tree = TemplateTree::grow(&self.parts, &self.met, &seen, &self.options.templates);
        let addresses = (0..self.parts.len() as u32).map(AddressId);
        self.leaves = addresses
            .map(|address| self.tree.leaf(self.parts.of(address)))
            .collect();
        self.find_strangers();
        self.count_anew();
        self.size_estimate = self.estimate();
        self.site.note(Event::Estimated(self.size_estimate));
    }

    /// The places of links to each address, in order.
    fn sorted_places(&self) -> Vec<Vec<u32>> {
        let places = |address: &AddressId| {
            let prospect = self.prospects[address.index()].as_ref();
            let mut places = prospect.map_or(Vec::new(), |prospect| prospect.places.clone());
            places.sort_unstable();
            places
        };
        self.addresses_of_pages()
            .iter()
            .map(|(address, _)| places(address))
            .collect()
    }

    /// Each page under its own address and under each that led to it.
    fn addresses_of_pages(&self) -> Vec<(AddressId, PageId)> {
        let own = self.explored.pages().map(|(page, visited)| (visited.address, page));
        let others = self.tried.iter().filter_map(|&address| {
            let page = self.explored.reached(address)?.page()?;
            (self.explored.page(page).address != address).then_some((address, page))
        });
        own.chain(others).collect()
    }

    fn seen_pages<'b>(&'b self, places: &'b [Vec<u32>]) -> Vec<SeenPage<'b>> {
        let pages = self.addresses_of_pages().into_iter().zip(places);
        pages
            .map(|((address, page), places)| SeenPage {
                address,
                features: &self.features[page.index()],
                places,
            })
            .collect()
    }

    fn count_anew(&mut self) {
        self.credit = vec![0.0; self.explored.len()];
        self.n_targets = 0;
        for page in self.targets() {
            self.count_target(page);
        }
        (self.to_targets, self.to_pages) = (Tallies::default(), Tallies::default());
        for at in 0..self.tried.len() {
            self.note(self.tried[at]);
        }
    }

    /// Counts a target, credits it to the page it was first met on, and shares to the pages that
    /// led there.
    pub(super) fn count_target(&mut self, target: PageId) {
        self.n_targets += 1;
        let mut share = 1.0;
        let mut at = self.found_on(target);
        while let Some(page) = at.filter(|_| share > SHARE_MIN) {
            self.credit[page.index()] += share;
            if self.is_target(page) {
                break;
            }
            share *= SHARE_ABOVE;
            at = self.found_on(page);
        }
    }

    /// Notes what an address led to.
    pub(super) fn note(&mut self, address: AddressId) {
        let is_page = self.explored.reached(address).and_then(Reached::page).is_some();
        let signs = self.signs(address);
        self.to_pages.note(signs.clone(), is_page);
        if self.is_at_home(address) {
            let is_target = self.leads_to_target(address);
            self.to_targets.note(signs, is_target);
        }
    }

    /// Whether an address that was tried led to a target.
    pub(super) fn leads_to_target(&self, address: AddressId) -> bool {
        let page = self.explored.reached(address).and_then(Reached::page);
        page.is_some_and(|page| self.is_target(page))
    }

    /// What an address has in common with others: each part of it, and where it was met.
    fn signs(&self, address: AddressId) -> impl Iterator<Item = Sign> + Clone + use<> {
        let parts: AddressParts = *self.parts.of(address);
        let prospect = self.prospects[address.index()].as_ref();
        let place = prospect.map(|prospect| (parts.len(), prospect.place()));
        parts.into_iter().enumerate().chain(place)
    }

    /// How likely an address of the sample's leaf leads to a target.
    pub(super) fn chance(&self, address: AddressId) -> f64 {
        self.to_targets.chance(self.signs(address))
    }

    /// Whether an address looks like those of dead links.
    pub(super) fn seems_dead(&self, address: AddressId) -> bool {
        self.to_pages
            .is_hopeless(self.signs(address), self.options.tuning.dead_after)
    }

    /// Addresses to try, so that what stands beside the sample's leaf is judged.
    pub(super) fn unjudged(&mut self) -> Vec<AddressId> {
        if self.n_judged > self.options.tuning.judged_max {
            return Vec::new();
        }
        let is_tried = |address: AddressId| self.explored.reached(address).is_some();
        let tuning = &self.options.templates;
        let mut met = self.met.clone();
        met.retain(|&address| is_tried(address) || !self.seems_dead(address));
        let wanted = self.tree.unjudged(&self.parts, met, is_tried, self.home(), tuning);
        self.n_judged += wanted.len();
        wanted
    }
}
