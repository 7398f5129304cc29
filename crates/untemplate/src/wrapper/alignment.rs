//! Alignment: which child of a node is which item of a template.
//!
//! In: a score for every pair. Out: the items of the children, in order, so that the sum of scores
//! is the highest; among equals the children that come first get an item. Ordinary sequence
//! alignment, with items that may take several children.

use super::feature::{Features, Origin, TEXT};

/// A pair that must not be.
pub(super) const NEVER: i32 = i32::MIN;

/// Room for alignments, used again from one to the next.
#[derive(Debug, Default)]
pub(super) struct Aligner {
    /// The scores, row by row: the items of the first child, of the second, and so on.
    scores: Vec<i32>,
    /// The item of each child, after [`Aligner::align_by`].
    pub places: Vec<Option<usize>>,
    best: Vec<i32>,
    moves: Vec<Move>,
}

impl Aligner {
    /// Fills in the scores and finds for each child its item. `is_repeat` says which items take
    /// several children.
    pub fn align_by(
        &mut self,
        size: (usize, usize),
        score: impl Fn(usize, usize) -> i32,
        is_repeat: impl Fn(usize) -> bool,
    ) {
        self.align_runs(size, score, is_repeat, |_| false);
    }

    /// The same where many children are just like the one before: those score what that one does.
    pub fn align_runs(
        &mut self,
        (n_items, n_children): (usize, usize),
        score: impl Fn(usize, usize) -> i32,
        is_repeat: impl Fn(usize) -> bool,
        is_like_before: impl Fn(usize) -> bool,
    ) {
        if n_items.saturating_mul(n_children) > CELLS_MAX {
            return self.align_greedily((n_items, n_children), score, is_repeat);
        }
        self.scores.clear();
        for child in 0..n_children {
            match child > 0 && is_like_before(child) {
                true => self.scores.extend_from_within((child - 1) * n_items..),
                false => self.scores.extend((0..n_items).map(|item| score(item, child))),
            }
        }
        self.align(n_items, n_children, is_repeat);
    }

    /// Puts this many children, each with an item of its own, before those that were aligned.
    pub fn put_before(&mut self, n_first: usize) {
        if n_first > 0 {
            self.places.iter_mut().flatten().for_each(|item| *item += n_first);
            self.places.splice(0..0, (0..n_first).map(Some));
        }
    }

    /// Each child takes the first item from the last one on that suits it, within a few: for nodes
    /// with thousands of children.
    fn align_greedily(
        &mut self,
        (n_items, n_children): (usize, usize),
        score: impl Fn(usize, usize) -> i32,
        is_repeat: impl Fn(usize) -> bool,
    ) {
        self.places.clear();
        let mut next = 0;
        for child in 0..n_children {
            let found = (next..n_items.min(next + GREEDY_ITEMS)).find(|&item| score(item, child) > 0);
            if let Some(item) = found {
                next = if is_repeat(item) { item } else { item + 1 };
            }
            self.places.push(found);
        }
    }

    /// Finds for each child its item, by the scores.
    fn align(&mut self, n_items: usize, n_children: usize, is_repeat: impl Fn(usize) -> bool) {
        let width = n_items + 1;
        self.best.clear();
        self.best.resize((n_children + 1) * width, 0);
        self.moves.clear();
        self.moves.resize((n_children + 1) * width, Move::SkipItem);
        self.moves[0] = Move::Start;
        for child in 1..=n_children {
            let row = child * width;
            (self.best[row], self.moves[row]) = (self.best[row - width], Move::SkipChild);
            for item in 1..=n_items {
                let own = self.scores[(child - 1) * n_items + item - 1];
                (self.best[row + item], self.moves[row + item]) =
                    self.step(row + item, width, own, || is_repeat(item - 1));
            }
        }
        self.trace_back(n_children, n_items);
    }

    /// The best way to a cell: leave out the child, leave out the item, or take them together.
    fn step(&self, at: usize, width: usize, own: i32, is_repeat: impl Fn() -> bool) -> (i32, Move) {
        let mut best = (self.best[at - width], Move::SkipChild);
        if self.best[at - 1] > best.0 {
            best = (self.best[at - 1], Move::SkipItem);
        }
        if own > 0 {
            let before = self.best[at - width - 1];
            if before + own > best.0 {
                best = (before + own, Move::Take);
            }
            if self.best[at - width] + own > best.0 && is_repeat() {
                best = (self.best[at - width] + own, Move::TakeMore);
            }
        }
        best
    }

    fn trace_back(&mut self, n_children: usize, n_items: usize) {
        self.places.clear();
        self.places.resize(n_children, None);
        let (mut child, mut item) = (n_children, n_items);
        loop {
            match self.moves[child * (n_items + 1) + item] {
                Move::Start => return,
                Move::SkipChild => child -= 1,
                Move::SkipItem => item -= 1,
                Move::Take => {
                    child -= 1;
                    item -= 1;
                    self.places[child] = Some(item);
                }
                Move::TakeMore => {
                    child -= 1;
                    self.places[child] = Some(item - 1);
                }
            }
        }
    }
}

/// Tables of more cells are not made.
const CELLS_MAX: usize = 1 << 20;
/// This many items ahead are looked at without a table.
const GREEDY_ITEMS: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Move {
    Start,
    SkipChild,
    SkipItem,
    Take,
    TakeMore,
}

/// How well a node suits a pattern; [`NEVER`] when it must not be it.
#[inline]
pub(super) fn score(pattern: &Features, node: &Features) -> i32 {
    let is_same = pattern.name == node.name;
    if !(is_same || pattern.is_phrase && node.is_phrase) {
        return NEVER;
    }
    match (pattern.origin, node.origin) {
        (Origin::NONE, _) | (_, Origin::NONE) => {}
        // What was one part is one still, whatever else is said of it.
        (one, other) if one == other => return ORIGIN_SCORE,
        _ => return NEVER,
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

/// The score of nodes that were one part of an older template: more than all others together.
const ORIGIN_SCORE: i32 = 40;

/// Whether a node has everything that its pattern has.
#[inline]
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
    if node.holds_always == pattern.holds_always {
        return 3;
    }
    let count = |bits: u128| bits.count_ones() as i32;
    // What the node has and the pattern knows, and what the pattern wants and the node has, as
    // shares.
    let (known, all) = (count(pattern.holds_ever & node.holds_always), count(node.holds_always));
    let (there, wanted) = (
        count(node.holds_always & pattern.holds_always),
        count(pattern.holds_always),
    );
    let (known, all) = if all == 0 { (1, 1) } else { (known, all) };
    let (there, wanted) = if wanted == 0 { (1, 1) } else { (there, wanted) };
    let whole = all * wanted;
    // Three times the sum of the shares less one, rounded.
    (6 * (known * wanted + there * all - whole) + whole).div_euclid(2 * whole)
}
