//! The clock: the one place of this crate that asks for the time.
//!
//! Where several machines share an archive, all of them go by its clock: see [`follow_clock`].

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use untemplate_store::UnixMillis;

/// How far the clock that is followed is ahead of this machine's.
static AHEAD_MS: AtomicI64 = AtomicI64::new(0);

/// The time, as archives count it.
pub fn now() -> UnixMillis {
    machine_now() + AHEAD_MS.load(Ordering::Relaxed)
}

/// The time by the machine's own clock.
pub(crate) fn machine_now() -> UnixMillis {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMillis(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
}

/// From now on the time is that of a clock which is so far ahead of the machine's.
pub(crate) fn follow_clock(ahead_ms: i64) {
    AHEAD_MS.store(ahead_ms, Ordering::Relaxed);
}
