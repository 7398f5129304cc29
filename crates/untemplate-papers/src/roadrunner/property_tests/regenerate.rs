//! Regeneration: an expression and what it took of a page, back to the page's tokens.
//!
//! The instance of a page is what a parse notes: its texts, the rounds of repeats, which optionals
//! are there, and the slices that subtrees took. Expression and instance together say all that the
//! token list says; the property tests hold that for every page an expression was inferred from.

use untemplate::page::Page;

use super::super::expression::Expression;
use super::super::expression_set::ExpressionSet;
use super::super::parse::{Parse, Step, parse_whole};
use super::super::token::Symbol;

impl ExpressionSet {
    /// Whether the expression that a page matches, with what it took of it, gives the page's token
    /// list back.
    pub fn round_trips(&self, page: &Page) -> bool {
        let symbols = self.list_of(page).symbols;
        self.wrappers.iter().any(|wrapper| {
            let (is_matched, parse) = parse_whole(&wrapper.expression, &symbols);
            is_matched && regenerate(&wrapper.expression, &parse, &symbols).is_some_and(|tokens| tokens == symbols)
        })
    }
}

/// The tokens that an expression and an instance stand for; `symbols` is where subtrees took their
/// slices from.
fn regenerate(list: &[Expression], parse: &Parse<'_>, symbols: &[Symbol]) -> Option<Vec<Symbol>> {
    let mut slices = parse.slices.iter();
    let mut steps = parse.steps.iter().peekable();
    let mut tokens = Vec::new();
    push(list, &mut steps, &mut slices, symbols, &mut tokens)?;
    steps.next().is_none().then_some(tokens)
}

type Steps<'a> = std::iter::Peekable<std::slice::Iter<'a, Step>>;
type Slices<'a> = std::slice::Iter<'a, (usize, usize, usize)>;

/// The nesting of expressions is bounded by the search, so that recursion is shallow.
fn push(
    list: &[Expression],
    steps: &mut Steps<'_>,
    slices: &mut Slices<'_>,
    symbols: &[Symbol],
    tokens: &mut Vec<Symbol>,
) -> Option<()> {
    use super::super::token::SymbolKind;
    for expression in list {
        match expression {
            Expression::Token(symbol) => {
                if symbol.kind == SymbolKind::Text && !matches!(steps.next()?, Step::Text(..)) {
                    return None;
                }
                tokens.push(*symbol);
            }
            Expression::Subtree(_) => {
                let (_, start, end) = slices.next()?;
                tokens.extend_from_slice(&symbols[*start..*end]);
            }
            Expression::Optional(body) => match steps.next()? {
                Step::Present(true) => push(body, steps, slices, symbols, tokens)?,
                Step::Present(false) => {}
                _ => return None,
            },
            Expression::Repeat(body) => {
                // Rounds that follow each other belong to this repeat: a neighbour that begins
                // alike is not admissible.
                let Some(Step::Enter(own)) = steps.peek().copied().copied() else {
                    return None;
                };
                while steps.peek() == Some(&&Step::Enter(own)) {
                    steps.next();
                    push(body, steps, slices, symbols, tokens)?;
                    if steps.next()? != &Step::Leave {
                        return None;
                    }
                }
            }
        }
    }
    Some(())
}
