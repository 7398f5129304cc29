//! Results of tasks: compared with their floors, shown as a table, kept as JSON.

use super::floors::{Floors, section_of};
use super::task;
use crate::table;
use serde_json::{Map, Value, json};
use std::path::Path;

/// How a task went.
#[derive(Clone)]
pub enum State {
    /// There are figures, or a test run that passed.
    Measured,
    /// It went wrong whatever the floors say.
    Failed(String),
    NotBuilt(String),
    Skipped(String),
}

/// What a task measured.
pub struct TaskResult {
    pub task: &'static str,
    pub state: State,
    /// In the order the task gave them.
    pub figures: Vec<(String, f64)>,
    pub seconds: f64,
}

impl TaskResult {
    /// A result that is only a state.
    pub fn without_figures(task: &'static str, state: State) -> TaskResult {
        TaskResult {
            task,
            state,
            figures: Vec::new(),
            seconds: 0.0,
        }
    }
}

/// A result beside its floors.
pub struct Judged<'a> {
    pub task: &'static str,
    pub state: State,
    pub figures: Vec<JudgedFigure<'a>>,
    pub seconds: f64,
}

/// One figure beside its floor.
pub struct JudgedFigure<'a> {
    pub name: &'a str,
    pub value: f64,
    pub floor: Option<f64>,
    /// Is it one that has, or should have, a floor?
    pub is_held: bool,
}

impl Judged<'_> {
    /// Was it measured, and nothing fell?
    pub fn is_measured(&self) -> bool {
        matches!(self.state, State::Measured)
    }

    /// Are there figures that should be held, none of which is?
    fn has_floors_to_come(&self) -> bool {
        let mut held = self.figures.iter().filter(|figure| figure.is_held).peekable();
        held.peek().is_some() && held.all(|figure| figure.floor.is_none())
    }
}

/// How many tasks went which way.
#[derive(Default)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub not_built: usize,
    pub skipped: usize,
}

/// Puts the figures beside their floors; a figure that fell, or went missing, fails the task.
pub fn judge<'a>(result: &'a TaskResult, floors: &Floors, quick: bool) -> Judged<'a> {
    let floors = floors.of(&section_of(result.task, quick));
    let floor_of = |name: &str| {
        floors
            .iter()
            .find(|(figure, _)| *figure == name)
            .map(|(_, floor)| *floor)
    };
    let wanted = task::named(result.task).map_or(&[][..], |task| task.figures);
    // Suites name their own figures, which all have floors.
    let is_held = |name: &str| wanted.contains(&name) || floor_of(name).is_some() || name.ends_with("_passed");
    let judged = |(name, value): &'a (String, f64)| JudgedFigure {
        name,
        value: *value,
        floor: floor_of(name),
        is_held: is_held(name),
    };
    let figures: Vec<_> = result.figures.iter().map(judged).collect();
    let fell = figures.iter().filter(|figure| {
        figure
            .floor
            .is_some_and(|floor| task::is_worse(figure.name, figure.value, floor))
    });
    let mut wrong: Vec<String> = fell.map(|figure| format!("{} became worse", figure.name)).collect();
    let missing = floors
        .iter()
        .filter(|(name, _)| result.figures.iter().all(|(figure, _)| figure != name));
    wrong.extend(missing.map(|(name, _)| format!("no {name}")));
    let state = match &result.state {
        State::Measured if !wrong.is_empty() => State::Failed(wrong.join(", ")),
        State::NotBuilt(why) if !floors.is_empty() => State::Failed(format!("{why}, and its floors say there was")),
        state => state.clone(),
    };
    Judged {
        task: result.task,
        state,
        figures,
        seconds: result.seconds,
    }
}

