//! Alignment: which child of a node is which item of a template.
//!
//! In: a score for every pair. Out: the items of the children, in order, so that the sum of scores is the highest; among equals the
//! children that come first get an item. Ordinary sequence alignment, with items that may take several children.

use super::feature::{Features, TEXT};

/// A pair that must not be.
pub(super) const NEVER: i32 = i32::MIN;

/// The scores of a table of items and children.
pub(super) struct ScoreTable {
    pub n_items: usize,
    pub n_children: usize,
    /// Row by row: the items of the first child, of the second, and so on.
    pub scores: Vec<i32>,
}

/// For each child its item. `is_repeat` says which items take several children.
pub(super) fn align(table: &ScoreTable, is_repeat: impl Fn(usize) -> bool) -> Vec<Option<usize>> {
    let (n_items, n_children) = (table.n_items, table.n_children);
    let width = n_items + 1;
    let mut best = vec![0i32; (n_children + 1) * width];
    let mut moves = vec![Move::Start; (n_children + 1) * width];
    for item in 1..=n_items {
        moves[item] = Move::SkipItem;
    }
    for child in 1..=n_children {
        for item in 0..=n_items {
            let at = child * width + item;
            let (mut score, mut step) = (best[at - width], Move::SkipChild);
            if item > 0 {
                if best[at - 1] > score {
                    (score, step) = (best[at - 1], Move::SkipItem);
                }
                let own = table.scores[(child - 1) * n_items + item - 1];
                if own > 0 {
                    let before = best[at - width - 1];
                    if before + own > score {
                        (score, step) = (before + own, Move::Take);
                    }
                    if is_repeat(item - 1) && best[at - width] + own > score {
                        (score, step) = (best[at - width] + own, Move::TakeMore);
                    }
                }
            }
            best[at] = score;
            moves[at] = step;
        }
    }
    trace_back(&moves, n_children, n_items)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Move {
    Start,
    SkipChild,
    SkipItem,
    Take,
    TakeMore,
}

fn trace_back(moves: &[Move], n_children: usize, n_items: usize) -> Vec<Option<usize>> {
    let mut result = vec![None; n_children];
    let (mut child, mut item) = (n_children, n_items);
    loop {
        match moves[child * (n_items + 1) + item] {
            Move::Start => return result,
            Move::SkipChild => child -= 1,
            Move::SkipItem => item -= 1,
            Move::Take => {
                child -= 1;
                item -= 1;
                result[child] = Some(item);
            }
            Move::TakeMore => {
                child -= 1;
                result[child] = Some(item - 1);
            }
        }
    }
}

/// How well a node suits a pattern; [`NEVER`] when it must not be it.
pub(super) fn score(pattern: &Features, node: &Features) -> i32 {
    let is_same = pattern.name == node.name;
    if !is_same && !(pattern.is_phrase && node.is_phrase) {
        return NEVER;
    }
    // What has the same `id` is the same, whatever it is called.
    let is_small = pattern.is_small && node.is_small && (pattern.id == 0 || pattern.id != node.id);
    let own = label_score(pattern.label, node.label, is_small, 8);
    let before = label_score(pattern.heading, node.heading, is_small, 4);
    if own == NEVER || before == NEVER {
        return NEVER;
    }
    let mut score = 2 + own + before;
    if !is_same {
        return score - 1;
    }
    if pattern.name == TEXT {
        return score;
    }
    score += match (pattern.id, node.id) {
        (0, 0) => 0,
        (0, _) | (_, 0) => -1,
        (one, other) if one == other => 6,
        _ => -6,
    };
    score += match (pattern.class_bits, node.class_bits) {
        (0, 0) => 0,
        (0, _) | (_, 0) => -1,
        (one, other) if one == other => 4,
        (one, other) if one & other != 0 => 1,
        _ => -4,
    };
    score += match (pattern.lead, node.lead) {
        (0, _) | (_, 0) => 0,
        (one, other) if one == other => 3,
        _ => -2,
    };
    score + shape_score(pattern, node)
}

/// Whether a node has everything that its pattern has.
pub(super) fn is_surely(pattern: &Features, node: &Features) -> bool {
    pattern.name == node.name
        && pattern.id == node.id
        && pattern.class_bits == node.class_bits
        && pattern.label == node.label
        && pattern.lead == node.lead
        && pattern.heading == node.heading
        && pattern.holds_always & !node.holds_always == 0
        && node.holds_always & !pattern.holds_ever == 0
}

/// Labels that are equal bind, labels that differ part.
fn label_score(one: u64, other: u64, is_small: bool, equal: i32) -> i32 {
    match (one, other) {
        (0, 0) => 0,
        (0, _) | (_, 0) => -2,
        _ if one == other => equal,
        _ if is_small => NEVER,
        _ => -equal,
    }
}

/// From -3 to 3: how much of what the one holds the other holds.
fn shape_score(pattern: &Features, node: &Features) -> i32 {
    let share = |part: u128, whole: u128| match whole {
        0 => 1.0,
        _ => f64::from((part & whole).count_ones()) / f64::from(whole.count_ones()),
    };
    let similarity = share(pattern.holds_ever, node.holds_always) + share(node.holds_always, pattern.holds_always);
    ((similarity - 1.0) * 3.0).round() as i32
}
