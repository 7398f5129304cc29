//! Pairs: which new page is about what an old page was about.
//!
//! In: what is known of old pages, as addresses and values, and new pages. Out: pairs of an old and
//! a new page, each page in one at most. The same address says it; else a key does, values that
//! only one of the old pages has and that the new page shows. What the pairs prove of a field, for
//! wrappers and specifications alike: that it is mended, or misread.

use std::collections::{BTreeMap, BTreeSet};

use super::value_profile::{N_TESTS, ValueProfile};

/// What is known of a page: its address, and values on it.
#[derive(Debug, Clone)]
pub(crate) struct KnownValues {
    pub address: String,
    pub values: BTreeSet<String>,
}

/// Values of an old page alone that a new page must show to be about the same. One may be there by
/// chance.
const KEYS_MIN: usize = 2;

/// The fewest characters of a value that is a key: less is a number or a mark.
const KEY_LETTERS_MIN: usize = 4;

/// Pages on which a field that is mended must read what it read before. One or two agree by chance:
/// values such as `1` stand all over a page.
pub(crate) const AGREED_MIN: usize = 3;

/// A field is mended when at most one in this many pages disagrees: one in a hundred may be wrong,
/// and the pages that are compared are few.
const DISAGREED_SHARE: usize = 20;

/// A field is misread when more than one in this many pages that show its old values disagree.
const MISREAD_SHARE: usize = 10;

/// The chance below which values are taken for something else than they were.
pub(crate) const OTHER_CHANCE: f64 = 0.01;

/// Whether a field that agrees on some of the pages that were compared is mended.
pub(crate) fn is_mended(agreed: usize, compared: usize) -> bool {
    agreed >= AGREED_MIN && is_never_other(agreed, compared)
}

/// Whether a field agrees on a page at least, and disagrees as seldom as one that is mended.
pub(crate) fn is_never_other(agreed: usize, compared: usize) -> bool {
    agreed > 0 && (compared - agreed) * DISAGREED_SHARE <= compared
}

/// Whether a field that reads something else on some of the pages that show its old values is
/// misread.
pub(crate) fn is_misread_on(n_other: usize, known: usize) -> bool {
    n_other >= AGREED_MIN && n_other * MISREAD_SHARE > known
}

/// Whether values look as those of a profile did, by all of its tests together.
pub(crate) fn look_alike<'a>(
    profile: &ValueProfile,
    values: impl Iterator<Item = &'a str> + Clone,
    held_min: f64,
) -> bool {
    let deviation = profile.deviation(values, held_min);
    deviation.is_none_or(|its| its.chance >= OTHER_CHANCE / N_TESTS as f64)
}

/// The pairs of an old and a new page, by their numbers, in the order of the new pages. `shows`
/// says whether a new page shows a value.
pub(crate) fn pairs(
    old: &[KnownValues],
    new_addresses: &[String],
    shows: impl Fn(usize, &str) -> bool,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut is_taken = vec![false; old.len()];
    let own_keys = own_values(old);
    for (new, address) in new_addresses.iter().enumerate() {
        let same = (0..old.len()).find(|&page| !is_taken[page] && old[page].address == *address);
        let found = same.or_else(|| by_key(&own_keys, &is_taken, |value| shows(new, value)));
        if let Some(page) = found {
            is_taken[page] = true;
            pairs.push((page, new));
        }
    }
    pairs
}

/// The values that each page has alone.
fn own_values(old: &[KnownValues]) -> Vec<Vec<&str>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for value in old.iter().flat_map(|page| &page.values) {
        *counts.entry(value.as_str()).or_default() += 1;
    }
    let is_key = |value: &&str| counts[value] == 1 && value.chars().count() >= KEY_LETTERS_MIN;
    old.iter()
        .map(|page| page.values.iter().map(String::as_str).filter(is_key).collect())
        .collect()
}

/// The one page of which most keys are shown; `None` where that is not one alone.
fn by_key(own_keys: &[Vec<&str>], is_taken: &[bool], shows: impl Fn(&str) -> bool) -> Option<usize> {
    let count = |page: usize| own_keys[page].iter().filter(|value| shows(value)).count();
    let free = (0..own_keys.len()).filter(|&page| !is_taken[page]);
    let mut counts: Vec<(usize, usize)> = free.map(|page| (count(page), page)).collect();
    counts.sort_unstable_by(|left, right| right.cmp(left));
    let (first, page) = *counts.first()?;
    let is_alone = counts.get(1).is_none_or(|(second, _)| *second < first);
    (first >= KEYS_MIN && is_alone).then_some(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_paired_by_address_or_by_key() {
        let known = |address: &str, values: &[&str]| KnownValues {
            address: address.to_owned(),
            values: values.iter().map(|&value| value.to_owned()).collect(),
        };
        let old = [
            known("/a", &["Anvil", "Acme", "10 kg of iron"]),
            known("/b", &["Birdseed", "Acme", "in bags"]),
            known("/c", &["Cannon", "Acme", "7"]),
        ];
        let new = ["/c", "/x", "/y"].map(str::to_owned);
        let shown = [
            vec!["Cannon"],
            vec!["Birdseed", "in bags", "Acme"],
            vec!["Anvil", "Acme"],
        ];
        let found = pairs(&old, &new, |page, value| shown[page].contains(&value));
        assert_eq!(found, [(2, 0), (1, 1)]);
    }
}
