//! Moments: what the archive and the crawler mean by "when".
//!
//! Nothing here reads a clock. Whoever acts asks for the time once and hands it down, so that every
//! decision about leases, delays and back-off can be repeated in a test.

use std::ops::{Add, Sub};

/// A moment, in milliseconds since 1970 began (UTC).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct UnixMillis(pub i64);

impl UnixMillis {
    /// A moment that never comes.
    pub const NEVER: Self = Self(i64::MAX);

    /// How many milliseconds after `earlier` this is; negative when it is before.
    pub fn since(self, earlier: Self) -> i64 {
        self.0.saturating_sub(earlier.0)
    }
}

impl Add<i64> for UnixMillis {
    type Output = Self;

    /// The moment this many milliseconds later; it stops at the end of time instead of overflowing.
    fn add(self, milliseconds: i64) -> Self {
        Self(self.0.saturating_add(milliseconds))
    }
}

impl Sub<i64> for UnixMillis {
    type Output = Self;

    /// The moment this many milliseconds earlier.
    fn sub(self, milliseconds: i64) -> Self {
        Self(self.0.saturating_sub(milliseconds))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_does_not_overflow() {
        assert_eq!(UnixMillis(5) + 10 - 3, UnixMillis(12));
        assert_eq!(UnixMillis::NEVER + 1, UnixMillis::NEVER);
        assert_eq!(UnixMillis(i64::MIN) - 1, UnixMillis(i64::MIN));
        assert_eq!(UnixMillis(5).since(UnixMillis(8)), -3);
    }
}
