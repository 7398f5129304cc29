//! Telling how far a crawl is: one line that changes on a terminal, a line now and then elsewhere.

use std::io::{IsTerminal, Write};

use untemplate_crawl::Progress;

/// How often a line is written where lines stay.
const LINES_MS: i64 = 10_000;

/// Tells how far a crawl is.
pub struct Teller {
    is_quiet: bool,
    is_terminal: bool,
    told_ms: i64,
    has_told: bool,
}

impl Teller {
    /// A teller that says nothing if it is to be quiet.
    pub fn new(is_quiet: bool) -> Self {
        Self {
            is_quiet,
            is_terminal: std::io::stderr().is_terminal(),
            told_ms: 0,
            has_told: false,
        }
    }

    /// Tells, unless it did just now.
    pub fn tell(&mut self, progress: &Progress) {
        if self.is_quiet || !self.is_terminal && progress.elapsed_ms - self.told_ms < LINES_MS {
            return;
        }
        (self.told_ms, self.has_told) = (progress.elapsed_ms, true);
        let mut stderr = std::io::stderr();
        let line = line(progress);
        let _ = if self.is_terminal {
            write!(stderr, "\r\x1b[K{line}")
        } else {
            writeln!(stderr, "untemplate: {line}")
        };
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        if self.is_terminal && self.has_told {
            let _ = writeln!(std::io::stderr());
        }
    }
}

/// Done, known, the estimated total, the rate, what waits, errors, the time left.
fn line(progress: &Progress) -> String {
    let seconds = (progress.elapsed_ms.max(1)) as f64 / 1_000.0;
    let rate = progress.stored as f64 / seconds;
    let known = progress.done + progress.to_do + progress.failed + progress.skipped;
    let mut line = format!("{} of {known} known", progress.done);
    match progress.estimated {
        Some(estimated) if estimated > known => line.push_str(&format!(", about {estimated} in all")),
        Some(_) => {}
        None => line.push_str(", more to be found"),
    }
    line.push_str(&format!(", {rate:.1} a second, {} wait", progress.to_do));
    let left = progress
        .estimated
        .map(|estimated| estimated.saturating_sub(known) + progress.to_do);
    if let Some(left) = left.filter(|left| *left > 0 && rate > 0.0) {
        line.push_str(&format!(", {} to go", span(left as f64 / rate)));
    }
    let errors: Vec<String> = progress
        .errors
        .iter()
        .map(|(status, count)| format!("{count} x {status}"))
        .collect();
    if !errors.is_empty() {
        line.push_str(&format!(", errors: {}", errors.join(", ")));
    }
    if progress.failed + progress.skipped > 0 {
        line.push_str(&format!(", {} failed, {} left out", progress.failed, progress.skipped));
    }
    line
}

/// A time as a person says it.
pub fn span(seconds: f64) -> String {
    match seconds {
        seconds if seconds < 120.0 => format!("{seconds:.0} s"),
        seconds if seconds < 7_200.0 => format!("{:.0} min", seconds / 60.0),
        seconds if seconds < 172_800.0 => format!("{:.0} h", seconds / 3_600.0),
        seconds => format!("{:.0} days", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_and_how_long() {
        let mut progress = Progress {
            done: 40,
            to_do: 60,
            stored: 40,
            elapsed_ms: 40_000,
            ..Progress::default()
        };
        assert_eq!(
            line(&progress),
            "40 of 100 known, more to be found, 1.0 a second, 60 wait"
        );
        progress.estimated = Some(220);
        progress.errors.insert(404, 3);
        (progress.failed, progress.skipped) = (1, 2);
        assert_eq!(
            line(&progress),
            "40 of 103 known, about 220 in all, 1.0 a second, 60 wait, 3 min to go, errors: 3 x 404, 1 failed, 2 left out"
        );
    }
}
