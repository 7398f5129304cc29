//! Families: the pages visited so far, gathered by likeness of form and address. Family 0 is the
//! sample's.
//!
//! In: pages, one after the other. Out: the family of each. A page joins the *knot* of its nearest
//! neighbour when that is very near, or else starts a knot of its own; knots are tied into
//! families. Two knots are one family when the pages between them differ about as much as the pages
//! within each do. What "about" means depends on the addresses: pages whose addresses one script
//! could have made may differ more than pages whose addresses differ in fixed words. So a class
//! whose pages differ much is one family, and two tight classes that differ little are two. The
//! paper's clusters are pages of equal link paths; on real sites these split one template into
//! many, and join templates that link alike.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;
use url::Url;

use super::address_form::{AddressForm, AddressLikeness, EdgeWords};
use super::options::{Extensions, GatherOptions};
use crate::site::explored::Explored;
use crate::site::likeness::{Likeness, joint_likeness};
use crate::site::template_tree::TemplateTree;
use crate::site::visited_page::{FormId, PageId};

/// A family, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FamilyId(pub u32);

impl FamilyId {
    /// The sample's.
    pub const TARGET: FamilyId = FamilyId(0);
    /// Addresses where there is no page.
    pub const DEAD: FamilyId = FamilyId(u32::MAX);
}

/// How near pages must be, by how alike their addresses are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearness {
    /// How near a page must be to one of a knot to join it.
    pub join: [f64; 3],
    /// How near two knots must be to be tied while neither is known well.
    pub unsure: [f64; 3],
    /// How near two knots must be in any case.
    pub least: [f64; 3],
    /// How much farther two knots may be from each other than the pages within each.
    pub slack: [f64; 3],
}

impl Default for Nearness {
    fn default() -> Self {
        // In the order of `AddressLikeness`: other, open, same.
        Self {
            join: [0.97, 0.93, 0.75],
            unsure: [0.92, 0.88, 0.5],
            least: [0.8, 0.75, 0.35],
            slack: [0.06, 0.06, 0.36],
        }
    }
}

/// Pages that are very much alike.
#[derive(Debug, Clone, Default)]
pub struct Knot {
    /// The first of its pages.
    pub first: Option<PageId>,
    /// How many pages it has.
    pub n_pages: usize,
    /// Pages of it that differ from each other.
    exemplars: Vec<PageId>,
    addresses: Vec<AddressForm>,
    /// How near each page was to those before it.
    nearest: Vec<f64>,
}

/// The families of pages of the sample's form and of other templates begin here.
const LEAF_FAMILIES: u32 = 1 << 30;

/// How many forms and addresses of a knot are compared with.
const EXEMPLARS: usize = 8;
/// A page this near to one that is kept says nothing new.
const PAGE_NEW: f64 = 0.97;
/// How far a page that lacks sections is forgiven, where one script could have made the addresses.
const LACKING: f64 = 0.36;
/// From this many members on, a knot's own spread counts.
const SPREAD_KNOWN: usize = 4;

impl Knot {
    /// What nearly all members reach in likeness to those before them; `None` while too few are
    /// known.
    pub fn spread(&self) -> Option<f64> {
        if self.nearest.len() < SPREAD_KNOWN {
            return None;
        }
        let mut nearest = self.nearest.clone();
        nearest.sort_unstable_by(f64::total_cmp);
        Some(nearest[nearest.len() / 10])
    }

    fn add(&mut self, page: PageId, address: &AddressForm, nearest: Option<f64>) {
        self.first.get_or_insert(page);
        self.n_pages += 1;
        if self.exemplars.len() < EXEMPLARS && nearest.is_none_or(|near| near < PAGE_NEW) {
            self.exemplars.push(page);
        }
        let key = |form: &AddressForm| (form.frame, form.top, form.edges);
        let is_known = |known: &AddressForm| key(known) == key(address);
        if self.addresses.len() < EXEMPLARS && !self.addresses.iter().any(is_known) {
            self.addresses.push(*address);
        }
        if let Some(near) = nearest
            && self.nearest.len() < 64
        {
            self.nearest.push(near);
        }
    }

