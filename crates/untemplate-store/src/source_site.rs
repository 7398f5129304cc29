//! A site made of page sources: the library's [`Site`], over mirrors, WARC files or the live web.
//!
//! It asks the sources in turn, parses on all cores what they answer and did not parse themselves,
//! and counts. It keeps no page: whoever asks holds it.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

use rayon::prelude::*;
use untemplate::page::{Bounds, Event, Page, ParseOptions, Request, Response, Site, Visit};
use url::Url;

use crate::{LinkDepths, PageSource, SourceCounts, SourceError, StopControl, StopReason, UnixMillis, date_of};

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
    /// Pages that are there and could not be fetched.
    pub failures: usize,
    /// Distinct requests that an archive answered instead of a source.
    pub reused: usize,
    /// Why no more requests are made, if so.
    pub stopped_because: Option<StopReason>,
}

/// What a site may be asked for in one run; `None` is without limit. The live web keeps to limits
/// of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SiteLimits {
    /// Distinct requests.
    pub pages_max: Option<u64>,
    /// Bytes of content.
    pub bytes_max: Option<u64>,
    /// Milliseconds from the first request on.
    pub time_max_ms: Option<i64>,
}

/// Requests that are made between two looks at the limits, where there are any.
const LIMITED_REQUESTS: usize = 16;

/// Who is told what happens, with the figures so far.
type Watch = dyn FnMut(&Event, &Figures);

/// A site that page sources answer for.
pub struct SourceSite {
    sources: Vec<Box<dyn PageSource>>,
    /// What the sources had counted themselves when they were last asked.
    counted: Vec<SourceCounts>,
    /// How answers are parsed.
    pub parse_options: ParseOptions,
    /// The hashes of all requests so far: a set of pages seen would grow with them.
    asked: HashSet<u64>,
    watch: Box<Watch>,
    /// What may be asked.
    pub limits: SiteLimits,
    /// What is left out, if anything is.
    pub bounds: Option<Arc<Bounds>>,
    /// The hashes of addresses beyond the bounds that requests within them led to.
    led_to: HashSet<u64>,
    /// How many links in a row are followed, if not all.
    pub depths: Option<LinkDepths>,
    /// Once it says stop, every visit is [`Visit::Stopped`], whether or not a download would be
    /// needed: an algorithm that reads stored pages ends as soon as one that fetches.
    pub stop: StopControl,
    began: Option<Instant>,
    /// Why pages may be missing, as far as it was known before anything was asked.
    pub losses: Vec<String>,
    /// What was asked so far.
    pub figures: Figures,
}

impl SourceSite {
    /// A site over sources, which are asked in this order.
    pub fn new(sources: Vec<Box<dyn PageSource>>, parse_options: ParseOptions) -> Self {
        let watch = Box::new(|_: &Event, _: &Figures| {});
        let counted = vec![SourceCounts::default(); sources.len()];
        let losses = sources.iter().flat_map(|source| source.losses()).collect();
        Self {
            sources,
            counted,
            parse_options,
            asked: HashSet::new(),
            watch,
            limits: SiteLimits::default(),
            bounds: None,
            led_to: HashSet::new(),
            depths: None,
            stop: StopControl::default(),
            began: None,
            losses,
            figures: Figures::default(),
        }
    }

    /// Lets somebody watch the events that algorithms tell of, with what was asked of the sources
    /// by then.
    pub fn watched_by(mut self, watch: impl FnMut(&Event, &Figures) + 'static) -> Self {
        self.watch = Box::new(watch);
        self
    }

    /// The answer to a request that is for no page: a sitemap, a robots.txt. It is counted like any
    /// other.
    pub fn read(&mut self, request: &Request) -> Option<Response> {
        let answer = self.answers(std::slice::from_ref(request)).pop()??;
        let visit = Visit::Dead { reason: String::new() };
        self.count(&answer, &visit);
        answer.result.ok().filter(|response| response.status == 200)
    }

    /// Lets an address be asked for whatever links say of it: a person named it.
    pub fn permit(&mut self, url: &Url) {
        if let Some(depths) = &mut self.depths {
            depths.start(url);
        }
        for source in &mut self.sources {
            source.permit(url);
        }
    }

    /// The sitemaps that the robots.txt of an address's host names, where a source has read it for
    /// itself.
    pub fn named_sitemaps(&mut self, around: &Url) -> Option<Vec<String>> {
        self.sources.iter_mut().find_map(|source| source.named_sitemaps(around))
    }

    /// When the page at an address was last seen, in words that sort, where a source knows.
    pub fn seen_at(&mut self, url: &Url) -> Option<String> {
        let seen = self.sources.iter_mut().find_map(|source| source.seen_at(url))?;
        Some(moment_text(seen))
    }

