//! `cargo xtask bench records`: parsed pages to records, from a thousand nodes to two hundred
//! thousand, and on real result pages.
//!
//! The curve is that of `cargo bench -p untemplate --bench records`, on pages made up for it; the
//! corpora of result pages come after it, when they are there. Times say nothing across machines:
//! the column to read is the time a node, which should hardly rise.

use super::sample;
use crate::{corpora, shell};

/// Corpora of pages with lists: those of the early 2000s, and those of large sites.
const CORPORA: [&str; 2] = ["zhao1", "estuka-dev"];

/// Measures and prints.
pub fn run() -> Result<bool, String> {
    let out = shell::target_folder().join("bench");
    std::fs::create_dir_all(&out).map_err(|error| format!("cannot make {}: {error}", out.display()))?;
    let mut command = shell::cargo([
        "bench",
        "--quiet",
        "--package",
        "untemplate",
        "--bench",
        "records",
        "--",
    ]);
    match corpora::unpacked() {
        Ok(unpacked) => {
            let folders = CORPORA.map(|name| unpacked.join(name));
            for sample in sample::take(&folders, usize::MAX, &out)? {
                command.arg(&sample.list);
            }
        }
        Err(why) => println!("bench: {why}: the curve alone"),
    }
    shell::run(&mut command)?;
    Ok(true)
}
