//! A scorer of `../shared/eval`, run on one corpus. Its last line holds the figures.

use super::results::{State, TaskResult};
use super::task::{Kind, Task};
use super::{Setup, floors};
use crate::shell;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds a call of the program may take in a quick run; a whole one leaves it to the scorer.
const QUICK_CALL_SECONDS: &str = "60";

/// Scores the program on the corpus of a task that a scorer runs, or on the part of it that is for
/// quick runs.
pub fn score(task: &Task, setup: &Setup) -> Result<TaskResult, String> {
    if let Some(missing) = missing_verb(&setup.program, task.verbs) {
        return Ok(TaskResult::without_figures(
            task.name,
            State::NotBuilt(format!("no verb `{missing}`")),
        ));
    }
    let Some(script) = script() else {
        let why = "no ../shared/eval beside the repository".to_owned();
        return Ok(TaskResult::without_figures(task.name, State::Skipped(why)));
    };
    let kept = setup
        .out
        .join(format!("{}.json", floors::section_of(task.name, setup.quick)));
    let mut command = command(task, &script, &setup.program, &kept, setup)?;
    let (text, status) = shell::echo(&mut command)?;
    if !status.success() {
        let why = format!("the scorer failed: {}", shell::ending(&status));
        return Ok(TaskResult::without_figures(task.name, State::Failed(why)));
    }
    let crashes = crashes(&std::fs::read_to_string(&kept).unwrap_or_default())?;
    let state = match crashes.first() {
        Some(first) => State::Failed(format!("{} calls crashed or had no end, first {first}", crashes.len())),
        None => State::Measured,
    };
    Ok(TaskResult {
        figures: figures(scorer_of(task)?, &text),
        ..TaskResult::without_figures(task.name, state)
    })
}

/// The scorers, where they lie beside the repository.
pub fn script() -> Option<PathBuf> {
    let script = shell::shared_folder()?.join("eval/score");
    script.is_file().then_some(script)
}

/// The scorer that runs a task.
fn scorer_of(task: &Task) -> Result<&'static str, String> {
    match task.kind {
        Kind::Scorer { scorer, .. } => Ok(scorer),
        _ => Err(format!("no scorer runs {}", task.name)),
    }
}

/// The call that scores a program on the corpus of a task and writes all results to `out`.
pub fn command(task: &Task, script: &Path, program: &Path, out: &Path, setup: &Setup) -> Result<Command, String> {
    let mut command = Command::new(script);
    command.arg(scorer_of(task)?).arg("--bin").arg(program);
    if let Kind::Scorer { corpus, quick_only, .. } = task.kind {
        command
            .arg("--data")
            .arg(setup.corpora.join(corpus))
            .arg("--out")
            .arg(out);
        if setup.quick {
            command.args(["--limit-s", QUICK_CALL_SECONDS]);
            command.args(quick_only.map(|only| ["--only", only]).into_iter().flatten());
        }
    }
    Ok(command)
}

/// The first of `verbs` that the program does not have: its help of a verb it has says something
/// and exits 0.
pub fn missing_verb<'a>(program: &Path, verbs: &[&'a str]) -> Option<&'a str> {
    let has =
        |verb: &str| shell::output_of(Command::new(program).args([verb, "--help"])).is_ok_and(|help| !help.is_empty());
    verbs.iter().find(|verb| !has(verb)).copied()
}

/// The troubles in the scorer's results that tell of a crash or of a call without end. Its terminal
/// output shows the first twenty only.
fn crashes(results: &str) -> Result<Vec<String>, String> {
    let results: Value = serde_json::from_str(results).map_err(|error| format!("the scorer's results: {error}"))?;
    let troubles = results
        .get("troubles")
        .and_then(Value::as_array)
        .cloned()
        .unwrap_or_default();
    let word = |trouble: &Value, key: &str| trouble.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let pairs = troubles
        .iter()
        .map(|trouble| (word(trouble, "item"), word(trouble, "what")));
    Ok(pairs
        .filter(|(_, what)| is_crash(what))
        .map(|(item, what)| format!("{item}: {what}"))
        .collect())
}

/// Is the trouble, `VERB: WHAT`, a crash or a call without end? The ends that the program's
/// contract knows (3: in part, 4: drift, 1: an error it explains) are left to the figures.
fn is_crash(trouble: &str) -> bool {
    let what = trouble.split_once(": ").map_or("", |(_, what)| what);
    let is_timeout = what.starts_with("over ") && what.ends_with(" s");
    is_timeout
        || ["exit 101", "exit -", "cannot run"]
            .iter()
            .any(|end| what.starts_with(end))
}

/// The `figure=number` pairs of the last line, which begins with the scorer's name.
fn figures(scorer: &str, text: &str) -> Vec<(String, f64)> {
    let last = text
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let Some(pairs) = last.strip_prefix(scorer) else {
        return Vec::new();
    };
    let pair = |word: &str| {
        let (name, value) = word.split_once('=')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    pairs.split_whitespace().filter_map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_holds_the_figures() {
        let text = "page  f1\na  0.5\n\nlists F1=0.486 perfect=- pages=96 F*=1.000 troubles=0\n";
        let found = figures("lists", text);
        let expected = [("F1", 0.486), ("pages", 96.0), ("F*", 1.0), ("troubles", 0.0)];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)));
        assert_eq!(figures("cells", text), []);
    }

    #[test]
    fn crashes_are_told_from_contract() {
        assert!(is_crash("infer: exit 101: thread panicked"));
        assert!(is_crash("infer: exit -11: no message"));
        assert!(is_crash("infer: over 60 s"));
        assert!(is_crash("infer: cannot run: no such file"));
        assert!(!is_crash("extract: exit 4: drift"));
        assert!(!is_crash("extract: exit 1: cannot read a.htm"));
        assert!(!is_crash("extract: no line for 3 of 9 pages"));
    }

    #[test]
    fn every_crash_in_the_results_is_found() {
        let trouble = |what: &str| format!("{{\"item\": \"a\", \"what\": \"{what}\"}}");
        let drifts = vec![trouble("extract: exit 4: drift"); 30].join(",");
        let results = format!("{{\"troubles\": [{drifts}, {}]}}", trouble("infer: exit 101: x"));
        assert_eq!(crashes(&results), Ok(vec!["a: infer: exit 101: x".to_owned()]));
        assert_eq!(crashes("{}"), Ok(Vec::new()));
        assert!(crashes("").is_err());
    }
}
