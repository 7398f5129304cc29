//! Operators: what may be done where an expression and a token list part.
//!
//! A repeat on the page's or the expression's side, an optional on either side, and as the last
//! resort a subtree. Repeats come before optionals, else a third book would be an optional book;
//! among equals the one after which more tokens match comes first.

use super::expression::{Expression, first_leaf};
use super::parse::Mismatch;
use super::search::Search;
use super::square::{
    collapse, expression_square, generalise, has_no_neighbours, is_admissible, is_told_apart, optional_of, square_ends,
    token_square, tokens_of,
};
use super::token::{Symbol, SymbolKind, is_balanced};

/// An expression to try, and its rank: lower is first.
pub(super) type Attempt = (i64, Vec<Expression>);

/// All that may be done at a mismatch, best first.
pub(super) fn attempts(
    whole: &[Expression],
    mismatch: &Mismatch,
    symbols: &[Symbol],
    search: &mut Search<'_>,
) -> Vec<Attempt> {
    let list = list_at(whole, &mismatch.path).to_vec();
    let mut found = Vec::new();
    repeats(&list, mismatch, symbols, search, &mut found);
    optionals(&list, mismatch, symbols, search, &mut found);
    let mut all: Vec<Attempt> = found
        .into_iter()
        .filter(|(_, list)| has_no_neighbours(list))
        .map(|(rank, list)| (rank, with_list(whole, &mismatch.path, list)))
        .collect();
    if search.allows_subtrees() {
        all.extend(subtree(whole, mismatch, symbols));
    }
    all.sort_by_key(|(rank, _)| *rank);
    all
}

/// The list at the end of a path.
pub(super) fn list_at<'a>(whole: &'a [Expression], path: &[usize]) -> &'a [Expression] {
    path.iter().fold(whole, |list, &index| match &list[index] {
        Expression::Optional(body) | Expression::Repeat(body) => body,
        _ => list,
    })
}

/// The whole with another list at the end of a path.
fn with_list(whole: &[Expression], path: &[usize], list: Vec<Expression>) -> Vec<Expression> {
    let Some((&index, rest)) = path.split_first() else {
        return list;
    };
    let mut changed = whole.to_vec();
    changed[index] = match &whole[index] {
        Expression::Optional(body) => Expression::Optional(with_list(body, rest, list)),
        Expression::Repeat(body) => Expression::Repeat(with_list(body, rest, list)),
        other => other.clone(),
    };
    changed
}

/// Repeats whose next round is on the page, or in the expression.
fn repeats(
    list: &[Expression],
    mismatch: &Mismatch,
    symbols: &[Symbol],
    search: &mut Search<'_>,
    found: &mut Vec<Attempt>,
) {
    let (index, token) = (mismatch.index, mismatch.token);
    let Some(&terminal) = token.checked_sub(1).and_then(|before| symbols.get(before)) else {
        return;
    };
    let most = search.options.candidates_max;
    let page: Vec<Option<Symbol>> = symbols[token..].iter().map(|symbol| Some(*symbol)).collect();
    for (k, end) in square_ends(&page, terminal, most).into_iter().enumerate() {
        let Some(square) = token_square(&symbols[token..=token + end]) else {
            break;
        };
        let border = border(&list[index..], &symbols[token + end + 1..]);
        for (start, body) in generalise(&list[..index], &square, search) {
            add_repeat(list, (start, body, index), k as i64 - border - 10, search, found);
        }
    }
    for (k, end) in square_ends(&tokens_of(&list[index..]), terminal, most)
        .into_iter()
        .enumerate()
    {
        let Some(square) = expression_square(&list[index..=index + end]) else {
            break;
        };
        let border = border(&list[index + end + 1..], &symbols[token..]);
        for (start, body) in generalise(&list[..index], &square, search) {
            add_repeat(
                list,
                (start, body, index + end + 1),
                k as i64 - border - 10,
                search,
                found,
            );
        }
    }
}

