//! `untemplate repair`: a wrapper or specification whose site has changed, mended by what it read
//! on old pages.
//!
//! The result is the file as it is to be from now on. How each field was read, and is read now,
//! goes to standard error in a line, and whole to `--report`. Exit code 4 says that something could
//! not be mended, and is left empty.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};
use untemplate::page::Page;
use untemplate::teach::{FieldRepair, Repair, RepairOutcome, SamplePage, Specification, repair_specification};
use untemplate::wrapper::{FieldFate, TemplateRepair, repair_template};
use untemplate_store::{Figures, SourceSite, Wrapper, read_specification, specification_text, write_wrapper};
use url::Url;

use crate::arguments::{OldArguments, OutputArguments, RepairArguments, SourceArguments};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{complain, say, write_result, write_whole};
use crate::page_arguments::{expand, read_page};
use crate::reader::{is_specification, open_wrapper};
use crate::summary::{Summary, summarised};

/// Mends a specification or a wrapper.
pub fn run(arguments: &RepairArguments) -> Result<Outcome> {
    summarised("repair", &arguments.output, |summary| {
        if arguments.old.is_empty() {
            let message =
                "what a field was is known from old pages: give --old, --old-mirror, --old-warc or --old-archive";
            bail!(WrongUsage(message.to_owned()));
        }
        let mut site = summary.open_site(&arguments.sources, &arguments.output, false)?;
        let result = repair(arguments, &mut site, summary);
        summary.figures = Figures {
            failures: summary.figures.failures,
            ..site.figures
        };
        result
    })
}

fn repair(arguments: &RepairArguments, site: &mut SourceSite, summary: &mut Summary) -> Result<Outcome> {
    let new = read_new(arguments, site, summary)?;
    let old = old_pages(&arguments.old, &new, &arguments.sources, site)?;
    let mended = if is_specification(&arguments.specification)? {
        let specification = read_specification(&arguments.specification)?;
        Mended::of_specification(&specification, &old, &new, arguments.min_held)
    } else {
        let Wrapper::Template(template) = open_wrapper(&arguments.specification)? else {
            let file = arguments.specification.display();
            bail!("{file}: only templates and specifications can be mended; infer or rebuild it again");
        };
        let pages = |named: &[(String, Arc<Page>)]| named.iter().map(|(_, page)| Arc::clone(page)).collect::<Vec<_>>();
        let (old, new) = (pages(&old), pages(&new));
        let old: Vec<&Page> = old.iter().map(AsRef::as_ref).collect();
        let new: Vec<&Page> = new.iter().map(AsRef::as_ref).collect();
        Mended::of_template(&repair_template(&template, &old, &new, arguments.min_held))
    };
    conclude(arguments, &mended, summary)
}

