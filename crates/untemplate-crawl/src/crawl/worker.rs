//! One claim, worked: robots first, then the request, then what its answer means. It decides nothing about when.

use std::sync::Arc;
use std::time::Duration;

use untemplate::page::{Page, Request, Response, links, normalise};
use untemplate_store::UnixMillis;
use untemplate_store::archive::{Claim, ClaimResult, NewPage};
use url::Url;

use super::host_memory::HostMemory;
use super::options::CrawlOptions;
use crate::client::{Answer, Client, ContentKind, ExchangeError, ExchangeOptions, read_retry_after};
use crate::clock::now;
use crate::directive::{directives, followed_links};
use crate::robots::{Permission, RobotsFetch, RobotsState};
use crate::schedule::HostEvent;
use crate::sitemap::{SitemapLimits, read_sitemap};
use crate::trap::PageFacts;

/// Redirects of robots.txt that are followed, as the RFC asks for at least.
const ROBOTS_REDIRECTS_MAX: usize = 5;

/// How often a host that never answered is tried: a name that was mistyped is told within seconds.
const FIRST_ATTEMPTS_MAX: u32 = 3;

/// What came of a claim.
pub(super) struct Worked {
    pub(super) claim: Claim,
    pub(super) result: ClaimResult,
    /// Where the page leads, links or the target of its redirect, before anyone asked whether that is in scope.
    pub(super) links: Vec<Url>,
    /// What the trap guard wants to know, of a page.
    pub(super) facts: Option<PageFacts>,
    pub(super) memory: HostMemory,
    pub(super) n_requests: u64,
    /// Wishes of the host that were not honoured in full.
    pub(super) notes: Vec<String>,
}

/// Works a claim to its end.
pub(super) async fn work(claim: Claim, memory: HostMemory, client: Client, options: Arc<CrawlOptions>) -> Worked {
    let mut worker = Worker {
        client,
        options,
        memory,
        n_requests: 0,
        notes: Vec::new(),
        sitemaps: Vec::new(),
        robots_error: None,
    };
    let (result, mut links, facts) = worker.result(&claim).await;
    links.append(&mut worker.sitemaps);
    Worked {
        claim,
        result,
        links,
        facts,
        memory: worker.memory,
        n_requests: worker.n_requests,
        notes: worker.notes,
    }
}

struct Worker {
    client: Client,
    options: Arc<CrawlOptions>,
    memory: HostMemory,
    n_requests: u64,
    notes: Vec<String>,
    /// Sitemaps that robots.txt names, when it was just read.
    sitemaps: Vec<Url>,
    /// Why robots.txt could not be had just now.
    robots_error: Option<String>,
}

type Found = (ClaimResult, Vec<Url>, Option<PageFacts>);

impl Worker {
    async fn result(&mut self, claim: &Claim) -> Found {
        if self.options.obeys_robots
            && let Some(refused) = self.refusal(claim).await
        {
            return (refused, Vec::new(), None);
        }
        let validators = claim.validators.clone().unwrap_or_default();
        let extra = ExchangeOptions {
            etag: validators.etag,
            last_modified: validators.last_modified,
            referer: None,
        };
        match self.exchange(&claim.request, &extra).await {
            Ok(answer) => self.answered(claim, answer).await,
            Err(error) if error.may_pass() && claim.attempt < self.options.attempts_max => {
                let due = self.memory.schedule.due_at;
                (ClaimResult::Retry { due }, Vec::new(), None)
            }
            Err(error) => {
                let reason = error.to_string();
                (ClaimResult::Failed { reason }, Vec::new(), None)
            }
        }
    }

