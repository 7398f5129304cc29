//! Progress of a run on standard error: a bar on a terminal, a line every ten seconds elsewhere,
//! objects with `--log json`.
//!
//! Two things are known: what an algorithm found so far and in which phase it is, from the events
//! of its site, and how fetching goes. Where there are events the line says what was found; a crawl
//! without an algorithm says how many of the known requests are done.

mod console;
mod kept;
mod pace;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::json;
use untemplate::page::{Event, Phase};
use untemplate_crawl::{Progress, Wait, now};
use untemplate_store::{Figures, UnixMillis};
use url::Url;

use console::{BarLine, draw, has_bar};
pub use console::{clear_progress, is_json, set_log, suspended, write_event, write_message};
use kept::KeptProgress;
use pace::{Count, Pace};

/// How often a line is written where lines stay, where programs read them, and where a bar changes.
const LINES: Duration = Duration::from_secs(10);
const OBJECTS: Duration = Duration::from_secs(1);
const REDRAW: Duration = Duration::from_millis(100);

/// The progress of a run.
pub struct ProgressLine {
    is_quiet: bool,
    has_bar: bool,
    /// The pause between two requests, where the web is asked.
    delay: f64,
    written: Instant,
    found: Option<Found>,
    /// Answers that were stored, as fetching last told.
    stored: u64,
    pace: Pace,
    /// Until when each host is waited for, as it was last said.
    waits: BTreeMap<String, UnixMillis>,
    kept: KeptProgress,
}

/// What an algorithm found so far.
#[derive(Default)]
struct Found {
    phase: Option<Phase>,
    n_found: u64,
    estimate: u64,
    /// Pages that are asked for at most, 0 where nobody said.
    planned: u64,
    /// Pages that were asked for, from wherever they came.
    n_visited: u64,
    downloads: u64,
    /// What was stored when the events last told something.
    stored: u64,
    promising: Option<Url>,
}

/// How far a run is, for people and programs.
struct Status {
    name: &'static str,
    done: u64,
    estimate: Option<u64>,
    per_second: Option<f64>,
    seconds_left: Option<f64>,
    text: String,
}

impl ProgressLine {
    /// Progress that nobody is told of if it is to be quiet; `delay` is the pause in seconds
    /// between two requests, 0 where no web is asked.
    pub fn new(is_quiet: bool, delay: f64) -> Self {
        Self {
            is_quiet,
            has_bar: has_bar(),
            delay,
            written: Instant::now(),
            found: None,
            stored: 0,
            pace: Pace::default(),
            waits: BTreeMap::new(),
            kept: KeptProgress::wanted(),
        }
    }

    /// Takes an event of a site, with what was asked of its sources.
    pub fn note(&mut self, event: &Event, figures: &Figures) {
        let found = self.found.get_or_insert_default();
        match event {
            Event::Phase(phase) => {
                *found = Found {
                    phase: Some(*phase),
                    ..Found::default()
                };
                self.pace.clear();
            }
            Event::Found(n_found) => found.n_found = *n_found as u64,
            Event::Estimated(estimate) => found.estimate = *estimate as u64,
            Event::Planned(planned) => found.planned = *planned as u64,
            Event::Promising(url) => found.promising = Some(url.clone()),
            // They are counted.
            Event::Alike(_) => return,
        }
        found.downloads = figures.downloads as u64;
        found.n_visited = (figures.downloads + figures.reused) as u64;
        found.stored = self.stored;
        self.tell(matches!(event, Event::Phase(_)));
    }

    /// Takes how far fetching is.
    pub fn fetched(&mut self, progress: &Progress) {
        self.stored = progress.stored;
        if self.wait(progress) {
            return;
        }
        match &self.found {
            Some(_) => self.tell(false),
            None => self.write(&crawl_status(progress), false),
        }
    }

    /// Tells what was found.
    fn tell(&mut self, is_news: bool) {
        let Some(found) = &self.found else { return };
        let fetched = self.stored.saturating_sub(found.stored);
        let count = Count {
            done: found.counted(fetched),
            downloads: found.downloads + fetched,
        };
        self.pace.add(Instant::now(), count);
        let status = found.status(fetched, &self.pace, self.delay);
        self.write(&status, is_news);
    }

