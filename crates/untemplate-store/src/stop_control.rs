//! The stop flag of a run: whoever interrupts it sets the flag, and whatever fetches, waits or
//! visits pages looks at it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// Stops a run from outside. Clones share one flag.
#[derive(Debug, Clone, Default)]
pub struct StopControl {
    calls: Arc<AtomicU8>,
}

impl StopControl {
    /// Asks to stop: the first call lets requests under way finish, the second one abandons them.
    pub fn stop(&self) {
        self.calls.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether no new request is to be made.
    pub fn is_stopping(&self) -> bool {
        self.calls.load(Ordering::Relaxed) > 0
    }

    /// Whether requests under way are to be abandoned.
    pub fn is_stopping_now(&self) -> bool {
        self.calls.load(Ordering::Relaxed) > 1
    }
}
