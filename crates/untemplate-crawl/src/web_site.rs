//! A site over page sources, with what its sitemaps list.

use untemplate::page::{Event, Request, Site, Visit};
use untemplate_store::SourceSite;
use url::Url;

use crate::robots::Robots;
use crate::sitemap::{SitemapWalk, read_listed, sitemap_addresses};

/// How many sitemaps are read: an index may name any number.
const SITEMAPS_MAX: usize = 50;

/// A site that page sources answer for, and that lists what its sitemaps name.
pub struct WebSite {
    /// The sources.
    pub source: SourceSite,
}

impl WebSite {
    /// What robots.txt says of sitemaps. A live source has asked for it before the first page, and
    /// is not sent again.
    fn named_sitemaps(&mut self, around: &Url) -> Vec<String> {
        if let Some(named) = self.source.named_sitemaps(around) {
            return named;
        }
        let robots = around.join("/robots.txt").ok().and_then(|url| self.read(&url));
        robots.map_or_else(Vec::new, |body| Robots::parse(&body).sitemaps().to_vec())
    }

    fn read(&mut self, url: &Url) -> Option<Vec<u8>> {
        let response = self.source.read(&Request::get(url.clone()));
        response.map(|response| response.body)
    }
}

impl Site for WebSite {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        self.source.visit(requests)
    }

    fn listed(&mut self, around: &Url) -> Vec<Url> {
        // A sitemap leads everywhere: nothing is deep then.
        if self.source.depths.is_some() {
            return Vec::new();
        }
        let named = self.named_sitemaps(around);
        let mut walk = SitemapWalk::new(sitemap_addresses(around, &named));
        let (mut n_read, mut pages) = (0, Vec::new());
        while let Some(url) = walk.next().filter(|_| n_read < SITEMAPS_MAX) {
            n_read += 1;
            let Some(body) = self.read(&url) else { continue };
            let listed = read_listed(&url, &body);
            walk.extend(listed.sitemaps);
            pages.extend(listed.pages);
        }
        pages
    }

    fn note(&mut self, event: Event) {
        self.source.note(event);
    }
}
