//! The crawl loop: claim, work, commit, until nothing is left or somebody says stop.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use untemplate::page::Request;
use untemplate_store::UnixMillis;
use untemplate_store::archive::{
    ArchiveError, Claim, ClaimOptions, ClaimResult, Committed, Frontier, FrontierStatistics, NewRequest, Outcome,
};
use url::Url;

use super::host_memory::HostMemory;
use super::options::{CrawlControl, CrawlOptions, Progress};
use super::worker::{Worked, work};
use crate::client::{Client, ClientError};
use crate::clock::now;
use crate::trap::TrapGuard;

/// Outcomes that are committed together at the most: one write to the disk for so many pages.
const BATCH_MAX: usize = 64;

/// How long an outcome waits for others before it is committed.
const BATCH_WAIT: Duration = Duration::from_millis(100);

/// How long the loop sleeps at the most before it looks at its limits again.
const NAP_MAX_MS: i64 = 200;

/// The least time between two words about progress.
const PROGRESS_MS: i64 = 500;

/// How often what is learnt of traps and cookies is kept.
const KEEP_MS: i64 = 5_000;

/// Notes that are kept for the report; more of the same help nobody.
const NOTES_MAX: usize = 100;

/// Where the archive keeps what the crawl remembers of traps and cookies.
const TRAPS_SETTING: &str = "traps";
const TRAPPED_SETTING: &str = "requests left out as traps";
const COOKIES_SETTING: &str = "cookies";

/// Why a crawl cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The HTTP client.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The system gave no threads.
    #[error("cannot start the threads that fetch: {0}; close other programs, or ask for fewer workers")]
    Threads(#[from] std::io::Error),
}

/// What a run of a crawl did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrawlReport {
    /// Requests made, robots.txt included.
    pub requests: u64,
    /// Answers stored.
    pub stored: u64,
    /// Bytes of content stored.
    pub bytes: u64,
    /// Requests that an earlier run had done.
    pub reused: u64,
    /// Requests whose page could not be had, in all.
    pub failed: u64,
    /// Requests that were not made because robots.txt forbade it, in all.
    pub forbidden: u64,
    /// Requests that were not made because they lead into a trap, in all.
    pub trapped: u64,
    /// Requests that are left to be made.
    pub left: u64,
    /// Pages whose content an earlier page had.
    pub aliases: u64,
    /// What cut the run short.
    pub stopped_because: Option<String>,
    /// Wishes of hosts that were not honoured in full, and parts of the site that were frozen as traps.
    pub notes: Vec<String>,
}

/// Crawls until nothing is left, a limit is reached, or `control` says stop. Whatever was committed stays done.
pub fn crawl(
    archive: &mut dyn Frontier,
    options: CrawlOptions,
    control: &CrawlControl,
    watch: &mut dyn FnMut(&Progress),
) -> Result<CrawlReport, CrawlError> {
    let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let mut client_options = options.client.clone();
    if let Some(saved) = archive.setting(COOKIES_SETTING)? {
        client_options.saved_cookies = saved;
    }
    let client = {
        let _context = runtime.enter();
        Client::new(client_options)?
    };
    let guard = archive.setting(TRAPS_SETTING)?;
    let guard = guard.and_then(|text| TrapGuard::from_text(&text, options.trap).ok());
    let (sender, receiver) = channel();
    let mut run = Run {
        guard: guard.unwrap_or_else(|| TrapGuard::new(options.trap)),
        report: CrawlReport::default(),
        options: Arc::new(options),
        client,
        runtime,
        sender,
        receiver,
        open: 0,
        finished: Vec::new(),
        started: now(),
        told: UnixMillis(0),
        kept: now(),
    };
    run.begin(archive)?;
    while !run.is_over(archive, control)? {
        if run.report.stopped_because.is_none() {
            run.claim(archive)?;
        }
        run.wait(archive)?;
        run.commit(archive)?;
        run.tell(archive, watch)?;
    }
    run.end(archive, watch)
}

struct Run {
    options: Arc<CrawlOptions>,
    client: Client,
    runtime: Runtime,
    sender: Sender<Worked>,
    receiver: Receiver<Worked>,
    guard: TrapGuard,
    /// Claims that workers are at.
    open: usize,
    /// What workers have finished, and is not committed yet.
    finished: Vec<Worked>,
    report: CrawlReport,
    started: UnixMillis,
    told: UnixMillis,
    kept: UnixMillis,
}

