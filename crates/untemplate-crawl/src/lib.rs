//! Pages from the live web.
//!
//! [`LiveSource`] is the live web as a page source, through an archive; [`crawl()`] takes a whole
//! site into one. Both are polite, and can die at any moment. Nothing else in the workspace
//! connects.
//!
//! ```
//! use untemplate_crawl::{CrawlOptions, LiveOptions, LiveSource, StopControl};
//!
//! let folder = tempfile::tempdir()?;
//! let archive = folder.path().join("site.example");
//! let options = LiveOptions {
//!     crawl: CrawlOptions::of("http://site.example/".parse()?),
//!     archive: Box::new(move |_| archive.clone().into()),
//!     refresh_ms: None,
//!     redirects_max: 20,
//!     watch: Box::new(|_| {}),
//! };
//! let live = LiveSource::new(options, &StopControl::default());
//! # drop(live);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answering;
mod client;
mod clock;
mod crawl;
mod directive;
mod render;
mod robots;
mod schedule;
mod sitemap;
mod soft_404;
mod state_text;
mod trap;
mod url_rules;
mod web_site;

pub use answering::{ask_whether_it_answers, post_json};
pub use client::{
    Answer, Awaited, Client, ClientError, ClientOptions, ContentKind, Deadlines, ExchangeError, ExchangeOptions,
    Lookup, NetscapeCookies, NotACookie, Resolver, is_public, read_http_date, read_netscape_cookies, read_retry_after,
    sniff,
};
pub use clock::now;
pub use crawl::{
    CrawlError, CrawlLimits, CrawlOptions, CrawlReport, HostReceipt, LiveOptions, LiveSource, Progress, Receipt,
    Survey, Wait, crawl, help, survey,
};
pub use directive::{headers_allow_following, is_nofollow, page_allows_following};
pub use render::{
    Browser, BrowserOptions, RenderChoice, RenderError, RenderLimits, RenderMode, RenderedSource, Renderer, Worth,
    find_browser, is_richer, render,
};
pub use robots::{DecidingRule, Decision, Permission, Robots, RobotsFetch, RobotsState};
pub use schedule::{AddressCap, AddressOptions, HostEvent, HostState, HostStep, ScheduleOptions};
pub use sitemap::{
    Listed, Sitemap, SitemapEntry, SitemapKind, SitemapLimits, SitemapWalk, read_listed, read_sitemap,
    sitemap_addresses,
};
pub use soft_404::{Probe, probe_url};
pub use state_text::StateTextError;
pub use trap::{PageFacts, Trap, TrapGuard, TrapOptions, repeated_segments, url_pattern};
pub use untemplate_store::{BodyLimits, StopControl};
pub use url_rules::{CrawlScope, ParameterRule, ParameterRuleError, UrlRules};
pub use web_site::WebSite;
