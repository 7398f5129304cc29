//! untemplate in a browser: teaching by clicks, and looking at what was found.
//!
//! A server on this machine alone, whose pages are made here and shown by any browser: HTML from
//! the server, small modules of plain JavaScript, nothing built, nothing from elsewhere; all of it
//! is inside the program. It is a thin view: what is decided is decided by the library, and what is
//! shown can be made again from files.
//!
//! - [`teach`]: a page as it was fetched, and a panel beside it that makes of clicks and answers a
//!   specification.
//! - [`look`]: crawls, models and tables on this machine.
//! - [`jobs`]: verbs started from the browser.
//! - [`disk`]: sites that are folders, pages or WARC files.
//! - [`safe`]: what stands between a page from the web and this machine. Every request passes its
//!   access, every page its sieve.
//!
//! Pages are asked for at the [`site_thread`]: whoever starts the studio brings the page source,
//! and nothing here connects to anything.

pub mod assets;
pub mod disk;
pub mod jobs;
pub mod layout;
pub mod look;
pub mod router;
pub mod safe;
pub mod site_thread;
pub mod studio;
pub mod teach;

pub use jobs::JobOptions;
pub use jobs::order::archive_name;
pub use site_thread::{OpenEntry, OpenSite};
pub use studio::{FindAddress, IsPrivate, LessonOptions, Studio, StudioError, StudioOptions};
