//! Summaries: the figures of a run, for programs. A summary never flatters, and is there when the
//! run fails, too.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use serde_json::{Value, json};
use untemplate_store::{Figures, StopReason};

use crate::arguments::OutputArguments;
use crate::interrupt::at_deadline;
use crate::notice::notify;
use crate::outcome::{Outcome, WrongUsage, failure_number};
use crate::output::{complain, told, try_file, write_whole};

/// The figures of a run, from its start on.
pub struct Summary {
    verb: &'static str,
    started: Instant,
    /// What was asked of page sources.
    pub figures: Figures,
    /// Answers that came from an archive instead of a page source.
    pub reused: u64,
    /// What cut the run short, for people.
    pub partial_because: Vec<String>,
    /// What the verb adds.
    pub more: Vec<(&'static str, Value)>,
}

/// Runs a verb and writes its summary where it is wanted, however the run ends.
pub fn summarised(
    verb: &'static str,
    output: &OutputArguments,
    run: impl FnOnce(&mut Summary) -> Result<Outcome>,
) -> Result<Outcome> {
    refuse_one_file("-o", output.output.as_deref(), "--summary", output.summary.as_deref())?;
    if output.summary.as_deref() == Some(Path::new("-")) {
        bail!(WrongUsage(
            "--summary needs a file: standard output is for the result".to_owned()
        ));
    }
    let to_file = output.output.iter().filter(|file| *file != Path::new("-"));
    to_file.chain(&output.summary).try_for_each(|file| try_file(file))?;
    let mut summary = Summary {
        verb,
        started: Instant::now(),
        figures: Figures::default(),
        reused: 0,
        partial_because: Vec::new(),
        more: Vec::new(),
    };
    if let Some(file) = output.summary.clone() {
        at_deadline(move || write_interrupted(verb, &file));
    }
    let result = run(&mut summary);
    let result = summary.cut_short(result).map(|outcome| summary.unflattered(outcome));
    if let Some(target) = &output.notice {
        notify(target, &summary.to_json(&result));
    }
    if let Some(file) = &output.summary {
        let written = write_whole(file, format!("{:#}\n", summary.to_json(&result)).as_bytes());
        // What went wrong before is the better message.
        if result.is_ok() {
            written?;
        }
    }
    result
}

/// Writes the summary of a run that is ended before it could say more of itself.
fn write_interrupted(verb: &str, file: &Path) {
    let summary = json!({
        "verb": verb,
        "exit_code": Outcome::Interrupted.number(),
        "partial_because": [StopReason::Interrupted.to_string()],
    });
    // There is nobody left to tell.
    let _ = write_whole(file, format!("{summary:#}\n").as_bytes());
}

/// An error when two options name one file, where one result would overwrite the other.
pub fn refuse_one_file(first: &str, left: Option<&Path>, second: &str, right: Option<&Path>) -> Result<()> {
    if let (Some(left), Some(right)) = (left, right)
        && is_same_file(left, right)
    {
        let file = left.display();
        bail!(WrongUsage(format!(
            "{first} and {second} name the same file, {file}; give two"
        )));
    }
    Ok(())
}

/// An error when `--html` names the file of the result or of the summary.
pub fn refuse_html_over(output: &OutputArguments, html: Option<&Path>) -> Result<()> {
    refuse_one_file("-o", output.output.as_deref(), "--html", html)?;
    refuse_one_file("--summary", output.summary.as_deref(), "--html", html)
}

/// Whether two names mean one file, whether or not it is there yet.
fn is_same_file(left: &Path, right: &Path) -> bool {
    let whole = |path: &Path| {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        match (absolute.parent(), absolute.file_name()) {
            (Some(folder), Some(name)) => folder
                .canonicalize()
                .map(|folder| folder.join(name))
                .unwrap_or(absolute),
            _ => absolute,
        }
    };
    whole(left) == whole(right)
}

impl Summary {
    /// Counts a page that could not be fetched, and says so; with no other page asked for, it is
    /// the run's error.
    pub fn note_failed(&mut self, name: &str, error: anyhow::Error, n_pages: usize) -> Result<()> {
        self.figures.failures += 1;
        if n_pages == 1 {
            return Err(error);
        }
        complain(&format!("{error:#}"));
        self.partial_because.push(format!("{name}: {error:#}"));
        Ok(())
    }

    /// An error where all pages failed.
    pub fn refuse_none_had(&self, n_pages: usize) -> Result<()> {
        match self.figures.failures == n_pages {
            true => bail!("none of the {n_pages} pages could be fetched"),
            false => Ok(()),
        }
    }

    /// How a run ended, if nothing is missing from what it read.
    fn unflattered(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Complete | Outcome::Nothing if !self.partial_because.is_empty() => Outcome::Partial,
            outcome => outcome,
        }
    }

    /// How a run ended whose pages were not all to be had, because of a limit or an interrupt.
    fn cut_short(&mut self, result: Result<Outcome>) -> Result<Outcome> {
        let Some(reason) = self.figures.stopped_because else {
            return result;
        };
        let why = reason.to_string();
        if !self.partial_because.contains(&why) {
            self.partial_because.push(why);
        }
        match (reason, result) {
            // A host that was given up before it gave anything leaves no part to be content with.
            (StopReason::Silent(_), Err(error)) => return Err(error),
            (_, Err(error)) => complain(&told(&error)),
            (_, Ok(_)) => {}
        }
        Ok(match reason {
            StopReason::Interrupted => Outcome::Interrupted,
            _ => Outcome::Partial,
        })
    }

    fn to_json(&self, result: &Result<Outcome>) -> Value {
        let Figures {
            downloads,
            bytes,
            pages,
            problems,
            failures,
            reused,
            stopped_because: _,
        } = self.figures;
        let mut summary = json!({
            "verb": self.verb,
            "seconds": self.started.elapsed().as_secs_f64(),
            "downloads": downloads,
            "reused": self.reused + reused as u64,
            "bytes": bytes,
            "pages": pages,
            "problems": problems,
            "failures": failures,
            "exit_code": result.as_ref().map_or_else(failure_number, |outcome| outcome.number()),
            "partial_because": self.partial_because,
        });
        if let Err(error) = result {
            summary["error"] = json!(told(error));
        }
        for (name, value) in &self.more {
            summary[*name] = value.clone();
        }
        summary
    }
}
