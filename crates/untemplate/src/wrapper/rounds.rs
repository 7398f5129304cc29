//! Rounds: how a list is cut into what repeats.
//!
//! In: the kinds of a list's members, in order. Out: what a round is made of, and the place of each
//! member in its round. A round begins with the kind that the list begins with; a kind that most
//! rounds have several times has as many places.

use super::feature::{HashMapOf, HashNumbers, TEXT, hash_text};
use super::repetition::{Children, kind_of};

/// What a round is made of: kinds, in order.
pub(super) fn round_of(kinds: &[u64]) -> Vec<u64> {
    let Some(first) = kinds.first() else { return Vec::new() };
    let starts: Vec<usize> = (0..kinds.len()).filter(|&index| kinds[index] == *first).collect();
    let ends = starts.iter().skip(1).copied().chain(std::iter::once(kinds.len()));
    let rounds: Vec<&[u64]> = starts
        .iter()
        .zip(ends)
        .map(|(&start, end)| &kinds[start..end])
        .collect();
    let mut body: Vec<u64> = Vec::new();
    for (index, kind) in kinds.iter().enumerate() {
        if kinds[..index].contains(kind) {
            continue;
        }
        for _ in 0..times_in_round(&rounds, *kind) {
            body.push(*kind);
        }
    }
    if let Some(model) = rounds.iter().find(|round| same_members(round, &body)) {
        return model.to_vec();
    }
    body
}

/// How often a kind comes in a round: what most rounds that have it say, else once.
fn times_in_round(rounds: &[&[u64]], kind: u64) -> usize {
    let counts: Vec<usize> = rounds
        .iter()
        .map(|round| round.iter().filter(|own| **own == kind).count())
        .filter(|count| *count > 0)
        .collect();
    let Some(most) = (1..=TIMES_MAX).max_by_key(|times| {
        (
            counts.iter().filter(|count| *count == times).count(),
            usize::MAX - times,
        )
    }) else {
        return 1;
    };
    let n_agreeing = counts.iter().filter(|count| **count == most).count();
    if counts.len() >= 2 && 5 * n_agreeing >= 3 * counts.len() {
        most
    } else {
        1
    }
}

/// A kind comes at most so often in a round.
const TIMES_MAX: usize = 6;

fn same_members(one: &[u64], other: &[u64]) -> bool {
    let sorted = |kinds: &[u64]| {
        let mut kinds = kinds.to_vec();
        kinds.sort_unstable();
        kinds
    };
    one.len() == other.len() && sorted(one) == sorted(other)
}

/// The place in its round, and the round, of each member. `suits` says which places a member may
/// have, from a place on.
pub(super) fn cut_rounds(
    n_members: usize,
    suits: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<Option<(usize, usize)>> {
    let mut result = Vec::with_capacity(n_members);
    let (mut round, mut next) = (0, 0);
    for member in 0..n_members {
        let here = suits(member, next).or_else(|| {
            let again = suits(member, 0)?;
            round += usize::from(next > 0);
            Some(again)
        });
        if let Some(place) = here {
            next = place + 1;
        }
        result.push(here.map(|place| (place, round)));
    }
    result
}

/// The kinds of rows that are made of several nodes side by side, three rows or more.
pub(super) fn tandem_kinds(sequences: &[Children]) -> HashNumbers {
    let mut found = HashNumbers::default();
    for children in sequences.iter().filter(|children| children.len() >= 6) {
        let kinds: Vec<u64> = children.iter().map(|(_, features)| kind_of(features)).collect();
        let names: HashMapOf<u64, u64> = children
            .iter()
            .map(|(_, features)| (kind_of(features), features.name))
            .collect();
        for period in 2..=PERIOD_MAX.min(kinds.len() / 3) {
            add_tandems(&kinds, period, &names, &mut found);
        }
    }
    found
}

/// Rows of more nodes side by side than this are not looked for.
const PERIOD_MAX: usize = 6;

fn add_tandems(kinds: &[u64], period: usize, names: &HashMapOf<u64, u64>, found: &mut HashNumbers) {
    let cells = [hash_text("td"), hash_text("th"), TEXT];
    let mut run = 0;
    for index in 0..kinds.len() - period {
        run = if kinds[index] == kinds[index + period] {
            run + 1
        } else {
            0
        };
        if run >= 2 * period {
            let row = &kinds[index + 1..=index + period];
            if row.iter().any(|kind| !cells.contains(&names[kind])) && row.iter().any(|kind| *kind != row[0]) {
                found.extend(row.iter().copied());
            }
        }
    }
}
