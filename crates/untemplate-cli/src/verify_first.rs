//! `--verify-first`: a look at some pages of each class before a run writes anything, and
//! `--repair` of what has drifted.
//!
//! A run on a schedule must not replace good tables by empty ones because a site has changed. So
//! the first pages of each class are reached as the run would reach them, and verified; where the
//! assertion of a class rejects all of them, those. What has drifted ends the run with code 4, or
//! is mended; what could not be mended is empty in the tables, and the code is 4 all the same.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use serde_json::{Value, json};
use untemplate::page::{Page, Request, Site, Visit};
use untemplate::teach::{Fate, RunError, RunEvent, RunOptions, Specification, Verification, run_specification};
use untemplate_store::{SourceSite, parse_specification};

use crate::arguments::{OldArguments, OutputArguments, SourceArguments};
use crate::outcome::{Outcome, WrongUsage};
use crate::output::{say, write_whole};
use crate::summary::Summary;
use crate::verbs::repair::{Mended, old_pages};
use crate::verbs::verify::drift_of;

/// Pages of each class that are looked at: enough to prove a loss, few enough to cost little.
const PAGES_MAX: usize = 30;

/// The share of pages that a field or assertion must hold on, as `verify` has it.
const HELD_MIN: f64 = 0.9;

/// What a run is to look at before it writes.
pub struct FirstLook<'a> {
    /// How the run goes.
    pub options: RunOptions,
    /// Whether what has drifted is mended.
    pub repair: bool,
    /// Where old pages come from.
    pub old: &'a OldArguments,
    /// Where pages come from.
    pub sources: &'a SourceArguments,
    /// Where messages go.
    pub output: &'a OutputArguments,
}

/// What it came to.
#[derive(Default)]
pub struct Looked {
    /// The specification to run, where it was mended.
    pub mended: Option<Specification>,
    /// What was mended, for people.
    pub told: Vec<String>,
    /// What has drifted and was not mended.
    pub drift: Vec<String>,
}

impl FirstLook<'_> {
    /// Looks at the first pages of each class that is read.
    pub fn look(&self, specification: &Specification, site: &mut SourceSite) -> Result<Looked> {
        if self.repair && self.old.is_empty() {
            let message = "--repair needs pages as they were: give --old, --old-mirror, --old-warc or --old-archive";
            bail!(WrongUsage(message.to_owned()));
        }
        let pages = self.first_pages(specification, site)?;
        let drift = drift_on(specification, &pages);
        if drift.is_empty() || !self.repair {
            return Ok(Looked {
                drift,
                ..Looked::default()
            });
        }
        let old = old_pages(self.old, &pages, self.sources, site)?;
        let mended = Mended::of_specification(specification, &old, &pages, HELD_MIN);
        mended.say(self.output);
        let specification = parse_specification(&mended.text).map_err(|error| anyhow!("what was mended: {error}"))?;
        Ok(Looked {
            drift: drift_on(&specification, &pages),
            told: mended.told,
            mended: Some(specification),
        })
    }

    /// The first pages of each class with fields.
    fn first_pages(&self, specification: &Specification, site: &mut SourceSite) -> Result<Vec<(String, Arc<Page>)>> {
        let wrapped = specification.classes.iter().filter(|class| !class.fields.is_empty());
        let mut wanted: BTreeMap<&str, Arrived> =
            wrapped.map(|class| (class.id.as_str(), Arrived::default())).collect();
        let report = run_specification(specification, &self.options, site, &mut |event| {
            if let RunEvent::Arrived(arrival) = event
                && let Some(arrived) = wanted.get_mut(arrival.class.as_str())
            {
                arrived.take(&arrival.fate, &arrival.request);
            }
            match wanted.values().all(Arrived::is_enough) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        report.map_err(|error| match error {
            RunError::Unknown { .. } => anyhow!(WrongUsage(error.to_string())),
            error => anyhow!(error),
        })?;
        let requests: Vec<Request> = wanted.into_values().flat_map(Arrived::chosen).collect();
        let visits = site.visit(&requests).into_iter().zip(&requests);
        let page = |(visit, request): (Visit, &Request)| match visit {
            Visit::Page(page) => Some((request.url.to_string(), page)),
            _ => None,
        };
        Ok(visits.filter_map(page).collect())
    }
}

/// Where the run came to, on its way to a class.
#[derive(Default)]
struct Arrived {
    supporting: Vec<Request>,
    rejected: Vec<Request>,
}

impl Arrived {
    fn take(&mut self, fate: &Fate, request: &Request) {
        match fate {
            Fate::Supports if self.supporting.len() < PAGES_MAX => self.supporting.push(request.clone()),
            Fate::Rejected { .. } if self.rejected.len() < PAGES_MAX => self.rejected.push(request.clone()),
            _ => {}
        }
    }

    fn is_enough(&self) -> bool {
        self.supporting.len() >= PAGES_MAX
    }

    /// Pages of the class. Rules may lead to pages of other templates, too, which are rejected on
    /// every run; but where all are, it is the class that has changed.
    fn chosen(self) -> Vec<Request> {
        if self.supporting.is_empty() {
            self.rejected
        } else {
            self.supporting
        }
    }
}

fn drift_on(specification: &Specification, pages: &[(String, Arc<Page>)]) -> Vec<String> {
    let mut verification = Verification::new(specification);
    for (name, page) in pages {
        verification.look_at(specification, page, name);
    }
    drift_of(&verification, HELD_MIN)
}

impl Looked {
    /// Whether the run ends here: something has drifted, and was not mended.
    pub fn is_end(&self) -> bool {
        self.mended.is_none() && !self.drift.is_empty()
    }

    /// Says that nothing is written.
    pub fn end(&self, output: &OutputArguments, summary: &mut Summary) -> Outcome {
        for reason in &self.drift {
            say(output, &format!("the site has changed: {reason}"));
        }
        say(
            output,
            "nothing was written; look at `untemplate verify`, or mend it with --repair",
        );
        summary.more.push(("drift", json!(self.drift)));
        Outcome::Drift
    }

    /// Adds to what changed in a folder what was mended and what was not; an outcome that is as bad
    /// as that.
    pub fn conclude(&self, folder: &Path, outcome: Outcome, summary: &mut Summary) -> Result<Outcome> {
        if self.mended.is_none() {
            return Ok(outcome);
        }
        summary.more.push(("mended", json!(self.told)));
        let file = folder.join("changes.json");
        if folder.is_dir() {
            let text = std::fs::read_to_string(&file).unwrap_or_else(|_| "{}".to_owned());
            let mut changes: Value = serde_json::from_str(&text).unwrap_or_else(|_| json!({}));
            changes["mended"] = json!(self.told);
            changes["drift"] = json!(self.drift);
            write_whole(&file, format!("{changes:#}\n").as_bytes())?;
        }
        let is_better = matches!(outcome, Outcome::Complete | Outcome::Partial | Outcome::Nothing);
        Ok(if is_better && !self.drift.is_empty() {
            Outcome::Drift
        } else {
            outcome
        })
    }
}
