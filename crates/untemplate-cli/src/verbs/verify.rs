//! `untemplate verify`: do the rules and assertions of a specification, or the fields of an
//! inferred wrapper, still hold on these pages?
//!
//! A line for each assertion and field: on how many pages it held, was missing, or had changed.
//! Exit code 4 says that the site has changed. What is given is told by how the file begins.

use anyhow::{Result, anyhow};
use serde_json::{Value, json};
use untemplate::page::Page;
use untemplate::teach::{Specification, Subject, Verification, VerifiedItem};
use untemplate::wrapper::{Drift, WrapperItem, WrapperVerification};
use untemplate_store::{Extractor, Figures, SourceSite, read_specification};

use crate::arguments::VerifyArguments;
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{complain, say, write_result};
use crate::page_arguments::{expand, read_page};
use crate::reader::{is_specification, open_wrapper};
use crate::summary::{Summary, summarised};

/// Verifies a specification or a wrapper.
pub fn run(arguments: &VerifyArguments) -> Result<Outcome> {
    summarised("verify", &arguments.output, |summary| {
        if !(0.0..=1.0).contains(&arguments.min_held) {
            let message = format!("--min-held {}: give a share from 0 to 1", arguments.min_held);
            return Err(anyhow!(WrongUsage(message)));
        }
        let mut verifier = Verifier::open(arguments)?;
        let mut site = summary.open_site(&arguments.sources, &arguments.output, false)?;
        let looked = look_at_all(arguments, &mut verifier, &mut site, summary);
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        looked?;
        for class in verifier.unseen() {
            let why = format!("no page is of {class}, so that it is not verified; give some that are");
            complain(&why);
            summary.partial_because.push(why);
        }
        conclude(arguments, &verifier.lines(arguments.min_held), summary)
    })
}

/// What is verified.
enum Verifier {
    Specification(Box<Specification>, Verification),
    Wrapper(Box<Extractor>, WrapperVerification),
}

/// How one part of it fares: as JSON, and where it drifted, in words.
struct Line {
    json: Value,
    drift: Option<String>,
}

impl Verifier {
    fn open(arguments: &VerifyArguments) -> Result<Self> {
        let file = &arguments.specification;
        if !is_specification(file)? {
            let wrapper = open_wrapper(file)?;
            let verification = wrapper.verification();
            return Ok(Self::Wrapper(Box::new(Extractor::new(wrapper)), verification));
        }
        let specification = read_specification(file)?;
        let verification = Verification::new(&specification);
        if verification.items.is_empty() {
            let file = file.display();
            return Err(anyhow!(
                "{file}: no page class has a wrapper, so that there is nothing to verify"
            ));
        }
        Ok(Self::Specification(Box::new(specification), verification))
    }

    fn look_at(&mut self, page: &Page, name: &str) {
        match self {
            Self::Specification(specification, verification) => verification.look_at(specification, page, name),
            Self::Wrapper(extractor, verification) => {
                verification.see(page);
                verification.look_at(&extractor.extract(page), name);
            }
        }
    }

    /// The page classes that no page counted for.
    fn unseen(&self) -> Vec<&str> {
        match self {
            Self::Specification(_, verification) => verification.unseen(),
            Self::Wrapper(..) => Vec::new(),
        }
    }

    fn lines(&self, held_min: f64) -> Vec<Line> {
        match self {
            Self::Specification(_, verification) => {
                let drifted: Vec<(&VerifiedItem, Drift)> = verification.drifted(held_min).collect();
                let line = |item: &VerifiedItem| {
                    let drift = drifted.iter().find(|(its, _)| std::ptr::eq(*its, item));
                    let drift = drift.map(|(_, drift)| drift);
                    Line {
                        json: item_json(item, drift),
                        drift: drift.map(|drift| told(item, drift)),
                    }
                };
                verification.items.iter().map(line).collect()
            }
            Self::Wrapper(_, verification) => {
                let drifted: Vec<(&WrapperItem, Drift)> = verification.drifted(held_min).collect();
                let line = |item: &WrapperItem| {
                    let drift = drifted.iter().find(|(its, _)| std::ptr::eq(*its, item));
                    let drift = drift.map(|(_, drift)| drift);
                    Line {
                        json: wrapper_json(item, drift),
                        drift: drift.map(|drift| wrapper_told(item, drift)),
                    }
                };
                verification.items.iter().map(line).collect()
            }
        }
    }
}

/// What has drifted of a specification, for people.
pub fn drift_of(verification: &Verification, held_min: f64) -> Vec<String> {
    let drifted = verification.drifted(held_min);
    drifted.map(|(item, drift)| told(item, &drift)).collect()
}

