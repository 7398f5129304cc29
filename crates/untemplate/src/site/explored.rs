//! What is explored of a site: the pages visited so far, as facts that the algorithms over sites
//! read.
//!
//! In: addresses to visit. Out: for each what it [`Reached`]. An address visited before costs
//! nothing, addresses that redirect to one page are one page, and a page's tree is dropped once its
//! facts are taken. Costs are counted as the papers count them: *downloads* are requests put to the
//! site, *evaluations* are looks at a page, known or not.
//!
//! Schemas are settled as far as the site is known ([`super::SitePaths`]): a page's schema may
//! become finer while others are read.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use foldhash::fast::FixedState;
use url::Url;

use super::address_book::{AddressBook, AddressId};
use super::label::LabelBook;
use super::likeness::{Likeness, Shared, joint_likeness};
use super::site_paths::{PagePaths, SitePaths};
use super::visited_page::{
    Form, FormId, PageId, SchemaId, VisitedPage, content_hash, dedup_in_order, group_links, outline, title,
};
use crate::page::{AttributeMode, Bounds, NodeId, Page, PageSchema, PathId, Request, Site, SiteScope, Visit, links};

/// Options of an exploration.
#[derive(Debug, Clone)]
pub struct ExploreOptions {
    /// How far the site reaches.
    pub scope: SiteScope,
    /// What is left out of it, if anything is.
    pub bounds: Option<Arc<Bounds>>,
    /// Which attributes belong to tag paths.
    pub attributes: AttributeMode,
    /// How many downloads are allowed.
    pub downloads_max: usize,
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self {
            scope: SiteScope::Domain,
            bounds: None,
            attributes: AttributeMode::Normalised,
            downloads_max: usize::MAX,
        }
    }
}

/// What came of visiting an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reached {
    /// A page.
    Page(PageId),
    /// There is no page.
    Dead,
    /// It may not be visited.
    Refused,
    /// The page is there and could not be had.
    Failed,
    /// A limit or an interrupt: nothing more is visited.
    Stopped,
}

impl Reached {
    /// The page, if there is one.
    pub fn page(self) -> Option<PageId> {
        match self {
            Self::Page(page) => Some(page),
            _ => None,
        }
    }
}

/// The pages of a site visited so far.
#[derive(Debug, Clone)]
pub struct Explored {
    /// The addresses met so far.
    pub addresses: AddressBook,
    /// The tag paths met so far.
    pub paths: SitePaths,
    /// Requests put to the site.
    pub downloads: usize,
    /// Looks at a page, known or not.
    pub evaluations: usize,
    /// Whether a visit was stopped by a limit or an interrupt.
    pub is_stopped: bool,
    /// Pages that are there and could not be had, and why.
    pub losses: Vec<(AddressId, String)>,
    downloads_max: usize,
    pages: Vec<VisitedPage>,
    /// What came of each address; `None` for those not visited. [`Reached::Stopped`] is never kept.
    reached: Vec<Option<Reached>>,
    by_content: HashMap<u64, PageId, FixedState>,
    schemas: Vec<PageSchema>,
    schema_ids: HashMap<PageSchema, SchemaId, FixedState>,
    labels: LabelBook,
    forms: Vec<Form>,
    form_ids: HashMap<Form, FormId, FixedState>,
    /// The settled paths of each form, once they were asked for.
    outlines: Vec<Option<Box<[PathId]>>>,
}

/// How many pages are asked for at a time: enough to keep a crawl busy, few enough to hold their
/// trees.
const BATCH: usize = 64;

impl Explored {
    /// Nothing explored yet of the site that an address is of.
    pub fn new(home: Url, options: &ExploreOptions) -> Self {
        Self {
            addresses: AddressBook::new(home, options.scope).within(options.bounds.clone()),
            paths: SitePaths::new(options.attributes),
            downloads: 0,
            evaluations: 0,
            is_stopped: false,
            losses: Vec::new(),
            downloads_max: options.downloads_max,
            pages: Vec::new(),
            reached: Vec::new(),
            by_content: HashMap::default(),
            schemas: Vec::new(),
            schema_ids: HashMap::default(),
            labels: LabelBook::default(),
            forms: Vec::new(),
            form_ids: HashMap::default(),
            outlines: Vec::new(),
        }
    }

