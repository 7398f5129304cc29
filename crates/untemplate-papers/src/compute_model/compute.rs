//! COMPUTEMODEL, as the paper has it: page classes by their links alone, by few visits.
//!
//! In: a [`Site`] and an entry address. Out: a [`SiteModel`]. Paper: Crescenzi, Merialdo, Missier
//! 2005, section 3. A queue of link collections; of the first at most
//! [`ComputeOptions::collection_sample`] pages are visited and grouped by schema; groups that are
//! nearly alike are joined; each candidate joins the class with which all is described shortest, or
//! becomes a class. What the paper leaves open is settled as in the comments: which attributes
//! belong to paths, how many pages of a collection, what a menu does.
//!
//! The product's own way is [`explore_model`](untemplate::site::model::explore_model): this one is
//! kept to compare with.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap, HashSet};

use foldhash::fast::FixedState;
use untemplate::page::{Event, PageSchema, PathId, Site};
use untemplate::site::model::{
    AddressTree, ClassKind, ClassLink, CurvePoint, Description, Exploration, ModelAlgorithm, ModelOptions, ModelTuning,
    PageClass, SchemaMode, SchemaPath, ShapeBook, SiteModel, url_pattern,
};
use untemplate::site::{AddressId, Explored, PageId, Reached};
use url::Url;

/// Which link collection comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// The one with most links, as a share of its class's: gathers support.
    #[default]
    DensestFirst,
    /// The one with fewest: seeks new regions.
    SparsestFirst,
}

/// What the paper's algorithm is given beside the site.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ComputeOptions {
    /// Which link collection comes first.
    pub strategy: Strategy,
    /// Pages visited of a link collection. The paper does not say; a menu shows from five on.
    pub collection_sample: usize,
    /// Groups of a collection nearer than this are one candidate.
    pub distance_max: f64,
    /// Whether to end when the model no longer changes, not only when the queue is empty.
    pub stops_when_stable: bool,
}

impl Default for ComputeOptions {
    fn default() -> Self {
        Self {
            strategy: Strategy::DensestFirst,
            collection_sample: 8,
            distance_max: 0.2,
            stops_when_stable: true,
        }
    }
}

/// The model is stable when this many visits, and three for each class, brought no new class.
const STABLE_PAGES: usize = 50;

/// Explores a site as the paper does.
pub fn compute_model(
    site: &mut dyn Site,
    entry: &Url,
    options: &ModelOptions,
    compute: &ComputeOptions,
) -> Exploration {
    let mut computation = Computation::new(entry, options, compute);
    let mut next: Vec<AddressId> = computation.explored.addresses.intern(entry).into_iter().collect();
    while !next.is_empty() && !computation.is_over() {
        computation.visit(site, &next);
        site.note(Event::Found(computation.classes.len()));
        next = computation.next_collection();
    }
    let is_spent = computation.is_spent() && !next.is_empty();
    Exploration {
        is_spent,
        ..computation.finish(entry)
    }
}

struct Computation<'a> {
    options: &'a ModelOptions,
    compute: &'a ComputeOptions,
    explored: Explored,
    classes: Vec<Class>,
    class_of: Vec<usize>,
    /// Addresses that a collection offered and nobody visited, by class and path, in order.
    queue: BTreeMap<(usize, PathId), Vec<AddressId>>,
    queued: HashSet<AddressId, FixedState>,
    last_new_class: usize,
    curve: Vec<CurvePoint>,
}

#[derive(Default)]
struct Class {
    pages: Vec<PageId>,
    description: Description,
    /// How many links its pages have at each path.
    n_links: HashMap<PathId, usize, FixedState>,
}

impl<'a> Computation<'a> {
    fn new(entry: &Url, options: &'a ModelOptions, compute: &'a ComputeOptions) -> Self {
        Self {
            options,
            compute,
            explored: Explored::new(entry.clone(), &options.explore),
            classes: Vec::new(),
            class_of: Vec::new(),
            queue: BTreeMap::new(),
            queued: HashSet::default(),
            last_new_class: 0,
            curve: Vec::new(),
        }
    }

