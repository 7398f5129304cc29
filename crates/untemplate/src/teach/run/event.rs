//! What happens in a run, told as it happens.

use url::Url;

use super::super::taught_record::TaughtRecord;
use crate::page::{Problem, Request};

/// Something that happened in a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RunEvent<'a> {
    /// A request was made, or need not be.
    Arrived(&'a Arrival),
    /// A page of a class with a wrapper was read.
    Record(&'a TaughtRecord),
    /// Something is odd about a page or its requests.
    Odd(&'a Url, &'a Problem),
}

/// A request and what came of it: the constructional level, one edge at a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrival {
    /// How many request classes were followed to get here, those from a class to itself aside.
    pub level: usize,
    /// The page that the request was found on; `None` for entry addresses.
    pub parent: Option<Url>,
    /// The request class; `None` for entry addresses.
    pub request_class: Option<String>,
    /// The request.
    pub request: Request,
    /// The page class that it should lead to.
    pub class: String,
    /// The page's own address, where there is a page.
    pub page: Option<Url>,
    /// What came of it.
    pub fate: Fate,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A page that supports its class.
    Supports,
    /// A page that its class's assertion rejects, since these parts of it do not hold.
    Rejected {
        /// The parts, as [`Assertion::told`](crate::rule::Assertion::told) has them.
        failing: Vec<String>,
    },
    /// The page was reached before, and was not asked for again or not read again.
    Again,
    /// There is no such page.
    Dead {
        /// Why.
        reason: String,
    },
    /// Robots, the scope, or the specification's site forbid it.
    Refused {
        /// Why.
        reason: String,
    },
    /// The page is there and could not be fetched.
    Failed {
        /// Why.
        reason: String,
    },
}

impl Fate {
    /// In a word.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Supports => "supports",
            Self::Rejected { .. } => "rejected",
            Self::Again => "again",
            Self::Dead { .. } => "dead",
            Self::Refused { .. } => "refused",
            Self::Failed { .. } => "failed",
        }
    }
}
