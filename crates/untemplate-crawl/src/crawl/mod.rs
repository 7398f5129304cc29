//! The crawl: from an entry address to every page in scope, politely, and so that it can die at any
//! moment.
//!
//! Only the frontier, in the archive, decides when a host may be asked. `run` claims what is due;
//! the `engine` hands the claims on each host to a `worker`, and commits what came of them in
//! groups: pages, links and the hosts' schedules in one transaction. A worker asks robots first.
//! Whatever was not committed when the process dies was not done, and is claimed again; whatever
//! was committed is never fetched again. A host that rests between requests has one claim at a
//! time, so that each of its pages is committed at once; one that does not has a few, so that a
//! commit is of several. Never are there more than the workers of the crawl, so that a kill costs
//! at most that many requests.
//!
//! Where several machines share an archive, each runs this loop; a worker that fetches what another
//! one waits for is `helping`. What is known of a host is then read anew with each claim.
//!
//! What is kept of a host between two claims is its `HostMemory`; `reading` looks at pages,
//! `follow_policy` at links, `trap_memory` at what was learnt of traps before.

mod busy_archive;
mod engine;
mod follow_policy;
mod helping;
mod host_memory;
mod live_source;
mod options;
mod pending;
mod probing;
mod reading;
mod receipt;
mod rendering;
mod report;
mod robots_first;
mod run;
mod standing;
mod survey;
mod trap_memory;
mod worked;
mod worker;

pub use helping::help;
pub use live_source::{LiveOptions, LiveSource};
pub use options::{CrawlLimits, CrawlOptions, Progress, Wait};
pub use receipt::{HostReceipt, Receipt};
pub use report::{CrawlError, CrawlReport};
pub use run::crawl;
pub use survey::{Survey, survey};
