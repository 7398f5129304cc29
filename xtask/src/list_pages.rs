//! List pages with known records, and the library's examples that are run over them.

mod truth;

use std::io::Write;
use std::path::PathBuf;
use std::process::Stdio;

use serde_json::Value;

use crate::shell;
pub use truth::{TruePage, pages};

/// Runs an example of the library that reads the paths of pages, one a line; the lines of JSON that
/// it prints.
pub fn lines_of(example: &str, arguments: &[&str], pages: &[TruePage]) -> Result<Vec<Value>, String> {
    let cargo = [
        "run",
        "--release",
        "--quiet",
        "--package",
        "untemplate",
        "--example",
        example,
        "--",
    ];
    let mut child = shell::cargo(cargo)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let names: String = pages.iter().map(|page| format!("{}\n", page.file.display())).collect();
    // Written from another thread, so that neither side waits for the other for ever.
    let writer = std::thread::spawn(move || input.write_all(names.as_bytes()));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    writer
        .join()
        .map_err(|_| "the names could not be written")?
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    lines.map_err(|error| format!("the example printed no JSON: {error}"))
}

/// A list page whose records are found as they are, and what was measured on it after changes.
pub struct ChangedPage {
    /// The site it is from.
    pub site: String,
    /// Its file.
    pub file: PathBuf,
    /// What the example says of it.
    pub said: Value,
}

/// The pages whose records are all found, with what becomes of them after changes that have a text
/// in their names.
pub fn changed_pages(pages: Vec<TruePage>, only: &str) -> Result<Vec<ChangedPage>, String> {
    let pages: Vec<TruePage> = pages.into_iter().filter(TruePage::has_list).collect();
    let lines = lines_of("list_changes", &[only], &pages)?;
    let all = pages.into_iter().zip(lines);
    let right = all.filter(|(page, said)| page.rightness(said) > ALL_RIGHT);
    let changed = right.map(|(page, said)| ChangedPage {
        site: page.site,
        file: page.file,
        said,
    });
    Ok(changed.collect())
}

/// From this harmonic mean on, all records are right and nothing else is found.
pub const ALL_RIGHT: f64 = 0.999;