    fn address_likeness(&self, address: &AddressForm, words: &EdgeWords) -> AddressLikeness {
        let all = self.addresses.iter().map(|known| words.likeness(known, address));
        all.max().unwrap_or(AddressLikeness::Other)
    }
}

/// All families of the pages visited so far.
#[derive(Debug, Clone, Default)]
pub struct Families {
    /// The knots.
    pub knots: Vec<Knot>,
    /// The family of each knot: the number of its first knot.
    pub of_knot: Vec<FamilyId>,
    /// The knot of each page.
    pub of_page: Vec<usize>,
    /// The leaf of each page's address in the template tree, as far as they are known.
    pub leaves: Vec<usize>,
    /// Families of the sample's template that differ from it in form.
    pub adopted: HashSet<FamilyId, FixedState>,
    /// The likeness of forms, as far as it was asked for.
    forms: HashMap<(FormId, FormId), Likeness, FixedState>,
    /// The labels of pages that others are compared with, and of the page that is placed.
    labels: HashMap<PageId, Vec<u64>, FixedState>,
    extensions: Extensions,
}

impl Families {
    /// The family of a page.
    pub fn of(&self, page: PageId) -> FamilyId {
        self.by_template(page, self.of_knot[self.of_page[page.index()]])
    }

    /// The family of a page that is of this one by its form: pages of the sample's form and of
    /// another template are of a family of their own.
    fn by_template(&self, page: PageId, family: FamilyId) -> FamilyId {
        let (Some(&home), Some(&leaf)) = (self.leaves.first(), self.leaves.get(page.index())) else {
            return family;
        };
        let is_like = family == FamilyId::TARGET || self.adopted.contains(&family);
        match (is_like, leaf == home) {
            (true, true) => FamilyId::TARGET,
            (true, false) => FamilyId(LEAF_FAMILIES + leaf as u32),
            (false, _) => family,
        }
    }

    /// Notes the leaf of the next page's address, once there is a tree.
    pub fn note_leaf(&mut self, tree: &TemplateTree, url: &Url) {
        if !self.leaves.is_empty() {
            self.leaves.push(tree.leaf(url));
        }
    }

    /// The family that a page's form alone says.
    pub fn by_form(&self, page: PageId) -> FamilyId {
        self.of_knot[self.of_page[page.index()]]
    }

    /// The family of a page, if it was placed yet.
    pub fn get(&self, page: PageId) -> Option<FamilyId> {
        let knot = *self.of_page.get(page.index())?;
        Some(self.by_template(page, self.of_knot[knot]))
    }

    /// No families yet.
    pub fn new(extensions: Extensions) -> Self {
        Self {
            extensions,
            ..Self::default()
        }
    }

    /// Puts the next page into the family of its nearest neighbour, or into one of its own.
    pub fn place(
        &mut self,
        page: PageId,
        address: &AddressForm,
        explored: &mut Explored,
        words: &EdgeWords,
        options: &GatherOptions,
    ) -> FamilyId {
        let mut best: Option<(f64, usize, f64)> = None;
        for index in 0..self.knots.len() {
            let likeness = self.knots[index].address_likeness(address, words);
            let near = self.nearest(index, page, likeness, explored);
            if near < options.nearness.join[likeness as usize] {
                continue;
            }
            let score = near + 0.02 * f64::from(likeness as u8);
            if best.is_none_or(|(best, ..)| score > best) {
                best = Some((score, index, near));
            }
        }
        let (knot, near) = match best {
            Some((_, knot, near)) => (knot, Some(near)),
            None => {
                self.knots.push(Knot::default());
                self.of_knot.push(FamilyId(self.knots.len() as u32 - 1));
                (self.knots.len() - 1, None)
            }
        };
        self.knots[knot].add(page, address, near);
        if !self.knots[knot].exemplars.contains(&page) {
            self.labels.remove(&page);
        }
        self.of_page.push(knot);
        if near.is_none() {
            self.tie_new(knot, explored, words, &options.nearness);
        }
        self.of(page)
    }

