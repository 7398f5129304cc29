//! What an index page is worth: the new targets that a visit likely brings.
//!
//! In: what pages brought so far ([`Search::credit`]: targets first met there, and a share of what
//! pages first met there brought). Out: a figure for an address not visited, from what the last
//! pages with its signs brought. The last counts most, and a hundred targets at once are not worth
//! a hundred times one: an index that listed everything makes its like worthless. Before anything
//! is known there is hope, where pages of a kind link to targets, as much as such links were new
//! lately.
//!
//! A figure from a few pages may fall by chance, and an end that comes too early is the worst of
//! all errors. So a family whose pages led to new targets is *fertile* until a row
//! of pages that brought nothing is too long to be chance: several times the gaps between its last
//! fruitful pages, the more the more gaps there were, since each is an occasion to err. While
//! hardly any target is known, a family with a page that links to one is given the longest gap:
//! where targets have no index, the first pages of what leads to them may well lead to none.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::family::FamilyId;
use super::guided::{Prospect, Search, joint_signs};
use crate::site::explored::Reached;
use crate::site::visited_page::PageId;

/// How much the last page says about the next.
const LAST_WEIGHT: f64 = 0.3;
/// From this many pages on the share that brought something counts, and how much.
const STEADY_SEEN: usize = 8;
const STEADY_WEIGHT: f64 = 0.6;
/// From this many pages on what a finer sign brought counts: a name that two addresses share says
/// nothing.
const FINER_SEEN: usize = 4;
/// How many of the last gaps between fruitful pages of a family are averaged.
const GAPS: usize = 16;
/// A gap longer than this many times the average, and the logarithm of how many gaps there were, is
/// the end: chance is then one in twenty.
const GAP_TIMES: f64 = 3.0;
/// A gap shorter than this is never the end, and one longer than that always; the latter grows with
/// what was found.
const GAP_LEAST: f64 = 12.0;
const GAP_MOST: f64 = 40.0;
const GAP_MOST_PER_FOUND: f64 = 0.1;
/// With fewer targets than this no way to them is known that could be told from chance. At 30 two
/// classes of 27 pages were left for others (`gather` P 0.959).
const FIRST: usize = 5;
/// How many of a family's last pages are looked at.
const LATELY: usize = 16;
/// How many pages tell how new links to targets are lately, and how much the last one says.
const NOVELTY_PAGES: usize = 24;
const NOVELTY_LOOKS: usize = 96;
const NOVELTY_WEIGHT: f64 = 0.15;

/// What was computed for one plan.
pub(super) struct Round {
    /// How often pages that link to targets brought new ones lately, from 1 on.
    novelty: f64,
    /// Pages visited that were no targets and brought none.
    pub n_wasted: usize,
    families: HashMap<FamilyId, (f64, usize), FixedState>,
    fertile: HashMap<FamilyId, bool, FixedState>,
    pub hopes: HashMap<PageId, f64, FixedState>,
}

