//! Assembly: from pages and their classes to the model that is given away.
//!
//! In: an exploration that has ended. Out: a [`SiteModel`]. Classes are put in order of size, get a
//! schema, a name, a kind, a pattern of addresses and an estimate of their size; links are counted
//! between classes; the features that tell classes apart become the model's signs.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use url::Url;

use super::super::{AddressId, PageId, Reached};
use super::affinity::{Affinity, likeness};
use super::description::Description;
use super::explorer::{Explorer, ModelOptions};
use super::fingerprint::{Feature, FeatureKind};
use super::kinds::{LinkEvidence, kind_of};
use super::naming::{NameEvidence, name_classes};
use super::prospect::Experience;
use super::site_model::{ClassLink, ModelAlgorithm, PageClass, SchemaPath, ShapeOutcome, Sign, SiteModel};
use crate::page::{PathId, UrlPattern};

/// Makes the model of what was explored.
pub(super) fn assemble(explorer: &mut Explorer<'_>, entry: &Url, options: &ModelOptions) -> SiteModel {
    order_by_size(explorer);
    let (experience, prospects) = explorer.experience();
    let mut targets: Vec<Option<usize>> = vec![None; explorer.explored.addresses.len()];
    let mut sizes = vec![0.0; explorer.classes.n_classes];
    for &class in &explorer.classes.of_page {
        sizes[class] += 1.0;
    }
    for prospect in &prospects {
        if let Some(outcomes) = experience.outcomes(prospect.shape, &prospect.channels) {
            let likely = outcomes.counts.iter().max_by_key(|(_, count)| *count);
            targets[prospect.address as usize] = likely.and_then(|(class, _)| *class);
            for (class, share) in outcomes.shares() {
                if let Some(class) = class {
                    sizes[class] += share;
                }
            }
        }
    }
    let affinity = Affinity::of(explorer.sightings.iter().map(|sighting| &sighting.fingerprint));
    let assembly = Assembly {
        explorer,
        members: members(explorer),
        sizes,
        targets,
        affinity,
        is_everywhere: is_everywhere(explorer),
    };
    SiteModel {
        entry: entry.as_str().to_owned(),
        algorithm: ModelAlgorithm::Fingerprints,
        attributes: options.explore.attributes,
        schema_mode: options.schema_mode,
        classes: assembly.classes(options),
        links: assembly.links(),
        signs: FeatureKind::ALL.map(|kind| assembly.signs(kind)),
        tuning: options.tuning,
        scripts: explorer.scripts.clone(),
        shapes: explorer.shapes.clone(),
        shape_outcomes: shape_outcomes(explorer, &experience),
        curve: std::mem::take(&mut explorer.curve),
        n_addresses: explorer.explored.addresses.len(),
    }
}

/// Numbers the classes anew, those with most pages visited first, then those met first.
fn order_by_size(explorer: &mut Explorer<'_>) {
    let members = members(explorer);
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|&class| (Reverse(members[class].len()), members[class].first().copied()));
    let mut number = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        number[old] = new;
    }
    for class in &mut explorer.classes.of_page {
        *class = number[*class];
    }
}

fn members(explorer: &Explorer<'_>) -> Vec<Vec<PageId>> {
    let mut members: Vec<Vec<PageId>> = vec![Vec::new(); explorer.classes.n_classes];
    for (page, &class) in explorer.classes.of_page.iter().enumerate() {
        members[class].push(PageId(page as u32));
    }
    members
}

/// What the addresses of each shape led to.
fn shape_outcomes(explorer: &Explorer<'_>, experience: &Experience) -> Vec<ShapeOutcome> {
    let names = explorer.shape_names();
    let mut all: Vec<ShapeOutcome> = Vec::new();
    for (&shape, outcomes) in &experience.shapes {
        let dead = outcomes.counts.iter().find(|(class, _)| class.is_none());
        let mut classes: Vec<(usize, u32)> = outcomes
            .counts
            .iter()
            .filter_map(|&(class, n)| Some((class?, n)))
            .collect();
        classes.sort_unstable();
        all.push(ShapeOutcome {
            shape: names[shape as usize].to_owned(),
            classes,
            dead: dead.map_or(0, |(_, count)| *count),
        });
    }
    all.sort_by(|left, right| left.shape.cmp(&right.shape));
    all
}

