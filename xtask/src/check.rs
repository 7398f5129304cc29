//! `cargo xtask check`: everything a change must pass, step by step.
//!
//! A failed step does not stop the next one, so that one run shows all there is to mend. The last
//! step compares the tree with what it was at the start: a run that changes files has found
//! something stale.

use crate::bench::peers;
use crate::{axe, corpora, eval, shell, table, tidy, wheel};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

/// How a step ended; the text says why.
enum Outcome {
    Passed,
    /// Passed, and a part of it could not be done here.
    InPart(String),
    Failed(String),
    Skipped(String),
}

/// With the one feature that is off by default, which nothing else compiles.
const CLIPPY: [&str; 8] = [
    "clippy",
    "--workspace",
    "--all-targets",
    "--features",
    "untemplate-store/s3",
    "--",
    "-D",
    "warnings",
];

/// What the steps share.
struct Surroundings {
    corpora: Result<PathBuf, String>,
    tree_before: Option<TreeState>,
}

struct Step {
    name: &'static str,
    run: fn(&Surroundings) -> Outcome,
}

/// In the order of their cost; the clean tree last, since it judges all the others.
const STEPS: [Step; 11] = [
    Step {
        name: "fmt",
        run: |_| cargo_step(&["fmt", "--all", "--check"]),
    },
    Step {
        name: "clippy",
        run: |_| cargo_step(&CLIPPY),
    },
    Step {
        name: "tests",
        run: tests,
    },
    Step {
        name: "doctests",
        run: |_| cargo_step(&["test", "--workspace", "--doc"]),
    },
    Step {
        name: "docs",
        run: docs,
    },
    Step {
        name: "tidy",
        run: |_| judge(tidy::run(&[]), "see the findings above"),
    },
    Step {
        name: "package",
        run: package,
    },
    Step {
        name: "suites",
        run: suites,
    },
    Step {
        name: "corpora",
        run: corpus_sample,
    },
    Step {
        name: "python",
        run: python,
    },
    Step {
        name: "clean-tree",
        run: clean_tree,
    },
];

/// Runs the named steps, or all; true when none failed.
pub fn run(names: &[String]) -> Result<bool, String> {
    let known = |name: &String| STEPS.iter().any(|step| step.name == name);
    if let Some(name) = names.iter().find(|name| !known(name)) {
        let all: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        return Err(format!("check has no step `{name}`; steps: {}", all.join(", ")));
    }
    let surroundings = Surroundings {
        tree_before: tree_state(),
        corpora: corpora::unpacked(),
    };
    let mut rows = vec![["step", "result", "seconds", "why"].map(str::to_owned).to_vec()];
    let mut counts = [0; 3];
    for step in STEPS
        .iter()
        .filter(|step| names.is_empty() || names.iter().any(|name| name == step.name))
    {
        println!("== {}", step.name);
        let started = Instant::now();
        let outcome = (step.run)(&surroundings);
        let seconds = format!("{:.1}", started.elapsed().as_secs_f64());
        let (index, result, why) = match outcome {
            Outcome::Passed => (0, "passed", String::new()),
            Outcome::InPart(why) => (0, "passed", why),
            Outcome::Failed(why) => (1, "failed", why),
            Outcome::Skipped(why) => (2, "skipped", why),
        };
        println!("== {}: {result} in {seconds} s", step.name);
        counts[index] += 1;
        rows.push(vec![step.name.to_owned(), result.to_owned(), seconds, why]);
    }
    print!("\n{}", table::render(&rows));
    println!(
        "check: {} passed, {} failed, {} skipped",
        counts[0], counts[1], counts[2]
    );
    Ok(counts[1] == 0)
}

fn cargo_step(arguments: &[&str]) -> Outcome {
    outcome_of(shell::run(&mut shell::cargo(arguments)))
}

fn outcome_of(result: Result<(), String>) -> Outcome {
    result.map_or_else(Outcome::Failed, |()| Outcome::Passed)
}

fn judge(result: Result<bool, String>, why: &str) -> Outcome {
    match result {
        Ok(true) => Outcome::Passed,
        Ok(false) => Outcome::Failed(why.to_owned()),
        Err(why) => Outcome::Failed(why),
    }
}

/// All tests but doctests, by cargo nextest where it is installed.
fn tests(surroundings: &Surroundings) -> Outcome {
    let nextest = shell::is_there(&mut shell::cargo(["nextest"]));
    let mut command = match nextest {
        true => shell::cargo(["nextest", "run", "--workspace", "--no-fail-fast", "--no-tests=pass"]),
        // Not `--all-targets`: that would run the benchmarks too.
        false => shell::cargo([
            "test",
            "--workspace",
            "--no-fail-fast",
            "--lib",
            "--bins",
            "--tests",
            "--examples",
        ]),
    };
    if let Ok(corpora) = &surroundings.corpora {
        command
            .env("UNTEMPLATE_SUITES", corpora.join("suites"))
            .env("UNTEMPLATE_CORPORA", corpora);
    }
    match peers::prepare(&["pyarrow", "duckdb"]) {
        Ok(peers) => {
            command.env("UNTEMPLATE_PYTHON", peers.python());
        }
        Err(why) => println!("check: Parquet files are not shown to other readers: {why}"),
    }
    let mut left_out = Vec::new();
    match axe::prepare() {
        Ok(file) => {
            command.env("UNTEMPLATE_AXE", file);
        }
        Err(why) => left_out.push(format!("axe-core is not asked: {why}")),
    }
    let skipped = shell::target_folder().join("skipped-tests.txt");
    // What an earlier run could not do is no matter of this one.
    let _ = std::fs::remove_file(&skipped);
    match shell::run(command.env("UNTEMPLATE_SKIPPED", &skipped)) {
        Ok(()) => {
            left_out.extend(skipped_tests(&std::fs::read_to_string(&skipped).unwrap_or_default()));
            match left_out.is_empty() {
                true => Outcome::Passed,
                false => Outcome::InPart(left_out.join("; ")),
            }
        }
        Err(why) => Outcome::Failed(why),
    }
}

