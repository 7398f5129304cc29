//! The files of a lesson: examples and answers, as JSON.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::outcome::WrongUsage;

/// One example: a field's value on a page, by the page's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedExample {
    /// The field.
    pub field: String,
    /// The page, as the command line names it.
    pub page: String,
    /// The value, white space collapsed.
    pub value: String,
}

/// Reads `{"fields": {"price": [{"page": "a.htm", "value": "$ 9"}]}}`.
pub fn read_examples(file: &Path) -> Result<Vec<NamedExample>> {
    let shape = r#"give {"fields": {"price": [{"page": "a.htm", "value": "$ 9"}]}}"#;
    let wrong = |what: String| WrongUsage(format!("{}: {what}; {shape}", file.display()));
    let json = read_json(file, "examples")?;
    let Some(fields) = json["fields"].as_object() else {
        bail!(wrong("there is no object `fields`".to_owned()));
    };
    let mut examples = Vec::new();
    for (field, shown) in fields {
        let Some(shown) = shown.as_array() else {
            bail!(wrong(format!("the examples of {field} are no list")));
        };
        for example in shown {
            let (Some(page), Some(value)) = (example["page"].as_str(), example["value"].as_str()) else {
                bail!(wrong(format!("an example of {field} has no `page` or no `value`")));
            };
            let value = collapsed(value);
            if value.is_empty() {
                bail!(wrong(format!("an example of {field} on {page} is empty")));
            }
            let (field, page) = (field.clone(), page.to_owned());
            examples.push(NamedExample { field, page, value });
        }
    }
    if examples.is_empty() {
        bail!(wrong("there is no example in it".to_owned()));
    }
    Ok(examples)
}

/// Answers that were written down beforehand: the values of a field on a page, none where it is absent.
#[derive(Debug)]
pub struct Answers(BTreeMap<String, BTreeMap<String, Vec<String>>>);

impl Answers {
    /// Reads `{"a.htm": {"price": ["$ 9"]}}`.
    pub fn read(file: &Path) -> Result<Self> {
        let shape = r#"give {"a.htm": {"price": ["$ 9"]}}"#;
        let wrong = |what: &str| WrongUsage(format!("{}: {what}; {shape}", file.display()));
        let json = read_json(file, "answers")?;
        let mut answers: BTreeMap<String, BTreeMap<String, Vec<String>>> = BTreeMap::new();
        for (page, fields) in json.as_object().ok_or_else(|| wrong("it is no object of pages"))? {
            let fields = fields
                .as_object()
                .ok_or_else(|| wrong("a page is no object of fields"))?;
            for (field, values) in fields {
                let values = values.as_array().ok_or_else(|| wrong("a field is no list of values"))?;
                let text = |value: &Value| value.as_str().map(collapsed).filter(|text| !text.is_empty());
                let texts: Option<Vec<String>> = values.iter().map(text).collect();
                // An answer that is not understood is none; "absent" is an empty list.
                let odd = || wrong(&format!("a value of {field} on {page} is no text, or an empty one"));
                let texts = texts.ok_or_else(odd)?;
                answers.entry(page.clone()).or_default().insert(field.clone(), texts);
            }
        }
        Ok(Self(answers))
    }

    /// The answer to one question; `None` when the file has none.
    pub fn look_up(&self, page: &str, field: &str) -> Option<&[String]> {
        self.0.get(page)?.get(field).map(Vec::as_slice)
    }
}

fn read_json(file: &Path, what: &str) -> Result<Value> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read the {what} in {}", file.display()))?;
    serde_json::from_str(&text)
        .map_err(|error| WrongUsage(format!("{} is no JSON: {error}", file.display())))
        .map_err(Into::into)
}

fn collapsed(text: &str) -> String {
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
                expected
                    .map(|its| its.iter().map(|&it| it.to_owned()).collect::<Vec<String>>())
                    .as_deref()
            ),
            Err(error) => assert!(error.downcast_ref::<WrongUsage>().is_some(), "{error}"),
        }
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
