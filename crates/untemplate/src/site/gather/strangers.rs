//! Strangers: pages of the sample's leaf that another template filled, where addresses do not tell.
//!
//! In: the pages of the sample's leaf. Out: those that are none of its class. The pages are put in
//! order by what they have in common with the sample, cut where they fall apart most, and the two
//! sides are then sorted out by all that tells one from the other (naive Bayes, as in the
//! expectation maximisation of a mixture of two). Two sides that were chosen to differ always do a
//! little; only a contrast that is far above what tells the leaves of a tree apart makes strangers.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::search::Search;
use crate::site::template_tree::{PageFeatures, PageGroup, SeenPage};
use crate::site::visited_page::PageId;

/// Of how many pages two sides are learnt.
const LEARNT_FROM: usize = 150;

/// How often two sides are looked for.
const CUTS_MAX: usize = 6;

/// How often pages change sides before the sides are believed.
const SORTINGS_MAX: usize = 4;

/// Features whose shares on the two sides differ by less say nothing.
const SHARES_APART: f64 = 0.2;

/// Weights of evidence that a page is of the sample's side.
struct Sides {
    /// What a page without any of the features has.
    bias: f64,
    weights: HashMap<u32, f64, FixedState>,
}

impl Search<'_> {
    /// Finds the strangers in the sample's leaf.
    pub(super) fn find_strangers(&mut self) {
        self.strangers = vec![false; self.explored.len()];
        for _ in 0..CUTS_MAX {
            let pages = self.targets();
            let Some(sides) = self.sides(&pages) else { return };
            for page in pages.into_iter().skip(1) {
                self.strangers[page.index()] = !sides.is_own(&self.features[page.index()]);
            }
        }
    }

    /// Two sides of some pages, the first of which is the sample, if their contrast is large.
    fn sides(&self, pages: &[PageId]) -> Option<Sides> {
        let n_learnt = pages.len().min(LEARNT_FROM);
        let learnt: Vec<&PageFeatures> = (0..n_learnt)
            .map(|at| &self.features[pages[at * pages.len() / n_learnt].index()])
            .collect();
        let mut is_own = first_cut(&learnt)?;
        let mut sides = Sides::between(&learnt, &is_own)?;
        for _ in 0..SORTINGS_MAX {
            let mut next: Vec<bool> = learnt.iter().map(|page| sides.is_own(page)).collect();
            next[0] = true;
            if next == is_own {
                break;
            }
            is_own = next;
            sides = Sides::between(&learnt, &is_own)?;
        }
        let group = |side: bool| {
            let pages = learnt.iter().zip(&is_own).filter(|(_, own)| **own == side);
            let seen = pages.map(|(features, _)| SeenPage {
                address: self.home(),
                features,
                places: &[],
            });
            PageGroup::of(seen.collect::<Vec<_>>().iter())
        };
        let contrast = group(true).form_contrast(&group(false), &self.options.templates);
        (contrast >= self.options.tuning.stranger_contrast).then_some(sides)
    }
}

/// The pages in order of what they have in common with the first one, cut where the two sides
/// differ most in this for their variance; `None` for fewer than four pages.
fn first_cut(pages: &[&PageFeatures]) -> Option<Vec<bool>> {
    if pages.len() < 4 {
        return None;
    }
    let mut likeness: Vec<(f64, usize)> = pages.iter().map(|page| pages[0].likeness(page)).zip(0..).collect();
    likeness.sort_by(|left, right| right.0.total_cmp(&left.0));
    let total: f64 = likeness.iter().map(|(likeness, _)| likeness).sum();
    let (mut sum, mut best) = (0.0, (0.0, pages.len()));
    for n_own in 1..pages.len() {
        sum += likeness[n_own - 1].0;
        let (own, others) = (n_own as f64, (pages.len() - n_own) as f64);
        let explained = own * others * (sum / own - (total - sum) / others).powi(2);
        if explained > best.0 {
            best = (explained, n_own);
        }
    }
    let mut is_own = vec![false; pages.len()];
    likeness[..best.1].iter().for_each(|&(_, page)| is_own[page] = true);
    Some(is_own)
}

impl Sides {
    /// What tells two sides apart; `None` where nobody is on the other side, or the sample is alone
    /// on its own: a page that lacks a section which all others have is no stranger to them.
    fn between(pages: &[&PageFeatures], is_own: &[bool]) -> Option<Self> {
        let n_own = is_own.iter().filter(|own| **own).count();
        let n_others = pages.len() - n_own;
        if n_own < 2 || n_others < 1 {
            return None;
        }
        let mut counts: HashMap<u32, [u32; 2], FixedState> = HashMap::default();
        for (page, &own) in pages.iter().zip(is_own) {
            page.iter()
                .for_each(|feature| counts.entry(feature).or_default()[usize::from(own)] += 1);
        }
        let share = |count: u32, n_pages: usize| (f64::from(count) + 0.5) / (n_pages as f64 + 1.0);
        let mut sides = Self {
            bias: 0.0,
            weights: HashMap::default(),
        };
        // In order, so that sums are the same in every run.
        let mut counts: Vec<(u32, [u32; 2])> = counts.into_iter().collect();
        counts.sort_unstable();
        for (feature, [others, own]) in counts {
            let (own, others) = (share(own, n_own), share(others, n_others));
            if (own - others).abs() < SHARES_APART {
                continue;
            }
            let without = ((1.0 - own) / (1.0 - others)).ln();
            sides.bias += without;
            sides.weights.insert(feature, (own / others).ln() - without);
        }
        Some(sides)
    }

    fn is_own(&self, page: &PageFeatures) -> bool {
        let weights = page.iter().filter_map(|feature| self.weights.get(&feature));
        self.bias + weights.sum::<f64>() > 0.0
    }
}