impl Search<'_> {
    /// Computes what all addresses of a plan share.
    pub fn begin_round(&self) -> Round {
        let others = self.by_family.iter().filter(|(family, _)| **family != FamilyId::TARGET);
        let n_wasted = others
            .flat_map(|(_, pages)| pages)
            .filter(|page| self.credit[page.index()] == 0.0)
            .count();
        Round {
            novelty: self.novelty(),
            n_wasted,
            families: HashMap::default(),
            fertile: HashMap::default(),
            hopes: HashMap::default(),
        }
    }

    /// New targets that a page of a family with these signs likely brings, and how many pages say
    /// so. Finer signs correct coarser ones.
    pub fn expected_yield(&self, family: FamilyId, prospect: &Prospect, round: &mut Round) -> (f64, usize) {
        let family = *round.families.entry(family).or_insert_with(|| {
            let pages = self.by_family.get(&family).map_or(&[][..], Vec::as_slice);
            let lately = &pages[pages.len().saturating_sub(LATELY)..];
            let hope: f64 = lately.iter().map(|&page| self.hope(page)).sum();
            self.corrected(round.novelty * hope / lately.len().max(1) as f64, lately)
        });
        let tallies = prospect
            .ways
            .iter()
            .filter_map(|&way| Some((way, self.forecast.tally(way)?)));
        let by_ways = tallies.map(|(way, tally)| (self.corrected(family.0, &tally.lately), way));
        let best = by_ways.reduce(|best, next| if next.0.0 > best.0.0 { next } else { best });
        let (mut expected_yield, way) = best.unwrap_or((family, 0));
        let steps = &prospect.form.steps;
        let signs = [steps[2], steps[1]].into_iter().chain(joint_signs(way, steps));
        for sign in signs.filter(|_| self.options.extensions.addresses) {
            let tally = self.forecast.tally(sign);
            if let Some(tally) = tally.filter(|tally| tally.lately.len() >= FINER_SEEN) {
                expected_yield = self.corrected(expected_yield.0, &tally.lately);
            }
        }
        expected_yield
    }

    /// Whether pages of a family led to new targets and likely still do.
    pub fn is_fertile(&self, family: FamilyId, round: &mut Round) -> bool {
        *round.fertile.entry(family).or_insert_with(|| {
            let pages = self.by_family.get(&family).map_or(&[][..], Vec::as_slice);
            let (mut gaps, mut gap): (Vec<f64>, f64) = (Vec::new(), 0.0);
            for page in pages {
                gap += 1.0;
                if self.credit[page.index()] > 0.0 {
                    gaps.push(std::mem::take(&mut gap));
                }
            }
            if gaps.is_empty() {
                return self.n_targets < FIRST && gap < GAP_MOST && pages.iter().any(|&page| self.hope(page) > 0.0);
            }
            let most = GAP_MOST + GAP_MOST_PER_FOUND * self.n_targets as f64;
            gap < longest_gap(&gaps).clamp(GAP_LEAST, most)
        })
    }

    /// What pages are worth, told anew by what each of the last ones brought; and how many these
    /// are.
    fn corrected(&self, expected_yield: f64, pages: &[PageId]) -> (f64, usize) {
        let (mut expected_yield, mut n_pages, mut n_fruitful) = (expected_yield, 0, 0.0);
        for &page in pages.iter().filter(|&&page| self.families.of(page) != FamilyId::TARGET) {
            let credit = self.credit[page.index()];
            let brought = if credit == 0.0 { 0.0 } else { credit.ln_1p() };
            expected_yield = expected_yield * (1.0 - LAST_WEIGHT) + brought * LAST_WEIGHT;
            n_pages += 1;
            n_fruitful += credit.min(1.0);
        }
        // A few pages in a row that brought nothing are chance, where every fifth brings something.
        let steady = if n_pages < STEADY_SEEN {
            0.0
        } else {
            STEADY_WEIGHT * n_fruitful / n_pages as f64
        };
        (expected_yield.max(steady), n_pages)
    }

    fn novelty(&self) -> f64 {
        let others = (0..self.explored.len() as u32).rev().map(PageId);
        let others = others
            .filter(|&page| self.families.of(page) != FamilyId::TARGET)
            .take(NOVELTY_LOOKS);
        let mut lately: Vec<PageId> = others
            .filter(|&page| self.hope(page) > 0.5)
            .take(NOVELTY_PAGES)
            .collect();
        lately.reverse();
        let mix = |novelty: f64, page: &PageId| {
            novelty * (1.0 - NOVELTY_WEIGHT) + self.credit[page.index()].min(1.0) * NOVELTY_WEIGHT
        };
        lately.iter().fold(1.0, mix)
    }

    /// What may be hoped for from pages like one: much where it links to targets, less where only
    /// to the one that led to it.
    pub fn hope(&self, page: PageId) -> f64 {
        let led_by = self.found_on(page).map(Reached::Page);
        let links = self
            .explored
            .page(page)
            .links
            .iter()
            .flat_map(|links_at| links_at.addresses.iter());
        let mut hope = 0.0;
        for &address in links.filter(|&&address| self.outcome(address) == Some(FamilyId::TARGET)) {
            if self.explored.reached(address) != led_by {
                return 1.0;
            }
            hope = 0.5;
        }
        hope
    }
}

/// How long a gap chance explains, after some others.
fn longest_gap(gaps: &[f64]) -> f64 {
    let lately = &gaps[gaps.len().saturating_sub(GAPS)..];
    let average = lately.iter().sum::<f64>() / lately.len().max(1) as f64;
    average * (GAP_TIMES + (gaps.len().max(1) as f64).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_finds_allow_for_long_gaps() {
        assert!((longest_gap(&[1.0]) - 3.0).abs() < 1e-9);
        assert!((longest_gap(&[13.0]) - 39.0).abs() < 1e-9);
        // Only the last gaps are averaged, and all are occasions to err.
        let gaps = [[1.0; 100].as_slice(), [10.0; GAPS].as_slice()].concat();
        assert!(longest_gap(&gaps) > 70.0 && longest_gap(&[]) == 0.0);
    }
}
