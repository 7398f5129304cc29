//! `untemplate show`: a page as the program sees it, as text for a person.

use std::path::Path;

use anyhow::Result;
use untemplate::content::{Content, show_content};
use untemplate::page::{
    Alphabet, AttributeFilter, Page, PathInterner, TokenInterner, page_data, show_data, show_links, show_page,
    show_schema, show_tokens,
};
use untemplate::record::{RecordOptions, find_records, rank_lists, show_records, show_runners_up};
use untemplate::site::model::show_model;
use untemplate::teach::show_specification;
use untemplate_store::{Figures, SourceSite, read_model, read_specification};

use crate::arguments::{ShowArguments, ShowKind, StepKind};
use crate::outcome::Outcome;
use crate::output::{ResultWriter, say};
use crate::page_arguments::{expand, read_page};
use crate::reader::open_wrapper;
use crate::summary::{Summary, summarised};
use crate::verbs::show_cell::show_cell;

/// Shows each page in turn. A page that cannot be fetched is said, and the others are shown.
pub fn run(arguments: &ShowArguments) -> Result<Outcome> {
    summarised("show", &arguments.output, |summary| {
        if let Some(text_of) = reader_of(arguments.kind) {
            return show_files(arguments, text_of);
        }
        let mut site = summary.open_site(&arguments.sources, &arguments.output, arguments.scripting)?;
        let result = match arguments.kind {
            ShowKind::Cell => show_cell(arguments, &mut site),
            _ => show_all(arguments, &mut site, summary),
        };
        // Whatever was asked for and could not be fetched is a loss here, a missing file or page
        // included.
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        result
    })
}

/// How a file that is no page is read for people; `None` for what is made of pages.
fn reader_of(kind: ShowKind) -> Option<fn(&Path) -> Result<String>> {
    match kind {
        ShowKind::Wrapper => Some(wrapper_text),
        ShowKind::Spec => Some(|file| Ok(show_specification(&read_specification(file)?))),
        ShowKind::Model => Some(|file| Ok(show_model(&read_model(file)?))),
        ShowKind::Page
        | ShowKind::Content
        | ShowKind::Data
        | ShowKind::Links
        | ShowKind::Schema
        | ShowKind::Tokens
        | ShowKind::Records
        | ShowKind::Cell => None,
    }
}

fn wrapper_text(file: &Path) -> Result<String> {
    Ok(open_wrapper(file)?.show())
}

/// Shows files that are no pages, in turn.
fn show_files(arguments: &ShowArguments, text_of: fn(&Path) -> Result<String>) -> Result<Outcome> {
    let names = expand(&arguments.pages)?;
    let mut writer = ResultWriter::open(&arguments.output)?;
    for name in &names {
        let text = text_of(Path::new(name))?;
        if names.len() > 1 {
            writer.write(format!("== {name}\n").as_bytes())?;
        }
        writer.write(text.as_bytes())?;
    }
    writer.finish()?;
    Ok(Outcome::Complete)
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
                    let what = match arguments.kind {
                        ShowKind::Records => "list",
                        ShowKind::Data => "data for programs",
                        _ => "links",
                    };
                    say(&arguments.output, &format!("{name}: the page has no {what}"));
                }
                is_empty &= text.is_empty();
                writer.write(text.as_bytes())?;
            }
            // The others would be stopped, too; with none before it, this is why there is nothing.
            Err(error) if site.figures.stopped_because.is_some() => match site.figures.pages {
                0 => return Err(error),
                _ => break,
            },
            Err(error) => summary.note_failed(name, error, names.len())?,
        }
    }
    summary.refuse_none_had(names.len())?;
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
        ShowKind::Content => show_content(&Content::of(page)),
        ShowKind::Data => show_data(&page_data(page)),
        ShowKind::Links => show_links(page, &mut PathInterner::new(alphabet(arguments))),
        ShowKind::Schema => show_schema(page, &mut PathInterner::new(alphabet(arguments))),
        ShowKind::Tokens => show_tokens(page, &mut TokenInterner::default()),
        ShowKind::Records => {
            let options = RecordOptions {
                all: true,
                ..RecordOptions::default()
            };
            show_records(page, &find_records(page, &options)) + &show_runners_up(page, &rank_lists(page, &options))
        }
        // What is no page was shown before.
        ShowKind::Wrapper | ShowKind::Spec | ShowKind::Model | ShowKind::Cell => String::new(),
    }
}

fn alphabet(arguments: &ShowArguments) -> Alphabet {
    let mode = arguments.attrs.mode();
    match arguments.steps {
        StepKind::Tag => Alphabet::Tag,
        StepKind::Attributes => Alphabet::TagAttributes(AttributeFilter { mode }),
        StepKind::Position => Alphabet::TagPosition,
    }
}
