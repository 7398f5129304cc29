//! What to visit next: likely targets, then promising index pages, then a few of what is not known
//! yet.
//!
//! Addresses not visited are assessed by kind: those with the same signs of which anything is
//! known. There are few kinds, so that a plan costs a look at each address and little more.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::expected_yield::Round;
use super::family::FamilyId;
use super::forecast::Outlook;
use super::guided::{Prospect, Search, hash_sign, joint_signs};
use crate::page::{Event, Site};
use crate::site::address_book::AddressId;

/// How likely an address must lead to a target, to visit it as one.
const TARGET_CHANCE: f64 = 0.5;
/// How sure it must be where an address leads, not to have to try: 3 of 3.
const KNOWN_SURETY: f64 = 0.74;
/// The most likely targets visited at a time.
const TARGETS_AT_A_TIME: usize = 64;
/// Below this worth index pages are left alone.
const YIELD_MIN: f64 = 0.02;
/// From this worth on index pages are followed whatever was wasted so far, while the class is
/// thought to be larger than what was found.
const YIELD_FAIR: f64 = 0.03;
/// The same when the class is thought to be complete.
const YIELD_GOOD: f64 = 0.1;
/// From this worth on they come before what is not known yet.
const YIELD_GREAT: f64 = 1.8;
/// How many links of a place are tried before it is left alone.
const TRIES_MAX: u32 = 12;
/// How many links are tried at a time.
const TRIES_AT_A_TIME: usize = 4;
/// Fewer targets than this say nothing about the size of their class.
const FEW: usize = 30;
/// How many pages may be wasted to get to know a site; and beside them one for this many found.
const WASTE: usize = 40;
const WASTE_PER_FOUND: usize = 20;

/// Addresses of one kind, and what is thought of them.
struct Kind {
    chance: f64,
    /// How many of them may be visited as targets in one batch: a few while little speaks for the
    /// kind.
    trusted: usize,
    sign: u64,
    outlook: Option<Outlook>,
    expected_yield: f64,
    /// Whether pages of their family led to targets and still may.
    is_fertile: bool,
    /// How many are visited at a time as index pages.
    most: usize,
    addresses: Vec<AddressId>,
}

