//! Tallies: what addresses led to, counted by what they have in common.
//!
//! In: addresses that were tried, by their signs (each part of theirs, and where they were first
//! met), and whether they led where they should. Out: how likely others do, by the sign that says
//! least for them: one part of an address, such as a folder of pages that are gone, is enough.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// What addresses may have in common: the number of a part, and its value.
pub type Sign = (usize, u32);

/// What addresses with one sign led to.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    n_good: usize,
    n_tried: usize,
}

/// What addresses led to, by sign.
#[derive(Debug, Clone, Default)]
pub struct Tallies {
    by_sign: HashMap<Sign, Tally, FixedState>,
}

impl Tallies {
    /// Notes what an address with these signs led to.
    pub fn note(&mut self, signs: impl Iterator<Item = Sign>, is_good: bool) {
        for sign in signs {
            let tally = self.by_sign.entry(sign).or_default();
            tally.n_tried += 1;
            tally.n_good += usize::from(is_good);
        }
    }

    /// How likely an address with these signs leads where it should; 1 while nothing like it
    /// failed.
    pub fn chance(&self, signs: impl Iterator<Item = Sign>) -> f64 {
        let tallies = signs.filter_map(|sign| self.by_sign.get(&sign));
        let chances = tallies.map(|tally| (tally.n_good + 1) as f64 / (tally.n_tried + 1) as f64);
        chances.fold(1.0, f64::min)
    }

    /// Whether this many addresses with one of these signs were tried, and none led where it should.
    pub fn is_hopeless(&self, mut signs: impl Iterator<Item = Sign>, n_tried: usize) -> bool {
        let failed = |tally: &Tally| tally.n_good == 0 && tally.n_tried >= n_tried;
        signs.any(|sign| self.by_sign.get(&sign).is_some_and(failed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sign_that_says_least_is_believed() {
        let mut tallies = Tallies::default();
        for number in 0..6 {
            tallies.note([(0, 1), (1, number % 2)].into_iter(), number % 2 == 0);
        }
        let chance = |signs: [Sign; 2]| tallies.chance(signs.into_iter());
        assert_eq!(chance([(0, 9), (1, 9)]), 1.0);
        assert_eq!(chance([(0, 1), (1, 0)]), 4.0 / 7.0);
        assert_eq!(chance([(0, 1), (1, 1)]), 0.25);
        assert!(tallies.is_hopeless([(0, 1), (1, 1)].into_iter(), 3));
        assert!(!tallies.is_hopeless([(0, 1), (1, 1)].into_iter(), 4));
        assert!(!tallies.is_hopeless([(0, 1), (1, 0)].into_iter(), 3));
    }
}
