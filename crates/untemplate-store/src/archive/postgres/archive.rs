//! The archive on a server, put together: the schedule of a crawl and its pages, for one worker of
//! any number.

use std::time::Instant;

use untemplate::page::Request;

use super::address::ArchiveAddress;
use super::bodies::Bodies;
use super::claims::Which;
use super::lease::{ServerClock, WorkerLease};
use super::moment::{Moment, server_now, text};
use super::outcomes::Surroundings;
use super::schema::state;
use super::server::{Fault, Server};
use super::session::Session;
use super::worker::Worker;
use super::{claims, hosts, lapses, lead, outcomes, page_store, requests, worker};
use crate::archive::known_keys::KnownKeys;
use crate::archive::page_store::{NewPage, PageId, PageStore, StoredPage};
use crate::archive::{
    ArchiveError, ArchiveOptions, Claim, ClaimOptions, ClaimResult, CommitReport, Committed, Fate, Frontier,
    FrontierStatistics, HostSchedule, KeptPage, NewRequest, Outcome, UnixMillis,
};

const SETTING: &str = "SELECT value FROM setting WHERE name = $1";

const SET_SETTING: &str = "INSERT INTO setting (name, value) VALUES ($1, $2)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// An archive on a PostgreSQL server, and this process as one of its workers.
pub struct PostgresArchive {
    server: Server,
    bodies: Bodies,
    known: KnownKeys,
    worker: Worker,
    clock: ServerClock,
    host_delay_ms: i64,
}

impl PostgresArchive {
    /// Opens the archive that an address names, and makes it where it is not there. Other workers
    /// go on as they are.
    pub fn open(address: &str, options: &ArchiveOptions, clock: ServerClock) -> Result<Self, ArchiveError> {
        let mut server = Server::open(ArchiveAddress::parse(address)?)?;
        let bodies = Bodies::new(&server)?;
        let worker = Worker::register(&mut server)?;
        Ok(Self {
            server,
            bodies,
            known: KnownKeys::new(),
            worker,
            clock,
            host_delay_ms: options.host_delay_ms,
        })
    }

    /// Takes the lead of the archive if it is free, or its holder is dead; whether this worker has
    /// it. Of those who do one job, the leader infers and writes, and the others fetch for it.
    pub fn lead(&mut self) -> Result<bool, ArchiveError> {
        self.take_back(UnixMillis(0))?;
        let worker = self.server.worker;
        self.server.transact_alone(|session| Ok(lead::lead(session, worker)?))
    }

    /// Gives the lead back: the job is done.
    pub fn resign(&mut self) -> Result<(), ArchiveError> {
        let worker = self.server.worker;
        self.server.transact_alone(|session| Ok(lead::resign(session, worker)?))
    }

    /// How many jobs were led to their end.
    pub fn n_led(&mut self) -> Result<i64, ArchiveError> {
        self.server.ask(|session| Ok(lead::n_led(session)?))
    }

    /// Claims in a transaction of its own, for this worker.
    fn claim_by(
        &mut self,
        now: UnixMillis,
        mut claim: impl FnMut(&mut Session, &Moment, i64) -> Result<Vec<Claim>, Fault>,
    ) -> Result<Vec<Claim>, ArchiveError> {
        self.take_back(now)?;
        let (clock, worker) = (self.clock, self.server.worker);
        let claims = self.server.transact(|session| {
            let moment = Moment::of(session, clock, now)?;
            claim(session, &moment, worker)
        })?;
        Ok(self.claimed(claims))
    }

    /// Takes back what nobody will settle, if there is any.
    fn take_back(&mut self, told: UnixMillis) -> Result<(), ArchiveError> {
        let clock = self.clock;
        let is_any = self.server.ask(|session| {
            let moment = Moment::of(session, clock, told)?;
            Ok(lapses::any(session, moment.now)?)
        })?;
        if !is_any {
            return Ok(());
        }
        self.server.transact_alone(|session| {
            let moment = Moment::of(session, clock, told)?;
            lapses::take_back(session, moment.now)
        })
    }

    fn claimed(&mut self, claims: Vec<Claim>) -> Vec<Claim> {
        self.server.open.extend(claims.iter().map(|claim| claim.id.0));
        claims
    }

