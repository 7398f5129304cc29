//! How long a run would take, from a look at its site.

use std::time::Duration;

use untemplate_store::Figures;

use crate::progress::span;

/// Shorter times are not worth a number, which would be another one every time.
const FEW_SECONDS: f64 = 15.0;

/// What a look at a site took.
pub struct Look {
    /// What was asked of its page sources.
    pub figures: Figures,
    /// How long that took.
    pub took: Duration,
    /// The pause in seconds between two requests, 0 where no web is asked.
    pub delay: f64,
}

impl Look {
    /// What was seen of the site, from wherever it came.
    pub fn visited(&self) -> String {
        match self.figures.downloads + self.figures.reused {
            1 => "1 answer".to_owned(),
            answers => format!("{answers} answers"),
        }
    }

    /// The seconds that a run over this many pages takes: each at the pace of the look, and no
    /// faster than the pause allows. What the look fetched from the web is kept, and not fetched
    /// again.
    pub fn seconds_for(&self, pages: usize) -> f64 {
        let seen = self.figures.downloads + self.figures.reused;
        let pace = match self.figures.downloads {
            0 => 0.0,
            downloads => self.took.as_secs_f64() / downloads as f64,
        };
        let kept = if self.delay > 0.0 { seen } else { 0 };
        pages.saturating_sub(kept) as f64 * pace.max(self.delay)
    }

    /// The same in words.
    pub fn time_for(&self, pages: usize) -> String {
        let seconds = self.seconds_for(pages);
        let pause = match self.delay > 0.0 {
            true => format!(", with {} s between requests", self.delay),
            false => String::new(),
        };
        match seconds < FEW_SECONDS {
            true => format!("that takes a few seconds{pause}"),
            false => format!("that takes about {}{pause}", span(seconds)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(downloads: usize, took: u64, delay: f64, expected: &str) {
        let look = Look {
            figures: Figures {
                downloads,
                ..Figures::default()
            },
            took: Duration::from_secs(took),
            delay,
        };
        assert_eq!(look.time_for(500), expected);
    }

    #[test]
    fn a_run_takes_its_pauses_and_no_less_than_the_look_shows() {
        check(20, 10, 1.0, "that takes about 8 min, with 1 s between requests");
        check(20, 100, 1.0, "that takes about 40 min, with 1 s between requests");
        check(20, 10, 0.0, "that takes about 4 min");
        check(100, 1, 0.0, "that takes a few seconds");
    }
}
