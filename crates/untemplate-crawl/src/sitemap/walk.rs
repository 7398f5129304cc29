//! The walk over the sitemaps of a site: which ones there are, and what each of them lists.
//!
//! Whoever fetches them asks for [`SitemapWalk::next`], reads the answer with [`read_listed`], and
//! hands the sitemaps that an index names back. A crawl has its frontier for that, and uses the
//! rest.

use std::collections::{HashSet, VecDeque};

use url::Url;

use super::read::{SitemapKind, SitemapLimits, read_sitemap};

/// Where a site has its sitemap that robots.txt does not name.
const USUAL_SITEMAP: &str = "/sitemap.xml";

/// The sitemaps of a host: those that its robots.txt names, or else the one at the usual place.
pub fn sitemap_addresses(around: &Url, named: &[String]) -> Vec<Url> {
    let mut addresses: Vec<Url> = named.iter().filter_map(|text| around.join(text).ok()).collect();
    if addresses.is_empty() {
        addresses.extend(around.join(USUAL_SITEMAP));
    }
    addresses
}

/// What a sitemap lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// Pages.
    pub pages: Vec<Url>,
    /// Other sitemaps.
    pub sitemaps: Vec<Url>,
}

/// Reads a sitemap for what it lists; content that is none lists nothing.
pub fn read_listed(url: &Url, body: &[u8]) -> Listed {
    let sitemap = read_sitemap(url, body, &SitemapLimits::default());
    let entries = sitemap.entries.into_iter().map(|entry| entry.url).collect();
    match sitemap.kind {
        SitemapKind::Unknown => Listed::default(),
        SitemapKind::Index => Listed {
            pages: Vec::new(),
            sitemaps: entries,
        },
        _ => Listed {
            pages: entries,
            sitemaps: Vec::new(),
        },
    }
}

/// Sitemaps that are still to be read, each once.
#[derive(Debug, Clone, Default)]
pub struct SitemapWalk {
    queue: VecDeque<Url>,
    known: HashSet<Url>,
}

impl SitemapWalk {
    /// A walk that begins with these.
    pub fn new(sitemaps: Vec<Url>) -> Self {
        let mut walk = Self::default();
        walk.extend(sitemaps);
        walk
    }

    /// Adds sitemaps that another one names.
    pub fn extend(&mut self, sitemaps: Vec<Url>) {
        for url in sitemaps {
            if self.known.insert(url.clone()) {
                self.queue.push_back(url);
            }
        }
    }
}

impl Iterator for SitemapWalk {
    type Item = Url;

    fn next(&mut self) -> Option<Url> {
        self.queue.pop_front()
    }
}
