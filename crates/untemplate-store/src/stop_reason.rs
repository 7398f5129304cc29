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
    /// A host was given up, or pages can no longer be kept, and this is said of it.
    Silent(&'static str),
}

impl StopReason {
    /// A host was given up, or pages can no longer be kept. A run ends so once, and its figures are
    /// copied all over, so that what is said of it is kept as long as the process.
    pub fn silent(message: String) -> Self {
        Self::Silent(message.leak())
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Interrupted => f.write_str("interrupted"),
            Self::Pages(most) => write!(f, "--max-pages {most} reached"),
            Self::Bytes(most) => write!(f, "--max-bytes {most} reached"),
            Self::Silent(message) => f.write_str(message),
            Self::Time(most) => write!(f, "--max-time {} reached", *most as f64 / 1_000.0),
        }
    }
}
