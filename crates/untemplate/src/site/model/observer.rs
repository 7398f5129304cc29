//! An observer: it stands between an algorithm and the site, and takes the fingerprint of each page
//! that passes.
//!
//! In: a [`Site`]. Out: the same site, and afterwards what was seen on its pages.
//! [`super::super::Explored`] keeps few facts of a page and drops its tree; what only the site
//! model needs is taken here.

use std::collections::HashMap;

use foldhash::fast::FixedState;
use url::Url;

use super::fingerprint::Fingerprint;
use crate::page::{AttributeFilter, Dom, Event, Name, NodeId, Page, Request, Site, Visit, normalise};

/// What is remembered of a page beside its links.
#[derive(Debug, Clone, Default)]
pub struct Sighting {
    /// Its features.
    pub fingerprint: Fingerprint,
    /// Its first heading.
    pub heading: String,
    /// The last crumb but one of its trail of breadcrumbs, where it has one: what it is a part of.
    pub crumb: String,
}

/// A site that is watched.
pub struct Observer<'a> {
    site: &'a mut dyn Site,
    filter: AttributeFilter,
    /// By address, normalised: what was seen and not yet taken.
    sightings: HashMap<String, Sighting, FixedState>,
}

impl<'a> Observer<'a> {
    /// Watches a site.
    pub fn new(site: &'a mut dyn Site, filter: AttributeFilter) -> Self {
        Self {
            site,
            filter,
            sightings: HashMap::default(),
        }
    }

    /// What was seen of a page, once; the address is a normalised one.
    pub fn take(&mut self, address: &str) -> Option<Sighting> {
        self.sightings.remove(address)
    }
}

impl Site for Observer<'_> {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        let visits = self.site.visit(requests);
        for (request, visit) in requests.iter().zip(&visits) {
            if let Visit::Page(page) = visit {
                let seen = sight(page, &self.filter);
                // A redirect out of the site is known by the address that was asked for.
                for url in [&request.url, &page.url] {
                    self.sightings.insert(normalise(url.clone()).into(), seen.clone());
                }
            }
        }
        visits
    }

    fn listed(&mut self, around: &Url) -> Vec<Url> {
        self.site.listed(around)
    }

    fn note(&mut self, event: Event) {
        self.site.note(event);
    }
}

/// Looks at a page.
pub fn sight(page: &Page, filter: &AttributeFilter) -> Sighting {
    let dom = &page.dom;
    Sighting {
        fingerprint: Fingerprint::of(page, filter),
        heading: heading(dom),
        crumb: crumb(dom),
    }
}

/// Letters of a heading that are kept.
const HEADING_CHARS_MAX: usize = 120;

fn heading(dom: &Dom) -> String {
    let levels = [Name::H1, Name::H2];
    let found = levels.iter().find_map(|&level| dom.find(level));
    let text = found.map(|node| dom.visible_text(node)).unwrap_or_default();
    text.chars().take(HEADING_CHARS_MAX).collect()
}

/// The last link of an element that calls itself breadcrumbs.
fn crumb(dom: &Dom) -> String {
    let is_trail = |&node: &NodeId| {
        let names = dom
            .attributes(node)
            .filter(|(name, _)| matches!(*name, Name::CLASS | Name::ID));
        names
            .into_iter()
            .any(|(_, value)| value.to_ascii_lowercase().contains("breadcrumb"))
    };
    let Some(trail) = dom.offered_nodes().filter(|&node| dom.is_element(node)).find(is_trail) else {
        return String::new();
    };
    let mut links = dom.subtree(trail).filter(|&node| dom.is_html(node, Name::A));
    let text = links.next_back().map(|node| dom.visible_text(node)).unwrap_or_default();
    text.chars().take(HEADING_CHARS_MAX).collect()
}
