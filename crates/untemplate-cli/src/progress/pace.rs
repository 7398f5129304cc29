//! The pace of a run: how many of something come in a second, of late, and how long the rest takes.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// How far back the pace looks: long enough for a host that is asked every few seconds, short
/// enough to follow when the pages that an archive has are over and others must be fetched.
const WINDOW: Duration = Duration::from_secs(15);

/// Less time than this says nothing about the pace.
const LEAST: Duration = Duration::from_millis(400);

/// Counts of the last seconds.
#[derive(Debug, Default)]
pub struct Pace {
    counts: VecDeque<(Instant, Count)>,
}

/// How far a run is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Count {
    /// What was done.
    pub done: u64,
    /// What was asked of a page source for that.
    pub downloads: u64,
}

impl Pace {
    /// Takes how far it is.
    pub fn add(&mut self, at: Instant, count: Count) {
        self.counts.push_back((at, count));
        // One that is older than the window stays, so that a slow host has a pace.
        while self.counts.len() > 2 && at.duration_since(self.counts[1].0) > WINDOW {
            self.counts.pop_front();
        }
    }

    /// Forgets what was: something else is counted now.
    pub fn clear(&mut self) {
        self.counts.clear();
    }

    /// How many are done in a second; `None` when that is not known yet.
    pub fn per_second(&self) -> Option<f64> {
        let (done, _, seconds) = self.late()?;
        (done > 0).then(|| done as f64 / seconds)
    }

    /// The seconds that the rest takes. What must be fetched takes its pause, however fast an
    /// archive answered.
    pub fn seconds_left(&self, rest: u64, delay: f64) -> Option<f64> {
        let (_, downloads, _) = self.late()?;
        let each = 1.0 / self.per_second()?;
        let each = if downloads > 0 { each.max(delay) } else { each };
        (rest > 0).then_some(rest as f64 * each)
    }

    /// What was done and fetched of late, and in how many seconds.
    fn late(&self) -> Option<(u64, u64, f64)> {
        let ((began, first), (ended, last)) = (self.counts.front()?, self.counts.back()?);
        let time = ended.duration_since(*began);
        (time >= LEAST).then(|| {
            let downloads = last.downloads.saturating_sub(first.downloads);
            (last.done.saturating_sub(first.done), downloads, time.as_secs_f64())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(counts: &[(u64, u64, u64)], expected: Option<(f64, f64)>) {
        let began = Instant::now();
        let mut pace = Pace::default();
        for &(seconds, done, downloads) in counts {
            pace.add(began + Duration::from_secs(seconds), Count { done, downloads });
        }
        let told = pace.per_second().zip(pace.seconds_left(60, 2.0));
        assert_eq!(told, expected);
    }

    #[test]
    fn the_pace_is_that_of_the_last_seconds() {
        check(&[(0, 0, 0)], None);
        check(&[(0, 0, 0), (10, 20, 0)], Some((2.0, 30.0)));
        // What is fetched takes its pause.
        check(&[(0, 0, 0), (10, 20, 5)], Some((2.0, 120.0)));
        check(
            &[(0, 0, 0), (1, 1_000, 0), (20, 1_010, 0), (36, 1_026, 0)],
            Some((1.0, 60.0)),
        );
    }
}
