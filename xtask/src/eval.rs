//! `cargo xtask eval`: scores on the development corpora, held by floors that only rise.
//!
//! The scorers and corpora lie beside the repository, in `../shared`; where they are absent
//! everything is skipped. A task whose verbs the program does not have yet is listed as not built
//! yet: it neither passes nor fails. Full results stay under `target/eval`.

mod drift;
mod floors;
mod fuzz;
mod mirrors;
mod mutations;
mod pages;
mod results;
mod roundtrip;
mod scorer;
mod suites;
mod sweep;
mod task;
mod trial;

use crate::{corpora, shell};
use floors::Floors;
pub use mirrors::{Mirror, read_mirrors};
use results::{State, TaskResult};
pub use roundtrip::{Run, measured, summary_figure};
use std::path::{Path, PathBuf};
use std::time::Instant;
use sweep::Sweep;
use task::{Kind, TASKS, Task};

/// What the check makes of an evaluation.
pub enum Verdict {
    Passed,
    Failed,
    /// Nothing could be measured yet.
    Nothing,
}

/// Kills and restarts of `kill --archive postgresql` where nobody says how many.
const SHARED_KILLS: [u64; 2] = [20, 2];

/// What is asked for.
struct Request {
    tasks: Vec<&'static Task>,
    raise: bool,
    quick: bool,
    fuzz_seconds: u64,
    seed: Option<u64>,
    only: Option<String>,
    shared_kills: [u64; 2],
    sweeps: Vec<Sweep>,
}

/// What the tasks need.
pub struct Setup {
    /// The program under test.
    pub program: PathBuf,
    pub corpora: PathBuf,
    /// Where results go.
    pub out: PathBuf,
    pub quick: bool,
    pub fuzz_seconds: u64,
    /// The seed that round trips have not seen before, where one is given.
    pub seed: Option<u64>,
    /// The skin or site that round trips and mirrors are kept to.
    pub only: Option<String>,
    /// Kills of workers and restarts of the server that they share.
    pub shared_kills: [u64; 2],
    /// Build profile of test runs: `true` for release.
    pub release: bool,
}

/// Runs the tasks named in `arguments`; true when no figure fell below its floor.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    let request = parse(arguments)?;
    let corpora = match corpora::unpacked() {
        Ok(corpora) => corpora,
        Err(why) => return without_corpora(&request, &why),
    };
    if request.tasks.iter().any(|task| !task.verbs.is_empty()) {
        build(&["build", "--release", "--package", "untemplate-cli"])?;
    }
    let setup = setup(&corpora, &request, true)?;
    if !request.sweeps.is_empty() {
        return request.tasks.iter().try_fold(true, |is_good, task| {
            Ok(sweep::run(&request.sweeps, task, &setup)? && is_good)
        });
    }
    let results = run_tasks(&request.tasks, &setup)?;
    settle(&results, &setup, request.raise).map(|counts| counts.failed == 0)
}

/// The conformance suites as the check runs them: with the test programs that are built already.
pub fn check_suites(corpora: &Path) -> Result<Verdict, String> {
    let tasks = TASKS.iter().filter(|task| matches!(task.kind, Kind::Suites)).collect();
    verdict(
        Request {
            tasks,
            raise: false,
            quick: false,
            fuzz_seconds: 0,
            seed: None,
            only: None,
            shared_kills: SHARED_KILLS,
            sweeps: Vec::new(),
        },
        corpora,
    )
}

/// A part of each corpus as the check runs it: with the program in the profile of the tests.
pub fn check_sample(corpora: &Path) -> Result<Verdict, String> {
    build(&["build", "--workspace", "--bins"])?;
    let tasks = TASKS
        .iter()
        .filter(|task| matches!(task.kind, Kind::Scorer { .. } | Kind::Pages | Kind::Roundtrip))
        .collect();
    verdict(
        Request {
            tasks,
            raise: false,
            quick: true,
            fuzz_seconds: 0,
            seed: None,
            only: None,
            shared_kills: SHARED_KILLS,
            sweeps: Vec::new(),
        },
        corpora,
    )
}

fn verdict(request: Request, corpora: &Path) -> Result<Verdict, String> {
    let setup = setup(corpora, &request, false)?;
    let results = run_tasks(&request.tasks, &setup)?;
    let counts = settle(&results, &setup, false)?;
    Ok(match (counts.failed, counts.passed) {
        (0, 0) => Verdict::Nothing,
        (0, _) => Verdict::Passed,
        _ => Verdict::Failed,
    })
}

fn build(arguments: &[&str]) -> Result<(), String> {
    shell::run(&mut shell::cargo(arguments)).map_err(|why| format!("the program does not build: {why}"))
}

fn setup(corpora: &Path, request: &Request, release: bool) -> Result<Setup, String> {
    let out = shell::target_folder().join("eval");
    std::fs::create_dir_all(&out).map_err(|error| format!("cannot make {}: {error}", out.display()))?;
    let profile = if release { "release" } else { "debug" };
    let program = shell::target_folder().join(profile).join("untemplate");
    let (quick, fuzz_seconds) = (request.quick, request.fuzz_seconds);
    Ok(Setup {
        program,
        corpora: corpora.to_path_buf(),
        out,
        quick,
        fuzz_seconds,
        seed: request.seed,
        only: request.only.clone(),
        shared_kills: request.shared_kills,
        release,
    })
}

