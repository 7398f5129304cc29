//! `untemplate run`: a specification followed through its site, crawl and extraction interleaved; a
//! table for each page class with a wrapper.
//!
//! A run that was killed is started again by the same command: it begins anew, an archive answers
//! what is stored, and the tables are the same, byte by byte.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;

use anyhow::{Context, Result, anyhow};
use serde_json::{Map, Value, json};
use untemplate::job::{TaughtError, TaughtHarvest, read_taught};
use untemplate::page::{Event, Method, Phase, Site};
use untemplate::teach::{
    Arrival, ClassReport, Fate, RequestReport, RowsReading, RunError, RunEvent, RunOptions, RunReport, Specification,
    TaughtClass, TaughtRecord, TaughtRows, run_specification,
};
use untemplate_report::ClassSection;
use untemplate_store::table_file::{ClassMark, PageMark, PageState, TableFormat};
use untemplate_store::{DiskShelf, JobContents, Reach, SourceSite, StopReason, read_specification, specification_text};

use crate::arguments::{OutputArguments, RunArguments, RunFormat, SourceArguments};
use crate::dry_run::{plan_json, plan_text};
use crate::job_report::{Ended, Found, conclude_job, leaving_no_folder};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{ResultWriter, say, write_result};
use crate::reader::rows_to_json;
use crate::shared_job::{Lead, Turn, take_turn};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};
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
        let mut site = open_site(&sources, &output, false)?;
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
    let mut folder = arguments.tables.job_folder()?;
    if folder.formats.is_empty() {
        folder.formats.push(TableFormat::JsonLines);
    }
    folder.check()?;
    let mut watch = Watch::new(specification, arguments, output)?;
    let mut shelf = DiskShelf::create(&folder.folder)?;
    let options = run_options(arguments);
    site.note(Event::Phase(Phase::Following));
    let harvest = read_taught(site, &mut shelf, specification, &options, &mut |event| {
        watch.take(event)
    });
    let pages = watch.finish()?;
    let harvest = harvest.map_err(|error| match error {
        TaughtError::Run(error) => cannot_run(arguments, &error),
        error => error.into(),
    })?;
    let report = &harvest.report;
    let reached: usize = report.classes.iter().map(|class| class.supports + class.rejected).sum();
    if let (0, Some(reason)) = (reached, report.lost_entries.first()) {
        return Err(anyhow!("no entry could be had: {reason}"));
    }
    let ended = Ended {
        title: format!("Run of {}", arguments.specification.display()),
        figures: site.figures,
        is_interrupted: site.figures.stopped_because == Some(StopReason::Interrupted),
        folder: &folder,
        output,
    };
    site.note(Event::Phase(Phase::Writing));
    let found = found(arguments, specification, &harvest, pages)?.seen_by(site);
    let outcome = conclude_job(&ended, found, &mut shelf, summary)?;
    let drift = report.drift();
    for reason in &drift {
        say(output, &format!("the site has changed: {reason}"));
    }
    let has_drifted = !drift.is_empty() && outcome != Outcome::Interrupted;
    summary.more.push(("drift", json!(drift)));
    Ok(if has_drifted { Outcome::Drift } else { outcome })
}

/// Writes a JSON line for each record as it is read: the class, the page and the fields as the page shows them. There are no
/// tables, whose types need all values.
fn stream_rows(
    arguments: &RunArguments,
    output: &OutputArguments,
    specification: &Specification,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Outcome> {
    let is_lines = arguments.tables.format.iter().all(|format| *format == RunFormat::Jsonl);
    if !is_lines || arguments.tables.to.is_some() || arguments.tables.schema.is_some() {
        let message = "-o - streams JSON lines alone; give --format jsonl, or a folder for tables";
        return Err(anyhow!(WrongUsage(message.to_owned())));
    }
    let mut watch = Watch::new(specification, arguments, output)?;
    let mut writer = ResultWriter::open(output)?;
    let mut rows: BTreeMap<String, u64> = BTreeMap::new();
    let (mut n_problems, mut trouble) = (0, None);
    site.note(Event::Phase(Phase::Following));
    let report = run_specification(specification, &run_options(arguments), site, &mut |event| {
        if let RunEvent::Record(record) = event {
            count_rows(specification, record, &mut rows);
            n_problems += record.problems.len();
            if let Err(error) = writer.write(format!("{}\n", record_json(specification, record)).as_bytes()) {
                trouble = Some(error);
                return ControlFlow::Break(());
            }
        }
        watch.take(event)
    });
    watch.finish()?;
    trouble.map_or(Ok(()), Err)?;
    let report = report.map_err(|error| cannot_run(arguments, &error))?;
    let reached: usize = report.classes.iter().map(|class| class.supports + class.rejected).sum();
    if let (0, Some(reason)) = (reached, report.lost_entries.first()) {
        return Err(anyhow!("no entry could be had: {reason}"));
    }
    writer.finish()?;
    summary.figures.problems = n_problems;
    summary.partial_because.extend(report.partial_because.iter().cloned());
    for reason in &summary.partial_because {
        say(output, &format!("in part: {reason}"));
    }
    let n_rows: u64 = rows.values().sum();
    let drift = report.drift();
    summary.more.extend([("rows", json!(rows)), ("drift", json!(drift))]);
    Ok(match (drift.is_empty(), summary.partial_because.is_empty()) {
        _ if site.figures.stopped_because == Some(StopReason::Interrupted) => Outcome::Interrupted,
        (false, _) => Outcome::Drift,
        (true, false) => Outcome::Partial,
        (true, true) if n_rows == 0 => Outcome::Nothing,
        (true, true) => Outcome::Complete,
    })
}

/// The rows that a class is read for, each with what was read of them.
fn lists_of<'a>(
    specification: &'a Specification,
    record: &'a TaughtRecord,
) -> impl Iterator<Item = (&'a TaughtRows, &'a RowsReading)> {
    let class = specification.classes.iter().find(|class| class.id == record.class);
    class.into_iter().flat_map(|class| &class.rows).zip(&record.rows)
}

