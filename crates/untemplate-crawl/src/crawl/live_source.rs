//! The live web as a page source, through an archive: what is stored is answered from there, what
//! is not is fetched politely and stored before anyone looks at it.
//!
//! It has no opinion on which page is worth a visit, only on which may be asked for: robots.txt,
//! links that ask not to be followed, traps and stripped parameters are decided as in a crawl
//! (`follow_policy`). Requests come in batches, and are made as parallel as the hosts allow; each
//! hop of a redirect is a request of its own, with robots and the schedule asked again. Links are
//! noted in the archive on the way, so that a crawl of it can go on from there; the page that was
//! parsed for them is shared with whoever asked.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use untemplate::page::{Method, Page, ParseOptions, Request, Response};
use untemplate_store::archive::{
    Archive, ArchiveError, ArchiveOptions, ArchivePlace, Fate, NewRequest, host_name, stored_response,
};
use untemplate_store::{PageSource, RedirectTrail, SourceCounts, SourceError, StopControl, StopReason, UnixMillis};
use url::Url;

use super::busy_archive::BusyArchive;
use super::engine::Engine;
use super::follow_policy::FollowedLinks;
use super::options::{CrawlOptions, Progress};
use super::pending::Pending;
use super::report::CrawlError;
use crate::client::ExchangeError;
use crate::clock::now;
use crate::directive::headers_allow_following;

/// The least time between two words about progress.
const PROGRESS_MS: i64 = 500;

/// How the live web is asked.
pub struct LiveOptions {
    /// How requests are made. Its entry gives way to the first address that is asked for.
    pub crawl: CrawlOptions,
    /// Where the archive is, given the first address that is asked for.
    pub archive: Box<dyn Fn(&Url) -> ArchivePlace + Send>,
    /// Stored pages that were last checked more than this many milliseconds ago are asked for
    /// again; only what changed is sent.
    pub refresh_ms: Option<i64>,
    /// Redirects that are followed.
    pub redirects_max: usize,
    /// Is told how far it is.
    pub watch: Box<dyn FnMut(&Progress) + Send>,
}

/// The live web, through an archive.
pub struct LiveSource {
    options: LiveOptions,
    control: StopControl,
    open: Option<Open>,
    /// The archive, where another process writes to it.
    busy: Option<BusyArchive>,
    told: UnixMillis,
    counts: SourceCounts,
    links: FollowedLinks,
    /// Pages whose `X-Robots-Tag` headers ask that none of their links is followed.
    nofollow_pages: HashSet<Url>,
    /// The pages of the last answers that were parsed while they were fetched.
    parsed: HashMap<Request, Arc<Page>>,
    /// Whether the archive took no more, so that nothing is fetched.
    is_broken: bool,
}

/// The archive and the engine, once something was asked for.
struct Open {
    archive: Box<dyn Archive>,
    engine: Engine,
    /// Requests that were asked for in this run: what is known of them is no news.
    asked: HashSet<Request>,
}

impl LiveSource {
    /// The live web; nothing is opened or asked before the first request.
    pub fn new(options: LiveOptions, control: &StopControl) -> Self {
        Self {
            options,
            control: control.clone(),
            open: None,
            busy: None,
            told: UnixMillis(0),
            counts: SourceCounts::default(),
            links: FollowedLinks::default(),
            nofollow_pages: HashSet::new(),
            parsed: HashMap::new(),
            is_broken: false,
        }
    }

    /// A request as it is made and stored: without the parameters that are stripped from links,
    /// too.
    fn stripped(&self, request: &Request) -> Request {
        let mut request = request.clone();
        if request.method == Method::Get {
            request.url = self.options.crawl.url_rules.strip(request.url);
        }
        request
    }

    fn open(&mut self, entry: &Url) -> Result<&mut Open, CrawlError> {
        if self.open.is_none() {
            self.links.permit(entry, &self.options.crawl.url_rules);
            let place = (self.options.archive)(entry);
            self.open = Some(self.opened(&place, entry)?);
        }
        Ok(self.open.as_mut().expect("it was opened just now"))
    }

