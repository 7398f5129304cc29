//! `untemplate infer`: pages of one class to a wrapper file.

use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use untemplate::page::Page;
use untemplate::wrapper::{Extraction, infer_template, pick_training_pages};
use untemplate_papers::roadrunner::{ExpressionSet, SearchOptions};
use untemplate_report::inference_page;
use untemplate_store::{Extractor, Figures, SourceSite, Wrapper, write_wrapper};

use crate::arguments::InferArguments;
use crate::outcome::Outcome;
use crate::output::{complain, say, write_result, write_whole};
use crate::page_arguments::{expand, read_page};
use crate::summary::{Summary, refuse_html_over, summarised};

/// Infers the wrapper of the pages. Pages that cannot be fetched are said, and the others are used.
pub fn run(arguments: &InferArguments) -> Result<Outcome> {
    summarised("infer", &arguments.output, |summary| {
        refuse_html_over(&arguments.output, arguments.html.as_deref())?;
        let mut site = summary.open_site(&arguments.sources, &arguments.output, false)?;
        let result = infer(arguments, &mut site, summary);
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        result
    })
}

fn infer(arguments: &InferArguments, site: &mut SourceSite, summary: &mut Summary) -> Result<Outcome> {
    let pages = read_pages(arguments, site, summary)?;
    let shared: Vec<&Page> = pages.iter().map(|(_, page)| page.as_ref()).collect();
    let chosen = pick_training_pages(&shared, arguments.training);
    if chosen.len() < shared.len() {
        let message = format!(
            "learning from {} of {} pages, chosen for their variety",
            chosen.len(),
            shared.len()
        );
        say(&arguments.output, &message);
    }
    let training: Vec<&Page> = chosen.iter().map(|&index| shared[index]).collect();
    let wrapper = match (arguments.faithful, arguments.prefix) {
        (false, false) => Wrapper::Template(infer_template(&training)),
        (_, true) => Wrapper::Expressions(ExpressionSet::infer(&training, &SearchOptions::prefix())),
        (true, false) => Wrapper::Expressions(ExpressionSet::infer(&training, &SearchOptions::default())),
    };
    let text = write_wrapper(&wrapper);
    let n_wrappers = match &wrapper {
        Wrapper::Template(_) | Wrapper::Reading(_) => 1,
        Wrapper::Expressions(set) => set.wrappers.len(),
    };
    let extractor = Extractor::new(wrapper);
    let extractions: Vec<Extraction> = shared.iter().map(|page| extractor.extract(page)).collect();
    judge(arguments, n_wrappers, &extractions, summary);
    if let Some(file) = &arguments.html {
        let rows = pages.iter().zip(&extractions);
        let rows: Vec<(&str, &Page, &Extraction)> = rows
            .map(|((name, page), read)| (name.as_str(), page.as_ref(), read))
            .take(REPORT_ROWS)
            .collect();
        write_whole(file, inference_page("What infer found", &rows).as_bytes())?;
    }
    write_result(&arguments.output, text.as_bytes())?;
    Ok(match summary.partial_because.is_empty() {
        false => Outcome::Partial,
        true if extractions.iter().all(|read| read.record.values.is_empty()) => Outcome::Nothing,
        true => Outcome::Complete,
    })
}

/// The table of the report has at most this many rows.
const REPORT_ROWS: usize = 100;

/// Reads the pages, and tells how far it is now and then.
fn read_pages(
    arguments: &InferArguments,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Vec<(String, Arc<Page>)>> {
    let names = expand(&arguments.pages)?;
    let mut pages = Vec::new();
    for (index, name) in names.iter().enumerate() {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => pages.push((name.clone(), page)),
            Err(error) => {
                summary.figures.failures += 1;
                complain(&format!("{error:#}"));
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
        if (index + 1).is_multiple_of(PROGRESS_PAGES) {
            say(
                &arguments.output,
                &format!("read {} of {} pages", index + 1, names.len()),
            );
        }
    }
    if pages.is_empty() {
        anyhow::bail!("none of the {} pages could be fetched", names.len());
    }
    Ok(pages)
}

/// Progress is told after this many pages.
const PROGRESS_PAGES: usize = 50;

/// Says how well the wrapper reads the pages, those that it was not inferred from included.
fn judge(arguments: &InferArguments, n_wrappers: usize, extractions: &[Extraction], summary: &mut Summary) {
    let n_matched = extractions.iter().filter(|read| read.is_matched).count();
    let agreement = extractions.iter().map(|read| read.agreement).sum::<f64>() / extractions.len().max(1) as f64;
    summary.more.push(("wrappers", json!(n_wrappers)));
    summary.more.push(("pages_matched", json!(n_matched)));
    summary.more.push(("agreement", json!(agreement)));
    let message = format!(
        "{n_matched} of {} pages match; {:.0} % of what every training page has is there",
        extractions.len(),
        100.0 * agreement
    );
    say(&arguments.output, &message);
    if extractions.len() < 3 {
        say(
            &arguments.output,
            "few pages say little about what varies; give five or more",
        );
    }
}
