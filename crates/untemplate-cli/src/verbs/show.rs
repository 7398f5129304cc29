//! `untemplate show`: a page as the program sees it, as text for a person.

use anyhow::Result;
use untemplate::page::{
    Alphabet, AttributeFilter, AttributeMode, Page, ParseOptions, PathInterner, TokenInterner, show_links, show_page,
    show_schema, show_tokens,
};

use crate::arguments::{AttributeKind, ShowArguments, ShowKind, StepKind};
use crate::outcome::Outcome;
use crate::output::{say, write_result};
use crate::page_arguments::{expand, read_page};
use crate::sources::open_site;
use crate::summary::Summary;

/// Shows each page in turn. A page that cannot be had is said, and the others are shown.
pub fn run(arguments: &ShowArguments) -> Result<Outcome> {
    let mut summary = Summary::start("show");
    let mut site = open_site(&arguments.sources, &arguments.output, arguments.scripting)?;
    let options = ParseOptions {
        scripting: arguments.scripting,
        ..ParseOptions::default()
    };
    let names = expand(&arguments.pages)?;
    let mut shown = String::new();
    let mut is_empty = true;
    for name in &names {
        match read_page(name, &mut site, &arguments.sources, &options) {
            Ok(page) => {
                for problem in &page.problems {
                    say(&arguments.output, &format!("untemplate: {name}: {problem}"));
                }
                if names.len() > 1 {
                    shown.push_str(&format!("== {name}\n"));
                }
                let text = show(&page, arguments);
                is_empty &= text.is_empty();
                shown.push_str(&text);
            }
            Err(error) if names.len() == 1 => return Err(error),
            Err(error) => {
                eprintln!("untemplate: {error:#}");
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
    }
    summary.figures = site.figures;
    if summary.partial_because.len() == names.len() {
        anyhow::bail!("none of the {} pages could be had", names.len());
    }
    write_result(&arguments.output, shown.as_bytes())?;
    let outcome = match summary.partial_because.is_empty() {
        false => Outcome::Partial,
        true if is_empty => Outcome::Nothing,
        true => Outcome::Complete,
    };
    summary.close(&arguments.output, outcome)
}

fn show(page: &Page, arguments: &ShowArguments) -> String {
    match arguments.kind {
        ShowKind::Page => show_page(page),
        ShowKind::Links => show_links(page, &mut PathInterner::new(alphabet(arguments))),
        ShowKind::Schema => show_schema(page, &mut PathInterner::new(alphabet(arguments))),
        ShowKind::Tokens => show_tokens(page, &mut TokenInterner::default()),
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
