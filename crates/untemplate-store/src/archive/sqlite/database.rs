//! The database of an archive: a connection, and transactions that happen whole or not at all.

use std::io;
use std::path::PathBuf;

use rusqlite::{Connection, TransactionBehavior};

use super::writing::Writing;
use crate::archive::known_keys::{Key, KnownKeys};
use crate::archive::{ArchiveError, UnixMillis};

/// A connection and what goes with it.
pub(super) struct Database {
    pub(super) connection: Connection,
    /// The file, for messages.
    pub(super) file: PathBuf,
    /// Requests that are committed; see [`KnownKeys`].
    pub(super) known: KnownKeys,
    /// How long a host rests that nobody said anything about.
    pub(super) host_delay_ms: i64,
}

/// Why a transaction did not happen.
pub(super) enum Fault {
    /// The database refused.
    Database(rusqlite::Error),
    /// A step on the way was refused.
    Step(io::Error),
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::Database(error)
    }
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Step(error)
    }
}

impl Database {
    /// Does the work in a transaction, which is committed if it succeeds and rolled back if not.
    pub(super) fn transact<T>(
        &mut self,
        now: UnixMillis,
        work: impl FnOnce(&mut Writing<'_>) -> Result<T, Fault>,
    ) -> Result<T, ArchiveError> {
        let outcome = transact(&mut self.connection, &self.known, self.host_delay_ms, now, work);
        match outcome {
            Ok((result, keys)) => {
                self.known.add(&keys);
                Ok(result)
            }
            Err(Fault::Database(error)) => Err(ArchiveError::database(&self.file, &error)),
            Err(Fault::Step(cause)) => Err(ArchiveError::file("write", &self.file, cause)),
        }
    }

    /// The same without waiting for the disk: after a crash of the machine, not of the process, it
    /// may not have happened. The next transaction that waits makes this one safe, too.
    pub(super) fn transact_lightly<T>(
        &mut self,
        now: UnixMillis,
        work: impl FnOnce(&mut Writing<'_>) -> Result<T, Fault>,
    ) -> Result<T, ArchiveError> {
        self.set_synchronous("NORMAL")?;
        let outcome = self.transact(now, work);
        self.set_synchronous("FULL")?;
        outcome
    }

    fn set_synchronous(&self, how: &str) -> Result<(), ArchiveError> {
        self.ask(|connection| connection.pragma_update(None, "synchronous", how))
    }

    /// Asks the database.
    pub(super) fn ask<T>(&self, question: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, ArchiveError> {
        question(&self.connection).map_err(|error| ArchiveError::database(&self.file, &error))
    }
}

fn transact<T>(
    connection: &mut Connection,
    known: &KnownKeys,
    host_delay_ms: i64,
    now: UnixMillis,
    work: impl FnOnce(&mut Writing<'_>) -> Result<T, Fault>,
) -> Result<(T, Vec<Key>), Fault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut writing = Writing::new(&transaction, known, host_delay_ms, now);
    let result = work(&mut writing)?;
    let keys = writing.finish()?;
    transaction.commit()?;
    Ok((result, keys))
}
