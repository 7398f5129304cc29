//! `untemplate rebuild`: a whole site to the relational database it was made from.
//!
//! A run that was killed is started again by the same command: it begins anew, an archive answers
//! what is stored, and the tables are the same, byte by byte.

use std::fmt::Write;
use std::time::Instant;

use anyhow::{Result, anyhow};
use serde_json::json;
use untemplate::job::{CrawlResult, JobOptions, read_site};
use untemplate::page::{Event, Phase, Site, SiteScope};
use untemplate::site::ExploreOptions;
use untemplate::site::model::{ModelOptions, SiteModel, explore_model};
use untemplate_crawl::WebSite;
use untemplate_store::{DiskRecordStore, JobFolder};
use url::Url;

use crate::arguments::{OutputArguments, RebuildArguments};
use crate::entry::find_entry;
use crate::first_page::{cannot_begin, entry_without_scripts, nothing_read, silence_of};
use crate::interrupt::listen;
use crate::job_report::{Ended, Found, conclude_job, leaving_no_folder};
use crate::outcome::Outcome;
use crate::output::{counted, say, write_result};
use crate::parameters::set_numbers;
use crate::reach::Reach;
use crate::shared_job::{Turn, take_turn};
use crate::sources::pause_of;
use crate::summary::{Summary, summarised};
use crate::time_needed::Look;

/// Rebuilds the database of a site.
pub fn run(arguments: &RebuildArguments) -> Result<Outcome> {
    let output = arguments.tables.figures();
    summarised("rebuild", &output, |summary| {
        if !arguments.dry_run {
            arguments.tables.check_folder()?;
        }
        let mut sources = arguments.sources.clone();
        let entry = find_entry(arguments.entry.as_deref(), &arguments.reach, &mut sources, &output)?;
        let folder = match arguments.dry_run {
            true => arguments.tables.job_folder()?,
            false => arguments.tables.job_folder_of(&entry.url)?,
        };
        let reach = Reach::new(&arguments.reach, &entry.url, &entry.starts)?;
        let lead = match take_turn(&sources, &entry.url, &output, summary)? {
            Turn::Lead(lead) => lead,
            Turn::Helped(outcome) => return Ok(outcome),
        };
        let mut source = summary.open_site(&sources, &output, false)?;
        reach.apply(&mut source, &entry.url);
        let (mut site, mut options) = (WebSite { source }, options(arguments, reach));
        set_numbers(arguments.parameters.as_deref(), |stage, name, value| {
            options.set_number(stage, name, value)
        })?;
        listen();
        let entry = &entry.url;
        let result = match arguments.dry_run {
            true => plan(&options, &output, &mut site, entry, pause_of(&sources), summary),
            false => leaving_no_folder(&folder.folder, || {
                rebuild(arguments, &options, &folder, &mut site, entry, summary)
            }),
        };
        summary.figures = untemplate_store::Figures {
            problems: summary.figures.problems + site.source.figures.problems,
            ..site.source.figures
        };
        lead.end(result)
    })
}

fn options(arguments: &RebuildArguments, reach: Reach) -> JobOptions {
    JobOptions {
        model: ModelOptions {
            explore: ExploreOptions {
                scope: match arguments.host_only {
                    true => SiteScope::Host,
                    false => SiteScope::Domain,
                },
                bounds: reach.bounds,
                ..ExploreOptions::default()
            },
            ..ModelOptions::default()
        },
        starts: reach.starts,
        ..JobOptions::default()
    }
}

/// Tells what a run would do.
fn plan(
    options: &JobOptions,
    output: &OutputArguments,
    site: &mut WebSite,
    entry: &Url,
    delay: f64,
    summary: &mut Summary,
) -> Result<Outcome> {
    let began = Instant::now();
    site.note(Event::Phase(Phase::Exploring));
    let exploration = explore_model(site, entry, &options.first_starts(), &options.model);
    let model = &exploration.model;
    if model.classes.is_empty() {
        let silence = silence_of(&site.source);
        let loss = exploration.losses.first().map(|(_, why)| why.as_str());
        return Err(cannot_begin(site, entry, silence.or(loss)));
    }
    let look = Look {
        figures: site.source.figures,
        took: began.elapsed(),
        delay,
    };
    write_result(output, plan_text(model, &look).as_bytes())?;
    summary.more.push(("classes", json!(model.classes.len())));
    let pages: usize = model.classes.iter().map(|class| class.estimated_pages).sum();
    summary.more.push(("estimated_pages", json!(pages)));
    summary
        .more
        .push(("estimated_seconds", json!(look.seconds_for(pages).ceil())));
    Ok(match exploration.is_stopped {
        true => Outcome::Partial,
        false => Outcome::Complete,
    })
}

fn plan_text(model: &SiteModel, look: &Look) -> String {
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
        "\nabout {} in {} page {}, as far as {} show; a run asks for each once, reads it, and makes a table of each class; {}",
        counted(pages, "page"),
        model.classes.len(),
        if model.classes.len() == 1 { "class" } else { "classes" },
        look.visited(),
        look.time_for(pages)
    );
    text
}

