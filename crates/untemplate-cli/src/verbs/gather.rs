//! `untemplate gather`: from one sample page to every page of its site that the same template made.

use anyhow::Result;
use serde_json::json;
use untemplate::page::{Event, Phase, Site};
use untemplate::site::{GatherOptions, Gathered, explain, gather};
use untemplate_crawl::WebSite;
use untemplate_papers::indesit::{Algorithm, SimilarityOptions, find_similar};
use untemplate_report::navigation_page;

use crate::arguments::{AlgorithmKind, ExtensionKind, GatherArguments};
use crate::entry::find_sample;
use crate::interrupt::listen;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{ResultWriter, counted, say, write_whole};
use crate::page_arguments::read_page;
use crate::parameters::set_numbers;
use crate::reach::{Reach, search_options};
use crate::summary::{Summary, refuse_html_over, summarised};

/// Gathers, and writes a line for each page.
pub fn run(arguments: &GatherArguments) -> Result<Outcome> {
    summarised("gather", &arguments.output, |summary| {
        refuse_html_over(&arguments.output, arguments.html.as_deref())?;
        let mut options = options(arguments)?;
        let mut sources = arguments.sources.clone();
        let sample = find_sample(&arguments.sample, &mut sources)?;
        let mut source = summary.open_site(&sources, &arguments.output, false)?;
        let sample = read_page(&sample, &mut source, &sources)?;
        let reach = Reach::new(&arguments.reach, &sample.url, &options.entries)?;
        reach.apply(&mut source, &sample.url);
        options.explore.bounds = reach.bounds;
        options.entries = reach.starts;
        let mut site = WebSite { source };
        listen();
        site.note(Event::Phase(Phase::Searching));
        let gathered = match paper_algorithm(arguments.algorithm) {
            Some(algorithm) => {
                let options = SimilarityOptions {
                    algorithm,
                    explore: options.explore,
                    is_faithful: arguments.faithful,
                    ..SimilarityOptions::default()
                };
                find_similar(&mut site, &sample, &options)
            }
            None => gather(&mut site, &sample, &options),
        };
        summary.figures = site.source.figures;
        write_pages(arguments, &gathered)?;
        if arguments.explain {
            say(
                &arguments.output,
                &format!("the ways that led there:\n{}", explain(&gathered)),
            );
        }
        if let Some(file) = &arguments.html {
            write_whole(file, navigation_page(&gathered).as_bytes())?;
        }
        Ok(conclude(arguments, &gathered, site.source.stop.is_stopping(), summary))
    })
}

/// The paper's algorithm that was asked for; `None` for the product's own.
fn paper_algorithm(kind: AlgorithmKind) -> Option<Algorithm> {
    match kind {
        AlgorithmKind::Guided => None,
        AlgorithmKind::Indesit => Some(Algorithm::Indesit),
        AlgorithmKind::Trivial => Some(Algorithm::Trivial),
    }
}

fn options(arguments: &GatherArguments) -> Result<GatherOptions> {
    if arguments.faithful && arguments.algorithm == AlgorithmKind::Guided {
        let message =
            "--faithful is about the paper's algorithms; give --algorithm indesit or --algorithm trivial with it";
        return Err(WrongUsage(message.to_owned()).into());
    }
    let mut options = search_options(&arguments.entry, arguments.host_only, &arguments.sources)?;
    options.listed = !arguments.without.contains(&ExtensionKind::Listed);
    set_numbers(arguments.parameters.as_deref(), |stage, name, value| match stage {
        "gather" => options.tuning.set(name, value),
        "templates" => options.templates.set(name, value),
        _ => false,
    })?;
    Ok(options)
}

fn write_pages(arguments: &GatherArguments, gathered: &Gathered) -> Result<()> {
    let mut writer = ResultWriter::open(&arguments.output)?;
    for page in &gathered.pages {
        let mut line = json!({"url": page.url.as_str(), "distance": (page.distance * 1e6).round() / 1e6});
        if let Some(copy_of) = &page.copy_of {
            line["copy_of"] = json!(copy_of.as_str());
        }
        writer.write(format!("{line}\n").as_bytes())?;
    }
    writer.finish()
}

/// Why a search that found too few pages is a part of the whole.
pub fn shortage(gathered: &Gathered) -> Option<String> {
    gathered.is_short().then(|| {
        format!(
            "the class is thought to have {} pages, and nothing known leads to more; name another start with --entry",
            gathered.size_estimate
        )
    })
}

fn conclude(arguments: &GatherArguments, gathered: &Gathered, is_interrupted: bool, summary: &mut Summary) -> Outcome {
    let name = match arguments.algorithm {
        AlgorithmKind::Guided => "guided",
        AlgorithmKind::Indesit => "indesit",
        AlgorithmKind::Trivial => "trivial",
    };
    summary.more.push(("algorithm", json!(name)));
    summary.more.push(("evaluations", json!(gathered.evaluations)));
    summary
        .more
        .push(("class_size_estimate", json!(gathered.size_estimate)));
    summary.more.push(("found", json!(gathered.pages.len())));
    if is_interrupted {
        summary.partial_because.push("interrupted".to_owned());
    } else if gathered.is_stopped {
        let why = summary.figures.stopped_because.map(|reason| reason.to_string());
        let why = why.unwrap_or_else(|| "--max-pages was reached; raise it to find more".to_owned());
        summary.partial_because.push(why);
    }
    if !is_interrupted {
        summary.partial_because.extend(shortage(gathered));
    }
    let losses = gathered.losses.iter().map(|(url, why)| format!("{url}: {why}"));
    summary.partial_because.extend(losses);
    for reason in summary.partial_because.iter().take(8) {
        say(&arguments.output, &format!("in part: {reason}"));
    }
    let n_found = gathered.pages.len();
    let message = format!(
        "{} found, the class is thought to have {}; {}",
        counted(n_found, "page"),
        gathered.size_estimate,
        counted(summary.figures.downloads, "download")
    );
    say(&arguments.output, &message);
    match (is_interrupted, summary.partial_because.is_empty()) {
        (true, _) => Outcome::Interrupted,
        (false, false) => Outcome::Partial,
        (false, true) if n_found < 2 => Outcome::Nothing,
        (false, true) => Outcome::Complete,
    }
}
