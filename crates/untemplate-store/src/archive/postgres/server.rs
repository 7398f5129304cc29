//! The server as the archive uses it: a connection that comes back, and transactions that happen
//! whole or not at all.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use postgres::error::{ErrorPosition, SqlState};

use super::address::ArchiveAddress;
use super::schema::{Unfit, prepare};
use super::session::Session;
use crate::archive::ArchiveError;
use crate::server_login::reason_of;
use crate::server_tls::{broke_in_handshake, hint_of};

/// The first pause before a server that went away is tried again; each one is twice as long.
const PAUSE_MS: u64 = 50;

/// The longest pause.
const PAUSE_MS_MAX: u64 = 1_000;

/// Holds off everybody else who writes, but for claims, until the transaction ends. Each archive
/// has a lock of its own.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1970168161, 'untemplate_archive'::regclass::oid::int4)";

/// Whether this worker is still one.
const IS_ALIVE: &str = "SELECT 1 FROM worker WHERE id = $1 AND ended_at IS NULL";

/// Claims of this worker that it never heard of: the connection broke before it was told.
const RELEASE_UNHEARD: &str = "WITH released AS (
        UPDATE request SET state = 0, lease_until = NULL, worker = NULL
        WHERE worker = $1 AND state = 2 AND id <> ALL($2) RETURNING host)
    UPDATE host SET n_open = greatest(n_open - released.n, 0)
    FROM (SELECT host, count(*) AS n FROM released GROUP BY host) AS released WHERE host.id = released.host";

/// Why a transaction did not happen.
pub(super) enum Fault {
    /// The server refused, or went away.
    Server(postgres::Error),
    /// The archive is not as it should be, or not ours any more.
    Archive(ArchiveError),
}

impl From<postgres::Error> for Fault {
    fn from(error: postgres::Error) -> Self {
        Self::Server(error)
    }
}

impl From<ArchiveError> for Fault {
    fn from(error: ArchiveError) -> Self {
        Self::Archive(error)
    }
}

/// A server, and this process as its worker.
pub(super) struct Server {
    pub(super) address: ArchiveAddress,
    session: Option<Session>,
    /// The number of this worker; 0 before it has one.
    pub(super) worker: i64,
    /// Requests that this worker has claimed and not settled.
    pub(super) open: HashSet<i64>,
}

impl Server {
    /// Connects, and makes the archive where there is none.
    pub(super) fn open(address: ArchiveAddress) -> Result<Self, ArchiveError> {
        let mut session = Session::open(&address, 0).map_err(|error| cannot_connect(&address, &error))?;
        match prepare(&mut session, &address) {
            Ok(()) => {}
            Err(Unfit::Archive(error)) => return Err(error),
            Err(Unfit::Server(error)) => return Err(refused(&address, &error)),
        }
        Ok(Self {
            address,
            session: Some(session),
            worker: 0,
            open: HashSet::new(),
        })
    }

    /// Becomes this worker: from now on its changes are counted apart.
    pub(super) fn become_worker(&mut self, worker: i64) -> Result<(), ArchiveError> {
        self.worker = worker;
        self.ask(|session| Ok(session.run(&format!("SET untemplate.slot = '{worker}'"))?))
    }