/// A repeat in place of a stretch, with the rounds next to it.
fn add_repeat(
    list: &[Expression],
    (start, mut body, end): (usize, Vec<Expression>, usize),
    rank: i64,
    search: &mut Search<'_>,
    found: &mut Vec<Attempt>,
) {
    let (mut before, mut after) = (list[..start].to_vec(), list[end..].to_vec());
    collapse(&mut before, &mut body, &mut after, search);
    if let [Expression::Repeat(inner)] = &body[..] {
        body = inner.clone();
    }
    if !is_admissible(&body) || !is_told_apart(&body, &after) {
        return;
    }
    before.push(Expression::Repeat(body));
    before.extend(after);
    found.push((rank, before));
}

/// Optionals: what the page has more, or the expression.
fn optionals(
    list: &[Expression],
    mismatch: &Mismatch,
    symbols: &[Symbol],
    search: &Search<'_>,
    found: &mut Vec<Attempt>,
) {
    let (index, token) = (mismatch.index, mismatch.token);
    let most = search.options.candidates_max;
    let wanted = list.get(index).and_then(first_leaf);
    let later = (token + 1..symbols.len()).filter(|&at| Some(symbols[at]) == wanted);
    for (k, at) in later.take(most).enumerate() {
        if is_balanced(symbols[token..at].iter().copied()) {
            let mut changed = list.to_vec();
            changed.insert(index, optional_of(&symbols[token..at]));
            found.push((k as i64 - border(&list[index..], &symbols[at..]), changed));
        }
    }
    let there = symbols.get(token).copied();
    let later = (index + 1..list.len()).filter(|&at| first_leaf(&list[at]) == there && there.is_some());
    for (k, at) in later.take(most).enumerate() {
        let stretch = &list[index..at];
        let is_whole = expression_square(stretch).is_some();
        if is_whole && !matches!(stretch, [Expression::Optional(_)]) {
            let mut changed = list[..index].to_vec();
            changed.push(Expression::Optional(stretch.to_vec()));
            changed.extend_from_slice(&list[at..]);
            found.push((k as i64 - border(&list[at..], &symbols[token..]), changed));
        }
    }
}

/// How many tokens keep matching, at most sixteen.
fn border(list: &[Expression], symbols: &[Symbol]) -> i64 {
    let is_same =
        |(expression, symbol): &(&Expression, &Symbol)| matches!(expression, Expression::Token(own) if own == *symbol);
    list.iter().zip(symbols).take(16).take_while(is_same).count() as i64
}

/// Everything inside the element around a mismatch, as a subtree.
fn subtree(whole: &[Expression], mismatch: &Mismatch, symbols: &[Symbol]) -> Option<Attempt> {
    let mut path = mismatch.path.clone();
    let mut index = mismatch.index;
    let own = list_at(whole, &path)
        .get(index)
        .and_then(first_leaf)
        .map(|symbol| symbol.depth);
    let there = symbols.get(mismatch.token).map(|symbol| symbol.depth);
    let depth = match (own, there) {
        (Some(own), Some(there)) if own != there => own.min(there),
        (Some(depth), _) | (None, Some(depth)) => depth.checked_sub(1)?,
        (None, None) => return None,
    };
    loop {
        let list = list_at(whole, &path);
        let is_tag = |at: usize, kind: SymbolKind| matches!(&list[at], Expression::Token(symbol) if symbol.kind == kind && symbol.depth == depth);
        let start = (0..index.min(list.len()))
            .rev()
            .find(|&at| is_tag(at, SymbolKind::Open));
        let end = (index..list.len()).find(|&at| is_tag(at, SymbolKind::Close));
        if let (Some(start), Some(end)) = (start, end) {
            let mut changed = list[..=start].to_vec();
            changed.push(Expression::Subtree(depth));
            changed.extend_from_slice(&list[end..]);
            return Some((1_000_000_000 - i64::from(depth), with_list(whole, &path, changed)));
        }
        index = path.pop()?;
    }
}
