//! The clock: the one place of this crate that asks for the time.

use std::time::{SystemTime, UNIX_EPOCH};

use untemplate_store::UnixMillis;

/// The time, as archives count it.
pub fn now() -> UnixMillis {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixMillis(i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX))
}
