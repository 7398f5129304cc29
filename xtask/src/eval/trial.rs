//! Trials: tests of the program that take minutes, or need more than `./check` may ask for.
//!
//! They are ordinary tests that do little until a setting in the environment tells them to do all.
//! One that cannot, for lack of rights, prints a line `skipped: WHY`.

use super::results::{State, TaskResult};
use super::task::Task;
use crate::shell;

/// Runs a test of a package with its setting.
pub fn run(task: &Task, [package, test]: [&str; 2], (name, value): (&str, &str)) -> Result<TaskResult, String> {
    let mut command = shell::cargo(["test", "--release", "--package", package, "--test", test]);
    command.args(["--", "--nocapture"]).env(name, value);
    let (text, status) = shell::echo_both(&mut command)?;
    Ok(TaskResult::without_figures(
        task.name,
        state(&text, status.success(), test),
    ))
}

fn state(text: &str, is_good: bool, test: &str) -> State {
    let skipped = text.lines().find_map(|line| line.trim().strip_prefix("skipped: "));
    match (is_good, skipped) {
        (false, _) => State::Failed(format!("the test {test} failed")),
        (true, Some(why)) => State::Skipped(why.to_owned()),
        (true, None) => State::Measured,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_could_not_do_its_work_has_not_passed() {
        let told = |text: &str, is_good| match state(text, is_good, "disk") {
            State::Failed(why) => why,
            State::Skipped(why) => format!("skipped, {why}"),
            _ => "measured".to_owned(),
        };
        assert_eq!(told("running 1 test\ntest x ... ok\n", true), "measured");
        assert_eq!(told("running 1 test\nskipped: no rights\n", true), "skipped, no rights");
        assert_eq!(told("skipped: no rights\n", false), "the test disk failed");
    }
}