    /// Says for whom and how long it waits: on a terminal all the time, elsewhere when that is
    /// news. Whether there was anything to say.
    fn wait(&mut self, progress: &Progress) -> bool {
        let long = |wait: &&Wait| wait.until.since(now()) > WAIT_TOLD_MS;
        if self.has_bar {
            let Some(wait) = progress.waits.first() else {
                return false;
            };
            let status = Status {
                name: "waiting",
                done: 0,
                estimate: None,
                per_second: None,
                seconds_left: None,
                text: wait_line(wait),
            };
            self.write(&status, false);
            return true;
        }
        for wait in progress.waits.iter().filter(long) {
            let told = self.waits.insert(wait.host.clone(), wait.until);
            if told == Some(wait.until) || self.is_quiet {
                continue;
            }
            match is_json() {
                true => {
                    let seconds = wait.until.since(now()) as f64 / 1_000.0;
                    let more = json!({"host": wait.host, "why": wait.what, "seconds": seconds.ceil()});
                    write_event("waiting", &more);
                }
                false => write_message("waiting", &wait_line(wait)),
            }
        }
        !progress.waits.is_empty()
    }

    /// Writes how far it is, unless that was written just now and is no news.
    fn write(&mut self, status: &Status, is_news: bool) {
        self.kept.keep(
            is_news,
            || json!({"phase": status.name, "text": status.text, "done": status.done, "estimated": status.estimate}),
        );
        let is_news = is_news && (self.has_bar || is_json());
        let pause = match (self.has_bar, is_json()) {
            (true, _) => REDRAW,
            (false, true) => OBJECTS,
            (false, false) => LINES,
        };
        if self.is_quiet || (!is_news && self.written.elapsed() < pause) {
            return;
        }
        self.written = Instant::now();
        if self.has_bar {
            draw(&BarLine {
                name: status.name,
                share: status.estimate.map(|estimate| (status.done, estimate)),
                text: &status.text,
            });
        } else if is_json() {
            let more = json!({
                "phase": status.name,
                "done": status.done,
                "estimated": status.estimate,
                "per_second": status.per_second,
                "seconds_left": status.seconds_left.map(f64::ceil),
            });
            write_event("progress", &more);
        } else {
            write_message("progress", &format!("{}: {}", status.name, status.text));
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        clear_progress();
    }
}

impl Found {
    /// What the pace is of: the pages of a phase, those that were fetched since it was last told
    /// among them.
    fn counted(&self, fetched: u64) -> u64 {
        match self.phase {
            Some(Phase::Reading) => self.n_found + fetched,
            _ => self.n_visited + fetched,
        }
    }

    /// Found, the estimated total, the pace, the time to go.
    fn status(&self, fetched: u64, pace: &Pace, delay: f64) -> Status {
        let done = match self.phase {
            Some(Phase::Reading) => self.n_found + fetched,
            _ => self.n_found,
        };
        // Nobody knows how many classes there are, but how many pages are visited for them.
        let (done, estimate) = match self.planned {
            0 => (done, self.estimate),
            planned => (self.n_visited + fetched, planned),
        };
        let estimate = (estimate > 0).then_some(estimate.max(done));
        let rest = estimate.map_or(0, |estimate| estimate - done);
        let seconds_left = match self.phase {
            Some(Phase::Reading | Phase::Exploring) => pace.seconds_left(rest, delay),
            _ => None,
        };
        let mut status = Status {
            name: self.phase.map_or("working", Phase::name),
            done,
            estimate,
            per_second: pace.per_second(),
            seconds_left,
            text: String::new(),
        };
        status.text = self.text(&status, fetched);
        status
    }

