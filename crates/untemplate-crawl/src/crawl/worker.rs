//! A run of claims on one host, worked one after the other: robots first, then the request, then
//! what its answer means. It decides nothing about when: it waits until the host's schedule lets
//! it, and gives back what it cannot make now.

use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use tokio::time::sleep_until;
use untemplate::page::{Page, Problem, Request, normalise};
use untemplate_store::archive::{Claim, ClaimResult, NewPage, WorkerLease};
use untemplate_store::{StopControl, UnixMillis};
use url::Url;

use super::host_memory::HostMemory;
use super::options::CrawlOptions;
use super::reading::{PageReader, read_page};
use super::worked::{Group, Leads, Worked};
use crate::client::{Answer, Client, ContentKind, ExchangeError, ExchangeOptions, read_retry_after};
use crate::clock::now;
use crate::schedule::{AddressGate, HostEvent};
use crate::sitemap::{read_listed, sitemap_addresses};
use crate::trap::PageFacts;

/// How often a host that never answered is tried: a name that was mistyped is told within seconds.
const FIRST_ATTEMPTS_MAX: u32 = 3;

/// How long a claim is kept while its host wants a pause. Longer ones are given back, so that
/// somebody else's can be worked.
const PAUSE_KEPT_MS: i64 = 5_000;

/// How often a pause looks whether the crawl ends.
const NAP_MAX_MS: i64 = 100;

/// What workers share.
#[derive(Clone)]
pub(super) struct Tools {
    pub(super) client: Client,
    pub(super) options: Arc<CrawlOptions>,
    pub(super) control: StopControl,
    /// Lets names that share an address wait for each other, where there are pauses at all.
    pub(super) gate: Option<Arc<AddressGate>>,
    /// When the time that the crawl may take is over.
    pub(super) ends_at: Option<UnixMillis>,
    /// The lease without which nothing may be asked, where others may take over.
    pub(super) lease: Option<WorkerLease>,
}

impl Tools {
    /// Whether no new request is to be made.
    pub(super) fn is_ending(&self) -> bool {
        let is_late = self.ends_at.is_some_and(|ends_at| now() >= ends_at);
        self.control.is_stopping() || is_late || self.is_fenced_off()
    }

    /// Whether another worker may be asking the same hosts by now.
    fn is_fenced_off(&self) -> bool {
        self.lease.as_ref().is_some_and(|lease| !lease.is_held())
    }
}

/// Works claims on one host to their end, and hands over what came of them in groups of
/// `group_max`.
pub(super) async fn work(
    claims: Vec<Claim>,
    memory: HostMemory,
    tools: Tools,
    group_max: usize,
    sender: Sender<Vec<Worked>>,
) {
    let mut worker = Worker::new(memory, tools);
    let mut group = Group::new(claims, worker.memory.clone(), group_max, sender);
    while let Some(claim) = group.next_claim() {
        let worked = {
            let mut working = pin!(worker.work(claim));
            loop {
                tokio::select! {
                    worked = &mut working => break worked,
                    // What is finished does not wait for an answer that takes its time.
                    () = sleep_until(group.due), if !group.worked.is_empty() => group.hand_over(),
                }
            }
        };
        group.push(worked);
        if !worker.may_go_on() {
            break;
        }
    }
}

pub(super) struct Worker {
    pub(super) tools: Tools,
    pub(super) memory: HostMemory,
    n_requests: u64,
    notes: Vec<String>,
    /// Sitemaps that robots.txt names, when it was just read.
    pub(super) sitemaps: Vec<Url>,
    /// Why robots.txt could not be had just now.
    pub(super) robots_error: Option<ExchangeError>,
    /// Whether trying again would change nothing.
    pub(super) is_hopeless: bool,
}

/// What a claim came to.
struct Found {
    result: ClaimResult,
    leads: Leads,
    facts: Option<PageFacts>,
    page: Option<Arc<Page>>,
}

fn nothing_found(result: ClaimResult) -> Found {
    Found {
        result,
        leads: Leads::default(),
        facts: None,
        page: None,
    }
}

impl Worker {
    pub(super) fn new(memory: HostMemory, tools: Tools) -> Self {
        Self {
            tools,
            memory,
            n_requests: 0,
            notes: Vec::new(),
            sitemaps: Vec::new(),
            robots_error: None,
            is_hopeless: false,
        }
    }

    async fn work(&mut self, claim: Claim) -> Worked {
        let mut found = self.result(&claim).await;
        found.leads.sitemaps.append(&mut self.sitemaps);
        Worked {
            claim,
            result: found.result,
            leads: found.leads,
            facts: found.facts,
            page: found.page,
            memory: self.memory.clone(),
            n_requests: std::mem::take(&mut self.n_requests),
            notes: std::mem::take(&mut self.notes),
        }
    }