    /// What robots.txt has against the request, asked for anew where its copy is old.
    async fn refusal(&mut self, claim: &Claim) -> Option<ClaimResult> {
        if self.memory.robots.as_ref().is_none_or(|robots| robots.is_due(now())) {
            self.fetch_robots(&claim.request.url).await;
            let pause = self.memory.schedule.due_at.since(now());
            tokio::time::sleep(Duration::from_millis(u64::try_from(pause).unwrap_or(0))).await;
        }
        let url = &claim.request.url;
        let path_and_query = &url[url::Position::BeforePath..url::Position::AfterQuery];
        match self
            .memory
            .robots
            .as_ref()?
            .permission(&self.options.agent, path_and_query)
        {
            Permission::Allowed => None,
            Permission::Forbidden(rule) => Some(ClaimResult::Skipped {
                reason: format!("robots.txt forbids {url}: {rule}"),
            }),
            Permission::Unknown { again_at } => Some(self.unknown(claim, again_at)),
        }
    }

    /// What becomes of a request while nobody knows whether it may be made. A host that never answered is tried a few
    /// times in a row, and then given up; one that did is asked for its robots.txt again when that is due.
    fn unknown(&mut self, claim: &Claim, again_at: UnixMillis) -> ClaimResult {
        let has_answered = self.memory.schedule.latency_ms.is_some();
        let attempts_max = if has_answered {
            self.options.attempts_max
        } else {
            FIRST_ATTEMPTS_MAX
        };
        if claim.attempt >= attempts_max {
            let why = self
                .robots_error
                .take()
                .unwrap_or_else(|| "its server answers with errors".to_owned());
            let reason = format!(
                "the robots.txt of {} cannot be had, so that nothing there may be asked for: {why}",
                self.memory.host
            );
            return ClaimResult::Failed { reason };
        }
        if has_answered {
            return ClaimResult::Retry { due: again_at };
        }
        self.memory.robots = None;
        ClaimResult::Retry {
            due: self.memory.schedule.due_at,
        }
    }

    async fn fetch_robots(&mut self, url: &Url) {
        let fetched = self.robots_answer(url).await;
        self.robots_error = fetched
            .as_ref()
            .and_then(|fetched| fetched.as_ref().err().map(ToString::to_string));
        let fetch = match &fetched {
            Some(Ok(answer)) => RobotsFetch::Answered {
                status: answer.status,
                body: &answer.body,
            },
            Some(Err(_)) => RobotsFetch::Failed,
            None => RobotsFetch::TooManyRedirects,
        };
        let robots = RobotsState::after(self.memory.robots.as_ref(), fetch, now());
        let delay = robots
            .copy
            .as_ref()
            .and_then(|copy| copy.crawl_delay(&self.options.agent));
        if let Some(copy) = &robots.copy {
            self.sitemaps = copy
                .sitemaps()
                .iter()
                .filter_map(|sitemap| url.join(sitemap).ok())
                .collect();
        }
        self.memory.robots = Some(robots);
        self.note(HostEvent::RobotsDelay(delay));
    }

    /// The last answer on the way to robots.txt; `None` when redirects go on and on.
    async fn robots_answer(&mut self, url: &Url) -> Option<Result<Answer, ExchangeError>> {
        let mut at = url.join("/robots.txt").ok()?;
        for _ in 0..=ROBOTS_REDIRECTS_MAX {
            let answer = self
                .exchange(&Request::get(at.clone()), &ExchangeOptions::default())
                .await;
            match answer.as_ref().ok().and_then(redirect_of) {
                Some(target) => at = target,
                None => return Some(answer),
            }
        }
        None
    }

    /// Makes a request, and keeps what it says of the host.
    async fn exchange(&mut self, request: &Request, extra: &ExchangeOptions) -> Result<Answer, ExchangeError> {
        self.n_requests += 1;
        self.note(HostEvent::Started);
        let answer = self.client.exchange(request, extra).await;
        self.note(match &answer {
            Ok(answer) => HostEvent::Answered {
                status: answer.status,
                retry_after_ms: self.retry_after_ms(answer),
                latency_ms: answer.total_ms,
            },
            Err(_) => HostEvent::Failed,
        });
        answer
    }