impl Run {
    fn begin(&mut self, archive: &mut dyn Frontier) -> Result<(), CrawlError> {
        self.report.reused = archive.statistics()?.done;
        let trapped = archive.setting(TRAPPED_SETTING)?;
        self.report.trapped = trapped.and_then(|text| text.parse().ok()).unwrap_or(0);
        let entry = self.new_request(self.options.entry.clone(), 0);
        archive.add(&[entry], now())?;
        Ok(())
    }

    fn new_request(&self, url: Url, depth: u32) -> NewRequest {
        NewRequest {
            request: Request::get(self.options.url_rules.strip(url)),
            priority: -f64::from(depth),
            depth,
            found_on: None,
        }
    }

    /// Whether there is nothing more to do; notes what cut the crawl short.
    fn is_over(&mut self, archive: &mut dyn Frontier, control: &CrawlControl) -> Result<bool, CrawlError> {
        if control.is_stopping_now() {
            self.report.stopped_because = Some("interrupted twice".to_owned());
            return Ok(true);
        }
        if self.report.stopped_because.is_none() {
            self.report.stopped_because = self.limit(control);
        }
        if self.open > 0 || !self.finished.is_empty() {
            return Ok(false);
        }
        Ok(self.report.stopped_because.is_some() || archive.statistics()?.waiting == 0)
    }

    fn limit(&self, control: &CrawlControl) -> Option<String> {
        let limits = &self.options.limits;
        if control.is_stopping() {
            return Some("interrupted".to_owned());
        }
        if let Some(pages_max) = limits
            .pages_max
            .filter(|most| self.report.stored + self.open as u64 >= *most)
        {
            return Some(format!("--max-pages {pages_max} reached"));
        }
        if let Some(bytes_max) = limits.bytes_max.filter(|most| self.report.bytes >= *most) {
            return Some(format!("--max-bytes {bytes_max} reached"));
        }
        let elapsed_ms = now().since(self.started);
        limits
            .time_max_ms
            .filter(|most| elapsed_ms >= *most)
            .map(|_| "--max-time reached".to_owned())
    }

    /// Claims what is due, and sets workers to it.
    fn claim(&mut self, archive: &mut dyn Frontier) -> Result<(), CrawlError> {
        let mut free = self.options.workers_max.saturating_sub(self.open);
        if let Some(most) = self.options.limits.pages_max {
            let left = most.saturating_sub(self.report.stored + (self.open + self.finished.len()) as u64);
            free = free.min(usize::try_from(left).unwrap_or(usize::MAX));
        }
        if free == 0 {
            return Ok(());
        }
        let lease_ms = self.lease_ms();
        let claim_options = ClaimOptions {
            claims_max: free,
            lease_ms,
            worker: format!("process {}", std::process::id()),
        };
        for claim in archive.claim(now(), &claim_options)? {
            let memory = match archive.host(&claim.host)? {
                Some(stored) => HostMemory::from_stored(&stored, now()),
                None => HostMemory::new(&claim.host, now()),
            };
            self.set_to_work(claim, memory);
        }
        Ok(())
    }

    /// Long enough for robots.txt, the pause after it, and the page itself.
    fn lease_ms(&self) -> i64 {
        let total = i64::try_from(self.options.client.deadlines.total.as_millis()).unwrap_or(i64::MAX / 4);
        8 * total + 2 * self.options.schedule.pause_max_ms() + 60_000
    }

    fn set_to_work(&mut self, claim: Claim, memory: HostMemory) {
        self.open += 1;
        if let Some(trap) = self.guard.check(&claim.request.url, claim.found_on.as_ref()) {
            let worked = Worked {
                claim,
                result: ClaimResult::Skipped { reason: trap.reason },
                links: Vec::new(),
                facts: None,
                memory,
                n_requests: 0,
                notes: Vec::new(),
            };
            self.report.trapped += 1;
            self.receive(worked);
            return;
        }
        let (client, options, sender) = (self.client.clone(), Arc::clone(&self.options), self.sender.clone());
        self.runtime.spawn(async move {
            // Nobody receives once the crawl is given up; the claim is then made again.
            let _ = sender.send(work(claim, memory, client, options).await);
        });
    }

    /// Waits until something is finished, or it is time to look around.
    fn wait(&mut self, archive: &mut dyn Frontier) -> Result<(), CrawlError> {
        let mut nap = if self.finished.is_empty() {
            self.nap(archive)?
        } else {
            BATCH_WAIT
        };
        while self.finished.len() < BATCH_MAX && self.open > 0 {
            match self.receiver.recv_timeout(nap) {
                Ok(worked) => self.receive(worked),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Ok(()),
            }
            // What else is finished by now belongs to the same batch; waiting longer would leave hosts idle.
            nap = Duration::ZERO;
        }
        if self.open == 0 && self.finished.is_empty() {
            std::thread::sleep(nap);
        }
        Ok(())
    }

