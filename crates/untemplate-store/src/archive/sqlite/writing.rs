//! A transaction under way: what it has looked up, and what is to be put right before it ends.

use std::collections::{BTreeSet, HashMap};

use rusqlite::Connection;

use crate::archive::UnixMillis;
use crate::archive::known_keys::{Key, KnownKeys};

/// A transaction under way. The SQL of each concern is in a file of its own.
pub(super) struct Writing<'transaction> {
    pub(super) connection: &'transaction Connection,
    pub(super) known: &'transaction KnownKeys,
    pub(super) host_delay_ms: i64,
    pub(super) now: UnixMillis,
    /// Numbers of hosts that were looked up.
    pub(super) host_ids: HashMap<String, i64>,
    /// Hosts whose waiting requests have changed.
    pub(super) touched: BTreeSet<i64>,
    /// Requests that will be known once this is committed.
    pub(super) keys: Vec<Key>,
    /// The number of the next page, once it was asked for.
    pub(super) next_page: Option<i64>,
}

impl<'transaction> Writing<'transaction> {
    pub(super) fn new(
        connection: &'transaction Connection,
        known: &'transaction KnownKeys,
        host_delay_ms: i64,
        now: UnixMillis,
    ) -> Self {
        Self {
            connection,
            known,
            host_delay_ms,
            now,
            host_ids: HashMap::new(),
            touched: BTreeSet::new(),
            keys: Vec::new(),
            next_page: None,
        }
    }

    /// Puts right what depends on the rest; returns the requests that are known from now on.
    pub(super) fn finish(mut self) -> rusqlite::Result<Vec<Key>> {
        for host in std::mem::take(&mut self.touched) {
            self.find_head(host)?;
        }
        Ok(self.keys)
    }
}