/// The new pages; those that cannot be fetched are said.
fn read_new(
    arguments: &RepairArguments,
    site: &mut SourceSite,
    summary: &mut Summary,
) -> Result<Vec<(String, Arc<Page>)>> {
    let names = expand(&arguments.pages)?;
    let mut new = Vec::new();
    for name in &names {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => new.push((name.clone(), page)),
            Err(error) => {
                summary.figures.failures += 1;
                complain(&format!("{error:#}"));
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
    }
    if new.is_empty() {
        return Err(anyhow!("none of the {} pages could be fetched", names.len()));
    }
    Ok(new)
}

/// The old pages, of which there must be one.
pub fn old_pages(
    old: &OldArguments,
    new: &[(String, Arc<Page>)],
    sources: &SourceArguments,
    site: &SourceSite,
) -> Result<Vec<(String, Arc<Page>)>> {
    let addresses: Vec<Url> = new.iter().map(|(_, page)| page.url.clone()).collect();
    let pages = old.read(&addresses, sources, site.parse_options)?;
    if pages.is_empty() {
        bail!(
            "there is no old page: --old-mirror, --old-warc and --old-archive answer for the addresses of the new pages"
        );
    }
    Ok(pages)
}

/// What was mended, ready to be written and told.
pub struct Mended {
    /// The file as it is to be.
    pub text: String,
    /// What became of each field, as lines of JSON.
    pub lines: Vec<Value>,
    /// The same in words, of what is not as it was.
    pub told: Vec<String>,
    /// What could not be mended.
    pub broken: Vec<String>,
}

impl Mended {
    /// What became of a specification.
    pub fn of_specification(
        specification: &Specification,
        old: &[(String, Arc<Page>)],
        new: &[(String, Arc<Page>)],
        min_held: f64,
    ) -> Self {
        let sample = |named: &[(String, Arc<Page>)]| -> Vec<SamplePage> {
            let page = |(name, page): &(String, Arc<Page>)| SamplePage::new(name, Arc::clone(page));
            named.iter().map(page).collect()
        };
        let repair = repair_specification(specification, &sample(old), &sample(new), min_held);
        let mut mended = Self {
            text: specification_text(&repair.specification),
            lines: Vec::new(),
            told: Vec::new(),
            broken: repair.problems.clone(),
        };
        mended.tell(&repair);
        mended
    }

    fn tell(&mut self, repair: &Repair) {
        for assertion in &repair.assertions {
            self.lines.push(json!({
                "page_class": assertion.class, "assertion": "mended",
                "before": assertion.before, "after": assertion.after,
            }));
            self.told.push(format!(
                "{}: what its pages have in common was learnt again",
                assertion.class
            ));
        }
        for field in &repair.fields {
            let FieldRepair { class, field: name, .. } = field;
            let mut line = json!({"page_class": class, "field": name, "before": field.before, "after": field.after});
            match field.outcome {
                RepairOutcome::Kept => line["outcome"] = json!("kept"),
                RepairOutcome::Mended { agreed, compared } => {
                    line["outcome"] = json!("mended");
                    line["by"] = json!("values");
                    line["agreed"] = json!([agreed, compared]);
                    self.told.push(format!(
                        "{class}: field {name} is read anew, and is what it was on {agreed} of {compared} pages"
                    ));
                }
                RepairOutcome::MendedByLabel { pages } => {
                    line["outcome"] = json!("mended");
                    line["by"] = json!("label");
                    line["pages"] = json!(pages);
                    self.told.push(format!(
                        "{class}: field {name} is read anew beside its label, and looks as it did on {pages} pages"
                    ));
                }
                RepairOutcome::Lost => {
                    line["outcome"] = json!("lost");
                    self.broken.push(format!(
                        "{class}: field {name} could not be mended, and is left empty; teach it again"
                    ));
                }
            }
            self.lines.push(line);
        }
    }

    /// What became of a wrapper.
    pub fn of_template(repair: &TemplateRepair) -> Self {
        let mut mended = Self {
            text: write_wrapper(&Wrapper::Template(repair.template.clone())),
            lines: Vec::new(),
            told: Vec::new(),
            broken: Vec::new(),
        };
        for (field, fate) in &repair.fields {
            mended.lines.push(match fate {
                FieldFate::Kept => json!({"field": field, "outcome": "kept"}),
                FieldFate::Mended { now, agreed, compared } => {
                    mended.told.push(format!(
                        "field {field} is read anew, and is what it was on {agreed} of {compared} pages"
                    ));
                    json!({"field": field, "outcome": "mended", "inferred_as": now, "agreed": [agreed, compared]})
                }
                FieldFate::Lost => {
                    mended
                        .broken
                        .push(format!("field {field} could not be mended, and is left empty"));
                    json!({"field": field, "outcome": "lost"})
                }
            });
        }
        mended
    }

    /// Says what was mended and what was not.
    pub fn say(&self, output: &OutputArguments) {
        let unchanged = "nothing has drifted: the file is as it was".to_owned();
        let nothing = (self.told.is_empty() && self.broken.is_empty()).then_some(&unchanged);
        for line in self.told.iter().chain(&self.broken).chain(nothing) {
            say(output, line);
        }
    }
}

fn conclude(arguments: &RepairArguments, mended: &Mended, summary: &mut Summary) -> Result<Outcome> {
    write_result(&arguments.output, mended.text.as_bytes())?;
    if let Some(file) = &arguments.report {
        write_report(file, &mended.lines)?;
    }
    mended.say(&arguments.output);
    summary.more.extend([
        ("questions", json!(0)),
        ("mended", json!(mended.told)),
        ("drift", json!(mended.broken)),
    ]);
    Ok(match (mended.broken.is_empty(), summary.partial_because.is_empty()) {
        (false, _) => Outcome::Drift,
        (true, false) => Outcome::Partial,
        (true, true) => Outcome::Complete,
    })
}

fn write_report(file: &Path, lines: &[Value]) -> Result<()> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    write_whole(file, text.as_bytes())
}
