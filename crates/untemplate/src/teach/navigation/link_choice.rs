//! Which links are meant: the hypotheses of what was shown, weighed by where the links lead and by
//! what a person says.
//!
//! A [`LinkHypothesis`] is a rule and what it picks on the pages of the class. LinkHypotheses that
//! pick the same are one, under the rule that change breaks least. The weights are those of a
//! Bayesian who trusts everything a little: the likelier kinds of sets first (§3.3 of the design),
//! times what speaks for or against each: a page that was visited and is kin of what was shown, or
//! is not; an answer.

use std::collections::{BTreeMap, BTreeSet};

use url::Url;

use super::super::follow::{ClickedLink, LinkCandidate, PageLinks, link_candidates, n_kinds};
use super::super::tuning::LinkTuning;
use super::stratum::stratified;
use crate::page::{Page, UrlParts};
use crate::rule::ExtractionRule;
use crate::statistics::entropy;

const TUNING: LinkTuning = LinkTuning::DEFAULT;

/// A way to understand what was shown.
#[derive(Debug, Clone)]
pub(super) struct LinkHypothesis {
    /// The rule.
    pub rule: ExtractionRule,
    /// What it picks on each page.
    pub addresses: Vec<Vec<Url>>,
    fragility: f64,
    weight: f64,
}

/// All hypotheses of links that were shown on the first of some pages of a class.
pub(super) struct LinkHypotheses {
    /// The hypotheses; never empty.
    pub all: Vec<LinkHypothesis>,
    is_loop: bool,
}

impl LinkHypotheses {
    /// Reads what was shown on the first page; `None` when no rule picks it.
    pub(super) fn of(pages: &[&Page], shown: &[Url], is_loop: bool) -> Option<Self> {
        let mut all: Vec<LinkHypothesis> = Vec::new();
        let clicked: Vec<ClickedLink> = shown.iter().cloned().map(ClickedLink::from).collect();
        for LinkCandidate { rule, fragility, .. } in link_candidates(&PageLinks::of(pages[0]), &clicked) {
            let first = rule.addresses(pages[0]);
            if !shown.iter().all(|url| first.contains(url)) {
                continue;
            }
            let others = pages[1..].iter().map(|page| rule.addresses(page));
            let addresses: Vec<Vec<Url>> = std::iter::once(first).chain(others).collect();
            let weight = 1.0;
            let hypothesis = LinkHypothesis {
                rule,
                addresses,
                fragility,
                weight,
            };
            match all.iter_mut().find(|its| its.addresses == hypothesis.addresses) {
                Some(same) if hypothesis.fragility < same.fragility => *same = hypothesis,
                Some(_) => {}
                None => all.push(hypothesis),
            }
        }
        all.sort_by(|left, right| {
            let by_kind = left.rank(shown, is_loop).cmp(&right.rank(shown, is_loop));
            by_kind.then_with(|| left.fragility.total_cmp(&right.fragility))
        });
        all.truncate(TUNING.hypotheses_max);
        for (rank, hypothesis) in all.iter_mut().enumerate() {
            hypothesis.weight = TUNING.rank_decay.powi(rank as i32);
        }
        (!all.is_empty()).then_some(Self { all, is_loop })
    }

    /// Links worth a visit to tell the hypotheses apart, each with the page it is on: spread over
    /// what picks them and over kinds of addresses.
    pub(super) fn trials(&self, shown: &[Url]) -> Vec<(usize, Url)> {
        let mut picked: BTreeMap<&Url, (usize, u32)> = BTreeMap::new();
        for (number, hypothesis) in self.all.iter().enumerate() {
            for (page, url) in hypothesis.each().filter(|(_, url)| !shown.contains(url)) {
                picked.entry(url).or_insert((page, 0)).1 |= 1 << number;
            }
        }
        // What every hypothesis picks tells none of them apart.
        let whole = (1_u32 << self.all.len()) - 1;
        picked.retain(|_, (_, by)| *by != whole);
        let links: Vec<(&Url, (usize, u32))> = picked.into_iter().collect();
        let strata = links.iter().map(|(url, (_, by))| (*by, UrlParts::of(url).kind()));
        let chosen = stratified(strata, TUNING.trials_max);
        chosen
            .into_iter()
            .map(|at| (links[at].1.0, links[at].0.clone()))
            .collect()
    }

    /// Takes in that a link leads to a page like the shown one, or to another.
    pub(super) fn visited(&mut self, address: &Url, is_same: bool) {
        // Next pages lead to pages of their own kind, as do other links among such pages, which are
        // none.
        let leaves_alike = if self.is_loop { 1.0 } else { TUNING.leaves_alike };
        for hypothesis in &mut self.all {
            hypothesis.weight *= match (hypothesis.picks(address), is_same) {
                (true, false) => TUNING.picks_other,
                (false, true) => leaves_alike,
                _ => 1.0,
            };
        }
    }

    /// Takes in that a link belongs, or does not.
    pub(super) fn answered(&mut self, address: &Url, belongs: bool) {
        for hypothesis in &mut self.all {
            if hypothesis.picks(address) != belongs {
                hypothesis.weight *= TUNING.contradicted;
            }
        }
    }

    /// The link that the hypotheses are most divided on, with the page it is on and the entropy in
    /// bits.
    pub(super) fn most_uncertain(&self, known: &[Url]) -> Option<(usize, Url, f64)> {
        let total: f64 = self.all.iter().map(|hypothesis| hypothesis.weight).sum();
        let mut sums: BTreeMap<(usize, &Url), f64> = BTreeMap::new();
        for hypothesis in &self.all {
            let mut counted: BTreeSet<&Url> = BTreeSet::new();
            for (page, url) in hypothesis.each().filter(|(_, url)| !known.contains(url)) {
                if counted.insert(url) {
                    *sums.entry((page, url)).or_default() += hypothesis.weight;
                }
            }
        }
        let doubt = |yes: f64| entropy([yes, total - yes].into_iter());
        sums.into_iter()
            .map(|((page, url), yes)| (page, url.clone(), doubt(yes)))
            .reduce(|best, next| if next.2 > best.2 { next } else { best })
    }

    /// The hypothesis that most speaks for.
    pub(super) fn best(&self) -> &LinkHypothesis {
        let best = self
            .all
            .iter()
            .reduce(|best, next| if next.weight > best.weight { next } else { best });
        best.expect("there is a hypothesis")
    }
}

impl LinkHypothesis {
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
        let is_mixed = n_kinds(&self.addresses[0]) > 1;
        (is_lonely, is_mixed, usize::MAX - n_links)
    }
}