    fn opened(&self, place: &ArchivePlace, entry: &Url) -> Result<Open, CrawlError> {
        let mut crawl = self.options.crawl.clone();
        crawl.entry = entry.clone();
        crawl.client.home = Some(entry.clone());
        let archive_options = ArchiveOptions {
            host_delay_ms: crawl.schedule.delay_ms,
            ..ArchiveOptions::default()
        };
        let mut archive = place.open(&archive_options, now())?;
        if let Some(age_ms) = self.options.refresh_ms {
            archive.refresh(now() - age_ms)?;
        }
        let mut engine = Engine::start(&mut *archive, crawl, &self.control)?;
        engine.pages = Some(HashMap::new());
        engine.renew_hosts(&mut *archive)?;
        Ok(Open {
            engine,
            archive,
            asked: HashSet::new(),
        })
    }

    /// Answers requests as long as the archive takes what they bring. A disk that is full ends the
    /// run, and what it said: claims that could not be committed stay open, and would be waited for
    /// without an end.
    fn answer_while_whole(&mut self, requests: &[Request]) -> Result<Vec<Result<Response, SourceError>>, CrawlError> {
        if !self.is_broken {
            let answers = self.answer_all(requests);
            let Err(CrawlError::Archive(
                error @ (ArchiveError::DiskFull { .. } | ArchiveError::File { .. } | ArchiveError::Database { .. }),
            )) = &answers
            else {
                return answers;
            };
            if self.open.is_none() {
                return answers;
            }
            self.is_broken = true;
            self.counts.stopped_because = Some(StopReason::silent(error.to_string()));
        }
        Ok(requests.iter().map(|_| Err(SourceError::Stopped)).collect())
    }

    /// Answers requests, round by round: in each one, the next hop of every redirect.
    fn answer_all(&mut self, requests: &[Request]) -> Result<Vec<Result<Response, SourceError>>, CrawlError> {
        let redirects_max = self.options.redirects_max;
        let Some(first) = requests.first() else {
            return Ok(Vec::new());
        };
        if self.is_busy(&first.url)? {
            return self.answer_busy(requests);
        }
        let mut trails: Vec<RedirectTrail> = requests
            .iter()
            .map(|request| RedirectTrail::begin(request, redirects_max))
            .collect();
        let mut answers: Vec<Option<Result<Response, SourceError>>> = requests.iter().map(|_| None).collect();
        loop {
            let (mut missing, mut seen) = (Vec::new(), HashSet::new());
            for ((trail, answer), request) in trails.iter_mut().zip(&mut answers).zip(requests) {
                if answer.is_none() {
                    *answer = self.stored(trail)?;
                    self.take_page(request, trail.current());
                }
                if answer.is_none() {
                    *answer = self.elsewhere(trail.current());
                }
                // Where a redirect leads is the site's own choice.
                if answer.is_none() && trail.redirects() == 0 {
                    *answer = self.objection(trail.current())?;
                }
                if answer.is_none() && seen.insert(trail.current().clone()) {
                    missing.push(trail.current().clone());
                }
            }
            if missing.is_empty() {
                break;
            }
            self.fetch(&missing)?;
            for (trail, answer) in trails.iter().zip(&mut answers) {
                if answer.is_none() {
                    *answer = self.refused(trail.current())?;
                }
            }
        }
        Ok(answers.into_iter().flatten().collect())
    }

    /// Opens the archive; whether another process writes to it, so that it can be read and no more.
    fn is_busy(&mut self, entry: &Url) -> Result<bool, CrawlError> {
        if self.busy.is_some() {
            return Ok(true);
        }
        match self.open(entry) {
            Err(CrawlError::Archive(lock @ ArchiveError::InUse { .. })) => {
                let ArchivePlace::Folder(folder) = (self.options.archive)(entry) else {
                    return Err(lock.into());
                };
                self.busy = Some(BusyArchive::open(&folder, &lock)?);
                Ok(true)
            }
            opened => opened.map(|_| false),
        }
    }

    /// Answers requests from an archive that another process writes to.
    fn answer_busy(&mut self, requests: &[Request]) -> Result<Vec<Result<Response, SourceError>>, CrawlError> {
        let busy = self.busy.as_mut().expect("it is busy");
        let mut answers = Vec::with_capacity(requests.len());
        for request in requests {
            let (answer, is_first) = busy.answer(request, self.options.redirects_max)?;
            self.counts.reused += usize::from(is_first);
            answers.push(answer);
        }
        Ok(answers)
    }

    /// Keeps the page that a request led to, where it was parsed just now.
    fn take_page(&mut self, request: &Request, last: &Request) {
        let pages = self.open.as_mut().and_then(|open| open.engine.pages.as_mut());
        if let Some(page) = pages.and_then(|pages| pages.remove(last)) {
            self.parsed.insert(request.clone(), page);
        }
    }

