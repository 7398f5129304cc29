//! The explorer: from an entry page to a site model, by few visits.
//!
//! In: a [`Site`] and an entry address. Out: a [`SiteModel`]. It goes round: choose the addresses
//! most likely to lead to something new ([`super::prospect`]), visit them, group all pages visited
//! so far into classes ([`super::grouping`]). It ends when nothing promising is left, or at its
//! budget. COMPUTEMODEL's loop (Crescenzi 2005, section 3) has the same three steps; here each is
//! done with more evidence, and classes are found anew each time instead of being stuck with early
//! choices. The paper's own loop is in the crate `untemplate-papers`.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use url::Url;

use super::super::{AddressId, ExploreOptions, Explored, PageId, Reached};
use super::address_marks::name_stems;
use super::address_shape::ShapeBook;
use super::address_tree::AddressTree;
use super::assembly::assemble;
use super::classes::Classes;
use super::description::{Description, SchemaMode};
use super::fingerprint::Fingerprint;
use super::observer::{Observer, Sighting};
use super::prospect::{Experience, Prospect};
use super::scripts::Scripts;
use super::site_model::{CurvePoint, SiteModel};
use super::tuning::ModelTuning;
use crate::page::{AttributeFilter, AttributeMode, Event, Site, stable_hash, stable_hash_more};

/// Options of a site model.
#[derive(Debug, Clone)]
pub struct ModelOptions {
    /// How far the site reaches, which attributes belong to paths, how many downloads are allowed.
    pub explore: ExploreOptions,
    /// How class schemas are made.
    pub schema_mode: SchemaMode,
    /// How many pages to visit; by default as few as tell the classes.
    pub pages_max: Option<usize>,
    /// How many pages to visit at least, where twice as many are known: classes are surer the more
    /// of the site is known, which costs nothing where all pages will be visited anyway.
    pub pages_min: usize,
    /// How pages are grouped.
    pub tuning: ModelTuning,
}

/// What an exploration gives: the model, and how it went.
#[derive(Debug, Clone)]
pub struct Exploration {
    /// The model.
    pub model: SiteModel,
    /// Whether a limit or an interrupt cut it short.
    pub is_stopped: bool,
    /// Whether [`ModelOptions::pages_max`] was met while addresses were left that promised
    /// something new.
    pub is_spent: bool,
    /// Pages that are there and could not be had, and why.
    pub losses: Vec<(String, String)>,
}

/// An address is not worth a visit below this chance of something new: what led to one class twelve
/// times is known.
const NOVELTY_MIN: f64 = 0.04;

/// The same while few pages are visited: a site without telling addresses needs more to show all
/// its classes.
const NOVELTY_MIN_EARLY: f64 = 0.02;

/// Visits on any site, more for each class that is found, and for each shape of addresses that may
/// be one.
const PAGES_BASE: usize = 60;
const PAGES_PER_CLASS: usize = 8;
const PAGES_PER_SHAPE: usize = 3;

/// One page of this many known ones may be visited in any case.
const SITE_SHARE: usize = 20;

/// A shape with this many addresses may be a class.
const LARGE_SHAPE: usize = 30;

/// Unless more are asked for, this many pages are visited at most: classes are made of all pairs of
/// pages, which take memory.
const PAGES_DEFAULT_MAX: usize = 2_000;

/// What the order of visits is hashed from, beside the text of an address.
const VISITS: u64 = stable_hash(b"visits");

/// How many link collections that offer an address are remembered.
const SOURCES_MAX: usize = 3;

/// Explores a site from its entry; `seeds` are pages known to be of it, such as those of a stored
/// model.
pub fn explore_model(site: &mut dyn Site, entry: &Url, seeds: &[Url], options: &ModelOptions) -> Exploration {
    let filter = AttributeFilter {
        mode: options.explore.attributes,
    };
    let mut explorer = Explorer::new(Observer::new(site, filter), entry, options);
    explorer.begin(entry, seeds);
    while !explorer.explored.is_stopped {
        let chosen = explorer.next_batch();
        if chosen.is_empty() {
            break;
        }
        explorer.visit(&chosen);
    }
    explorer.finish(entry, options)
}

pub(super) struct Explorer<'a> {
    site: Observer<'a>,
    options: &'a ModelOptions,
    pub(super) explored: Explored,
    pub(super) sightings: Vec<Sighting>,
    pub(super) classes: Classes,
    /// By address: the pages and raw paths that offer it.
    sources: HashMap<AddressId, Vec<(PageId, u32)>, FixedState>,
    pub(super) shapes: ShapeBook,
    /// What names of the site may begin with.
    stems: Vec<String>,
    pub(super) scripts: AddressTree,
    /// By address, the number of its shape; valid for the shapes at hand.
    shape_of: Vec<u32>,
    /// By address, see [`Prospect::order`].
    orders: Vec<u64>,
    shape_numbers: HashMap<String, u32, FixedState>,
    /// How many addresses the shapes were learnt from.
    n_shaped: usize,
    pub(super) curve: Vec<CurvePoint>,
    /// Visits of pages that were known before: the budget is for new ones.
    n_seeded: usize,
    is_spent: bool,
    /// Whether pages were visited for [`ModelOptions::pages_min`].
    is_topped_up: bool,
}

