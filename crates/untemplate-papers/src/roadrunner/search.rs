//! The search: an AND-OR tree, depth first, within bounds.
//!
//! A page is solved when all of its mismatches are (AND), each by one of the operators (OR). A
//! state is an expression; it is matched from the start, and its first mismatch is solved in each
//! way in turn. Every step must bring matching further. Squares are matched by the same search, one
//! level deeper.

use super::expression::Expression;
use super::operator::attempts;
use super::parse::{Mismatch, parse_whole};
use super::token::Symbol;

/// The bounds of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchOptions {
    /// Candidates a side of each operator.
    pub candidates_max: usize,
    /// How deep squares are inside squares.
    pub depth_max: usize,
    /// Expressions tried for one page.
    pub states_max: usize,
    /// Whether what cannot be solved may become a subtree.
    pub subtrees: bool,
    /// Whether other ways are tried when one fails.
    pub backtracking: bool,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            candidates_max: 4,
            depth_max: 8,
            states_max: 2000,
            subtrees: true,
            backtracking: true,
        }
    }
}

impl SearchOptions {
    /// The polynomial algorithm for prefix mark-up languages: one candidate, no way back, no
    /// subtrees.
    pub fn prefix() -> Self {
        Self {
            candidates_max: 1,
            subtrees: false,
            backtracking: false,
            ..Self::default()
        }
    }
}

/// A search under way.
pub(super) struct Search<'a> {
    pub options: &'a SearchOptions,
    depth: usize,
    n_states: usize,
}

impl<'a> Search<'a> {
    pub fn new(options: &'a SearchOptions) -> Self {
        Self {
            options,
            depth: 0,
            n_states: 0,
        }
    }

    /// Subtrees are for the page, not for squares.
    pub fn allows_subtrees(&self) -> bool {
        self.options.subtrees && self.depth == 0
    }

    /// Generalises an expression until it matches a page, and still whatever `holds` asks for.
    pub fn solve(
        &mut self,
        expression: &[Expression],
        symbols: &[Symbol],
        holds: &dyn Fn(&[Expression]) -> bool,
    ) -> Option<Vec<Expression>> {
        let mut open: Vec<std::vec::IntoIter<Vec<Expression>>> = Vec::new();
        let mut state = expression.to_vec();
        loop {
            self.n_states += 1;
            if self.n_states > self.options.states_max {
                return None;
            }
            let (is_solved, parse) = parse_whole(&state, symbols);
            if is_solved && holds(&state) {
                return Some(state);
            }
            let next = if is_solved {
                Vec::new()
            } else {
                self.next(&state, parse.mismatches, symbols)
            };
            open.push(next.into_iter());
            state = loop {
                let top = open.last_mut()?;
                match top.next() {
                    Some(state) => break state,
                    None if self.options.backtracking => drop(open.pop()),
                    None => return None,
                }
            };
        }
    }

    /// The states after this one that bring matching further, best first.
    fn next(
        &mut self,
        state: &[Expression],
        mut mismatches: Vec<Mismatch>,
        symbols: &[Symbol],
    ) -> Vec<Vec<Expression>> {
        mismatches.sort_by_key(|mismatch| std::cmp::Reverse(mismatch.token));
        mismatches.dedup();
        let mut all = Vec::new();
        for (order, mismatch) in mismatches.iter().enumerate().take(MISMATCHES_MAX) {
            for (rank, attempt) in attempts(state, mismatch, symbols, self) {
                if reach(&attempt, symbols) > mismatch.token {
                    all.push((rank + 3 * order as i64, attempt));
                }
            }
        }
        all.sort_by_key(|(rank, _)| *rank);
        all.into_iter().map(|(_, state)| state).collect()
    }

    /// The same, for a square inside a page.
    pub fn inner(&mut self, body: &[Expression], symbols: &[Symbol]) -> Option<Vec<Expression>> {
        if self.depth >= self.options.depth_max {
            return None;
        }
        self.depth += 1;
        let solved = self.solve(body, symbols, &|_| true);
        self.depth -= 1;
        solved
    }
}

/// This many of the places where matching stopped are looked at.
const MISMATCHES_MAX: usize = 3;

/// How far matching comes.
fn reach(expression: &[Expression], symbols: &[Symbol]) -> usize {
    let (is_solved, parse) = parse_whole(expression, symbols);
    match is_solved {
        true => usize::MAX,
        false => parse
            .mismatches
            .iter()
            .map(|mismatch| mismatch.token)
            .max()
            .unwrap_or(0),
    }
}
