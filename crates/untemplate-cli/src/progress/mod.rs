//! Progress of a run on standard error: one line that changes on a terminal, a line now and then
//! elsewhere.
//!
//! Two things are known: what an algorithm found so far, from the events of its site, and how
//! fetching goes. Where there are events the line says what was found; a crawl without an algorithm
//! says how many of the known requests are done.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use untemplate::page::Event;
use untemplate_crawl::{Progress, Wait, now};
use untemplate_store::{Figures, UnixMillis};
use url::Url;

/// How often a line is written where lines stay, and where one line changes.
const LINES: Duration = Duration::from_secs(10);
const REDRAW: Duration = Duration::from_millis(100);

/// Whether the line that changes is on the terminal now.
static IS_SHOWN: AtomicBool = AtomicBool::new(false);

/// Removes the line that changes, so that something else can be written.
pub fn clear_progress() {
    if IS_SHOWN.swap(false, Ordering::Relaxed) {
        let _ = write!(stderr(), "\r\x1b[K");
    }
}

/// The progress of a run.
pub struct ProgressLine {
    is_quiet: bool,
    is_terminal: bool,
    written: Instant,
    found: Option<Found>,
    /// Until when each host is waited for, as it was last said.
    waits: BTreeMap<String, UnixMillis>,
}

/// What an algorithm found so far.
#[derive(Default)]
struct Found {
    n_found: usize,
    estimate: usize,
    promising: Option<Url>,
}

impl ProgressLine {
    /// Progress that nobody is told of if it is to be quiet.
    pub fn new(is_quiet: bool) -> Self {
        Self {
            is_quiet,
            is_terminal: stderr().is_terminal(),
            written: Instant::now(),
            found: None,
            waits: BTreeMap::new(),
        }
    }

    /// Takes an event of a site, with what was asked of its sources.
    pub fn note(&mut self, event: &Event, figures: &Figures) {
        let found = self.found.get_or_insert_default();
        match event {
            Event::Found(n_found) => found.n_found = *n_found,
            Event::Estimated(estimate) => found.estimate = *estimate,
            Event::Promising(url) => found.promising = Some(url.clone()),
            Event::Skipped(..) => {}
        }
        let line = found.line(figures.downloads as u64);
        self.write(&line);
    }

    /// Takes how far fetching is.
    pub fn fetched(&mut self, progress: &Progress) {
        if self.wait(progress) {
            return;
        }
        let line = match &self.found {
            Some(found) => found.line(progress.stored),
            None => line(progress),
        };
        self.write(&line);
    }

    /// Says for whom and how long it waits: on a terminal all the time, elsewhere when that is news. Whether there was
    /// anything to say.
    fn wait(&mut self, progress: &Progress) -> bool {
        let long = |wait: &&Wait| wait.until.since(now()) > WAIT_TOLD_MS;
        if self.is_terminal {
            let Some(wait) = progress.waits.first() else {
                return false;
            };
            self.write(&wait_line(wait));
            return true;
        }
        for wait in progress.waits.iter().filter(long) {
            let told = self.waits.insert(wait.host.clone(), wait.until);
            if told != Some(wait.until) && !self.is_quiet {
                let _ = writeln!(stderr(), "untemplate: {}", wait_line(wait));
            }
        }
        !progress.waits.is_empty()
    }

    /// Writes a line, unless one was written just now.
    fn write(&mut self, line: &str) {
        let pause = if self.is_terminal { REDRAW } else { LINES };
        if self.is_quiet || self.written.elapsed() < pause {
            return;
        }
        self.written = Instant::now();
        let _ = if self.is_terminal {
            IS_SHOWN.store(true, Ordering::Relaxed);
            write!(stderr(), "\r\x1b[K{line}")
        } else {
            writeln!(stderr(), "untemplate: {line}")
        };
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        clear_progress();
    }
}

impl Found {
    /// Found, the estimated total, downloads, the page that promises most.
    fn line(&self, downloads: u64) -> String {
        let mut line = format!("{} found", self.n_found);
        if self.estimate > self.n_found {
            line.push_str(&format!(" of about {}", self.estimate));
        }
        line.push_str(&format!(", {downloads} downloads"));
        if let Some(url) = &self.promising {
            line.push_str(&format!(", best index so far {url}"));
        }
        line
    }
}

/// Shorter pauses are not worth a line that stays.
const WAIT_TOLD_MS: i64 = 1_500;

/// For whom it waits, why, and how long.
fn wait_line(wait: &Wait) -> String {
    let seconds = (wait.until.since(now()).max(0) as f64 / 1_000.0).ceil();
    format!(
        "{} {}; next try in {}; Ctrl-C stops",
        wait.host,
        wait.what,
        span(seconds)
    )
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
    fn one_line_says_what_was_found_and_fetched() {
        let mut progress = ProgressLine::new(true);
        progress.note(&Event::Found(12), &Figures::default());
        progress.note(&Event::Estimated(40), &Figures::default());
        let found = progress.found.as_ref().expect("events were noted");
        assert_eq!(found.line(30), "12 found of about 40, 30 downloads");
    }

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
