//! The round trip: a database is poured through templates into a site, `rebuild` pours it back, and
//! both databases are compared.
//!
//! In: the demo site in each skin, in two sizes, from a seed that is always the same and from one
//! that nobody has seen before. Out: what was recovered, what is right and what was invented, as
//! defined in `eval/README.md`, and what it cost. The whole story of each run is kept under
//! `target/eval/roundtrip`.

mod count;
mod extra;
mod pairing;
mod plan;
mod program;
mod rebuilt;
mod score;
mod shown;
#[cfg(test)]
mod tests;
mod value;

use super::results::{State, TaskResult};
use super::task::{Task, WILD_ENDING};
use super::{Setup, scorer};
use crate::{shell, table};
pub use program::{Run, measured, summary_figure};
pub use rebuilt::{RebuiltDatabase, read_rebuilt};
use score::Score;
use shown::{Prose, ShownDatabase, read_shown};
use std::path::{Path, PathBuf};
use std::process::Command;
pub use value::address;

/// The address that the demo site's files stand for.
const ADDRESS: &str = "http://cup.example/";

/// The seed whose figures have floors.
const KNOWN_SEED: u64 = 1;

/// Players of a site of some 300 pages, and of one of some 20,000.
const SIZES: [u32; 2] = [142, 11_940];

const SKINS: [&str; 4] = ["modern", "tables", "plain", WILD];
const SKINS_QUICK: [&str; 3] = ["modern", "tables", WILD];

/// The skin whose figures have floors of their own, since it is harder than the others.
const WILD: &str = "wild";

/// One trip to make.
struct Trip {
    skin: &'static str,
    players: u32,
    seed: u64,
}

/// A trip that was made.
struct Made {
    trip: Trip,
    score: Score,
    pages: usize,
    downloads: f64,
    cpu_seconds: f64,
    memory_mb: f64,
}

/// Makes all trips.
pub fn score(task: &Task, setup: &Setup) -> Result<TaskResult, String> {
    if let Some(missing) = scorer::missing_verb(&setup.program, task.verbs) {
        let state = State::NotBuilt(format!("no verb `{missing}`"));
        return Ok(TaskResult::without_figures(task.name, state));
    }
    let mut made = Vec::new();
    let mut failures = Vec::new();
    for trip in trips(setup) {
        let folder = setup.out.join("roundtrip");
        let name = format!("{}-{}-{}", trip.skin, trip.players, trip.seed);
        match make(trip, setup, &folder, &name) {
            Ok(trip) => {
                println!("  {name}: {}", trip.score.line());
                made.push(trip);
            }
            Err(why) => {
                println!("  {name}: {why}");
                failures.push(format!("{name}: {why}"));
            }
        }
    }
    print!("\n{}", table::render(&rows(&made)));
    let state = failures
        .first()
        .map_or(State::Measured, |why| State::Failed(why.clone()));
    Ok(TaskResult {
        figures: figures(&made),
        ..TaskResult::without_figures(task.name, state)
    })
}

fn trips(setup: &Setup) -> Vec<Trip> {
    let mut trips = Vec::new();
    let only = |skin: &&str| setup.only.as_deref().is_none_or(|only| only == *skin);
    if setup.quick {
        let skins = SKINS_QUICK.iter().filter(|skin| only(skin));
        trips.extend(skins.map(|skin| Trip {
            skin,
            players: SIZES[0],
            seed: KNOWN_SEED,
        }));
        return trips;
    }
    for players in SIZES {
        for seed in [KNOWN_SEED, setup.seed.unwrap_or_else(unseen_seed)] {
            let skins = SKINS.iter().filter(|skin| only(skin));
            trips.extend(skins.map(|skin| Trip { skin, players, seed }));
        }
    }
    trips
}

/// A seed that nothing was tuned on: the name of the last commit, which is new with every change.
fn unseen_seed() -> u64 {
    let mut git = Command::new("git");
    git.args(["rev-parse", "HEAD"]).current_dir(shell::workspace_root());
    let commit = shell::output_of(&mut git).unwrap_or_default();
    u64::from_str_radix(commit.get(..8).unwrap_or_default(), 16).unwrap_or(2)
}

