//! The engine: workers at claims, and the commits of what they bring back. It has no opinion on
//! what to claim.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use untemplate::page::{Page, Problem, Request};
use untemplate_store::archive::{
    Archive, ArchiveError, Claim, ClaimOptions, ClaimResult, Committed, Frontier, NewPage, NewRequest, Outcome, PageId,
};
use untemplate_store::{SOFT_404, StopControl, StopReason, UnixMillis};
use url::Url;

use super::follow_policy::FollowPolicy;
use super::host_memory::HostMemory;
use super::options::CrawlOptions;
use super::report::{CrawlError, CrawlReport};
use super::robots_first::FORBIDDEN;
use super::trap_memory;
use super::worked::Worked;
use super::worker::{Tools, work};
use crate::client::Client;
use crate::clock::{follow_clock, machine_now, now};
use crate::schedule::AddressGate;
use crate::trap::TrapGuard;

/// Claims on one host at a time, where it needs no rest: they are made one after the other, and a
/// kill costs up to this many requests. Swept on the demo site at loopback, 4,240 pages: 1,099
/// pages a CPU second with 1, 1,190 with 2, 1,611 with 4, 2,441 with 8, 2,787 with 16.
pub(super) const RUN_MAX: usize = 8;

/// How often what is learnt of traps and cookies is kept.
const KEEP_MS: i64 = 5_000;

/// Hosts of which something is remembered outside of the archive.
const MEMORIES_MAX: usize = 10_000;

/// How much the estimate of the total follows the last page: it looks back over some fifty.
const ESTIMATE_WEIGHT: f64 = 0.02;

/// Where the archive keeps what the crawl remembers.
const LEFT_OUT_SETTING: &str = "requests left out as traps, and out of scope";
const WANTS_SETTING: &str = "wants";
const COOKIES_SETTING: &str = "cookies";

/// Workers at claims.
pub(super) struct Engine {
    pub(super) options: Arc<CrawlOptions>,
    pub(super) control: StopControl,
    pub(super) report: CrawlReport,
    /// Claims that are not committed yet.
    pub(super) open: usize,
    tools: Tools,
    runtime: Runtime,
    sender: Sender<Vec<Worked>>,
    receiver: Receiver<Vec<Worked>>,
    pub(super) links: FollowPolicy,
    /// Pages that were read while they were fetched, for whoever takes them next; `None` where
    /// nobody does.
    pub(super) pages: Option<HashMap<Request, Arc<Page>>>,
    pub(super) memories: HashMap<String, HostMemory>,
    finished: Vec<Worked>,
    /// The last page that was stored, where the guard has seen those before it.
    last_page: Option<PageId>,
    /// New requests that a page leads to, smoothed; `None` before the first.
    pub(super) growth: Option<f64>,
    pub(super) started: UnixMillis,
    kept: UnixMillis,
}

impl Engine {
    /// An engine that goes on where the archive is.
    pub(super) fn start(
        archive: &mut dyn Archive,
        options: CrawlOptions,
        control: &StopControl,
    ) -> Result<Self, CrawlError> {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let mut client_options = options.client.clone();
        if let Some(saved) = archive.setting(COOKIES_SETTING)? {
            // What somebody gave for this run is newer than what the archive remembers.
            client_options.saved_cookies.insert_str(0, &format!("{saved}\n"));
        }
        let client = {
            let _context = runtime.enter();
            Client::new(client_options)?
        };
        let guard = TrapGuard::new(options.trap);
        let left_out = archive.setting(LEFT_OUT_SETTING)?.unwrap_or_default();
        let mut left_out = left_out.split(' ').map(|count| count.parse().unwrap_or(0));
        let mut count = || left_out.next().unwrap_or(0);
        let report = CrawlReport {
            reused: archive.statistics()?.done,
            trapped: count(),
            out_of_scope: count(),
            ..CrawlReport::default()
        };
        let options = Arc::new(options);
        follow_clock(archive.clock_ahead_ms(machine_now())?);
        let started = now();
        let (sender, receiver) = channel();
        Ok(Self {
            tools: Tools {
                client,
                options: Arc::clone(&options),
                control: control.clone(),
                gate: AddressGate::between_pauses(options.schedule.delay_ms),
                lease: archive.lease(),
                ends_at: options
                    .limits
                    .time_max_ms
                    .map(|time_ms| UnixMillis(started.0.saturating_add(time_ms))),
            },
            control: control.clone(),
            report,
            open: 0,
            runtime,
            sender,
            receiver,
            links: FollowPolicy::new(Arc::clone(&options), guard),
            pages: None,
            options,
            memories: HashMap::new(),
            finished: Vec::new(),
            last_page: None,
            growth: None,
            started,
            kept: started,
        })
    }