    /// Asks the server; what it is asked is asked again when the connection broke.
    pub(super) fn ask<T>(
        &mut self,
        mut question: impl FnMut(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, ArchiveError> {
        let started = Instant::now();
        let mut pause = Duration::from_millis(PAUSE_MS);
        loop {
            let asked = match self.session() {
                Ok(session) => question(session),
                Err(fault) => Err(fault),
            };
            let error = match asked {
                Ok(answer) => return Ok(answer),
                Err(Fault::Archive(error)) => return Err(error),
                Err(Fault::Server(error)) => error,
            };
            if is_collision(&error) {
                continue;
            }
            if !is_gone(&error) {
                return Err(refused(&self.address, &error));
            }
            self.session = None;
            if started.elapsed() >= self.address.patience {
                return Err(ArchiveError::ServerGone {
                    address: self.address.shown.clone(),
                    reason: reason_of(&error),
                    seconds: self.address.patience.as_secs(),
                });
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(PAUSE_MS_MAX));
        }
    }

    /// Does the work in a transaction, which is committed if it succeeds and rolled back if not.
    pub(super) fn transact<T>(
        &mut self,
        mut work: impl FnMut(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, ArchiveError> {
        let (worker, lost) = (self.worker, lease_lost(&self.address));
        self.ask(|session| {
            session.run("BEGIN")?;
            let done = match is_alive(session, worker) {
                Ok(true) => work(session),
                Ok(false) => Err(Fault::Archive(lost())),
                Err(error) => Err(error.into()),
            };
            session.run(if done.is_ok() { "COMMIT" } else { "ROLLBACK" })?;
            done
        })
    }

    /// The same while nobody else writes, but for claims.
    pub(super) fn transact_alone<T>(
        &mut self,
        mut work: impl FnMut(&mut Session) -> Result<T, Fault>,
    ) -> Result<T, ArchiveError> {
        let (worker, lost) = (self.worker, lease_lost(&self.address));
        self.transact(|session| {
            session.query_one(LOCK, &[])?;
            // Whoever held the lock may have taken this worker for dead.
            if !is_alive(session, worker)? {
                return Err(Fault::Archive(lost()));
            }
            work(session)
        })
    }

    /// The connection, made anew where it broke.
    fn session(&mut self) -> Result<&mut Session, Fault> {
        if self.session.is_none() {
            let session = Session::open(&self.address, self.worker);
            let mut session = session.map_err(|error| match is_gone(&error) {
                true => Fault::Server(error),
                false => Fault::Archive(cannot_connect(&self.address, &error)),
            })?;
            let known: Vec<i64> = self.open.iter().copied().collect();
            session.execute(RELEASE_UNHEARD, &[&self.worker, &known])?;
            self.session = Some(session);
        }
        Ok(self.session.as_mut().expect("it was opened just now"))
    }
}

fn is_alive(session: &mut Session, worker: i64) -> Result<bool, postgres::Error> {
    Ok(worker == 0 || session.query_opt(IS_ALIVE, &[&worker])?.is_some())
}

fn lease_lost(address: &ArchiveAddress) -> impl Fn() -> ArchiveError + use<> {
    let (address, seconds) = (address.shown.clone(), address.lease.as_secs());
    move || ArchiveError::LeaseLost {
        address: address.clone(),
        seconds,
    }
}

/// Whether two transactions got into each other's way: one of them is done again.
fn is_collision(error: &postgres::Error) -> bool {
    let codes = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED];
    error.code().is_some_and(|code| codes.contains(code))
}

/// What the client says of a connection that broke.
const BROKEN: [&str; 3] = [
    "error communicating with the server",
    "error connecting to server",
    "timeout waiting for server",
];

/// Whether the server is not there, or not yet.
pub(super) fn is_gone(error: &postgres::Error) -> bool {
    let Some(code) = error.code() else {
        // Without a word of the server's, what the client says tells a connection that broke, or
        // never came about, from a mistake that would be made again.
        let said = error.to_string();
        return error.is_closed() || broke_in_handshake(error) || BROKEN.iter().any(|words| said.starts_with(words));
    };
    let codes = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
        SqlState::TOO_MANY_CONNECTIONS,
        SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
    ];
    codes.contains(code) || code.code().starts_with("08")
}

/// What to try when a password is wrong, or missing.
const PASSWORD_HINT: &str = "check the user, and its password in PGPASSWORD or the file that PGPASSFILE names";

/// The error for a server that does not let us in.
fn cannot_connect(address: &ArchiveAddress, error: &postgres::Error) -> ArchiveError {
    let reason = reason_of(error);
    let tls_hint = hint_of(error);
    let hint = match error.code() {
        _ if tls_hint.is_some() => tls_hint.unwrap_or_default(),
        Some(code) if code.code().starts_with("28") => PASSWORD_HINT,
        None if reason.contains("password") => PASSWORD_HINT,
        Some(code) if *code == SqlState::INVALID_CATALOG_NAME => "check the name of the database, or create it",
        Some(code) if *code == SqlState::TOO_MANY_CONNECTIONS => {
            "raise max_connections of the server, since each worker takes two, or start fewer"
        }
        _ => "check that the server runs, and its host and port",
    };
    ArchiveError::Connect {
        address: address.shown.clone(),
        reason,
        hint,
    }
}

/// The error for something that the server refused.
pub(super) fn refused(address: &ArchiveAddress, error: &postgres::Error) -> ArchiveError {
    if error.code() == Some(&SqlState::DISK_FULL) {
        return ArchiveError::DiskFull {
            file: address.shown.clone().into(),
        };
    }
    let place = error.as_db_error().and_then(|error| match error.position() {
        Some(ErrorPosition::Internal { query, .. }) => Some(format!(" in {query}")),
        _ => None,
    });
    ArchiveError::Refused {
        address: address.shown.clone(),
        reason: format!("{}{}", reason_of(error), place.unwrap_or_default()),
    }
}
