//! This process as the other workers see it: a number of its own, and a lease that a thread renews.
//!
//! The number is what fences a worker off. One that was silent for longer than its lease is ended
//! by the next worker that looks; whatever it tries to write from then on is refused, however late
//! it wakes up.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Instant;

use super::address::ArchiveAddress;
use super::lease::WorkerLease;
use super::server::Server;
use super::session::Session;
use crate::archive::ArchiveError;

const REGISTER: &str = "INSERT INTO worker (name, started_at, lease_ms, lease_until)
    VALUES ($1, now_ms(), $2, now_ms() + $2) RETURNING id";

const RENEW: &str = "UPDATE worker SET lease_until = now_ms() + lease_ms WHERE id = $1 AND ended_at IS NULL";

/// A process that opens an archive twice is one worker.
const OTHERS: &str = "SELECT count(DISTINCT name) FROM worker WHERE ended_at IS NULL AND lease_until > now_ms()
    AND name <> (SELECT name FROM worker WHERE id = $1)";

/// Renewals within a lease.
const RENEWALS: u32 = 4;

/// A worker, as long as it lives.
pub(super) struct Worker {
    pub(super) lease: WorkerLease,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Takes a number and a lease, and keeps the lease renewed.
    pub(super) fn register(server: &mut Server) -> Result<Self, ArchiveError> {
        let name = name();
        let length = server.address.lease;
        let lease_ms = i64::try_from(length.as_millis()).unwrap_or(i64::MAX);
        let taken = Instant::now();
        let id: i64 = server.transact(|session| Ok(session.query_one(REGISTER, &[&name, &lease_ms])?.get(0)))?;
        server.become_worker(id)?;
        let lease = WorkerLease::new(length, taken);
        let (stop, stopped) = channel();
        let (address, own) = (server.address.clone(), lease.clone());
        let thread = std::thread::Builder::new().name("lease".to_owned()).spawn(move || {
            let mut session = None;
            while stopped.recv_timeout(length / RENEWALS) == Err(RecvTimeoutError::Timeout) {
                renew(&mut session, &address, id, &own);
            }
        });
        let thread = thread.map_err(|cause| ArchiveError::Refused {
            address: server.address.shown.clone(),
            reason: format!("this machine gives no thread to renew the lease: {cause}"),
        })?;
        Ok(Self {
            lease,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Stops renewing.
    pub(super) fn stop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // A thread that broke down has stopped, too.
            let _ = thread.join();
        }
    }
}

/// Renews the lease once. What fails is tried again next time: the lease outlives a few.
fn renew(session: &mut Option<Session>, address: &ArchiveAddress, id: i64, lease: &WorkerLease) {
    let sent = Instant::now();
    if session.is_none() {
        *session = Session::open(address, id).ok();
    }
    let renewed = match session {
        Some(session) => session.execute(RENEW, &[&id]),
        None => return,
    };
    match renewed {
        Ok(0) => lease.lose(),
        Ok(_) => lease.renew(sent),
        Err(_) => *session = None,
    }
}

/// How many other workers are alive.
pub(super) fn others(session: &mut Session, own: i64) -> Result<u64, postgres::Error> {
    let count: i64 = session.query_one(OTHERS, &[&own])?.get(0);
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Who this is, for whoever looks into the archive.
fn name() -> String {
    let machine = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let machine = machine.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    format!("process {} on {}", std::process::id(), machine.trim())
        .trim_end_matches(" on ")
        .to_owned()
}
