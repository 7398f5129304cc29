//! `untemplate run`: a specification followed through its site, crawl and extraction interleaved; a table for each page class with a wrapper.
//!
//! A run that was killed is started again by the same command: it begins anew, an archive answers what is stored, and the tables are the same, byte by byte.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde_json::{Map, Value, json};
use untemplate::page::Method;
use untemplate::teach::{Arrival, Fate, RunError, RunEvent, RunOptions, RunReport, Specification, run_specification};
use untemplate_store::{Figures, SourceSite, StopReason, read_specification};

use crate::arguments::{OutputArguments, RunArguments};
use crate::dry_run::{plan_json, plan_text};
use crate::job_report::change_figures;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{say, write_result};
use crate::row_changes::EarlierRows;
use crate::run_tables::{RunTables, WrittenTables};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};

/// Where tables go unless somebody says otherwise.
const FOLDER: &str = "untemplate-out";

/// Runs a specification and writes its tables.
pub fn run(arguments: &RunArguments) -> Result<Outcome> {
    let output = arguments.figures();
    summarised("run", &output, |summary| {
        let specification = read_specification(&arguments.specification)?;
        let mut site = open_site(&arguments.sources, &output, false)?;
        let named = specification.classes.iter().flat_map(|class| &class.addresses);
        named.for_each(|address| site.permit(address));
        if arguments.dry_run {
            let result = run_dry(arguments, &specification, &mut site, summary);
            summary.figures = site.figures;
            return result;
        }
        let result = run_on(arguments, &output, &specification, &mut site, summary);
        summary.figures = site.figures;
        let report = result?;
        summary.figures.problems += report.problems;
        conclude(&output, &report, summary)
    })
}

