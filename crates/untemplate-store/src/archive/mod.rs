//! The archive of a crawl: a folder that holds the schedule and every page.
//!
//! The story: `frontier` says what a schedule does and `page_store` what a store of pages does,
//! both as traits; `sqlite` does both for one process, with bodies in files of `segment` that go
//! through `disk`; `postgres` does both for any number of them; `place` says which one is meant;
//! `warc_export` and `warc_import` turn it into WARC files and back. After the process dies for any
//! reason, whatever was committed is there, and nothing else is.
//!
//! ```
//! use untemplate::page::Request;
//! use untemplate_store::archive::*;
//!
//! let folder = tempfile::tempdir()?;
//! let now = UnixMillis(0);
//! let mut archive = SqliteArchive::open(folder.path(), &ArchiveOptions::default(), now)?;
//! let request = Request::get("http://site.example/".parse()?);
//! archive.add(&[NewRequest { request: request.clone(), priority: 0.0, depth: 0, found_on: None }], now)?;
//!
//! let options = ClaimOptions { claims_max: 10, of_host_max: 1, lease_ms: 60_000, worker: "one".to_owned() };
//! let claim = archive.claim(now, &options)?.remove(0);
//! let page = NewPage {
//!     status: 200,
//!     headers: vec![],
//!     body: b"<p>Hello".to_vec(),
//!     redirect: None,
//!     fetched_at: now,
//!     problems: vec![],
//! };
//! archive.commit(&[Outcome { token: claim.token, result: ClaimResult::Page(page), links: vec![], host: None }], now)?;
//!
//! let stored = archive.page(&request)?.expect("it was committed");
//! assert_eq!(archive.body(stored.id)?, b"<p>Hello");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod both;
mod disk;
mod error;
mod frontier;
mod hash;
mod known_keys;
mod lock;
mod packing;
mod page_store;
mod place;
mod postgres;
mod request_key;
mod segment;
mod sqlite;
mod stored_text;
mod time;
mod warc_export;
mod warc_import;
mod warc_text;

pub use both::Archive;
pub use disk::{CommitStep, Disk, SystemDisk};
pub use error::ArchiveError;
pub use frontier::{
    Claim, ClaimOptions, ClaimResult, ClaimToken, CommitReport, Committed, Fate, Frontier, FrontierStatistics,
    HostSchedule, KeptPage, NewRequest, Outcome, RequestId, Validators, host_name,
};
pub use hash::ContentHash;
pub use page_store::{NewPage, PageId, PageStore, StoredPage, stored_response, visit_captures, visit_pages};
pub use place::ArchivePlace;
pub use postgres::{PostgresArchive, ServerClock, WorkerLease};
pub use sqlite::{ArchiveOptions, ArchiveReader, SqliteArchive};
pub use time::UnixMillis;
pub use warc_export::{WarcExport, WarcExportOptions, export_warc};
pub use warc_import::{WarcImport, import_warc};
