//! Expressions: regular expressions without union over the tokens of pages.

use crate::page::{TokenCode, TokenInterner};

use super::token::{Symbol, SymbolKind};

/// A part of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A tag, or a text that may be any.
    Token(Symbol),
    /// What may be missing; the papers say hook.
    Optional(Vec<Expression>),
    /// What comes once or more often; the papers say iterator or plus.
    Repeat(Vec<Expression>),
    /// Whatever stands deeper than this.
    Subtree(u16),
}

/// The expression that one page alone matches.
pub(super) fn of_symbols(symbols: &[Symbol]) -> Vec<Expression> {
    symbols.iter().map(|symbol| Expression::Token(*symbol)).collect()
}

/// The token that a part begins with; `None` for a subtree.
pub(super) fn first_leaf(expression: &Expression) -> Option<Symbol> {
    let mut at = expression;
    loop {
        match at {
            Expression::Token(symbol) => return Some(*symbol),
            Expression::Optional(body) | Expression::Repeat(body) => at = body.first()?,
            Expression::Subtree(_) => return None,
        }
    }
}

/// Two token lists that stand for an expression: optionals there and repeats once; optionals missing and repeats twice.
/// `None` when it has a subtree, which no list stands for.
pub(super) fn samples(list: &[Expression]) -> Option<[Vec<Symbol>; 2]> {
    let (mut full, mut lean) = (Vec::new(), Vec::new());
    push_sample(list, true, &mut full)?;
    push_sample(list, false, &mut lean)?;
    Some([full, lean])
}

/// The nesting of expressions is bounded by the search, so that recursion is shallow.
fn push_sample(list: &[Expression], is_full: bool, into: &mut Vec<Symbol>) -> Option<()> {
    for expression in list {
        match expression {
            Expression::Token(symbol) => into.push(*symbol),
            Expression::Optional(body) if is_full => push_sample(body, is_full, into)?,
            Expression::Optional(_) => {}
            Expression::Repeat(body) => {
                push_sample(body, is_full, into)?;
                if !is_full {
                    push_sample(body, is_full, into)?;
                }
            }
            Expression::Subtree(_) => return None,
        }
    }
    Some(())
}

/// An expression in the paper's notation. `text_of` gives the text of the n-th text token, counted in order; `None` for a field.
pub fn show_expression(list: &[Expression], interner: &TokenInterner, texts: &[Option<String>]) -> String {
    let mut shown = String::new();
    let mut n_texts = 0;
    show_list(list, interner, texts, &mut n_texts, &mut shown);
    shown
}

fn show_list(list: &[Expression], interner: &TokenInterner, texts: &[Option<String>], n_texts: &mut usize, shown: &mut String) {
    for expression in list {
        match expression {
            Expression::Token(symbol) if symbol.kind == SymbolKind::Text => {
                shown.push_str(texts.get(*n_texts).and_then(Option::as_deref).unwrap_or("#PCDATA"));
                *n_texts += 1;
            }
            Expression::Token(symbol) => {
                shown.push_str(if symbol.kind == SymbolKind::Open { "<" } else { "</" });
                shown.push_str(interner.text(TokenCode(symbol.code)));
                shown.push('>');
            }
            Expression::Optional(body) | Expression::Repeat(body) => {
                shown.push('(');
                show_list(body, interner, texts, n_texts, shown);
                shown.push_str(if matches!(expression, Expression::Repeat(_)) { ")+" } else { ")?" });
            }
            Expression::Subtree(_) => shown.push_str("<#SUBTREE>"),
        }
    }
}
