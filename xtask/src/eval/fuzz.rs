//! Arbitrary bytes: the property tests of whatever reads bytes from outside, run for longer.
//!
//! The tests are ordinary ones that take a moment; `UNTEMPLATE_FUZZ_SECONDS` gives each of them a
//! budget.

use super::Setup;
use super::results::{State, TaskResult};
use super::task::Task;
use crate::shell;

/// The tests, by package and name.
const TARGETS: [(&str, &str); 4] = [
    ("untemplate-html", "fuzz_html"),
    ("untemplate", "fuzz_page"),
    ("untemplate-store", "fuzz_warc"),
    ("untemplate-store", "fuzz_wrapper"),
];

/// Runs each test for the seconds asked for.
pub fn run(task: &Task, setup: &Setup) -> Result<TaskResult, String> {
    let mut missing = Vec::new();
    for (package, test) in TARGETS {
        let mut command = shell::cargo(["test", "--release", "--package", package, "--lib", "--bins", "--tests"]);
        command
            .args([test, "--", "--nocapture"])
            .env("UNTEMPLATE_FUZZ_SECONDS", setup.fuzz_seconds.to_string());
        let (text, status) = shell::echo(&mut command)?;
        if !status.success() {
            let why = format!("{test}: {}", shell::ending(&status));
            return Ok(TaskResult::without_figures(task.name, State::Failed(why)));
        }
        if n_passed(&text) == 0 {
            missing.push(test);
        }
    }
    let state = match missing.is_empty() {
        true => State::Measured,
        false => State::NotBuilt(format!("no test {}", missing.join(", "))),
    };
    Ok(TaskResult::without_figures(task.name, state))
}

/// Tests passed, summed over the test programs.
fn n_passed(text: &str) -> u32 {
    let ending = |line: &str| -> Option<u32> {
        line.strip_prefix("test result: ok. ")?
            .split_once(" passed")?
            .0
            .parse()
            .ok()
    };
    text.lines().filter_map(ending).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_summed() {
        let line =
            |count: u32| format!("test result: ok. {count} passed; 0 failed; 0 ignored; 0 measured; 4 filtered out\n");
        assert_eq!(n_passed(&format!("running 1 test\n{}{}", line(1), line(2))), 3);
        assert_eq!(n_passed(&line(0)), 0);
    }
}
