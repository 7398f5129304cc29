//! The tables of an archive's database, and how it is opened.
//!
//! A host's `is_open` counts its open claims. A request is waiting, delayed (waiting for its time),
//! open, done, failed or skipped. A host has a head: the best of its waiting requests. Hosts that
//! may be asked are found by an index over heads, and whatever waits for its time by an index over
//! times, so that a claim costs the same however many requests and hosts are known.

use std::path::Path;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::archive::ArchiveError;

/// The version of the layout that this program writes.
const VERSION: i64 = 1;

/// Marks the database as one of ours: `untm`.
const APPLICATION_ID: i64 = 0x756e_746d;

/// The database's name in the archive's folder.
pub(super) const DATABASE_FILE: &str = "archive.sqlite";

/// States of a request. SQL below says these numbers literally, because partial indexes ask for
/// that.
pub(super) mod state {
    pub(crate) const WAITING: i64 = 0;
    pub(crate) const DELAYED: i64 = 1;
    pub(crate) const OPEN: i64 = 2;
    pub(crate) const DONE: i64 = 3;
    pub(crate) const FAILED: i64 = 4;
    pub(crate) const SKIPPED: i64 = 5;
}

const TABLES: &str = "
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE host (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    next_due INTEGER NOT NULL,
    delay_ms INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT '',
    is_open INTEGER NOT NULL DEFAULT 0,
    is_resting INTEGER NOT NULL DEFAULT 1,
    head_request INTEGER,
    head_priority REAL
);
CREATE INDEX host_ready ON host (head_priority DESC, head_request)
    WHERE is_open = 0 AND is_resting = 0 AND head_request IS NOT NULL;
CREATE INDEX host_resting ON host (next_due)
    WHERE is_open = 0 AND is_resting = 1 AND head_request IS NOT NULL;
CREATE TABLE request (
    id INTEGER PRIMARY KEY,
    key BLOB NOT NULL UNIQUE,
    method INTEGER NOT NULL,
    url TEXT NOT NULL,
    body BLOB,
    host INTEGER NOT NULL REFERENCES host,
    state INTEGER NOT NULL,
    priority REAL NOT NULL,
    due INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    found_on INTEGER,
    added_at INTEGER NOT NULL,
    n_retries INTEGER NOT NULL DEFAULT 0,
    n_lapses INTEGER NOT NULL DEFAULT 0,
    n_claims INTEGER NOT NULL DEFAULT 0,
    lease_until INTEGER,
    worker TEXT,
    reason TEXT,
    page INTEGER
);
CREATE INDEX request_waiting ON request (host, priority DESC, id) WHERE state = 0;
CREATE INDEX request_delayed ON request (due) WHERE state = 1;
CREATE INDEX request_open ON request (lease_until) WHERE state = 2;
CREATE INDEX request_failed ON request (id) WHERE state = 4;
CREATE TABLE segment (number INTEGER PRIMARY KEY, length INTEGER NOT NULL);
CREATE TABLE body (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    segment INTEGER NOT NULL REFERENCES segment,
    offset INTEGER NOT NULL,
    stored_length INTEGER NOT NULL,
    length INTEGER NOT NULL,
    first_page INTEGER NOT NULL
);
CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    request INTEGER NOT NULL REFERENCES request,
    status INTEGER NOT NULL,
    headers TEXT NOT NULL,
    body INTEGER REFERENCES body,
    redirect TEXT,
    fetched_at INTEGER NOT NULL,
    checked_at INTEGER NOT NULL,
    unmodified INTEGER,
    problems TEXT
);
CREATE INDEX page_request ON page (request);
CREATE TABLE tally (state INTEGER PRIMARY KEY, count INTEGER NOT NULL);
INSERT INTO tally VALUES (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0);
CREATE TRIGGER request_added AFTER INSERT ON request BEGIN
    UPDATE tally SET count = count + 1 WHERE state = new.state;
END;
CREATE TRIGGER request_moved AFTER UPDATE OF state ON request WHEN old.state <> new.state BEGIN
    UPDATE tally SET count = count - 1 WHERE state = old.state;
    UPDATE tally SET count = count + 1 WHERE state = new.state;
END;
";

/// How the connection behaves. A writer's commit is on the disk when it returns; the cache and the
/// log have bounds.
const WRITER_PRAGMAS: &str = "
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = OFF;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA journal_size_limit = 67108864;
PRAGMA cache_size = -16000;
";

/// How long to wait for another connection, such as a reader that tidies up.
const BUSY_MS: u64 = 5_000;

/// Statements that stay prepared: more than there are.
const STATEMENTS_MAX: usize = 64;

/// Opens the database for writing, and creates it where it is not there.
pub(super) fn open_writer(folder: &Path) -> Result<Connection, ArchiveError> {
    let file = folder.join(DATABASE_FILE);
    let failed = |error| ArchiveError::database(&file, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = open(&file, flags).map_err(failed)?;
    if is_empty(&connection).map_err(failed)? {
        connection.execute_batch(WRITER_PRAGMAS).map_err(failed)?;
        return create(&mut connection).map(|()| connection).map_err(failed);
    }
    check_version(&connection, folder)?;
    connection.execute_batch(WRITER_PRAGMAS).map_err(failed)?;
    Ok(connection)
}

/// Opens the database for reading, also while another process writes.
pub(super) fn open_reader(folder: &Path) -> Result<Connection, ArchiveError> {
    let file = folder.join(DATABASE_FILE);
    if !file.exists() {
        let reason = "there is no archive.sqlite in it";
        let folder = folder.to_owned();
        return Err(ArchiveError::NotAnArchive { folder, reason });
    }
    let failed = |error| ArchiveError::database(&file, &error);
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = open(&file, flags).map_err(failed)?;
    check_version(&connection, folder)?;
    Ok(connection)
}

fn open(file: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(std::time::Duration::from_millis(BUSY_MS))?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_MAX);
    Ok(connection)
}

fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let n_tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(n_tables == 0)
}

fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()
}

fn check_version(connection: &Connection, folder: &Path) -> Result<(), ArchiveError> {
    let file = folder.join(DATABASE_FILE);
    let failed = |error| ArchiveError::database(&file, &error);
    if pragma(connection, "application_id").map_err(failed)? != APPLICATION_ID {
        let reason = "archive.sqlite is a database of another program";
        let folder = folder.to_owned();
        return Err(ArchiveError::NotAnArchive { folder, reason });
    }
    let found = pragma(connection, "user_version").map_err(failed)?;
    if found > VERSION {
        let known = VERSION;
        return Err(ArchiveError::NewerVersion { file, found, known });
    }
    Ok(())
}
