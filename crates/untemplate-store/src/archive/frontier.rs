//! The frontier: which requests a crawl knows, when each may be made, and what became of it.
//!
//! A worker claims requests, fetches them, and commits what came of it: pages, links and the hosts'
//! schedules in one step that happens whole or not at all. A claim is a lease: a worker that dies
//! loses it, and nothing else. Only this decides when a host may be asked, and it keeps that across
//! restarts.

use untemplate::page::Request;
use url::Url;

use super::{ArchiveError, NewPage, PageId, UnixMillis, WorkerLease};

/// The schedule of a crawl. Nothing here reads a clock: every call that needs the time is told it.
pub trait Frontier: Send {
    /// Adds requests that are not known yet, all or none; returns how many were new. A fragment is
    /// no part of a request.
    fn add(&mut self, requests: &[NewRequest], now: UnixMillis) -> Result<usize, ArchiveError>;

    /// Adds requests that are not known yet, as [`Frontier::add`] does; those that failed or were
    /// not made before are to be made after all.
    fn want(&mut self, requests: &[NewRequest], now: UnixMillis) -> Result<(), ArchiveError>;

    /// Claims requests that are due, of hosts that may be asked now and have no open claim; the
    /// best priority first, of equals the oldest. A host that rests between requests gives one; one
    /// that does not gives as many as the options say, to be made one after the other. Leases that
    /// have run out are given up first, and their hosts rest for their delay from the end of the
    /// lease on, since nobody knows when the host was last asked.
    fn claim(&mut self, now: UnixMillis, options: &ClaimOptions) -> Result<Vec<Claim>, ArchiveError>;

    /// The same, of these requests alone, in their order.
    fn claim_of(
        &mut self,
        requests: &[Request],
        now: UnixMillis,
        options: &ClaimOptions,
    ) -> Result<Vec<Claim>, ArchiveError>;

    /// The same, of requests alone that somebody wanted and waits for: see [`Frontier::want`].
    /// Where one process writes, nobody else waits.
    fn claim_wanted(&mut self, now: UnixMillis, options: &ClaimOptions) -> Result<Vec<Claim>, ArchiveError> {
        let _ = (now, options);
        Ok(Vec::new())
    }

    /// Stores what became of claims, pages with their bodies, the links found and the hosts'
    /// schedules: all or none. A token that is no longer valid is refused for its claim alone, and
    /// the report says so.
    fn commit(&mut self, batch: &[Outcome], now: UnixMillis) -> Result<CommitReport, ArchiveError>;

    /// How far the crawl is. Cheap enough for every line of progress.
    fn statistics(&mut self) -> Result<FrontierStatistics, ArchiveError>;

    /// What is known of a request.
    fn fate(&mut self, request: &Request) -> Result<Option<Fate>, ArchiveError>;

    /// Stores pages that were fetched outside of any claim, such as imported ones, all or none;
    /// their requests are done. A page that is not newer than the stored one is refused, so that
    /// doing it twice is doing it once.
    fn keep(&mut self, pages: &[KeptPage], now: UnixMillis) -> Result<Vec<Committed>, ArchiveError>;

    /// Makes stored pages due again that were last fetched or checked before this time; returns how
    /// many.
    fn refresh(&mut self, before: UnixMillis) -> Result<usize, ArchiveError>;

    /// Makes failed requests due again; returns how many.
    fn retry_failed(&mut self) -> Result<usize, ArchiveError>;

    /// Makes requests due that were not made; returns how many.
    fn retry_skipped(&mut self) -> Result<usize, ArchiveError>;

    /// The schedule of a host, if it is known.
    fn host(&mut self, host: &str) -> Result<Option<HostSchedule>, ArchiveError>;

    /// Sets the schedule of a host, known or not, and makes those of its requests due that were put
    /// off, as if they had not been tried.
    fn wake(&mut self, schedule: &HostSchedule) -> Result<(), ArchiveError>;

    /// The hosts that may not be asked before this time.
    fn resting_hosts(&mut self, now: UnixMillis) -> Result<Vec<String>, ArchiveError>;

    /// Whether requests wait on other hosts than these.
    fn has_waiting_besides(&mut self, hosts: &[String]) -> Result<bool, ArchiveError>;

    /// A setting of the crawl.
    fn setting(&mut self, name: &str) -> Result<Option<String>, ArchiveError>;

    /// Keeps a setting of the crawl.
    fn set_setting(&mut self, name: &str, value: &str) -> Result<(), ArchiveError>;

    /// How many requests were not made for a reason that begins so.
    fn skipped_because(&mut self, begin: &str) -> Result<u64, ArchiveError>;

    /// Whether other processes may write to the archive at the same time: what is remembered of a
    /// host or a request may then be old.
    fn is_shared(&self) -> bool {
        false
    }

    /// How many other workers are at the archive now.
    fn others(&mut self) -> Result<u64, ArchiveError> {
        Ok(0)
    }

    /// How many milliseconds the archive's clock is ahead of one that now shows `now`. Workers on
    /// several machines that go by it agree on when a host may be asked.
    fn clock_ahead_ms(&mut self, now: UnixMillis) -> Result<i64, ArchiveError> {
        let _ = now;
        Ok(0)
    }

    /// The lease that this process works under, where others may take it for dead.
    fn lease(&self) -> Option<WorkerLease> {
        None
    }
}