    fn text(&self, status: &Status, fetched: u64) -> String {
        match self.phase {
            Some(Phase::Learning) => return "how pages are read".to_owned(),
            Some(Phase::Writing) => return "tables".to_owned(),
            _ => {}
        }
        let things = self.phase.and_then(Phase::things).unwrap_or(("found", "found"));
        let is_plan = self.planned > 0;
        let n_things = if is_plan { self.n_found } else { status.done };
        let word = if n_things == 1 { things.0 } else { things.1 };
        let total = status.estimate.filter(|&estimate| estimate > status.done);
        let mut text = match total.filter(|_| !is_plan) {
            Some(estimate) => format!("{n_things} of about {estimate} {}", things.1),
            None => format!("{n_things} {word}"),
        };
        let visited = self.n_visited + fetched;
        match (self.phase, total.filter(|_| is_plan)) {
            (Some(Phase::Reading), _) => {}
            (_, Some(planned)) => text.push_str(&format!(", {visited} of at most {planned} pages visited")),
            (_, None) if visited == 1 => text.push_str(", 1 page visited"),
            (_, None) => text.push_str(&format!(", {visited} pages visited")),
        }
        if let Some(rate) = status.per_second {
            text.push_str(&format!(", {rate:.1} pages a second"));
        }
        if let Some(seconds) = status.seconds_left {
            let most = if is_plan { "at most " } else { "" };
            text.push_str(&format!(", {most}{} to go", span(seconds)));
        }
        if let Some(url) = &self.promising {
            text.push_str(&format!(", best index so far {url}"));
        }
        text
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
fn crawl_status(progress: &Progress) -> Status {
    let seconds = (progress.elapsed_ms.max(1)) as f64 / 1_000.0;
    let rate = progress.stored as f64 / seconds;
    let known = progress.done + progress.to_do + progress.failed + progress.skipped;
    let mut text = format!("{} of {known} known", progress.done);
    match progress.estimated {
        Some(estimated) if estimated > known => text.push_str(&format!(", about {estimated} in all")),
        Some(_) => {}
        None => text.push_str(", more to be found"),
    }
    text.push_str(&format!(", {rate:.1} a second, {} wait", progress.to_do));
    let left = progress
        .estimated
        .map(|estimated| estimated.saturating_sub(known) + progress.to_do);
    let seconds_left = left
        .filter(|left| *left > 0 && rate > 0.0)
        .map(|left| left as f64 / rate);
    if let Some(seconds) = seconds_left {
        text.push_str(&format!(", {} to go", span(seconds)));
    }
    let errors: Vec<String> = progress
        .errors
        .iter()
        .map(|(status, count)| format!("{count} x {status}"))
        .collect();
    if !errors.is_empty() {
        text.push_str(&format!(", errors: {}", errors.join(", ")));
    }
    if progress.failed + progress.skipped > 0 {
        text.push_str(&format!(", {} failed, {} left out", progress.failed, progress.skipped));
    }
    Status {
        name: "crawling",
        done: progress.done,
        estimate: progress.estimated.map(|estimated| estimated.max(known)),
        per_second: Some(rate),
        seconds_left,
        text,
    }
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

    fn check(events: &[Event], visited: usize, expected: &str) {
        let mut progress = ProgressLine::new(true, 1.0);
        let figures = Figures {
            downloads: visited,
            ..Figures::default()
        };
        for event in events {
            progress.note(event, &figures);
        }
        let found = progress.found.as_ref().expect("events were noted");
        let status = found.status(2, &Pace::default(), 1.0);
        assert_eq!(format!("{}: {}", status.name, status.text), expected);
    }

    #[test]
    fn a_line_says_the_phase_and_what_was_found() {
        let found = |n_found: usize, estimate: usize| [Event::Found(n_found), Event::Estimated(estimate)];
        let events = |phase: Phase, n_found, estimate| [&[Event::Phase(phase)], &found(n_found, estimate)[..]].concat();
        check(&found(12, 40), 30, "working: 12 of about 40 found, 32 pages visited");
        check(
            &events(Phase::Exploring, 1, 0),
            30,
            "exploring: 1 page class, 32 pages visited",
        );
        let planned = [Event::Phase(Phase::Exploring), Event::Planned(100), Event::Found(3)];
        check(
            &planned,
            30,
            "exploring: 3 page classes, 32 of at most 100 pages visited",
        );
        check(&events(Phase::Reading, 30, 50), 30, "reading: 32 of about 50 pages");
        check(&events(Phase::Reading, 48, 50), 48, "reading: 50 pages");
        check(&events(Phase::Learning, 0, 0), 48, "learning: how pages are read");
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
            crawl_status(&progress).text,
            "40 of 100 known, more to be found, 1.0 a second, 60 wait"
        );
        progress.estimated = Some(220);
        progress.errors.insert(404, 3);
        (progress.failed, progress.skipped) = (1, 2);
        assert_eq!(
            crawl_status(&progress).text,
            "40 of 103 known, about 220 in all, 1.0 a second, 60 wait, 3 min to go, errors: 3 x 404, 1 failed, 2 left out"
        );
    }
}