fn look_at_all(
    arguments: &VerifyArguments,
    verifier: &mut Verifier,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<()> {
    let names = expand(&arguments.pages)?;
    for name in &names {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => verifier.look_at(&page, name),
            Err(error) => {
                summary.figures.failures += 1;
                complain(&format!("{error:#}"));
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
    }
    if summary.figures.failures == names.len() {
        return Err(anyhow!("none of the {} pages could be fetched", names.len()));
    }
    Ok(())
}

fn conclude(arguments: &VerifyArguments, lines: &[Line], summary: &mut Summary) -> Result<Outcome> {
    let text: String = lines.iter().map(|line| format!("{}\n", line.json)).collect();
    write_result(&arguments.output, text.as_bytes())?;
    let drifted: Vec<&String> = lines.iter().filter_map(|line| line.drift.as_ref()).collect();
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

fn item_json(item: &VerifiedItem, drift: Option<&Drift>) -> Value {
    // An optional field that too many pages are without has changed on those.
    let lost = if is_lost(item, drift) { item.silent } else { 0 };
    let (held, changed) = (item.held - lost, item.changed + lost);
    let VerifiedItem { pages, missing, .. } = item;
    let mut line =
        json!({"page_class": item.class, "pages": pages, "held": held, "missing": missing, "changed": changed});
    let (kind, name) = named(&item.subject);
    line[kind] = json!(name);
    line["example"] = example_json(item.example.as_ref());
    add_values(&mut line, drift);
    line
}

/// Whether it is an optional field that too many pages are without.
fn is_lost(item: &VerifiedItem, drift: Option<&Drift>) -> bool {
    item.share.is_some() && item.silent > 0 && drift == Some(&Drift::Lost)
}

/// What is said of pages that are dressed otherwise.
const REDESIGNED: &str = "the classes and ids that all of its pages had are gone from most pages";

/// Says how values are other than they were.
fn add_values(line: &mut Value, drift: Option<&Drift>) {
    if let Some(Drift::OtherValues(what)) = drift {
        line["values"] = json!(what);
    }
    if drift == Some(&Drift::OtherMarkup) {
        line["markup"] = json!(REDESIGNED);
    }
}

fn example_json(example: Option<&(String, String)>) -> Value {
    match example {
        Some((page, problem)) => json!({"page": page, "problem": problem}),
        None => Value::Null,
    }
}

fn named(subject: &Subject) -> (&'static str, &str) {
    match subject {
        Subject::Assertion(path) => ("assertion", path),
        Subject::Field(name) => ("field", name),
    }
}

fn told(item: &VerifiedItem, drift: &Drift) -> String {
    let (kind, name) = named(&item.subject);
    match drift {
        Drift::OtherValues(what) => return format!("{}: {kind} {name} has other values: {what}", item.class),
        Drift::OtherMarkup => return format!("{}: {REDESIGNED}", item.class),
        Drift::Lost => {}
    }
    if let (true, Some((with, of))) = (is_lost(item, Some(drift)), item.share) {
        let (class, present) = (&item.class, item.pages - item.silent - item.missing);
        let pages = item.pages;
        return format!("{class}: {kind} {name} is on {present} of {pages} pages, and was on {with} of {of}");
    }
    format!(
        "{}: {kind} {name} held on {} of {} pages",
        item.class, item.held, item.pages
    )
}

/// A line for the template as a whole, or for a field. A field that some pages may lack has changed
/// where far too many do.
fn wrapper_json(item: &WrapperItem, drift: Option<&Drift>) -> Value {
    let lost = item.pages - item.present;
    let (missing, changed) = match (item.is_needed(), drift == Some(&Drift::Lost)) {
        (true, _) => (lost, 0),
        (false, true) => (0, lost),
        (false, false) => (0, 0),
    };
    let mut line = json!({
        "pages": item.pages, "held": item.pages - missing - changed, "missing": missing, "changed": changed,
        "present": item.present, "expected": item.share(),
    });
    match item.field.as_str() {
        "" => line["assertion"] = json!("the page is of the wrapper's template"),
        field => line["field"] = json!(field),
    }
    line["example"] = example_json(item.example.as_ref());
    add_values(&mut line, drift);
    line
}

fn wrapper_told(item: &WrapperItem, drift: &Drift) -> String {
    let (present, pages) = (item.present, item.pages);
    match drift {
        Drift::OtherValues(what) => return format!("field {} has other values: {what}", item.field),
        Drift::OtherMarkup => return REDESIGNED.to_owned(),
        Drift::Lost => {}
    }
    match item.field.as_str() {
        "" => format!("{present} of {pages} pages are of the wrapper's template"),
        field => {
            let (with, of) = item.trained;
            format!("field {field} is on {present} of {pages} pages, and was on {with} of {of}")
        }
    }
}