fn run_on(
    arguments: &RunArguments,
    output: &OutputArguments,
    specification: &Specification,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<RunReport> {
    let options = run_options(arguments);
    let folder = arguments.output.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
    let wrapped = specification.classes.iter().filter(|class| !class.fields.is_empty());
    let earlier = EarlierRows::read(&folder, wrapped.map(|class| class.id.clone()))?;
    let mut writer = Writer::new(specification, &folder, arguments, output)?;
    let report = run_specification(specification, &options, site, &mut |event| writer.take(event))
        .map_err(|error| cannot_run(arguments, &error))?;
    // Tables of an earlier run are better than none at all, and than those of a run that somebody stopped in the middle.
    let is_interrupted = site.figures.stopped_because == Some(StopReason::Interrupted);
    let written = if is_interrupted || writer.tables.n_rows() == 0 {
        say(
            output,
            "no table was written; those of an earlier run, if any, stay as they are",
        );
        writer.abandon()?;
        WrittenTables {
            files: Vec::new(),
            changes: None,
        }
    } else {
        writer.finish(&report, site.figures)?
    };
    let has_changes = written.changes.is_some();
    if let Some(changes) = &written.changes {
        let (changes, line) = change_figures(changes);
        say(output, &line);
        summary.more.push(("changes", changes));
    }
    let files = written.files;
    for file in &files {
        say(output, &format!("wrote {}", file.display()));
    }
    if !files.is_empty()
        && let Some(changes) = earlier.changes(report.partial_because.is_empty())?
    {
        if !has_changes {
            say(output, &format!("since the last run: {changes}"));
        }
        summary.more.push(("changes_by_table", changes));
    }
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    summary.more.push(("files", json!(files)));
    Ok(report)
}

fn run_options(arguments: &RunArguments) -> RunOptions {
    RunOptions {
        follow: arguments.follow.clone(),
        send: arguments.send.clone(),
        next_max: arguments.max_next,
        is_dry: arguments.dry_run,
        ..RunOptions::default()
    }
}

fn cannot_run(arguments: &RunArguments, error: &RunError) -> anyhow::Error {
    match error {
        RunError::Unknown { .. } => anyhow!(WrongUsage(error.to_string())),
        _ => anyhow!("{}: {error}", arguments.specification.display()),
    }
}

/// Visits the entries and prints what would be done.
fn run_dry(
    arguments: &RunArguments,
    specification: &Specification,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Outcome> {
    let mut ignore = |_: RunEvent<'_>| ControlFlow::Continue(());
    let report = run_specification(specification, &run_options(arguments), site, &mut ignore)
        .map_err(|error| cannot_run(arguments, &error))?;
    let had = report.classes.iter().map(|class| class.supports + class.rejected);
    if let (0, Some(reason)) = (had.sum::<usize>(), report.lost_entries.first()) {
        return Err(anyhow!("no entry could be had: {reason}"));
    }
    write_result(
        &arguments.figures(),
        plan_text(specification, &arguments.follow, &report).as_bytes(),
    )?;
    summary.more.push(("plan", plan_json(&report)));
    summary.partial_because.extend(report.partial_because.iter().cloned());
    let drift = report.drift();
    summary.more.push(("drift", json!(drift)));
    Ok(match (drift.is_empty(), summary.partial_because.is_empty()) {
        (false, _) => Outcome::Drift,
        (true, false) => Outcome::Partial,
        (true, true) => Outcome::Complete,
    })
}

/// Takes the events of a run: rows to tables, requests to the trace, oddities to whoever reads messages.
struct Writer<'a> {
    output: &'a OutputArguments,
    tables: RunTables<'a>,
    trace: Option<BufWriter<File>>,
    trouble: Option<anyhow::Error>,
}

impl<'a> Writer<'a> {
    fn new(
        specification: &'a Specification,
        folder: &Path,
        arguments: &'a RunArguments,
        output: &'a OutputArguments,
    ) -> Result<Self> {
        let trace = arguments.trace.as_ref().map(|file| {
            let hint = || {
                format!(
                    "cannot write {}; check that its folder is there and may be written to",
                    file.display()
                )
            };
            File::create(file).map(BufWriter::new).with_context(hint)
        });
        Ok(Self {
            output,
            tables: RunTables::create(specification, folder, arguments)?,
            trace: trace.transpose()?,
            trouble: None,
        })
    }

    fn take(&mut self, event: RunEvent<'_>) -> ControlFlow<()> {
        let taken = match event {
            RunEvent::Record(record) => self.tables.write_record(record),
            RunEvent::Arrived(arrival) => self.write_arrival(arrival),
            RunEvent::Odd(url, problem) => {
                say(self.output, &format!("{url}: {problem}"));
                self.tables.note(url, problem);
                Ok(())
            }
        };
        match taken {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.trouble = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn write_arrival(&mut self, arrival: &Arrival) -> Result<()> {
        self.tables.mark_page(arrival)?;
        if let Fate::Rejected { failing } = &arrival.fate {
            let url = arrival.page.as_ref().unwrap_or(&arrival.request.url);
            let first = failing.first().map_or("", String::as_str);
            say(
                self.output,
                &format!("{url}: no {}: nothing is at {first}", arrival.class),
            );
        }
        let Some(trace) = &mut self.trace else {
            return Ok(());
        };
        writeln!(trace, "{}", arrival_json(arrival)).context("cannot write the trace")
    }

    /// Ends without tables; what went wrong while they were written is still said.
    fn abandon(self) -> Result<()> {
        self.tables.abandon();
        if let Some(mut trace) = self.trace {
            trace.flush().context("cannot write the trace")?;
        }
        self.trouble.map_or(Ok(()), Err)
    }

    fn finish(self, report: &RunReport, figures: Figures) -> Result<WrittenTables> {
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        if let Some(mut trace) = self.trace {
            trace.flush().context("cannot write the trace")?;
        }
        self.tables.finish(report, figures)
    }
}

/// A request and what came of it, as a line of the trace.
fn arrival_json(arrival: &Arrival) -> Value {
    let body = String::from_utf8_lossy(&arrival.request.body);
    let mut line = json!({
        "level": arrival.level,
        "parent": arrival.parent.as_ref().map(url::Url::as_str),
        "request_class": arrival.request_class,
        "method": if arrival.request.method == Method::Post { "POST" } else { "GET" },
        "url": arrival.request.url.as_str(),
        "page_class": arrival.class,
        "page": arrival.page.as_ref().map(url::Url::as_str),
        "fate": arrival.fate.word(),
    });
    if !body.is_empty() {
        line["body"] = json!(body);
    }
    match &arrival.fate {
        Fate::Rejected { failing } => line["failing"] = json!(failing),
        Fate::Dead { reason } | Fate::Refused { reason } | Fate::Failed { reason } => line["reason"] = json!(reason),
        Fate::Supports | Fate::Again => {}
    }
    line
}

fn conclude(output: &OutputArguments, report: &RunReport, summary: &mut Summary) -> Result<Outcome> {
    let tables = report.classes.iter().filter(|class| !class.fields.is_empty());
    let rows: Map<String, Value> = tables.map(|class| (class.id.clone(), json!(class.records))).collect();
    let line: Vec<String> = rows.iter().map(|(table, count)| format!("{table} {count}")).collect();
    say(output, &format!("rows: {}", line.join(", ")));
    let rejected: usize = report.classes.iter().map(|class| class.rejected).sum();
    let drift = report.drift();
    summary.more.push(("rows", Value::Object(rows)));
    summary.more.push(("page_classes", classes_json(report)));
    summary.more.push(("request_classes", request_classes_json(report)));
    summary.more.push(("rejected", json!(rejected)));
    summary.more.push(("drift", json!(drift)));
    summary.partial_because.extend(report.partial_because.iter().cloned());
    for reason in &summary.partial_because {
        say(output, &format!("in part: {reason}"));
    }
    for reason in &drift {
        say(output, &format!("the site has changed: {reason}"));
    }
    let reached: usize = report.classes.iter().map(|class| class.supports + class.rejected).sum();
    if let (0, Some(reason)) = (reached, report.lost_entries.first()) {
        return Err(anyhow!("no entry could be had: {reason}"));
    }
    Ok(match (drift.is_empty(), summary.partial_because.is_empty()) {
        (false, _) => Outcome::Drift,
        (true, false) => Outcome::Partial,
        (true, true) if report.records() == 0 => Outcome::Nothing,
        (true, true) => Outcome::Complete,
    })
}

fn classes_json(report: &RunReport) -> Value {
    let class = |class: &untemplate::teach::ClassReport| {
        (
            class.id.clone(),
            json!({"supports": class.supports, "rejected": class.rejected}),
        )
    };
    Value::Object(report.classes.iter().map(class).collect())
}

fn request_classes_json(report: &RunReport) -> Value {
    let class = |class: &untemplate::teach::RequestReport| {
        let counts = json!({
            "followed": class.followed, "again": class.again, "dead": class.dead, "refused": class.refused, "failed": class.failed,
        });
        (class.id.clone(), counts)
    };
    Value::Object(report.request_classes.iter().map(class).collect())
}
