//! `cargo xtask bench scale`: `rebuild` of the demo site from a WARC file, at 10,000 and 100,000
//! pages, or as many as are asked for: CPU seconds, pages a core second, and the most memory.
//!
//! Time should be linear in pages and memory stay below a gigabyte at a million. Files are below
//! `target/bench/scale` and are removed as soon as each size is measured: a million pages take some
//! 3 GB for the archive, and as much again while tables are made.

use crate::eval::{Run, measured};
use crate::{shell, table};
use std::path::Path;
use std::process::Command;

/// Sizes, where nobody says others.
const PAGES: [usize; 2] = [10_000, 100_000];

/// The most memory at any size.
const MEMORY_MB_MAX: f64 = 1_000.0;

const USAGE: &str = "usage: cargo xtask bench scale [PAGES]…";

/// Measures and prints; false when a run ended badly or took too much memory.
pub fn run(arguments: &[String]) -> Result<bool, String> {
    let sizes: Result<Vec<usize>, _> = arguments.iter().map(|text| text.parse()).collect();
    let mut sizes = sizes.map_err(|_| USAGE)?;
    if sizes.is_empty() {
        sizes = PAGES.to_vec();
    }
    let build = [
        "build",
        "--release",
        "--package",
        "untemplate-cli",
        "--package",
        "untemplate-demo",
    ];
    shell::run(shell::cargo(build).args(["--bins", "--example", "warc"]))?;
    let work = shell::target_folder().join("bench/scale");
    let mut rows = vec![
        ["pages", "exit", "CPU s", "pages a core s", "memory MB"]
            .map(str::to_owned)
            .to_vec(),
    ];
    let mut is_good = true;
    for pages in sizes {
        std::fs::create_dir_all(&work).map_err(|error| format!("cannot make {}: {error}", work.display()))?;
        let rebuilt = measure(pages, &work);
        let _ = std::fs::remove_dir_all(&work);
        let (pages, rebuilt) = rebuilt?;
        is_good &= rebuilt.code == Some(0) && rebuilt.memory_mb <= MEMORY_MB_MAX;
        rows.push(row(pages, &rebuilt));
        println!("{}", row(pages, &rebuilt).join("  "));
    }
    print!("\n{}", table::render(&rows));
    Ok(is_good)
}

/// How many pages there were, and what they cost.
fn measure(pages: usize, work: &Path) -> Result<(usize, Run), String> {
    let release = shell::target_folder().join("release");
    let archive = work.join("site.warc.gz");
    // The demo site has some 1.7 pages a player.
    let mut example = Command::new(release.join("examples/warc"));
    example.arg(&archive).arg((pages * 10).div_ceil(17).to_string());
    let told = shell::output_of(&mut example)?;
    let n_pages = told.split(' ').next().and_then(|number| number.parse().ok());
    let mut rebuild = Command::new(release.join("untemplate"));
    rebuild
        .args(["rebuild", "http://cup.example/", "-q", "--warc"])
        .arg(&archive);
    let run = measured(rebuild.arg("-o").arg(work.join("out")), &work.join("log"))?;
    Ok((n_pages.unwrap_or(pages), run))
}

fn row(pages: usize, run: &Run) -> Vec<String> {
    vec![
        pages.to_string(),
        run.code.map_or_else(|| "signal".to_owned(), |code| code.to_string()),
        format!("{:.1}", run.cpu_seconds),
        format!("{:.0}", pages as f64 / run.cpu_seconds.max(1e-9)),
        format!("{:.0}", run.memory_mb),
    ]
}
