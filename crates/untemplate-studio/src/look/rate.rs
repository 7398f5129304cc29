//! The pace of a crawl: pages a second, of late.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Over how long the pace is told.
const SPAN: Duration = Duration::from_secs(5);

/// Counts at moments, the last few seconds of them.
#[derive(Debug, Default)]
pub struct Pace {
    counts: VecDeque<(Instant, u64)>,
}

impl Pace {
    /// Notes a count, now.
    pub fn note(&mut self, count: u64) {
        self.note_at(Instant::now(), count);
    }

    fn note_at(&mut self, now: Instant, count: u64) {
        self.counts.push_back((now, count));
        while self.counts.len() > 2
            && self
                .counts
                .front()
                .is_some_and(|(then, _)| now.duration_since(*then) > SPAN)
        {
            self.counts.pop_front();
        }
    }

    /// How much the count grows a second, to one digit; nothing while it was noted once.
    pub fn rate(&self) -> Option<f64> {
        let ((then, first), (now, last)) = (self.counts.front()?, self.counts.back()?);
        let seconds = now.duration_since(*then).as_secs_f64();
        (seconds > 0.0).then(|| (last.saturating_sub(*first) as f64 / seconds * 10.0).round() / 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_of_late() {
        let (mut pace, start) = (Pace::default(), Instant::now());
        pace.note_at(start, 0);
        assert_eq!(pace.rate(), None);
        for second in 1..=20 {
            pace.note_at(
                start + Duration::from_secs(second),
                if second <= 10 { second * 7 } else { 70 + second - 10 },
            );
        }
        assert_eq!(pace.rate(), Some(1.0));
    }
}
