//! Variety: whether the pages of a class show what its wrapper never saw.
//!
//! In: the portraits of the pages that a wrapper was learnt from, then of each page it reads. Out: the pages worth learning from as well, those
//! that show most. A wrapper says nothing of parts that no training page had; it reads past them. So the mark-up and the short texts of every page
//! are counted by hash, in a table of fixed size, and what enough pages have and no training page had is news. Values that happen to
//! be shared are news too: they cost a training page and do no harm.

use std::collections::HashSet;

use foldhash::fast::FixedState;

use crate::site::model::{Portrait, Witness};

/// Counters for features that no training page had: more features share counters, and are news a little early.
const COUNTERS: usize = 1 << 14;

/// Something is news when so many pages have it, and one page in [`NEWS_SHARE`].
const NEWS_PAGES: u32 = 3;
const NEWS_SHARE: u32 = 200;

/// A counter of something that was told already.
const TOLD: u16 = u16::MAX;

/// Pages with news that are remembered.
const PAGES_MAX: usize = 32;

/// What a class's pages show that its training pages did not.
#[derive(Debug, Clone)]
pub struct Variety<P> {
    trained: HashSet<u64, FixedState>,
    counts: Vec<u16>,
    n_pages: u32,
    /// Pages with news, and how much, most first.
    news: Vec<(usize, P)>,
}

impl<P> Variety<P> {
    /// Nothing seen beyond the training pages.
    pub fn new<'a>(training: impl Iterator<Item = &'a Portrait>) -> Self {
        Self {
            trained: training.flat_map(telling).collect(),
            counts: Vec::new(),
            n_pages: 0,
            news: Vec::new(),
        }
    }

    /// Takes a page into account.
    pub fn see(&mut self, page: P, portrait: &Portrait) {
        self.n_pages += 1;
        let least = NEWS_PAGES.max(self.n_pages / NEWS_SHARE) as u16;
        let mut n_news = 0;
        for feature in telling(portrait) {
            if self.trained.contains(&feature) {
                continue;
            }
            if self.counts.is_empty() {
                self.counts = vec![0; COUNTERS];
            }
            let count = &mut self.counts[feature as usize % COUNTERS];
            if *count == TOLD {
                continue;
            }
            *count += 1;
            if *count >= least {
                *count = TOLD;
                n_news += 1;
            }
        }
        if n_news > 0 {
            let place = self.news.partition_point(|(known, _)| *known >= n_news);
            self.news.insert(place, (n_news, page));
            self.news.truncate(PAGES_MAX);
        }
    }

    /// The pages with news, those with most first.
    pub fn take_news(&mut self) -> Vec<P> {
        std::mem::take(&mut self.news)
            .into_iter()
            .map(|(_, page)| page)
            .collect()
    }
}

/// The features that a template shows in.
fn telling(portrait: &Portrait) -> impl Iterator<Item = u64> {
    let witnesses = [Witness::MarkUp, Witness::Texts];
    witnesses
        .into_iter()
        .flat_map(|witness| portrait.by(witness).iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn portrait(features: &[u64]) -> Portrait {
        Portrait {
            features: [features.into(), Box::default(), Box::default(), Box::default()],
        }
    }

    #[test]
    fn what_three_pages_have_and_no_training_page_is_news_once() {
        let mut variety = Variety::new([portrait(&[1, 2])].iter());
        for page in 0..9 {
            let own = if page % 2 == 0 {
                vec![1, 2, 7]
            } else {
                vec![1, 2, 100 + page]
            };
            variety.see(page, &portrait(&own));
        }
        assert_eq!(variety.take_news(), [4]);
        assert!(variety.take_news().is_empty());
    }
}
