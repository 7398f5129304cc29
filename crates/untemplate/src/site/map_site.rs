//! A site in memory, for tests and examples: pages by path, and a record of what was asked.
//!
//! ```
//! use untemplate::site::{GatherOptions, MapSite, gather};
//! use untemplate::page::{Page, ParseOptions, Response};
//! let person = |name: &str| format!("<h1>{name}</h1><dl><dt>Born<dd>1970</dl><a href=/all.html>All people</a>");
//! let list = "<ul><li><a href=/ann.html>Ann</a><li><a href=/bob.html>Bob</a></ul>".to_owned();
//! let mut site = MapSite::new([("/ann.html", person("Ann")), ("/bob.html", person("Bob")), ("/all.html", list)]);
//! let url = "http://people.example/ann.html".parse().expect("a good address");
//! let sample = Page::read(&Response::html(url, person("Ann")), &ParseOptions::default());
//! let found = gather(&mut site, &sample, &GatherOptions::default());
//! assert!(found.pages.iter().any(|page| page.url.path() == "/bob.html"));
//! ```

use std::collections::BTreeMap;
use std::sync::Arc;

use url::Url;

use crate::page::{Event, Page, ParseOptions, Request, Response, Site, Visit};

/// Pages by address path; other addresses are dead. A page that is `> PATH` redirects, `!` fails.
#[derive(Debug, Default)]
pub struct MapSite {
    /// The pages.
    pub pages: BTreeMap<String, String>,
    /// The paths asked for, in order.
    pub asked: Vec<String>,
    /// What the algorithm told.
    pub events: Vec<Event>,
    /// After this many requests the crawl is stopped.
    pub requests_max: Option<usize>,
}

impl MapSite {
    /// A site of pages, each a path and its HTML.
    pub fn new<P: Into<String>, H: Into<String>>(pages: impl IntoIterator<Item = (P, H)>) -> Self {
        let pages = pages.into_iter().map(|(path, html)| (path.into(), html.into()));
        Self {
            pages: pages.collect(),
            ..Self::default()
        }
    }

    fn answer(&mut self, url: &Url) -> Visit {
        if self.requests_max.is_some_and(|most| self.asked.len() >= most) {
            return Visit::Stopped;
        }
        let mut path = url[url::Position::BeforePath..].to_owned();
        self.asked.push(path.clone());
        if let Some(target) = self.pages.get(&path).and_then(|html| html.strip_prefix("> ")) {
            path = target.to_owned();
        }
        match self.pages.get(&path) {
            None => Visit::Dead {
                reason: "no such page".to_owned(),
            },
            Some(html) if html == "!" => Visit::Failed {
                reason: "broken".to_owned(),
            },
            Some(html) => {
                let url = url.join(&path).expect("a good address");
                let page = Page::read(&Response::html(url, html.as_str()), &ParseOptions::default());
                Visit::Page(Arc::new(page))
            }
        }
    }
}

impl Site for MapSite {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        requests.iter().map(|request| self.answer(&request.url)).collect()
    }

    fn note(&mut self, event: Event) {
        self.events.push(event);
    }
}

/// An address of the tests' site.
#[cfg(test)]
pub(crate) fn site_url(path: &str) -> Url {
    Url::parse("http://site.example/")
        .and_then(|home| home.join(path))
        .expect("a good address")
}