    fn no_such_page(&self, page: PageId) -> ArchiveError {
        ArchiveError::NoSuchPage {
            folder: self.server.address.shown.clone().into(),
            number: page.0,
        }
    }
}

fn page_of(outcome: &Outcome) -> Option<&NewPage> {
    match &outcome.result {
        ClaimResult::Page(page) => Some(page),
        _ => None,
    }
}

impl Drop for PostgresArchive {
    fn drop(&mut self) {
        self.worker.stop();
        // A server that is gone is not waited for: the lease ends by itself.
        self.server.address.patience = std::time::Duration::ZERO;
        let worker = self.server.worker;
        let _ = self.server.transact_alone(|session| lapses::end(session, worker));
    }
}

impl Frontier for PostgresArchive {
    fn add(&mut self, requests: &[NewRequest], now: UnixMillis) -> Result<usize, ArchiveError> {
        let found: Vec<_> = requests.iter().map(|new| (new, None)).collect();
        let (known, delay_ms) = (&self.known, self.host_delay_ms);
        let (n_new, keys) = self
            .server
            .transact_alone(|session| Ok(requests::add(session, &found, known, delay_ms, now)?))?;
        self.known.add(&keys);
        Ok(n_new)
    }

    fn want(&mut self, requests: &[NewRequest], now: UnixMillis) -> Result<(), ArchiveError> {
        self.add(requests, now)?;
        self.server
            .transact_alone(|session| Ok(requests::want(session, requests)?))
    }

    fn claim(&mut self, now: UnixMillis, options: &ClaimOptions) -> Result<Vec<Claim>, ArchiveError> {
        self.claim_by(now, |session, moment, worker| {
            claims::claim(session, Which::All, moment, options, worker)
        })
    }

    fn claim_wanted(&mut self, now: UnixMillis, options: &ClaimOptions) -> Result<Vec<Claim>, ArchiveError> {
        self.claim_by(now, |session, moment, worker| {
            claims::claim(session, Which::Wanted, moment, options, worker)
        })
    }

    fn claim_of(
        &mut self,
        requests: &[Request],
        now: UnixMillis,
        options: &ClaimOptions,
    ) -> Result<Vec<Claim>, ArchiveError> {
        self.claim_by(now, |session, moment, worker| {
            claims::claim_of(session, requests, moment, options, worker)
        })
    }

    fn commit(&mut self, batch: &[Outcome], now: UnixMillis) -> Result<CommitReport, ArchiveError> {
        let pages: Vec<Option<&NewPage>> = batch.iter().map(page_of).collect();
        let hashes = self.bodies.store(&mut self.server, &pages)?;
        let (clock, known, host_delay_ms) = (self.clock, &self.known, self.host_delay_ms);
        let (report, keys) = self.server.transact_alone(|session| {
            let moment = Moment::of(session, clock, now)?;
            let around = Surroundings {
                moment,
                told: now,
                known,
                host_delay_ms,
            };
            outcomes::settle(session, batch, &hashes, &around)
        })?;
        for outcome in batch {
            self.server.open.remove(&outcome.token.request.0);
        }
        self.known.add(&keys);
        Ok(report)
    }

    fn statistics(&mut self) -> Result<FrontierStatistics, ArchiveError> {
        self.server.ask(|session| Ok(claims::statistics(session)?))
    }

    fn fate(&mut self, request: &Request) -> Result<Option<Fate>, ArchiveError> {
        self.server.ask(|session| Ok(requests::fate(session, request)?))
    }

    fn keep(&mut self, pages: &[KeptPage], now: UnixMillis) -> Result<Vec<Committed>, ArchiveError> {
        let new: Vec<Option<&NewPage>> = pages.iter().map(|kept| kept.page.as_ref()).collect();
        let hashes = self.bodies.store(&mut self.server, &new)?;
        let (clock, known, host_delay_ms) = (self.clock, &self.known, self.host_delay_ms);
        let kept = self.server.transact_alone(|session| {
            let moment = Moment::of(session, clock, now)?;
            let around = Surroundings {
                moment,
                told: now,
                known,
                host_delay_ms,
            };
            let pages = pages.iter().zip(&hashes);
            pages
                .map(|(page, hash)| outcomes::keep(session, page, *hash, &around))
                .collect::<Result<Vec<_>, _>>()
        })?;
        let (committed, keys): (Vec<_>, Vec<_>) = kept.into_iter().unzip();
        self.known.add(&keys.concat());
        Ok(committed)
    }