/// How many tests were skipped, by reason; `None` when none was. A line has the reason and the
/// test, with a tab between.
fn skipped_tests(list: &str) -> Option<String> {
    let mut tests: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (why, test) in list.lines().filter_map(|line| line.split_once('\t')) {
        tests.entry(why).or_default().insert(test);
    }
    let told = tests
        .iter()
        .map(|(why, tests)| format!("{} skipped: {why}", tests.len()));
    (!tests.is_empty()).then(|| told.collect::<Vec<_>>().join("; "))
}

fn docs(_: &Surroundings) -> Outcome {
    let mut command = shell::cargo(["doc", "--workspace", "--no-deps"]);
    outcome_of(shell::run(command.env("RUSTDOCFLAGS", "-D warnings")))
}

/// Every crate could be published: its manifest says all that is needed, and all that it includes
/// is in its folder. Building from the packages would compile everything once more and is left out.
fn package(_: &Surroundings) -> Outcome {
    cargo_step(&[
        "package",
        "--workspace",
        "--exclude",
        "xtask",
        // Published as a wheel.
        "--exclude",
        "untemplate-python",
        "--no-verify",
        "--allow-dirty",
        "--quiet",
    ])
}

/// The public conformance suites, against their floors.
fn suites(surroundings: &Surroundings) -> Outcome {
    match &surroundings.corpora {
        Ok(corpora) => evaluated(eval::check_suites(corpora)),
        Err(why) => Outcome::Skipped(why.clone()),
    }
}

/// A part of each corpus, scored with the program as the tests built it.
fn corpus_sample(surroundings: &Surroundings) -> Outcome {
    match &surroundings.corpora {
        Ok(corpora) => evaluated(eval::check_sample(corpora)),
        Err(why) => Outcome::Skipped(why.clone()),
    }
}

fn evaluated(result: Result<eval::Verdict, String>) -> Outcome {
    match result {
        Ok(eval::Verdict::Passed) => Outcome::Passed,
        Ok(eval::Verdict::Nothing) => Outcome::Skipped("nothing of it is built yet".to_owned()),
        Ok(eval::Verdict::Failed) => Outcome::Failed("see its table above".to_owned()),
        Err(why) => Outcome::Failed(why),
    }
}

/// The Python package, built and tested where it can be.
fn python(_: &Surroundings) -> Outcome {
    match wheel::check() {
        Ok(Ok(())) => Outcome::Passed,
        Ok(Err(why)) => Outcome::Skipped(why),
        Err(why) => Outcome::Failed(why),
    }
}

/// What git says has changed, and a fingerprint of these files' contents.
#[derive(PartialEq)]
struct TreeState {
    status: String,
    contents: u64,
}

/// `None` outside a git repository.
fn tree_state() -> Option<TreeState> {
    let root = shell::workspace_root();
    let mut git = Command::new("git");
    git.args(["status", "--porcelain", "-z", "--untracked-files=all"])
        .current_dir(&root);
    let status = shell::output_of(&mut git).ok()?;
    let mut hasher = DefaultHasher::new();
    for entry in status.split('\0') {
        // An entry is two letters, a blank and the path; one without a file is hashed as empty.
        let path = entry.get(3..).unwrap_or_default();
        std::fs::read(root.join(path)).unwrap_or_default().hash(&mut hasher);
    }
    Some(TreeState {
        status: status.replace('\0', "\n"),
        contents: hasher.finish(),
    })
}

/// The run itself changed no file; under `CI=true` the tree is as committed, too.
fn clean_tree(surroundings: &Surroundings) -> Outcome {
    let (Some(before), Some(after)) = (&surroundings.tree_before, &tree_state()) else {
        return Outcome::Skipped("not a git repository".to_owned());
    };
    if before != after {
        println!("before:\n{}after:\n{}", before.status, after.status);
        return Outcome::Failed("the run changed files: commit what it wrote, or stop it from writing".to_owned());
    }
    if std::env::var("CI").is_ok_and(|value| value == "true") && !after.status.is_empty() {
        println!("{}", after.status);
        return Outcome::Failed("under CI the tree must be as committed".to_owned());
    }
    Outcome::Passed
}

#[cfg(test)]
mod tests {
    use super::skipped_tests;

    #[test]
    fn skipped_tests_are_counted_by_reason() {
        assert_eq!(skipped_tests(""), None);
        let list = "no Chromium\ta\nno Chromium\tb\nno Chromium\tb\nno root\tc\n";
        assert_eq!(
            skipped_tests(list).as_deref(),
            Some("2 skipped: no Chromium; 1 skipped: no root")
        );
    }
}
