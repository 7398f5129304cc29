//! What an index page is worth: the new targets that a visit likely brings.
//!
//! In: what pages brought so far ([`Search::credit`]: targets first met there, and a share of what pages first met there brought). Out: a figure for an address not visited, from
//! what the last pages with its signs brought. The last counts most, and a hundred targets at once are not worth a hundred times one: an index that listed everything
//! makes its like worthless. Before anything is known there is hope, where pages of a kind link to targets, as much as such links were new lately.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::family::FamilyId;
use super::guided::{Prospect, Search, joint_signs};
use crate::site::visited_page::PageId;

/// How much the last page says about the next.
const LAST_WEIGHT: f64 = 0.3;
/// From so many pages on the share that brought something counts, and how much.
const STEADY_SEEN: usize = 8;
const STEADY_WEIGHT: f64 = 0.6;
/// From so many pages on what a finer sign brought counts: a name that two addresses share says nothing.
const FINER_SEEN: usize = 4;
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
            hopes: HashMap::default(),
        }
    }

    /// New targets that a page of a family with these signs likely brings, and how many pages say so. Finer signs correct coarser ones.
    pub fn worth(&self, family: FamilyId, prospect: &Prospect, round: &mut Round) -> (f64, usize) {
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
        let (mut worth, way) = best.unwrap_or((family, 0));
        let steps = &prospect.form.steps;
        let signs = [steps[2], steps[1]].into_iter().chain(joint_signs(way, steps));
        for sign in signs.filter(|_| self.options.extensions.addresses) {
            let tally = self.forecast.tally(sign);
            if let Some(tally) = tally.filter(|tally| tally.lately.len() >= FINER_SEEN) {
                worth = self.corrected(worth.0, &tally.lately);
            }
        }
        worth
    }

    /// What pages are worth, told anew by what each of the last ones brought; and how many these are.
    fn corrected(&self, worth: f64, pages: &[PageId]) -> (f64, usize) {
        let (mut worth, mut n_pages, mut n_fruitful) = (worth, 0, 0.0);
        for &page in pages.iter().filter(|&&page| self.families.of(page) != FamilyId::TARGET) {
            let credit = self.credit[page.index()];
            let brought = if credit == 0.0 { 0.0 } else { credit.ln_1p() };
            worth = worth * (1.0 - LAST_WEIGHT) + brought * LAST_WEIGHT;
            n_pages += 1;
            n_fruitful += credit.min(1.0);
        }
        // A few pages in a row that brought nothing are chance, where every fifth brings something.
        let steady = if n_pages < STEADY_SEEN {
            0.0
        } else {
            STEADY_WEIGHT * n_fruitful / n_pages as f64
        };
        (worth.max(steady), n_pages)
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

    /// What may be hoped for from pages like one: much where it links to targets, less where only to the one that led to it.
    pub fn hope(&self, page: PageId) -> f64 {
        let led_by = self.found_on(page).map(|page| self.explored.page(page).address);
        let links = self
            .explored
            .page(page)
            .links
            .iter()
            .flat_map(|links_at| links_at.addresses.iter());
        let mut hope = 0.0;
        for &address in links.filter(|&&address| self.outcome(address) == Some(FamilyId::TARGET)) {
            if Some(address) != led_by {
                return 1.0;
            }
            hope = 0.5;
        }
        hope
    }
}
