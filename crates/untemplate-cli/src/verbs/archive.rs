//! `untemplate archive`: a site's pages, fetched politely and kept. Killed at any moment, the same
//! command goes on: nothing that was stored is lost, and nothing that was stored is fetched again.

use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use untemplate::page::{Request, normalise};
use untemplate_crawl::{CrawlOptions, CrawlReport, CrawlScope, HostReceipt, Survey, crawl, now, survey};
use untemplate_store::archive::{
    Archive, ArchiveOptions, ArchivePlace, Fate, PageStore, WarcExportOptions, export_warc, import_warc, visit_pages,
};
use untemplate_store::{StopReason, UnixMillis, WarcOptions, damage_of};
use url::Url;

use crate::arguments::{ArchiveArguments, ScopeKind};
use crate::entry::{Around, web_address};
use crate::interrupt::{control, listen};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{ResultWriter, counted, create_whole, finish_whole, say, unwritable, write_result};
use crate::politeness::{crawl_options, default_folder};
use crate::progress::{ProgressLine, span};
use crate::reach::{Reach, addresses_in};
use crate::sources::renderer;
use crate::summary::{Summary, summarised};

/// Crawls, and lists what the archive holds.
pub fn run(arguments: &ArchiveArguments) -> Result<Outcome> {
    summarised("archive", &arguments.output, |summary| {
        let entry = entry(arguments)?;
        let place = place(arguments, entry.as_ref())?;
        let options = entry.map(|entry| site_options(arguments, entry)).transpose()?;
        match options {
            Some(options) if arguments.dry_run => look_around(arguments, options, &place, summary),
            options => keep_pages(arguments, options, &place, summary),
        }
    })
}

fn place(arguments: &ArchiveArguments, entry: Option<&Url>) -> Result<ArchivePlace> {
    match (&arguments.archive, entry) {
        (Some(place), _) => Ok(place.clone()),
        (None, Some(entry)) => Ok(default_folder(entry).into()),
        (None, None) => bail!(WrongUsage(
            "--import without an ENTRY needs --archive DIR, the folder to keep the pages in".to_owned()
        )),
    }
}

fn keep_pages(
    arguments: &ArchiveArguments,
    options: Option<CrawlOptions>,
    place: &ArchivePlace,
    summary: &mut Summary,
) -> Result<Outcome> {
    let delay_ms = options.as_ref().map_or(0, |options| options.schedule.delay_ms);
    let archive_options = ArchiveOptions {
        host_delay_ms: delay_ms,
        ..ArchiveOptions::default()
    };
    let mut archive = place.open(&archive_options, now())?;
    let archive = &mut *archive;
    import(archive, arguments, summary)?;
    if let Some(seconds) = arguments.refresh {
        let age_ms = i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
        archive.refresh(UnixMillis(now().0.saturating_sub(age_ms)))?;
    }
    if arguments.retry_failed {
        archive.retry_failed()?;
    }
    let (mut report, mut entry) = (CrawlReport::default(), None);
    if let Some(options) = options {
        entry = Some(options.entry.clone());
        let mut line = ProgressLine::new(arguments.output.quiet, arguments.politeness.delay);
        listen();
        report = crawl(archive, options, &control(), &mut |progress| line.fetched(progress))?;
    }
    if let Some(file) = &arguments.export {
        export(archive, file)?;
    }
    let pages = list(archive, arguments)?;
    if let (0, Some(entry)) = (pages, entry)
        && let Some(Fate::Failed { reason }) = archive.fate(&Request::get(entry))?
    {
        bail!(reason);
    }
    conclude(arguments, place, &report, pages, summary)
}

/// Where the crawl begins. What is on the disk is kept already.
fn entry(arguments: &ArchiveArguments) -> Result<Option<Url>> {
    let text = match (&arguments.entry, &arguments.reach.start) {
        (Some(text), _) => text,
        (None, Some(file)) => return Ok(addresses_in(file)?.into_iter().next()),
        (None, None) => return Ok(None),
    };
    if !text.contains("://") && Path::new(text).exists() {
        bail!(WrongUsage(format!(
            "{text} is on this machine, and archive keeps pages of the web; --import takes WARC files in"
        )));
    }
    let around = Around {
        mirror: &[],
        warc: &[],
        archive: arguments.archive.as_ref(),
        politeness: &arguments.politeness,
        output: &arguments.output,
    };
    web_address(text, &around).map(Some)
}

