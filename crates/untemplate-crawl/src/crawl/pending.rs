//! Requests of a batch that are under way: which wait for their host, which are claimed, and what
//! is done.
//!
//! In: what was asked for, and the archive, whose schedule says which host may be asked. Out: the
//! next requests to claim, and how long to sleep until there is one. An archive may be shared: what
//! others have claimed is waited for, and what they have settled is done.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use untemplate::page::Request;
use untemplate_store::StopReason;
use untemplate_store::archive::{Archive, Fate, FrontierStatistics, NewRequest, RequestId, host_name};

use super::engine::{Engine, RUN_MAX};
use super::options::Progress;
use super::report::CrawlError;
use crate::clock::now;

/// How long to sleep at the most before looking at limits again.
const NAP_MAX_MS: i64 = 200;

/// The least time between two looks at a schedule that is shared.
const NAP_SHARED_MS: i64 = 20;

/// Requests that are not done yet, by host, in their order.
pub(super) struct Pending {
    hosts: BTreeMap<String, Vec<Request>>,
    /// Those that are claimed.
    claimed: HashMap<RequestId, Request>,
    /// What is said of the host that was asked for, once it is given up.
    pub(super) silence: Option<StopReason>,
}

impl Pending {
    pub(super) fn new(wanted: Vec<NewRequest>, archive: &mut dyn Archive) -> Result<Self, CrawlError> {
        let mut hosts: BTreeMap<String, Vec<Request>> = BTreeMap::new();
        for NewRequest { request, .. } in wanted {
            // What others have claimed is waited for.
            if matches!(archive.fate(&request)?, Some(Fate::Waiting | Fate::Open)) {
                hosts.entry(host_name(&request.url)).or_default().push(request);
            }
        }
        Ok(Self {
            hosts,
            claimed: HashMap::new(),
            silence: None,
        })
    }

    /// Leaves hosts alone that are given up; what ends the run, if the one that was asked for is
    /// among them.
    pub(super) fn give_up(&mut self, engine: &Engine) -> Option<StopReason> {
        let mut given_up = engine.given_up();
        self.hosts.retain(|host, _| !given_up.contains_key(host));
        if self.silence.is_none() {
            let message = given_up.remove(&host_name(&engine.options.entry));
            self.silence = message.map(StopReason::silent);
        }
        self.silence
    }

    pub(super) fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.claimed.is_empty()
    }

    /// The next requests to each host.
    pub(super) fn next(&self) -> Vec<Request> {
        let of_hosts = self.hosts.values().flat_map(|requests| requests.iter().take(RUN_MAX));
        of_hosts.cloned().collect()
    }

    /// How far it is with what it was asked for; what else the archive knows is not its business.
    pub(super) fn progress(&self, engine: &Engine) -> Progress {
        let to_do = self.claimed.len() + self.hosts.values().map(Vec::len).sum::<usize>();
        let (done, to_do) = (engine.report.stored, to_do as u64);
        Progress {
            done,
            to_do,
            failed: 0,
            skipped: 0,
            estimated: Some(done + to_do),
            ..engine.progress(&FrontierStatistics::default())
        }
    }

    pub(super) fn claimed(&mut self, claims: impl Iterator<Item = (RequestId, Request)>) {
        for (id, request) in claims {
            let host = host_name(&request.url);
            if let Some(requests) = self.hosts.get_mut(&host) {
                requests.retain(|pending| *pending != request);
                if requests.is_empty() {
                    self.hosts.remove(&host);
                }
            }
            self.claimed.insert(id, request);
        }
    }

    /// What was claimed and is not open any more is done, or is to be made again.
    pub(super) fn settle(&mut self, archive: &mut dyn Archive) -> Result<(), CrawlError> {
        let mut again = Vec::new();
        for (id, request) in &self.claimed {
            match archive.fate(request)? {
                Some(Fate::Open) => {}
                Some(Fate::Waiting) => again.push((*id, true)),
                _ => again.push((*id, false)),
            }
        }
        for (id, is_waiting) in again {
            let request = self.claimed.remove(&id).expect("it was claimed");
            if is_waiting {
                self.hosts.entry(host_name(&request.url)).or_default().push(request);
            }
        }
        Ok(())
    }

    /// What others have settled meanwhile is done.
    pub(super) fn look(&mut self, archive: &mut dyn Archive) -> Result<(), CrawlError> {
        if !archive.is_shared() {
            return Ok(());
        }
        for request in self.next() {
            let is_pending = matches!(archive.fate(&request)?, Some(Fate::Waiting | Fate::Open));
            let host = host_name(&request.url);
            if let Some(requests) = self.hosts.get_mut(&host).filter(|_| !is_pending) {
                requests.retain(|pending| *pending != request);
            }
        }
        self.hosts.retain(|_, requests| !requests.is_empty());
        Ok(())
    }

    /// How long no host may be asked.
    pub(super) fn nap(&self, archive: &mut dyn Archive) -> Result<Duration, CrawlError> {
        let mut nap_ms = NAP_MAX_MS;
        let busy: HashSet<String> = self.claimed.values().map(|request| host_name(&request.url)).collect();
        for host in self.hosts.keys().filter(|host| !busy.contains(*host)) {
            let due = archive.host(host)?.map_or(now(), |schedule| schedule.next_due);
            nap_ms = nap_ms.min(due.since(now()));
        }
        // A host that others have claimed looks as if it were free.
        let least = if archive.is_shared() { NAP_SHARED_MS } else { 1 };
        Ok(Duration::from_millis(nap_ms.clamp(least, NAP_MAX_MS) as u64))
    }
}
