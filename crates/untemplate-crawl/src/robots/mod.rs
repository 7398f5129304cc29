//! robots.txt: what a host asks of crawlers, by RFC 9309.
//!
//! [`Robots`] is one file, read leniently: any bytes give one. [`RobotsState`] is what a crawl
//! knows of a host's file over time: which copy counts, what to do while there is none, and when to
//! ask again. Nothing here fetches.
//!
//! ```
//! use untemplate_crawl::Robots;
//! let robots = Robots::parse(b"User-agent: *\nDisallow: /private/\nAllow: /private/open\nCrawl-delay: 2\n");
//! assert!(robots.decide("untemplate", "/private/open/a.html").allowed);
//! let decision = robots.decide("untemplate", "/private/a.html");
//! assert_eq!(decision.rule.expect("a rule decided").to_string(), "line 2: Disallow: /private/");
//! assert_eq!(robots.crawl_delay("untemplate"), Some(2_000));
//! ```

mod file;
mod line;
mod pattern;
mod state;

pub use file::{DecidingRule, Decision, Robots};
pub use state::{Permission, RobotsFetch, RobotsState};
