//! The templates of a site, learnt while it is searched.
//!
//! In: the fingerprints of the pages visited, and the addresses met. Out: which pages of the
//! sample's form are of its template, and which addresses to try so that this is known. Pages that
//! share a frame are alike in form, whatever the frame holds; a [`TemplateTree`] tells them apart
//! by what parts of their addresses explain of how they are made. It is grown anew whenever the
//! pages are placed anew.
//!
//! A group of addresses that the tree cannot judge counts as the sample's, if its pages have the
//! sample's form. So before any of them is believed, a few of each are visited
//! ([`Search::unjudged`]); else the search would follow what it never looked at, or leave it
//! because of one page.

use std::collections::BTreeMap;

use url::Url;

use super::family::FamilyId;
use super::guided::Search;
use crate::site::address_book::AddressId;
use crate::site::explored::Explored;
use crate::site::model::Fingerprint;
use crate::site::template_tree::{FeatureBook, GROUP_PAGES_MAX, PageFeatures, TemplateTree, TemplateTuning, group_of};
use crate::site::visited_page::PageId;

/// Pages of the sample's leaf that differ from it in form are of its template all the same, unless
/// their contrast is as large as this. Addresses say that one script made them, so that it takes
/// much to believe otherwise. Seen on two development sites only.
const FORM_CONTRAST: f64 = 0.7;

/// How many pages are visited to judge groups of addresses: it bounds what a search wastes on a
/// site of very many groups.
const JUDGED_MAX: usize = 240;

/// What was learnt of a site's templates.
#[derive(Debug, Clone, Default)]
pub(super) struct Templates {
    /// Which template filled the page at an address.
    pub tree: TemplateTree,
    book: FeatureBook,
    /// By page.
    features: Vec<PageFeatures>,
    /// Whether nothing was asked of the tree yet.
    is_new: bool,
    n_judged: usize,
}

impl Templates {
    /// Notes the features of the next page.
    pub fn add(&mut self, fingerprint: &Fingerprint) {
        let features = self.book.read(fingerprint);
        self.features.push(features);
    }

    /// Grows the tree of what was explored.
    fn learn(&mut self, explored: &Explored, tuning: &TemplateTuning) {
        let pages: Vec<(usize, &PageFeatures)> = (explored.pages())
            .zip(&self.features)
            .map(|((_, page), features)| (page.address.index(), features))
            .collect();
        self.tree = TemplateTree::grow(&addresses(explored), &pages, tuning);
        self.is_new = true;
    }

    /// The contrast between two groups of pages; `None` where one of them is too small to be
    /// judged.
    fn contrast(&self, left: &[PageId], right: &[PageId], tuning: &TemplateTuning) -> Option<f64> {
        let group = |pages: &[PageId]| {
            let pages: Vec<&PageFeatures> = pages.iter().map(|page| &self.features[page.index()]).collect();
            (pages.len() >= tuning.pages_min).then(|| group_of(&pages))
        };
        Some(group(left)?.contrast(&group(right)?))
    }
}

impl Search<'_> {
    /// Tells targets by the template tree.
    pub(super) fn apply_templates(&mut self) {
        let tuning = &self.options.templates;
        self.templates.learn(&self.explored, tuning);
        let pages = self.explored.pages();
        let leaf = |page: PageId| self.templates.tree.leaf(&self.explored.url(page));
        let leaves: Vec<usize> = pages.map(|(page, _)| leaf(page)).collect();
        let mut by_form: BTreeMap<FamilyId, Vec<PageId>> = BTreeMap::new();
        for (page, _) in (0..)
            .map(PageId)
            .zip(&leaves)
            .filter(|(_, leaf)| Some(*leaf) == leaves.first())
        {
            by_form.entry(self.families.by_form(page)).or_default().push(page);
        }
        let own = by_form.get(&FamilyId::TARGET).map_or(&[][..], Vec::as_slice);
        let is_like = |pages: &[PageId]| {
            let contrast = self.templates.contrast(own, pages, tuning);
            contrast.is_some_and(|contrast| contrast < FORM_CONTRAST)
        };
        let adopted = by_form.iter().filter(|(_, pages)| is_like(pages));
        self.families.adopted = adopted.map(|(family, _)| *family).collect();
        self.families.leaves = leaves;
    }

    /// Addresses to try, so that what stands beside the sample's template is judged; asked once for
    /// each tree.
    pub(super) fn unjudged(&mut self, sample: &Url) -> Vec<AddressId> {
        let options = self.options;
        match std::mem::take(&mut self.templates.is_new) {
            true => self.choose_to_try(sample, &options.templates),
            false => Vec::new(),
        }
    }

    /// Addresses to try before a search ends, of groups that were judged by few pages and are
    /// larger than all that was found: to leave these wrongly would lose most of the class.
    pub(super) fn doubtful(&mut self, sample: &Url) -> Vec<AddressId> {
        let tuning = TemplateTuning {
            pages_min: GROUP_PAGES_MAX,
            addresses_min: self.options.templates.addresses_min.max(self.n_targets + 1),
            ..self.options.templates
        };
        self.choose_to_try(sample, &tuning)
    }

    /// Addresses of groups that cannot be judged by these numbers.
    fn choose_to_try(&mut self, sample: &Url, tuning: &TemplateTuning) -> Vec<AddressId> {
        if self.templates.n_judged > JUDGED_MAX {
            return Vec::new();
        }
        let urls = addresses(&self.explored);
        let is_tried = |number: usize| self.explored.reached(AddressId(number as u32)).is_some();
        let groups = self.templates.tree.unjudged(&urls, is_tried, sample, tuning);
        let wanted = groups.into_iter().flat_map(|group| group.wanted);
        let wanted = wanted.map(|number| AddressId(number as u32));
        let is_met = |address: &AddressId| self.prospects.get(address.index()).is_some_and(Option::is_some);
        let wanted: Vec<AddressId> = wanted.filter(is_met).collect();
        self.templates.n_judged += wanted.len();
        wanted
    }
}

/// All addresses that are known, by their numbers.
fn addresses(explored: &Explored) -> Vec<Url> {
    let numbers = 0..explored.addresses.len() as u32;
    numbers
        .map(|number| explored.addresses.url(AddressId(number)))
        .collect()
}
