//! The files of a lesson: examples and answers, as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use untemplate::teach::{Answer, ShownValue, Spot};

use crate::outcome::WrongUsage;

/// Answers that were written down beforehand: the values of a field on a page, none where it is
/// absent; the links of a request class on a page.
#[derive(Debug, Default)]
pub struct Answers {
    values: BTreeMap<String, BTreeMap<String, Vec<ShownValue>>>,
    unwanted: BTreeSet<String>,
}

impl Answers {
    /// Reads `{"a.htm": {"price": ["$ 9"]}, "b.htm": false}`.
    pub fn read(file: &Path) -> Result<Self> {
        let shape = r#"give {"a.htm": {"price": ["$ 9"]}}"#;
        let wrong = |what: &str| WrongUsage(format!("{}: {what}; {shape}", file.display()));
        let json = parse_json(file, &read_text(file, "answers")?)?;
        let mut answers = Self::default();
        for (page, fields) in json.as_object().ok_or_else(|| wrong("it is no object of pages"))? {
            if *fields == Value::Bool(false) {
                answers.unwanted.insert(page.clone());
                continue;
            }
            let fields = fields
                .as_object()
                .ok_or_else(|| wrong("a page is no object of fields"))?;
            for (field, values) in fields {
                let values = values.as_array().ok_or_else(|| wrong("a field is no list of values"))?;
                // An answer that is not understood is none; "absent" is an empty list.
                let shown: Result<Vec<ShownValue>, String> = values.iter().map(shown_value).collect();
                let shown = shown.map_err(|what| wrong(&format!("a value of {field} on {page} {what}")))?;
                answers
                    .values
                    .entry(page.clone())
                    .or_default()
                    .insert(field.clone(), shown);
            }
        }
        Ok(answers)
    }

    /// The answer to one question; `None` when the file has none.
    pub fn look_up(&self, page: &str, field: &str) -> Option<Answer> {
        if self.unwanted.contains(page) {
            return Some(Answer::Unwanted);
        }
        self.values.get(page)?.get(field).cloned().map(Answer::Values)
    }
}

/// A value: a text, or an object of the text (`value`), the path to its place (`at`), and how many
/// letters of the text there stand before it (`offset`). The error says what is wrong with it.
pub fn shown_value(json: &Value) -> Result<ShownValue, String> {
    let text = json.as_str().or_else(|| json["value"].as_str()).map(collapsed);
    let text = text
        .filter(|text| !text.is_empty())
        .ok_or("is no text, or an empty one")?;
    let path = match &json["at"] {
        Value::Null => return Ok(text.into()),
        Value::String(path) => path,
        _ => return Err("has an `at` that is no text; give a path such as //dd[2]".to_owned()),
    };
    let is_understood = |error| format!("has an `at` that is no path: {error}");
    let path = path.parse().map_err(is_understood)?;
    let offset = match &json["offset"] {
        Value::Null => None,
        offset => {
            let offset = offset.as_u64().and_then(|offset| usize::try_from(offset).ok());
            Some(offset.ok_or("has an `offset` that is no number of letters")?)
        }
    };
    let spot = Some(Spot { path, offset });
    Ok(ShownValue { text, spot })
}

/// Reads a file of text.
pub fn read_text(file: &Path, what: &str) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read the {what} in {}", file.display()))
}

/// The JSON that a file has.
pub fn parse_json(file: &Path, text: &str) -> Result<Value> {
    serde_json::from_str(text)
        .map_err(|error| WrongUsage(format!("{} is no JSON: {error}", file.display())))
        .map_err(Into::into)
}

/// A text with each run of white space as one blank.
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: Option<&[&str]>) {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("answers.json");
        fs::write(&file, json).expect("a file can be written");
        let answers = Answers::read(&file);
        assert_eq!(answers.is_ok(), expected.is_some(), "{json}: {answers:?}");
        match answers {
            Ok(answers) => assert_eq!(
                answers.look_up("a", "b"),
                expected.map(|its| Answer::Values(its.iter().map(|&it| it.into()).collect()))
            ),
            Err(error) => assert!(error.downcast_ref::<WrongUsage>().is_some(), "{error}"),
        }
    }

    #[test]
    fn a_value_may_name_its_place() {
        let read = |text: &str| shown_value(&serde_json::from_str(text).expect("the test is JSON"));
        let shown = read(r#"{"value": " x  y ", "at": "//dd[2]", "offset": 3}"#).expect("it is one");
        let spot = shown.spot.expect("it has a place");
        assert_eq!(
            (shown.text.as_str(), spot.path.to_string(), spot.offset),
            ("x y", "/descendant::dd[2]".to_owned(), Some(3))
        );
        assert!(read(r#"{"value": "x", "at": "]"}"#).is_err_and(|what| what.contains("no path")));
        assert!(read(r#"{"value": "x", "at": 3}"#).is_err());
        assert!(read(r#"{"value": "x", "at": "//b", "offset": -1}"#).is_err_and(|what| what.contains("offset")));
    }

    #[test]
    fn answers_are_texts_and_nothing_else() {
        check(r#"{"a": {"b": [" x  y "]}}"#, Some(&["x y"]));
        check(r#"{"a": {"b": []}}"#, Some(&[]));
        for value in ["9", "null", "true", "\"\"", "[\"x\"]", "\"x\", 9"] {
            check(&format!("{{\"a\": {{\"b\": [{value}]}}}}"), None);
        }
    }
}