    /// Visits addresses; what came of each, in order. Those visited before are looked up.
    pub fn visit(&mut self, site: &mut dyn Site, addresses: &[AddressId]) -> Vec<Reached> {
        self.evaluations += addresses.len();
        let mut fresh: Vec<AddressId> = addresses
            .iter()
            .copied()
            .filter(|&id| self.reached(id).is_none())
            .collect();
        dedup_in_order(&mut fresh);
        for batch in fresh.chunks(BATCH) {
            if !self.visit_batch(site, batch) {
                break;
            }
        }
        let reached = addresses.iter().map(|&id| self.reached(id).unwrap_or(Reached::Stopped));
        reached.collect()
    }

    /// Visits addresses that were not visited before; returns whether the crawl goes on.
    fn visit_batch(&mut self, site: &mut dyn Site, batch: &[AddressId]) -> bool {
        let allowed = self.downloads_max.saturating_sub(self.downloads).min(batch.len());
        self.is_stopped |= allowed < batch.len();
        let batch = &batch[..allowed];
        if batch.is_empty() {
            return !self.is_stopped;
        }
        let requests: Vec<Request> = batch.iter().map(|&id| Request::get(self.addresses.url(id))).collect();
        for (&address, visit) in batch.iter().zip(site.visit(&requests)) {
            let reached = match visit {
                Visit::Page(page) => Reached::Page(self.keep(address, &page)),
                Visit::Dead { .. } => Reached::Dead,
                Visit::Refused { .. } | Visit::NotFollowed { .. } => Reached::Refused,
                Visit::Failed { reason } => {
                    self.losses.push((address, reason));
                    Reached::Failed
                }
                Visit::Stopped => {
                    self.is_stopped = true;
                    continue;
                }
            };
            self.downloads += usize::from(reached != Reached::Refused);
            self.set_reached(address, reached);
        }
        !self.is_stopped
    }

    /// What came of an address, if it was visited.
    pub fn reached(&self, address: AddressId) -> Option<Reached> {
        self.reached.get(address.index()).copied().flatten()
    }

    fn set_reached(&mut self, address: AddressId, reached: Reached) {
        if self.reached.len() <= address.index() {
            self.reached.resize(self.addresses.len(), None);
        }
        self.reached[address.index()] = Some(reached);
    }

    /// Adds a page that was had some other way, such as the sample that a file holds.
    pub fn add(&mut self, page: &Page) -> Option<PageId> {
        let address = self.addresses.intern(&page.url)?;
        let id = self.keep(address, page);
        self.set_reached(address, Reached::Page(id));
        Some(id)
    }

