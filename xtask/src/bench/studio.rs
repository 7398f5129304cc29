//! `cargo xtask bench studio`: how soon the studio shows a page of a megabyte, and answers a click
//! on a page of 200,000 links, in a real Chromium.
//!
//! The pages, the clicks and the clock are those of the test program `studio_speed` of the program,
//! here in a release build and with nothing beside it. Each figure is held against its bar, and no
//! time ever fails the command.

use std::process::Stdio;

use crate::shell;

/// What begins a line with a figure.
const SIGN: &str = "studio: ";

/// The most milliseconds for what a line is about, by a part of its words.
const BARS: [(&str, f64); 2] = [("first paint of a page", 200.0), ("a click on a page", 1_000.0)];

/// Measures and prints; false only when there was nothing to measure.
pub fn run() -> Result<bool, String> {
    let test = [
        "test",
        "--release",
        "--package",
        "untemplate-cli",
        "--test",
        "studio_speed",
    ];
    shell::run(shell::cargo(test).arg("--no-run")).map_err(|why| format!("the program does not build: {why}"))?;
    let mut measure = shell::cargo(test);
    measure
        .args(["--quiet", "--", "--nocapture", "--test-threads", "1"])
        .stdin(Stdio::null());
    let output = measure
        .output()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("a large page was not shown, or a click not answered:\n{said}"));
    }
    let mut is_any = false;
    for line in said.lines().filter_map(|line| line.strip_prefix(SIGN)) {
        is_any = true;
        println!("{line}{}", verdict(line));
    }
    if !is_any {
        println!("bench: nothing was measured, since there is no Chromium; ./check sets one up");
    }
    Ok(is_any)
}

/// How the best turn stands to its bar.
fn verdict(line: &str) -> String {
    let best = line.rsplit_once(": ").and_then(|(_, times)| {
        let times = times.trim_end_matches(" ms").split(", ");
        times.filter_map(|time| time.parse::<f64>().ok()).reduce(f64::min)
    });
    let bar = BARS.iter().find(|(what, _)| line.contains(what));
    match (best, bar) {
        (Some(best), Some((_, most))) if best <= *most => format!("; within the bar of {most} ms"),
        (Some(_), Some((_, most))) => format!("; over the bar of {most} ms"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_turn_is_held_against_its_bar() {
        let check = |line: &str, expected: &str| assert_eq!(verdict(line), expected);
        check(
            "first paint of a page of 1 MB: 320, 180 ms",
            "; within the bar of 200 ms",
        );
        check(
            "a click on a page of 200,000 links: 1900, 1100 ms",
            "; over the bar of 1000 ms",
        );
        check("first paint of the studio: 20 ms", "");
    }
}