    /// The refusal of a request to another origin than the only one that may be asked. Each hop of
    /// a redirect comes by here before anything, robots.txt included, is asked for.
    fn elsewhere(&self, request: &Request) -> Option<Result<Response, SourceError>> {
        let home = self.options.crawl.client.only_origin.as_ref()?.origin();
        let refusal = || ExchangeError::OtherOrigin {
            url: request.url.clone(),
            home: home.ascii_serialization(),
        };
        let is_elsewhere = request.url.origin() != home;
        is_elsewhere.then(|| {
            Err(SourceError::Refused {
                reason: refusal().to_string(),
            })
        })
    }

    /// What the policy has against a request that is not stored, if anything. Pages that a link
    /// leads to which may be followed are in the archive's frontier, also from earlier runs.
    fn objection(&mut self, request: &Request) -> Result<Option<Result<Response, SourceError>>, CrawlError> {
        let open = self.open.as_mut().expect("it is open while it answers");
        if request.method != Method::Get || open.asked.contains(request) {
            return Ok(None);
        }
        let unfollowed = self.links.objection_to(&request.url, &self.options.crawl.url_rules);
        let reason = match unfollowed {
            Some(reason) if open.archive.fate(request)?.is_none() => Some(reason),
            _ => open.engine.links.objection_to(&request.url),
        };
        Ok(reason.map(|reason| Err(SourceError::NotFollowed { reason })))
    }

    /// The stored answer at the end of a trail, as far as it is stored; `None` when its next hop is
    /// not.
    fn stored(&mut self, trail: &mut RedirectTrail) -> Result<Option<Result<Response, SourceError>>, CrawlError> {
        let open = self.open.as_mut().expect("it is open while it answers");
        loop {
            let request = trail.current();
            if open.archive.fate(request)? != Some(Fate::Done) {
                return Ok(None);
            }
            let Some(page) = open.archive.page(request)? else {
                return Ok(None);
            };
            if open.asked.insert(request.clone()) {
                self.counts.reused += 1;
            }
            match trail.follow(page.status, page.header("location")) {
                Ok(true) => {}
                Err(error) => return Ok(Some(Err(error))),
                Ok(false) => {
                    let named = |(name, _): &&(String, String)| name.eq_ignore_ascii_case("x-robots-tag");
                    let tags = page.headers.iter().filter(named).map(|(_, value)| value.as_str());
                    let tags: Vec<&str> = tags.collect();
                    if !headers_allow_following(&tags, &self.options.crawl.agent) {
                        self.nofollow_pages.insert(page.request.url.clone());
                    }
                    let response = stored_response(&mut *open.archive, &page)?;
                    let redirects = trail.redirects();
                    return Ok(Some(Ok(Response { redirects, ..response })));
                }
            }
        }
    }

    /// Why a request that was to be fetched was not, if it was not.
    fn refused(&mut self, request: &Request) -> Result<Option<Result<Response, SourceError>>, CrawlError> {
        let open = self.open.as_mut().expect("it is open while it answers");
        Ok(match open.archive.fate(request)? {
            Some(Fate::Done) if open.archive.page(request)?.is_some() => None,
            Some(Fate::Done) => Some(Err(SourceError::Failed {
                reason: format!(
                    "{} is done and not in the archive; crawl into another folder",
                    request.url
                ),
            })),
            Some(Fate::Failed { reason }) => Some(Err(SourceError::Failed { reason })),
            Some(Fate::Skipped { reason }) => Some(Err(SourceError::Refused { reason })),
            Some(Fate::Waiting | Fate::Open) | None => {
                let host = host_name(&request.url);
                let given_up = open.engine.given_up().remove(&host);
                // Without the host that was asked for there is nothing to go on with; others are a
                // loss each.
                let is_home = host == host_name(&open.engine.options.entry);
                Some(Err(match given_up.filter(|_| !is_home) {
                    Some(reason) => SourceError::Failed { reason },
                    None => SourceError::Stopped,
                }))
            }
        })
    }

