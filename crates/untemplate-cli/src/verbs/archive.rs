//! `untemplate archive`: a site's pages, fetched politely and kept. Killed at any moment, the same command goes on:
//! nothing that was stored is lost, and nothing that was stored is fetched again.

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use regex::Regex;
use serde_json::json;
use untemplate::page::{ParseOptions, Request};
use untemplate_crawl::{
    ClientOptions, CrawlControl, CrawlLimits, CrawlOptions, CrawlReport, CrawlScope, Progress, ScheduleOptions,
    TrapOptions, UrlRules, crawl, now,
};
use untemplate_store::UnixMillis;
use untemplate_store::archive::{
    ArchiveOptions, Fate, Frontier, PageStore, SqliteArchive, WarcExportOptions, export_warc, visit_pages,
};
use url::Url;

use crate::arguments::{ArchiveArguments, MannersArguments, ScopeKind};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{ResultWriter, say};
use crate::summary::{Summary, summarised};

/// The name that robots.txt files know the program by.
const AGENT: &str = "untemplate";

/// Crawls, and lists what the archive holds.
pub fn run(arguments: &ArchiveArguments) -> Result<Outcome> {
    summarised("archive", &arguments.output, |summary| {
        let entry = entry(&arguments.entry)?;
        let options = crawl_options(arguments, entry.clone())?;
        let folder = arguments.archive.clone().unwrap_or_else(|| default_folder(&entry));
        let archive_options = ArchiveOptions {
            host_delay_ms: options.schedule.delay_ms,
            ..ArchiveOptions::default()
        };
        let mut archive = SqliteArchive::open(&folder, &archive_options, now())?;
        if let Some(seconds) = arguments.refresh {
            let age_ms = i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
            archive.refresh(UnixMillis(now().0.saturating_sub(age_ms)))?;
        }
        if arguments.retry_failed {
            archive.retry_failed()?;
        }
        let control = CrawlControl::default();
        let stopper = control.clone();
        // A handler that is there already is a test's; the crawl then ends by itself.
        let _ = ctrlc::set_handler(move || stopper.stop());
        let mut teller = Teller::new(arguments.output.quiet);
        let report = crawl(&mut archive, options, &control, &mut |progress| teller.tell(progress))?;
        teller.end();
        if let Some(file) = &arguments.export {
            export(&mut archive, file)?;
        }
        let pages = list(&mut archive, arguments)?;
        if pages == 0
            && let Some(Fate::Failed { reason }) = archive.fate(&Request::get(entry.clone()))?
        {
            bail!(reason);
        }
        conclude(arguments, &folder, &report, pages, summary)
    })
}

fn entry(text: &str) -> Result<Url> {
    let url = Url::parse(text).map_err(|error| {
        WrongUsage(format!(
            "{text} is no address ({error}); give one such as http://site.example/"
        ))
    })?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(anyhow!(WrongUsage(format!(
            "{text}: pages cannot be crawled by {scheme}; give an http or https address"
        )))),
    }
}

fn default_folder(entry: &Url) -> PathBuf {
    let host = entry.host_str().unwrap_or("site");
    let name = entry
        .port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}-{port}"));
    Path::new("untemplate-archive").join(name)
}

fn crawl_options(arguments: &ArchiveArguments, entry: Url) -> Result<CrawlOptions> {
    let manners = &arguments.manners;
    let (include, exclude) = (
        patterns("--include", &arguments.include)?,
        patterns("--exclude", &arguments.exclude)?,
    );
    let wants = move |url: &Url| {
        (include.is_empty() || include.iter().any(|pattern| pattern.is_match(url.as_str())))
            && !exclude.iter().any(|pattern| pattern.is_match(url.as_str()))
    };
    Ok(CrawlOptions {
        scope: match arguments.scope {
            ScopeKind::Host => CrawlScope::Host,
            ScopeKind::Domain => CrawlScope::Domain,
            ScopeKind::Prefix => CrawlScope::Prefix,
        },
        wants: Arc::new(wants),
        agent: AGENT.to_owned(),
        obeys_robots: !manners.no_robots,
        schedule: schedule(manners)?,
        client: client(manners, &entry)?,
        url_rules: UrlRules::default(),
        trap: TrapOptions::default(),
        parse: ParseOptions::default(),
        workers_max: usize::from(manners.workers),
        attempts_max: 5,
        limits: CrawlLimits {
            pages_max: arguments.max_pages,
            bytes_max: arguments.max_bytes,
            time_max_ms: arguments
                .max_time
                .map(|seconds| i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX)),
        },
        entry,
    })
}

fn patterns(option: &str, texts: &[String]) -> Result<Vec<Regex>> {
    let pattern =
        |text: &String| Regex::new(text).map_err(|error| anyhow!(WrongUsage(format!("{option} {text}: {error}"))));
    texts.iter().map(pattern).collect()
}

fn schedule(manners: &MannersArguments) -> Result<ScheduleOptions> {
    if !manners.delay.is_finite() || !(0.0..=86_400.0).contains(&manners.delay) {
        return Err(anyhow!(WrongUsage(format!(
            "--delay {}: give seconds from 0 to 86400",
            manners.delay
        ))));
    }
    let delay_ms = (manners.delay * 1_000.0) as i64;
    let options = if delay_ms == 0 {
        ScheduleOptions::without_delay()
    } else {
        ScheduleOptions::default()
    };
    Ok(ScheduleOptions { delay_ms, ..options })
}

