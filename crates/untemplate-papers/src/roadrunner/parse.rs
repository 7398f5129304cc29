//! Parsing: a token list against an expression, from the left, without backtracking.
//!
//! Repeats take as many rounds as they can, each whole or not at all; optionals are tried, then
//! left. Where matching stops, [`Mismatch`]es say which part met which token. A mismatch at the
//! first token of a repeat or optional is none of its own: it belongs to the list around it; and a
//! round that is completed clears those before it.

use super::expression::Expression;
use super::token::{Symbol, SymbolKind};

/// Where an expression and a token list part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mismatch {
    /// The way to the list: indices of repeats and optionals, from outside in.
    pub path: Vec<usize>,
    /// The part of that list that did not match; its length when there is none left.
    pub index: usize,
    /// The token it met; the number of tokens when there was none left.
    pub token: usize,
}

/// What happened on the way, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// A text was taken: the number of the text in the expression, and of the token.
    Text(usize, usize),
    /// A round of a repeat begins; the number of the first text inside it names the repeat.
    Enter(usize),
    /// It ends.
    Leave,
    /// An optional is there, or is not.
    Present(bool),
}

/// A parse under way.
pub(super) struct Parse<'a> {
    symbols: &'a [Symbol],
    /// Where matching stopped.
    pub mismatches: Vec<Mismatch>,
    /// What happened.
    pub steps: Vec<Step>,
    /// Slices that subtrees took: the number of the subtree, first token, and the one after the
    /// last.
    pub slices: Vec<(usize, usize, usize)>,
}

/// Matches all tokens with all of the expression.
pub(super) fn parse_whole<'a>(list: &[Expression], symbols: &'a [Symbol]) -> (bool, Parse<'a>) {
    let mut parse = Parse {
        symbols,
        mismatches: Vec::new(),
        steps: Vec::new(),
        slices: Vec::new(),
    };
    let mut at = 0;
    let is_done = parse.list(list, &mut Vec::new(), &mut at, (0, 0));
    if is_done && at < symbols.len() {
        parse.mismatches.push(Mismatch {
            path: Vec::new(),
            index: list.len(),
            token: at,
        });
    }
    (is_done && at == symbols.len(), parse)
}

impl Parse<'_> {
    /// The texts that were taken: the number of the text in the expression, and of the token.
    pub fn texts(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.steps.iter().filter_map(|step| match step {
            Step::Text(number, token) => Some((*number, *token)),
            _ => None,
        })
    }

    /// Matches a list from a token on; `false` when it fails, and then `at` is where. `base`
    /// numbers its first text and its first subtree.
    fn list(&mut self, list: &[Expression], path: &mut Vec<usize>, at: &mut usize, base: (usize, usize)) -> bool {
        let (mut texts, mut subtrees) = base;
        for (index, expression) in list.iter().enumerate() {
            let is_matched = match expression {
                Expression::Token(symbol) => self.token(*symbol, at, texts),
                Expression::Subtree(depth) => {
                    let start = *at;
                    *at += self.symbols[start..]
                        .iter()
                        .take_while(|symbol| symbol.depth > *depth)
                        .count();
                    self.slices.push((subtrees, start, *at));
                    true
                }
                Expression::Optional(body) => {
                    let place = self.steps.len();
                    self.steps.push(Step::Present(true));
                    if !self.round(body, path, index, at, (texts, subtrees)) {
                        self.steps[place] = Step::Present(false);
                    }
                    true
                }
                Expression::Repeat(body) => {
                    let is_there = self.repeat_round(body, path, index, at, (texts, subtrees));
                    if is_there {
                        while self.repeat_round(body, path, index, at, (texts, subtrees)) {}
                    }
                    is_there
                }
            };
            if !is_matched {
                self.mismatches.push(Mismatch {
                    path: path.clone(),
                    index,
                    token: *at,
                });
                return false;
            }
            let (own_texts, own_subtrees) = size(expression);
            texts += own_texts;
            subtrees += own_subtrees;
        }
        true
    }

    fn token(&mut self, symbol: Symbol, at: &mut usize, number: usize) -> bool {
        if self.symbols.get(*at) != Some(&symbol) {
            return false;
        }
        if symbol.kind == SymbolKind::Text {
            self.steps.push(Step::Text(number, *at));
        }
        *at += 1;
        true
    }

    /// One round of a repeat.
    fn repeat_round(
        &mut self,
        body: &[Expression],
        path: &mut Vec<usize>,
        index: usize,
        at: &mut usize,
        base: (usize, usize),
    ) -> bool {
        self.steps.push(Step::Enter(base.0));
        let is_whole = self.round(body, path, index, at, base);
        match is_whole {
            true => self.steps.push(Step::Leave),
            false => drop(self.steps.pop()),
        }
        is_whole
    }

    /// One round of a body, whole or not at all.
    fn round(
        &mut self,
        body: &[Expression],
        path: &mut Vec<usize>,
        index: usize,
        at: &mut usize,
        base: (usize, usize),
    ) -> bool {
        let (start, n_steps, n_slices, n_mismatches) =
            (*at, self.steps.len(), self.slices.len(), self.mismatches.len());
        path.push(index);
        let is_whole = self.list(body, path, at, base);
        path.pop();
        if is_whole && *at > start {
            self.mismatches.clear();
            return true;
        }
        if *at == start {
            // It failed at its first token: the list around it knows better.
            self.mismatches.truncate(n_mismatches);
        }
        *at = start;
        self.steps.truncate(n_steps);
        self.slices.truncate(n_slices);
        false
    }
}

/// How many texts and subtrees there are in an expression.
pub(super) fn size(expression: &Expression) -> (usize, usize) {
    match expression {
        Expression::Token(symbol) => (usize::from(symbol.kind == SymbolKind::Text), 0),
        Expression::Subtree(_) => (0, 1),
        Expression::Optional(body) | Expression::Repeat(body) => {
            body.iter().map(size).fold((0, 0), |(texts, subtrees), (more, others)| {
                (texts + more, subtrees + others)
            })
        }
    }
}
