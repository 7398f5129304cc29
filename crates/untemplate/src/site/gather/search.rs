//! The guided search: from one sample page to every page like it, in few downloads.
//!
//! In: a [`Site`] and a sample. Out: the pages of the sample's class. Paper: Blanco, Crescenzi,
//! Merialdo 2004, section 2.3.2 (INDESIT). Its idea is kept: learn which links of which pages lead
//! to targets, and follow these. Departures:
//!
//! - One question, one answer: which template filled the page at an address is what a
//!   [`TemplateTree`] says, of pages visited and of addresses not visited yet. The targets are the
//!   pages of the sample's leaf, less the strangers there ([`super::strangers`]). The tree is grown
//!   anew whenever the pages visited are half as many again ([`super::standing`]).
//! - Before a tree is believed, a few pages of each large group of addresses beside the sample's are
//!   visited, so that the sample's leaf is what the pages say, and not what was never looked at.
//! - A page is one page under the address asked for, the address it was had from, and any other
//!   that leads there.
//! - There is no recursion: a page that is no target is worth what pages of its leaf, linked at the
//!   same place, brought lately: targets first met there, and a share of what pages first met there
//!   brought. So indices, indices of indices and their pages ("next") are one case
//!   ([`super::choice`]).
//! - Targets are followed like any page, and it ends when nothing left is worth its download.
//! - Addresses that look like those of dead links are left alone ([`super::tallies`]).
//!
//! Downloading a target is never waste, so likely targets go first; then the index pages that
//! promise most, or what is not known yet.

use url::Url;

use super::options::GatherOptions;
use super::tallies::Tallies;
use crate::page::{AttributeFilter, Event, Page, PathId, Site};
use crate::site::address_book::AddressId;
use crate::site::explored::{Explored, Reached};
use crate::site::model::{Observer, Sighting, sight};
use crate::site::template_tree::{FeatureBook, PageFeatures, PartBook, TemplateTree};
use crate::site::visited_page::PageId;

/// What is known of an address beside its text.
#[derive(Debug, Clone, Default)]
pub(super) struct Prospect {
    /// The page that it was first met on; none where somebody gave it.
    pub found_on: Option<PageId>,
    /// Where links to it stand, by tag path, the first one first.
    pub places: Vec<u32>,
}

impl Prospect {
    /// Where the first link to it stands.
    pub fn place(&self) -> u32 {
        self.places.first().copied().unwrap_or(PathId::ROOT.0)
    }
}

/// How many places of links to one address are remembered.
const PLACES_MAX: usize = 8;

/// The first pages of which a tree is grown.
const FIRST_TREE: usize = 4;

/// The state of a search.
pub(super) struct Search<'a> {
    pub site: Observer<'a>,
    pub options: &'a GatherOptions,
    pub explored: Explored,
    /// By address; `None` for addresses that nothing leads to yet.
    pub prospects: Vec<Option<Prospect>>,
    /// Addresses in the order they were met.
    pub met: Vec<AddressId>,
    /// Those of them that are not visited yet.
    pub pending: Vec<AddressId>,
    /// Addresses in the order they were tried.
    pub tried: Vec<AddressId>,
    pub book: FeatureBook,
    /// How each page is made.
    pub features: Vec<PageFeatures>,
    pub parts: PartBook,
    pub tree: TemplateTree,
    /// The leaf of each address.
    pub leaves: Vec<usize>,
    /// The pages that are no targets though their address is in the sample's leaf.
    pub strangers: Vec<bool>,
    /// Whether all large groups of addresses beside the sample's are judged: until then, what is
    /// taken for a target may be none.
    pub is_judged: bool,
    /// The targets that whoever watches was told of.
    pub told: Vec<bool>,
    /// What each page brought: targets first met there, and a share of what pages first met there
    /// brought.
    pub credit: Vec<f64>,
    /// Which addresses of the sample's leaf led to targets.
    pub to_targets: Tallies,
    /// Which addresses led to a page.
    pub to_pages: Tallies,
    pub n_targets: usize,
    /// How many pages were visited to judge groups of addresses.
    pub n_judged: usize,
    /// How many pages the class was last thought to have.
    pub size_estimate: usize,
}

impl<'a> Search<'a> {
    pub fn new(site: &'a mut dyn Site, sample: &Page, options: &'a GatherOptions) -> Self {
        Self {
            site: Observer::new(site, filter(options)),
            options,
            explored: Explored::new(sample.url.clone(), &options.explore),
            prospects: Vec::new(),
            met: Vec::new(),
            pending: Vec::new(),
            tried: Vec::new(),
            book: FeatureBook::default(),
            features: Vec::new(),
            parts: PartBook::default(),
            tree: TemplateTree::default(),
            leaves: Vec::new(),
            strangers: Vec::new(),
            is_judged: false,
            told: Vec::new(),
            credit: Vec::new(),
            to_targets: Tallies::default(),
            to_pages: Tallies::default(),
            n_targets: 0,
            n_judged: 0,
            size_estimate: 0,
        }
    }

