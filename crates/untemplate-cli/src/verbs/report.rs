//! `untemplate report`: all pages like a sample, as a dataset and a report that a person reads.
//!
//! Gather, infer, extract and tables in one go: pages are read as they are found.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde_json::json;
use untemplate::job::{JobOptions, read_like};
use untemplate::page::{Event, Page, Phase, Site};
use untemplate::site::{GatherOptions, gather};
use untemplate_crawl::WebSite;
use untemplate_store::{DiskRecordStore, Figures, JobFolder};

use super::gather::shortage;
use super::report_stream::{LineReader, stream_pages};
use crate::arguments::{OutputArguments, ReportArguments};
use crate::entry::find_sample;
use crate::first_page::nothing_read;
use crate::interrupt::listen;
use crate::job_report::{Ended, Found, conclude_job, leaving_no_folder};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{counted, say, write_result};
use crate::page_arguments::read_page;
use crate::reach::{Reach, search_options};
use crate::sources::pause_of;
use crate::summary::{Summary, summarised};
use crate::time_needed::Look;

/// Reports on all pages like a sample.
pub fn run(arguments: &ReportArguments) -> Result<Outcome> {
    let output = arguments.tables.figures();
    summarised("report", &output, |summary| {
        let reader = arguments
            .wrapper
            .as_deref()
            .map(|file| open(file, arguments))
            .transpose()?;
        let mut search = search_options(&arguments.entry, arguments.host_only, &arguments.sources)?;
        if !arguments.dry_run && reader.is_none() {
            arguments.tables.check_folder()?;
        }
        let mut sources = arguments.sources.clone();
        let sample = find_sample(&arguments.sample, &mut sources)?;
        let mut source = summary.open_site(&sources, &output, false)?;
        let sample = read_page(&sample, &mut source, &sources)?;
        let reach = Reach::new(&arguments.reach, &sample.url, &search.entries)?;
        reach.apply(&mut source, &sample.url);
        search.explore.bounds = reach.bounds;
        search.entries = reach.starts;
        let mut site = WebSite { source };
        listen();
        let result = match (&reader, arguments.dry_run) {
            (Some(reader), _) => stream_pages(reader, &output, &mut site, &sample, &search, summary),
            (None, true) => plan(&output, &mut site, &sample, &search, pause_of(&sources), summary),
            (None, false) => {
                let folder = arguments.tables.job_folder_of(&sample.url)?;
                leaving_no_folder(&folder.folder, || {
                    report(&folder, &output, &mut site, &sample, &search, summary)
                })
            }
        };
        summary.figures = Figures {
            problems: summary.figures.problems + site.source.figures.problems,
            ..site.source.figures
        };
        result
    })
}

/// The wrapper of a run whose rows are streamed.
fn open(file: &Path, arguments: &ReportArguments) -> Result<LineReader> {
    if !arguments.tables.is_standard_output() {
        let message = "--wrapper streams the rows of the pages found; give --format jsonl -o - with it, or leave it out to have tables";
        return Err(anyhow!(WrongUsage(message.to_owned())));
    }
    arguments.tables.check_lines()?;
    LineReader::open(file)
}

/// Downloads that a plan may take.
const PLAN_DOWNLOADS: usize = 60;

/// Tells what a run would do.
fn plan(
    output: &OutputArguments,
    site: &mut WebSite,
    sample: &Arc<Page>,
    search: &GatherOptions,
    delay: f64,
    summary: &mut Summary,
) -> Result<Outcome> {
    let began = Instant::now();
    site.note(Event::Phase(Phase::Searching));
    let mut few = search.clone();
    few.explore.downloads_max = few.explore.downloads_max.min(PLAN_DOWNLOADS);
    let gathered = gather(site, sample, &few);
    let look = Look {
        figures: site.source.figures,
        took: began.elapsed(),
        delay,
    };
    let mut text = format!(
        "about {} like {}, as far as {} show; a run looks for them all and makes a table of them; {}\n",
        match gathered.size_estimate {
            1 => "1 page is".to_owned(),
            n_pages => format!("{n_pages} pages are"),
        },
        sample.url,
        look.visited(),
        look.time_for(gathered.size_estimate)
    );
    for lead in gathered.leads.iter().take(5) {
        let _ = writeln!(
            text,
            "{:5} found by links of {} at {}",
            lead.n_targets, lead.example, lead.path
        );
    }
    write_result(output, text.as_bytes())?;
    summary
        .more
        .push(("class_size_estimate", json!(gathered.size_estimate)));
    let seconds = look.seconds_for(gathered.size_estimate).ceil();
    summary.more.push(("estimated_seconds", json!(seconds)));
    Ok(Outcome::Complete)
}

fn report(
    folder: &JobFolder,
    output: &OutputArguments,
    site: &mut WebSite,
    sample: &Arc<Page>,
    search: &GatherOptions,
    summary: &mut Summary,
) -> Result<Outcome> {
    let mut record_store = DiskRecordStore::create(&folder.folder)?;
    let (crawl_result, gathered) = read_like(site, &mut record_store, sample, search, &JobOptions::default())?;
    let message = format!(
        "{} found, the class is thought to have {}",
        counted(gathered.pages.len(), "page"),
        gathered.size_estimate
    );
    say(output, &message);
    summary.more.push(("found", json!(gathered.pages.len())));
    summary
        .more
        .push(("class_size_estimate", json!(gathered.size_estimate)));
    let ended = Ended {
        title: format!("All pages like {}", sample.url),
        figures: site.source.figures,
        is_interrupted: site.source.stop.is_stopping(),
        folder,
        output,
    };
    site.note(Event::Phase(Phase::Writing));
    let mut found = Found::of_crawl(&crawl_result).seen_by(&mut site.source);
    found.contents.reader = Some(&crawl_result);
    if !ended.is_interrupted {
        found.partial_because.extend(shortage(&gathered));
    }
    let outcome = conclude_job(&ended, found, &mut record_store, summary)?;
    if outcome == Outcome::Nothing {
        say(output, &nothing_read(site, &sample.url));
    }
    Ok(match outcome {
        Outcome::Complete if gathered.pages.len() < 2 => Outcome::Nothing,
        outcome => outcome,
    })
}
