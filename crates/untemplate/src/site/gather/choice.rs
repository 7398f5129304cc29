//! What to visit next: likely targets, then what promises most.
//!
//! Addresses that are not of the sample's leaf are taken in groups: those of one leaf that were
//! first met at one place. What a page of a group is expected to bring is the mean of what its last
//! ones brought, drawn towards the mean of the leaf, and that towards a hope: what nobody knows yet
//! is tried.

use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;

use super::search::Search;
use crate::page::{Event, Site};
use crate::site::address_book::AddressId;
use crate::site::explored::Reached;

/// The most likely targets visited at a time.
const TARGETS_AT_A_TIME: usize = 64;

/// A group of addresses: their leaf, and the place at which they were first met.
type Group = (usize, u32);

/// What the last pages of each group brought, oldest first.
type Brought<K> = HashMap<K, Vec<f64>, FixedState>;

impl Search<'_> {
    /// The addresses to visit next; none when nothing left is worth a download.
    pub(super) fn next_batch(&mut self) -> Vec<AddressId> {
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain(|&address| self.explored.reached(address).is_none());
        let (likely, mut doubtful, groups) = self.sorted_out(&pending);
        self.pending = pending;
        if !likely.is_empty() {
            return self.some_targets(&likely);
        }
        doubtful.sort_by(|left, right| right.0.total_cmp(&left.0));
        let best = self.best_group(&groups);
        let (expected_yield, least) = (best.map_or(0.0, |(worth, ..)| worth), self.least_yield());
        let chance = doubtful.first().map_or(0.0, |(chance, _)| *chance);
        if chance >= expected_yield && chance >= least.max(self.options.tuning.chance_least) {
            let equals = doubtful.iter().take_while(|(other, _)| *other >= chance);
            return equals.take(4).map(|(_, address)| *address).collect();
        }
        let Some((worth, group, n_seen)) = best.filter(|_| expected_yield >= least) else {
            return Vec::new();
        };
        let addresses = &groups[&group];
        self.site
            .note(Event::Promising(self.explored.addresses.url(addresses[0])));
        spread(addresses, at_a_time(worth, n_seen))
    }

    /// The addresses that likely lead to targets; those of the sample's leaf that likely do not,
    /// with their chance; and the others by group.
    fn sorted_out(&self, pending: &[AddressId]) -> SortedOut {
        let (mut likely, mut doubtful) = (Vec::new(), Vec::new());
        let mut groups: BTreeMap<Group, Vec<AddressId>> = BTreeMap::new();
        for &address in pending.iter().filter(|&&address| !self.seems_dead(address)) {
            if !self.is_at_home(address) {
                groups.entry(self.group(address)).or_default().push(address);
                continue;
            }
            let chance = self.chance(address);
            match chance >= self.options.tuning.chance_min {
                true => likely.push(address),
                false => doubtful.push((chance, address)),
            }
        }
        (likely, doubtful, groups)
    }

    fn group(&self, address: AddressId) -> Group {
        let place = self.prospects[address.index()]
            .as_ref()
            .map_or(0, |known| known.place());
        (self.leaves[address.index()], place)
    }

    /// Some of the likely targets: a few while few were found, and no more than half of what was
    /// visited, since what is thought of them may be wrong.
    fn some_targets(&self, likely: &[AddressId]) -> Vec<AddressId> {
        let n_trusted = (2 + 2 * self.n_targets).min(TARGETS_AT_A_TIME);
        spread(likely, n_trusted.min((self.explored.len() / 2).max(4)))
    }

    /// The group that promises most: what a page of it is expected to bring, and how many were
    /// visited.
    fn best_group(&self, groups: &BTreeMap<Group, Vec<AddressId>>) -> Option<(f64, Group, usize)> {
        let tuning = &self.options.tuning;
        let (of_leaf, of_group) = self.brought();
        let assess = |&group: &Group| {
            let (leaf_sum, n_leaf) = self.recent(of_leaf.get(&group.0));
            let of_leaf = (leaf_sum + tuning.hope) / (n_leaf + 1.0);
            let (sum, n_seen) = self.recent(of_group.get(&group));
            let worth = (sum + tuning.leaf_weight * of_leaf) / (n_seen + tuning.leaf_weight);
            (worth, group, n_seen as usize)
        };
        let groups = groups.keys().map(assess);
        groups.reduce(|best, next| if next.0 > best.0 { next } else { best })
    }

    /// What the addresses tried so far brought, by leaf and by group.
    fn brought(&self) -> (Brought<usize>, Brought<Group>) {
        let (mut of_leaf, mut of_group) = (Brought::default(), Brought::default());
        for &address in self.tried.iter().filter(|&&address| !self.is_at_home(address)) {
            let page = self.explored.reached(address).and_then(Reached::page);
            let brought =
                page.map_or(0.0, |page| self.credit[page.index()]) + f64::from(u8::from(self.leads_to_target(address)));
            let group = self.group(address);
            of_leaf.entry(group.0).or_default().push(brought);
            of_group.entry(group).or_default().push(brought);
        }
        (of_leaf, of_group)
    }

    /// What the last pages brought together, and how many they are.
    fn recent(&self, brought: Option<&Vec<f64>>) -> (f64, f64) {
        let all = brought.map_or(&[][..], Vec::as_slice);
        let last = &all[all.len().saturating_sub(self.options.tuning.recent)..];
        (last.iter().sum(), last.len() as f64)
    }

    /// From which yield on pages are visited.
    fn least_yield(&self) -> f64 {
        let tuning = &self.options.tuning;
        let may_waste = tuning.waste_min as f64 + tuning.waste_share * self.n_targets as f64;
        match (self.n_wasted() as f64) < may_waste {
            true => tuning.yield_min,
            false => tuning.yield_good,
        }
    }

    /// How many downloads neither were targets nor led to any.
    fn n_wasted(&self) -> usize {
        let is_wasted = |address: &&AddressId| {
            let page = self.explored.reached(**address).and_then(Reached::page);
            page.is_none_or(|page| !self.is_target(page) && self.credit[page.index()] < 0.5)
        };
        self.tried.iter().filter(is_wasted).count()
    }
}

/// Likely addresses, doubtful ones with their chance, and groups.
type SortedOut = (Vec<AddressId>, Vec<(f64, AddressId)>, BTreeMap<Group, Vec<AddressId>>);

/// How many pages of a group are visited at a time: more, the better it is known.
fn at_a_time(expected_yield: f64, n_seen: usize) -> usize {
    match n_seen {
        0..=2 => 2,
        3..=7 => 4,
        _ if expected_yield > 0.4 => 32,
        _ => 8,
    }
}

/// Addresses from all over a list: neighbours are like each other, and tell less.
fn spread(addresses: &[AddressId], most: usize) -> Vec<AddressId> {
    let step = (addresses.len() / most).max(1);
    addresses.iter().copied().step_by(step).take(most).collect()
}
