//! The time of a call, as the archive counts it.

use super::lease::ServerClock;
use super::session::Session;
use crate::archive::UnixMillis;

/// Times are added to in SQL, where nothing may overflow: this is far enough from any that is
/// meant.
const FAR: i64 = 1 << 62;

/// Both clocks leave out parts of a millisecond, and no pause may be shorter for that.
const ROUNDING_MS: i64 = 2;

/// The time of a call, and how far the archive's clock is from the one of whoever calls.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moment {
    /// Now, by the clock that counts.
    pub(super) now: i64,
    ahead_ms: i64,
}

impl Moment {
    /// The time by the clock that counts. It is asked for as late as possible: a pause that begins
    /// late is never too short.
    pub(super) fn of(session: &mut Session, clock: ServerClock, told: UnixMillis) -> Result<Self, postgres::Error> {
        let now = match clock {
            ServerClock::Told => bounded(told),
            ServerClock::Own => server_now(session)?,
        };
        let rounding_ms = if clock == ServerClock::Own { ROUNDING_MS } else { 0 };
        let ahead_ms = now.saturating_sub(bounded(told)).saturating_add(rounding_ms);
        Ok(Self { now, ahead_ms })
    }

    /// A time of whoever calls, by the clock that counts.
    pub(super) fn stored(&self, told: UnixMillis) -> i64 {
        match told {
            UnixMillis::NEVER => FAR,
            told => bounded(told + self.ahead_ms),
        }
    }

    /// A moment this many milliseconds from now.
    pub(super) fn after(&self, milliseconds: i64) -> i64 {
        bounded(UnixMillis(self.now) + milliseconds)
    }
}

/// The server's clock.
pub(super) fn server_now(session: &mut Session) -> Result<i64, postgres::Error> {
    Ok(session.query_one("SELECT now_ms()", &[])?.get(0))
}

/// A time that can be added to.
pub(super) fn bounded(time: UnixMillis) -> i64 {
    time.0.clamp(-FAR, FAR)
}

/// A text without what PostgreSQL cannot hold: the character zero becomes a replacement character.
pub(super) fn text(text: &str) -> std::borrow::Cow<'_, str> {
    match text.contains('\0') {
        true => text.replace('\0', "\u{fffd}").into(),
        false => text.into(),
    }
}
