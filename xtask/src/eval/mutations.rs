//! Mutations: the records of list pages, found again after one change to the page each.
//!
//! The example `list_changes` of the library makes the changes: other mark-up for the same records,
//! fewer records, and what pages have beside their lists. Pages count whose records are all found as
//! they are. A page keeps its records when these are found and nothing else; `kept` is the mean over
//! all changes of the share of pages that do, `worst` the least of these shares.

use std::collections::BTreeMap;

use serde_json::json;

use super::results::{State, TaskResult, write_json};
use super::task::Task;
use super::{Setup, floors};
use crate::list_pages::{self, ALL_RIGHT, changed_pages};

/// Pages of a quick run.
const PAGES_QUICK: usize = 40;

/// Changes the pages and counts.
pub fn score(task: &Task, setup: &Setup) -> Result<TaskResult, String> {
    let mut pages = list_pages::pages(&setup.corpora)?;
    pages.retain(list_pages::TruePage::has_list);
    if setup.quick {
        let step = pages.len().div_ceil(PAGES_QUICK).max(1);
        pages = pages.into_iter().step_by(step).collect();
    }
    let changed = changed_pages(pages, setup.only.as_deref().unwrap_or(""))?;
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut lost = Vec::new();
    for page in &changed {
        for (change, share) in page.said["kept"].as_object().into_iter().flatten() {
            let count = counts.entry(change.clone()).or_default();
            let is_kept = share.as_f64().is_some_and(|share| share > ALL_RIGHT);
            *count = (count.0 + usize::from(is_kept), count.1 + 1);
            if !is_kept {
                lost.push(json!({"page": page.file, "change": change, "kept": share}));
            }
        }
    }
    let share = |count: &(usize, usize)| count.0 as f64 / count.1.max(1) as f64;
    for (change, count) in &counts {
        println!("  {change:16} {:.3} of {} pages", share(count), count.1);
    }
    let all: Vec<f64> = counts.values().map(share).collect();
    let mean = all.iter().sum::<f64>() / all.len().max(1) as f64;
    let worst = all.iter().copied().fold(1.0, f64::min);
    let kept = setup
        .out
        .join(format!("{}.json", floors::section_of(task.name, setup.quick)));
    write_json(&kept, &json!({"task": task.name, "pages": changed.len(), "lost": lost}))?;
    let floored = |value: f64| (value * 1000.0).floor() / 1000.0;
    let figures = [
        ("pages", changed.len() as f64),
        ("kept", floored(mean)),
        ("worst", floored(worst)),
    ];
    Ok(TaskResult {
        figures: figures.map(|(name, value)| (name.to_owned(), value)).into(),
        ..TaskResult::without_figures(task.name, State::Measured)
    })
}
