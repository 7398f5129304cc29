//! `cargo xtask bench crawl`: the demo site on loopback, politeness off, against Scrapy and wget in
//! the same run.
//!
//! Ours fetches, parses every page for its links and tag paths, and keeps it in an archive, with
//! the frontier and every page synced to the disk; Scrapy fetches, parses and writes an item of
//! each page; wget fetches, finds links and writes files. The sides take turns, and the best round
//! of each counts. Then ours alone crawls a site ten times as large, for its memory. Figures of
//! different machines say nothing of each other; the ratios of one run do. No figure ever fails the
//! command.

use super::peers::Peers;
use crate::{shell, table};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Pages of the site that all crawl, and of the one for memory.
const PAGES: u64 = 5_000;
const PAGES_OF_LARGE: u64 = 50_000;

/// The demo site has some 17 pages for 10 players.
const PAGES_OF_TEN_PLAYERS: u64 = 17;

/// Rounds of each side.
const ROUNDS: usize = 2;

/// What ours should reach.
const PER_CPU_SECOND_MIN: f64 = 1_500.0;
const RATIO_MIN: f64 = 10.0;
const MEMORY_MB_MAX: f64 = 200.0;

/// How long the demo site may take to start.
const START_LIMIT: Duration = Duration::from_secs(60);

const SCRIPT: &str = include_str!("crawl.py");

/// One round of one side.
#[derive(Clone, Copy)]
struct Round {
    n_pages: u64,
    seconds: f64,
    cpu_seconds: f64,
    memory_mb: f64,
}

impl Round {
    fn pages_per_cpu_second(&self) -> f64 {
        self.n_pages as f64 / self.cpu_seconds.max(1e-9)
    }
}

/// Who crawls.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Ours,
    Scrapy,
    Wget,
}

const SIDES: [(Side, &str); 3] = [
    (Side::Ours, "untemplate"),
    (Side::Scrapy, "scrapy"),
    (Side::Wget, "wget"),
];

/// Measures and prints; false only when ours could not be measured.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    let (n_pages, n_large) = parse(arguments)?;
    let mut build = shell::cargo(["build", "--release", "--package", "untemplate-cli"]);
    shell::run(&mut build).map_err(|why| format!("the program does not build: {why}"))?;
    let bench = Bench {
        program: shell::target_folder().join("release/untemplate"),
        python: super::peers::prepare(&["scrapy"]),
        folder: shell::target_folder().join("bench/crawl"),
    };
    if let Err(why) = &bench.python {
        println!("bench: {why}");
    }
    let mut best: [Option<Round>; SIDES.len()] = [None; SIDES.len()];
    let site = bench.serve(n_pages)?;
    for round in 1..=ROUNDS {
        for (index, (side, name)) in SIDES.into_iter().enumerate() {
            match bench.measure(side, &site.address) {
                Ok(measured) => {
                    println!("round {round} of {ROUNDS}: {name}, {}", sentence(&measured));
                    let is_better = |known: Round| measured.cpu_seconds < known.cpu_seconds;
                    if best[index].is_none_or(is_better) {
                        best[index] = Some(measured);
                    }
                }
                Err(why) => println!("bench: {name}: {why}"),
            }
        }
    }
    drop(site);
    print!("\n{}", report(&best));
    let large = match n_large {
        0 => None,
        n_large => {
            let site = bench.serve(n_large)?;
            let large = bench.measure(Side::Ours, &site.address)?;
            println!(
                "large site: {} (bar {MEMORY_MB_MAX} MB: {})",
                sentence(&large),
                reached(large.memory_mb <= MEMORY_MB_MAX)
            );
            Some(large)
        }
    };
    keep(&best, large, &bench.folder.join("crawl.json"))?;
    Ok(best[0].is_some())
}

fn parse(arguments: &[String]) -> Result<(u64, u64), String> {
    let usage = "usage: cargo xtask bench crawl [--pages N] [--large N]";
    let (mut n_pages, mut n_large) = (PAGES, PAGES_OF_LARGE);
    let mut options = arguments.iter();
    while let Some(option) = options.next() {
        let number = options.next().and_then(|value| value.parse().ok()).ok_or(usage)?;
        match option.as_str() {
            "--pages" => n_pages = number,
            "--large" => n_large = number,
            _ => return Err(usage.to_owned()),
        }
    }
    Ok((n_pages, n_large))
}

struct Bench {
    program: PathBuf,
    python: Result<Peers, String>,
    folder: PathBuf,
}