impl Search<'_> {
    /// The addresses to visit next; none when nothing left is worth a download.
    pub fn next_batch(&mut self) -> Vec<AddressId> {
        let targets = self.likely_targets();
        if !targets.is_empty() {
            return targets;
        }
        self.fresh.clear();
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain(|&address| self.explored.reached(address).is_none());
        let mut round = self.begin_round();
        let (kinds, open) = self.assess_all(&pending, &mut round);
        self.pending = pending;
        let targets = trusted_targets(&kinds);
        if !targets.is_empty() {
            return targets;
        }
        let least = match round.n_wasted < self.waste_max() {
            true => YIELD_MIN,
            false => self.worth_wanted(),
        };
        let index = best_index(kinds, least, self.options.extensions.value);
        let explore = self.to_explore(&open, &mut round);
        match index {
            Some(kind) if kind.expected_yield >= YIELD_GREAT => self.promised(kind),
            _ if !explore.is_empty() => explore,
            Some(kind) => self.promised(kind),
            None => Vec::new(),
        }
    }

    /// Tells that pages of a kind promise most, and chooses some of them.
    fn promised(&mut self, kind: Kind) -> Vec<AddressId> {
        let url = self.explored.addresses.url(kind.addresses[0]);
        self.site.note(Event::Promising(url));
        // Neighbours in a list are like each other; pages from all over it tell more.
        let step = (kind.addresses.len() / kind.most).max(1);
        kind.addresses.into_iter().step_by(step).take(kind.most).collect()
    }

    /// Addresses met lately that likely lead to targets.
    fn likely_targets(&mut self) -> Vec<AddressId> {
        let mut targets = Vec::new();
        let mut chosen: HashMap<u64, usize, FixedState> = HashMap::default();
        let mut fresh = std::mem::take(&mut self.fresh).into_iter();
        for address in fresh.by_ref() {
            if self.explored.reached(address).is_some() || targets.contains(&address) {
                continue;
            }
            let Some(Some(prospect)) = self.prospects.get(address.index()) else {
                continue;
            };
            let (chance, sign) = self.chance(prospect);
            let n_chosen = chosen.entry(sign).or_default();
            if chance >= TARGET_CHANCE && *n_chosen < self.trusted(sign) {
                *n_chosen += 1;
                targets.push(address);
            }
            if targets.len() >= TARGETS_AT_A_TIME {
                break;
            }
        }
        self.fresh = fresh.collect();
        targets
    }

    /// How many addresses with a sign may be visited as targets in one batch.
    fn trusted(&self, sign: u64) -> usize {
        let proven = self
            .forecast
            .tally(sign)
            .map_or(0, |tally| tally.count(FamilyId::TARGET));
        2 + 2 * proven as usize
    }

    /// Assesses addresses by kind; those whose kind is not known yet are returned, too.
    fn assess_all(&self, pending: &[AddressId], round: &mut Round) -> (Vec<Kind>, Vec<AddressId>) {
        let mut places: HashMap<u64, usize, FixedState> = HashMap::default();
        let (mut kinds, mut open): (Vec<Kind>, Vec<AddressId>) = (Vec::new(), Vec::new());
        for &address in pending {
            let Some(Some(prospect)) = self.prospects.get(address.index()) else {
                continue;
            };
            let place = *places.entry(self.kind_key(prospect)).or_insert_with(|| {
                kinds.push(self.assess(prospect, round));
                kinds.len() - 1
            });
            let kind = &mut kinds[place];
            kind.addresses.push(address);
            if kind.outlook.is_none_or(|outlook| outlook.surety < KNOWN_SURETY) {
                open.push(address);
            }
        }
        (kinds, open)
    }

    /// A hash of the signs of an address of which anything is known.
    fn kind_key(&self, prospect: &Prospect) -> u64 {
        let is_seen = |sign: u64| self.forecast.tally(sign).map_or(0, |_| sign);
        hash_sign((prospect.form.steps.map(is_seen), &prospect.ways))
    }

    fn assess(&self, prospect: &Prospect, round: &mut Round) -> Kind {
        let (chance, sign) = self.chance(prospect);
        let outlook = self.outlook(prospect);
        let is_index = outlook.is_some_and(|outlook| outlook.family != FamilyId::DEAD);
        let (expected_yield, n_seen) = match outlook.filter(|_| is_index) {
            Some(outlook) => self.expected_yield(outlook.family, prospect, round),
            None => (0.0, 0),
        };
        let sure = outlook.filter(|outlook| is_index && outlook.surety >= KNOWN_SURETY);
        let is_fertile = sure.is_some_and(|outlook| self.is_fertile(outlook.family, round));
        Kind {
            chance,
            trusted: self.trusted(sign),
            sign,
            outlook,
            expected_yield,
            is_fertile,
            most: self.at_a_time(expected_yield, n_seen),
            addresses: Vec::new(),
        }
    }

    /// How many index pages are visited at a time: more, the better they are known.
    fn at_a_time(&self, expected_yield: f64, n_seen: usize) -> usize {
        match n_seen {
            0..=2 => 2,
            3..=7 => 4,
            _ if expected_yield >= 0.4 => 32,
            _ => (self.n_targets / 32).clamp(8, 32),
        }
    }

    /// Addresses to try because nobody knows where they lead: those of kinds never tried first.
    fn to_explore(&self, open: &[AddressId], round: &mut Round) -> Vec<AddressId> {
        if round.n_wasted >= self.waste_max() {
            return Vec::new();
        }
        let n_seen = |sign: u64| self.forecast.tally(sign).map_or(0, |tally| tally.total);
        let mut candidates: Vec<(u32, bool, u32, usize, AddressId, u64)> = Vec::new();
        for (order, &address) in open.iter().enumerate() {
            let Some(Some(prospect)) = self.prospects.get(address.index()) else {
                continue;
            };
            let tier = match prospect.found_on.map(|page| (page, self.families.of(page))) {
                Some((_, FamilyId::TARGET)) => 0,
                Some((page, _)) if *round.hopes.entry(page).or_insert_with(|| self.hope(page)) > 0.5 => 1,
                _ => 2,
            };
            let Some((n_way, way)) = prospect.ways.iter().map(|&way| (n_seen(way), way)).min() else {
                continue;
            };
            let [folder, words @ ..] = joint_signs(way, &prospect.form.steps);
            let is_tried = words.iter().any(|&sign| n_seen(sign) > 0);
            if n_way < TRIES_MAX || n_seen(folder) < 2 {
                candidates.push((tier, is_tried, n_way, order, address, way));
            }
        }
        candidates.sort_unstable();
        let mut ways: Vec<u64> = Vec::new();
        candidates.retain(|(.., way)| {
            ways.push(*way);
            ways.len() <= TRIES_AT_A_TIME * 64 && ways.iter().filter(|known| *known == way).count() <= 2
        });
        candidates
            .into_iter()
            .map(|(.., address, _)| address)
            .take(TRIES_AT_A_TIME)
            .collect()
    }

    /// From which worth on index pages are followed whatever was wasted so far.
    fn worth_wanted(&self) -> f64 {
        let is_larger = self.size_estimate > self.n_targets + self.n_targets / 100 || self.n_targets < FEW;
        if self.options.extensions.estimate && is_larger {
            YIELD_FAIR
        } else {
            YIELD_GOOD
        }
    }

    /// How many pages may be wasted: some to get to know the site, and a share of what was found.
    fn waste_max(&self) -> usize {
        WASTE + self.n_targets / WASTE_PER_FOUND
    }
}

/// Likely targets, of each kind no more than it is trusted.
fn trusted_targets(kinds: &[Kind]) -> Vec<AddressId> {
    let mut chosen: HashMap<u64, usize, FixedState> = HashMap::default();
    let mut targets = Vec::new();
    for kind in kinds.iter().filter(|kind| kind.chance >= TARGET_CHANCE) {
        let n_chosen = chosen.entry(kind.sign).or_default();
        let n_more = kind.trusted.saturating_sub(*n_chosen).min(kind.addresses.len());
        *n_chosen += n_more;
        targets.extend(&kind.addresses[..n_more]);
    }
    targets.truncate(TARGETS_AT_A_TIME);
    targets
}

/// The kind that promises most, of equals the one met first; or of all that promise enough or are
/// fertile the one met first.
fn best_index(kinds: Vec<Kind>, least: f64, by_expected_yield: bool) -> Option<Kind> {
    let expected_yield = kinds
        .into_iter()
        .filter(|kind| kind.expected_yield >= least || kind.is_fertile);
    let rank = |kind: &Kind| if by_expected_yield { kind.expected_yield } else { 0.0 };
    expected_yield.reduce(|best, next| if rank(&next) > rank(&best) { next } else { best })
}