    /// How long there is nothing to claim.
    fn nap(&self, archive: &mut dyn Frontier) -> Result<Duration, CrawlError> {
        let until_due = archive
            .statistics()?
            .next_due
            .map_or(NAP_MAX_MS, |due| due.since(now()));
        Ok(Duration::from_millis(until_due.clamp(1, NAP_MAX_MS) as u64))
    }

    fn receive(&mut self, worked: Worked) {
        self.open -= 1;
        self.report.requests += worked.n_requests;
        for note in &worked.notes {
            if self.report.notes.len() < NOTES_MAX && !self.report.notes.contains(note) {
                self.report.notes.push(note.clone());
            }
        }
        self.finished.push(worked);
    }

    /// Commits what is finished: one transaction, one write to the disk.
    fn commit(&mut self, archive: &mut dyn Frontier) -> Result<(), CrawlError> {
        if self.finished.is_empty() {
            return Ok(());
        }
        let finished = std::mem::take(&mut self.finished);
        let mut batch = Vec::with_capacity(finished.len());
        for worked in finished {
            batch.push(self.outcome(worked));
        }
        let report = archive.commit(&batch, now())?;
        for committed in &report.committed {
            if let Committed::Page { alias_of: Some(_), .. } = committed {
                self.report.aliases += 1;
            }
        }
        if now().since(self.kept) >= KEEP_MS {
            self.keep(archive)?;
        }
        Ok(())
    }

    /// Keeps what is not part of any outcome. After a crash a little of it is learnt again.
    fn keep(&mut self, archive: &mut dyn Frontier) -> Result<(), CrawlError> {
        self.kept = now();
        archive.set_setting(TRAPS_SETTING, &self.guard.to_text())?;
        archive.set_setting(TRAPPED_SETTING, &self.report.trapped.to_string())?;
        archive.set_setting(COOKIES_SETTING, &self.client.cookies())?;
        Ok(())
    }

    fn outcome(&mut self, worked: Worked) -> Outcome {
        let Worked {
            claim,
            result,
            links,
            facts,
            memory,
            ..
        } = worked;
        let is_redirect = matches!(&result, ClaimResult::Page(page) if page.redirect.is_some());
        let depth = if is_redirect { claim.depth } else { claim.depth + 1 };
        let mut wanted: Vec<Url> = Vec::new();
        for url in links {
            let url = self.options.url_rules.strip(url);
            let is_wanted = self.options.scope.contains(&self.options.entry, &url) && (self.options.wants)(&url);
            if is_wanted && self.guard.check(&url, Some(&claim.request.url)).is_none() {
                wanted.push(url);
            }
        }
        if let Some(facts) = &facts {
            for trap in self.guard.take(facts) {
                self.report.notes.push(trap.reason);
            }
        }
        if let ClaimResult::Page(page) = &result {
            self.report.stored += 1;
            self.report.bytes += page.body.len() as u64;
        }
        Outcome {
            token: claim.token,
            result,
            links: wanted.into_iter().map(|url| self.new_request(url, depth)).collect(),
            host: Some(memory.to_stored(&self.options.schedule)),
        }
    }

    fn tell(&mut self, archive: &mut dyn Frontier, watch: &mut dyn FnMut(&Progress)) -> Result<(), CrawlError> {
        if now().since(self.told) >= PROGRESS_MS {
            self.told = now();
            watch(&self.progress(&archive.statistics()?));
        }
        Ok(())
    }

    fn progress(&self, statistics: &FrontierStatistics) -> Progress {
        Progress {
            done: statistics.done,
            to_do: statistics.waiting + statistics.open,
            failed: statistics.failed,
            skipped: statistics.skipped,
            stored: self.report.stored,
            bytes: self.report.bytes,
            elapsed_ms: now().since(self.started),
        }
    }

    fn end(mut self, archive: &mut dyn Frontier, watch: &mut dyn FnMut(&Progress)) -> Result<CrawlReport, CrawlError> {
        self.keep(archive)?;
        let statistics = archive.statistics()?;
        watch(&self.progress(&statistics));
        self.report.failed = statistics.failed;
        self.report.forbidden = statistics.skipped.saturating_sub(self.report.trapped);
        self.report.left = statistics.waiting + statistics.open;
        // What is under way is given up: a request that nobody waits for must not keep the program.
        self.runtime.shutdown_background();
        Ok(self.report)
    }
}
