//! Page sources from the command line: mirrors and WARC files, or else the live web.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use untemplate::page::{Limits, ParseOptions};
use untemplate_crawl::{FetchOptions, Fetcher};
use untemplate_store::{Mirror, MirrorError, PageSource, SourceSite, WarcArchive, WarcOptions};

use crate::arguments::{OutputArguments, SourceArguments};
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
    for argument in &sources.mirror {
        let mirror = Mirror::from_argument(argument, sources.max_page_bytes as u64).map_err(|error| match error {
            MirrorError::NotAFolder { .. } => anyhow!(error),
            _ => anyhow!(WrongUsage(format!("--mirror: {error}"))),
        })?;
        all.push(Box::new(mirror));
    }
    if !sources.warc.is_empty() {
        let options = WarcOptions {
            body_bytes_max: sources.max_page_bytes,
            ..WarcOptions::default()
        };
        let archive = WarcArchive::open(&sources.warc, &options).context("cannot use --warc")?;
        for problem in archive.problems() {
            say(output, &format!("untemplate: {problem}"));
        }
        all.push(Box::new(archive));
    }
    if all.is_empty() {
        all.push(Box::new(live_web(sources.timeout, sources.max_page_bytes)?));
    }
    Ok(SourceSite::new(all, parse_options))
}

/// The live web.
pub fn live_web(timeout_seconds: u64, bytes_max: usize) -> Result<Fetcher> {
    let timeout = Duration::from_secs(timeout_seconds);
    Ok(Fetcher::new(FetchOptions {
        timeout,
        bytes_max,
        ..FetchOptions::default()
    })?)
}