    /// Ties a new knot to the one it is nearest to, if it is near enough.
    fn tie_new(&mut self, knot: usize, explored: &mut Explored, words: &EdgeWords, nearness: &Nearness) {
        let mut best: Option<(f64, usize)> = None;
        for other in 0..knot {
            let (near, limit) = self.between(knot, other, explored, words, nearness);
            if near >= limit && best.is_none_or(|(best, _)| near > best) {
                best = Some((near, other));
            }
        }
        if let Some((_, other)) = best {
            self.of_knot[knot] = self.of_knot[other];
        }
    }

    /// Ties all knots that belong together, now that they are known better.
    pub fn tie_all(&mut self, explored: &mut Explored, words: &EdgeWords, nearness: &Nearness) {
        for left in 0..self.knots.len() {
            for right in left + 1..self.knots.len() {
                if self.of_knot[left] == self.of_knot[right] {
                    continue;
                }
                let (near, limit) = self.between(left, right, explored, words, nearness);
                if near >= limit {
                    let (kept, gone) = (
                        self.of_knot[left].min(self.of_knot[right]),
                        self.of_knot[left].max(self.of_knot[right]),
                    );
                    self.of_knot
                        .iter_mut()
                        .filter(|family| **family == gone)
                        .for_each(|family| *family = kept);
                }
            }
        }
    }

    /// How near two knots are, and how near they must be to be tied.
    fn between(
        &mut self,
        left: usize,
        right: usize,
        explored: &mut Explored,
        words: &EdgeWords,
        nearness: &Nearness,
    ) -> (f64, f64) {
        let addresses = self.knots[left].addresses.iter();
        let likeness = addresses
            .map(|address| self.knots[right].address_likeness(address, words))
            .max();
        let likeness = likeness.unwrap_or(AddressLikeness::Other);
        let level = likeness as usize;
        let spreads = [self.knots[left].spread(), self.knots[right].spread()];
        let limit = match spreads.into_iter().flatten().reduce(f64::min) {
            Some(spread) => (spread - nearness.slack[level]).max(nearness.least[level]),
            None => nearness.unsure[level],
        };
        let (few, many) = match self.knots[left].exemplars.len() <= self.knots[right].exemplars.len() {
            true => (left, right),
            false => (right, left),
        };
        let pages = self.knots[few].exemplars.clone();
        let sum: f64 = pages
            .iter()
            .map(|&page| self.nearest(many, page, likeness, explored))
            .sum();
        (sum / pages.len().max(1) as f64, limit)
    }

    /// How alike a page is to the nearest of a knot. Where one script could have made their
    /// addresses, a page that lacks sections is half forgiven.
    fn nearest(&mut self, knot: usize, page: PageId, likeness: AddressLikeness, explored: &mut Explored) -> f64 {
        let nearness = |likeness_of: Likeness| match likeness {
            AddressLikeness::Same => (1.0 - LACKING) * likeness_of.jaccard + LACKING * likeness_of.overlap,
            _ => likeness_of.jaccard,
        };
        let mut nearest = 0.0;
        for &known in &self.knots[knot].exemplars {
            let (left, right) = (explored.page(known).form, explored.page(page).form);
            let pair = (left.min(right), left.max(right));
            let forms = match self.extensions.forms {
                true => *self
                    .forms
                    .entry(pair)
                    .or_insert_with(|| explored.form_likeness(pair.0, pair.1)),
                false => explored.link_likeness(known, page),
            };
            // Labels cannot make up for more than they weigh.
            if (2.0 * nearness(forms) + 1.0) / 3.0 < nearest {
                continue;
            }
            for page in [known, page] {
                self.labels.entry(page).or_insert_with(|| match self.extensions.labels {
                    true => explored.common_labels(page),
                    false => Vec::new(),
                });
            }
            let whole = joint_likeness(forms, &self.labels[&known], &self.labels[&page]);
            nearest = f64::max(nearest, nearness(whole));
        }
        nearest
    }
}
