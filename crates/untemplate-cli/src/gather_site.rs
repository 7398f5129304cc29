//! The site of a gathering: page sources, what they list in sitemaps, and progress on standard error.

use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

use untemplate::page::{Event, Request, Site, Visit};
use untemplate_crawl::{Robots, SitemapKind, SitemapLimits, read_sitemap};
use untemplate_store::SourceSite;
use url::Url;

use crate::interrupt::listen;

/// A site over page sources that reports its progress.
pub struct GatherSite {
    /// The sources.
    pub source: SourceSite,
    is_quiet: bool,
    is_terminal: bool,
    told: Instant,
    n_found: usize,
    estimate: usize,
    promising: Option<Url>,
}

/// How often a line is written where lines stay, and where one line changes.
const LINES: Duration = Duration::from_secs(10);
const REDRAW: Duration = Duration::from_millis(100);
/// How many sitemaps are read: an index may name any number.
const SITEMAPS_MAX: usize = 50;

impl GatherSite {
    /// The site over sources. Ctrl-C stops it: what was found until then is written.
    pub fn new(source: SourceSite, is_quiet: bool) -> Self {
        listen();
        Self {
            source,
            is_quiet,
            is_terminal: stderr().is_terminal(),
            told: Instant::now(),
            n_found: 0,
            estimate: 0,
            promising: None,
        }
    }

    /// Whether somebody stopped it.
    pub fn is_interrupted(&self) -> bool {
        self.source.stop.is_stopping()
    }

    fn tell(&mut self) {
        let pause = if self.is_terminal { REDRAW } else { LINES };
        if self.is_quiet || self.told.elapsed() < pause {
            return;
        }
        self.told = Instant::now();
        let mut line = format!("{} found", self.n_found);
        if self.estimate > self.n_found {
            line.push_str(&format!(" of about {}", self.estimate));
        }
        line.push_str(&format!(", {} downloads", self.source.figures.downloads));
        if let Some(url) = &self.promising {
            line.push_str(&format!(", best index so far {url}"));
        }
        let _ = match self.is_terminal {
            true => write!(stderr(), "\r\x1b[K{line}"),
            false => writeln!(stderr(), "untemplate: {line}"),
        };
    }

    /// Ends the line that changes.
    pub fn end(&self) {
        if self.is_terminal && !self.is_quiet {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }

    fn read(&mut self, url: &Url) -> Option<Vec<u8>> {
        self.source
            .read(&Request::get(url.clone()))
            .map(|response| response.body)
    }
}

impl Site for GatherSite {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        self.source.visit(requests)
    }

    /// What robots.txt names, or else what stands at the usual place.
    fn listed(&mut self, around: &Url) -> Vec<Url> {
        let Ok(robots) = around.join("/robots.txt") else {
            return Vec::new();
        };
        let named = self.read(&robots).map(|body| Robots::parse(&body).sitemaps().to_vec());
        let named = named.unwrap_or_default();
        let mut queue: Vec<Url> = named.iter().filter_map(|text| around.join(text).ok()).collect();
        if queue.is_empty() {
            queue.extend(around.join("/sitemap.xml"));
        }
        let (limits, mut at, mut pages) = (SitemapLimits::default(), 0, Vec::new());
        while at < queue.len().min(SITEMAPS_MAX) {
            let url = queue[at].clone();
            at += 1;
            let Some(body) = self.read(&url) else { continue };
            let sitemap = read_sitemap(&url, &body, &limits);
            let entries = sitemap.entries.into_iter().map(|entry| entry.url);
            match sitemap.kind {
                SitemapKind::Index => queue.extend(entries.filter(|url| !queue.contains(url)).collect::<Vec<_>>()),
                SitemapKind::Unknown => {}
                _ => pages.extend(entries),
            }
        }
        pages
    }

    fn note(&mut self, event: Event) {
        match event {
            Event::Found(n_found) => self.n_found = n_found,
            Event::Estimated(estimate) => self.estimate = estimate,
            Event::Promising(url) => self.promising = Some(url),
            Event::Skipped(..) => {}
        }
        self.tell();
    }
}