    /// Lets hosts be asked at once that did not answer an earlier run; those that asked for a pause
    /// keep it.
    pub(super) fn renew_hosts(&mut self, archive: &mut dyn Archive) -> Result<(), CrawlError> {
        // The run of those who are at it goes on: what they know of hosts counts.
        if archive.others()? > 0 {
            return Ok(());
        }
        for host in archive.resting_hosts(now())? {
            let memory = HostMemory::recall(archive, &host, self.options.probes_soft_404)?;
            let Some(memory) = memory.in_new_run(&self.options.schedule) else {
                continue;
            };
            archive.wake(&memory.to_stored(&self.options.schedule))?;
            self.memories.insert(host, memory);
        }
        Ok(())
    }

    /// Remembers what earlier runs learnt of traps.
    pub(super) fn recall_traps(&mut self, archive: &mut dyn Archive) -> Result<(), CrawlError> {
        let (guard, last_page) = trap_memory::recall(archive, self.options.trap, &self.options.parse)?;
        self.links.guard = guard;
        self.last_page = Some(last_page);
        Ok(())
    }

    /// A request for an address that nobody linked to.
    pub(super) fn new_request(&self, url: Url, depth: u32) -> NewRequest {
        NewRequest {
            request: Request::get(self.options.url_rules.strip(url)),
            priority: -f64::from(depth),
            depth,
            found_on: None,
        }
    }

    /// What cuts the run short, if anything does by now.
    pub(super) fn limit(&self) -> Option<StopReason> {
        let limits = &self.options.limits;
        if self.control.is_stopping() {
            return Some(StopReason::Interrupted);
        }
        if let Some(most) = limits.pages_max.filter(|most| self.report.stored >= *most) {
            return Some(StopReason::Pages(most));
        }
        if let Some(most) = limits.bytes_max.filter(|most| self.report.bytes >= *most) {
            return Some(StopReason::Bytes(most));
        }
        let elapsed_ms = now().since(self.started);
        limits
            .time_max_ms
            .filter(|most| elapsed_ms >= *most)
            .map(StopReason::Time)
    }

    /// How many more requests may be claimed, and how.
    pub(super) fn claim_options(&self) -> ClaimOptions {
        let mut free = self.options.workers_max.saturating_sub(self.open);
        if let Some(most) = self.options.limits.pages_max {
            let left = most.saturating_sub(self.report.stored + self.open as u64);
            free = free.min(usize::try_from(left).unwrap_or(usize::MAX));
        }
        ClaimOptions {
            claims_max: free,
            of_host_max: RUN_MAX,
            lease_ms: self.lease_ms(),
            worker: format!("process {}", std::process::id()),
        }
    }

    /// Long enough for robots.txt, the pause after it, and the pages of a run.
    fn lease_ms(&self) -> i64 {
        let total = i64::try_from(self.options.client.deadlines.total.as_millis()).unwrap_or(i64::MAX / 64);
        (8 + RUN_MAX as i64) * total + 2 * self.options.schedule.pause_max_ms() + 60_000
    }

    /// Leaves out claims that are out of scope or lead into a trap; the others are returned.
    pub(super) fn leave_out(
        &mut self,
        archive: &mut dyn Frontier,
        claims: Vec<Claim>,
    ) -> Result<Vec<Claim>, CrawlError> {
        let mut good = Vec::with_capacity(claims.len());
        for claim in claims {
            let url = &claim.request.url;
            let is_deep = self.options.depth_max.is_some_and(|most| claim.depth > most);
            let reason = if is_deep {
                self.report.out_of_scope += 1;
                format!("{url} is left out by --depth")
            } else if let Some(objection) = self.links.objection(url) {
                self.report.out_of_scope += 1;
                objection
            } else if let Some(trap) = self.links.guard.check(url, claim.found_on.as_ref()) {
                self.report.trapped += 1;
                trap.reason
            } else {
                good.push(claim);
                continue;
            };
            let memory = self.memory(archive, &claim.host)?;
            self.open += 1;
            let skipped = ClaimResult::Skipped { reason };
            self.finished.push(Worked::untouched(claim, skipped, memory));
        }
        Ok(good)
    }