fn client(manners: &MannersArguments, entry: &Url) -> Result<ClientOptions> {
    let contact = manners
        .contact
        .as_ref()
        .map(|contact| format!(" ({contact})"))
        .unwrap_or_default();
    let default_agent = || format!("{AGENT}/{}{contact}", env!("CARGO_PKG_VERSION"));
    let header = |text: &String| {
        let parts = text
            .split_once(':')
            .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
        parts.ok_or_else(|| {
            anyhow!(WrongUsage(format!(
                "--header {text:?} has no colon; write 'NAME: VALUE'"
            )))
        })
    };
    Ok(ClientOptions {
        user_agent: manners.user_agent.clone().unwrap_or_else(default_agent),
        headers: manners.header.iter().map(header).collect::<Result<_>>()?,
        home: Some(entry.clone()),
        public_only: manners.public_only,
        ..ClientOptions::default()
    })
}

/// Writes a line for every page of the archive; returns their number.
fn list(archive: &mut SqliteArchive, arguments: &ArchiveArguments) -> Result<u64> {
    let mut writer = ResultWriter::open(&arguments.output)?;
    let (mut n_pages, mut trouble) = (0, None);
    visit_pages(archive, &mut |_, page| {
        let line = json!({
            "url": page.request.url.as_str(),
            "status": page.status,
            "bytes": page.body_length,
            "fetched_at": page.fetched_at.0,
            "redirect": page.redirect.as_ref().map(Url::as_str),
        });
        n_pages += 1;
        if trouble.is_none() {
            trouble = writer.write(format!("{line}\n").as_bytes()).err();
        }
        Ok(())
    })?;
    match trouble {
        Some(trouble) => Err(trouble),
        None => writer.finish().map(|()| n_pages),
    }
}

fn export(archive: &mut dyn PageStore, file: &Path) -> Result<()> {
    let unwritable = || {
        format!(
            "cannot write {}; check that its folder is there and may be written to",
            file.display()
        )
    };
    let is_packed = file.extension().is_some_and(|extension| extension == "gz");
    let mut writer = BufWriter::new(File::create(file).with_context(unwritable)?);
    let options = WarcExportOptions {
        gzip: is_packed,
        now: now(),
    };
    export_warc(archive, &mut writer, &options).with_context(unwritable)?;
    writer.flush().with_context(unwritable)
}

fn conclude(
    arguments: &ArchiveArguments,
    folder: &Path,
    report: &CrawlReport,
    pages: u64,
    summary: &mut Summary,
) -> Result<Outcome> {
    summary.figures.downloads = usize::try_from(report.requests).unwrap_or(usize::MAX);
    summary.figures.bytes = usize::try_from(report.bytes).unwrap_or(usize::MAX);
    summary.figures.pages = usize::try_from(report.stored).unwrap_or(usize::MAX);
    summary.figures.failures = usize::try_from(report.failed).unwrap_or(usize::MAX);
    summary.figures.problems = report.notes.len();
    summary.reused = report.reused;
    summary.more.push(("archive", json!(folder.display().to_string())));
    summary.more.push(("stored", json!(pages)));
    summary.more.push(("left", json!(report.left)));
    summary.more.push(("forbidden", json!(report.forbidden)));
    summary.more.push(("trapped", json!(report.trapped)));
    summary.more.push(("aliases", json!(report.aliases)));
    summary.more.push(("notes", json!(report.notes)));
    for note in &report.notes {
        say(&arguments.output, note);
    }
    let reasons = [
        report.stopped_because.clone(),
        (report.failed > 0).then(|| format!("{} pages could not be had", report.failed)),
        (report.forbidden > 0).then(|| format!("robots.txt forbids {} pages", report.forbidden)),
    ];
    summary.partial_because.extend(reasons.into_iter().flatten());
    for reason in &summary.partial_because {
        say(&arguments.output, &format!("in part: {reason}"));
    }
    if report.left > 0 {
        let message = format!(
            "{} requests are left; the same command goes on from {}",
            report.left,
            folder.display()
        );
        say(&arguments.output, &message);
    }
    Ok(match &report.stopped_because {
        Some(reason) if reason.starts_with("interrupted") => Outcome::Interrupted,
        _ if !summary.partial_because.is_empty() => Outcome::Partial,
        _ if pages == 0 => Outcome::Nothing,
        _ => Outcome::Complete,
    })
}

/// Tells how far a crawl is: one line that changes on a terminal, a line now and then elsewhere.
struct Teller {
    is_quiet: bool,
    is_terminal: bool,
    told_ms: i64,
}

/// How often a line is written where lines stay.
const LINES_MS: i64 = 10_000;

impl Teller {
    fn new(is_quiet: bool) -> Self {
        Self {
            is_quiet,
            is_terminal: std::io::stderr().is_terminal(),
            told_ms: 0,
        }
    }

    fn tell(&mut self, progress: &Progress) {
        if self.is_quiet || !self.is_terminal && progress.elapsed_ms - self.told_ms < LINES_MS {
            return;
        }
        self.told_ms = progress.elapsed_ms;
        let seconds = (progress.elapsed_ms.max(1)) as f64 / 1_000.0;
        let rate = progress.stored as f64 / seconds;
        let known = progress.done + progress.to_do;
        let mut line = format!(
            "{} of {known} known pages, {rate:.1} a second, {} bytes",
            progress.done, progress.bytes
        );
        if progress.to_do > 0 && rate > 0.0 {
            line.push_str(&format!(", {:.0} s to go", progress.to_do as f64 / rate));
        }
        if progress.failed + progress.skipped > 0 {
            line.push_str(&format!(", {} failed, {} left out", progress.failed, progress.skipped));
        }
        let mut stderr = std::io::stderr();
        let _ = if self.is_terminal {
            write!(stderr, "\r\x1b[K{line}")
        } else {
            writeln!(stderr, "untemplate: {line}")
        };
    }

    fn end(&self) {
        if self.is_terminal && !self.is_quiet {
            let _ = writeln!(std::io::stderr());
        }
    }
}