impl<'a> Explorer<'a> {
    fn new(site: Observer<'a>, entry: &Url, options: &'a ModelOptions) -> Self {
        Self {
            site,
            options,
            explored: Explored::new(entry.clone(), &options.explore),
            sightings: Vec::new(),
            classes: Classes::default(),
            sources: HashMap::default(),
            shapes: ShapeBook::default(),
            stems: Vec::new(),
            scripts: AddressTree::default(),
            shape_of: Vec::new(),
            orders: Vec::new(),
            shape_numbers: HashMap::default(),
            n_shaped: 0,
            curve: Vec::new(),
            n_seeded: 0,
            is_spent: false,
            is_topped_up: false,
        }
    }

    fn begin(&mut self, entry: &Url, seeds: &[Url]) {
        let urls = std::iter::once(entry).chain(seeds);
        let addresses: Vec<AddressId> = urls.filter_map(|url| self.explored.addresses.intern(url)).collect();
        self.visit(&addresses);
        self.n_seeded = if seeds.is_empty() { 0 } else { self.explored.downloads };
    }

    /// Visits addresses, and groups all pages anew.
    fn visit(&mut self, addresses: &[AddressId]) {
        self.explored.visit(&mut self.site, addresses);
        for number in self.sightings.len()..self.explored.len() {
            let page = PageId(number as u32);
            let url = self.explored.url(page);
            self.sightings.push(self.site.take(url.as_str()).unwrap_or_default());
            for links_at in &self.explored.page(page).links {
                for &address in &links_at.addresses {
                    let sources = self.sources.entry(address).or_default();
                    if sources.len() < SOURCES_MAX {
                        sources.push((page, links_at.raw.0));
                    }
                }
            }
        }
        self.learn_shapes();
        let scripts = self.learn_scripts();
        let fingerprints: Vec<&Fingerprint> = self.sightings.iter().map(|sighting| &sighting.fingerprint).collect();
        self.classes.update(&fingerprints, &scripts, &self.options.tuning);
        let found = self.classes.n_classes;
        let planned = self.budget().min(self.explored.addresses.len());
        self.site.note(Event::Planned(planned));
        self.site.note(Event::Found(found));
        self.curve.push(CurvePoint {
            n_pages: self.explored.len(),
            n_classes: found,
            description: self.description(),
        });
    }

    /// Learns the shapes of addresses anew when many more are known, and gives each address its
    /// number.
    fn learn_shapes(&mut self) {
        let known = self.explored.addresses.len();
        let ids = (0..known as u32).map(AddressId);
        if known * 10 > self.n_shaped * 11 {
            let urls: Vec<Url> = ids.clone().map(|id| self.explored.addresses.url(id)).collect();
            self.shapes = ShapeBook::of(&urls);
            self.stems = name_stems(&urls);
            self.shape_numbers.clear();
            self.shape_of.clear();
            self.n_shaped = known;
        }
        for id in ids.clone().skip(self.orders.len()) {
            // The host is left out: a copy of a site elsewhere is explored as the site is.
            let url = self.explored.addresses.url(id);
            let own = &url[url::Position::BeforePath..];
            self.orders.push(stable_hash_more(VISITS, own.as_bytes()));
        }
        for id in ids.skip(self.shape_of.len()) {
            let shape = self.shapes.shape(&self.explored.addresses.url(id));
            let next = self.shape_numbers.len() as u32;
            self.shape_of.push(*self.shape_numbers.entry(shape).or_insert(next));
        }
    }

    /// Learns which addresses one script made, from the pages visited; returns the script of each
    /// page's address.
    fn learn_scripts(&mut self) -> Scripts {
        let urls: Vec<Url> = (self.explored.pages())
            .map(|(page, _)| self.explored.url(page))
            .collect();
        let fingerprints = self.sightings.iter().map(|sighting| &sighting.fingerprint);
        let (tree, explained) = AddressTree::grow(
            urls.iter().cloned().zip(fingerprints),
            &self.stems,
            &self.options.tuning,
        );
        self.scripts = tree;
        Scripts::of(&self.scripts, &explained, &urls, &self.options.tuning)
    }

    /// How many pages may be visited, as far as the site is known.
    fn budget(&self) -> usize {
        let by_classes = PAGES_PER_CLASS * self.classes.n_plural;
        let by_shapes = PAGES_PER_SHAPE * self.n_large_shapes();
        let by_size = self.explored.addresses.len() / SITE_SHARE;
        let most = by_size.max(PAGES_BASE + by_classes.max(by_shapes));
        self.options.pages_max.unwrap_or(most.min(PAGES_DEFAULT_MAX))
    }

