//! The crawl: from an entry address to every page in scope, politely, and so that it can die at any moment.
//!
//! Only the frontier, in the archive, decides when a host may be asked. `run` claims what is due, hands each claim to
//! a `worker`, and commits what came of it in batches: pages, links and the hosts' schedules in one transaction. A
//! worker asks robots first. Whatever was not committed when the process dies was not done, and is claimed again;
//! whatever was committed is never fetched again. What is kept of a host between two claims is its `HostMemory`.

mod host_memory;
mod options;
mod run;
mod worker;

pub use options::{CrawlControl, CrawlLimits, CrawlOptions, Progress};
pub use run::{CrawlError, CrawlReport, crawl};
