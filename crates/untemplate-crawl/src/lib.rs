//! Pages from the live web.
//!
//! [`Fetcher`] is the page source that touches the network. Nothing else in the workspace connects.
//!
//! ```
//! use std::time::Duration;
//! use untemplate_crawl::{FetchOptions, Fetcher};
//!
//! let fetcher = Fetcher::new(FetchOptions { timeout: Duration::from_secs(10), ..FetchOptions::default() })?;
//! # drop(fetcher);
//! # Ok::<(), untemplate_crawl::FetcherError>(())
//! ```

mod fetch;

pub use fetch::{FetchOptions, Fetcher, FetcherError};