fn count_rows(specification: &Specification, record: &TaughtRecord, rows: &mut BTreeMap<String, u64>) {
    if !record.fields.is_empty() {
        *rows.entry(record.class.clone()).or_default() += 1;
    }
    for (list, read) in lists_of(specification, record) {
        *rows.entry(list.name.clone()).or_default() += read.rows.len() as u64;
    }
}

/// A record as a line: what is missing is left out, several values are an array, and so are rows.
fn record_json(specification: &Specification, record: &TaughtRecord) -> Value {
    let mut line = Map::from_iter([
        ("table".to_owned(), json!(record.class)),
        ("page".to_owned(), json!(record.url.as_str())),
    ]);
    for (name, values) in &record.fields {
        match &values[..] {
            [] => continue,
            [value] => line.insert(name.clone(), json!(value.text)),
            several => line.insert(name.clone(), several.iter().map(|value| json!(value.text)).collect()),
        };
    }
    let lists = lists_of(specification, record);
    line.extend(lists.map(|(rows, read)| (rows.name.clone(), rows_to_json(rows, read))));
    Value::Object(line)
}

/// What a run found, for its folder, its report and its summary.
fn found<'a>(
    arguments: &RunArguments,
    specification: &Specification,
    harvest: &'a TaughtHarvest,
    pages: Vec<PageMark>,
) -> Result<Found<'a>> {
    let report = &harvest.report;
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
            records: harvest,
            classes: specification.classes.iter().map(mark).collect(),
            files: vec![(SPECIFICATION.to_owned(), text)],
            pages: Box::new(pages.into_iter()),
            reach: Reach::Complete,
        },
        classes: class_sections(specification, report),
        problems: harvest.problems.clone().finish(),
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
        &arguments.tables.figures(),
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

/// Watches a run: requests go to the trace, what became of pages is kept, and oddities are said.
struct Watch<'a> {
    specification: &'a Specification,
    output: &'a OutputArguments,
    pages: Vec<PageMark>,
    trace: Option<BufWriter<File>>,
    trouble: Option<anyhow::Error>,
}

impl<'a> Watch<'a> {
    fn new(specification: &'a Specification, arguments: &'a RunArguments, output: &'a OutputArguments) -> Result<Self> {
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
            specification,
            output,
            pages: Vec::new(),
            trace: trace.transpose()?,
            trouble: None,
        })
    }

    fn take(&mut self, event: RunEvent<'_>) -> ControlFlow<()> {
        match event {
            RunEvent::Record(_) => {}
            RunEvent::Odd(url, problem) => say(self.output, &format!("{url}: {problem}")),
            RunEvent::Arrived(arrival) => {
                self.mark(arrival);
                if let Some(trace) = &mut self.trace
                    && let Err(error) = writeln!(trace, "{}", arrival_json(arrival)).context("cannot write the trace")
                {
                    self.trouble = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Notes what became of a page, for whoever traces a row to it.
    fn mark(&mut self, arrival: &Arrival) {
        let url = arrival.page.as_ref().unwrap_or(&arrival.request.url);
        let state = match &arrival.fate {
            Fate::Supports => PageState::Read,
            Fate::Rejected { failing } => {
                let first = failing.first().map_or("", String::as_str);
                let message = format!("{url}: no {}: nothing is at {first}", arrival.class);
                say(self.output, &message);
                PageState::Unread
            }
            Fate::Failed { .. } => PageState::Failed,
            Fate::Again | Fate::Dead { .. } | Fate::Refused { .. } => return,
        };
        self.pages.push(PageMark {
            url: url.to_string(),
            page_class: self.specification.class_index(&arrival.class),
            first_seen: None,
            last_seen: None,
            state,
        });
    }

    /// Ends the trace; what became of the pages.
    fn finish(self) -> Result<Vec<PageMark>> {
        if let Some(mut trace) = self.trace {
            trace.flush().context("cannot write the trace")?;
        }
        self.trouble.map_or(Ok(self.pages), Err)
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
