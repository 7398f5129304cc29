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

mod client;
mod clock;
mod crawl;
mod directive;
mod fetch;
mod render;
mod robots;
mod schedule;
mod sitemap;
mod soft_404;
mod state_text;
mod trap;
mod url_rules;

pub use client::{
    Answer, Awaited, BodyLimits, Client, ClientError, ClientOptions, ContentKind, Deadlines, ExchangeError,
    ExchangeOptions, Lookup, Resolver, is_public, read_http_date, read_retry_after, sniff,
};
pub use clock::now;
pub use crawl::{CrawlControl, CrawlError, CrawlLimits, CrawlOptions, CrawlReport, Progress, crawl};
pub use directive::{Directives, directives, followed_links, header_directives, is_nofollow, page_directives};
pub use fetch::{FetchOptions, Fetcher, FetcherError};
pub use render::{
    Browser, BrowserOptions, RenderChoice, RenderError, RenderLimits, RenderMode, RenderedSource, Worth, find_browser,
    is_richer, render,
};
pub use robots::{DecidingRule, Decision, Permission, Robots, RobotsFetch, RobotsState};
pub use schedule::{AddressCap, AddressOptions, HostEvent, HostState, HostStep, ScheduleOptions};
pub use sitemap::{Sitemap, SitemapEntry, SitemapKind, SitemapLimits, read_sitemap};
pub use soft_404::{Probe, probe_url};
pub use state_text::StateTextError;
pub use trap::{PageFacts, Trap, TrapGuard, TrapOptions, repeated_segments, url_pattern};
pub use url_rules::{CrawlScope, ParameterRule, ParameterRuleError, UrlRules};