    fn refresh(&mut self, before: UnixMillis) -> Result<usize, ArchiveError> {
        self.server
            .transact_alone(|session| Ok(requests::refresh(session, before)?))
    }

    fn retry_failed(&mut self) -> Result<usize, ArchiveError> {
        self.server
            .transact_alone(|session| Ok(requests::retry(session, state::FAILED)?))
    }

    fn retry_skipped(&mut self) -> Result<usize, ArchiveError> {
        self.server
            .transact_alone(|session| Ok(requests::retry(session, state::SKIPPED)?))
    }

    fn host(&mut self, host: &str) -> Result<Option<HostSchedule>, ArchiveError> {
        self.server.ask(|session| Ok(hosts::host(session, host)?))
    }

    fn wake(&mut self, schedule: &HostSchedule) -> Result<(), ArchiveError> {
        self.server
            .transact_alone(|session| Ok(hosts::wake(session, schedule)?))
    }

    fn resting_hosts(&mut self, now: UnixMillis) -> Result<Vec<String>, ArchiveError> {
        let clock = self.clock;
        self.server.ask(|session| {
            let moment = Moment::of(session, clock, now)?;
            Ok(hosts::resting(session, moment.now)?)
        })
    }

    fn has_waiting_besides(&mut self, hosts: &[String]) -> Result<bool, ArchiveError> {
        self.server
            .ask(|session| Ok(hosts::has_waiting_besides(session, hosts)?))
    }

    fn setting(&mut self, name: &str) -> Result<Option<String>, ArchiveError> {
        let row = self.server.ask(|session| Ok(session.query_opt(SETTING, &[&name])?))?;
        Ok(row.map(|row| row.get(0)))
    }

    fn set_setting(&mut self, name: &str, value: &str) -> Result<(), ArchiveError> {
        let value = text(value);
        self.server.transact_alone(|session| {
            session.execute(SET_SETTING, &[&name, &&*value])?;
            Ok(())
        })
    }

    fn skipped_because(&mut self, begin: &str) -> Result<u64, ArchiveError> {
        self.server
            .ask(|session| Ok(requests::skipped_because(session, begin)?))
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn others(&mut self) -> Result<u64, ArchiveError> {
        let own = self.server.worker;
        self.server.ask(|session| Ok(worker::others(session, own)?))
    }

    fn clock_ahead_ms(&mut self, now: UnixMillis) -> Result<i64, ArchiveError> {
        if self.clock == ServerClock::Told {
            return Ok(0);
        }
        let asked = Instant::now();
        let server = self.server.ask(|session| Ok(server_now(session)?))?;
        // The answer was true somewhere between question and answer; half of the way is the best
        // guess.
        let half_ms = i64::try_from(asked.elapsed().as_millis() / 2).unwrap_or(0);
        Ok(server - half_ms - now.0)
    }

    fn lease(&self) -> Option<WorkerLease> {
        Some(self.worker.lease.clone())
    }
}

impl PageStore for PostgresArchive {
    fn page(&mut self, request: &Request) -> Result<Option<StoredPage>, ArchiveError> {
        self.server.ask(|session| page_store::page(session, request))
    }

    fn pages_after(&mut self, after: PageId, pages_max: usize) -> Result<Vec<StoredPage>, ArchiveError> {
        self.server
            .ask(|session| page_store::pages_after(session, after, pages_max))
    }

    fn captures_after(&mut self, after: PageId, captures_max: usize) -> Result<Vec<StoredPage>, ArchiveError> {
        self.server
            .ask(|session| page_store::captures_after(session, after, captures_max))
    }

    fn captures_of(&mut self, request: &Request) -> Result<Vec<StoredPage>, ArchiveError> {
        self.server.ask(|session| page_store::captures_of(session, request))
    }

    fn capture(&mut self, page: PageId) -> Result<StoredPage, ArchiveError> {
        let capture = self.server.ask(|session| page_store::capture(session, page))?;
        capture.ok_or_else(|| self.no_such_page(page))
    }

    fn body(&mut self, page: PageId) -> Result<Vec<u8>, ArchiveError> {
        let body = self.bodies.read(&mut self.server, page)?;
        body.ok_or_else(|| self.no_such_page(page))
    }
}
