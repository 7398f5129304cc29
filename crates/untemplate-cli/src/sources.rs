//! Page sources from the command line: mirrors and WARC files, or else the live web.

use std::cmp::Reverse;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use untemplate::page::{Limits, ParseOptions};
use untemplate_crawl::{BrowserOptions, FetchOptions, Fetcher, RenderLimits, RenderMode, RenderedSource};
use untemplate_store::{Mirror, MirrorError, PageSource, SourceSite, WarcArchive, WarcOptions};

use crate::arguments::{OutputArguments, RenderKind, SourceArguments};
use crate::outcome::WrongUsage;
use crate::output::say;

/// The site that the arguments describe. With a mirror or a WARC file the network is never touched.
pub fn open_site(sources: &SourceArguments, output: &OutputArguments, scripting: bool) -> Result<SourceSite> {
    let limits = Limits {
        bytes_max: sources.max_page_bytes,
        ..Limits::default()
    };
    let parse_options = ParseOptions { scripting, limits };
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
        let timeout = Duration::try_from_secs_f64(sources.timeout)
            .map_err(|error| WrongUsage(format!("--timeout {}: {error}", sources.timeout)))?;
        let bytes_max = sources.max_page_bytes;
        all.push(Box::new(Fetcher::new(FetchOptions {
            timeout,
            bytes_max,
            ..FetchOptions::default()
        })?));
    }
    if let Some(kind) = sources.render.render {
        all = vec![Box::new(rendered(kind, all, sources)?)];
    }
    let mut site = SourceSite::new(all, parse_options);
    site.figures.problems = n_problems;
    Ok(site)
}

/// The sources behind a browser, which is started at once: a machine without one is told before anything is fetched.
fn rendered(kind: RenderKind, all: Vec<Box<dyn PageSource>>, sources: &SourceArguments) -> Result<RenderedSource> {
    let mode = match kind {
        RenderKind::Always => RenderMode::Always,
        RenderKind::Auto => RenderMode::Auto,
    };
    let seconds = sources.render.render_seconds;
    let limits = RenderLimits {
        time: Duration::try_from_secs_f64(seconds)
            .map_err(|error| WrongUsage(format!("--render-seconds {seconds}: {error}")))?,
        bytes_max: sources.max_page_bytes,
        ..RenderLimits::default()
    };
    let program = sources.render.browser.clone();
    Ok(RenderedSource::new(all, mode, BrowserOptions { program }, limits)?)
}