    /// Fetches requests, until each is done or something cuts it short.
    fn fetch(&mut self, requests: &[Request]) -> Result<(), CrawlError> {
        let open = self.open.as_mut().expect("it is open while it fetches");
        let wanted: Vec<NewRequest> = requests
            .iter()
            .filter(|request| open.asked.insert((*request).clone()))
            .map(|request| NewRequest {
                request: request.clone(),
                priority: 0.0,
                depth: 0,
                found_on: None,
            })
            .collect();
        open.archive.want(&wanted, now())?;
        let mut pending = Pending::new(wanted, &mut *open.archive)?;
        while !pending.is_empty() || open.engine.open > 0 {
            let stop = open.engine.limit().or_else(|| pending.give_up(&open.engine));
            if stop.is_some() && (open.engine.open == 0 || self.control.is_stopping_now()) {
                self.counts.stopped_because = stop;
                break;
            }
            let options = open.engine.claim_options();
            if stop.is_none() && options.claims_max > 0 {
                let claims = open.archive.claim_of(&pending.next(), now(), &options)?;
                pending.claimed(claims.iter().map(|claim| (claim.id, claim.request.clone())));
                open.engine.set_to_work(&mut *open.archive, claims)?;
            }
            open.engine.wait(pending.nap(&mut *open.archive)?);
            open.engine.commit(&mut *open.archive)?;
            pending.settle(&mut *open.archive)?;
            pending.look(&mut *open.archive)?;
            if now().since(self.told) >= PROGRESS_MS {
                self.told = now();
                (self.options.watch)(&pending.progress(&open.engine));
            }
        }
        self.counts.stopped_because = self.counts.stopped_because.or(pending.silence);
        self.counts.downloads = usize::try_from(open.engine.report.requests).unwrap_or(usize::MAX);
        self.counts.bytes = usize::try_from(open.engine.report.bytes).unwrap_or(usize::MAX);
        Ok(())
    }
}

impl PageSource for LiveSource {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        self.answers(std::slice::from_ref(request)).pop().flatten()
    }

    fn answers(&mut self, requests: &[Request]) -> Vec<Option<Result<Response, SourceError>>> {
        self.parsed.clear();
        if let Some(pages) = self.open.as_mut().and_then(|open| open.engine.pages.as_mut()) {
            pages.clear();
        }
        let is_web = |request: &&Request| matches!(request.url.scheme(), "http" | "https");
        let ours = requests.iter().filter(is_web);
        let ours: Vec<Request> = ours.map(|request| self.stripped(request)).collect();
        let mut answers = match self.answer_while_whole(&ours) {
            Ok(answers) => answers.into_iter(),
            Err(error) => {
                let reason = error.to_string();
                let failed = |_| Err(SourceError::Failed { reason: reason.clone() });
                ours.iter().map(failed).collect::<Vec<_>>().into_iter()
            }
        };
        let answer = |request: &Request| is_web(&request).then(|| answers.next().expect("an answer to each"));
        requests.iter().map(answer).collect()
    }

    fn parsed(&mut self, request: &Request, options: &ParseOptions) -> Option<Arc<Page>> {
        let is_same = *options == self.options.crawl.parse;
        let request = self.stripped(request);
        self.parsed.get(&request).filter(|_| is_same).cloned()
    }

    fn observe(&mut self, page: &Page) {
        if self.options.crawl.obeys_robots {
            let may_follow = !self.nofollow_pages.contains(&page.url);
            self.links.observe(page, may_follow, &self.options.crawl);
        }
    }

    fn permit(&mut self, url: &Url) {
        self.links.permit(url, &self.options.crawl.url_rules);
    }

    fn named_sitemaps(&mut self, around: &Url) -> Option<Vec<String>> {
        let open = self.open.as_mut()?;
        let memory = open.engine.memory(&mut *open.archive, &host_name(around)).ok()?;
        Some(memory.robots?.copy.as_ref()?.sitemaps().to_vec())
    }

    fn seen_at(&mut self, url: &Url) -> Option<UnixMillis> {
        let request = self.stripped(&Request::get(url.clone()));
        if let Some(busy) = &mut self.busy {
            return busy.seen_at(&request.url);
        }
        let page = self.open.as_mut()?.archive.page(&request).ok()??;
        Some(page.checked_at)
    }

    fn counts(&self) -> Option<SourceCounts> {
        Some(self.counts)
    }
}

impl Drop for LiveSource {
    fn drop(&mut self) {
        if let Some(mut open) = self.open.take() {
            // What is not kept now is learnt again; there is nobody left to tell.
            let _ = open.engine.end(&mut *open.archive);
        }
    }
}
