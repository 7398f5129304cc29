//! `cargo xtask bench wrapper`: inference, and extraction against parsing alone and against parsel
//! with hand-written XPaths.
//!
//! Ours runs in `cargo bench -p untemplate --bench wrapper -- FOLDER [SITE]…`; it makes pages of a
//! shop, leaves those to extract in FOLDER, and measures some sites of `swde-dev` where the corpora
//! are. parsel reads the same made pages, and takes the same fields by XPath. All is CPU time of
//! one thread in one run; ratios are held against the bars, and no time ever fails the command.

use super::peers;
use crate::{corpora, shell, table};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Takes the fields of the made pages with parsel, three times, and prints the best as a JSON line.
const SCRIPT: &str = include_str!("parsel.py");

/// Sites of `swde-dev` that are measured, at most.
const SITES_MAX: usize = 8;

/// Measures and prints; false only when there was nothing to measure.
pub fn run() -> Result<bool, String> {
    let folder = shell::target_folder().join("bench/wrapper");
    let mut ours = shell::cargo([
        "bench",
        "--quiet",
        "--package",
        "untemplate",
        "--bench",
        "wrapper",
        "--",
    ]);
    ours.arg(&folder).args(sites());
    let text = shell::output_of(&mut ours)?;
    let rows: Vec<Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    print!("{}", report(&rows));
    let parsel = peers::prepare(&["parsel"]).and_then(|peers| {
        let mut command = Command::new(peers.python());
        shell::output_of(command.arg("-c").arg(SCRIPT).arg(&folder))
    });
    match (parsel, rows.first()) {
        (Ok(text), Some(made)) => print!("{}", against_parsel(made, &text)),
        (Err(why), _) => println!("x parsel: not measured ({why})"),
        _ => {}
    }
    Ok(!rows.is_empty())
}

/// Folders of pages of one class, spread over the corpus; none without it.
fn sites() -> Vec<PathBuf> {
    let Ok(unpacked) = corpora::unpacked() else {
        return Vec::new();
    };
    let folders = |folder: PathBuf| -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
        found.sort();
        found
    };
    let verticals = folders(unpacked.join("swde-dev"));
    let all: Vec<PathBuf> = verticals
        .into_iter()
        .filter(|folder| !folder.ends_with("groundtruth"))
        .flat_map(folders)
        .collect();
    corpora::spread(&all, SITES_MAX)
}

fn number(row: &Value, key: &str) -> f64 {
    row[key].as_f64().unwrap_or(f64::NAN)
}

fn report(rows: &[Value]) -> String {
    let heads = ["site", "tokens", "pages", "MB", "infer ms", "extract MB/s", "x parsing"];
    let mut cells = vec![heads.map(str::to_owned).to_vec()];
    for row in rows {
        let megabytes = number(row, "bytes") / 1e6;
        cells.push(vec![
            row["site"].as_str().unwrap_or_default().to_owned(),
            row["tokens"].to_string(),
            row["pages"].to_string(),
            format!("{megabytes:.1}"),
            format!("{:.1}", 1000.0 * number(row, "infer")),
            format!("{:.1}", megabytes / number(row, "extract")),
            format!("{:.2}", number(row, "parse") / number(row, "extract")),
        ]);
    }
    let slowest = rows
        .iter()
        .map(|row| number(row, "infer") / number(row, "tokens"))
        .fold(0.0, f64::max);
    let ratios: f64 = rows
        .iter()
        .map(|row| (number(row, "parse") / number(row, "extract")).ln())
        .sum();
    let mean = (ratios / rows.len().max(1) as f64).exp();
    format!(
        "{}infer: at most {:.1} ms for ten pages of 2,000 tokens (bar 50.0)\nx parsing: {mean:.2} as geometric mean (bar 0.7)\n",
        table::render(&cells),
        2000.0 * 1000.0 * slowest,
    )
}

fn against_parsel(made: &Value, text: &str) -> String {
    let Some(seconds) = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok()?["seconds"].as_f64())
        .next()
    else {
        return "x parsel: not measured\n".to_owned();
    };
    format!(
        "x parsel: {:.1} on the made pages (bar 5.0)\n",
        seconds / number(made, "extract")
    )
}