    fn retry_after_ms(&self, answer: &Answer) -> Option<u64> {
        let longest = Duration::from_secs(365 * 24 * 3_600);
        let wait = read_retry_after(answer.header("retry-after")?, now(), longest)?;
        u64::try_from(wait.as_millis()).ok()
    }

    fn note(&mut self, event: HostEvent) {
        let step = self.memory.schedule.after(event, now(), &self.options.schedule);
        self.memory.schedule = step.state;
        self.notes.extend(step.problem.map(|problem| problem.to_string()));
    }

    async fn answered(&mut self, claim: &Claim, answer: Answer) -> Found {
        let may_retry = claim.attempt < self.options.attempts_max;
        let due = self.memory.schedule.due_at;
        match answer.status {
            304 if claim.validators.is_some() => return (ClaimResult::NotModified, Vec::new(), None),
            429 | 500..=599 if may_retry => return (ClaimResult::Retry { due }, Vec::new(), None),
            status @ (429 | 500..=599) => {
                let reason = format!("{} answered with status {status} {} times", answer.url, claim.attempt);
                return (ClaimResult::Failed { reason }, Vec::new(), None);
            }
            _ if !answer.is_whole && may_retry => return (ClaimResult::Retry { due }, Vec::new(), None),
            _ => {}
        }
        let redirect = redirect_of(&answer);
        let is_page = answer.status == 200 && answer.kind() == ContentKind::Html;
        let page = NewPage {
            status: answer.status,
            redirect: redirect.clone(),
            fetched_at: now(),
            problems: answer.problems.clone(),
            headers: answer.headers.clone(),
            body: Vec::new(),
        };
        if is_page {
            return self.read_page(claim, answer, page).await;
        }
        let mut links: Vec<Url> = redirect.into_iter().collect();
        if answer.status == 200 && answer.kind() == ContentKind::Xml {
            let sitemap = read_sitemap(&answer.url, &answer.body, &SitemapLimits::default());
            links.extend(sitemap.entries.into_iter().map(|entry| entry.url));
        }
        let page = NewPage {
            body: answer.body,
            ..page
        };
        (ClaimResult::Page(page), links, None)
    }

    /// Parses a page, away from the threads that fetch, for its links and for the trap guard.
    async fn read_page(&self, claim: &Claim, answer: Answer, stored: NewPage) -> Found {
        let options = Arc::clone(&self.options);
        let (url, found_on) = (claim.request.url.clone(), claim.found_on.clone());
        let parsed = tokio::task::spawn_blocking(move || {
            let robots_tags: Vec<String> = answer.header_values("x-robots-tag").map(str::to_owned).collect();
            let content_type = answer.header("content-type").map(str::to_owned);
            let response = Response {
                content_type,
                ..Response::html(answer.url, answer.body)
            };
            let page = Page::read(&response, &options.parse);
            let links = if options.obeys_robots {
                let robots_tags: Vec<&str> = robots_tags.iter().map(String::as_str).collect();
                followed_links(&page, directives(&robots_tags, &page, &options.agent))
            } else {
                links(&page)
            };
            let links = links.into_iter().map(|link| link.url).collect();
            (links, PageFacts::of(&page, &url, found_on.as_ref()), response.body)
        });
        match parsed.await {
            Ok((links, facts, body)) => (ClaimResult::Page(NewPage { body, ..stored }), links, Some(facts)),
            Err(error) => {
                let reason = format!("{} could not be read: {error}", claim.request.url);
                (ClaimResult::Failed { reason }, Vec::new(), None)
            }
        }
    }
}

/// Where an answer redirects to.
fn redirect_of(answer: &Answer) -> Option<Url> {
    let location = matches!(answer.status, 301 | 302 | 303 | 307 | 308).then(|| answer.header("location"))??;
    let target = answer.url.join(location.trim()).ok()?;
    matches!(target.scheme(), "http" | "https").then(|| normalise(target))
}
