//! `untemplate rebuild`: a whole site to the relational database it was made from.
//!
//! A run that was killed is started again by the same command: it begins anew, an archive answers what is stored, and the tables are the same, byte by byte.

use std::fmt::Write;

use anyhow::{Result, anyhow};
use serde_json::{Map, Value, json};
use untemplate::job::{JobOptions, Reading, read_site};
use untemplate::page::SiteScope;
use untemplate::site::ExploreOptions;
use untemplate::site::model::{ModelOptions, SiteModel, explore_model};
use untemplate_store::DiskShelf;
use untemplate_store::table_file::TableFormat;
use url::Url;

use crate::arguments::{OutputArguments, RebuildArguments};
use crate::gather_site::GatherSite;
use crate::job_folder::{Written, write_job};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{say, write_result};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};

/// Rebuilds the database of a site.
pub fn run(arguments: &RebuildArguments) -> Result<Outcome> {
    let output = arguments.tables.figures();
    summarised("rebuild", &output, |summary| {
        let entry = Url::parse(&arguments.entry).map_err(|error| {
            WrongUsage(format!(
                "{} is no address ({error}); give one such as http://site.example/",
                arguments.entry
            ))
        })?;
        let source = open_site(&arguments.sources, &output, false)?;
        let mut site = GatherSite::new(source, output.quiet);
        let result = match arguments.dry_run {
            true => plan(arguments, &output, &mut site, &entry, summary),
            false => rebuild(arguments, &output, &mut site, &entry, summary),
        };
        site.end();
        summary.figures = untemplate_store::Figures {
            problems: summary.figures.problems + site.source.figures.problems,
            ..site.source.figures
        };
        result
    })
}

fn options(arguments: &RebuildArguments) -> JobOptions {
    JobOptions {
        model: ModelOptions {
            explore: ExploreOptions {
                scope: match arguments.host_only {
                    true => SiteScope::Host,
                    false => SiteScope::Domain,
                },
                ..ExploreOptions::default()
            },
            ..ModelOptions::default()
        },
        ..JobOptions::default()
    }
}

/// Tells what a run would do.
fn plan(
    arguments: &RebuildArguments,
    output: &OutputArguments,
    site: &mut GatherSite,
    entry: &Url,
    summary: &mut Summary,
) -> Result<Outcome> {
    let exploration = explore_model(site, entry, &[], &options(arguments).model);
    let model = &exploration.model;
    if model.classes.is_empty() {
        return Err(no_entry(entry, exploration.losses.first().map(|(_, why)| why.as_str())));
    }
    site.end();
    write_result(output, plan_text(model, site.source.figures.downloads).as_bytes())?;
    summary.more.push(("classes", json!(model.classes.len())));
    let pages: usize = model.classes.iter().map(|class| class.estimated_pages).sum();
    summary.more.push(("estimated_pages", json!(pages)));
    Ok(match exploration.is_stopped {
        true => Outcome::Partial,
        false => Outcome::Complete,
    })
}

fn plan_text(model: &SiteModel, downloads: usize) -> String {
    let mut text = String::from("pages  kind       class, and what its addresses look like\n");
    for class in &model.classes {
        let kind = class.kind.name();
        let _ = writeln!(
            text,
            "{:5}  {kind:<9}  {}  {}",
            class.estimated_pages, class.name, class.url_pattern
        );
    }
    let pages: usize = model.classes.iter().map(|class| class.estimated_pages).sum();
    let _ = writeln!(
        text,
        "\nabout {pages} pages in {} classes, as far as {downloads} downloads show; a run asks for each once, reads it, and makes a table of each class",
        model.classes.len()
    );
    text
}

fn no_entry(entry: &Url, why: Option<&str>) -> anyhow::Error {
    let why = why.unwrap_or("there is no page; check the address and the page sources");
    anyhow!("cannot begin at {entry}: {why}")
}

fn rebuild(
    arguments: &RebuildArguments,
    output: &OutputArguments,
    site: &mut GatherSite,
    entry: &Url,
    summary: &mut Summary,
) -> Result<Outcome> {
    let folder = arguments.tables.folder();
    let mut shelf = DiskShelf::create(&folder)?;
    let reading = read_site(site, &mut shelf, entry, &options(arguments))?;
    site.end();
    if reading.readers.is_empty() && !reading.is_stopped {
        return Err(no_entry(entry, reading.losses.first().map(|(_, why)| why.as_str())));
    }
    let formats: Vec<TableFormat> = arguments
        .tables
        .format
        .iter()
        .map(|format| format.table_format())
        .collect();
    let written = write_job(&folder, &formats, &reading, &mut shelf)?;
    tell(output, &reading, &written, summary);
    Ok(conclude(output, &reading, &written, site.is_interrupted(), summary))
}

/// Says what was found, to people and to the summary.
fn tell(output: &OutputArguments, reading: &Reading, written: &Written, summary: &mut Summary) {
    let tables = written.database.tables.iter().zip(&written.n_rows);
    let rows: Map<String, Value> = tables
        .map(|(table, n_rows)| (table.name.clone(), json!(n_rows)))
        .collect();
    let line: Vec<String> = rows.iter().map(|(table, count)| format!("{table} {count}")).collect();
    say(output, &format!("rows: {}", line.join(", ")));
    for file in &written.files {
        say(output, &format!("wrote {}", file.display()));
    }
    let files: Vec<String> = written.files.iter().map(|file| file.display().to_string()).collect();
    summary.more.push(("rows", Value::Object(rows)));
    summary.more.push(("files", json!(files)));
    summary.more.push(("classes", json!(reading.readers.len())));
    summary.more.push(("unread", json!(reading.n_unread)));
    summary.more.push(("dead", json!(reading.n_dead)));
    summary.more.push(("copies", json!(reading.n_copies)));
    summary.more.push(("left_out", json!(reading.n_left_out)));
    summary.figures.problems = written.problems.len();
}

/// How it ended.
fn conclude(
    output: &OutputArguments,
    reading: &Reading,
    written: &Written,
    is_interrupted: bool,
    summary: &mut Summary,
) -> Outcome {
    if is_interrupted {
        summary.partial_because.push("interrupted".to_owned());
    }
    let losses = reading.losses.iter().map(|(url, why)| format!("{url}: {why}"));
    summary.partial_because.extend(losses);
    if reading.n_refused > 0 {
        let why = format!(
            "{} addresses are refused by robots.txt or lie out of scope",
            reading.n_refused
        );
        summary.partial_because.push(why);
    }
    for reason in summary.partial_because.iter().take(8) {
        say(output, &format!("in part: {reason}"));
    }
    match (
        is_interrupted,
        summary.partial_because.is_empty() && !reading.is_stopped,
    ) {
        (true, _) => Outcome::Interrupted,
        (false, false) => Outcome::Partial,
        (false, true) if written.n_rows.iter().sum::<usize>() == 0 => Outcome::Nothing,
        (false, true) => Outcome::Complete,
    }
}
