//! `untemplate run … -o -`: records as lines on standard output, while the run goes on.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use anyhow::Result;
use serde_json::{Map, Value, json};
use untemplate::page::{Event, Phase, Site};
use untemplate::teach::{RowsReading, RunEvent, Specification, TaughtRecord, TaughtRows, run_specification};
use untemplate_store::{SourceSite, StopReason};

use super::run::{cannot_run, refuse_lost_entries, run_options};
use super::run_watch::Watch;
use crate::arguments::{OutputArguments, RunArguments};
use crate::outcome::Outcome;
use crate::output::{ResultWriter, say};
use crate::reader::rows_to_json;
use crate::summary::Summary;

/// Writes a JSON line for each record as it is read: the class, the page and the fields as the page
/// shows them. There are no tables, whose types need all values.
pub fn stream_rows(
    arguments: &RunArguments,
    output: &OutputArguments,
    specification: &Specification,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Outcome> {
    arguments.tables.check_lines()?;
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
    refuse_lost_entries(&report, site)?;
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
    Value::Object(Map::from_iter(record_parts(specification, record)))
}

/// What a line has, in the order of the specification.
pub(super) fn record_parts(specification: &Specification, record: &TaughtRecord) -> Vec<(String, Value)> {
    let mut parts = vec![
        ("table".to_owned(), json!(record.class)),
        ("page".to_owned(), json!(record.url.as_str())),
    ];
    for (name, values) in &record.fields {
        match &values[..] {
            [] => continue,
            [value] => parts.push((name.clone(), json!(value.text))),
            several => parts.push((name.clone(), several.iter().map(|value| json!(value.text)).collect())),
        };
    }
    let lists = lists_of(specification, record);
    parts.extend(lists.map(|(rows, read)| (rows.name.clone(), rows_to_json(rows, read))));
    parts
}
