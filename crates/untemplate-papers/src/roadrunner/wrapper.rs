//! Expression wrappers: from pages to expressions, and from an expression to the texts of a page.

use untemplate::page::{Dom, PageToken, PageTokenKind, TokenInterner};

use super::description::ratio;
use super::expression::{Expression, of_symbols};
use super::parse::{parse_whole, size};
use super::search::{Search, SearchOptions};
use super::token::Symbol;

/// An expression, and the pages that it was inferred from.
#[derive(Debug, Clone, PartialEq)]
pub struct ExpressionWrapper {
    /// The expression.
    pub expression: Vec<Expression>,
    /// The text of each text token that is template; `None` for fields.
    pub texts: Vec<Option<String>>,
    /// The numbers of the pages that match.
    pub pages: Vec<usize>,
    /// Bits that it needs for its pages, over bits without it.
    pub ratio: f64,
}

/// A page as a list.
pub(super) struct PageList {
    pub symbols: Vec<Symbol>,
    /// The text of each token that is a text; empty for tags.
    pub texts: Vec<String>,
}

impl PageList {
    pub fn of(dom: &Dom, interner: &mut TokenInterner) -> Self {
        let tokens: Vec<PageToken> = interner.tokens(dom);
        let text_of = |token: &PageToken| match token.kind {
            PageTokenKind::Text => interner.text(token.code).to_owned(),
            _ => String::new(),
        };
        Self {
            symbols: tokens.iter().map(Symbol::of).collect(),
            texts: tokens.iter().map(text_of).collect(),
        }
    }
}

/// The expressions of pages: one when they agree, else several. Pages that are about as long as
/// most come first.
pub fn infer_expressions(
    doms: &[&Dom],
    interner: &mut TokenInterner,
    options: &SearchOptions,
) -> Vec<ExpressionWrapper> {
    let pages: Vec<PageList> = doms.iter().map(|dom| PageList::of(dom, interner)).collect();
    let lists: Vec<&[Symbol]> = pages.iter().map(|page| &page.symbols[..]).collect();
    let mut classes = partition(&lists, options);
    classes.sort_by_key(|(_, members)| members[0]);
    let wrappers = classes.into_iter().map(|(expression, members)| {
        let expression = open_subtrees(expression, &members, &lists, options);
        finish(expression, members, &pages)
    });
    wrappers.collect()
}

type Class = (Vec<Expression>, Vec<usize>);

/// Each page joins the first expression that can be made to match it, else begins one of its own.
fn partition(lists: &[&[Symbol]], options: &SearchOptions) -> Vec<Class> {
    let mut lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
    lengths.sort_unstable();
    let median = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by_key(|&page| lists[page].len().abs_diff(median));
    let mut classes: Vec<Class> = Vec::new();
    for page in order {
        let joined = classes
            .iter()
            .enumerate()
            .find_map(|(index, class)| Some((index, join(class, page, lists, options)?)));
        match joined {
            Some((index, expression)) => {
                classes[index].0 = expression;
                classes[index].1.push(page);
                classes[index].1.sort_unstable();
            }
            None => classes.push((of_symbols(lists[page]), vec![page])),
        }
    }
    classes
}

/// The expression of a class, generalised to one page more.
fn join(
    (expression, members): &Class,
    page: usize,
    lists: &[&[Symbol]],
    options: &SearchOptions,
) -> Option<Vec<Expression>> {
    let holds = |wider: &[Expression]| members.iter().all(|&member| parse_whole(wider, lists[member]).0);
    Search::new(options).solve(expression, lists[page], &holds)
}

/// Infers again inside each subtree, from what it took of each page; it stays where that gives no
/// single expression.
fn open_subtrees(
    mut list: Vec<Expression>,
    members: &[usize],
    lists: &[&[Symbol]],
    options: &SearchOptions,
) -> Vec<Expression> {
    let inner = SearchOptions {
        subtrees: false,
        ..*options
    };
    for number in (0..list.iter().map(|expression| size(expression).1).sum::<usize>()).rev() {
        let slices: Vec<&[Symbol]> = members
            .iter()
            .flat_map(|&member| {
                let (_, parse) = parse_whole(&list, lists[member]);
                let own = parse.slices.into_iter().filter(move |(index, ..)| *index == number);
                own.map(move |(_, start, end)| &lists[member][start..end])
                    .collect::<Vec<_>>()
            })
            .collect();
        let there: Vec<&[Symbol]> = slices.iter().copied().filter(|slice| !slice.is_empty()).collect();
        let [(body, _)] = &partition(&there, &inner)[..] else {
            continue;
        };
        let body = if there.len() < slices.len() {
            vec![Expression::Optional(body.clone())]
        } else {
            body.clone()
        };
        let changed = replace_subtree(&list, &mut number.clone(), &body);
        if members.iter().all(|&member| parse_whole(&changed, lists[member]).0) {
            list = changed;
        }
    }
    list
}

/// The list with another body in place of the n-th subtree.
fn replace_subtree(list: &[Expression], number: &mut usize, body: &[Expression]) -> Vec<Expression> {
    let mut changed = Vec::with_capacity(list.len());
    for expression in list {
        let (_, own) = size(expression);
        if own <= *number {
            *number -= own;
            changed.push(expression.clone());
            continue;
        }
        match expression {
            Expression::Subtree(_) => changed.extend_from_slice(body),
            Expression::Optional(inner) => changed.push(Expression::Optional(replace_subtree(inner, number, body))),
            Expression::Repeat(inner) => changed.push(Expression::Repeat(replace_subtree(inner, number, body))),
            Expression::Token(_) => changed.push(expression.clone()),
        }
        // Nothing after it is meant any more.
        *number = usize::MAX;
    }
    changed
}

/// Tells fields from template: a text that has two values on the pages, or in two rounds, is a
/// field.
fn finish(expression: Vec<Expression>, members: Vec<usize>, pages: &[PageList]) -> ExpressionWrapper {
    let n_texts = expression.iter().map(|part| size(part).0).sum();
    let mut seen: Vec<Option<&str>> = vec![None; n_texts];
    let mut is_field = vec![false; n_texts];
    for &member in &members {
        for (number, token) in parse_whole(&expression, &pages[member].symbols).1.texts() {
            let text = pages[member].texts[token].as_str();
            is_field[number] |= seen[number].is_some_and(|before| before != text);
            seen[number] = Some(text);
        }
    }
    let own: Vec<&PageList> = members.iter().map(|&member| &pages[member]).collect();
    let lists: Vec<&[Symbol]> = own.iter().map(|page| &page.symbols[..]).collect();
    let lengths: Vec<Vec<usize>> = own
        .iter()
        .map(|page| page.texts.iter().map(String::len).collect())
        .collect();
    let ratio = ratio(&expression, &lists, &lengths, &is_field);
    let texts = seen
        .iter()
        .zip(&is_field)
        .map(|(text, is_field)| text.filter(|_| !is_field).map(str::to_owned))
        .collect();
    ExpressionWrapper {
        expression,
        texts,
        pages: members,
        ratio,
    }
}
