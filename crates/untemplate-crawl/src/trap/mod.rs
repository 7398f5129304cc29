//! Traps: parts of a site that go on for ever and hold nothing.
//!
//! Calendars, session names, facets, paths that loop, pagination past the end. [`TrapGuard`] counts
//! what is fetched by the pattern of its URL, and freezes a pattern that keeps yielding nothing
//! new: no text, picture or file, and no link to a page with any. The other error is worse: a real
//! list of 5,000 pages looks much like a trap. So a page counts against its pattern only when it
//! was found on a page of that pattern made by the same template, or is the very page that was seen
//! before; patience grows with what a pattern gave; and only what the pattern itself leads to is
//! refused, not what others point to.
//!
//! The library's `rebuild` leaves addresses alone by another measure, `job/shape_yield.rs`: whether
//! pages have a line that no page of their class had. That needs page classes, which a crawl has
//! not, and it forgets when the job ends, while a crawl that is killed goes on with what it learnt
//! of traps. This one needs text alone, and the page that led to an address, which whoever asks for
//! pages through a `Site` does not tell. What both can know, copies and addresses that repeat
//! themselves, is decided here for both.

mod guard;
mod guard_text;
mod memory;
mod page_facts;
mod parameter;
mod pattern;

pub use guard::{Trap, TrapGuard, TrapOptions};
pub use page_facts::PageFacts;
pub use pattern::{repeated_segments, url_pattern};
