//! `untemplate verify`: do the rules and assertions of a specification still hold on these pages?
//!
//! A line for each assertion and field: on how many pages it held, was missing, or had changed. Exit code 4 says that the site has changed.

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use untemplate::teach::{Specification, Subject, Verification, VerifiedItem};
use untemplate_store::{Figures, SourceSite, read_specification};

use crate::arguments::VerifyArguments;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{complain, say, write_result};
use crate::page_arguments::{expand, read_page};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};

/// Verifies a specification. Inferred wrappers will be verified here, too: what is given is told by how the file begins.
pub fn run(arguments: &VerifyArguments) -> Result<Outcome> {
    summarised("verify", &arguments.output, |summary| {
        if !(0.0..=1.0).contains(&arguments.min_held) {
            let message = format!("--min-held {}: give a share from 0 to 1", arguments.min_held);
            return Err(anyhow!(WrongUsage(message)));
        }
        let specification = read_specification(&arguments.specification)?;
        let mut site = open_site(&arguments.sources, &arguments.output, false)?;
        let verified = verify(arguments, &specification, &mut site, summary);
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        conclude(arguments, &verified?, summary)
    })
}

fn verify(
    arguments: &VerifyArguments,
    specification: &Specification,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Verification> {
    let mut verification = Verification::new(specification);
    if verification.items.is_empty() {
        let file = arguments.specification.display();
        return Err(anyhow!(
            "{file}: no page class has a wrapper, so that there is nothing to verify"
        ));
    }
    let names = expand(&arguments.pages)?;
    for name in &names {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => verification.look_at(specification, &page, name),
            Err(error) => {
                summary.figures.failures += 1;
                complain(&format!("{error:#}"));
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
    }
    if summary.figures.failures == names.len() {
        return Err(anyhow!("none of the {} pages could be had", names.len()));
    }
    Ok(verification)
}

fn conclude(arguments: &VerifyArguments, verification: &Verification, summary: &mut Summary) -> Result<Outcome> {
    let lines = verification.items.iter().map(|item| format!("{}\n", item_json(item)));
    write_result(&arguments.output, lines.collect::<String>().as_bytes())?;
    let drifted: Vec<String> = verification.drifted(arguments.min_held).map(told).collect();
    for line in &drifted {
        say(&arguments.output, &format!("the site has changed: {line}"));
    }
    let has_drifted = !drifted.is_empty();
    summary.more.push(("drift", json!(drifted)));
    Ok(match (has_drifted, summary.partial_because.is_empty()) {
        (true, _) => Outcome::Drift,
        (false, false) => Outcome::Partial,
        (false, true) => Outcome::Complete,
    })
}

fn item_json(item: &VerifiedItem) -> Value {
    let VerifiedItem {
        pages,
        held,
        missing,
        changed,
        ..
    } = item;
    let mut line =
        json!({"page_class": item.class, "pages": pages, "held": held, "missing": missing, "changed": changed});
    let (kind, name) = named(&item.subject);
    line[kind] = json!(name);
    line["example"] = match &item.example {
        Some((page, problem)) => json!({"page": page, "problem": problem}),
        None => Value::Null,
    };
    line
}

fn named(subject: &Subject) -> (&'static str, &str) {
    match subject {
        Subject::Assertion(path) => ("assertion", path),
        Subject::Field(name) => ("field", name),
    }
}

fn told(item: &VerifiedItem) -> String {
    let (kind, name) = named(&item.subject);
    format!(
        "{}: {kind} {name} held on {} of {} pages",
        item.class, item.held, item.pages
    )
}
