//! A site made of page sources: the library's [`Site`], over mirrors, WARC files or the live web.
//!
//! It asks the sources in turn, parses what they answer on all cores, and counts. It keeps no page: whoever asks
//! holds it.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use rayon::prelude::*;
use untemplate::page::{Event, ParseOptions, Request, Response, Site, Visit};
use url::Url;

use crate::{PageSource, SourceError};

/// What was asked of the sources so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Figures {
    /// Distinct requests put to a source, failures included.
    pub downloads: usize,
    /// Bytes of content they answered with.
    pub bytes: usize,
    /// Answers that were pages.
    pub pages: usize,
    /// Problems met on those pages.
    pub problems: usize,
    /// Pages that are there and could not be had.
    pub failures: usize,
}

/// A site that page sources answer for.
pub struct SourceSite {
    sources: Vec<Box<dyn PageSource>>,
    parse_options: ParseOptions,
    /// The hashes of all requests so far: a set of pages seen would grow with them.
    asked: HashSet<u64>,
    watch: Box<dyn FnMut(&Event)>,
    /// What was asked so far.
    pub figures: Figures,
}

impl SourceSite {
    /// A site over sources, which are asked in this order.
    pub fn new(sources: Vec<Box<dyn PageSource>>, parse_options: ParseOptions) -> Self {
        let watch = Box::new(|_: &Event| {});
        Self {
            sources,
            parse_options,
            asked: HashSet::new(),
            watch,
            figures: Figures::default(),
        }
    }

    /// Lets somebody watch the events that algorithms tell of.
    pub fn watched_by(mut self, watch: impl FnMut(&Event) + 'static) -> Self {
        self.watch = Box::new(watch);
        self
    }

    /// The raw answer to a request; `None` when no source stands for its address.
    pub fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        let answer = self.sources.iter_mut().find_map(|source| source.answer(request))?;
        let mut hasher = DefaultHasher::new();
        request.hash(&mut hasher);
        if self.asked.insert(hasher.finish()) {
            self.figures.downloads += 1;
        }
        match &answer {
            Ok(response) => self.figures.bytes += response.body.len(),
            Err(_) => self.figures.failures += 1,
        }
        Some(answer)
    }

    fn count(&mut self, visit: &Visit) {
        match visit {
            Visit::Page(page) => {
                self.figures.pages += 1;
                self.figures.problems += page.problems.len();
            }
            Visit::Failed { .. } => self.figures.failures += 1,
            Visit::Dead { .. } | Visit::Refused { .. } | Visit::Stopped => {}
        }
    }
}

/// Why nothing answers for an address.
pub fn no_source(url: &Url) -> String {
    format!(
        "no page source stands for {url}; add --mirror URL=DIR or --warc FILE that does, or leave both out to fetch it"
    )
}

impl Site for SourceSite {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        let answers: Vec<_> = requests
            .iter()
            .map(|request| (&request.url, self.answer(request)))
            .collect();
        let parse_options = self.parse_options;
        let visits: Vec<Visit> = answers
            .into_par_iter()
            .map(|(url, answer)| match answer {
                Some(Ok(response)) => Visit::of(&response, &parse_options),
                Some(Err(error)) => Visit::Failed {
                    reason: error.to_string(),
                },
                None => Visit::Refused { reason: no_source(url) },
            })
            .collect();
        visits.iter().for_each(|visit| self.count(visit));
        visits
    }

    fn note(&mut self, event: Event) {
        (self.watch)(&event);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fake;

    impl PageSource for Fake {
        fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
            let url = request.url.clone();
            let status = match url.path() {
                "/missing" => 404,
                "/broken" => 503,
                "/foreign" => return None,
                _ => 200,
            };
            Some(Ok(Response {
                status,
                ..Response::html(url, "<p>Hello")
            }))
        }
    }

    #[test]
    fn visits_come_back_in_request_order_and_are_counted_once() {
        let mut site = SourceSite::new(vec![Box::new(Fake)], ParseOptions::default());
        let requests: Vec<Request> = ["/a", "/missing", "/broken", "/foreign", "/a"]
            .iter()
            .map(|path| Request::get(Url::parse(&format!("http://site.example{path}")).expect("a good address")))
            .collect();
        let kinds: Vec<&str> = site
            .visit(&requests)
            .iter()
            .map(|visit| match visit {
                Visit::Page(_) => "page",
                Visit::Dead { .. } => "dead",
                Visit::Failed { .. } => "failed",
                Visit::Refused { .. } => "refused",
                Visit::Stopped => "stopped",
            })
            .collect();
        assert_eq!(kinds, ["page", "dead", "failed", "refused", "page"]);
        let Figures {
            downloads,
            pages,
            failures,
            ..
        } = site.figures;
        assert_eq!((downloads, pages, failures), (3, 2, 1));
    }
}
