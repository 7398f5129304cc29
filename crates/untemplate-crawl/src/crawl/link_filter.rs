//! Which links of a page become requests: those in scope that are wanted, are no trap, and were not offered before.
//!
//! Most links of a page stand on every page of its site. A table of fixed size remembers those that were dealt with, so
//! that they cost a hash and a look.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use url::Url;

use super::options::CrawlOptions;
use super::worked::Leads;
use crate::trap::TrapGuard;
use crate::url_rules::CrawlScope;

/// Places in the table: 8 bytes each, so two megabytes.
const PLACES: usize = 1 << 18;

/// Decides which links become requests.
pub(super) struct LinkFilter {
    options: Arc<CrawlOptions>,
    pub(super) guard: TrapGuard,
    /// Hashes of addresses that were dealt with for good. They are drawn anew in each process, so that no site can
    /// choose addresses that hide each other.
    offered: Box<[u64]>,
    hasher: RandomState,
}

impl LinkFilter {
    pub(super) fn new(options: Arc<CrawlOptions>, guard: TrapGuard) -> Self {
        Self {
            options,
            guard,
            offered: vec![0; PLACES].into_boxed_slice(),
            hasher: RandomState::default(),
        }
    }

    /// What is to be asked for of where an answer leads.
    pub(super) fn wanted(&mut self, leads: Leads, found_on: &Url) -> Vec<Url> {
        let mut wanted = Vec::new();
        for url in leads.sitemaps {
            // A sitemap is no page: it lists them for a part of the site as well, from outside of that part.
            if self.is_new(&url) && self.host_scope().contains(&self.options.entry, &url) {
                wanted.push(url);
            }
        }
        for url in leads.pages {
            let hash = self.hash(&url);
            if self.offered[place(hash)] == hash {
                continue;
            }
            let url = self.options.url_rules.strip(url);
            let is_wanted = self.options.scope.contains(&self.options.entry, &url) && (self.options.wants)(&url);
            // A trap may be one for this page's links alone.
            if is_wanted && self.guard.check(&url, Some(found_on)).is_some() {
                continue;
            }
            self.offered[place(hash)] = hash;
            if is_wanted {
                wanted.push(url);
            }
        }
        wanted
    }

    /// Why a request that is due is not to be made, if so: an earlier run with another scope may have noted it.
    pub(super) fn objection(&self, url: &Url) -> Option<String> {
        let options = &self.options;
        let is_wanted = options.scope.contains(&options.entry, url) && (options.wants)(url);
        let is_sitemap = || looks_like_sitemap(url) && self.host_scope().contains(&options.entry, url);
        let is_good = *url == options.entry || is_wanted || is_sitemap();
        (!is_good).then(|| format!("{url} is not within the scope of this crawl"))
    }

    fn is_new(&mut self, url: &Url) -> bool {
        let hash = self.hash(url);
        std::mem::replace(&mut self.offered[place(hash)], hash) != hash
    }

    fn host_scope(&self) -> CrawlScope {
        match self.options.scope {
            CrawlScope::Host | CrawlScope::Prefix => CrawlScope::Host,
            wider => wider,
        }
    }

    /// Forgets what was offered, because some of it was not taken.
    pub(super) fn forget(&mut self) {
        self.offered.fill(0);
    }

    fn hash(&self, url: &Url) -> u64 {
        // Zero marks an empty place.
        self.hasher.hash_one(url.as_str()).max(1)
    }
}

/// Sitemaps are not marked as such once they are known: their names tell.
fn looks_like_sitemap(url: &Url) -> bool {
    let name = url.path().rsplit('/').next().unwrap_or("").to_ascii_lowercase();
    name.contains("sitemap") || name.ends_with(".xml") || name.ends_with(".xml.gz")
}

fn place(hash: u64) -> usize {
    (hash % PLACES as u64) as usize
}