/// The name under which the frontier schedules an address: its host, with the port where that is
/// not the usual one. `http` and `https` share it, since they share the machine.
pub fn host_name(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// The number of a request in its archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(pub i64);

/// A request to be made some time.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRequest {
    /// The request.
    pub request: Request,
    /// The higher, the earlier. What is no number comes last.
    pub priority: f64,
    /// How many links it is away from where the crawl began.
    pub depth: u32,
    /// The request on whose page it was found. `None` among the links of an [`Outcome`] means that
    /// outcome's own.
    pub found_on: Option<RequestId>,
}

/// How requests are claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimOptions {
    /// How many at most.
    pub claims_max: usize,
    /// How many at most of one host that needs no rest between requests.
    pub of_host_max: usize,
    /// How long the lease lasts.
    pub lease_ms: i64,
    /// Who claims, for whoever looks into the archive.
    pub worker: String,
}

/// A request that is to be made now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// Proves the claim when its outcome is committed.
    pub token: ClaimToken,
    /// The request's number.
    pub id: RequestId,
    /// The request.
    pub request: Request,
    /// The host it is scheduled under, see [`host_name`].
    pub host: String,
    /// Which attempt this is, from 1: it grows with every [`ClaimResult::Retry`].
    pub attempt: u32,
    /// How many claims ended without a word, because the process died or the lease ran out.
    pub n_lapses: u32,
    /// How many links it is away from where the crawl began.
    pub depth: u32,
    /// The page whose link led to it first.
    pub found_on: Option<Url>,
    /// What to send along so that the server may answer "not modified"; only where a page is
    /// stored.
    pub validators: Option<Validators>,
}

/// Proves a claim. It is valid until the claim is committed or its lease is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimToken {
    /// The request that is claimed.
    pub request: RequestId,
    /// Which claim on it.
    pub number: i64,
}

/// What a server said about the stored version of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    /// Its `ETag`.
    pub etag: Option<String>,
    /// Its `Last-Modified`.
    pub last_modified: Option<String>,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The claim.
    pub token: ClaimToken,
    /// How it ended.
    pub result: ClaimResult,
    /// The links found, added unless they are known.
    pub links: Vec<NewRequest>,
    /// What is known of the host now; `None` leaves that as it is.
    pub host: Option<HostSchedule>,
}

/// How a claim ended.
#[derive(Debug, Clone, PartialEq)]
pub enum ClaimResult {
    /// An answer to keep, whatever its status.
    Page(NewPage),
    /// The stored page is still right.
    NotModified,
    /// Nothing to keep; to be tried again.
    Retry {
        /// Not before this time.
        due: UnixMillis,
    },
    /// The page could not be fetched.
    Failed {
        /// Why, for a person.
        reason: String,
    },
    /// The request was not made: robots, scope, a trap.
    Skipped {
        /// Why, for a person.
        reason: String,
    },
    /// The request was not made, for a reason that is none of its own: it waits as before.
    Released,
}

/// When a host may be asked, and what the crawler wants to remember of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostSchedule {
    /// The host, see [`host_name`].
    pub host: String,
    /// It may be asked from this time on.
    pub next_due: UnixMillis,
    /// How long it rests between requests, at most a year. Kept so that it rests after a crash too.
    pub delay_ms: i64,
    /// Whatever the crawler keeps: its robots.txt, latencies. The archive does not look into it.
    pub state: String,
}

/// A page that comes with its request, and without a claim.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptPage {
    /// What was asked.
    pub request: NewRequest,
    /// What was answered; `None` says that the stored page was still right at `checked_at`.
    pub page: Option<NewPage>,
    /// When the server last said so.
    pub checked_at: UnixMillis,
}

/// What a commit did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommitReport {
    /// What became of each outcome, in the batch's order.
    pub committed: Vec<Committed>,
    /// How many of the links were new.
    pub n_new: usize,
}

/// What became of one outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Committed {
    /// The page is stored.
    Page {
        /// Its number.
        page: PageId,
        /// An earlier page with the very same content, which is stored once.
        alias_of: Option<PageId>,
    },
    /// It is noted, and no new page came of it.
    Noted,
    /// The claim was no longer open: nothing of this outcome was stored. The host's rest alone is
    /// respected.
    Refused,
}

/// How far a crawl is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FrontierStatistics {
    /// Requests to be made, now or later.
    pub waiting: u64,
    /// Requests that are claimed.
    pub open: u64,
    /// Requests that were answered.
    pub done: u64,
    /// Requests whose page could not be fetched.
    pub failed: u64,
    /// Requests that were not made.
    pub skipped: u64,
    /// Hosts that are known.
    pub hosts: u64,
    /// A claim before this time finds nothing, unless an open one ends. `None` when nothing waits
    /// for a free host.
    pub next_due: Option<UnixMillis>,
}

/// What is known of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is to be made.
    Waiting,
    /// It is claimed.
    Open,
    /// It was answered, see [`super::PageStore::page`].
    Done,
    /// Its page could not be fetched.
    Failed {
        /// Why, for a person.
        reason: String,
    },
    /// It was not made.
    Skipped {
        /// Why, for a person.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_addresses() {
        let name = |url: &str| host_name(&url.parse().expect("an address"));
        assert_eq!(name("http://A.example/x"), name("https://a.example:443/"));
        assert_eq!(name("http://127.0.0.1:8080/"), "127.0.0.1:8080");
        assert_eq!(name("file:///x"), "");
    }
}