    /// The raw answers to requests; `None` where no source stands for the address. Of several
    /// sources that stand for one, the first one that has it counts.
    fn answers(&mut self, requests: &[Request]) -> Vec<Option<Answer>> {
        let mut answers: Vec<Option<Answer>> = requests.iter().map(|_| None).collect();
        for (index, source) in self.sources.iter_mut().enumerate() {
            let is_open = |answer: &Option<Answer>| answer.as_ref().is_none_or(Answer::is_missing);
            let open: Vec<usize> = (0..requests.len()).filter(|at| is_open(&answers[*at])).collect();
            let asked: Vec<Request> = open.iter().map(|at| requests[*at].clone()).collect();
            for (at, result) in open.into_iter().zip(source.answers(&asked)) {
                let Some(result) = result else { continue };
                let answer = Answer {
                    result,
                    source: index,
                    is_new: false,
                    page: None,
                };
                if answers[at].is_none() || !answer.is_missing() {
                    answers[at] = Some(answer);
                }
            }
        }
        for (request, answer) in requests.iter().zip(&mut answers) {
            if let Some(answer) = answer {
                answer.is_new = self.asked.insert(hash_of(request));
                answer.page = self.sources[answer.source].parsed(request, &self.parse_options);
            }
        }
        answers
    }

