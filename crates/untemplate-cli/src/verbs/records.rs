//! `untemplate records`: the main list of one page, as a table.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use untemplate::job::ShownList;
use untemplate::page::Page;
use untemplate::record::{FollowedList, PageRecords, QueryHint, RecordOptions, find_records, follow_list_with};
use untemplate_papers::alvarez;
use untemplate_report::outlined_page;
use untemplate_store::SourceSite;
use untemplate_store::table_file::{TableFormat, table_bytes};

use crate::arguments::{RecordsArguments, RecordsFormat};
use crate::first_page::empty_without_scripts;
use crate::outcome::Outcome;
use crate::output::{say, write_result};
use crate::page_arguments::read_page;
use crate::records_output::{followed_json, json_text, regions_json, terminal_table};
use crate::summary::{Summary, summarised};

/// Pages of a list that are read unless somebody wants more.
const PAGES_MAX: usize = 100;

/// Finds the records of a page, and of those after it if asked to, and writes them.
pub fn run(arguments: &RecordsArguments) -> Result<Outcome> {
    summarised("records", &arguments.output, |summary| {
        summary.more.push(("records", json!(0)));
        let mut site = summary.open_site(&arguments.sources, &arguments.output, false)?;
        let result = read_page(&arguments.page, &mut site, &arguments.sources)
            .and_then(|page| records(arguments, &mut site, page, summary));
        summary.figures = site.figures;
        result
    })
}

fn records(
    arguments: &RecordsArguments,
    site: &mut SourceSite,
    page: Arc<Page>,
    summary: &mut Summary,
) -> Result<Outcome> {
    for problem in &page.problems {
        say(&arguments.output, &format!("{}: {problem}", arguments.page));
    }
    let losses = page.problems.iter().filter(|problem| problem.is_loss());
    summary
        .partial_because
        .extend(losses.map(|problem| format!("{}: {problem}", arguments.page)));
    let options = RecordOptions {
        all: arguments.all,
        hint: arguments.query.as_deref().map(QueryHint::parse).unwrap_or_default(),
        ..RecordOptions::default()
    };
    let find = |page: &Page| match arguments.faithful {
        true => alvarez::find_records(page, &options.hint),
        false => find_records(page, &options),
    };
    let pages_max = arguments
        .sources
        .limits
        .max_pages
        .map_or(PAGES_MAX, |pages| pages.max(1) as usize);
    let hint = empty_without_scripts(&page).filter(|_| arguments.sources.render.render.is_none());
    let n_records = match arguments.follow_next {
        true => write_followed(arguments, &follow_list_with(site, page, &find, pages_max), summary)?,
        false => write_page(arguments, &page, find(&page))?,
    };
    summary.more.retain(|(name, _)| *name != "records");
    summary.more.push(("records", json!(n_records)));
    if n_records == 0 {
        let name = &arguments.page;
        let why = hint.unwrap_or_else(|| format!("{name}: the page has no list; show records tells what else repeats"));
        say(&arguments.output, &why);
    }
    Ok(match (summary.partial_because.is_empty(), n_records) {
        (false, _) => Outcome::Partial,
        (true, 0) => Outcome::Nothing,
        (true, _) => Outcome::Complete,
    })
}

/// Writes the lists of one page; how many records they have.
fn write_page(arguments: &RecordsArguments, page: &Arc<Page>, found: PageRecords) -> Result<usize> {
    let n_records = found.regions.iter().map(|region| region.records.len()).sum();
    if arguments.html {
        write_result(&arguments.output, outlined_page(page, &found.regions).as_bytes())?;
        return Ok(n_records);
    }
    let format = format_of(arguments);
    if format == RecordsFormat::Json {
        let result = regions_json(&arguments.page, page, &found.regions);
        write_result(&arguments.output, json_text(&result).as_bytes())?;
        return Ok(n_records);
    }
    let list = FollowedList {
        parts: found
            .regions
            .into_iter()
            .take(1)
            .map(|region| (Arc::clone(page), region))
            .collect(),
        cut_short: None,
    };
    write_list(arguments, format, &list)?;
    Ok(n_records)
}

/// Writes a list over several pages; how many records it has.
fn write_followed(arguments: &RecordsArguments, list: &FollowedList, summary: &mut Summary) -> Result<usize> {
    if let Some(reason) = &list.cut_short {
        say(&arguments.output, &format!("the list is not whole: {reason}"));
        summary.partial_because.push(reason.clone());
    }
    // What was lost on the first page is said already.
    for (page, _) in list.parts.iter().skip(1) {
        for problem in page.problems.iter().filter(|problem| problem.is_loss()) {
            let why = format!("{}: {problem}", page.url);
            say(&arguments.output, &why);
            summary.partial_because.push(why);
        }
    }
    let format = format_of(arguments);
    match format {
        RecordsFormat::Json => {
            write_result(
                &arguments.output,
                json_text(&followed_json(&arguments.page, list)).as_bytes(),
            )?;
        }
        _ => write_list(arguments, format, list)?,
    }
    Ok(list.parts.iter().map(|(_, region)| region.records.len()).sum())
}

fn write_list(arguments: &RecordsArguments, format: RecordsFormat, list: &FollowedList) -> Result<()> {
    let shown = ShownList::of(list);
    let format = match format {
        RecordsFormat::Table | RecordsFormat::Json => {
            return write_result(&arguments.output, terminal_table(&shown).as_bytes());
        }
        RecordsFormat::Jsonl => TableFormat::JsonLines,
        RecordsFormat::Csv => TableFormat::Csv,
        RecordsFormat::Parquet => TableFormat::Parquet,
        RecordsFormat::Xml => TableFormat::Xml,
        RecordsFormat::Sqlite => TableFormat::Sqlite,
        RecordsFormat::Xlsx => TableFormat::Xlsx,
    };
    let (table, rows) = shown.table(arguments.follow_next);
    write_result(&arguments.output, &table_bytes(&table, &rows, format)?)
}

/// The format that was asked for; else a table for a person at a terminal, and JSON for everyone
/// else.
fn format_of(arguments: &RecordsArguments) -> RecordsFormat {
    let goes_to_file = arguments
        .output
        .output
        .as_deref()
        .is_some_and(|file| file != Path::new("-"));
    match arguments.format {
        Some(format) => format,
        None if !goes_to_file && !arguments.all && io::stdout().is_terminal() => RecordsFormat::Table,
        None => RecordsFormat::Json,
    }
}