/// Bytes of a page after its scripts ran.
const BODY_BYTES_MAX: usize = 64 << 20;

fn site_options(arguments: &ArchiveArguments, entry: Url) -> Result<CrawlOptions> {
    let crawl = crawl_options(&arguments.politeness, &arguments.limits, entry)?;
    // Links to the entry are stripped as all links are; it must be wanted by the same address.
    let first = crawl.url_rules.strip(normalise(crawl.entry.clone()));
    let entry = first.clone();
    let reach = Reach::new(&arguments.reach, &entry, &[])?;
    let starts = reach
        .starts
        .iter()
        .map(|url| crawl.url_rules.strip(url.clone()))
        .collect();
    let wants_name = format!("{:?}", arguments.reach);
    Ok(CrawlOptions {
        scope: match arguments.scope {
            ScopeKind::Host => CrawlScope::Host,
            ScopeKind::Domain => CrawlScope::Domain,
            ScopeKind::Prefix => CrawlScope::Prefix,
        },
        starts,
        depth_max: reach.depth,
        // A sitemap leads everywhere: nothing is deep then.
        seeks_sitemaps: reach.depth.is_none(),
        wants: Arc::new(move |url: &Url| *url == first || reach.wants(url)),
        wants_name,
        probes_soft_404: true,
        renderer: renderer(&arguments.render, BODY_BYTES_MAX)?.map(|renderer| Arc::new(Mutex::new(renderer))),
        entry,
        ..crawl
    })
}

/// Says what a crawl would do, and does not crawl.
fn look_around(
    arguments: &ArchiveArguments,
    options: CrawlOptions,
    place: &ArchivePlace,
    summary: &mut Summary,
) -> Result<Outcome> {
    let entry = options.entry.clone();
    listen();
    let told = survey(options, &control())?;
    if control().is_stopping() {
        summary.figures.stopped_because = Some(StopReason::Interrupted);
    }
    summary.figures.downloads = usize::try_from(told.requests).unwrap_or(usize::MAX);
    summary.figures.problems = told.problems.len();
    for problem in &told.problems {
        say(&arguments.output, problem);
    }
    let plan = plan(arguments, &entry, place, &told);
    write_result(&arguments.output, format!("{plan:#}\n").as_bytes())?;
    let time = span(told.milliseconds as f64 / 1_000.0);
    let message = format!(
        "at least {} pages, about {time} with {:.1} s between requests; nothing was kept",
        told.pages,
        told.delay_ms as f64 / 1_000.0
    );
    say(&arguments.output, &message);
    Ok(match told.entry_status {
        Some(_) => Outcome::Complete,
        None => {
            summary.partial_because.push(format!("{entry}: {}", told.verdict));
            Outcome::Partial
        }
    })
}

fn plan(arguments: &ArchiveArguments, entry: &Url, place: &ArchivePlace, told: &Survey) -> Value {
    json!({
        "entry": entry.as_str(),
        "entry_status": told.entry_status,
        "entry_redirect": told.entry_redirect.as_ref().map(Url::as_str),
        "scope": format!("{:?}", arguments.scope).to_lowercase(),
        "archive": place.to_string(),
        "robots": told.robots,
        "verdict": told.verdict,
        "crawl_delay_seconds": told.crawl_delay_ms.map(seconds),
        "delay_seconds": seconds(told.delay_ms),
        "sitemaps": told.sitemaps,
        "sitemaps_read": told.sitemaps_read,
        "sitemap_pages": told.sitemap_pages,
        "entry_links": told.entry_links,
        "estimated_requests": told.pages,
        "estimated_seconds": seconds(told.milliseconds),
        "requests_spent": told.requests,
    })
}

fn seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1_000.0
}

/// Takes WARC files into the archive.
fn import(archive: &mut dyn Archive, arguments: &ArchiveArguments, summary: &mut Summary) -> Result<()> {
    if arguments.import.is_empty() {
        return Ok(());
    }
    let imported = import_warc(&arguments.import, archive, &WarcOptions::default(), now())?;
    summary.figures.problems += imported.problems.len();
    for problem in &imported.problems {
        say(&arguments.output, &problem.to_string());
    }
    let damaged = imported.damaged.iter().map(|file| damage_of(file));
    summary.partial_because.extend(damaged);
    let told = json!({"stored": imported.stored, "known": imported.known, "problems": imported.problems.len()});
    summary.more.push(("imported", told));
    Ok(())
}

