//! The policy of what may be followed, for every verb: scope, what robots directives say of links,
//! parameters that are stripped, traps.
//!
//! In: pages and addresses. Out: the links that become requests, and objections to requests. A
//! crawl offers the links of each page to [`FollowPolicy::wanted`]; a
//! [`LiveSource`](super::LiveSource), whose requests somebody else chooses, asks for the
//! [`FollowPolicy::objection_to`] each of them, and keeps in [`FollowedLinks`] which addresses the
//! site lets programs follow.
//!
//! Most links of a page stand on every page of its site. A table of fixed size remembers those that
//! were dealt with, so that they cost a hash and a look.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use untemplate::page::{Page, links, normalise};
use url::Url;

use super::options::CrawlOptions;
use super::worked::Leads;
use crate::directive::{is_nofollow, page_allows_following};
use crate::trap::TrapGuard;
use crate::url_rules::{CrawlScope, UrlRules};

/// Places in the table: 8 bytes each, so two megabytes.
const PLACES: usize = 1 << 18;

/// The links of a page, by whether the site lets programs follow them.
pub(super) struct PageLinks {
    pub(super) followed: Vec<Url>,
    pub(super) refused: Vec<Url>,
}

/// Sorts the links of a page; `may_follow` is what its `X-Robots-Tag` headers say.
pub(super) fn page_links(page: &Page, may_follow: bool, options: &CrawlOptions) -> PageLinks {
    let may_follow = may_follow && page_allows_following(page, &options.agent);
    let mut sorted = PageLinks {
        followed: Vec::new(),
        refused: Vec::new(),
    };
    for link in links(page) {
        match !options.obeys_robots || may_follow && !is_nofollow(page, link.node) {
            true => sorted.followed.push(link.url),
            false => sorted.refused.push(link.url),
        }
    }
    sorted
}

/// By address, whether any link leads there that may be followed. What no link leads to is nobody's
/// to refuse.
#[derive(Debug, Default)]
pub(super) struct FollowedLinks {
    links: HashMap<u64, bool>,
    hasher: RandomState,
}

impl FollowedLinks {
    /// Takes in the links of a page.
    pub(super) fn observe(&mut self, page: &Page, may_follow: bool, options: &CrawlOptions) {
        let sorted = page_links(page, may_follow, options);
        for url in sorted.followed {
            self.permit(&url, &options.url_rules);
        }
        for url in sorted.refused {
            let key = self.key(&url, &options.url_rules);
            self.links.entry(key).or_insert(false);
        }
    }

    /// Lets an address be asked for.
    pub(super) fn permit(&mut self, url: &Url, rules: &UrlRules) {
        let key = self.key(url, rules);
        self.links.insert(key, true);
    }

    /// Why an address is not to be asked for, if so.
    pub(super) fn objection_to(&self, url: &Url, rules: &UrlRules) -> Option<String> {
        let is_refused = self.links.get(&self.key(url, rules)) == Some(&false);
        is_refused.then(|| format!("only links that ask not to be followed lead to {url}; --no-robots follows them"))
    }

    fn key(&self, url: &Url, rules: &UrlRules) -> u64 {
        self.hasher.hash_one(rules.strip(normalise(url.clone())).as_str())
    }
}

/// Decides which links become requests.
pub(super) struct FollowPolicy {
    options: Arc<CrawlOptions>,
    pub(super) guard: TrapGuard,
    /// Hashes of addresses that were dealt with for good. They are drawn anew in each process, so
    /// that no site can choose addresses that hide each other.
    offered: Box<[u64]>,
    hasher: RandomState,
}

impl FollowPolicy {
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
            // A sitemap is no page: it lists them for a part of the site as well, from outside of
            // that part.
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

    /// Why a request that is due is not to be made, if so: an earlier run with another scope may
    /// have noted it.
    pub(super) fn objection(&self, url: &Url) -> Option<String> {
        let options = &self.options;
        let is_wanted = options.scope.contains(&options.entry, url) && (options.wants)(url);
        let is_sitemap = || looks_like_sitemap(url) && self.host_scope().contains(&options.entry, url);
        let is_named = *url == options.entry || options.starts.contains(url);
        let is_good = is_named || is_wanted || is_sitemap();
        (!is_good).then(|| format!("{url} is not within the scope of this crawl"))
    }

    /// Why a request that somebody else chose is not to be made, if so: its page is known to be a
    /// copy, or to lead deeper into itself. Its scope is decided by who chose it.
    pub(super) fn objection_to(&self, url: &Url) -> Option<String> {
        self.guard.check(url, None).map(|trap| trap.reason)
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
