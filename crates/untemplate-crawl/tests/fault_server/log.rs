//! The log: what was asked, when, over which connection, from which host.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use super::connection::header;

/// Lines kept; a test that needs more is too large.
const LINES_MAX: usize = 200_000;

/// What a server was asked. Clones are the same log.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Lines>>);

#[derive(Debug, Default)]
struct Lines {
    asked: Vec<LogLine>,
    n_connections: usize,
    /// Connections open at each address of the server, now and at the most.
    open: BTreeMap<IpAddr, (usize, usize)>,
}

/// One request.
#[derive(Debug, Clone)]
pub struct LogLine {
    /// When it had come in.
    pub at: Instant,
    /// The connection it came over, counted from 1.
    pub connection: usize,
    /// The address of the server that it came to.
    pub local: SocketAddr,
    /// Where it came from.
    pub peer: SocketAddr,
    /// The `Host` header.
    pub host: String,
    /// The path with its query.
    pub path: String,
    /// The whole head as it came.
    pub head: String,
}

impl Log {
    /// All requests so far, in order.
    pub fn lines(&self) -> Vec<LogLine> {
        self.lock().asked.clone()
    }

    /// Connections that were made so far.
    pub fn n_connections(&self) -> usize {
        self.lock().n_connections
    }

    /// The most connections that were open at once, at each address of the server.
    pub fn open_connections_max(&self) -> BTreeMap<IpAddr, usize> {
        self.lock()
            .open
            .iter()
            .map(|(address, (_, most))| (*address, *most))
            .collect()
    }

    /// Notes a new connection.
    pub(super) fn open(&self, local: SocketAddr, peer: SocketAddr) -> ConnectionLog {
        let mut lines = self.lock();
        lines.n_connections += 1;
        let (open, most) = lines.open.entry(local.ip()).or_default();
        *open += 1;
        *most = (*most).max(*open);
        ConnectionLog {
            log: self.clone(),
            connection: lines.n_connections,
            local,
            peer,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().expect("no panics")
    }
}

/// The log of one connection, until it closes.
pub(super) struct ConnectionLog {
    log: Log,
    connection: usize,
    local: SocketAddr,
    peer: SocketAddr,
}

impl ConnectionLog {
    /// Notes a request.
    pub(super) fn asked(&self, path: &str, head: &str) {
        let line = LogLine {
            at: Instant::now(),
            connection: self.connection,
            local: self.local,
            peer: self.peer,
            host: header(head, "host").unwrap_or_default().to_owned(),
            path: path.to_owned(),
            head: head.to_owned(),
        };
        let mut lines = self.log.lock();
        if lines.asked.len() < LINES_MAX {
            lines.asked.push(line);
        }
    }
}

impl Drop for ConnectionLog {
    fn drop(&mut self) {
        if let Some((open, _)) = self.log.lock().open.get_mut(&self.local.ip()) {
            *open -= 1;
        }
    }
}