    /// Whether the host may be asked again at once, and anybody wants it to be.
    fn may_go_on(&self) -> bool {
        !self.tools.is_ending() && self.memory.schedule.due_at <= now()
    }

    async fn result(&mut self, claim: &Claim) -> Found {
        if self.tools.is_fenced_off() {
            return nothing_found(ClaimResult::Released);
        }
        if self.tools.options.obeys_robots
            && let Some(refused) = self.refusal(claim).await
        {
            return nothing_found(refused);
        }
        // A host that answers nothing is not asked for what it does not have.
        if self.tools.options.probes_soft_404 && self.memory.probe.is_none() && self.has_answered() {
            let Ok(probe) = self.probe(&claim.request.url).await else {
                return nothing_found(ClaimResult::Released);
            };
            self.memory.probe = Some(Arc::new(probe.unwrap_or_default()));
            if !self.rest_a_little().await {
                return nothing_found(ClaimResult::Released);
            }
        }
        let validators = claim.validators.clone().unwrap_or_default();
        let extra = ExchangeOptions {
            etag: validators.etag,
            last_modified: validators.last_modified,
            referer: None,
        };
        match self.exchange(&claim.request, &extra).await {
            Ok(answer) => self.answered(claim, answer).await,
            Err(error) if self.may_pass(&error) && claim.attempt < self.attempts_max() => {
                let due = self.memory.schedule.due_at;
                nothing_found(ClaimResult::Retry { due })
            }
            Err(error) => nothing_found(ClaimResult::Failed {
                reason: error.to_string(),
            }),
        }
    }

    /// Waits until the host may be asked; false when the crawl ends before.
    pub(super) async fn rest(&self) -> bool {
        loop {
            let pause = self.memory.schedule.due_at.since(now());
            if self.tools.is_ending() || pause <= 0 {
                return !self.tools.is_ending();
            }
            tokio::time::sleep(Duration::from_millis(pause.min(NAP_MAX_MS) as u64)).await;
        }
    }

    /// Waits until the host may be asked, unless that takes long: false when the claim is to be
    /// given back.
    pub(super) async fn rest_a_little(&self) -> bool {
        self.memory.schedule.due_at.since(now()) <= PAUSE_KEPT_MS && self.rest().await
    }

    pub(super) fn has_answered(&self) -> bool {
        self.memory.schedule.latency_ms.is_some()
    }

    /// Whether trying again may help. A name that nobody knows is mistyped, unless its host
    /// answered before.
    pub(super) fn may_pass(&self, error: &ExchangeError) -> bool {
        error.may_pass() && (self.has_answered() || !error.is_unknown_name())
    }

    /// How often a request is tried.
    pub(super) fn attempts_max(&self) -> u32 {
        let most = self.tools.options.attempts_max;
        if self.has_answered() {
            most
        } else {
            most.min(FIRST_ATTEMPTS_MAX)
        }
    }

    /// Makes a request, and keeps what it says of the host.
    pub(super) async fn exchange(
        &mut self,
        request: &Request,
        extra: &ExchangeOptions,
    ) -> Result<Answer, ExchangeError> {
        let slot = self.enter(&request.url).await;
        self.n_requests += 1;
        let gap_ms = self.memory.schedule.asked_at.map(|asked_at| now().since(asked_at));
        self.memory.receipt.count_request(gap_ms);
        self.note(HostEvent::Started);
        let answer = self.tools.client.exchange(request, extra).await;
        drop(slot);
        self.note(match &answer {
            Ok(answer) => HostEvent::Answered {
                status: answer.status,
                retry_after_ms: self.retry_after_ms(answer),
                latency_ms: answer.total_ms,
            },
            Err(_) => HostEvent::Failed,
        });
        if let Ok(answer) = &answer {
            self.memory.receipt.count_status(answer.status);
        }
        self.memory.set_trouble(match &answer {
            Err(error) => self.may_pass(error).then(|| error.in_short()),
            Ok(answer) if answer.status == 429 || answer.status >= 500 => Some(match self.retry_after_ms(answer) {
                Some(pause) => format!("asks for a pause of {} s (status {})", pause / 1_000, answer.status),
                None => format!("answers with status {}", answer.status),
            }),
            Ok(_) => None,
        });
        answer
    }