/// The demo site while it is served.
struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may be gone by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Bench {
    fn serve(&self, n_pages: u64) -> Result<Served, String> {
        empty(&self.folder)?;
        let file = self.folder.join("address");
        let players = (n_pages * 10 / PAGES_OF_TEN_PLAYERS).max(15).to_string();
        let child = Command::new(&self.program)
            .args(["demo", "--serve", "--players", &players, "-q", "-o"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("the demo site does not start: {error}"))?;
        let mut served = Served {
            child,
            address: String::new(),
        };
        let begun = Instant::now();
        while begun.elapsed() < START_LIMIT {
            served.address = std::fs::read_to_string(&file).unwrap_or_default().trim().to_owned();
            if !served.address.is_empty() {
                return Ok(served);
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err("the demo site does not start".to_owned())
    }

    fn measure(&self, side: Side, address: &str) -> Result<Round, String> {
        let python = self.python.as_ref().map_err(Clone::clone)?.python();
        let out = self.folder.join("out");
        empty(&out)?;
        let mut command = Command::new(python);
        command.args(["-c", SCRIPT, "measure"]).current_dir(&out);
        match side {
            Side::Ours => {
                command
                    .arg(&self.program)
                    .args(["archive", address, "--archive", "kept"]);
                command.args(["--delay", "0", "--no-robots", "--exclude", "/calendar/", "-q"]);
                command.args(["--summary", "figures.json"]);
            }
            Side::Scrapy => {
                command
                    .arg(python)
                    .args(["-c", SCRIPT, "scrapy", address, "items.jsonl"]);
            }
            Side::Wget => {
                command.args(["wget", "-q", "-r", "-l", "inf", "-nH", "-e", "robots=off"]);
                command.args(["--reject-regex", "/calendar/", "-P", "pages", address]);
            }
        }
        let told: Value = serde_json::from_str(&shell::output_of(&mut command)?).map_err(|error| error.to_string())?;
        let figure = |name: &str| told[name].as_f64().ok_or(format!("no {name} in {told}"));
        let n_pages = count(side, &out).filter(|count| *count > 0);
        Ok(Round {
            n_pages: n_pages.ok_or(format!("it fetched nothing and ended with code {}", told["code"]))?,
            seconds: figure("seconds")?,
            cpu_seconds: figure("cpu_seconds")?,
            memory_mb: figure("memory_kb")? / 1_024.0,
        })
    }
}

/// How many pages a side fetched.
fn count(side: Side, out: &Path) -> Option<u64> {
    match side {
        Side::Ours => {
            let text = std::fs::read_to_string(out.join("figures.json")).ok()?;
            serde_json::from_str::<Value>(&text).ok()?["pages"].as_u64()
        }
        Side::Scrapy => {
            let text = std::fs::read_to_string(out.join("items.jsonl")).ok()?;
            Some(text.lines().count() as u64)
        }
        Side::Wget => Some(files(&out.join("pages"))),
    }
}

fn files(folder: &Path) -> u64 {
    let (mut folders, mut n_files) = (vec![folder.to_path_buf()], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => n_files += 1,
            }
        }
    }
    n_files
}

fn empty(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        std::fs::remove_dir_all(folder).map_err(|error| format!("cannot empty {}: {error}", folder.display()))?;
    }
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

fn sentence(round: &Round) -> String {
    format!(
        "{} pages in {:.1} s and {:.2} CPU s, {:.0} a CPU second, {:.0} MB",
        round.n_pages,
        round.seconds,
        round.cpu_seconds,
        round.pages_per_cpu_second(),
        round.memory_mb
    )
}

fn reached(is_reached: bool) -> &'static str {
    if is_reached { "reached" } else { "not reached" }
}

fn report(best: &[Option<Round>; SIDES.len()]) -> String {
    let heads = ["crawler", "pages", "pages/s", "pages/CPU s", "memory MB", "ours/its"];
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    let ours = best[0];
    for (round, (_, name)) in best.iter().zip(SIDES) {
        let Some(round) = round else { continue };
        let ratio = ours.map_or(0.0, |ours| ours.pages_per_cpu_second() / round.pages_per_cpu_second());
        rows.push(vec![
            name.to_owned(),
            round.n_pages.to_string(),
            format!("{:.0}", round.n_pages as f64 / round.seconds.max(1e-9)),
            format!("{:.0}", round.pages_per_cpu_second()),
            format!("{:.0}", round.memory_mb),
            format!("{ratio:.1}"),
        ]);
    }
    let mut text = format!("best round of each\n{}", table::render(&rows));
    if let Some(ours) = ours {
        let speed = ours.pages_per_cpu_second();
        text += &format!(
            "pages a CPU second: {speed:.0} (bar {PER_CPU_SECOND_MIN:.0}: {})\n",
            reached(speed >= PER_CPU_SECOND_MIN)
        );
        if let Some(scrapy) = best[1] {
            let ratio = speed / scrapy.pages_per_cpu_second();
            text += &format!(
                "x scrapy: {ratio:.1} (bar {RATIO_MIN:.0}: {})\n",
                reached(ratio >= RATIO_MIN)
            );
        }
    }
    text
}

fn keep(best: &[Option<Round>; SIDES.len()], large: Option<Round>, file: &Path) -> Result<(), String> {
    let value = |name: &str, round: &Round| {
        serde_json::json!({"crawler": name, "pages": round.n_pages, "seconds": round.seconds,
            "cpu_seconds": round.cpu_seconds, "memory_mb": round.memory_mb})
    };
    let rounds = best.iter().zip(SIDES);
    let mut all: Vec<Value> = rounds
        .filter_map(|(round, (_, name))| Some(value(name, &(*round)?)))
        .collect();
    all.extend(large.map(|large| value("untemplate, large site", &large)));
    std::fs::write(file, format!("{:#}\n", Value::Array(all)))
        .map_err(|error| format!("cannot write {}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn ratios_meet_their_bars() {
        let round = |cpu_seconds: f64| Round {
            n_pages: 5_000,
            seconds: 2.0 * cpu_seconds,
            cpu_seconds,
            memory_mb: 30.0,
        };
        expect![[r#"
            best round of each
            crawler     pages  pages/s  pages/CPU s  memory MB  ours/its
            untemplate   5000     1250         2500         30       1.0
            scrapy       5000       62          125         30      20.0
            wget         5000     2500         5000         30       0.5
            pages a CPU second: 2500 (bar 1500: reached)
            x scrapy: 20.0 (bar 10: reached)
        "#]]
        .assert_eq(&report(&[Some(round(2.0)), Some(round(40.0)), Some(round(1.0))]));
    }
}
