//! Why pages are no longer fetched although somebody asks for them.

use std::fmt;

/// What cut a run short. All that was fetched is kept, and the same command goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// Somebody said so.
    Interrupted,
    /// This many pages were allowed.
    Pages(u64),
    /// This many bytes were allowed.
    Bytes(u64),
    /// This many milliseconds were allowed.
    Time(i64),
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Pages(most) => write!(f, "--max-pages {most} reached"),
            Self::Bytes(most) => write!(f, "--max-bytes {most} reached"),
            Self::Time(most) => write!(f, "--max-time {} reached", *most as f64 / 1_000.0),
        }
    }
}
