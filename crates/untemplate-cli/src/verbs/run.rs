//! `untemplate run`: a specification followed through its site, crawl and extraction interleaved; a
//! table for each page class with a wrapper.
//!
//! A run that was killed is started again by the same command: it begins anew, an archive answers
//! what is stored, and the tables are the same, byte by byte.

use std::ops::ControlFlow;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use untemplate::job::{TaughtError, TaughtResult, read_taught};
use untemplate::page::{Event, Phase, Site};
use untemplate::teach::{
    ClassReport, RequestReport, RunError, RunEvent, RunOptions, RunReport, Specification, TaughtClass,
    run_specification,
};
use untemplate_report::ClassSection;
use untemplate_store::table_file::{ClassMark, PageMark, TableFormat};
use untemplate_store::{
    DiskRecordStore, JobContents, Reach, SourceSite, StopReason, read_specification, specification_text,
};

use super::run_preview::Preview;
use super::run_stream::stream_rows;
use super::run_watch::Watch;
use crate::arguments::{OutputArguments, RunArguments, SourceArguments};
use crate::dry_run::{Estimate, plan_json, plan_text};
use crate::first_page::silence_of;
use crate::job_report::{Ended, Found, conclude_job, leaving_no_folder};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{say, write_result};
use crate::shared_job::{Lead, Turn, take_turn};
use crate::sources::pause_of;
use crate::summary::{Summary, summarised};
use crate::time_needed::Look;
use crate::verify_first::{FirstLook, Looked};

/// The specification among the files.
const SPECIFICATION: &str = "specification.xml";

/// Runs a specification and writes its tables.
pub fn run(arguments: &RunArguments) -> Result<Outcome> {
    let output = arguments.tables.figures();
    summarised("run", &output, |summary| {
        let specification = read_specification(&arguments.specification)?;
        let entry = specification.classes.iter().find_map(|class| class.addresses.first());
        let sources = sources_of(arguments);
        let lead = match entry.map(|entry| take_turn(&sources, entry, &output, summary)) {
            Some(turn) => match turn? {
                Turn::Lead(lead) => Some(lead),
                Turn::Helped(outcome) => return Ok(outcome),
            },
            None => None,
        };
        let mut site = summary.open_site(&sources, &output, false)?;
        let named = specification.classes.iter().flat_map(|class| &class.addresses);
        named.for_each(|address| site.permit(address));
        let looked = first_look(arguments, &output, &specification, &mut site)?;
        if looked.is_end() {
            summary.figures = site.figures;
            return end_lead(lead, Ok(looked.end(&output, summary)));
        }
        let specification = looked.mended.clone().unwrap_or(specification);
        let result = match arguments.dry_run {
            true => run_dry(arguments, &specification, &mut site, summary),
            false if arguments.tables.is_standard_output() => {
                stream_rows(arguments, &output, &specification, &mut site, summary)
            }
            false => {
                let folder = arguments.tables.job_folder()?.folder;
                leaving_no_folder(&folder, || {
                    run_on(arguments, &output, &specification, &mut site, summary)
                })
            }
        };
        summary.figures = untemplate_store::Figures {
            problems: summary.figures.problems + site.figures.problems,
            ..site.figures
        };
        let result = match looked.mended.is_none() || arguments.tables.is_standard_output() {
            true => result,
            false => looked.conclude(&arguments.tables.job_folder()?.folder, result?, summary),
        };
        end_lead(lead, result)
    })
}

/// What a look at the first pages came to, where one is asked for.
fn first_look(
    arguments: &RunArguments,
    output: &OutputArguments,
    specification: &Specification,
    site: &mut SourceSite,
) -> Result<Looked> {
    if !arguments.verify_first {
        return Ok(Looked::default());
    }
    let look = FirstLook {
        options: run_options(arguments),
        repair: arguments.repair,
        old: &arguments.old,
        sources: &arguments.sources,
        output,
    };
    look.look(specification, site)
}

