//! What happens in a run, as it happens: the trace, a line for each request, and what became of
//! each page.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use untemplate::page::Method;
use untemplate::teach::{Arrival, Fate, RunEvent, Specification};
use untemplate_store::table_file::{PageMark, PageState};

use crate::arguments::{OutputArguments, RunArguments};
use crate::output::say;

/// Watches a run: requests go to the trace, what became of pages is kept, and oddities are said.
pub struct Watch<'a> {
    specification: &'a Specification,
    output: &'a OutputArguments,
    pages: Vec<PageMark>,
    trace: Option<BufWriter<File>>,
    trouble: Option<anyhow::Error>,
}

impl<'a> Watch<'a> {
    /// Opens the trace, where one is asked for.
    pub fn new(
        specification: &'a Specification,
        arguments: &'a RunArguments,
        output: &'a OutputArguments,
    ) -> Result<Self> {
        let trace = arguments.trace.as_ref().map(|file| {
            let hint = || {
                format!(
                    "cannot write {}; check that its folder is there and may be written to",
                    file.display()
                )
            };
            File::create(file).map(BufWriter::new).with_context(hint)
        });
        Ok(Self {
            specification,
            output,
            pages: Vec::new(),
            trace: trace.transpose()?,
            trouble: None,
        })
    }

    /// Takes what happened; a trace that cannot be written ends the run.
    pub fn take(&mut self, event: RunEvent<'_>) -> ControlFlow<()> {
        match event {
            RunEvent::Record(_) => {}
            RunEvent::Odd(url, problem) => say(self.output, &format!("{url}: {problem}")),
            RunEvent::Arrived(arrival) => {
                self.mark(arrival);
                if let Some(trace) = &mut self.trace
                    && let Err(error) = writeln!(trace, "{}", arrival_json(arrival)).context("cannot write the trace")
                {
                    self.trouble = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Notes what became of a page, for whoever traces a row to it.
    fn mark(&mut self, arrival: &Arrival) {
        let url = arrival.page.as_ref().unwrap_or(&arrival.request.url);
        let state = match &arrival.fate {
            Fate::Supports => PageState::Read,
            Fate::Rejected { failing } => {
                let first = failing.first().map_or("", String::as_str);
                let message = format!("{url}: no {}: nothing is at {first}", arrival.class);
                say(self.output, &message);
                PageState::Unread
            }
            Fate::Failed { .. } => PageState::Failed,
            Fate::Again | Fate::Dead { .. } | Fate::Refused { .. } => return,
        };
        self.pages.push(PageMark {
            url: url.to_string(),
            page_class: self.specification.class_index(&arrival.class),
            first_seen: None,
            last_seen: None,
            state,
        });
    }

    /// Ends the trace; what became of the pages.
    pub fn finish(self) -> Result<Vec<PageMark>> {
        if let Some(mut trace) = self.trace {
            trace.flush().context("cannot write the trace")?;
        }
        self.trouble.map_or(Ok(self.pages), Err)
    }
}

/// A request and what came of it, as a line of the trace.
fn arrival_json(arrival: &Arrival) -> Value {
    let body = String::from_utf8_lossy(&arrival.request.body);
    let mut line = json!({
        "level": arrival.level,
        "parent": arrival.parent.as_ref().map(url::Url::as_str),
        "request_class": arrival.request_class,
        "method": if arrival.request.method == Method::Post { "POST" } else { "GET" },
        "url": arrival.request.url.as_str(),
        "page_class": arrival.class,
        "page": arrival.page.as_ref().map(url::Url::as_str),
        "fate": arrival.fate.word(),
    });
    if !body.is_empty() {
        line["body"] = json!(body);
    }
    match &arrival.fate {
        Fate::Rejected { failing } => line["failing"] = json!(failing),
        Fate::Dead { reason } | Fate::Refused { reason } | Fate::Failed { reason } => line["reason"] = json!(reason),
        Fate::Supports | Fate::Again => {}
    }
    line
}
