//! Robots first: a worker asks for robots.txt before anything else, and obeys it.

use std::sync::Arc;

use untemplate::page::Request;
use untemplate_store::UnixMillis;
use untemplate_store::archive::{Claim, ClaimResult};
use url::Url;

use super::rendering::Stopped;
use super::worker::{Worker, redirect_of};
use crate::client::{Answer, ExchangeError, ExchangeOptions};
use crate::clock::now;
use crate::robots::{Permission, RobotsFetch, RobotsState};
use crate::schedule::HostEvent;
use crate::sitemap::sitemap_addresses;

/// Redirects of robots.txt that are followed, as the RFC asks for at least.
pub(super) const ROBOTS_REDIRECTS_MAX: usize = 5;

/// What the reason of a request begins with that robots.txt forbids.
pub(super) const FORBIDDEN: &str = "robots.txt forbids ";

impl Worker {
    /// What robots.txt has against the request, asked for anew where its copy is old.
    pub(super) async fn refusal(&mut self, claim: &Claim) -> Option<ClaimResult> {
        self.have_robots(&claim.request.url).await;
        let url = &claim.request.url;
        // Without an answer it was stopped on the way.
        let Some(permission) = self.permission(url) else {
            return Some(ClaimResult::Released);
        };
        match permission {
            // What robots.txt took of the host's patience is waited for here, or elsewhere.
            Permission::Allowed => (!self.rest_a_little().await).then_some(ClaimResult::Released),
            Permission::Forbidden(rule) => {
                self.memory.receipt.forbidden += 1;
                Some(ClaimResult::Skipped {
                    reason: format!("{FORBIDDEN}{url}: {rule}"),
                })
            }
            Permission::Unknown { again_at } => Some(self.unknown(claim, again_at)),
        }
    }

    /// Asks for robots.txt where nobody did or its copy is old.
    pub(super) async fn have_robots(&mut self, url: &Url) {
        let robots = self.memory.robots.as_ref();
        if robots.is_none_or(|robots| robots.is_due(now())) {
            self.fetch_robots(url).await;
        }
    }

    /// What robots.txt says of an address; `None` while nobody asked for it.
    pub(super) fn permission(&self, url: &Url) -> Option<Permission> {
        let path_and_query = &url[url::Position::BeforePath..url::Position::AfterQuery];
        let robots = self.memory.robots.as_ref()?;
        Some(robots.permission(&self.tools.options.agent, path_and_query))
    }

    /// What becomes of a request while nobody knows whether it may be made. A host that never
    /// answered is tried a few times in a row, and then given up; one that did is asked for its
    /// robots.txt again when that is due.
    fn unknown(&mut self, claim: &Claim, again_at: UnixMillis) -> ClaimResult {
        if self.is_hopeless || claim.attempt >= self.attempts_max() {
            let reason = self.why_unknown();
            return ClaimResult::Failed { reason };
        }
        if self.has_answered() {
            // Nothing there may be asked for before, so that the host as a whole waits.
            self.memory.schedule.due_at = self.memory.schedule.due_at.max(again_at);
            return ClaimResult::Retry { due: again_at };
        }
        self.memory.robots = None;
        ClaimResult::Retry {
            due: self.memory.schedule.due_at,
        }
    }

    /// Why nobody knows whether a request may be made. Of a host that cannot be asked at all,
    /// robots.txt is no matter.
    fn why_unknown(&mut self) -> String {
        let (host, error) = (&self.memory.host, self.robots_error.take());
        if let Some(reason) = error.as_ref().and_then(|error| error.of_host(host)) {
            return reason;
        }
        let why = error.map_or_else(
            || "its server answers with errors".to_owned(),
            |error| error.to_string(),
        );
        format!("the robots.txt of {host} cannot be had, so that nothing there may be asked for: {why}")
    }

    async fn fetch_robots(&mut self, url: &Url) {
        let Ok(fetched) = self.robots_answer(url).await else {
            return;
        };
        let error = fetched.as_ref().and_then(|fetched| fetched.as_ref().err());
        self.is_hopeless = error.is_some_and(|error| !self.may_pass(error));
        self.robots_error = error.cloned();
        let fetch = match &fetched {
            Some(Ok(answer)) => RobotsFetch::Answered {
                status: answer.status,
                body: &answer.body,
            },
            Some(Err(_)) => RobotsFetch::Failed,
            None => RobotsFetch::TooManyRedirects,
        };
        let mut robots = RobotsState::after(self.memory.robots.as_deref(), fetch, now());
        if robots.failures_in_row > 0 && self.memory.schedule.rest_until.is_some() {
            // A host that says when to come back is asked then, so that there is one time to wait
            // for.
            robots.again_at = self.memory.schedule.due_at;
        }
        let agent = &self.tools.options.agent;
        let delay = robots.copy.as_ref().and_then(|copy| copy.crawl_delay(agent));
        if let Some(copy) = robots.copy.as_ref().filter(|_| self.tools.options.seeks_sitemaps) {
            self.sitemaps = sitemap_addresses(url, copy.sitemaps());
        }
        self.memory.robots = Some(Arc::new(robots));
        self.note(HostEvent::RobotsDelay(delay));
    }

    /// The last answer on the way to robots.txt; `None` when redirects go on and on.
    async fn robots_answer(&mut self, url: &Url) -> Result<Option<Result<Answer, ExchangeError>>, Stopped> {
        let Ok(mut at) = url.join("/robots.txt") else {
            return Ok(None);
        };
        for hop in 0..=ROBOTS_REDIRECTS_MAX {
            if hop > 0 && !self.rest().await {
                return Err(Stopped);
            }
            let answer = self
                .exchange(&Request::get(at.clone()), &ExchangeOptions::default())
                .await;
            match answer.as_ref().ok().and_then(redirect_of) {
                Some(target) => at = target,
                None => return Ok(Some(answer)),
            }
        }
        Ok(None)
    }
}
