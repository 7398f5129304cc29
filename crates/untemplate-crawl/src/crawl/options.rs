//! How a crawl is done, how it is stopped, and what it tells while it runs.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use untemplate::page::ParseOptions;
use untemplate_store::UnixMillis;
use url::Url;

use crate::client::ClientOptions;
use crate::render::Renderer;
use crate::schedule::ScheduleOptions;
use crate::trap::TrapOptions;
use crate::url_rules::{CrawlScope, UrlRules};

/// How a crawl is done.
#[derive(Clone)]
pub struct CrawlOptions {
    /// Where it begins.
    pub entry: Url,
    /// How far it reaches from there.
    pub scope: CrawlScope,
    /// Which addresses in scope are wanted.
    pub wants: Arc<dyn Fn(&Url) -> bool + Send + Sync>,
    /// Pages to start from beside the entry.
    pub starts: Vec<Url>,
    /// The most links in a row that are followed.
    pub depth_max: Option<u32>,
    /// Tells these wants from others: when a crawl goes on with other wants, what was left out is
    /// looked at again.
    pub wants_name: String,
    /// What robots.txt calls the program.
    pub agent: String,
    /// Whether robots.txt, `nofollow` and the like are obeyed.
    pub obeys_robots: bool,
    /// How hosts are spared.
    pub schedule: ScheduleOptions,
    /// How requests are made.
    pub client: ClientOptions,
    /// Which parameters of addresses are left out.
    pub url_rules: UrlRules,
    /// Whether sitemaps are sought: those that robots.txt names, or else the usual one.
    pub seeks_sitemaps: bool,
    /// Whether each host is asked once for a page that is not there, to know a "not found" that
    /// claims to be a page.
    pub probes_soft_404: bool,
    /// When a part of the site counts as a trap.
    pub trap: TrapOptions,
    /// How pages are parsed.
    pub parse: ParseOptions,
    /// Who shows pages after their scripts ran, where they are not taken as fetched.
    pub renderer: Option<Arc<Mutex<Renderer>>>,
    /// Requests under way at a time, over all hosts: claimed, and what came of them not yet
    /// committed. This many, at the most, are made again after the process was killed.
    pub workers_max: usize,
    /// How often a request is tried.
    pub attempts_max: u32,
    /// How long a host is waited for that does not answer or asks for a pause, before it is given
    /// up for this run.
    pub patience_ms: i64,
    /// What the crawl may use.
    pub limits: CrawlLimits,
}

/// Two minutes: a restart of a server takes less, and a person who watches has had enough.
const PATIENCE_MS: i64 = 120_000;

impl CrawlOptions {
    /// A polite crawl of a host, without limits.
    pub fn of(entry: Url) -> Self {
        Self {
            entry,
            scope: CrawlScope::Host,
            wants: Arc::new(|_| true),
            starts: Vec::new(),
            depth_max: None,
            wants_name: String::new(),
            agent: "untemplate".to_owned(),
            obeys_robots: true,
            schedule: ScheduleOptions::default(),
            client: ClientOptions::default(),
            url_rules: UrlRules::default(),
            seeks_sitemaps: false,
            probes_soft_404: false,
            trap: TrapOptions::default(),
            parse: ParseOptions::default(),
            renderer: None,
            workers_max: 16,
            attempts_max: 5,
            patience_ms: PATIENCE_MS,
            limits: CrawlLimits::default(),
        }
    }
}

/// What a crawl may use in one run; `None` is without limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CrawlLimits {
    /// Answers that are stored.
    pub pages_max: Option<u64>,
    /// Bytes of content that are stored.
    pub bytes_max: Option<u64>,
    /// Milliseconds.
    pub time_max_ms: Option<i64>,
}

/// How far a crawl is.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    /// Requests that were answered, in this run and before.
    pub done: u64,
    /// Requests that wait or are under way.
    pub to_do: u64,
    /// Requests whose page could not be fetched.
    pub failed: u64,
    /// Requests that were not made.
    pub skipped: u64,
    /// How many requests there will have been in the end, as far as the links of late tell; `None`
    /// while pages still lead to more new ones than there are pages.
    pub estimated: Option<u64>,
    /// Answers stored in this run.
    pub stored: u64,
    /// Bytes of content stored in this run.
    pub bytes: u64,
    /// Answers stored in this run whose status is an error, by status.
    pub errors: BTreeMap<u16, u64>,
    /// Milliseconds since the run began.
    pub elapsed_ms: i64,
    /// Hosts that are waited for, and why.
    pub waits: Vec<Wait>,
}

/// A host that is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// The host.
    pub host: String,
    /// What it does, in words that follow its name.
    pub what: String,
    /// When it is asked again.
    pub until: UnixMillis,
}