fn parse(arguments: &[String]) -> Result<Request, String> {
    let mut request = Request {
        tasks: Vec::new(),
        raise: false,
        quick: false,
        fuzz_seconds: 600,
        seed: None,
        only: None,
        shared_kills: SHARED_KILLS,
        sweeps: Vec::new(),
    };
    let mut is_shared = false;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--raise" => request.raise = true,
            "--quick" => request.quick = true,
            "--seconds" => {
                let seconds = rest.next().and_then(|value| value.parse().ok());
                request.fuzz_seconds = seconds.ok_or("--seconds needs a number")?;
            }
            "--seed" => {
                let seed = rest.next().and_then(|value| value.parse().ok());
                request.seed = Some(seed.ok_or("--seed needs a number")?);
            }
            "--archive" => match rest.next().map(String::as_str) {
                Some("postgresql") => is_shared = true,
                _ => return Err("--archive needs postgresql, the one archive that is shared".to_owned()),
            },
            "--kills" => request.shared_kills[0] = number_after(argument, rest.next())?,
            "--restarts" => request.shared_kills[1] = number_after(argument, rest.next())?,
            "--sweep" => request
                .sweeps
                .push(Sweep::parse(rest.next().ok_or("--sweep needs a number")?)?),
            "--only" => request.only = Some(rest.next().ok_or("--only needs a name")?.clone()),
            name => request.tasks.push(task::named(name)?),
        }
    }
    if is_shared {
        let kills = request.tasks.iter_mut().filter(|task| task.name == "kill");
        for kill in kills {
            *kill = task::named(task::SHARED_KILL)?;
        }
    }
    if let (true, Some(sweep)) = (request.tasks.is_empty(), request.sweeps.first()) {
        request.tasks.push(sweep.task()?);
    }
    if request.tasks.is_empty() {
        // What takes long, or mounts a disk, runs when it is named.
        request.tasks = TASKS.iter().filter(|task| !task.kind.is_by_name()).collect();
    }
    Ok(request)
}

fn number_after(option: &str, value: Option<&String>) -> Result<u64, String> {
    let number = value.and_then(|value| value.parse().ok());
    number.ok_or_else(|| format!("{option} needs a number"))
}

/// Nothing can be scored: says so. What runs by name needs no corpus.
fn without_corpora(request: &Request, why: &str) -> Result<bool, String> {
    println!("eval: {why}: all that needs corpora is skipped");
    if request.tasks.iter().any(|task| matches!(task.kind, Kind::Roundtrip)) {
        build(&["build", "--release", "--package", "untemplate-cli"])?;
    }
    let setup = setup(Path::new(""), request, true)?;
    let mut results = Vec::new();
    for task in &request.tasks {
        results.push(match task.kind {
            _ if task.kind.is_without_corpora() => run_task(task, &setup)?,
            _ => TaskResult::without_figures(task.name, State::Skipped(why.to_owned())),
        });
    }
    settle(&results, &setup, false).map(|counts| counts.failed == 0)
}

fn run_tasks(tasks: &[&Task], setup: &Setup) -> Result<Vec<TaskResult>, String> {
    tasks.iter().map(|task| run_task(task, setup)).collect()
}

fn run_task(task: &Task, setup: &Setup) -> Result<TaskResult, String> {
    println!("-- {}: {}", task.name, task.about);
    let started = Instant::now();
    let mut result = match &task.kind {
        Kind::Scorer { .. } => scorer::score(task, setup)?,
        Kind::Pages => pages::score(task, setup)?,
        Kind::Suites => suites::score(task, setup)?,
        Kind::Mirrors => mirrors::score(task, setup)?,
        Kind::Roundtrip => roundtrip::score(task, setup)?,
        Kind::Mutations => mutations::score(task, setup)?,
        Kind::Drift { tests } => drift::score(task, setup, tests)?,
        Kind::Fuzz => fuzz::run(task, setup)?,
        Kind::Trial { package, test, setting } => {
            let [kills, restarts] = setup.shared_kills;
            let shared = format!("{kills} {restarts}");
            let value: &str = if task.name == task::SHARED_KILL {
                &shared
            } else {
                setting.1
            };
            trial::run(task, [package, test], (setting.0, value))?
        }
    };
    result.seconds = started.elapsed().as_secs_f64();
    Ok(result)
}

/// Compares with the floors, raises them where asked, prints the table and keeps everything.
fn settle(results: &[TaskResult], setup: &Setup, raise: bool) -> Result<results::Counts, String> {
    let path = shell::workspace_root().join("eval/floors.toml");
    let mut floors = Floors::read(&path)?;
    let judged: Vec<_> = results
        .iter()
        .map(|result| results::judge(result, &floors, setup.quick))
        .collect();
    let counts = results::show(&judged);
    results::keep(&judged, &setup.out)?;
    if raise && floors.raise(&judged, setup.quick) {
        floors.write(&path)?;
        println!("eval: floors raised in eval/floors.toml");
    }
    Ok(counts)
}
