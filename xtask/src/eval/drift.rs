//! Drift: what `verify` says of pages that did not change and of pages that did, and what `repair`
//! mends.
//!
//! A test of the store measures it inside one process, on mutations of real pages and between the
//! skins of the demo site, and prints lines `figure NAME VALUE`. Without corpora it has the demo
//! site alone.

use super::Setup;
use super::results::{State, TaskResult};
use super::task::Task;
use crate::shell;

/// Runs the tests of these names and reads their figures.
pub fn score(task: &Task, setup: &Setup, tests: &[&str]) -> Result<TaskResult, String> {
    let mut command = shell::cargo(["test", "--release", "--package", "untemplate-store", "--test", "drift"]);
    command.args(["--", "--nocapture"]).args(tests);
    if setup.corpora.is_dir() {
        command.env("UNTEMPLATE_DRIFT", &setup.corpora);
    }
    let (text, status) = shell::echo_both(&mut command)?;
    let figures: Vec<(String, f64)> = text.lines().filter_map(read_line).collect();
    let state = match (status.success(), figures.is_empty()) {
        (false, _) => State::Failed(format!("the tests failed: {}", shell::ending(&status))),
        (true, true) => State::NotBuilt("no test printed a figure".to_owned()),
        (true, false) => State::Measured,
    };
    Ok(TaskResult {
        figures,
        ..TaskResult::without_figures(task.name, state)
    })
}

/// The figure of a line, at its start or after what the test runner wrote before it.
fn read_line(line: &str) -> Option<(String, f64)> {
    let (_, rest) = line.split_once("figure ")?;
    let (name, value) = rest.trim().split_once(' ')?;
    Some((name.to_owned(), value.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_wherever_they_stand() {
        assert_eq!(read_line("figure a_mended 0.97"), Some(("a_mended".to_owned(), 0.97)));
        assert_eq!(read_line("test x ... figure b 3"), Some(("b".to_owned(), 3.0)));
        assert_eq!(read_line("a figure of speech"), None);
    }
}
