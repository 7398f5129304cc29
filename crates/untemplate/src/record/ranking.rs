//! Ranking: how much a region and its division look like the main list of a page.
//!
//! In: the signals of a division. Out: one score, a sum of logarithms, so that each signal's part
//! can be told. A list of a page has much text in it (link text counting half, so that menus weigh
//! little), many records, records that hold the same paths as each other, several texts in each,
//! and a link in most. `eval/README.md` tells what each signal is worth.

use super::signals::Signals;

/// How much each signal counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of the text.
    pub text: f64,
    /// Of the number of records.
    pub number: f64,
    /// Of the regularity.
    pub regularity: f64,
    /// Of the variety.
    pub variety: f64,
    /// What link text counts, against other text.
    pub link_text: f64,
    /// What standing in a menu, a header or a footer costs.
    pub aside: f64,
    /// Of the share of records with a link. Swept 0, 0.1, 0.2, 0.3, 0.6, 1: `cells` records 0.984,
    /// 0.984, 0.980, 0.980, 0.976, 0.971, by one site alone; pages about one thing that are taken
    /// for lists, of 144: 78, 78, 76, 75 up to 0.3, and 75 with 1.
    pub linked: f64,
    /// Of the mean text of a record, where it is little.
    pub size: f64,
    /// Of the share of records that are not nearly empty.
    pub filled: f64,
    /// Of the mean number of texts of a record.
    pub richness: f64,
    /// Of the share of records that have what was searched for.
    pub hinted: f64,
    /// What records that hold their first node twice cost. 1 and 2 give the same on the corpora;
    /// with an advertisement behind every fourth record 0.979 and 0.986 of the pages keep their
    /// records (eval/README.md).
    pub doubled: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            text: 1.0,
            number: 0.5,
            regularity: 2.0,
            variety: 1.0,
            link_text: 0.5,
            aside: 1.5,
            linked: 0.3,
            size: 1.0,
            filled: 1.0,
            richness: 0.3,
            doubled: 2.0,
            hinted: 1.0,
        }
    }
}

/// From this mean text on, a record is no longer small.
const SIZE_ENOUGH: f64 = 30.0;

/// From this mean number of texts on, a record is no richer.
const RICHNESS_ENOUGH: f64 = 12.0;

impl Weights {
    /// The score that signals add up to; more is better.
    pub fn score(&self, signals: &Signals) -> f64 {
        self.text * signals.text.max(1.0).ln()
            + self.number * (signals.filled * signals.number as f64).max(1.0).ln()
            + self.regularity * signals.regularity.max(0.01).ln()
            + self.variety * (signals.variety + 0.05).ln()
            + self.linked * (signals.linked + 0.3).ln()
            + self.size * (signals.size / SIZE_ENOUGH).clamp(0.01, 1.0).ln()
            + self.filled * (signals.filled + 0.01).ln()
            + self.richness * signals.richness.clamp(1.0, RICHNESS_ENOUGH).ln()
            + self.hinted * (signals.hinted + 0.1).ln()
            - self.doubled * signals.doubled
            - if signals.is_aside { self.aside } else { 0.0 }
    }
}
