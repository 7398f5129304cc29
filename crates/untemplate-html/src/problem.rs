//! Problems: something odd about a page, reported beside the result.
//!
//! A page that cannot be understood is data, never an error: whoever reads it goes on, and says
//! what it met.

use std::fmt;

/// Something odd on a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// What kind of oddity, in a word or two that stay the same over versions: `too deep`,
    /// `bad encoding`.
    pub kind: &'static str,
    /// What exactly, for a person.
    pub message: String,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

/// Kinds of problems that mean that a part of the page was not read: those of the parser, and those
/// that the crates which fetch and store pages report with the same type.
const LOSSES: [&str; 11] = [
    "too long",
    "too large",
    "too slow",
    "bomb",
    "too many nodes",
    "too many attributes",
    "cut short",
    "cut when recorded",
    "not-rendered",
    "page-cut",
    "render-limits",
];

impl Problem {
    /// Whether a part of the page was not read, so that a result may be incomplete.
    pub fn is_loss(&self) -> bool {
        LOSSES.contains(&self.kind)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.message)
    }
}
