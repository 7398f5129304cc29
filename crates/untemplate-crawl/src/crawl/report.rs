//! What a run of a crawl did, and why one cannot go on.

use std::collections::BTreeMap;

use untemplate_store::StopReason;
use untemplate_store::archive::ArchiveError;

use super::receipt::HostReceipt;
use crate::client::ClientError;

/// Why a crawl cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The archive.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The HTTP client.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// Others are at the same archive for something else.
    #[error(
        "other workers crawl this archive with other bounds, scope or robots; give all of them the same command, or wait until they have ended"
    )]
    OtherWants,
    /// The system gave no threads.
    #[error("cannot start the threads that fetch: {0}; close other programs, or ask for fewer workers")]
    Threads(#[from] std::io::Error),
}

/// What a run of a crawl did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CrawlReport {
    /// Requests made, robots.txt included.
    pub requests: u64,
    /// Answers stored.
    pub stored: u64,
    /// Bytes of content stored.
    pub bytes: u64,
    /// Requests that an earlier run had done.
    pub reused: u64,
    /// Requests whose page could not be fetched, in all.
    pub failed: u64,
    /// Requests that were not made because robots.txt forbade it, in all.
    pub forbidden: u64,
    /// Requests that were not made because they lead into a trap, in all.
    pub trapped: u64,
    /// Requests that were not made because they are not within the scope and wants of this crawl,
    /// in all.
    pub out_of_scope: u64,
    /// Requests that are left to be made.
    pub left: u64,
    /// Pages whose content an earlier page had.
    pub aliases: u64,
    /// Pages that say "not found" with a status that says otherwise.
    pub soft_404s: u64,
    /// Pages stored in this run of which a part was not read, or which could not be rendered.
    pub incomplete: u64,
    /// Stored pages that a server said are still right.
    pub unmodified: u64,
    /// Answers stored, by status.
    pub statuses: BTreeMap<u16, u64>,
    /// What cut the run short.
    pub stopped_because: Option<StopReason>,
    /// Wishes of hosts that were not honoured in full, and parts of the site that were frozen as
    /// traps.
    pub notes: Vec<String>,
    /// How hosts were treated, those with the most requests first.
    pub hosts: Vec<HostReceipt>,
}

/// Notes that are kept; more of the same help nobody.
const NOTES_MAX: usize = 100;

impl CrawlReport {
    pub(super) fn note(&mut self, note: &str) {
        if self.notes.len() < NOTES_MAX && !self.notes.iter().any(|known| known == note) {
            self.notes.push(note.to_owned());
        }
    }
}