/// Prints the table and the closing line.
pub fn show(results: &[Judged<'_>]) -> Counts {
    let mut counts = Counts::default();
    let mut rows = vec![
        ["task", "figure", "value", "floor", "result"]
            .map(str::to_owned)
            .to_vec(),
    ];
    for result in results {
        let (count, said) = match &result.state {
            State::Measured if result.has_floors_to_come() => (&mut counts.passed, "passed, no floor yet".to_owned()),
            State::Measured => (&mut counts.passed, "passed".to_owned()),
            State::Failed(why) => (&mut counts.failed, format!("failed: {why}")),
            State::NotBuilt(why) => (&mut counts.not_built, format!("not built yet: {why}")),
            State::Skipped(why) => (&mut counts.skipped, format!("skipped: {why}")),
        };
        *count += 1;
        let mut held = result.figures.iter().filter(|figure| figure.is_held);
        let cells = |figure: &JudgedFigure<'_>| {
            let floor = figure.floor.map_or_else(|| "-".to_owned(), |floor| floor.to_string());
            [figure.name.to_owned(), figure.value.to_string(), floor]
        };
        let first = held.next().map_or_else(|| ["-"; 3].map(str::to_owned), cells);
        rows.push([vec![result.task.to_owned()], first.to_vec(), vec![said]].concat());
        rows.extend(held.map(|figure| [vec![String::new()], cells(figure).to_vec()].concat()));
    }
    print!("\n{}", table::render(&rows));
    let Counts {
        passed,
        failed,
        not_built,
        skipped,
    } = counts;
    println!("eval: {passed} passed, {failed} failed, {not_built} not built yet, {skipped} skipped");
    counts
}

/// Keeps all figures as `summary.json`, beside what the tasks themselves wrote.
pub fn keep(results: &[Judged<'_>], out: &Path) -> Result<(), String> {
    let one = |result: &Judged<'_>| {
        let (state, why) = match &result.state {
            State::Measured => ("passed", ""),
            State::Failed(why) => ("failed", why.as_str()),
            State::NotBuilt(why) => ("not built yet", why.as_str()),
            State::Skipped(why) => ("skipped", why.as_str()),
        };
        let figures: Map<String, Value> = result
            .figures
            .iter()
            .map(|figure| (figure.name.to_owned(), json!(figure.value)))
            .collect();
        json!({"task": result.task, "state": state, "why": why, "seconds": result.seconds, "figures": figures})
    };
    let all = Value::Array(results.iter().map(one).collect());
    write_json(&out.join("summary.json"), &all)
}

/// Writes a value for people and programs to read.
pub fn write_json(path: &Path, value: &Value) -> Result<(), String> {
    std::fs::write(path, format!("{value:#}\n")).map_err(|error| format!("cannot write {}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_judge(state: State, figures: &[(&str, f64)], floors: &str, expected: &str) {
        let figures = figures
            .iter()
            .map(|(name, value)| ((*name).to_owned(), *value))
            .collect();
        let result = TaskResult {
            figures,
            ..TaskResult::without_figures("model", state)
        };
        let floors = Floors::parse(floors).expect("the test's floors are well formed");
        let said = match judge(&result, &floors, false).state {
            State::Measured => "passed".to_owned(),
            State::Failed(why) => format!("failed: {why}"),
            State::NotBuilt(why) | State::Skipped(why) => why,
        };
        assert_eq!(said, expected);
    }

    #[test]
    fn figures_are_held_by_their_floors() {
        let floors = "[model]\n\"F*\" = 0.9\ndownloads = 100\n[model-quick]\npurity = 1\n";
        check_judge(State::Measured, &[("F*", 0.9), ("downloads", 100.0)], floors, "passed");
        check_judge(
            State::Measured,
            &[("F*", 0.8), ("downloads", 90.0)],
            floors,
            "failed: F* became worse",
        );
        check_judge(
            State::Measured,
            &[("F*", 0.9), ("downloads", 101.0)],
            floors,
            "failed: downloads became worse",
        );
        check_judge(State::Measured, &[("F*", 0.95)], floors, "failed: no downloads");
        check_judge(State::Measured, &[], "", "passed");
    }

    #[test]
    fn what_was_built_once_cannot_go_missing() {
        let state = || State::NotBuilt("no verb `model`".to_owned());
        check_judge(state(), &[], "", "no verb `model`");
        check_judge(
            state(),
            &[],
            "[model]\ndownloads = 1",
            "failed: no verb `model`, and its floors say there was",
        );
    }
}
