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

use crate::{PageSource, SourceError, first_answer};

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
    /// How answers are parsed.
    pub parse_options: ParseOptions,
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
    fn answer(&mut self, request: &Request) -> Option<Answer> {
        let result = first_answer(&mut self.sources, request)?;
        let mut hasher = DefaultHasher::new();
        request.hash(&mut hasher);
        let is_new = self.asked.insert(hasher.finish());
        Some(Answer { result, is_new })
    }

    /// Counts an answer that was not asked for before, and what it was taken for.
    fn count(&mut self, answer: &Answer, visit: &Visit) {
        if !answer.is_new {
            return;
        }
        self.figures.downloads += 1;
        if let Ok(response) = &answer.result {
            self.figures.downloads += response.redirects;
            self.figures.bytes += response.body.len();
        }
        match (visit, &answer.result) {
            (Visit::Page(page), _) => {
                self.figures.pages += 1;
                self.figures.problems += page.problems.len();
            }
            (_, Ok(response)) => self.figures.problems += response.problems.len(),
            (_, Err(_)) => {}
        }
        self.figures.failures += usize::from(matches!(visit, Visit::Failed { .. }));
    }
}

/// What a source answered, and whether it was asked for the first time.
struct Answer {
    result: Result<Response, SourceError>,
    is_new: bool,
}

/// Why nothing answers for an address.
pub fn no_source(url: &Url) -> String {
    format!(
        "no page source stands for {url}; add --mirror URL=DIR or --warc FILE that does, or leave both out to fetch it"
    )
}

impl Site for SourceSite {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        let answers: Vec<Option<Answer>> = requests.iter().map(|request| self.answer(request)).collect();
        let parse_options = self.parse_options;
        let visits: Vec<Visit> = requests
            .par_iter()
            .zip(&answers)
            .map(|(request, answer)| match answer.as_ref().map(|answer| &answer.result) {
                Some(Ok(response)) => Visit::of(response, &parse_options),
                Some(Err(error)) => Visit::Failed {
                    reason: error.to_string(),
                },
                None => Visit::Refused {
                    reason: no_source(&request.url),
                },
            })
            .collect();
        for (answer, visit) in answers.iter().zip(&visits) {
            if let Some(answer) = answer {
                self.count(answer, visit);
            }
        }
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
                "/lost" => {
                    return Some(Err(SourceError::Timeout {
                        url,
                        limit: std::time::Duration::ZERO,
                    }));
                }
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
        let requests: Vec<Request> = ["/a", "/missing", "/broken", "/foreign", "/lost", "/a"]
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
        assert_eq!(kinds, ["page", "dead", "failed", "refused", "failed", "page"]);
        let Figures {
            downloads,
            pages,
            failures,
            ..
        } = site.figures;
        assert_eq!((downloads, pages, failures), (4, 1, 2));
    }
}
