//! Squares: stretches that repeat, found by their last tag.
//!
//! At a mismatch the token before it, the terminal tag, may end a round of a repeat. The next
//! stretch that ends with the same tag is a candidate square; it is matched with what stands before
//! the mismatch, mismatches inside it are solved by the same search, and rounds next to it are
//! collapsed into the repeat.

use super::expression::{Expression, first_leaf, of_symbols, samples};
use super::search::Search;
use super::token::{Symbol, SymbolKind, is_balanced};

/// Ends of candidate squares: places of the terminal tag, from a token on, as long as nothing
/// shallower comes.
pub(super) fn square_ends(symbols: &[Option<Symbol>], terminal: Symbol, most: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    for (index, symbol) in symbols.iter().enumerate() {
        let Some(symbol) = symbol else { break };
        if symbol.depth < terminal.depth || ends.len() == most {
            break;
        }
        if *symbol == terminal {
            ends.push(index);
        }
    }
    ends
}

/// Generalises what stands before a mismatch so that it matches a square, too; the start of it and
/// the repeat's body.
pub(super) fn generalise(
    before: &[Expression],
    square: &[Vec<Symbol>],
    search: &mut Search<'_>,
) -> Vec<(usize, Vec<Expression>)> {
    let Some(first) = square.first().and_then(|sample| sample.first()) else {
        return Vec::new();
    };
    let starts = (0..before.len())
        .rev()
        .filter(|&start| first_leaf(&before[start]) == Some(*first));
    let mut found = Vec::new();
    for start in starts.take(search.options.candidates_max) {
        let region = &before[start..];
        if !samples(region).is_some_and(|lists| is_balanced(lists[0].iter().copied())) {
            continue;
        }
        if let Some(body) = match_all(region.to_vec(), square, search) {
            found.push((start, body));
        }
    }
    found
}

/// An expression, generalised until it matches all samples.
fn match_all(mut body: Vec<Expression>, lists: &[Vec<Symbol>], search: &mut Search<'_>) -> Option<Vec<Expression>> {
    for list in lists {
        body = search.inner(&body, list)?;
    }
    Some(body)
}

/// Takes rounds next to a repeat into it. The repeat is the last of `before`, or the first of
/// `after`.
pub(super) fn collapse(
    before: &mut Vec<Expression>,
    body: &mut Vec<Expression>,
    after: &mut Vec<Expression>,
    search: &mut Search<'_>,
) {
    while let Some((start, wider)) = round_before(before, body, search) {
        before.truncate(start);
        *body = wider;
    }
    while let Some((end, wider)) = round_after(after, body, search) {
        after.drain(..end);
        *body = wider;
    }
}

/// The last stretch of a list that is a round, too: where it starts, and the body that matches it.
fn round_before(list: &[Expression], body: &[Expression], search: &mut Search<'_>) -> Option<(usize, Vec<Expression>)> {
    let first = body.first().and_then(first_leaf)?;
    let last = last_token(body)?;
    if last_token(list)? != last {
        return None;
    }
    let starts = (0..list.len())
        .rev()
        .filter(|&start| first_leaf(&list[start]) == Some(first))
        .take(1);
    starts
        .into_iter()
        .find_map(|start| Some((start, fits(&list[start..], body, search)?)))
}

/// The first stretch of a list that is a round, too: where it ends.
fn round_after(list: &[Expression], body: &[Expression], search: &mut Search<'_>) -> Option<(usize, Vec<Expression>)> {
    let first = body.first().and_then(first_leaf)?;
    let last = last_token(body)?;
    if list.first().and_then(first_leaf)? != first {
        return None;
    }
    let end = (0..list.len()).find(|&index| list[index] == Expression::Token(last))? + 1;
    Some((end, fits(&list[..end], body, search)?))
}

/// The body, generalised until it matches a stretch that is a whole round.
fn fits(stretch: &[Expression], body: &[Expression], search: &mut Search<'_>) -> Option<Vec<Expression>> {
    if let [Expression::Repeat(inner)] = stretch {
        return fits(inner, body, search);
    }
    let lists = samples(stretch)?;
    if !is_balanced(lists[0].iter().copied()) {
        return None;
    }
    match_all(body.to_vec(), &lists, search)
}

fn last_token(list: &[Expression]) -> Option<Symbol> {
    match list.last()? {
        Expression::Token(symbol) => Some(*symbol),
        Expression::Repeat(body) => last_token(body),
        _ => None,
    }
}

/// Whether a repeat may have this body: it begins and ends with a tag or another repeat, is not one
/// repeat alone, and no two optionals stand next to each other.
pub(super) fn is_admissible(body: &[Expression]) -> bool {
    let is_border = |expression: Option<&Expression>| match expression {
        Some(Expression::Token(symbol)) => symbol.kind != SymbolKind::Text || body.len() > 1,
        Some(Expression::Repeat(_)) => body.len() > 1,
        _ => false,
    };
    is_border(body.first()) && is_border(body.last()) && has_no_neighbours(body)
}

/// Whether no two optionals stand next to each other.
pub(super) fn has_no_neighbours(list: &[Expression]) -> bool {
    let is_optional = |expression: &Expression| matches!(expression, Expression::Optional(_));
    !list
        .windows(2)
        .any(|pair| is_optional(&pair[0]) && is_optional(&pair[1]))
}

/// Whether what follows a repeat cannot be taken for another round of it: they differ within a few
/// tokens.
pub(super) fn is_told_apart(body: &[Expression], after: &[Expression]) -> bool {
    let (Some(own), Some(next)) = (samples(body), samples(&after[..after.len().min(LOOKAHEAD)])) else {
        return true;
    };
    let n = own[0].len().min(LOOKAHEAD);
    next[0].len() < n || own[0][..n] != next[0][..n]
}

/// What the system looks ahead.
const LOOKAHEAD: usize = 5;

/// The symbols of single tokens of a list; `None` for what is no token.
pub(super) fn tokens_of(list: &[Expression]) -> Vec<Option<Symbol>> {
    list.iter()
        .map(|expression| match expression {
            Expression::Token(symbol) => Some(*symbol),
            other => first_leaf(other).map(|symbol| Symbol {
                kind: SymbolKind::Text,
                code: u32::MAX,
                ..symbol
            }),
        })
        .collect()
}

/// A square of tokens as samples.
pub(super) fn token_square(symbols: &[Symbol]) -> Option<Vec<Vec<Symbol>>> {
    is_balanced(symbols.iter().copied()).then(|| vec![symbols.to_vec()])
}

/// A square of an expression as samples.
pub(super) fn expression_square(list: &[Expression]) -> Option<Vec<Vec<Symbol>>> {
    let lists = samples(list)?;
    is_balanced(lists[0].iter().copied()).then(|| lists.to_vec())
}

/// The expression of symbols as an optional.
pub(super) fn optional_of(symbols: &[Symbol]) -> Expression {
    Expression::Optional(of_symbols(symbols))
}
