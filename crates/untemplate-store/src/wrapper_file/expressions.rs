//! Expressions as JSON: `{"tags": […], "wrappers": [{"pages", "ratio", "texts", "expression"}]}`.
//!
//! A tag of an expression is `["open", tag, depth]` or `["close", tag, depth]`, with the tag as an
//! index of `tags`; a text is `["text", depth]`; the others are `{"optional": […]}`,
//! `{"repeat": […]}` and `{"subtree": depth}`. `texts` has the template text of each text in order,
//! and null for fields.

use serde_json::{Value, json};
use untemplate_papers::roadrunner::{Expression, ExpressionSet, ExpressionWrapper, Symbol, SymbolKind};

use super::{VERSION, WrapperFileError};

/// Writes a set of expressions.
pub(super) fn write(set: &ExpressionSet) -> String {
    let wrappers: Vec<Value> = set
        .wrappers
        .iter()
        .map(|wrapper| {
            json!({
                "pages": wrapper.pages,
                "ratio": wrapper.ratio,
                "texts": wrapper.texts,
                "expression": list_to_json(&wrapper.expression),
            })
        })
        .collect();
    format!(
        "{}\n",
        json!({"version": VERSION, "kind": "expressions", "tags": set.tags, "wrappers": wrappers})
    )
}

/// The nesting of expressions is bounded by the search that made them, and by the JSON reader.
fn list_to_json(list: &[Expression]) -> Value {
    list.iter()
        .map(|expression| match expression {
            Expression::Token(symbol) => match symbol.kind {
                SymbolKind::Open => json!(["open", symbol.code, symbol.depth]),
                SymbolKind::Close => json!(["close", symbol.code, symbol.depth]),
                SymbolKind::Text => json!(["text", symbol.depth]),
            },
            Expression::Optional(body) => json!({"optional": list_to_json(body)}),
            Expression::Repeat(body) => json!({"repeat": list_to_json(body)}),
            Expression::Subtree(depth) => json!({"subtree": depth}),
        })
        .collect()
}

/// Reads a set of expressions.
pub(super) fn read(file: &Value) -> Result<ExpressionSet, WrapperFileError> {
    let tags = file["tags"].as_array().into_iter().flatten();
    let tags: Vec<String> = tags.map(|tag| tag.as_str().unwrap_or_default().to_owned()).collect();
    let wrappers = file["wrappers"].as_array().into_iter().flatten().enumerate();
    let wrappers: Result<Vec<ExpressionWrapper>, WrapperFileError> = wrappers
        .map(|(index, value)| wrapper_of_json(value).map_err(|what| WrapperFileError::Part { part: index, what }))
        .collect();
    Ok(ExpressionSet {
        tags,
        wrappers: wrappers?,
    })
}

fn wrapper_of_json(value: &Value) -> Result<ExpressionWrapper, String> {
    let texts = value["texts"].as_array().into_iter().flatten();
    let expression = list_of_json(&value["expression"])?;
    let (n_texts, n_wanted) = (texts.clone().count(), count_texts(&expression));
    if n_texts != n_wanted {
        return Err(format!("it has {n_texts} texts, and its expression has {n_wanted}"));
    }
    let pages = value["pages"].as_array().into_iter().flatten();
    Ok(ExpressionWrapper {
        expression,
        texts: texts.map(|text| text.as_str().map(str::to_owned)).collect(),
        pages: pages
            .filter_map(|page| page.as_u64().map(|page| page as usize))
            .collect(),
        ratio: value["ratio"].as_f64().unwrap_or(1.0),
    })
}

/// How many texts an expression has, fields included.
fn count_texts(list: &[Expression]) -> usize {
    let texts = list.iter().map(|expression| match expression {
        Expression::Token(symbol) => usize::from(symbol.kind == SymbolKind::Text),
        Expression::Optional(body) | Expression::Repeat(body) => count_texts(body),
        Expression::Subtree(_) => 0,
    });
    texts.sum()
}

fn list_of_json(value: &Value) -> Result<Vec<Expression>, String> {
    let list = value.as_array().ok_or_else(|| format!("{value} is no list"))?;
    list.iter()
        .map(|value| {
            if let Some(token) = value.as_array() {
                return token_of_json(token).ok_or_else(|| format!("{value} is no token"));
            }
            match (value.get("optional"), value.get("repeat"), depth_of(&value["subtree"])) {
                (Some(body), ..) => Ok(Expression::Optional(list_of_json(body)?)),
                (_, Some(body), _) => Ok(Expression::Repeat(list_of_json(body)?)),
                (.., Some(depth)) => Ok(Expression::Subtree(depth)),
                _ => Err(format!("{value} is no part of an expression")),
            }
        })
        .collect()
}

fn token_of_json(token: &[Value]) -> Option<Expression> {
    let (kind, code, depth) = match (token.first()?.as_str()?, &token[1..]) {
        ("text", [depth]) => (SymbolKind::Text, 0, depth_of(depth)?),
        ("open", [code, depth]) => (SymbolKind::Open, code.as_u64()?, depth_of(depth)?),
        ("close", [code, depth]) => (SymbolKind::Close, code.as_u64()?, depth_of(depth)?),
        _ => return None,
    };
    Some(Expression::Token(Symbol {
        kind,
        code: u32::try_from(code).ok()?,
        depth,
    }))
}

fn depth_of(value: &Value) -> Option<u16> {
    u16::try_from(value.as_u64()?).ok()
}
