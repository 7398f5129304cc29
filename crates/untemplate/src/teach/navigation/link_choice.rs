//! Which links are meant: the readings of what was shown, weighed by where the links lead and by what a person says.
//!
//! A [`Reading`] is a rule and what it picks on the pages of the class. Readings that pick the same are one, under the rule that change breaks least. The
//! weights are those of a Bayesian who trusts everything a little: the likelier kinds of sets first (§3.3 of the design), times what speaks for or against each:
//! a page that was visited and is kin of what was shown, or is not; an answer.

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use super::super::follow::{LinkCandidate, link_candidates, n_shapes, shape};
use super::stratum::stratified;
use crate::page::Page;
use crate::rule::ExtractionRule;

/// Readings that are weighed.
const READINGS_MAX: usize = 16;

/// Links that are visited to tell readings apart.
pub(super) const TRIALS_MAX: usize = 16;

/// What each reading is worth beside the one before it, before anything was tried.
const PRIOR: f64 = 0.9;

/// What is left of a reading that picks a page unlike the shown one, that leaves out one like it, and that contradicts an answer.
const PICKS_STRANGER: f64 = 0.1;
const LEAVES_ALIKE: f64 = 0.5;
const CONTRADICTED: f64 = 0.02;

/// A way to understand what was shown.
#[derive(Debug, Clone)]
pub(super) struct Reading {
    /// The rule.
    pub rule: ExtractionRule,
    /// What it picks on each page.
    pub addresses: Vec<Vec<Url>>,
    fragility: f64,
    weight: f64,
}

/// All readings of links that were shown on the first of some pages of a class.
pub(super) struct Readings {
    /// The readings; never empty.
    pub all: Vec<Reading>,
    is_loop: bool,
}

impl Readings {
    /// Reads what was shown on the first page; `None` when no rule picks it.
    pub(super) fn of(pages: &[&Page], shown: &[Url], is_loop: bool) -> Option<Self> {
        let mut all: Vec<Reading> = Vec::new();
        for LinkCandidate { rule, fragility } in link_candidates(pages[0], shown) {
            let first = rule.addresses(pages[0]);
            if !shown.iter().all(|url| first.contains(url)) {
                continue;
            }
            let others = pages[1..].iter().map(|page| rule.addresses(page));
            let addresses: Vec<Vec<Url>> = std::iter::once(first).chain(others).collect();
            let weight = 1.0;
            let reading = Reading {
                rule,
                addresses,
                fragility,
                weight,
            };
            match all.iter_mut().find(|its| its.addresses == reading.addresses) {
                Some(same) if reading.fragility < same.fragility => *same = reading,
                Some(_) => {}
                None => all.push(reading),
            }
        }
        all.sort_by(|left, right| {
            let by_kind = left.rank(shown, is_loop).cmp(&right.rank(shown, is_loop));
            by_kind.then_with(|| left.fragility.total_cmp(&right.fragility))
        });
        all.truncate(READINGS_MAX);
        for (rank, reading) in all.iter_mut().enumerate() {
            reading.weight = PRIOR.powi(rank as i32);
        }
        (!all.is_empty()).then_some(Self { all, is_loop })
    }

    /// Links worth a visit to tell the readings apart, each with the page it is on: spread over what picks them and over kinds of addresses.
    pub(super) fn trials(&self, shown: &[Url]) -> Vec<(usize, Url)> {
        let mut picked: BTreeMap<&Url, (usize, u32)> = BTreeMap::new();
        for (number, reading) in self.all.iter().enumerate() {
            for (page, url) in reading.each().filter(|(_, url)| !shown.contains(url)) {
                picked.entry(url).or_insert((page, 0)).1 |= 1 << number;
            }
        }
        // What every reading picks tells none of them apart.
        let whole = (1_u32 << self.all.len()) - 1;
        picked.retain(|_, (_, by)| *by != whole);
        let links: Vec<(&Url, (usize, u32))> = picked.into_iter().collect();
        let strata = links.iter().map(|(url, (_, by))| (*by, shape(url)));
        let chosen = stratified(strata, TRIALS_MAX);
        chosen
            .into_iter()
            .map(|at| (links[at].1.0, links[at].0.clone()))
            .collect()
    }

    /// Takes in that a link leads to a page like the shown one, or to another.
    pub(super) fn visited(&mut self, address: &Url, is_same: bool) {
        // Next pages lead to pages of their own kind, as do other links among such pages, which are none.
        let leaves_alike = if self.is_loop { 1.0 } else { LEAVES_ALIKE };
        for reading in &mut self.all {
            reading.weight *= match (reading.picks(address), is_same) {
                (true, false) => PICKS_STRANGER,
                (false, true) => leaves_alike,
                _ => 1.0,
            };
        }
    }

    /// Takes in that a link belongs, or does not.
    pub(super) fn answered(&mut self, address: &Url, belongs: bool) {
        for reading in &mut self.all {
            if reading.picks(address) != belongs {
                reading.weight *= CONTRADICTED;
            }
        }
    }

    /// The link that the readings are most divided on, with the page it is on and the entropy in bits.
    pub(super) fn most_uncertain(&self, known: &[Url]) -> Option<(usize, Url, f64)> {
        let total: f64 = self.all.iter().map(|reading| reading.weight).sum();
        let mut sums: BTreeMap<(usize, &Url), f64> = BTreeMap::new();
        for reading in &self.all {
            let mut counted: BTreeSet<&Url> = BTreeSet::new();
            for (page, url) in reading.each().filter(|(_, url)| !known.contains(url)) {
                if counted.insert(url) {
                    *sums.entry((page, url)).or_default() += reading.weight;
                }
            }
        }
        let entropy = |yes: f64| {
            let share = (yes / total).clamp(0.0, 1.0);
            let part = |share: f64| if share > 0.0 { -share * share.log2() } else { 0.0 };
            part(share) + part(1.0 - share)
        };
        sums.into_iter()
            .map(|((page, url), yes)| (page, url.clone(), entropy(yes)))
            .reduce(|best, next| if next.2 > best.2 { next } else { best })
    }

    /// The reading that most speaks for.
    pub(super) fn best(&self) -> &Reading {
        let best = self
            .all
            .iter()
            .reduce(|best, next| if next.weight > best.weight { next } else { best });
        best.expect("there is a reading")
    }
}

impl Reading {
    /// What it picks, each with the number of its page.
    pub(super) fn each(&self) -> impl Iterator<Item = (usize, &Url)> {
        let pages = self.addresses.iter().enumerate();
        pages.flat_map(|(page, urls)| urls.iter().map(move |url| (page, url)))
    }

    fn picks(&self, address: &Url) -> bool {
        self.addresses.iter().any(|urls| urls.contains(address))
    }

    /// Smaller is likelier: of lists the largest of one shape, of next pages the fewest links.
    fn rank(&self, shown: &[Url], is_loop: bool) -> (bool, bool, usize) {
        let n_links = self.addresses[0].len();
        if is_loop {
            return (false, false, n_links);
        }
        let is_lonely = shown.len() == 1 && n_links == 1;
        let is_mixed = n_shapes(&self.addresses[0]) > 1;
        (is_lonely, is_mixed, usize::MAX - n_links)
    }
}