fn make(trip: Trip, setup: &Setup, folder: &Path, name: &str) -> Result<Made, String> {
    let work = folder.join(name);
    let _ = std::fs::remove_dir_all(&work);
    std::fs::create_dir_all(&work).map_err(|error| format!("cannot make {}: {error}", work.display()))?;
    let site = write_site(&trip, setup, &work)?;
    let summary = work.join("summary.json");
    let mut command = Command::new(&setup.program);
    command.arg("rebuild").arg(ADDRESS);
    command
        .arg("--mirror")
        .arg(format!("{ADDRESS}={}", site.join("site").display()));
    command.args(["--format", "sqlite", "-o"]).arg(work.join("out"));
    command.arg("--summary").arg(&summary);
    let run = measured(&mut command, &work.join("rebuild.log"))?;
    if run.code != Some(0) {
        return Err(format!("rebuild ended with {:?}: {}", run.code, run.said));
    }
    let unreadable = |error: rusqlite::Error| format!("cannot compare: {error}");
    let rebuilt = read_rebuilt(&work.join("out/tables.sqlite")).map_err(unreadable)?;
    let (shown, score) = best_reading(&site.join("truth.sqlite"), trip.skin, &rebuilt).map_err(unreadable)?;
    let story = folder.join(format!("{name}.txt"));
    std::fs::write(&story, &score.story).map_err(|error| format!("cannot write {}: {error}", story.display()))?;
    // A site of 20,000 pages is too much to leave behind.
    if trip.players == SIZES[1] {
        let _ = std::fs::remove_dir_all(&site);
    }
    Ok(Made {
        pages: shown.n_pages,
        downloads: summary_figure(&summary, "downloads").unwrap_or(f64::NAN),
        cpu_seconds: run.cpu_seconds,
        memory_mb: run.memory_mb,
        score,
        trip,
    })
}

/// The truth in the reading that the program chose, whole texts or paragraphs, and the score by
/// that: more of its cells are found.
fn best_reading(truth: &Path, skin: &str, rebuilt: &RebuiltDatabase) -> rusqlite::Result<(ShownDatabase, Score)> {
    let read = |prose: Prose| -> rusqlite::Result<_> {
        let shown = read_shown(truth, skin != "plain", prose)?;
        let score = score::score(&shown, rebuilt);
        Ok((shown, score))
    };
    let (rows, whole) = (read(Prose::Rows)?, read(Prose::Whole)?);
    let is_whole = whole.1.cells.part > rows.1.cells.part;
    Ok(if is_whole { whole } else { rows })
}

fn write_site(trip: &Trip, setup: &Setup, work: &Path) -> Result<PathBuf, String> {
    let site = work.join("site");
    let mut command = Command::new(&setup.program);
    command.arg("demo").arg("--write").arg(&site);
    command.args(["--skin", trip.skin]);
    command.args(["--players", &trip.players.to_string(), "--seed", &trip.seed.to_string()]);
    shell::output_of(&mut command)?;
    Ok(site)
}

fn rows(made: &[Made]) -> Vec<Vec<String>> {
    let heads = [
        "skin",
        "pages",
        "seed",
        "tables",
        "columns",
        "cells",
        "correct",
        "types",
        "keys",
        "foreign keys",
        "invented",
        "repeated",
        "downloads",
        "pages/CPU s",
        "MB",
    ];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    for made in made {
        let score = &made.score;
        let own = [
            made.trip.skin.to_owned(),
            made.pages.to_string(),
            made.trip.seed.to_string(),
            format!("{} +{}", score.tables, score.tables_invented),
            score.columns.to_string(),
            format!("{:.4}", score.cells.share()),
            format!("{:.4}", score.correct.share()),
            score.types.to_string(),
            score.keys.to_string(),
            format!("{} +{}", score.references, score.references_invented),
            score.invented.to_string(),
            score.repeated.to_string(),
            format!("{:.3}", made.downloads / made.pages as f64),
            format!("{:.0}", made.pages as f64 / made.cpu_seconds),
            format!("{:.0}", made.memory_mb),
        ];
        rows.push(own.to_vec());
    }
    rows
}

/// The worst figure over the trips: with floors for the known seed, without for the other; those of
/// the wild skin apart.
fn figures(made: &[Made]) -> Vec<(String, f64)> {
    let mut figures = Vec::new();
    let groups = [
        ("", true, false),
        (WILD_ENDING, true, true),
        ("_unseen", false, false),
        ("_wild_unseen", false, true),
    ];
    for (ending, is_known, is_wild) in groups {
        let is_own = |trip: &Trip| (trip.seed == KNOWN_SEED) == is_known && (trip.skin == WILD) == is_wild;
        let own: Vec<&Made> = made.iter().filter(|made| is_own(&made.trip)).collect();
        if own.is_empty() {
            continue;
        }
        let mut least = |name: &str, figure: &dyn Fn(&Made) -> f64| {
            let value = own.iter().map(|made| figure(made)).fold(f64::INFINITY, f64::min);
            figures.push((format!("{name}{ending}"), (value * 1000.0).floor() / 1000.0));
        };
        least("tables", &|made| made.score.tables.share());
        least("columns", &|made| made.score.columns.share());
        least("cells", &|made| made.score.cells.share());
        least("correct", &|made| made.score.correct.share());
        least("types", &|made| made.score.types.share());
        least("keys", &|made| made.score.keys.share());
        least("foreign_keys", &|made| made.score.references.share());
        let mut most = |name: &str, figure: &dyn Fn(&Made) -> f64| {
            let value = own.iter().map(|made| figure(made)).fold(0.0, f64::max);
            figures.push((format!("{name}{ending}"), (value * 1000.0).ceil() / 1000.0));
        };
        most("invented", &|made| made.score.invented.share());
        most("repeated", &|made| made.score.repeated.share());
        most("downloads_a_page", &|made| made.downloads / made.pages as f64);
    }
    figures
}
