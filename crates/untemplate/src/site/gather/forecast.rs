//! The forecast: what a link leads to, said before it is followed.
//!
//! In: what addresses led to so far. Out: for an address not visited, the family it likely leads
//! to, and how sure that is. Evidence is counted by *signs* that addresses share: where links stand
//! (the family of the page and the tag path: the paper's class-link), and generalisations of the
//! address. Of all signs of an address the one that says most, for its count, is believed.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::family::FamilyId;
use crate::site::visited_page::PageId;

/// What addresses with one sign led to.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    counts: Vec<(FamilyId, u32)>,
    /// How many addresses.
    pub total: u32,
    /// The last pages that they led to, oldest first.
    pub lately: Vec<PageId>,
}

/// How many pages say what a sign brings now.
const LATELY: usize = 16;

impl Tally {
    fn add(&mut self, family: FamilyId, page: Option<PageId>) {
        self.total += 1;
        if let Some(page) = page {
            if self.lately.len() == LATELY {
                self.lately.remove(0);
            }
            self.lately.push(page);
        }
        match self.counts.iter_mut().find(|(known, _)| *known == family) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((family, 1)),
        }
    }

    /// How many led to a family.
    pub fn count(&self, family: FamilyId) -> u32 {
        let found = self.counts.iter().find(|(known, _)| *known == family);
        found.map_or(0, |(_, count)| *count)
    }

    fn most(&self) -> Option<(FamilyId, u32)> {
        self.counts
            .iter()
            .copied()
            .max_by_key(|&(family, count)| (count, std::cmp::Reverse(family)))
    }
}

/// What an address likely leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outlook {
    /// The family.
    pub family: FamilyId,
    /// A lower bound of the share of such addresses that lead there.
    pub surety: f64,
}

/// All evidence so far.
#[derive(Debug, Clone, Default)]
pub struct Forecast {
    tallies: HashMap<u64, Tally, FixedState>,
}

impl Forecast {
    /// Notes that an address with a sign led to a family.
    pub fn note(&mut self, sign: u64, family: FamilyId, page: Option<PageId>) {
        self.tallies.entry(sign).or_default().add(family, page);
    }

    /// What addresses with a sign led to.
    pub fn tally(&self, sign: u64) -> Option<&Tally> {
        self.tallies.get(&sign)
    }

    /// How likely an address leads to a target, and the sign of its kind. `steps` generalise the
    /// address from fine to coarse; each way comes with its joint sign: the same way and the same
    /// look of the address. A finer sign corrects what the coarser ones say, the more the more it
    /// was seen.
    pub fn chance(&self, ways: impl Iterator<Item = (u64, [u64; 3])>, steps: &[u64]) -> (f64, u64) {
        let by_address = steps
            .iter()
            .rev()
            .fold(None, |prior, &step| self.corrected(prior, step));
        let by_ways = ways.filter_map(|(way, both)| {
            let prior = match (self.corrected(None, way), by_address) {
                (Some(way), Some(address)) => Some(middle(way, address)),
                (one, other) => one.or(other),
            };
            let chance = both.iter().fold(prior, |prior, &sign| self.corrected(prior, sign))?;
            Some((chance, both[0]))
        });
        let best = by_ways.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let address = by_address.map(|chance| (chance, steps.last().copied().unwrap_or(0)));
        best.or(address).unwrap_or((0.0, 0))
    }

    fn corrected(&self, prior: Option<f64>, sign: u64) -> Option<f64> {
        let Some(tally) = self.tallies.get(&sign) else {
            return prior;
        };
        let (count, total) = (f64::from(tally.count(FamilyId::TARGET)), f64::from(tally.total));
        Some((count + PRIOR_WEIGHT * prior.unwrap_or(0.5)) / (total + PRIOR_WEIGHT))
    }

    /// What an address with these signs likely leads to; `None` where none of them was seen.
    pub fn outlook(&self, signs: impl Iterator<Item = u64>) -> Option<Outlook> {
        let mut best: Option<Outlook> = None;
        for sign in signs {
            let Some(tally) = self.tallies.get(&sign) else { continue };
            let Some((family, count)) = tally.most() else { continue };
            let surety = lower_bound(count, tally.total);
            if best.is_none_or(|best| surety > best.surety) {
                best = Some(Outlook { family, surety });
            }
        }
        best
    }
}

/// What a coarser sign says counts as this many addresses of the finer one.
const PRIOR_WEIGHT: f64 = 0.6;

/// The chance half-way between two, in odds.
fn middle(left: f64, right: f64) -> f64 {
    let odds = |chance: f64| (chance / (1.0 - chance)).clamp(1e-3, 1e3);
    let odds = (odds(left) * odds(right)).sqrt();
    odds / (1.0 + odds)
}

/// Wilson's lower bound of a share, one standard deviation below: 0.5 for 1 of 1, 0.75 for 3 of 3.
pub fn lower_bound(count: u32, total: u32) -> f64 {
    if total == 0 {
        return 0.0;
    }
    let (n, share) = (f64::from(total), f64::from(count) / f64::from(total));
    let centre = share + 0.5 / n;
    let spread = (share * (1.0 - share) / n + 0.25 / (n * n)).sqrt();
    (centre - spread) / (1.0 + 1.0 / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_surest_sign_is_believed() {
        let mut forecast = Forecast::default();
        for _ in 0..3 {
            forecast.note(1, FamilyId(0), None);
        }
        for family in [0, 1, 1, 2] {
            forecast.note(2, FamilyId(family), None);
        }
        let outlook = forecast.outlook([1, 2, 3].into_iter()).expect("two signs are known");
        assert_eq!(outlook.family, FamilyId::TARGET);
        assert!((outlook.surety - 0.75).abs() < 1e-9);
        assert_eq!(forecast.outlook([3].into_iter()), None);
        assert_eq!(forecast.tally(2).map(|tally| tally.count(FamilyId(1))), Some(2));
    }

    #[test]
    fn bounds_grow_with_counts() {
        assert!((lower_bound(1, 1) - 0.5).abs() < 1e-9);
        assert!(lower_bound(10, 10) > 0.9 && lower_bound(8, 10) < 0.8);
        assert_eq!(lower_bound(0, 0), 0.0);
    }
}