    /// Takes the facts of a page that an address led to.
    fn keep(&mut self, asked: AddressId, page: &Page) -> PageId {
        // A redirect out of the site leaves the address that was asked for.
        let address = self.addresses.intern(&page.url).unwrap_or(asked);
        if let Some(Reached::Page(known)) = self.reached(address) {
            return known;
        }
        let id = PageId(self.pages.len() as u32);
        let all_links = links(page);
        let nodes: Vec<NodeId> = all_links.iter().map(|link| link.node).collect();
        let paths = self.paths.read_page(id.0, &page.dom, &nodes);
        let form = self.form_of(&paths);
        let (labels, promoted) = self.labels.read_page(id.0, &page.dom);
        for (page, label) in promoted {
            let labels = &mut self.pages[page as usize].labels;
            let place = labels.partition_point(|known| *known < label);
            labels.insert(place, label);
        }
        let content = content_hash(&page.dom);
        let copy_of = match self.by_content.entry(content) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(place) => {
                place.insert(id);
                None
            }
        };
        self.pages.push(VisitedPage {
            address,
            asked,
            schema: SchemaId(0),
            links: group_links(&all_links, &paths.nodes, &mut self.addresses),
            form,
            labels,
            copy_of,
            title: title(page),
        });
        self.set_reached(address, Reached::Page(id));
        self.settle(id);
        for &changed in &paths.changed {
            self.outlines[self.pages[changed as usize].form.0 as usize] = None;
            self.settle(PageId(changed));
        }
        id
    }

    fn form_of(&mut self, paths: &PagePaths) -> FormId {
        let mut shape: Vec<PathId> = paths.all.iter().map(|&raw| self.paths.bare(raw)).collect();
        shape.sort_unstable();
        shape.dedup();
        let form = Form {
            raw: outline(paths),
            shape: shape.into(),
        };
        let next = FormId(self.forms.len() as u32);
        *self.form_ids.entry(form).or_insert_with_key(|form| {
            self.forms.push(form.clone());
            self.outlines.push(None);
            next
        })
    }

    /// Settles the paths of a page's links, and its schema.
    fn settle(&mut self, id: PageId) {
        let page = &mut self.pages[id.index()];
        for links_at in &mut page.links {
            links_at.path = self.paths.settle(links_at.raw);
        }
        let schema: PageSchema = page.links.iter().map(|links_at| links_at.path).collect();
        let next = SchemaId(self.schemas.len() as u32);
        let schema_id = *self.schema_ids.entry(schema).or_insert_with_key(|schema| {
            self.schemas.push(schema.clone());
            next
        });
        self.pages[id.index()].schema = schema_id;
    }

    /// A page that was visited.
    pub fn page(&self, page: PageId) -> &VisitedPage {
        &self.pages[page.index()]
    }

    /// All pages visited, in order.
    pub fn pages(&self) -> impl Iterator<Item = (PageId, &VisitedPage)> {
        (0..).map(PageId).zip(&self.pages)
    }

    /// How many pages were visited.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether no page was visited yet.
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The address of a page.
    pub fn url(&self, page: PageId) -> Url {
        self.addresses.url(self.page(page).address)
    }

    /// The schema of a page, as far as the site is known.
    pub fn schema(&self, page: PageId) -> &PageSchema {
        self.schema_of(self.page(page).schema)
    }

    /// A schema by its number.
    pub fn schema_of(&self, schema: SchemaId) -> &PageSchema {
        &self.schemas[schema.0 as usize]
    }

    /// The link collections of a page: its addresses by settled path, in document order.
    pub fn collections(&self, page: PageId) -> Vec<(PathId, Vec<AddressId>)> {
        let mut collections: Vec<(PathId, Vec<AddressId>)> = Vec::new();
        let mut places: HashMap<PathId, usize, FixedState> = HashMap::default();
        for links_at in &self.page(page).links {
            let place = *places.entry(links_at.path).or_insert_with(|| {
                collections.push((links_at.path, Vec::new()));
                collections.len() - 1
            });
            collections[place].1.extend_from_slice(&links_at.addresses);
        }
        for (_, addresses) in &mut collections {
            dedup_in_order(addresses);
        }
        collections
    }

    /// The outline of a form: the settled paths of all elements, sorted, each once.
    pub fn outline(&mut self, form: FormId) -> &[PathId] {
        let index = form.0 as usize;
        let Self {
            outlines, paths, forms, ..
        } = self;
        outlines[index].get_or_insert_with(|| {
            let mut outline: Vec<PathId> = forms[index].raw.iter().map(|&raw| paths.settle(raw)).collect();
            outline.sort_unstable();
            outline.dedup();
            outline.into()
        })
    }

    /// The shape of a form: the paths of tags alone of all elements, sorted, each once.
    pub fn shape(&self, form: FormId) -> &[PathId] {
        &self.forms[form.0 as usize].shape
    }

    /// How alike two pages are: what their outlines, their shapes and their labels have in common.
    pub fn likeness(&mut self, left: PageId, right: PageId) -> Likeness {
        let labels = [left, right].map(|page| self.common_labels(page));
        let forms = self.form_likeness(self.page(left).form, self.page(right).form);
        joint_likeness(forms, &labels[0], &labels[1])
    }

    /// What the link paths of two pages have in common.
    pub fn link_likeness(&self, left: PageId, right: PageId) -> Likeness {
        Shared::of(self.schema(left).paths(), self.schema(right).paths()).likeness()
    }

    /// The labels of a page that enough pages have, as far as the site is known; sorted.
    pub fn common_labels(&self, page: PageId) -> Vec<u64> {
        self.labels.common(&self.page(page).labels)
    }

    /// What the outlines and the shapes of two forms have in common.
    pub fn form_likeness(&mut self, left: FormId, right: FormId) -> Likeness {
        if left == right {
            return Likeness {
                jaccard: 1.0,
                overlap: 1.0,
            };
        }
        self.outline(left);
        self.outline(right);
        let outline = |form: FormId| self.outlines[form.0 as usize].as_deref().unwrap_or(&[]);
        let outlines = Shared::of(outline(left), outline(right)).likeness();
        let shapes = Shared::of(self.shape(left), self.shape(right)).likeness();
        outlines.mixed(&shapes, 0.5)
    }
}

#[cfg(test)]
#[path = "explored_tests.rs"]
mod tests;
