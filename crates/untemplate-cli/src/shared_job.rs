//! A job that several workers do on one archive: one of them infers and writes, the others fetch
//! for it, and one of those takes over when it dies.

use anyhow::Result;
use serde_json::json;
use untemplate::page::ParseOptions;
use untemplate_crawl::{CrawlReport, help};
use untemplate_store::StopReason;
use untemplate_store::archive::{ArchiveError, ArchiveOptions, ArchivePlace, PostgresArchive, ServerClock};
use url::Url;

use crate::arguments::{OutputArguments, SourceArguments};
use crate::interrupt::{control, listen};
use crate::outcome::Outcome;
use crate::output::say;
use crate::sources::live_options;
use crate::summary::Summary;

/// What this worker is to do.
pub enum Turn {
    /// The whole job. Where others share it, this holds their archive's lead.
    Lead(Lead),
    /// Nothing more: it helped another one, and that one is done.
    Helped(Outcome),
}

/// The lead of a job; nothing where nobody shares it.
pub struct Lead(Option<Box<PostgresArchive>>);

impl Lead {
    /// Tells the others how the job ended. One that failed, or was interrupted, is theirs to do.
    pub fn end(self, result: Result<Outcome>) -> Result<Outcome> {
        if let (Some(mut archive), Ok(outcome)) = (self.0, &result)
            && *outcome != Outcome::Interrupted
        {
            archive.resign()?;
        }
        result
    }
}

/// Waits for this worker's turn, and helps meanwhile.
pub fn take_turn(
    sources: &SourceArguments,
    entry: &Url,
    output: &OutputArguments,
    summary: &mut Summary,
) -> Result<Turn> {
    let Some(ArchivePlace::Server(address)) = &sources.archive else {
        return Ok(Turn::Lead(Lead(None)));
    };
    if !sources.mirror.is_empty() || !sources.warc.is_empty() {
        return Ok(Turn::Lead(Lead(None)));
    }
    let crawl = live_options(sources, ParseOptions::default(), entry.clone())?;
    let options = ArchiveOptions {
        host_delay_ms: crawl.schedule.delay_ms,
        ..ArchiveOptions::default()
    };
    let mut archive = PostgresArchive::open(address, &options, ServerClock::Own)?;
    let n_led = archive.n_led()?;
    if archive.lead()? {
        return Ok(Turn::Lead(Lead(Some(Box::new(archive)))));
    }
    say(
        output,
        "another worker leads this job: this one fetches for it, and takes over if it dies",
    );
    listen();
    let mut leads = false;
    let report = help(&mut archive, crawl, &control(), &mut |archive| {
        let is_done = archive.n_led()? != n_led;
        leads = !is_done && archive.lead()?;
        Ok::<bool, ArchiveError>(is_done || leads)
    })?;
    if leads && report.stopped_because.is_none() {
        say(output, "the worker that led this job is gone: this one takes over");
        return Ok(Turn::Lead(Lead(Some(Box::new(archive)))));
    }
    Ok(Turn::Helped(helped(&report, output, summary)))
}

fn helped(report: &CrawlReport, output: &OutputArguments, summary: &mut Summary) -> Outcome {
    let size = |count: u64| usize::try_from(count).unwrap_or(usize::MAX);
    summary.figures.downloads = size(report.requests);
    summary.figures.bytes = size(report.bytes);
    summary.figures.pages = size(report.stored);
    summary.figures.stopped_because = report.stopped_because;
    summary.more.push(("helped", json!(true)));
    match report.stopped_because {
        None => {
            let message = format!(
                "{} pages fetched for the worker that led this job, which has written the result",
                report.stored
            );
            say(output, &message);
            Outcome::Complete
        }
        Some(StopReason::Interrupted) => Outcome::Interrupted,
        Some(reason) => {
            summary.partial_because.push(reason.to_string());
            Outcome::Partial
        }
    }
}