    /// Waits until the address of a host may be asked, whatever other names it has.
    async fn enter(&mut self, url: &Url) -> Option<crate::schedule::AddressSlot> {
        let gate = self.tools.gate.clone()?;
        if self.memory.address.is_none() {
            self.memory.address = self.tools.client.address_of(url).await;
        }
        Some(gate.enter(self.memory.address?).await)
    }

    fn retry_after_ms(&self, answer: &Answer) -> Option<u64> {
        let longest = Duration::from_secs(365 * 24 * 3_600);
        let wait = read_retry_after(answer.header("retry-after")?, now(), longest)?;
        u64::try_from(wait.as_millis()).ok()
    }

    pub(super) fn note(&mut self, event: HostEvent) {
        let step = self.memory.schedule.after(event, now(), &self.tools.options.schedule);
        self.memory.schedule = step.state;
        self.notes.extend(step.problem.map(|problem| problem.to_string()));
    }

    async fn answered(&mut self, claim: &Claim, answer: Answer) -> Found {
        let may_retry = claim.attempt < self.tools.options.attempts_max;
        let due = self.memory.schedule.due_at;
        match answer.status {
            304 if claim.validators.is_some() => return nothing_found(ClaimResult::NotModified),
            429 | 500..=599 if may_retry => return nothing_found(ClaimResult::Retry { due }),
            status @ (429 | 500..=599) => {
                let reason = format!("{} answered with status {status} {} times", answer.url, claim.attempt);
                return nothing_found(ClaimResult::Failed { reason });
            }
            _ if may_be_whole(&answer) && may_retry => return nothing_found(ClaimResult::Retry { due }),
            _ => {}
        }
        let redirect = redirect_of(&answer);
        let kind = answer.kind();
        let page = NewPage {
            status: answer.status,
            redirect: redirect.clone(),
            fetched_at: now(),
            problems: answer.problems.clone(),
            headers: answer.headers.clone(),
            body: Vec::new(),
        };
        if answer.status == 200 && kind == ContentKind::Html {
            return self.page(claim, answer, page).await;
        }
        let mut leads = Leads::default();
        leads.pages.extend(redirect);
        if answer.status == 200 && kind == ContentKind::Xml {
            let listed = read_listed(&answer.url, &answer.body);
            leads.sitemaps.extend(listed.sitemaps);
            leads.pages.extend(listed.pages);
        }
        let body = answer.body;
        Found {
            leads,
            ..nothing_found(ClaimResult::Page(NewPage { body, ..page }))
        }
    }

    /// Reads a page for its links and for the trap guard, and tells whether it is one at all.
    async fn page(&mut self, claim: &Claim, answer: Answer, stored: NewPage) -> Found {
        // A page whose scripts could not be run to their end is not done.
        let Ok(shown) = self.shown(&answer).await else {
            return nothing_found(ClaimResult::Released);
        };
        let render_problems = shown.as_ref().map_or_else(Vec::new, |shown| shown.problems.clone());
        let reading = PageReader {
            shown,
            url: claim.request.url.clone(),
            found_on: claim.found_on.clone(),
            probe: self.memory.probe.clone(),
            options: Arc::clone(&self.tools.options),
        };
        match read_page(reading, answer).await {
            Ok(read) => {
                let mut problems = stored.problems;
                problems.extend(read.soft_404);
                problems.extend(render_problems);
                let mut leads = Leads {
                    pages: read.links,
                    ..Leads::default()
                };
                // Where robots.txt is not asked, nobody names the sitemaps.
                let options = &self.tools.options;
                if claim.depth == 0 && options.seeks_sitemaps && !options.obeys_robots {
                    leads.sitemaps = sitemap_addresses(&claim.request.url, &[]);
                }
                let page = NewPage {
                    body: read.body,
                    problems,
                    ..stored
                };
                Found {
                    result: ClaimResult::Page(page),
                    leads,
                    facts: Some(read.facts),
                    page: read.page,
                }
            }
            Err(error) => nothing_found(ClaimResult::Failed {
                reason: format!("{} could not be read: {error}", claim.request.url),
            }),
        }
    }
}

/// Whether a body that is not whole may be the next time. One that is too large stays too large.
fn may_be_whole(answer: &Answer) -> bool {
    let may_pass = |problem: &Problem| matches!(problem.kind, "cut short" | "too slow");
    !answer.is_whole && answer.problems.iter().any(may_pass)
}

/// Where an answer redirects to.
pub(super) fn redirect_of(answer: &Answer) -> Option<Url> {
    let location = matches!(answer.status, 301 | 302 | 303 | 307 | 308).then(|| answer.header("location"))??;
    let target = answer.url.join(location.trim()).ok()?;
    matches!(target.scheme(), "http" | "https").then(|| normalise(target))
}
