//! Samples that are spread: some from every parent page and every kind of address.
//!
//! The paper warns of samples that are all of one kind ("all from Agriculture"). So addresses are
//! put into strata, and the strata are drawn from in turn, from the middle of each outwards by even
//! steps. Nothing is drawn by chance: the same addresses give the same sample.

use std::collections::BTreeMap;

/// This many of the items, as their numbers in order: strata in turn, each evenly spread.
pub(super) fn stratified<K: Ord>(strata: impl Iterator<Item = K>, count: usize) -> Vec<usize> {
    let mut groups: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (index, stratum) in strata.enumerate() {
        groups.entry(stratum).or_default().push(index);
    }
    let n_items: usize = groups.values().map(Vec::len).sum();
    let count = count.min(n_items);
    let mut quotas = vec![0; groups.len()];
    let mut left = count;
    while left > 0 {
        for (quota, members) in quotas.iter_mut().zip(groups.values()) {
            if left > 0 && *quota < members.len() {
                *quota += 1;
                left -= 1;
            }
        }
    }
    let mut chosen: Vec<usize> = Vec::new();
    for (quota, members) in quotas.into_iter().zip(groups.values()) {
        chosen.extend((0..quota).map(|number| members[(2 * number + 1) * members.len() / (2 * quota)]));
    }
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stratum_has_its_share() {
        let check = |strata: &str, count: usize, expected: &[usize]| {
            assert_eq!(stratified(strata.chars(), count), expected, "{strata} {count}");
        };
        check("aaaaaaaaab", 2, &[4, 9]);
        check("aaaaaaaaab", 3, &[2, 6, 9]);
        check("abc", 9, &[0, 1, 2]);
        check("", 3, &[]);
    }
}
