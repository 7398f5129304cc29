//! The public conformance suites, which tests of the library run and count.
//!
//! Each such test has `suite` in its name and prints a line
//! `suite NAME: PASSED of TOTAL (N listed exceptions)`, on either output. The figure `NAME_passed`
//! has a floor: what passed once passes for ever.

use super::Setup;
use super::results::{State, TaskResult, write_json};
use super::task::Task;
use crate::shell;
use serde_json::json;

/// One suite's line.
#[derive(Debug, PartialEq)]
struct Suite {
    name: String,
    n_passed: u32,
    n_cases: u32,
    n_exceptions: u32,
}

/// Runs the suites and reads their lines.
pub fn score(task: &Task, setup: &Setup) -> Result<TaskResult, String> {
    let folder = setup.corpora.join("suites");
    if !folder.is_dir() {
        return Ok(TaskResult::without_figures(
            task.name,
            State::Skipped("no suites among the corpora".to_owned()),
        ));
    }
    // In the check the whole workspace was built for its tests: asking for the same again builds
    // nothing.
    let mut command = match setup.release {
        true => shell::cargo([
            "test",
            "--release",
            "--package",
            "untemplate-html",
            "--package",
            "untemplate",
        ]),
        false => shell::cargo(["test", "--workspace"]),
    };
    command.args([
        "--quiet",
        "--lib",
        "--bins",
        "--tests",
        "--no-fail-fast",
        "suite",
        "--",
        "--nocapture",
    ]);
    let (text, status) = shell::echo_both(
        command
            .env("UNTEMPLATE_SUITES", folder)
            .env("UNTEMPLATE_CORPORA", &setup.corpora),
    )?;
    let suites: Vec<Suite> = text.lines().filter_map(read_line).collect();
    let rows = suites.iter().map(|suite| {
        json!({"suite": suite.name, "passed": suite.n_passed, "cases": suite.n_cases, "exceptions": suite.n_exceptions})
    });
    write_json(
        &setup.out.join("suites.json"),
        &json!({"task": task.name, "suites": rows.collect::<Vec<_>>()}),
    )?;
    let state = match (status.success(), suites.is_empty()) {
        (false, _) => State::Failed(format!("the tests failed: {}", shell::ending(&status))),
        (true, true) => State::NotBuilt("no test printed a suite".to_owned()),
        (true, false) => State::Measured,
    };
    let figures = suites
        .iter()
        .map(|suite| (format!("{}_passed", suite.name), f64::from(suite.n_passed)))
        .collect();
    Ok(TaskResult {
        figures,
        ..TaskResult::without_figures(task.name, state)
    })
}

/// The suite told by a line, at its start or after what the test runner wrote before it.
fn read_line(line: &str) -> Option<Suite> {
    line.match_indices("suite ")
        .find_map(|(place, _)| read_suite(&line[place + "suite ".len()..]))
}

fn read_suite(text: &str) -> Option<Suite> {
    let (name, counts) = text.split_once(": ")?;
    let (n_passed, rest) = counts.split_once(" of ")?;
    let (n_cases, rest) = rest.split_once(" (")?;
    let (n_exceptions, _) = rest.split_once(" listed exceptions)")?;
    let number = |text: &str| text.replace(',', "").parse().ok();
    let is_name = !name.is_empty()
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter));
    is_name.then_some(())?;
    Some(Suite {
        name: name.to_owned(),
        n_passed: number(n_passed)?,
        n_cases: number(n_cases)?,
        n_exceptions: number(n_exceptions)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_wherever_they_stand() {
        let expected = Suite {
            name: "tree".to_owned(),
            n_passed: 1930,
            n_cases: 1936,
            n_exceptions: 6,
        };
        assert_eq!(
            read_line("suite tree: 1930 of 1936 (6 listed exceptions)").as_ref(),
            Some(&expected)
        );
        assert_eq!(
            read_line("test suite_tree ... suite tree: 1,930 of 1,936 (6 listed exceptions)"),
            Some(expected)
        );
        assert_eq!(read_line("test suite_tree ... ok"), None);
        assert_eq!(read_line("the suite tree: x of 3 (0 listed exceptions)"), None);
    }
}
