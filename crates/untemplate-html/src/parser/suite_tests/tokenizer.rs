//! The tokenizer suite: JSON cases with initial states and expected tokens. Parse errors are not
//! compared.

use serde_json::{Value, json};

use super::super::parse::plain_line_ends;
use super::super::span::Span;
use super::super::token::{Doctype, Token};
use super::super::tokenizer::{TextKind, Tokenizer};
use super::{Exception, Tally, suite_files, suite_folder};

const NOT_XML: &str = "asks for what XML would need, which a tree for reading does not";
const LONE_SURROGATE: &str = "has a lone surrogate, which no decoder of bytes produces";

const EXCEPTIONS: &[Exception] = &[
    ("unicodeCharsProblematic.test", 0, LONE_SURROGATE),
    ("unicodeCharsProblematic.test", 1, LONE_SURROGATE),
    ("unicodeCharsProblematic.test", 2, LONE_SURROGATE),
    ("unicodeCharsProblematic.test", 3, LONE_SURROGATE),
    ("xmlViolation.test", 0, NOT_XML),
    ("xmlViolation.test", 1, NOT_XML),
    ("xmlViolation.test", 2, NOT_XML),
];

#[test]
fn suite_html_tokenizer() {
    let Some(folder) = suite_folder("html-tokenizer") else {
        return;
    };
    let mut tally = Tally::default();
    for (file, bytes) in suite_files(&folder, ".test") {
        let suite: Value = serde_json::from_slice(&bytes).expect("suites are JSON");
        let cases = suite
            .get("tests")
            .or(suite.get("xmlViolationTests"))
            .and_then(Value::as_array);
        let mut number = 0;
        for case in cases.expect("a suite has cases") {
            for state in states(case) {
                tally.count(&file, number, failure(case, &state), EXCEPTIONS);
                number += 1;
            }
        }
    }
    tally.close("html-tokenizer");
}

fn states(case: &Value) -> Vec<String> {
    match case.get("initialStates").and_then(Value::as_array) {
        Some(states) => states.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        None => vec!["Data state".to_owned()],
    }
}

/// What is wrong with a case in a state, if anything.
fn failure(case: &Value, state: &str) -> Option<String> {
    let double = case.get("doubleEscaped").and_then(Value::as_bool).unwrap_or(false);
    let Some(input) = text(case["input"].as_str().unwrap_or(""), double) else {
        return Some(LONE_SURROGATE.to_owned());
    };
    let expected: Option<Vec<Value>> = merged(case["output"].as_array().expect("a case has output"))
        .into_iter()
        .map(|token| unescaped(token, double))
        .collect();
    let Some(expected) = expected else {
        return Some(LONE_SURROGATE.to_owned());
    };
    let found = tokens(&input, state, case.get("lastStartTag").and_then(Value::as_str));
    (found != expected).then(|| format!("{input:?} in {state}: found {found:?}, expected {expected:?}"))
}

/// Text with its `\uXXXX` undone where the case has them twice.
fn text(text: &str, double: bool) -> Option<String> {
    if !double {
        return Some(text.to_owned());
    }
    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
}

fn unescaped(token: Value, double: bool) -> Option<Value> {
    match token {
        Value::String(string) => text(&string, double).map(Value::String),
        Value::Array(parts) => parts
            .into_iter()
            .map(|part| unescaped(part, double))
            .collect::<Option<_>>()
            .map(Value::Array),
        other => Some(other),
    }
}

/// Neighbouring character tokens as one.
fn merged(tokens: &[Value]) -> Vec<Value> {
    let mut merged: Vec<Value> = Vec::new();
    for token in tokens {
        if token[0] == "Character"
            && let Some(last) = merged.last_mut()
            && last[0] == "Character"
        {
            let joined = format!("{}{}", last[1].as_str().unwrap_or(""), token[1].as_str().unwrap_or(""));
            last[1] = Value::String(joined);
        } else {
            merged.push(token.clone());
        }
    }
    merged
}

fn tokens(input: &str, state: &str, last_start_tag: Option<&str>) -> Vec<Value> {
    let input = plain_line_ends(input);
    let mut tokenizer = Tokenizer::new(&input, usize::MAX);
    tokenizer.text_kind = match state {
        "Data state" => TextKind::Data,
        "RCDATA state" => TextKind::EscapableRaw,
        "RAWTEXT state" => TextKind::Raw,
        "Script data state" => TextKind::Script,
        "PLAINTEXT state" => TextKind::Plain,
        "CDATA section state" => TextKind::CdataSection,
        other => panic!("no such state: {other}"),
    };
    tokenizer.last_start_tag = last_start_tag.map(|name| tokenizer.names.intern(name));
    let mut tokens = Vec::new();
    loop {
        let token = tokenizer.next();
        if token == Token::End {
            return merged(&tokens);
        }
        tokens.extend(value(&tokenizer, token));
    }
}

fn value(tokenizer: &Tokenizer<'_>, token: Token) -> Option<Value> {
    let text = |span: Span| tokenizer.text.get(span).to_owned();
    Some(match token {
        Token::Characters(span) if span.is_empty() => return None,
        Token::Characters(span) => json!(["Character", text(span)]),
        Token::Null => json!(["Character", "\0"]),
        // The standard made instructions of some of these comments after the suite was written.
        Token::Comment(span) | Token::Instruction { text: span, .. } => json!(["Comment", text(span)]),
        Token::Doctype(Doctype {
            name,
            public_id,
            system_id,
            force_quirks,
        }) => {
            json!([
                "DOCTYPE",
                name.map(text),
                public_id.map(text),
                system_id.map(text),
                !force_quirks
            ])
        }
        Token::EndTag => json!(["EndTag", tokenizer.names.text(tokenizer.tag.name?)]),
        Token::StartTag => {
            let tag = &tokenizer.tag;
            let attributes: serde_json::Map<String, Value> = tag
                .attributes
                .iter()
                .map(|attribute| {
                    (
                        tokenizer.names.text(attribute.name).to_owned(),
                        Value::String(text(attribute.value)),
                    )
                })
                .collect();
            let name = tokenizer.names.text(tag.name?);
            if tag.self_closing {
                json!(["StartTag", name, attributes, true])
            } else {
                json!(["StartTag", name, attributes])
            }
        }
        Token::End => return None,
    })
}
