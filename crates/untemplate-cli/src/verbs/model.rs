//! `untemplate model`: the page classes of a site and the links between them, from few downloads.

use anyhow::Result;
use serde_json::json;
use untemplate::page::{Event, Phase, Site, SiteScope};
use untemplate::site::ExploreOptions;
use untemplate::site::model::{
    Exploration, ModelOptions, ModelTuning, SchemaMode, SiteModel, explore_model, keep_numbers,
};
use untemplate_papers::compute_model::{ComputeOptions, Strategy, compute_model};
use untemplate_report::model_page;
use untemplate_store::{read_model, write_model};
use url::Url;

use crate::arguments::{ModelArguments, SchemaKind, StrategyKind};
use crate::entry::find_entry;
use crate::first_page::{cannot_begin, silence_of};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{counted, say, write_result, write_whole};
use crate::parameters::set_numbers;
use crate::reach::Reach;
use crate::summary::{Summary, refuse_html_over, summarised};

/// Explores the site and writes its model.
pub fn run(arguments: &ModelArguments) -> Result<Outcome> {
    summarised("model", &arguments.output, |summary| {
        refuse_html_over(&arguments.output, arguments.html.as_deref())?;
        if arguments.html.is_some() && arguments.html == arguments.output.output {
            return Err(WrongUsage("-o and --html name the same file; give two".to_owned()).into());
        }
        let mut sources = arguments.sources.clone();
        let entry = find_entry(
            arguments.entry.as_deref(),
            &arguments.reach,
            &mut sources,
            &arguments.output,
        )?;
        let reach = Reach::new(&arguments.reach, &entry.url, &entry.starts)?;
        let old = arguments.update.as_deref().map(read_model).transpose()?;
        let mut site = summary.open_site(&sources, &arguments.output, false)?;
        reach.apply(&mut site, &entry.url);
        let mut options = model_options(arguments, &reach);
        set_numbers(arguments.parameters.as_deref(), |stage, name, value| {
            stage == "model" && options.tuning.set(name, value)
        })?;
        let seeds = seeds(old.as_ref(), &reach);
        let mut exploration = explore(arguments, &mut site, &entry.url, &options, &seeds);
        if let Some(old) = &old {
            exploration.model = keep_numbers(exploration.model, old);
        }
        summary.figures = site.figures;
        if exploration.model.classes.is_empty() {
            let loss = exploration.losses.first().map(|(_, reason)| reason.as_str());
            let loss = silence_of(&site).or(loss);
            return Err(cannot_begin(&mut site, &entry.url, loss));
        }
        finish(arguments, summary, &exploration)
    })
}

fn model_options(arguments: &ModelArguments, reach: &Reach) -> ModelOptions {
    ModelOptions {
        explore: ExploreOptions {
            scope: if arguments.host_only {
                SiteScope::Host
            } else {
                SiteScope::Domain
            },
            bounds: reach.bounds.clone(),
            attributes: arguments.attrs.mode(),
            ..ExploreOptions::default()
        },
        schema_mode: match arguments.schema {
            SchemaKind::Union => SchemaMode::Union,
            SchemaKind::Optimal => SchemaMode::Optimal,
        },
        pages_max: arguments.sources.limits.max_pages.map(|pages| pages as usize),
        tuning: ModelTuning::default(),
        ..ModelOptions::default()
    }
}

fn explore(
    arguments: &ModelArguments,
    site: &mut dyn Site,
    entry: &Url,
    options: &ModelOptions,
    seeds: &[Url],
) -> Exploration {
    site.note(Event::Phase(Phase::Exploring));
    if arguments.faithful {
        let compute = ComputeOptions {
            strategy: match arguments.strategy {
                StrategyKind::Densest => Strategy::DensestFirst,
                StrategyKind::Sparsest => Strategy::SparsestFirst,
            },
            collection_sample: arguments.per_collection.max(1),
            stops_when_stable: !arguments.exhaustive,
            ..ComputeOptions::default()
        };
        return compute_model(site, entry, options, &compute);
    }
    explore_model(site, entry, seeds, options)
}

/// The pages of a stored model, and where else to begin.
fn seeds(old: Option<&SiteModel>, reach: &Reach) -> Vec<Url> {
    let classes = old.into_iter().flat_map(|old| &old.classes);
    let pages = classes.flat_map(|class| &class.pages);
    let pages = pages.filter_map(|page| Url::parse(page).ok());
    pages.chain(reach.starts.iter().cloned()).collect()
}

fn finish(arguments: &ModelArguments, summary: &mut Summary, exploration: &Exploration) -> Result<Outcome> {
    let model = &exploration.model;
    summary.more.push(("classes", json!(model.classes.len())));
    let losses = exploration.losses.iter();
    summary
        .partial_because
        .extend(losses.map(|(address, reason)| format!("{address}: {reason}")));
    let stopped = summary.figures.stopped_because.map(|reason| reason.to_string());
    if exploration.is_stopped {
        let why = stopped.unwrap_or_else(|| "the exploration was stopped before its end".to_owned());
        summary.partial_because.push(why);
    } else if let Some(most) = arguments.sources.limits.max_pages.filter(|_| exploration.is_spent) {
        let why = format!("--max-pages {most} reached");
        say(&arguments.output, &format!("in part: {why}; raise it to visit more"));
        summary.partial_because.push(why);
    }
    if let Some(file) = &arguments.html {
        write_whole(file, model_page(model).as_bytes())?;
    }
    write_result(&arguments.output, format!("{}\n", write_model(model)).as_bytes())?;
    let n_pages: usize = model.classes.iter().map(|class| class.pages.len()).sum();
    let classes = if model.classes.len() == 1 { "class" } else { "classes" };
    let message = format!(
        "{} page {classes} from {}",
        model.classes.len(),
        counted(n_pages, "page")
    );
    say(&arguments.output, &message);
    Ok(match summary.partial_because.is_empty() {
        true => Outcome::Complete,
        false => Outcome::Partial,
    })
}
