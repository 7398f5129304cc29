//! Where pages come from, and how the live web is treated.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use untemplate_store::archive::ArchivePlace;
use url::Url;

/// Where pages come from.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Page sources")]
pub struct SourceArguments {
    /// Read pages under URL from the files below DIR, never from the network. Repeatable.
    #[arg(long, value_name = "URL=DIR")]
    pub mirror: Vec<String>,
    /// Answer requests from a WARC file, plain, gzip or zstd, and never touch the network.
    /// Repeatable.
    #[arg(long, value_name = "FILE")]
    pub warc: Vec<PathBuf>,
    /// The address of a page that is a file and has no <base href>.
    #[arg(long, value_name = "URL")]
    pub base: Option<String>,
    /// The time a request to the live web may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub timeout: f64,
    /// The most bytes that are read of one page.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub max_page_bytes: usize,
    /// The folder that keeps pages, and answers for those it has: ./untemplate-archive/HOST by
    /// default for the live web, none for mirrors and WARC files. Or postgresql://…, which several
    /// machines share (docs/scale.md).
    #[arg(long, value_name = "DIR|URL")]
    pub archive: Option<ArchivePlace>,
    /// Ask the live web again for pages that were stored or last checked more than this many
    /// seconds ago; only what changed is sent.
    #[arg(long, value_name = "SECONDS")]
    pub refresh: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub politeness: PolitenessArguments,
    #[command(flatten)]
    pub render: RenderArguments,
    /// The address whose origin is all that is asked; nobody says so on a command line.
    #[arg(skip)]
    pub only_origin: Option<Url>,
}

/// What a run may fetch from the live web.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Stop after this many pages were asked for, or on the live web fetched and stored, in this
    /// run.
    #[arg(long, value_name = "N")]
    pub max_pages: Option<u64>,
    /// Stop after this many bytes of content were fetched and stored in this run.
    #[arg(long, value_name = "BYTES")]
    pub max_bytes: Option<u64>,
    /// Stop after this many seconds.
    #[arg(long, value_name = "SECONDS")]
    pub max_time: Option<u64>,
}

/// Whether pages are taken as fetched, or as a browser shows them.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rendering")]
pub struct RenderArguments {
    /// Take pages as the machine's Chromium shows them after their scripts ran: all, or with =auto
    /// those where it adds something.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub render: Option<RenderKind>,
    /// The Chromium that renders; without it, the first one on the PATH.
    #[arg(long, value_name = "PROGRAM", requires = "render")]
    pub browser: Option<PathBuf>,
    /// The time that rendering one page may take, without that of its requests.
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, requires = "render")]
    pub render_seconds: f64,
}

/// Which pages are rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RenderKind {
    /// All of them.
    Always,
    /// Those of URL patterns whose first pages had more links or text when they were rendered.
    Auto,
}

/// How hosts are treated.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Politeness")]
pub struct PolitenessArguments {
    /// The least pause between two requests to a host.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub delay: f64,
    /// Requests under way at a time, over all hosts; a host is never asked twice at once.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub workers: u16,
    /// How long to wait for a host that does not answer or asks for a pause, before it is given up
    /// for this run.
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0)]
    pub patience: f64,
    /// What the program calls itself: untemplate/VERSION (+its page; the contact) by default.
    #[arg(long, value_name = "TEXT")]
    pub user_agent: Option<String>,
    /// Whom a site can write to, an address or a page; becomes part of the user agent.
    #[arg(long, value_name = "TEXT")]
    pub contact: Option<String>,
    /// A header to send along with every request; secrets go to the entry's origin alone.
    /// Repeatable.
    #[arg(long, value_name = "NAME: VALUE")]
    pub header: Vec<String>,
    /// Send the cookies in FILE, as browsers export them (Netscape format): for pages behind a
    /// log-in.
    #[arg(long, value_name = "FILE")]
    pub cookies: Option<PathBuf>,
    /// Do not ask robots.txt, and follow nofollow links: for sites of your own.
    #[arg(long)]
    pub no_robots: bool,
    /// Never connect to private, loopback or link-local addresses. Proxies are then not used, since
    /// they connect for us.
    #[arg(long)]
    pub public_only: bool,
    /// Leave a parameter out of addresses: its name, NAME* for all that begin so, or NAME=ID where
    /// its value looks like a session's. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub strip_parameter: Vec<String>,
    /// Keep a parameter that is left out by default (sessions and campaigns such as utm_*).
    /// Repeatable.
    #[arg(long, value_name = "NAME")]
    pub keep_parameter: Vec<String>,
    /// Keep all parameters as they are.
    #[arg(long, conflicts_with = "keep_parameter")]
    pub keep_parameters: bool,
}
