//! Expressions: regular expressions without union over the tokens of pages.

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

/// Two token lists that stand for an expression: optionals there and repeats once; optionals
/// missing and repeats twice. `None` when it has a subtree, which no list stands for.
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

/// An expression in the paper's notation: `texts` has the text of each text token, `None` for a
/// field.
pub fn show_expression(list: &[Expression], tags: &[String], texts: &[Option<String>]) -> String {
    let mut shown = String::new();
    show_list(list, tags, &mut texts.iter(), &mut shown);
    shown
}

fn show_list<'a>(
    list: &[Expression],
    tags: &[String],
    texts: &mut impl Iterator<Item = &'a Option<String>>,
    shown: &mut String,
) {
    for expression in list {
        match expression {
            Expression::Token(symbol) if symbol.kind == SymbolKind::Text => {
                shown.push_str(texts.next().and_then(Option::as_deref).unwrap_or("#PCDATA"));
            }
            Expression::Token(symbol) => {
                shown.push_str(if symbol.kind == SymbolKind::Open { "<" } else { "</" });
                shown.push_str(tags.get(symbol.code as usize).map_or("?", String::as_str));
                shown.push('>');
            }
            Expression::Optional(body) | Expression::Repeat(body) => {
                shown.push('(');
                show_list(body, tags, texts, shown);
                shown.push_str(if matches!(expression, Expression::Repeat(_)) {
                    ")+"
                } else {
                    ")?"
                });
            }
            Expression::Subtree(_) => shown.push_str("<#SUBTREE>"),
        }
    }
}