/// A page that this many pages link to, and this share of them, is in the site's menu.
const EVERYWHERE_PAGES: u32 = 4;
const EVERYWHERE_SHARE: f64 = 0.3;

/// Which addresses pages all over the site link to.
fn is_everywhere(explorer: &Explorer<'_>) -> Vec<bool> {
    let mut counts = vec![0_u32; explorer.explored.addresses.len()];
    for (_, page) in explorer.explored.pages() {
        let mut targets: Vec<AddressId> = page
            .links
            .iter()
            .flat_map(|links_at| links_at.addresses.iter().copied())
            .collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            counts[target.index()] += 1;
        }
    }
    let many = EVERYWHERE_PAGES.max((explorer.explored.len() as f64 * EVERYWHERE_SHARE) as u32);
    counts.into_iter().map(|count| count >= many).collect()
}

struct Assembly<'a, 'b> {
    explorer: &'a Explorer<'b>,
    members: Vec<Vec<PageId>>,
    sizes: Vec<f64>,
    /// By address: the class it probably leads to, of those not visited.
    targets: Vec<Option<usize>>,
    affinity: Affinity,
    /// By address: whether pages all over the site link to it.
    is_everywhere: Vec<bool>,
}

/// Titles of a class that the model keeps.
const TITLES_MAX: usize = 5;

/// Pages of a class that are compared to tell how alike they are.
const COMPARED_MAX: usize = 24;

impl Assembly<'_, '_> {
    fn classes(&self, options: &ModelOptions) -> Vec<PageClass> {
        let evidence: Vec<NameEvidence> = self.members.iter().map(|pages| self.name_evidence(pages)).collect();
        let names = name_classes(&evidence);
        let descriptions = self.explorer.descriptions();
        let mut classes = Vec::new();
        for (class, (name, evidence)) in names.into_iter().zip(evidence).enumerate() {
            let estimated_pages = self.sizes[class].round() as usize;
            classes.push(PageClass {
                name,
                kind: kind_of(&self.link_evidence(class, estimated_pages)),
                pages: evidence.urls.iter().map(|url| url.as_str().to_owned()).collect(),
                titles: evidence.titles.into_iter().take(TITLES_MAX).collect(),
                schema: self.schema(&descriptions[class], options),
                url_pattern: url_pattern(&evidence.urls),
                estimated_pages,
                likeness: self.mean_likeness(&self.members[class]),
            });
        }
        classes
    }

    fn name_evidence(&self, pages: &[PageId]) -> NameEvidence {
        let sightings = pages.iter().map(|page| &self.explorer.sightings[page.index()]);
        NameEvidence {
            urls: pages.iter().map(|&page| self.explorer.explored.url(page)).collect(),
            titles: pages
                .iter()
                .map(|&page| self.explorer.explored.page(page).title.to_string())
                .collect(),
            headings: sightings.clone().map(|sighting| sighting.heading.clone()).collect(),
            crumbs: sightings.map(|sighting| sighting.crumb.clone()).collect(),
        }
    }

    /// The paths of a class schema with their support, most common first.
    fn schema(&self, description: &Description, options: &ModelOptions) -> Vec<SchemaPath> {
        let held = description.schema(options.schema_mode);
        let paths = held.paths().iter().map(|path| SchemaPath {
            path: self.explorer.explored.paths.text(*path),
            support: description.supports[path] as f64 / description.n_pages as f64,
        });
        let mut paths: Vec<SchemaPath> = paths.collect();
        paths.sort_by(|left, right| {
            right
                .support
                .total_cmp(&left.support)
                .then_with(|| left.path.cmp(&right.path))
        });
        paths
    }

    /// The class that an address leads to, known or probable.
    fn target(&self, address: AddressId) -> Option<usize> {
        match self.explorer.explored.reached(address) {
            Some(Reached::Page(page)) => Some(self.explorer.classes.of_page[page.index()]),
            Some(_) => None,
            None => self.targets[address.index()],
        }
    }

