//! Real pages are read: an even sample of every corpus through `untemplate show schema`.
//!
//! The figure `read` is the share of pages that end well (0, or 5 for a page without links) in
//! time. The pages that do not are named.

use super::results::{State, TaskResult, write_json};
use super::task::Task;
use super::{Setup, floors, scorer};
use crate::{corpora, shell};
use serde_json::json;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Pages of each corpus, in a whole and in a quick run.
const PAGES_PER_CORPUS: usize = 100;
const PAGES_PER_CORPUS_QUICK: usize = 12;

/// Far more than any page needs, even from a program built without optimisation.
const PAGE_LIMIT: Duration = Duration::from_secs(20);

/// Reads the sample.
pub fn score(task: &Task, setup: &Setup) -> Result<TaskResult, String> {
    if let Some(missing) = scorer::missing_verb(&setup.program, task.verbs) {
        return Ok(TaskResult::without_figures(
            task.name,
            State::NotBuilt(format!("no verb `{missing}`")),
        ));
    }
    let pages = sample(setup)?;
    let mut unread = Vec::new();
    for page in &pages {
        let mut command = Command::new(&setup.program);
        command.args(["show", "schema"]).arg(page).arg("-q");
        let code = shell::code_within(&mut command, PAGE_LIMIT)?;
        if !matches!(code, Some(0 | 5)) {
            let ending = code.map_or_else(
                || "a signal, or too long".to_owned(),
                |code| format!("exit code {code}"),
            );
            println!("  {}: {ending}", page.display());
            unread.push(json!({"page": page.display().to_string(), "why": ending}));
        }
    }
    let read = 1.0 - unread.len() as f64 / pages.len().max(1) as f64;
    let figures = vec![
        ("pages".to_owned(), pages.len() as f64),
        ("read".to_owned(), (read * 1000.0).floor() / 1000.0),
    ];
    let kept = setup
        .out
        .join(format!("{}.json", floors::section_of(task.name, setup.quick)));
    write_json(
        &kept,
        &json!({"task": task.name, "pages": pages.len(), "unread": unread}),
    )?;
    let state = match unread.is_empty() {
        true => State::Measured,
        false => State::Failed(format!("{} pages were not read", unread.len())),
    };
    Ok(TaskResult {
        figures,
        ..TaskResult::without_figures(task.name, state)
    })
}

/// Pages of every corpus, evenly spread.
fn sample(setup: &Setup) -> Result<Vec<PathBuf>, String> {
    let count = if setup.quick {
        PAGES_PER_CORPUS_QUICK
    } else {
        PAGES_PER_CORPUS
    };
    let unreadable = |error| format!("cannot list {}: {error}", setup.corpora.display());
    let entries = std::fs::read_dir(&setup.corpora).map_err(unreadable)?;
    let mut folders: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    let mut pages = Vec::new();
    for folder in folders {
        pages.extend(corpora::spread(&corpora::pages(&folder)?, count));
    }
    Ok(pages)
}