    /// What other wants left out is looked at again.
    pub(super) fn heed_wants(&mut self, archive: &mut dyn Frontier) -> Result<(), CrawlError> {
        let wants = format!(
            "{:?} {} {} robots: {}",
            self.options.scope, self.options.entry, self.options.wants_name, self.options.obeys_robots
        );
        if archive.setting(WANTS_SETTING)?.is_some_and(|before| before != wants) {
            if archive.others()? > 0 {
                return Err(CrawlError::OtherWants);
            }
            archive.retry_skipped()?;
            (self.report.trapped, self.report.out_of_scope) = (0, 0);
            archive.set_setting(LEFT_OUT_SETTING, "0 0")?;
        }
        Ok(archive.set_setting(WANTS_SETTING, &wants)?)
    }

    /// Sets workers to claims: one to those on each host.
    pub(super) fn set_to_work(&mut self, archive: &mut dyn Frontier, claims: Vec<Claim>) -> Result<(), CrawlError> {
        let mut hosts: BTreeMap<String, Vec<Claim>> = BTreeMap::new();
        for claim in claims {
            self.open += 1;
            hosts.entry(claim.host.clone()).or_default().push(claim);
        }
        for (host, claims) in hosts {
            let memory = self.memory(archive, &host)?;
            // Half of a run is committed while the other half is fetched.
            let group_max = claims.len().div_ceil(2);
            let work = work(claims, memory, self.tools.clone(), group_max, self.sender.clone());
            self.runtime.spawn(work);
        }
        Ok(())
    }

    pub(super) fn memory(&mut self, archive: &mut dyn Frontier, host: &str) -> Result<HostMemory, CrawlError> {
        let known = self.memories.get(host);
        if let Some(memory) = known.filter(|_| !archive.is_shared()) {
            return Ok(memory.clone());
        }
        // Others may have asked the host since: its robots.txt, its pace and its troubles are
        // theirs.
        let memory = HostMemory::recall(archive, host, self.options.probes_soft_404)?;
        Ok(match known {
            Some(known) => memory.in_same_run(known),
            None => memory,
        })
    }

    /// Waits until something is finished, for `nap` at the most.
    pub(super) fn wait(&mut self, nap: Duration) {
        if self.open == 0 && self.finished.is_empty() {
            std::thread::sleep(nap);
            return;
        }
        let nap = if self.finished.is_empty() { nap } else { Duration::ZERO };
        let mut received = self.receiver.recv_timeout(nap).ok();
        // What else is finished by now belongs to the same commit.
        while let Some(group) = received {
            self.finished.extend(group);
            received = self.receiver.try_recv().ok();
        }
    }

    /// Commits what is finished: one transaction, one write to the disk.
    pub(super) fn commit(&mut self, archive: &mut dyn Archive) -> Result<(), CrawlError> {
        if self.finished.is_empty() {
            return Ok(());
        }
        let finished = std::mem::take(&mut self.finished);
        self.open -= finished.len();
        let is_left_out =
            |worked: &Worked| worked.n_requests == 0 && matches!(worked.result, ClaimResult::Skipped { .. });
        let has_left_out = finished.iter().any(is_left_out);
        let mut batch: Vec<Outcome> = Vec::with_capacity(finished.len());
        // The last word on a host is what counts.
        let mut schedules: HashMap<String, usize> = HashMap::new();
        for worked in finished {
            schedules.insert(worked.memory.host.clone(), batch.len());
            batch.push(self.outcome(archive, worked)?);
        }
        for (host, index) in schedules {
            let memory = self.memories.get(&host);
            batch[index].host = memory.map(|memory| memory.to_stored(&self.options.schedule));
        }
        let report = archive.commit(&batch, now())?;
        if has_left_out && !archive.is_shared() {
            let left_out = format!("{} {}", self.report.trapped, self.report.out_of_scope);
            archive.set_setting(LEFT_OUT_SETTING, &left_out)?;
        }
        self.count(&report.committed, report.n_new);
        if self.memories.len() > MEMORIES_MAX {
            self.memories.clear();
        }
        if now().since(self.kept) >= KEEP_MS {
            self.keep(archive)?;
        }
        Ok(())
    }