    fn link_evidence(&self, class: usize, estimated_pages: usize) -> LinkEvidence {
        let mut target_classes: Vec<usize> = Vec::new();
        let (mut longest, mut share) = (0.0, 0.0);
        for &page in &self.members[class] {
            let (mut n_links, mut best) = (0, 0);
            for (_, mut addresses) in self.explorer.explored.collections(page) {
                addresses.retain(|address| !self.is_everywhere[address.index()]);
                n_links += addresses.len();
                let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
                for target in addresses.iter().filter_map(|&address| self.target(address)) {
                    *counts.entry(target).or_default() += 1;
                }
                target_classes.extend(counts.keys());
                let others = counts.into_iter().filter(|&(target, _)| target != class);
                best = best.max(others.map(|(_, count)| count).max().unwrap_or(0));
            }
            longest += best as f64;
            share += best as f64 / n_links.max(1) as f64;
        }
        target_classes.sort_unstable();
        target_classes.dedup();
        let n_pages = self.members[class].len().max(1) as f64;
        LinkEvidence {
            estimated_pages,
            n_target_classes: target_classes.len(),
            longest_list: longest / n_pages,
            list_share: share / n_pages,
        }
    }

    fn mean_likeness(&self, pages: &[PageId]) -> f32 {
        let step = pages.len().div_ceil(COMPARED_MAX).max(1);
        let weigh = |page: &PageId| self.affinity.weigh(&self.explorer.sightings[page.index()].fingerprint);
        let weighed: Vec<_> = pages.iter().step_by(step).map(weigh).collect();
        let expected = self.explorer.tuning().expected_likeness;
        let (mut sum, mut n_pairs) = (expected, 1.0);
        for (place, left) in weighed.iter().enumerate() {
            for right in &weighed[..place] {
                sum += likeness(left, right).0;
                n_pairs += 1.0;
            }
        }
        sum / n_pairs
    }

    /// Counts the links between classes, to pages that were visited.
    fn links(&self) -> Vec<ClassLink> {
        let mut counts: BTreeMap<(usize, usize, PathId), usize> = BTreeMap::new();
        let of_page = &self.explorer.classes.of_page;
        for (page, visited) in self.explorer.explored.pages() {
            for links_at in &visited.links {
                for &address in &links_at.addresses {
                    if let Some(Reached::Page(target)) = self.explorer.explored.reached(address) {
                        let link = (of_page[page.index()], of_page[target.index()], links_at.path);
                        *counts.entry(link).or_default() += 1;
                    }
                }
            }
        }
        let links = counts.into_iter().map(|((from, to, path), count)| ClassLink {
            from,
            to,
            path: self.explorer.explored.paths.text(path),
            count,
        });
        links.collect()
    }

    /// The features of one kind that tell classes apart.
    fn signs(&self, kind: FeatureKind) -> Vec<Sign> {
        let mut by_feature: BTreeMap<Feature, Vec<(u32, f32)>> = BTreeMap::new();
        for (class, pages) in self.members.iter().enumerate() {
            let mut counts: BTreeMap<Feature, u32> = BTreeMap::new();
            for page in pages {
                for &feature in self.explorer.sightings[page.index()].fingerprint.by(kind) {
                    *counts.entry(feature).or_default() += 1;
                }
            }
            for (feature, count) in counts {
                if self.affinity.weight(kind, feature) > 0.0 {
                    let share = count as f32 / pages.len() as f32;
                    by_feature.entry(feature).or_default().push((class as u32, share));
                }
            }
        }
        let signs = by_feature.into_iter().map(|(feature, classes)| Sign {
            feature,
            weight: self.affinity.weight(kind, feature),
            classes,
        });
        signs.collect()
    }
}

/// What the addresses of a class have in common; where their forms differ, the patterns of each
/// form, most common first.
pub fn url_pattern(urls: &[Url]) -> String {
    let mut by_form: BTreeMap<usize, Vec<Url>> = BTreeMap::new();
    for url in urls {
        let n_segments = url.as_str().matches(['/', '?', '&']).count();
        by_form.entry(n_segments).or_default().push(url.clone());
    }
    let mut forms: Vec<Vec<Url>> = by_form.into_values().collect();
    forms.sort_by_key(|form| Reverse(form.len()));
    let patterns = forms.iter().filter_map(|form| UrlPattern::of(form));
    let texts: Vec<String> = patterns.map(|pattern| pattern.to_string()).collect();
    texts.join(" | ")
}