fn rebuild(
    arguments: &RebuildArguments,
    options: &JobOptions,
    folder: &JobFolder,
    site: &mut WebSite,
    entry: &Url,
    summary: &mut Summary,
) -> Result<Outcome> {
    let output = &arguments.tables.figures();
    let mut record_store = DiskRecordStore::create(&folder.folder)?;
    let crawl_result = read_site(site, &mut record_store, entry, options)?;
    let silence = silence_of(&site.source);
    if crawl_result.readers.is_empty() && (silence.is_some() || !crawl_result.is_stopped) {
        let loss = crawl_result.losses.first().map(|(_, why)| why.as_str());
        return Err(cannot_begin(site, entry, silence.or(loss)));
    }
    let ended = Ended {
        title: format!("The database of {entry}"),
        figures: site.source.figures,
        is_interrupted: site.source.stop.is_stopping(),
        folder,
        output,
    };
    if arguments.wrappers_only {
        return write_reader(&crawl_result, &mut record_store, &ended, summary);
    }
    site.note(Event::Phase(Phase::Writing));
    let found = Found::of_crawl(&crawl_result).seen_by(&mut site.source);
    let outcome = conclude_job(&ended, found, &mut record_store, summary)?;
    if let Some(why) = why_so_little(arguments, options, &crawl_result, outcome, site, entry) {
        say(output, &why);
    }
    if let Some(class) = &arguments.explain {
        write_result(output, explanation(&crawl_result, class)?.as_bytes())?;
    }
    Ok(outcome)
}

/// What is said of a run that found nothing, or no page but those it started at.
fn why_so_little(
    arguments: &RebuildArguments,
    options: &JobOptions,
    crawl_result: &CrawlResult,
    outcome: Outcome,
    site: &mut WebSite,
    entry: &Url,
) -> Option<String> {
    let n_read: usize = crawl_result.readers.iter().map(|reader| reader.pages.len()).sum();
    let is_alone = n_read + crawl_result.n_unread <= 1 + options.starts.len();
    let is_bounded = options.model.explore.bounds.is_some();
    match outcome {
        Outcome::Complete | Outcome::Nothing if is_alone && is_bounded => Some(
            "no link leads to a page that --include, --exclude and --below let in, so that nothing was read but the start"
                .to_owned(),
        ),
        Outcome::Nothing => {
            let is_plain = arguments.sources.render.render.is_none();
            let hint = is_plain.then(|| entry_without_scripts(site, entry)).flatten();
            Some(hint.unwrap_or_else(|| nothing_read(site, entry)))
        }
        _ => None,
    }
}

/// Writes what reads pages like those that were read, and no tables.
fn write_reader(
    crawl_result: &CrawlResult,
    record_store: &mut DiskRecordStore,
    ended: &Ended<'_>,
    summary: &mut Summary,
) -> Result<Outcome> {
    let files = ended.folder.write_reader(crawl_result, record_store)?;
    let n_pages: usize = crawl_result.readers.iter().map(|reader| reader.pages.len()).sum();
    let n_classes = crawl_result.readers.len();
    let message = format!(
        "{n_classes} page {} learnt from {}; wrote {} to {}",
        if n_classes == 1 { "class" } else { "classes" },
        counted(n_pages, "page"),
        counted(files.len(), "file"),
        ended.folder.folder.display()
    );
    say(ended.output, &message);
    let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    summary.more.push(("classes", json!(n_classes)));
    summary.more.push(("files", json!(files)));
    let stopped = ended.figures.stopped_because.map(|reason| reason.to_string());
    let losses = Found::of_crawl(crawl_result).partial_because;
    summary.partial_because.extend(stopped.into_iter().chain(losses));
    Ok(match (ended.is_interrupted, summary.partial_because.is_empty()) {
        (true, _) => Outcome::Interrupted,
        (false, true) => Outcome::Complete,
        (false, false) => Outcome::Partial,
    })
}

/// How the pages of a class are read; it is given by its name, or by the address of one of its
/// pages.
fn explanation(crawl_result: &CrawlResult, class: &str) -> Result<String> {
    let named = crawl_result
        .readers
        .iter()
        .position(|reader| reader.name.eq_ignore_ascii_case(class));
    let address = Url::parse(class).map_or_else(|_| class.to_owned(), Url::into);
    let number = named.or_else(|| crawl_result.ledger.page_at(&address).map(|(class, _)| class));
    let reader = number.and_then(|number| crawl_result.readers.get(number));
    let Some((reader, reading)) = reader.and_then(|reader| Some((reader, reader.reading.as_ref()?))) else {
        let names: Vec<&str> = crawl_result.readers.iter().map(|reader| reader.name.as_str()).collect();
        let names = names.join(", ");
        return Err(anyhow!(
            "there is no class {class}, and no page of that address was read; the classes are {names}"
        ));
    };
    Ok(format!("{}: {}", reader.name, reading.show()))
}
