//! What survives a restart, as text: a first line with kind and version, then a key and a value per
//! line.
//!
//! The store keeps such texts as they are. They have a format of their own, so that a struct can
//! change without the stored crawls noticing.

use std::fmt::{Display, Write};
use std::str::FromStr;

/// A stored state that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateTextError {
    /// It is of another kind or of a version that this program does not know.
    #[error("the stored state begins with `{found}` and not with `{expected}`; a newer program may have written it")]
    Header {
        /// The first line that was found.
        found: String,
        /// The first line that was sought.
        expected: String,
    },
    /// A line is missing or makes no sense.
    #[error("the stored {kind} state has a bad line for `{key}`; delete it and it is learnt again")]
    Line {
        /// The kind of state.
        kind: &'static str,
        /// The key of the line.
        key: String,
    },
}

/// A state being written.
pub(crate) struct StateWriter {
    text: String,
}

impl StateWriter {
    pub(crate) fn new(kind: &'static str, version: u32) -> Self {
        Self {
            text: header(kind, version) + "\n",
        }
    }

    /// Adds a line. Line ends in a value would end it early, so they become spaces.
    pub(crate) fn line(&mut self, key: &str, value: impl Display) {
        let value = value.to_string().replace(['\n', '\r'], " ");
        writeln!(self.text, "{key} {value}").expect("writing to a string works");
    }

    pub(crate) fn optional_line(&mut self, key: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.line(key, value);
        }
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }
}

fn header(kind: &str, version: u32) -> String {
    format!("untemplate {kind} {version}")
}

/// A state being read: its keys and values in order.
pub(crate) struct StateReader<'a> {
    kind: &'static str,
    lines: Vec<(&'a str, &'a str)>,
}

impl<'a> StateReader<'a> {
    pub(crate) fn new(text: &'a str, kind: &'static str, version: u32) -> Result<Self, StateTextError> {
        let (found, body) = text.split_once('\n').unwrap_or((text, ""));
        let expected = header(kind, version);
        if found != expected {
            let found = found.chars().take(60).collect();
            return Err(StateTextError::Header { found, expected });
        }
        let lines = body.split('\n').filter(|line| !line.is_empty());
        let lines = lines.map(|line| line.split_once(' ').unwrap_or((line, ""))).collect();
        Ok(Self { kind, lines })
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = (&'a str, &'a str)> + '_ {
        self.lines.iter().copied()
    }

    pub(crate) fn bad_line(&self, key: &str) -> StateTextError {
        StateTextError::Line {
            kind: self.kind,
            key: key.to_owned(),
        }
    }

    /// A value that must be there.
    pub(crate) fn value<T: FromStr>(&self, key: &str) -> Result<T, StateTextError> {
        self.optional_value(key)?.ok_or_else(|| self.bad_line(key))
    }

    /// A value that may be missing, but makes sense if it is there.
    pub(crate) fn optional_value<T: FromStr>(&self, key: &str) -> Result<Option<T>, StateTextError> {
        let Some((_, value)) = self.lines.iter().find(|(its_key, _)| *its_key == key) else {
            return Ok(None);
        };
        value.parse().map(Some).map_err(|_| self.bad_line(key))
    }
}
