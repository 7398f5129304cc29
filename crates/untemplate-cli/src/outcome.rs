//! Outcomes: how a run ended, as the exit code says it.

use std::fmt;

use untemplate_crawl::CrawlError;
use untemplate_store::archive::ArchiveError;
use untemplate_store::{JobFolderError, TableServerError};

/// An argument that makes no sense: exit code 2, as for what clap refuses.
#[derive(Debug)]
pub struct WrongUsage(pub String);

impl fmt::Display for WrongUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongUsage {}

/// The exit code of a run that failed.
pub fn failure_number(error: &anyhow::Error) -> u8 {
    let is_no_server = |cause: &(dyn std::error::Error + 'static)| {
        let job = match cause.downcast_ref::<JobFolderError>() {
            Some(JobFolderError::Server(server)) => Some(server),
            _ => cause.downcast_ref::<TableServerError>(),
        };
        let archive = match cause.downcast_ref::<CrawlError>() {
            Some(CrawlError::Archive(archive)) => Some(archive),
            _ => cause.downcast_ref::<ArchiveError>(),
        };
        matches!(job, Some(TableServerError::Address { .. })) || matches!(archive, Some(ArchiveError::Address { .. }))
    };
    let is_wrong = error.is::<WrongUsage>() || error.chain().any(is_no_server);
    if is_wrong { 2 } else { 1 }
}

/// How a run that did not fail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All that was asked for.
    Complete,
    /// A part of it; the summary says what cut it short.
    Partial,
    /// The site has changed: rules or assertions no longer hold.
    Drift,
    /// All, and there was nothing.
    Nothing,
    /// Somebody stopped it; all is kept, and the same command goes on.
    Interrupted,
}

impl Outcome {
    /// The code that programs read.
    pub fn number(self) -> u8 {
        match self {
            Self::Complete => 0,
            Self::Partial => 3,
            Self::Drift => 4,
            Self::Nothing => 5,
            Self::Interrupted => 130,
        }
    }
}