    fn is_over(&self) -> bool {
        let quiet = self.explored.len() - self.last_new_class;
        let is_stable = quiet >= STABLE_PAGES.max(3 * self.classes.len());
        self.explored.is_stopped || self.is_spent() || self.compute.stops_when_stable && is_stable
    }

    fn is_spent(&self) -> bool {
        let most = self.options.pages_max;
        most.is_some_and(|most| self.explored.downloads >= most)
    }

    /// Visits a part of a collection, and updates the model with the candidates found there.
    fn visit(&mut self, site: &mut dyn Site, addresses: &[AddressId]) {
        let first_new = self.explored.len() as u32;
        let reached = self.explored.visit(site, addresses);
        let mut pages: Vec<PageId> = reached.into_iter().filter_map(Reached::page).collect();
        pages.retain(|page| page.0 >= first_new);
        pages.sort_unstable();
        pages.dedup();
        let schemas: Vec<PageSchema> = pages.iter().map(|&page| self.explored.schema(page).clone()).collect();
        for candidate in candidates(&schemas, self.compute.distance_max) {
            let members: Vec<PageId> = candidate.into_iter().map(|place| pages[place]).collect();
            self.place(&members);
        }
        for page in pages {
            self.enqueue(page);
        }
        let total: f64 = self
            .classes
            .iter()
            .map(|class| class.description.cost(self.options.schema_mode))
            .sum();
        self.curve.push(CurvePoint {
            n_pages: self.explored.len(),
            n_classes: self.classes.len(),
            description: total / self.explored.len().max(1) as f64,
        });
    }

    /// Lets a candidate join the class with which all is described shortest, or become a class.
    fn place(&mut self, members: &[PageId]) {
        let mut description = Description::default();
        for &page in members {
            description.absorb(&Description::of(self.explored.schema(page)));
        }
        let mode = self.options.schema_mode;
        let costs = self
            .classes
            .iter()
            .map(|class| class.description.merge_cost(&description, mode));
        let best = costs.enumerate().min_by(|left, right| left.1.total_cmp(&right.1));
        let joined = best.filter(|&(class, cost)| match cost.total_cmp(&0.0) {
            Ordering::Less => true,
            Ordering::Greater => false,
            // The paper makes a class of a tie; the optimal schema would then split pages that are
            // the same.
            Ordering::Equal => {
                let (own, its) = (description.schema(mode), self.classes[class].description.schema(mode));
                mode == SchemaMode::Optimal && own.normalised_distance(&its) < self.compute.distance_max
            }
        });
        let class = joined.map_or(self.classes.len(), |(class, _)| class);
        if class == self.classes.len() {
            self.classes.push(Class::default());
            self.last_new_class = self.explored.len();
        }
        self.class_of.resize(self.explored.len(), 0);
        for &page in members {
            self.class_of[page.index()] = class;
        }
        self.classes[class].pages.extend_from_slice(members);
        self.classes[class].description.absorb(&description);
    }

    fn enqueue(&mut self, page: PageId) {
        let class = self.class_of[page.index()];
        for (path, addresses) in self.explored.collections(page) {
            *self.classes[class].n_links.entry(path).or_default() += addresses.len();
            let fresh = addresses.into_iter().filter(|address| self.queued.insert(*address));
            let fresh: Vec<AddressId> = fresh
                .filter(|&address| self.explored.reached(address).is_none())
                .collect();
            if !fresh.is_empty() {
                self.queue.entry((class, path)).or_default().extend(fresh);
            }
        }
    }

    /// Takes some addresses of the first collection. Those of classes with one page come before all
    /// others.
    fn next_collection(&mut self) -> Vec<AddressId> {
        let priority = |&(class, path): &(usize, PathId)| {
            let class = &self.classes[class];
            let all: usize = class.n_links.values().sum();
            let own = class.n_links.get(&path).copied().unwrap_or(0);
            let density = own as f64 / all.max(1) as f64;
            let wanted = match self.compute.strategy {
                Strategy::DensestFirst => density,
                Strategy::SparsestFirst => -density,
            };
            (class.pages.len() == 1, wanted)
        };
        let keys = self.queue.keys().copied();
        let best = keys.reduce(|best, next| {
            let (left, right) = (priority(&best), priority(&next));
            let is_better = right.0.cmp(&left.0).then(right.1.total_cmp(&left.1)).is_gt();
            if is_better { next } else { best }
        });
        let Some(best) = best else {
            return Vec::new();
        };
        // What is left of the collection was judged by its first pages: the paper visits at most a
        // sample of it.
        let mut addresses = self.queue.remove(&best).unwrap_or_default();
        addresses.truncate(self.compute.collection_sample);
        addresses
    }