fn run_on(
    arguments: &RunArguments,
    output: &OutputArguments,
    specification: &Specification,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Outcome> {
    arguments.tables.check_folder()?;
    let addresses = specification.classes.iter().flat_map(|class| &class.addresses);
    let mut folder = match addresses.chain(&specification.site).next() {
        Some(entry) => arguments.tables.job_folder_of(entry)?,
        None => arguments.tables.job_folder()?,
    };
    if folder.formats.is_empty() {
        folder.formats.push(TableFormat::JsonLines);
    }
    let mut watch = Watch::new(specification, arguments, output)?;
    let mut preview = Preview::begin(specification, arguments)?;
    let mut record_store = DiskRecordStore::create(&folder.folder)?;
    let options = run_options(arguments);
    site.note(Event::Phase(Phase::Following));
    let crawl_result = read_taught(site, &mut record_store, specification, &options, &mut |event| {
        preview.take(&event);
        watch.take(event)
    });
    let pages = watch.finish()?;
    let crawl_result = crawl_result.map_err(|error| match error {
        TaughtError::Run(error) => cannot_run(arguments, &error),
        error => error.into(),
    })?;
    let report = &crawl_result.report;
    refuse_lost_entries(report, site)?;
    let ended = Ended {
        title: format!("Run of {}", arguments.specification.display()),
        figures: site.figures,
        is_interrupted: site.figures.stopped_because == Some(StopReason::Interrupted),
        folder: &folder,
        output,
    };
    site.note(Event::Phase(Phase::Writing));
    let found = found(arguments, specification, &crawl_result, pages)?.seen_by(site);
    let outcome = conclude_job(&ended, found, &mut record_store, summary)?;
    let drift = report.drift();
    for reason in &drift {
        say(output, &format!("the site has changed: {reason}"));
    }
    let has_drifted = !drift.is_empty() && outcome != Outcome::Interrupted;
    summary.more.push(("drift", json!(drift)));
    Ok(if has_drifted { Outcome::Drift } else { outcome })
}

/// What a run found, for its folder, its report and its summary.
fn found<'a>(
    arguments: &RunArguments,
    specification: &Specification,
    crawl_result: &'a TaughtResult,
    pages: Vec<PageMark>,
) -> Result<Found<'a>> {
    let report = &crawl_result.report;
    // What was mended is in no file yet.
    let text = match arguments.repair {
        true => specification_text(specification),
        false => std::fs::read_to_string(&arguments.specification)
            .with_context(|| format!("cannot read {} again", arguments.specification.display()))?,
    };
    let mark = |class: &TaughtClass| ClassMark {
        name: class.id.clone(),
        wrapper: class.is_read().then(|| SPECIFICATION.to_owned()),
    };
    let rejected: usize = report.classes.iter().map(|class| class.rejected).sum();
    Ok(Found {
        omitted: Vec::new(),
        contents: JobContents {
            records: crawl_result,
            classes: specification.classes.iter().map(mark).collect(),
            files: vec![(SPECIFICATION.to_owned(), text)],
            reader: None,
            pages: Box::new(pages.into_iter()),
            reach: Reach::Complete,
        },
        classes: class_sections(specification, report),
        problems: crawl_result.problems.clone().finish(),
        is_stopped: report.is_stopped,
        partial_because: report.partial_because.clone(),
        figures: vec![
            ("page_classes", classes_json(report)),
            ("request_classes", request_classes_json(report)),
            ("rejected", json!(rejected)),
        ],
    })
}

/// Tells the workers that share the archive how the job ended.
fn end_lead(lead: Option<Lead>, result: Result<Outcome>) -> Result<Outcome> {
    match lead {
        Some(lead) => lead.end(result),
        None => result,
    }
}

/// Where pages come from. Who runs again and again wants them as they are then.
fn sources_of(arguments: &RunArguments) -> SourceArguments {
    let mut sources = arguments.sources.clone();
    if let Some(every) = arguments.every {
        sources.refresh.get_or_insert(every.as_secs() / 2);
    }
    sources
}

/// Pages that are asked for together where somebody waits for rows and hosts are asked with pauses:
/// rows come when all of them are there.
const WATCHED_BATCH: usize = 4;

/// How the specification is followed.
pub(super) fn run_options(arguments: &RunArguments) -> RunOptions {
    let is_watched = arguments.preview.is_some() || arguments.tables.is_standard_output();
    let sources = &arguments.sources;
    let has_pauses = sources.mirror.is_empty() && sources.warc.is_empty() && sources.politeness.delay > 0.0;
    let plain = RunOptions::default();
    RunOptions {
        batch_max: match is_watched && has_pauses {
            true => WATCHED_BATCH,
            false => plain.batch_max,
        },
        follow: arguments.follow.clone(),
        send: arguments.send.clone(),
        next_max: arguments.max_next,
        is_dry: arguments.dry_run,
        ..plain
    }
}

