//! Page sources from the command line: mirrors and WARC files, or else the live web.

use std::cmp::Reverse;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, anyhow};
use untemplate::page::{Limits, ParseOptions};
use untemplate_crawl::{
    BrowserOptions, CrawlOptions, LiveOptions, LiveSource, RenderLimits, RenderMode, RenderedSource, Renderer, now,
};
use untemplate_store::{KeptSource, Mirror, MirrorError, PageSource, SiteLimits, SourceSite, WarcArchive, WarcOptions};
use url::Url;

use crate::arguments::{OutputArguments, RenderArguments, RenderKind, SourceArguments};
use crate::interrupt::{control, listen};
use crate::outcome::WrongUsage;
use crate::output::say;
use crate::politeness::{crawl_options, deadlines, default_folder, seconds_of};
use crate::progress::ProgressLine;
use crate::summary::Summary;

impl Summary {
    /// The site that the arguments describe, as [`open_site`] opens it. What is known to be missing
    /// from its sources makes the run a part of the whole.
    pub fn open_site(
        &mut self,
        sources: &SourceArguments,
        output: &OutputArguments,
        scripting: bool,
    ) -> Result<SourceSite> {
        let site = open_site(sources, output, scripting)?;
        self.partial_because.extend(site.losses.iter().cloned());
        Ok(site)
    }
}

/// The site that the arguments describe. With a mirror or a WARC file the network is never touched.
pub fn open_site(sources: &SourceArguments, output: &OutputArguments, scripting: bool) -> Result<SourceSite> {
    let limits = Limits {
        bytes_max: sources.max_page_bytes,
        ..Limits::default()
    };
    let parse_options = ParseOptions { scripting, limits };
    let progress = Arc::new(Mutex::new(ProgressLine::new(output.quiet, pause_of(sources))));
    let mut all: Vec<Box<dyn PageSource>> = Vec::new();
    let mut n_problems = 0;
    let mut mirrors = Vec::new();
    for argument in &sources.mirror {
        let mirror = Mirror::from_argument(argument, sources.max_page_bytes as u64).map_err(|error| match error {
            MirrorError::NotAFolder { .. } => anyhow!(error),
            _ => anyhow!(WrongUsage(format!("--mirror: {error}"))),
        })?;
        mirrors.push(mirror);
    }
    // The folder that stands for the smaller part of a site knows better.
    mirrors.sort_by_key(|mirror| Reverse(mirror.base().as_str().len()));
    all.extend(
        mirrors
            .into_iter()
            .map(|mirror| Box::new(mirror) as Box<dyn PageSource>),
    );
    if !sources.warc.is_empty() {
        let options = WarcOptions {
            body_bytes_max: sources.max_page_bytes,
            ..WarcOptions::default()
        };
        let archive = WarcArchive::open(&sources.warc, &options).context("cannot use --warc")?;
        for problem in archive.problems() {
            say(output, &problem.to_string());
        }
        n_problems += archive.problems().len();
        all.push(Box::new(archive));
    }
    if all.is_empty() {
        all.push(Box::new(live_source(sources, &progress, parse_options)?));
    } else if let Some(place) = &sources.archive {
        all = vec![Box::new(KeptSource::open(place, all, now)?)];
    }
    if let Some(renderer) = renderer(&sources.render, sources.max_page_bytes)? {
        all = vec![Box::new(RenderedSource { sources: all, renderer })];
    }
    let site = SourceSite::new(all, parse_options);
    let mut site = site.watched_by(move |event, figures| shared(&progress).note(event, figures));
    site.stop = control();
    if !sources.mirror.is_empty() || !sources.warc.is_empty() {
        let milliseconds = |seconds: u64| i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
        site.limits = SiteLimits {
            pages_max: sources.limits.max_pages,
            bytes_max: sources.limits.max_bytes,
            time_max_ms: sources.limits.max_time.map(milliseconds),
        };
    }
    site.figures.problems = n_problems;
    Ok(site)
}

/// The pause in seconds between two requests: none where nobody else is asked.
pub fn pause_of(sources: &SourceArguments) -> f64 {
    match sources.mirror.is_empty() && sources.warc.is_empty() {
        true => sources.politeness.delay,
        false => 0.0,
    }
}

/// The progress of a run: a line that a panic left behind is as good as any.
fn shared(progress: &Mutex<ProgressLine>) -> MutexGuard<'_, ProgressLine> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The browser that pages are shown by, if they are to be. It is started at once: a machine without
/// one is told before anything is fetched.
pub fn renderer(render: &RenderArguments, bytes_max: usize) -> Result<Option<Renderer>> {
    let mode = match render.render {
        None => return Ok(None),
        Some(RenderKind::Always) => RenderMode::Always,
        Some(RenderKind::Auto) => RenderMode::Auto,
    };
    let limits = RenderLimits {
        time: seconds_of("--render-seconds", render.render_seconds)?,
        bytes_max,
        ..RenderLimits::default()
    };
    let program = render.browser.clone();
    Ok(Some(Renderer::start(mode, BrowserOptions { program }, limits)?))
}

/// The live web, through the archive of the first page's host.
fn live_source(
    sources: &SourceArguments,
    progress: &Arc<Mutex<ProgressLine>>,
    parse: ParseOptions,
) -> Result<LiveSource> {
    let entry = Url::parse(NO_ENTRY).context("the placeholder is an address")?;
    let crawl = live_options(sources, parse, entry)?;
    let place = sources.archive.clone();
    let milliseconds = |seconds: u64| i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
    let progress = Arc::clone(progress);
    let options = LiveOptions {
        crawl,
        archive: Box::new(move |entry| {
            // Asked for with the first page that is fetched: from now on Ctrl-C has something to
            // finish.
            listen();
            place.clone().unwrap_or_else(|| default_folder(entry).into())
        }),
        refresh_ms: sources.refresh.map(milliseconds),
        redirects_max: REDIRECTS_MAX,
        watch: Box::new(move |fetched| shared(&progress).fetched(fetched)),
    };
    Ok(LiveSource::new(options, &control()))
}

/// How pages of the live web are fetched for a verb that chooses them.
pub fn live_options(sources: &SourceArguments, parse: ParseOptions, entry: Url) -> Result<CrawlOptions> {
    let mut crawl = crawl_options(&sources.politeness, &sources.limits, entry)?;
    crawl.parse = parse;
    crawl.attempts_max = ATTEMPTS_MAX;
    crawl.client.deadlines = deadlines(sources.timeout)?;
    crawl.client.body.bytes_max = sources.max_page_bytes;
    crawl.client.only_origin = sources.only_origin.clone();
    Ok(crawl)
}

/// The first page that is asked for takes its place.
const NO_ENTRY: &str = "http://entry.invalid/";

/// How often a page is tried before somebody who waits for it is told.
const ATTEMPTS_MAX: u32 = 3;

/// Redirects that are followed, as browsers do.
const REDIRECTS_MAX: usize = 20;