    /// Runs the search to its end.
    pub fn run(&mut self, sample: &Page) {
        let Some(page) = self.explored.add(sample) else { return };
        self.features
            .push(self.book.read(&sight(sample, &filter(self.options)).fingerprint));
        self.meet(self.explored.page(page).address, None);
        self.take(page);
        let listed = match self.options.listed {
            true => self.site.listed(&sample.url),
            false => Vec::new(),
        };
        self.meet_urls(&listed);
        self.visit_urls(&self.options.entries.clone());
        let mut parents = parents(&sample.url);
        let (mut learn_at, mut n_learnt) = (FIRST_TREE, 0);
        while !self.explored.is_stopped {
            let batch = match self.explored.len() >= learn_at {
                true => Vec::new(),
                false => self.next_batch(),
            };
            if !batch.is_empty() {
                self.visit(&batch);
            } else if self.tried.len() > n_learnt {
                self.learn();
                n_learnt = self.tried.len();
                learn_at = self.explored.len() * 3 / 2;
                let unjudged = self.unjudged();
                self.is_judged = unjudged.is_empty();
                if self.is_judged {
                    self.tell_targets();
                } else {
                    learn_at = 0;
                    self.visit(&unjudged);
                }
            } else if !parents.is_empty() {
                self.visit_urls(&std::mem::take(&mut parents));
            } else {
                break;
            }
        }
        self.learn();
        self.tell_targets();
    }

    fn visit_urls(&mut self, urls: &[Url]) {
        self.meet_urls(urls);
        let addresses: Vec<AddressId> = urls
            .iter()
            .filter_map(|url| self.explored.addresses.intern(url))
            .collect();
        self.visit(&addresses);
    }

    fn meet_urls(&mut self, urls: &[Url]) {
        for url in urls {
            if let Some(address) = self.explored.addresses.intern(url) {
                self.meet(address, None);
            }
        }
    }

    /// Visits addresses and learns from what they led to.
    fn visit(&mut self, batch: &[AddressId]) {
        let fresh: Vec<AddressId> = (batch.iter().copied())
            .filter(|&address| self.explored.reached(address).is_none())
            .collect();
        self.explored.visit(&mut self.site, &fresh);
        for number in self.features.len()..self.explored.len() {
            let page = PageId(number as u32);
            let url = self.explored.url(page);
            let Sighting { fingerprint, .. } = self.site.take(url.as_str()).unwrap_or_default();
            self.features.push(self.book.read(&fingerprint));
            let visited = self.explored.page(page);
            let (own, asked) = (visited.address, visited.asked);
            if own != asked {
                let found_on = self.prospects[asked.index()].clone();
                self.meet(own, None);
                self.prospects[own.index()] = found_on;
            }
            self.take(page);
        }
        for address in fresh {
            if self.explored.reached(address).is_some() {
                self.tried.push(address);
                self.note(address);
            }
        }
        self.site.note(Event::Found(self.n_targets));
    }

    /// Takes the next page: meets its links, and counts it if it is a target.
    fn take(&mut self, page: PageId) {
        self.strangers.push(false);
        self.told.push(false);
        self.credit.push(0.0);
        if self.is_target(page) {
            self.count_target(page);
            if self.is_judged {
                self.tell(page);
            }
        }
        for index in 0..self.explored.page(page).links.len() {
            let links_at = &self.explored.page(page).links[index];
            let place = links_at.raw.0;
            for at in 0..links_at.addresses.len() {
                let address = self.explored.page(page).links[index].addresses[at];
                // That a page links to itself says nothing about where its other links lead.
                if self.explored.reached(address) != Some(Reached::Page(page)) {
                    self.meet(address, Some((page, place)));
                }
            }
        }
    }

    fn tell_targets(&mut self) {
        self.targets().into_iter().for_each(|page| self.tell(page));
    }

    /// Tells whoever watches of a target, once.
    fn tell(&mut self, page: PageId) {
        let is_told = std::mem::replace(&mut self.told[page.index()], true);
        if !is_told && self.explored.page(page).copy_of.is_none() {
            self.site.note(Event::Alike(self.explored.url(page)));
        }
    }

    /// Notes that a link to an address stands somewhere, or that somebody gave it.
    fn meet(&mut self, address: AddressId, link: Option<(PageId, u32)>) {
        self.parts.read_on(&self.explored.addresses);
        for number in self.leaves.len()..self.parts.len() {
            self.leaves
                .push(self.tree.leaf(self.parts.of(AddressId(number as u32))));
        }
        self.prospects.resize(self.parts.len(), None);
        let is_new = self.prospects[address.index()].is_none();
        let prospect = self.prospects[address.index()].get_or_insert_default();
        if is_new {
            prospect.found_on = link.map(|(page, _)| page);
            self.met.push(address);
            self.pending.push(address);
        }
        if let Some((_, place)) = link
            && prospect.places.len() < PLACES_MAX
            && !prospect.places.contains(&place)
        {
            prospect.places.push(place);
        }
    }

    /// The address of the sample.
    pub fn home(&self) -> AddressId {
        self.explored.page(PageId(0)).address
    }

    /// Whether the tree says of an address that it leads to a target.
    pub fn is_at_home(&self, address: AddressId) -> bool {
        self.leaves[address.index()] == self.leaves[self.home().index()]
    }

    /// Whether a page is one of those sought.
    pub fn is_target(&self, page: PageId) -> bool {
        self.is_at_home(self.explored.page(page).address) && !self.strangers[page.index()]
    }

    /// The pages found so far, the sample first.
    pub fn targets(&self) -> Vec<PageId> {
        let pages = (0..self.explored.len() as u32).map(PageId);
        pages.filter(|&page| self.is_target(page)).collect()
    }

    /// The page on which a page was first met, under its own address or the one that led there.
    pub fn found_on(&self, page: PageId) -> Option<PageId> {
        self.prospects[self.explored.page(page).address.index()]
            .as_ref()?
            .found_on
    }
}

/// Which attributes tell templates apart.
fn filter(options: &GatherOptions) -> AttributeFilter {
    AttributeFilter {
        mode: options.explore.attributes,
    }
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
