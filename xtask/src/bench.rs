//! `cargo xtask bench parse`: bytes to page schema, against the parsers people use today.
//! `bench crawl` is in `crawl`.
//!
//! Ours and html5ever with rcdom run in
//! `cargo bench -p untemplate -p untemplate-html --bench parse -- LIST`; lxml and selectolax in
//! `bench/peers.py`, in a virtual environment under `target/bench-venv`. Both read the same list of
//! pages, one path a line, go over it once, and print for each parser a JSON line
//! `{"parser": …, "corpus": …, "pages": N, "bytes": N, "seconds": S}` with the CPU time of one
//! thread. The two sides take turns, and the best round of each parser counts. Times say nothing
//! across machines, so what is printed against the bars are ratios within one run; no time ever
//! fails the command.

mod crawl;
pub mod peers;
mod rebuild;
mod records;
mod sample;
mod scale;
mod speeds;
mod studio;
mod workers;
mod wrapper;

use crate::{corpora, shell};
use sample::Sample;
use speeds::Speeds;
use std::path::PathBuf;
use std::process::Command;

/// Corpora to measure on: detail pages, result pages, whole sites, old pages, and a large
/// application's.
const CORPORA: [&str; 5] = ["swde-dev", "estuka-dev", "sites", "zhao1", "so"];

/// Rounds of each side. Three tell noise from speed, and keep the command below three minutes.
const ROUNDS: usize = 3;

struct Request {
    folders: Vec<PathBuf>,
    pages_max: usize,
}

/// Measures and prints; false only when there was nothing to measure.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    match arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) {
        Some(("crawl", options)) => return crawl::run(options),
        Some(("wrapper", [])) => return wrapper::run(),
        Some(("records", [])) => return records::run(),
        Some(("studio", [])) => return studio::run(),
        Some(("rebuild", options)) => return rebuild::run(options),
        Some(("scale", options)) => return scale::run(options),
        Some(("workers", [])) => return workers::run(),
        _ => {}
    }
    let request = parse(arguments)?;
    let out = shell::target_folder().join("bench");
    std::fs::create_dir_all(&out).map_err(|error| format!("cannot make {}: {error}", out.display()))?;
    let samples = sample::take(&request.folders, request.pages_max, &out)?;
    let ours = build_ours();
    let peers = peers::prepare(&peers::PARSERS);
    for missing in [ours.as_ref().err(), peers.as_ref().err()].into_iter().flatten() {
        println!("bench: {missing}");
    }
    let mut speeds = Speeds::default();
    for round in 1..=ROUNDS {
        for sample in &samples {
            println!("round {round} of {ROUNDS}: {}, {} pages", sample.corpus, sample.n_pages);
            let sides = [
                ours.as_ref().ok().map(|()| our_side(sample)),
                peers.as_ref().ok().map(|peers| peers.side(sample)),
            ];
            for mut side in sides.into_iter().flatten() {
                match shell::output_of(&mut side) {
                    Ok(text) => speeds.add(&sample.corpus, &text, round == 1),
                    Err(why) => println!("bench: {}: {why}", sample.corpus),
                }
            }
        }
    }
    print!("\n{}", speeds.report());
    speeds.keep(&out.join("parse.json"))?;
    Ok(!speeds.is_empty())
}

fn parse(arguments: &[String]) -> Result<Request, String> {
    let usage = "usage: cargo xtask bench parse [--corpus DIR]… [--pages N], or bench crawl, bench rebuild, bench records, bench scale, bench studio, bench workers or bench wrapper";
    let Some(("parse", options)) = arguments.split_first().map(|(first, rest)| (first.as_str(), rest)) else {
        return Err(usage.to_owned());
    };
    let mut request = Request {
        folders: Vec::new(),
        pages_max: usize::MAX,
    };
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let value = options.next().ok_or(usage)?;
        match option.as_str() {
            "--corpus" => request.folders.push(value.into()),
            "--pages" => request.pages_max = value.parse().map_err(|_| format!("--pages: `{value}` is no number"))?,
            _ => return Err(usage.to_owned()),
        }
    }
    if request.folders.is_empty() {
        let unpacked = corpora::unpacked().map_err(|why| format!("{why}; name a folder of pages with --corpus"))?;
        request.folders = CORPORA.map(|name| unpacked.join(name)).to_vec();
    }
    Ok(request)
}

/// Bytes to page schema, and the parser alone with html5ever beside it.
const OUR_BENCHMARKS: [&str; 6] = [
    "--package",
    "untemplate",
    "--package",
    "untemplate-html",
    "--bench",
    "parse",
];

/// Builds our side once, so that no round pays for it.
fn build_ours() -> Result<(), String> {
    let mut build = shell::cargo(["bench"]);
    build.args(OUR_BENCHMARKS).arg("--no-run");
    shell::run(&mut build).map_err(|why| format!("our side does not build ({why}): it is left out"))
}

fn our_side(sample: &Sample) -> Command {
    let mut command = shell::cargo(["bench", "--quiet"]);
    command.args(OUR_BENCHMARKS).arg("--").arg(&sample.list);
    command
}
