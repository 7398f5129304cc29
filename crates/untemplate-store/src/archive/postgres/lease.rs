//! The lease that a worker works under, and whose clock counts.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Whose clock decides when a host may be asked, and when a claim has run out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerClock {
    /// The server's own: what is told is taken as so long before or after that.
    Own,
    /// The one of whoever calls: for tests, which make the time up.
    Told,
}

/// What a worker knows of its lease without asking anybody: whether the others may take it for dead
/// by now. It is cheap to copy.
#[derive(Debug, Clone)]
pub struct WorkerLease {
    length: Duration,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Clone, Copy)]
struct State {
    /// Before the last renewal that succeeded was sent.
    renewed: Instant,
    /// Others took the worker for dead.
    is_lost: bool,
}

impl WorkerLease {
    /// Whether nobody can have taken the worker for dead: only then may it ask a host for anything.
    pub fn is_held(&self) -> bool {
        let state = *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        !state.is_lost && state.renewed.elapsed() < self.length
    }
}

#[cfg(feature = "postgres")]
impl WorkerLease {
    /// A lease that was taken after this moment.
    pub(super) fn new(length: Duration, renewed: Instant) -> Self {
        let state = State {
            renewed,
            is_lost: false,
        };
        Self {
            length,
            state: Arc::new(Mutex::new(state)),
        }
    }

    pub(super) fn renew(&self, sent: Instant) {
        self.change(|state| state.renewed = sent);
    }

    pub(super) fn lose(&self) {
        self.change(|state| state.is_lost = true);
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use super::*;

    #[test]
    fn a_lease_ends_by_itself_or_by_others() {
        let long_ago = Instant::now().checked_sub(Duration::from_secs(5)).expect("a moment");
        let lease = WorkerLease::new(Duration::from_secs(5), long_ago);
        assert!(!lease.is_held());
        lease.renew(Instant::now());
        assert!(lease.is_held());
        lease.lose();
        assert!(!lease.is_held());
    }
}