    /// How many shapes of addresses may be a class: those with many addresses.
    fn n_large_shapes(&self) -> usize {
        let mut counts = vec![0; self.shape_numbers.len()];
        for &shape in &self.shape_of {
            counts[shape as usize] += 1;
        }
        counts.into_iter().filter(|&count| count >= LARGE_SHAPE).count()
    }

    /// The addresses to visit next.
    fn next_batch(&mut self) -> Vec<AddressId> {
        let left = self.budget().saturating_sub(self.explored.downloads - self.n_seeded);
        let batch = (self.explored.len() / 6).clamp(6, 32).min(left);
        let least = if self.explored.downloads < PAGES_BASE {
            NOVELTY_MIN_EARLY
        } else {
            NOVELTY_MIN
        };
        let (experience, prospects) = self.experience();
        if left == 0 && self.options.pages_max.is_some() {
            self.is_spent = !experience.choose(&prospects, 1, least).is_empty();
        }
        let mut chosen = experience.choose(&prospects, batch, least);
        if chosen.is_empty() && !self.is_topped_up {
            // Nothing promises a class of its own; what is known is looked at more closely, as far
            // as it was asked for. What is met then is not: it may be a calendar without end. Half
            // of a small site is left for whoever reads it.
            self.is_topped_up = true;
            let most = self.options.pages_max.map_or(usize::MAX, |_| left);
            let enough = self.options.pages_min.min(self.explored.addresses.len() / 2);
            let wanted = enough.saturating_sub(self.explored.downloads);
            chosen = experience.choose(&prospects, wanted.min(most), 0.0);
        }
        chosen.into_iter().map(AddressId).collect()
    }

    /// What visits led to so far, and what was not visited.
    pub(super) fn experience(&self) -> (Experience, Vec<Prospect>) {
        let mut experience = Experience::default();
        let mut prospects = Vec::new();
        for number in 0..self.shape_of.len() as u32 {
            let address = AddressId(number);
            let shape = self.shape_of[address.index()];
            let channels = self.channels(address);
            match self.explored.reached(address) {
                None => prospects.push(Prospect {
                    address: number,
                    order: self.orders[address.index()],
                    shape,
                    channels,
                }),
                Some(Reached::Page(page)) => experience.add(shape, &channels, Some(self.classes.of_page[page.index()])),
                Some(_) => experience.add(shape, &channels, None),
            }
        }
        (experience, prospects)
    }

    /// The link collections that offer an address: a class and a path, each once.
    fn channels(&self, address: AddressId) -> Vec<(usize, u32)> {
        let sources = self.sources.get(&address).map_or(&[][..], Vec::as_slice);
        let mut channels: Vec<(usize, u32)> = sources
            .iter()
            .map(|&(page, path)| (self.classes.of_page[page.index()], path))
            .collect();
        channels.sort_unstable();
        channels.dedup();
        channels
    }

    /// The description length of the pages visited so far under the classes at hand, a page.
    fn description(&self) -> f64 {
        let total: f64 = self
            .descriptions()
            .iter()
            .map(|description| description.cost(self.options.schema_mode))
            .sum();
        total / self.explored.len().max(1) as f64
    }

    /// The link paths of each class.
    pub(super) fn descriptions(&self) -> Vec<Description> {
        let mut descriptions = vec![Description::default(); self.classes.n_classes];
        for (page, _) in self.explored.pages() {
            let own = Description::of(self.explored.schema(page));
            descriptions[self.classes.of_page[page.index()]].absorb(&own);
        }
        descriptions
    }

    /// How pages are grouped.
    pub(super) fn tuning(&self) -> &ModelTuning {
        &self.options.tuning
    }

    /// The shape of an address by its number.
    pub(super) fn shape_names(&self) -> Vec<&str> {
        let mut names = vec![""; self.shape_numbers.len()];
        for (name, &number) in &self.shape_numbers {
            names[number as usize] = name;
        }
        names
    }

    fn finish(mut self, entry: &Url, options: &ModelOptions) -> Exploration {
        let scripts = self.learn_scripts();
        let fingerprints: Vec<&Fingerprint> = self.sightings.iter().map(|sighting| &sighting.fingerprint).collect();
        self.classes.settle(&fingerprints, &scripts, &self.options.tuning);
        let losses = std::mem::take(&mut self.explored.losses);
        let losses = losses
            .into_iter()
            .map(|(address, reason)| (self.explored.addresses.text(address).to_owned(), reason))
            .collect();
        let model = assemble(&mut self, entry, options);
        Exploration {
            model,
            is_stopped: self.explored.is_stopped,
            is_spent: self.is_spent,
            losses,
        }
    }
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            explore: ExploreOptions {
                attributes: AttributeMode::Normalised,
                ..ExploreOptions::default()
            },
            schema_mode: SchemaMode::Optimal,
            pages_max: None,
            pages_min: 0,
            tuning: ModelTuning::default(),
        }
    }
}
