//! `untemplate show`: a page as the program sees it, as text for a person.

use anyhow::Result;
use untemplate::page::{
    Alphabet, AttributeFilter, AttributeMode, Page, PathInterner, TokenInterner, show_links, show_page, show_schema,
    show_tokens,
};
use untemplate::record::{RecordOptions, find_records, show_records};
use untemplate_store::{Figures, SourceSite};

use crate::arguments::{AttributeKind, ShowArguments, ShowKind, StepKind};
use crate::outcome::Outcome;
use crate::output::{ResultWriter, complain, say};
use crate::page_arguments::{expand, read_page};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};

/// Shows each page in turn. A page that cannot be had is said, and the others are shown.
pub fn run(arguments: &ShowArguments) -> Result<Outcome> {
    summarised("show", &arguments.output, |summary| {
        let mut site = open_site(&arguments.sources, &arguments.output, arguments.scripting)?;
        let result = show_all(arguments, &mut site, summary);
        // Whatever was asked for and could not be had is a loss here, a missing file or page included.
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        result
    })
}

fn show_all(arguments: &ShowArguments, site: &mut SourceSite, summary: &mut Summary) -> Result<Outcome> {
    let names = expand(&arguments.pages)?;
    let mut writer = ResultWriter::open(&arguments.output)?;
    let mut is_empty = true;
    for name in &names {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => {
                for problem in &page.problems {
                    say(&arguments.output, &format!("{name}: {problem}"));
                }
                let losses = page.problems.iter().filter(|problem| problem.is_loss());
                summary
                    .partial_because
                    .extend(losses.map(|problem| format!("{name}: {problem}")));
                if names.len() > 1 {
                    writer.write(format!("== {name}\n").as_bytes())?;
                }
                let text = show(&page, arguments);
                if text.is_empty() {
                    let what = if arguments.kind == ShowKind::Records {
                        "list"
                    } else {
                        "links"
                    };
                    say(&arguments.output, &format!("{name}: the page has no {what}"));
                }
                is_empty &= text.is_empty();
                writer.write(text.as_bytes())?;
            }
            Err(error) => {
                summary.figures.failures += 1;
                if names.len() == 1 {
                    return Err(error);
                }
                complain(&format!("{error:#}"));
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
    }
    if summary.figures.failures == names.len() {
        anyhow::bail!("none of the {} pages could be had", names.len());
    }
    writer.finish()?;
    Ok(match summary.partial_because.is_empty() {
        false => Outcome::Partial,
        true if is_empty => Outcome::Nothing,
        true => Outcome::Complete,
    })
}

fn show(page: &Page, arguments: &ShowArguments) -> String {
    match arguments.kind {
        ShowKind::Page => show_page(page),
        ShowKind::Links => show_links(page, &mut PathInterner::new(alphabet(arguments))),
        ShowKind::Schema => show_schema(page, &mut PathInterner::new(alphabet(arguments))),
        ShowKind::Tokens => show_tokens(page, &mut TokenInterner::default()),
        ShowKind::Records => {
            let options = RecordOptions {
                all: true,
                ..RecordOptions::default()
            };
            show_records(page, &find_records(page, &options))
        }
    }
}

fn alphabet(arguments: &ShowArguments) -> Alphabet {
    let mode = match arguments.attrs {
        AttributeKind::None => AttributeMode::None,
        AttributeKind::Names => AttributeMode::Names,
        AttributeKind::Norm => AttributeMode::Normalised,
        AttributeKind::Full => AttributeMode::Full,
    };
    match arguments.steps {
        StepKind::Tag => Alphabet::Tag,
        StepKind::Attributes => Alphabet::TagAttributes(AttributeFilter { mode, common: None }),
        StepKind::Position => Alphabet::TagPosition,
    }
}