    /// Counts an answer that was not asked for before, and what it was taken for.
    fn count(&mut self, answer: &Answer, visit: &Visit) {
        if !answer.is_new {
            return;
        }
        // A source that counts itself knows what came from an archive, and which requests were made
        // beside this one.
        if self.sources[answer.source].counts().is_none() {
            self.figures.downloads += 1;
            if let Ok(response) = &answer.result {
                self.figures.downloads += response.redirects;
                self.figures.bytes += response.body.len();
            }
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

impl SourceSite {
    /// Adds what sources have counted themselves since the last time.
    fn take_counts(&mut self) {
        for (source, known) in self.sources.iter().zip(&mut self.counted) {
            let Some(counts) = source.counts() else { continue };
            self.figures.downloads += counts.downloads - known.downloads;
            self.figures.bytes += counts.bytes - known.bytes;
            self.figures.reused += counts.reused - known.reused;
            self.figures.stopped_because = self.figures.stopped_because.or(counts.stopped_because);
            *known = counts;
        }
    }
}

/// A moment as `2004-06-25T18:00:00Z`.
pub fn moment_text(moment: UnixMillis) -> String {
    let seconds = moment.0.div_euclid(1_000);
    let (days, rest) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date_of(days);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The hash of a request: a set of requests would grow with their texts.
fn hash_of(request: &Request) -> u64 {
    let mut hasher = DefaultHasher::new();
    request.hash(&mut hasher);
    hasher.finish()
}

/// What a source answered.
struct Answer {
    result: Result<Response, SourceError>,
    /// Which source it was.
    source: usize,
    /// Whether it was asked for the first time.
    is_new: bool,
    /// The page it was parsed to already, if it was.
    page: Option<Arc<Page>>,
}

impl Answer {
    /// Whether the source says that there is no such page.
    fn is_missing(&self) -> bool {
        matches!(&self.result, Ok(response) if response.status == 404)
    }

    fn visit(&self, parse_options: &ParseOptions) -> Visit {
        match &self.result {
            Ok(response) => match response.problems.iter().find(|problem| problem.kind == SOFT_404) {
                Some(problem) => Visit::Dead {
                    reason: problem.message.clone(),
                },
                None => match &self.page {
                    Some(page) if (200..300).contains(&response.status) && response.is_html() => {
                        Visit::Page(Arc::clone(page))
                    }
                    _ => Visit::of(response, parse_options),
                },
            },
            Err(SourceError::Refused { reason }) => Visit::Refused { reason: reason.clone() },
            Err(SourceError::NotFollowed { reason }) => Visit::NotFollowed { reason: reason.clone() },
            Err(SourceError::Stopped) => Visit::Stopped,
            Err(error) => Visit::Failed {
                reason: error.to_string(),
            },
        }
    }
}

/// The kind of the problem that an answer has which says "not found" with a status that says
/// otherwise.
pub const SOFT_404: &str = "soft 404";

/// Why nothing answers for an address.
pub fn no_source(url: &Url) -> String {
    format!(
        "no page source stands for {url}; add --mirror URL=DIR or --warc FILE that does, or leave both out to fetch it"
    )
}

impl SourceSite {
    /// The limit that has been reached, if one has.
    fn reached_limit(&mut self) -> Option<StopReason> {
        let began = *self.began.get_or_insert_with(Instant::now);
        let SiteLimits {
            pages_max,
            bytes_max,
            time_max_ms,
        } = self.limits;
        let pages = pages_max.filter(|&most| self.figures.downloads as u64 >= most);
        let bytes = bytes_max.filter(|&most| self.figures.bytes as u64 >= most);
        let time = time_max_ms.filter(|&most| began.elapsed().as_millis() as i64 >= most);
        let reason = pages.map(StopReason::Pages);
        reason.or(bytes.map(StopReason::Bytes)).or(time.map(StopReason::Time))
    }

    /// Makes requests while the limits allow it; what is left is stopped.
    fn visit_within_limits(&mut self, requests: &[Request]) -> Vec<Visit> {
        let mut visits = Vec::with_capacity(requests.len());
        while visits.len() < requests.len() {
            if let Some(reason) = self.reached_limit() {
                visits.extend(self.visit_known(&requests[visits.len()..], reason));
                break;
            }
            let left = self
                .limits
                .pages_max
                .map_or(usize::MAX, |most| most as usize - self.figures.downloads);
            let rest = &requests[visits.len()..];
            let chunk = &rest[..rest.len().min(LIMITED_REQUESTS).min(left)];
            visits.extend(self.visit_all(chunk));
        }
        visits
    }

    /// Makes requests again that were made before, which costs no download; others are stopped.
    /// Time that is up stops all.
    fn visit_known(&mut self, requests: &[Request], reason: StopReason) -> Vec<Visit> {
        let is_over = matches!(reason, StopReason::Time(_));
        let mut visits = Vec::with_capacity(requests.len());
        for request in requests {
            if is_over || !self.asked.contains(&hash_of(request)) {
                self.figures.stopped_because = self.figures.stopped_because.or(Some(reason));
                visits.push(Visit::Stopped);
            } else {
                visits.extend(self.visit_all(std::slice::from_ref(request)));
            }
        }
        visits
    }

    fn visit_all(&mut self, requests: &[Request]) -> Vec<Visit> {
        if self.stop.is_stopping() {
            self.figures.stopped_because = self.figures.stopped_because.or(Some(StopReason::Interrupted));
            return requests.iter().map(|_| Visit::Stopped).collect();
        }
        let objections: Vec<Option<String>> = requests.iter().map(|request| self.objection(&request.url)).collect();
        let asked = requests.iter().zip(&objections).filter(|(_, why)| why.is_none());
        let asked: Vec<Request> = asked.map(|(request, _)| request.clone()).collect();
        let mut had = self.visit_wanted(&asked).into_iter();
        let visit = |why: Option<String>| match why {
            Some(reason) => Visit::NotFollowed { reason },
            None => had.next().expect("an answer to each"),
        };
        objections.into_iter().map(visit).collect()
    }

    /// Why an address is left out, if somebody said so.
    fn objection(&self, url: &Url) -> Option<String> {
        if self.is_beyond(url) && !self.led_to.contains(&hash_of(&Request::get(url.clone()))) {
            return Some(format!("{url} is left out by --include, --exclude or --below"));
        }
        let is_deep = self.depths.as_ref().is_some_and(|depths| !depths.is_within(url));
        is_deep.then(|| format!("{url} is left out by --depth"))
    }

    fn is_beyond(&self, url: &Url) -> bool {
        self.bounds.as_ref().is_some_and(|bounds| !bounds.contains(url))
    }

    fn visit_wanted(&mut self, requests: &[Request]) -> Vec<Visit> {
        let answers = self.answers(requests);
        let parse_options = self.parse_options;
        let visits: Vec<Visit> = requests
            .par_iter()
            .zip(&answers)
            .map(|(request, answer)| match answer {
                Some(answer) => answer.visit(&parse_options),
                None => Visit::Refused {
                    reason: no_source(&request.url),
                },
            })
            .collect();
        for ((answer, visit), request) in answers.iter().zip(&visits).zip(requests) {
            if let Some(answer) = answer {
                self.count(answer, visit);
                if let Visit::Page(page) = visit {
                    if self.is_beyond(&page.url) {
                        self.led_to.insert(hash_of(&Request::get(page.url.clone())));
                    }
                    if let Some(depths) = &mut self.depths {
                        depths.take(&request.url, page);
                    }
                    self.sources[answer.source].observe(page);
                }
            }
        }
        self.take_counts();
        visits
    }
}

impl Site for SourceSite {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        if self.limits == SiteLimits::default() {
            self.visit_all(requests)
        } else {
            self.visit_within_limits(requests)
        }
    }

    fn note(&mut self, event: Event) {
        (self.watch)(&event, &self.figures);
    }
}

#[cfg(test)]
mod tests;