    fn finish(mut self, entry: &Url) -> Exploration {
        let losses = std::mem::take(&mut self.explored.losses);
        let text = |address: AddressId| self.explored.addresses.text(address).to_owned();
        let losses = losses
            .into_iter()
            .map(|(address, reason)| (text(address), reason))
            .collect();
        let model = SiteModel {
            entry: entry.as_str().to_owned(),
            algorithm: ModelAlgorithm::ComputeModel,
            attributes: self.options.explore.attributes,
            schema_mode: self.options.schema_mode,
            classes: self.classes.iter().map(|class| self.page_class(class)).collect(),
            links: self.class_links(),
            signs: Default::default(),
            tuning: ModelTuning::default(),
            scripts: AddressTree::default(),
            shapes: ShapeBook::default(),
            shape_outcomes: Vec::new(),
            curve: self.curve.clone(),
            n_addresses: self.explored.addresses.len(),
        };
        Exploration {
            model,
            is_stopped: self.explored.is_stopped,
            is_spent: false,
            losses,
        }
    }

    fn page_class(&self, class: &Class) -> PageClass {
        let urls: Vec<Url> = class.pages.iter().map(|&page| self.explored.url(page)).collect();
        let description = &class.description;
        let held = description.schema(self.options.schema_mode);
        let schema = held.paths().iter().map(|&path| SchemaPath {
            path: self.explored.paths.text(path),
            support: description.supports[&path] as f64 / description.n_pages as f64,
        });
        let pattern = url_pattern(&urls);
        PageClass {
            name: pattern.clone(),
            kind: if urls.len() == 1 {
                ClassKind::Singleton
            } else {
                ClassKind::Detail
            },
            pages: urls.iter().map(|url| url.as_str().to_owned()).collect(),
            titles: class
                .pages
                .iter()
                .take(3)
                .map(|&page| self.explored.page(page).title.to_string())
                .collect(),
            schema: schema.collect(),
            url_pattern: pattern,
            estimated_pages: urls.len(),
            likeness: 1.0,
        }
    }

    fn class_links(&self) -> Vec<ClassLink> {
        let mut counts: BTreeMap<(usize, usize, PathId), usize> = BTreeMap::new();
        for (page, _) in self.explored.pages() {
            for (path, addresses) in self.explored.collections(page) {
                let targets = addresses
                    .iter()
                    .filter_map(|&address| self.explored.reached(address)?.page());
                for target in targets {
                    let link = (self.class_of[page.index()], self.class_of[target.index()], path);
                    *counts.entry(link).or_default() += 1;
                }
            }
        }
        let links = counts.into_iter().map(|((from, to, path), count)| ClassLink {
            from,
            to,
            path: self.explored.paths.text(path),
            count,
        });
        links.collect()
    }
}

/// Groups the pages of a collection into candidate classes: by identical schema, largest first, and
/// nearly alike ones joined. Distances are between the schemas that groups began with, so that
/// joining does not drift. A menu's groups are unlike each other and stay apart; each is then
/// judged alone.
pub fn candidates(schemas: &[PageSchema], distance_max: f64) -> Vec<Vec<usize>> {
    let mut groups: Vec<(&PageSchema, Vec<usize>)> = Vec::new();
    for (place, schema) in schemas.iter().enumerate() {
        match groups.iter_mut().find(|(known, _)| *known == schema) {
            Some((_, members)) => members.push(place),
            None => groups.push((schema, vec![place])),
        }
    }
    groups.sort_by_key(|(_, members)| std::cmp::Reverse(members.len()));
    let mut first = 0;
    while first < groups.len() {
        for second in (first + 1..groups.len()).rev() {
            if groups[first].0.normalised_distance(groups[second].0) < distance_max {
                let (_, members) = groups.remove(second);
                groups[first].1.extend(members);
            }
        }
        first += 1;
    }
    groups.into_iter().map(|(_, members)| members).collect()
}
