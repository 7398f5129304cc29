//! `untemplate infer`: pages of one class to a wrapper file.

use std::sync::Arc;

use anyhow::Result;
use serde_json::json;
use untemplate::page::Page;
use untemplate::wrapper::{Matcher, infer_template};
use untemplate_store::{Figures, SourceSite, write_template};

use crate::arguments::InferArguments;
use crate::outcome::Outcome;
use crate::output::{complain, say, write_result};
use crate::page_arguments::{expand, read_page};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};

/// Infers the wrapper of the pages. Pages that cannot be had are said, and the others are used.
pub fn run(arguments: &InferArguments) -> Result<Outcome> {
    summarised("infer", &arguments.output, |summary| {
        let mut site = open_site(&arguments.sources, &arguments.output, false)?;
        let result = infer(arguments, &mut site, summary);
        summary.figures = Figures { failures: summary.figures.failures, ..site.figures };
        result
    })
}

fn infer(arguments: &InferArguments, site: &mut SourceSite, summary: &mut Summary) -> Result<Outcome> {
    let names = expand(&arguments.pages)?;
    let mut pages: Vec<Arc<Page>> = Vec::new();
    for name in &names {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => pages.push(page),
            Err(error) => {
                summary.figures.failures += 1;
                complain(&format!("{error:#}"));
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
    }
    if pages.is_empty() {
        anyhow::bail!("none of the {} pages could be had", names.len());
    }
    let shared: Vec<&Page> = pages.iter().map(Arc::as_ref).collect();
    let template = infer_template(&shared);
    let text = write_template(&template);
    let matcher = Matcher::new(template);
    let n_matched = shared.iter().filter(|page| matcher.extract(page).is_matched).count();
    summary.more.push(("wrappers", json!(1)));
    summary.more.push(("pages_matched", json!(n_matched)));
    say(&arguments.output, &format!("{n_matched} of {} pages match", pages.len()));
    write_result(&arguments.output, text.as_bytes())?;
    Ok(if summary.partial_because.is_empty() { Outcome::Complete } else { Outcome::Partial })
}