/// An error that says which specification cannot be run.
pub(super) fn cannot_run(arguments: &RunArguments, error: &RunError) -> anyhow::Error {
    match error {
        RunError::Unknown { .. } => anyhow!(WrongUsage(error.to_string())),
        _ => anyhow!("{}: {error}", arguments.specification.display()),
    }
}

/// An error where no entry could be had, since its host was given up or for another reason.
pub(super) fn refuse_lost_entries(report: &RunReport, site: &SourceSite) -> Result<()> {
    let reached: usize = report.classes.iter().map(|class| class.supports + class.rejected).sum();
    let reason = silence_of(site).or(report.lost_entries.first().map(String::as_str));
    match (reached, reason) {
        (0, Some(reason)) => Err(anyhow!("no entry could be had: {reason}")),
        _ => Ok(()),
    }
}

/// Visits the entries and a few pages behind them, and prints what would be done.
fn run_dry(
    arguments: &RunArguments,
    specification: &Specification,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Outcome> {
    let mut ignore = |_: RunEvent<'_>| ControlFlow::Continue(());
    let began = Instant::now();
    let report = run_specification(specification, &run_options(arguments), site, &mut ignore)
        .map_err(|error| cannot_run(arguments, &error))?;
    refuse_lost_entries(&report, site)?;
    let look = Look {
        figures: site.figures,
        took: began.elapsed(),
        delay: pause_of(&arguments.sources),
    };
    let estimate = Estimate::of(specification, &report);
    write_result(
        &arguments.tables.figures(),
        plan_text(specification, &arguments.follow, &report, &estimate, &look).as_bytes(),
    )?;
    summary.more.extend([
        ("plan", plan_json(&report)),
        ("estimated_requests", json!(estimate.total)),
        ("estimated_seconds", json!(look.seconds_for(estimate.total).ceil())),
    ]);
    summary.partial_because.extend(report.partial_because.iter().cloned());
    // A few pages that are rejected are no drift: an assertion may be there to tell them from
    // others.
    let rejects_sample = |reason: &String| {
        let mut classes = specification.classes.iter().filter(|class| class.addresses.is_empty());
        classes.any(|class| reason.starts_with(&format!("{}: ", class.id)))
    };
    let mut drift = report.drift();
    drift.retain(|reason| !rejects_sample(reason));
    summary.more.push(("drift", json!(drift)));
    Ok(match (drift.is_empty(), summary.partial_because.is_empty()) {
        (false, _) => Outcome::Drift,
        (true, false) => Outcome::Partial,
        (true, true) => Outcome::Complete,
    })
}

/// How the pages of each class were reached and read.
fn class_sections(specification: &Specification, report: &RunReport) -> Vec<ClassSection> {
    let classes = specification.classes.iter().zip(&report.classes);
    let section = |(class, counts): (&TaughtClass, &ClassReport)| {
        let ways = specification
            .request_classes
            .iter()
            .filter(|request| request.to == class.id);
        let ways: Vec<&str> = ways.map(|request| request.id.as_str()).collect();
        ClassSection {
            name: class.id.clone(),
            kind: if class.is_read() { "read" } else { "on the way" }.to_owned(),
            pattern: if ways.is_empty() {
                "entry".to_owned()
            } else {
                format!("by {}", ways.join(", "))
            },
            estimated_pages: None,
            pages_read: counts.supports,
            pages_unread: counts.rejected,
            wrapper: match (class.fields.len(), class.rows.len()) {
                (0, 0) => String::new(),
                (n_fields, 0) => format!("taught, {n_fields} fields"),
                (0, n_rows) => format!("taught, {n_rows} lists of rows"),
                (n_fields, n_rows) => format!("taught, {n_fields} fields and {n_rows} lists of rows"),
            },
            example: None,
            text: None,
        }
    };
    classes.map(section).collect()
}

fn classes_json(report: &RunReport) -> Value {
    let class = |class: &ClassReport| {
        (
            class.id.clone(),
            json!({"supports": class.supports, "rejected": class.rejected}),
        )
    };
    Value::Object(report.classes.iter().map(class).collect())
}

fn request_classes_json(report: &RunReport) -> Value {
    let class = |class: &RequestReport| {
        let counts = json!({
            "followed": class.followed, "again": class.again, "dead": class.dead, "refused": class.refused, "failed": class.failed,
        });
        (class.id.clone(), counts)
    };
    Value::Object(report.request_classes.iter().map(class).collect())
}
