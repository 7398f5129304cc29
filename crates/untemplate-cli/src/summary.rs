//! Summaries: the figures of a run, for programs. A summary never flatters.

use std::time::Instant;

use anyhow::Result;
use serde_json::{Value, json};
use untemplate_store::Figures;

use crate::arguments::OutputArguments;
use crate::outcome::Outcome;
use crate::output::write_whole;

/// The figures of a run, from its start on.
pub struct Summary {
    verb: &'static str,
    started: Instant,
    /// What was asked of page sources.
    pub figures: Figures,
    /// What cut the run short, for people.
    pub partial_because: Vec<String>,
    /// What the verb adds.
    pub more: Vec<(&'static str, Value)>,
}

impl Summary {
    /// Starts the clock.
    pub fn start(verb: &'static str) -> Self {
        Self {
            verb,
            started: Instant::now(),
            figures: Figures::default(),
            partial_because: Vec::new(),
            more: Vec::new(),
        }
    }

    /// Writes the summary where it is wanted, and hands the outcome on.
    pub fn close(self, arguments: &OutputArguments, outcome: Outcome) -> Result<Outcome> {
        let Some(file) = &arguments.summary else {
            return Ok(outcome);
        };
        let Figures {
            downloads,
            bytes,
            pages,
            problems,
            failures,
        } = self.figures;
        let mut summary = json!({
            "verb": self.verb,
            "seconds": self.started.elapsed().as_secs_f64(),
            "downloads": downloads,
            "reused": 0,
            "bytes": bytes,
            "pages": pages,
            "problems": problems,
            "failures": failures,
            "exit_code": outcome.number(),
            "partial_because": self.partial_because,
        });
        for (name, value) in self.more {
            summary[name] = value;
        }
        write_whole(file, format!("{summary:#}\n").as_bytes())?;
        Ok(outcome)
    }
}
