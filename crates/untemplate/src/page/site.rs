//! The seam: a site as an algorithm sees it.
//!
//! Algorithms are straight-line code against [`Site`]: they ask for pages and get pages. Who
//! fetches, waits, stores and counts is decided outside. The live web, a mirror folder, WARC files
//! and a test's `HashMap` all implement it.

use std::collections::HashMap;
use std::sync::Arc;

use url::Url;

use super::{Page, ParseOptions, Problem};

/// The site as an algorithm sees it: ask for pages, get pages. Who fetches, waits and stores is not
/// its business.
pub trait Site {
    /// Visits the requests, in any order and as parallel as the source allows; answers come back in
    /// request order.
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit>;

    /// The addresses that the site itself lists around an address, in its sitemaps; none where a
    /// source has no such thing.
    fn listed(&mut self, _around: &Url) -> Vec<Url> {
        Vec::new()
    }

    /// Tells whoever watches what happened: found, skipped, estimated. Progress is made from these,
    /// outside.
    fn note(&mut self, event: Event);
}

/// A site in memory: the HTML of each address, for tests and examples. Other addresses are dead.
impl Site for HashMap<String, String> {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        let answer = |request: &Request| match self.get(request.url.as_str()) {
            Some(html) => {
                let response = Response::html(request.url.clone(), html.as_str());
                Visit::Page(Arc::new(Page::read(&response, &ParseOptions::default())))
            }
            None => Visit::Dead {
                reason: "nothing stands at this address".to_owned(),
            },
        };
        requests.iter().map(answer).collect()
    }

    fn note(&mut self, _event: Event) {}
}

/// How a page is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// By its address alone.
    Get,
    /// By sending a form.
    Post,
}

/// One request for a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Request {
    /// How it is asked for.
    pub method: Method,
    /// The address.
    pub url: Url,
    /// The form's content, as it is sent; empty for [`Method::Get`].
    pub body: Vec<u8>,
}

impl Request {
    /// A plain request for an address.
    pub fn get(url: Url) -> Self {
        Self {
            method: Method::Get,
            url,
            body: Vec::new(),
        }
    }
}

/// What a page source answered, before anyone looked at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The page's own address, after redirects.
    pub url: Url,
    /// The HTTP status, or the one that a file source stands in with: 200 or 404.
    pub status: u16,
    /// The `Content-Type` header, where the source has one.
    pub content_type: Option<String>,
    /// The content, with transfer and content encodings undone.
    pub body: Vec<u8>,
    /// How many redirects were followed on the way: requests beside the one that was asked for.
    pub redirects: usize,
    /// What was odd about it: a body cut at a limit, a damaged record.
    pub problems: Vec<Problem>,
}

/// How a visit ended.
#[derive(Debug, Clone)]
pub enum Visit {
    /// The page, shared by whoever visits it again.
    Page(Arc<Page>),
    /// There is no such page: 404 and the like, or content that is no HTML. A dead link is no loss.
    Dead {
        /// Why, for a person.
        reason: String,
    },
    /// Robots or the scope of this crawl forbid it.
    Refused {
        /// Why, for a person.
        reason: String,
    },
    /// The site asks that no program follows the links that lead there: to leave it out is no loss.
    NotFollowed {
        /// Why, for a person.
        reason: String,
    },
    /// The page is there and could not be fetched: the result is partial.
    Failed {
        /// Why, for a person.
        reason: String,
    },
    /// A limit or an interrupt: wind up and return what you have.
    Stopped,
}

/// What an algorithm tells whoever watches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A part of the job begins: what is found from now on is counted from zero.
    Phase(Phase),
    /// This many of the things sought are found.
    Found(usize),
    /// This many of the things sought are thought to exist.
    Estimated(usize),
    /// At most this many pages are visited in this part of the job, as far as is known.
    Planned(usize),
    /// Pages like this one promise most now.
    Promising(Url),
    /// This page, visited lately or before, is one of the things sought, as far as is known by now. No
    /// page is told of that says what another says.
    Alike(Url),
}

/// The parts of a job that take time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The page classes of a site are looked for; they are what is found.
    Exploring,
    /// Pages like a sample are looked for; they are what is found.
    Searching,
    /// Pages are read; they are what is found.
    Reading,
    /// A specification is followed; rows are what is found.
    Following,
    /// How pages are read is learnt from what was fetched.
    Learning,
    /// Tables are written.
    Writing,
}

impl Phase {
    /// The phase in one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exploring => "exploring",
            Self::Searching => "searching",
            Self::Reading => "reading",
            Self::Following => "following",
            Self::Learning => "learning",
            Self::Writing => "writing",
        }
    }

    /// What is counted in this phase, one and several; `None` where nothing is.
    pub fn things(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Exploring => Some(("page class", "page classes")),
            Self::Searching | Self::Reading => Some(("page", "pages")),
            Self::Following => Some(("row", "rows")),
            Self::Learning | Self::Writing => None,
        }
    }
}

/// Why a page could not be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum VisitError {
    /// There is no such page.
    #[error("there is no page {url}: {reason}")]
    Dead {
        /// The address.
        url: Url,
        /// Why.
        reason: String,
    },
    /// Robots or the scope of the crawl forbid it.
    #[error("{url} may not be asked for: {reason}")]
    Refused {
        /// The address.
        url: Url,
        /// Why.
        reason: String,
    },
    /// It is there and could not be fetched.
    #[error("{url} could not be fetched: {reason}")]
    Failed {
        /// The address.
        url: Url,
        /// Why.
        reason: String,
    },
    /// A limit or an interrupt came first.
    #[error("{url} was not asked for: a limit was met, or somebody stopped it")]
    Stopped {
        /// The address.
        url: Url,
    },
}

/// Visits one page by its address.
pub fn visit_page(site: &mut dyn Site, url: &Url) -> Result<Arc<Page>, VisitError> {
    let url = url.clone();
    match site.visit(&[Request::get(url.clone())]).pop() {
        Some(Visit::Page(page)) => Ok(page),
        Some(Visit::Dead { reason }) => Err(VisitError::Dead { url, reason }),
        Some(Visit::Refused { reason } | Visit::NotFollowed { reason }) => Err(VisitError::Refused { url, reason }),
        Some(Visit::Failed { reason }) => Err(VisitError::Failed { url, reason }),
        Some(Visit::Stopped) | None => Err(VisitError::Stopped { url }),
    }
}
