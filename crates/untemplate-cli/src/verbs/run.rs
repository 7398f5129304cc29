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
use untemplate::table::{Column, ColumnKind, ColumnSource, Database, Table};
use untemplate::teach::{
    Arrival, Fate, RunError, RunEvent, RunOptions, RunReport, Specification, TaughtClass, TaughtRecord,
    run_specification,
};
use untemplate_store::table_file::{ClassMark, PageMark, PageState, TableFolder, TableFormat};
use untemplate_store::{SourceSite, StopReason, read_specification};

use crate::arguments::{OutputArguments, RunArguments};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::say;
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
    let options = RunOptions {
        follow: arguments.follow.clone(),
        send: arguments.send.clone(),
        next_max: arguments.max_next,
        ..RunOptions::default()
    };
    let folder = arguments.output.clone().unwrap_or_else(|| PathBuf::from(FOLDER));
    let mut writer = Writer::new(specification, &folder, arguments, output)?;
    let report = run_specification(specification, &options, site, &mut |event| writer.take(event)).map_err(
        |error| match error {
            RunError::Unknown { .. } => anyhow!(WrongUsage(error.to_string())),
            _ => anyhow!("{}: {error}", arguments.specification.display()),
        },
    )?;
    // Tables of an earlier run are better than none at all, and than those of a run that somebody stopped in the middle.
    let is_interrupted = site.figures.stopped_because == Some(StopReason::Interrupted);
    let files = if is_interrupted || writer.n_rows == 0 {
        say(
            output,
            "no table was written; those of an earlier run, if any, stay as they are",
        );
        writer.abandon()?;
        Vec::new()
    } else {
        writer.finish()?
    };
    for file in &files {
        say(output, &format!("wrote {}", file.display()));
    }
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    summary.more.push(("files", json!(files)));
    Ok(report)
}

/// Takes the events of a run: rows to tables, requests to the trace, oddities to whoever reads messages.
struct Writer<'a> {
    output: &'a OutputArguments,
    specification: &'a Specification,
    /// Of each page class, its table.
    tables: Vec<Option<usize>>,
    files: TableFolder,
    trace: Option<BufWriter<File>>,
    n_rows: usize,
    trouble: Option<anyhow::Error>,
}

impl<'a> Writer<'a> {
    fn new(
        specification: &'a Specification,
        folder: &Path,
        arguments: &RunArguments,
        output: &'a OutputArguments,
    ) -> Result<Self> {
        let (tables, database) = tables_of(specification);
        let formats: Vec<TableFormat> = arguments.format.iter().map(|format| format.table_format()).collect();
        let mut files = TableFolder::create(folder, &database, &formats)?;
        files.set_classes(class_marks(specification));
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
            specification,
            tables,
            files,
            trace: trace.transpose()?,
            n_rows: 0,
            trouble: None,
        })
    }

    fn take(&mut self, event: RunEvent<'_>) -> ControlFlow<()> {
        let taken = match event {
            RunEvent::Record(record) => self.write_record(record),
            RunEvent::Arrived(arrival) => self.write_arrival(arrival),
            RunEvent::Odd(url, problem) => {
                say(self.output, &format!("{url}: {problem}"));
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

    fn write_record(&mut self, record: &TaughtRecord) -> Result<()> {
        let class = self.specification.class_index(&record.class);
        let Some(table) = class.and_then(|index| self.tables[index]) else {
            return Ok(());
        };
        let texts = |values: &[untemplate::rule::Picked]| values.iter().map(|picked| picked.text.clone()).collect();
        let mut row: Vec<Vec<String>> = vec![vec![record.url.to_string()]];
        row.extend(record.fields.iter().map(|(_, values)| texts(values)));
        self.files.push_lists(table, &row)?;
        self.n_rows += 1;
        Ok(())
    }

    fn write_arrival(&mut self, arrival: &Arrival) -> Result<()> {
        self.mark_page(arrival)?;
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

    /// Notes what became of a page, for whoever traces a row to it.
    fn mark_page(&mut self, arrival: &Arrival) -> Result<()> {
        let state = match arrival.fate {
            Fate::Supports => PageState::Read,
            Fate::Rejected { .. } => PageState::Unread,
            Fate::Failed { .. } => PageState::Failed,
            Fate::Again | Fate::Dead { .. } | Fate::Refused { .. } => return Ok(()),
        };
        let url = arrival.page.as_ref().unwrap_or(&arrival.request.url);
        self.files.push_page(&PageMark {
            url: url.to_string(),
            page_class: self.specification.class_index(&arrival.class),
            first_seen: None,
            last_seen: None,
            state,
        })?;
        Ok(())
    }

    /// Ends without tables; what went wrong while they were written is still said.
    fn abandon(self) -> Result<()> {
        self.files.abandon();
        if let Some(mut trace) = self.trace {
            trace.flush().context("cannot write the trace")?;
        }
        self.trouble.map_or(Ok(()), Err)
    }

    fn finish(self) -> Result<Vec<PathBuf>> {
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        if let Some(mut trace) = self.trace {
            trace.flush().context("cannot write the trace")?;
        }
        Ok(self.files.finish()?)
    }
}

/// The tables of a specification: of each page class its table, where it has a wrapper, and their schema.
fn tables_of(specification: &Specification) -> (Vec<Option<usize>>, Database) {
    let (mut own, mut tables) = (Vec::new(), Vec::new());
    for (page_class, class) in specification.classes.iter().enumerate() {
        if class.fields.is_empty() {
            own.push(None);
            continue;
        }
        own.push(Some(tables.len()));
        let names: Vec<String> = class.fields.iter().map(|field| field.name.clone()).collect();
        let address = column(page_column(&names), ColumnSource::Address, ColumnKind::Url);
        let fields = names
            .into_iter()
            .map(|name| column(name.clone(), ColumnSource::Field(name), ColumnKind::Text));
        tables.push(Table {
            name: class.id.clone(),
            page_class,
            list_path: Vec::new(),
            columns: std::iter::once(address).chain(fields).collect(),
            // Answers to forms may share an address.
            key: Vec::new(),
            foreign_keys: Vec::new(),
        });
    }
    (own, Database { tables })
}

fn column(name: String, source: ColumnSource, kind: ColumnKind) -> Column {
    Column {
        name,
        is_nullable: source != ColumnSource::Address,
        reading: untemplate::table::Reading::default(),
        source,
        kind,
        unit: None,
    }
}

/// The column of the page's address, under a name that no field has.
fn page_column(names: &[String]) -> String {
    let mut column = "page".to_owned();
    while names.iter().any(|name| name.eq_ignore_ascii_case(&column)) {
        column.push('_');
    }
    column
}

fn class_marks(specification: &Specification) -> Vec<ClassMark> {
    let mark = |class: &TaughtClass| ClassMark {
        name: class.id.clone(),
        wrapper: None,
    };
    specification.classes.iter().map(mark).collect()
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