/// Writes a line for every page of the archive; returns their number.
fn list(archive: &mut dyn Archive, arguments: &ArchiveArguments) -> Result<u64> {
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
    let is_packed = file.extension().is_some_and(|extension| extension == "gz");
    let mut writer = BufWriter::new(create_whole(file)?);
    let options = WarcExportOptions {
        gzip: is_packed,
        now: now(),
    };
    export_warc(archive, &mut writer, &options).with_context(|| unwritable(file))?;
    writer.flush().with_context(|| unwritable(file))?;
    finish_whole(writer.into_parts().0)
}

fn conclude(
    arguments: &ArchiveArguments,
    place: &ArchivePlace,
    report: &CrawlReport,
    pages: u64,
    summary: &mut Summary,
) -> Result<Outcome> {
    summarise(place, report, pages, summary);
    for note in &report.notes {
        say(&arguments.output, note);
    }
    let reasons = [
        report.stopped_because.map(|reason| reason.to_string()),
        (report.failed > 0).then(|| format!("{} could not be fetched", counted(size(report.failed), "page"))),
        (report.incomplete > 0).then(|| {
            format!(
                "{} not read whole, or could not be rendered",
                match report.incomplete {
                    1 => "1 page was".to_owned(),
                    incomplete => format!("{incomplete} pages were"),
                }
            )
        }),
        (report.forbidden > 0).then(|| format!("robots.txt forbids {}", counted(size(report.forbidden), "page"))),
    ];
    summary.partial_because.extend(reasons.into_iter().flatten());
    if let (Some(StopReason::Silent(message)), 0) = (report.stopped_because, pages) {
        bail!("no page could be had: {message}");
    }
    for reason in &summary.partial_because {
        say(&arguments.output, &format!("in part: {reason}"));
    }
    if report.left > 0 {
        let message = format!(
            "{} left; the same command goes on from {place}",
            match report.left {
                1 => "1 request is".to_owned(),
                left => format!("{left} requests are"),
            }
        );
        say(&arguments.output, &message);
    }
    Ok(match report.stopped_because {
        Some(StopReason::Interrupted) => Outcome::Interrupted,
        _ if !summary.partial_because.is_empty() => Outcome::Partial,
        _ if pages == 0 => Outcome::Nothing,
        _ => Outcome::Complete,
    })
}

fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

fn summarise(place: &ArchivePlace, report: &CrawlReport, pages: u64, summary: &mut Summary) {
    summary.figures.downloads = size(report.requests);
    summary.figures.bytes = size(report.bytes);
    summary.figures.pages = size(report.stored);
    summary.figures.failures = size(report.failed);
    summary.figures.problems += report.notes.len();
    summary.reused = report.reused;
    let hosts: Vec<Value> = report.hosts.iter().map(receipt).collect();
    let more = [
        ("archive", json!(place.to_string())),
        ("stored", json!(pages)),
        ("left", json!(report.left)),
        ("forbidden", json!(report.forbidden)),
        ("trapped", json!(report.trapped)),
        ("out_of_scope", json!(report.out_of_scope)),
        ("aliases", json!(report.aliases)),
        ("soft_404s", json!(report.soft_404s)),
        ("incomplete", json!(report.incomplete)),
        ("unmodified", json!(report.unmodified)),
        ("statuses", json!(report.statuses)),
        ("notes", json!(report.notes)),
        ("politeness", Value::Array(hosts)),
    ];
    summary.more.extend(more);
}

/// How a host was treated.
fn receipt(host: &HostReceipt) -> Value {
    json!({
        "host": host.host,
        "requests": host.receipt.requests,
        "delay_seconds": seconds(host.delay_ms),
        "smallest_gap_seconds": host.receipt.gap_min_ms.map(seconds),
        "robots": host.robots,
        "crawl_delay_seconds": host.crawl_delay_ms.map(seconds),
        "slowed_down": host.receipt.refusals,
        "forbidden": host.receipt.forbidden,
    })
}