    fn count(&mut self, committed: &[Committed], n_new: usize) {
        let mut n_pages = 0_i32;
        for committed in committed {
            match committed {
                Committed::Page { page, alias_of } => {
                    self.last_page = self.last_page.map(|last| last.max(*page));
                    self.report.aliases += u64::from(alias_of.is_some());
                    n_pages += 1;
                }
                Committed::Noted => {}
                // Its links were not taken, and may be offered again.
                Committed::Refused => self.links.forget(),
            }
        }
        if n_pages > 0 {
            let growth = n_new as f64 / f64::from(n_pages);
            let kept = (1.0 - ESTIMATE_WEIGHT).powi(n_pages);
            self.growth = Some(
                self.growth
                    .map_or(growth, |before| before * kept + growth * (1.0 - kept)),
            );
        }
    }

    fn outcome(&mut self, archive: &mut dyn Archive, worked: Worked) -> Result<Outcome, ArchiveError> {
        let (claim, result) = (worked.claim, worked.result);
        self.report.requests += worked.n_requests;
        for note in &worked.notes {
            self.report.note(note);
        }
        self.remember(archive, worked.memory)?;
        if let (Some(pages), Some(page)) = (&mut self.pages, worked.page) {
            pages.insert(claim.request.clone(), page);
        }
        let is_redirect = matches!(&result, ClaimResult::Page(page) if page.redirect.is_some());
        let depth = if is_redirect { claim.depth } else { claim.depth + 1 };
        let wanted = self.links.wanted(worked.leads, &claim.request.url);
        if let Some(facts) = &worked.facts {
            for trap in self.links.guard.take(facts) {
                self.report.note(&trap.reason);
            }
        }
        match &result {
            ClaimResult::Page(page) => self.count_page(page),
            ClaimResult::NotModified => self.report.unmodified += 1,
            _ => {}
        }
        Ok(Outcome {
            token: claim.token,
            result,
            links: wanted.into_iter().map(|url| self.new_request(url, depth)).collect(),
            host: None,
        })
    }

    fn count_page(&mut self, page: &NewPage) {
        self.report.stored += 1;
        self.report.bytes += page.body.len() as u64;
        *self.report.statuses.entry(page.status).or_default() += 1;
        let is_soft_404 = page.problems.iter().any(|problem| problem.kind == SOFT_404);
        self.report.soft_404s += u64::from(is_soft_404);
        self.report.incomplete += u64::from(page.problems.iter().any(Problem::is_loss));
    }

    fn remember(&mut self, archive: &mut dyn Archive, memory: HostMemory) -> Result<(), ArchiveError> {
        let known = self.memories.get(&memory.host);
        if known.is_none_or(|known| known.probe.is_none()) {
            memory.keep_probe(archive)?;
        }
        self.memories.insert(memory.host.clone(), memory);
        Ok(())
    }

    /// Keeps what is not part of any outcome. After a crash a little of it is learnt again.
    fn keep(&mut self, archive: &mut dyn Archive) -> Result<(), ArchiveError> {
        self.kept = now();
        follow_clock(archive.clock_ahead_ms(machine_now())?);
        if let Some(last_page) = self.last_page {
            trap_memory::keep(archive, &self.links.guard, last_page)?;
        }
        archive.set_setting(COOKIES_SETTING, &self.tools.client.cookies())
    }

    /// Ends the run; what is under way is given up.
    pub(super) fn end(mut self, archive: &mut dyn Archive) -> Result<CrawlReport, CrawlError> {
        self.keep(archive)?;
        let statistics = archive.statistics()?;
        self.report.failed = statistics.failed;
        self.report.forbidden = match archive.is_shared() {
            // What others left out is not in the counts of this one.
            true => archive.skipped_because(FORBIDDEN)?,
            false => statistics
                .skipped
                .saturating_sub(self.report.trapped + self.report.out_of_scope),
        };
        self.report.left = statistics.waiting + statistics.open;
        self.report.hosts = self.receipts();
        // A request that nobody waits for must not keep the program.
        self.runtime.shutdown_background();
        Ok(self.report)
    }
}
