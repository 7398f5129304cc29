//! Edit similarity: how alike two strings of symbols are when symbols are only inserted and
//! deleted.
//!
//! In: two strings. Out: `1 - distance / (length + length)`, where the distance is both lengths
//! less twice the longest common subsequence. Paper: section 4.1; its equation (1) lacks a pair of
//! parentheses. The subsequence is found 64 symbols at a time, one bit each (Hyyrö 2004), in
//! `length * length / 64` steps.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// How alike two strings are: 1 for the same, 0 for nothing in common. Two empty strings are the
/// same.
pub fn edit_similarity(one: &[u32], other: &[u32]) -> f64 {
    let length = one.len() + other.len();
    if length == 0 {
        return 1.0;
    }
    1.0 - edit_distance(one, other) as f64 / length as f64
}

/// How many symbols must be inserted or deleted to make one string of the other.
pub fn edit_distance(one: &[u32], other: &[u32]) -> usize {
    one.len() + other.len() - 2 * common_length(one, other)
}

/// The length of the longest common subsequence.
fn common_length(one: &[u32], other: &[u32]) -> usize {
    if one == other {
        return one.len();
    }
    let n_words = one.len().div_ceil(64);
    let mut places: HashMap<u32, Vec<u64>, FixedState> = HashMap::default();
    for (index, &symbol) in one.iter().enumerate() {
        places.entry(symbol).or_insert_with(|| vec![0; n_words])[index / 64] |= 1 << (index % 64);
    }
    // A zero bit stands for a symbol of `one` up to which the subsequence is longer by one.
    let mut row = vec![u64::MAX; n_words];
    for symbol in other {
        let Some(places) = places.get(symbol) else { continue };
        let mut carry = 0;
        for (word, &here) in row.iter_mut().zip(places) {
            let matched = *word & here;
            let (sum, first) = word.overflowing_add(matched);
            let (sum, second) = sum.overflowing_add(carry);
            carry = u64::from(first || second);
            *word = sum | (*word & !here);
        }
    }
    let n_ones: usize = row.iter().map(|word| word.count_ones() as usize).sum();
    // Bits beyond the string's end stay ones, but for a carry that runs into them and is undone by
    // the `or`.
    n_words * 64 - n_ones
}
