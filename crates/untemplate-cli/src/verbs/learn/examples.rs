//! The examples file: what a person shows. Fields with their values, and where the pages are to be
//! found: an entry, links, forms.
//!
//! ```text
//! {"fields": {"price": [{"page": "a.htm", "value": "$ 9"}],
//!             "age": [{"page": "a.htm", "value": "23", "at": "//dd[2]"}]},
//!  "class": "ITEM", "not": ["service.htm"],
//!  "entry": "http://shop.example/",
//!  "links": [{"from": "http://shop.example/", "value": "Lamps", "to": "LIST"},
//!            {"from": "LIST", "value": "next", "to": "LIST"},
//!            {"from": "LIST", "value": ["Lamp A", "Lamp B"], "to": "ITEM"},
//!            {"from": "http://shop.example/", "form": {"kind": true, "words": ""}, "to": "LIST"}],
//!  "classes": {"LIST": ["http://shop.example/lamps/"]}}
//! ```
//!
//! Whatever is not understood is refused by its key, since a misspelt one would be without effect.

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use untemplate::teach::{FieldChoice, Means, NamedExample, Navigation, Origin, Values};
use url::Url;

use super::lesson::{collapsed, parse_json, read_text, shown_value};
use crate::outcome::WrongUsage;

/// What the class of the entries is called unless somebody says otherwise.
const ENTRY_CLASS: &str = "HOME";

/// All that an examples file shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Examples {
    /// Values of fields.
    pub fields: Vec<NamedExample>,
    /// What the class of those pages is called.
    pub class: Option<String>,
    /// Pages that are like those of the class, and not wanted.
    pub not: Vec<String>,
    /// Where paths begin.
    pub entries: Vec<Url>,
    /// The class of the entries.
    pub entry_class: String,
    /// The navigation from there.
    pub navigation: Vec<Navigation>,
    /// Pages whose class is known.
    pub classes: Vec<(String, Vec<String>)>,
}

/// Reads an examples file; what is wrong with it is told by its key.
pub fn read_examples(file: &Path) -> Result<Examples> {
    let text = read_text(file, "examples")?;
    let json = parse_json(file, &text)?;
    let mut examples = examples_of(&json).map_err(|what| WrongUsage(format!("{}: {what}", file.display())))?;
    let order: FieldOrder = serde_json::from_str(&text).unwrap_or_default();
    examples
        .fields
        .sort_by_key(|example| order.fields.0.iter().position(|field| *field == example.field));
    Ok(examples)
}

/// The names of the fields in the order of the file, which objects of JSON do not keep: columns
/// have that order.
#[derive(serde::Deserialize, Default)]
struct FieldOrder {
    #[serde(default)]
    fields: Keys,
}

/// The keys of an object, in the order of the file.
#[derive(Default)]
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Keys;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
                let mut keys = Vec::new();
                while let Some((key, IgnoredAny)) = map.next_entry()? {
                    keys.push(key);
                }
                Ok(Keys(keys))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

const KEYS: [&str; 6] = ["fields", "class", "not", "entry", "links", "classes"];

fn examples_of(json: &Value) -> Result<Examples, String> {
    let Some(all) = json.as_object() else {
        return Err(format!("it is no object; {SHAPE}"));
    };
    refuse_unknown(all, "", &KEYS)?;
    let mut examples = Examples {
        fields: fields(&json["fields"])?,
        class: text_at(all, "", "class")?,
        not: texts_at(all, "", "not")?,
        classes: classes(&json["classes"])?,
        ..Examples::default()
    };
    for entry in texts_at(all, "", "entry")? {
        examples.entries.push(
            address(&entry)
                .ok_or_else(|| format!("entry: {entry:?} is no address; give one such as http://site.example/"))?,
        );
    }
    let of_entry = |(_, pages): &&(String, Vec<String>)| {
        pages
            .iter()
            .any(|page| address(page).is_some_and(|url| examples.entries.contains(&url)))
    };
    let named = examples.classes.iter().find(of_entry).map(|(class, _)| class.clone());
    examples.entry_class = named.unwrap_or_else(|| ENTRY_CLASS.to_owned());
    if let Some(links) = all.get("links") {
        let Some(links) = links.as_array() else {
            return Err("links: it is no list".to_owned());
        };
        for (index, link) in links.iter().enumerate() {
            examples.navigation.push(navigation(link, &format!("links[{index}]"))?);
        }
    }
    if examples.entries.is_empty() != examples.navigation.is_empty() {
        let (has, lacks) = if examples.navigation.is_empty() {
            ("entry", "links")
        } else {
            ("links", "entry")
        };
        return Err(format!(
            "there is `{has}` and no `{lacks}`; both are needed to find pages"
        ));
    }
    Ok(examples)
}

const SHAPE: &str = r#"give {"fields": {"price": [{"page": "a.htm", "value": "$ 9"}]}}"#;

fn fields(json: &Value) -> Result<Vec<NamedExample>, String> {
    let Some(fields) = json.as_object() else {
        return Err(format!("there is no object `fields`; {SHAPE}"));
    };
    let mut examples = Vec::new();
    for (field, shown) in fields {
        let Some(shown) = shown.as_array() else {
            return Err(format!("the examples of {field} are no list; {SHAPE}"));
        };
        for example in shown {
            let Some(page) = example["page"].as_str().filter(|_| example["value"].is_string()) else {
                return Err(format!("an example of {field} has no `page` or no `value`; {SHAPE}"));
            };
            let value =
                shown_value(example).map_err(|what| format!("an example of {field} on {page} {what}; {SHAPE}"))?;
            let (field, page) = (field.clone(), page.to_owned());
            examples.push(NamedExample { field, page, value });
        }
    }
    if examples.is_empty() {
        return Err(format!("there is no example in it; {SHAPE}"));
    }
    Ok(examples)
}

fn classes(json: &Value) -> Result<Vec<(String, Vec<String>)>, String> {
    let Some(classes) = json.as_object() else {
        return if json.is_null() {
            Ok(Vec::new())
        } else {
            Err(r#"classes: it is no object; give {"LIST": ["http://site.example/lamps/"]}"#.to_owned())
        };
    };
    let class = |id: &String| {
        check_name(id, "classes")?;
        Ok((id.clone(), texts_at(classes, "classes", id)?))
    };
    classes.keys().map(class).collect()
}

/// One of the `links`: where it departs from, what is followed, where it leads.
fn navigation(json: &Value, key: &str) -> Result<Navigation, String> {
    let Some(shown) = json.as_object() else {
        return Err(format!(
            r#"{key}: it is no object; give {{"from": "PAGE or CLASS", "value": "TEXT", "to": "CLASS"}}"#
        ));
    };
    refuse_unknown(shown, key, &["from", "value", "form", "to", "name"])?;
    let needed = |name: &str| text_at(shown, key, name)?.ok_or_else(|| format!("{key}.{name}: it is missing"));
    let from = needed("from")?;
    let origin = match address(&from) {
        Some(url) => Origin::Page(url),
        None if from.contains(['/', ' ']) => {
            return Err(format!(
                "{key}.from: {from:?} is neither an http address nor the name of a class"
            ));
        }
        None => Origin::Class(from),
    };
    let means = match (shown.get("value"), shown.get("form")) {
        (Some(_), None) => Means::Links {
            shown: texts_at(shown, key, "value")?
                .iter()
                .map(|value| collapsed(value).into())
                .collect(),
            rule: None,
        },
        (None, Some(form)) => Means::Form {
            path: None,
            fields: choices(form, &format!("{key}.form"))?,
        },
        _ => {
            return Err(format!(
                "{key}: give either `value`, the text or address of a link, or `form`"
            ));
        }
    };
    let (id, to) = (text_at(shown, key, "name")?, needed("to")?);
    id.iter().try_for_each(|id| check_name(id, &format!("{key}.name")))?;
    check_name(&to, &format!("{key}.to"))?;
    let id = id.unwrap_or_default();
    Ok(Navigation { id, origin, to, means })
}

/// What the fields of a form are given: a text, each of a list, `true` for each that is offered,
/// `false` for none.
fn choices(json: &Value, key: &str) -> Result<Vec<FieldChoice>, String> {
    let Some(form) = json.as_object().filter(|form| !form.is_empty()) else {
        return Err(format!(
            r#"{key}: it is no object of fields; give {{"kind": true, "words": ""}}"#
        ));
    };
    let choice = |(name, value): (&String, &Value)| {
        let values = match value {
            Value::String(text) => Values::Constant(text.clone()),
            Value::Bool(true) => Values::Options,
            Value::Bool(false) => Values::Omitted,
            Value::Array(_) => Values::Listed(texts_at(form, key, name)?),
            _ => {
                return Err(format!(
                    "{key}.{name}: give a text, a list of texts, true for each that the page offers, or false for not at all"
                ));
            }
        };
        let name = name.clone();
        Ok(FieldChoice { name, values })
    };
    form.iter().map(choice).collect()
}

fn check_name(id: &str, key: &str) -> Result<(), String> {
    let is_name = id.starts_with(|c: char| c.is_ascii_alphanumeric())
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
    if is_name {
        return Ok(());
    }
    Err(format!(
        "{key}: {id:?} cannot be the name of a class; use letters, digits, '_', '-' and '.'"
    ))
}

fn address(text: &str) -> Option<Url> {
    Url::parse(text)
        .ok()
        .filter(|url| matches!(url.scheme(), "http" | "https"))
}

fn refuse_unknown(object: &Map<String, Value>, key: &str, known: &[&str]) -> Result<(), String> {
    let dot = if key.is_empty() { "" } else { "." };
    match object.keys().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(format!(
            "{key}{dot}{name}: there is no such key; there are {}",
            known.join(", ")
        )),
        None => Ok(()),
    }
}

fn text_at(object: &Map<String, Value>, key: &str, name: &str) -> Result<Option<String>, String> {
    let dot = if key.is_empty() { "" } else { "." };
    match object.get(name) {
        None => Ok(None),
        Some(Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.clone())),
        Some(_) => Err(format!("{key}{dot}{name}: it is no text, or an empty one")),
    }
}

/// A text, or a list of some.
fn texts_at(object: &Map<String, Value>, key: &str, name: &str) -> Result<Vec<String>, String> {
    let dot = if key.is_empty() { "" } else { "." };
    let text = |value: &Value| value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
    let texts: Option<Vec<String>> = match object.get(name) {
        None => return Ok(Vec::new()),
        Some(Value::Array(all)) => all.iter().map(text).collect(),
        Some(value) => text(value).map(|text| vec![text]),
    };
    let texts = texts.filter(|texts| !texts.is_empty());
    texts.ok_or_else(|| format!("{key}{dot}{name}: give a text or a list of texts, none of them empty"))
}

/// An error that names one of the links of an examples file.
pub fn wrong_link(file: &Path, index: usize, key: &str, what: &str) -> anyhow::Error {
    WrongUsage(format!("{}: links[{index}].{key}: {what}", file.display())).into()
}

/// An error when there is nothing to learn from.
pub fn refuse_no_pages(has_pages: bool, examples: &Examples) -> Result<()> {
    if !has_pages && examples.navigation.is_empty() {
        bail!(WrongUsage(
            "give pages to learn from, or say in the examples how they are found: `entry` and `links`".to_owned()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(more: &str, expected: &str) {
        let text = format!(r#"{{"fields": {{"a": [{{"page": "p", "value": " x  y "}}]}}{more}}}"#);
        let json: Value = serde_json::from_str(&text).expect("the test is JSON");
        let told = examples_of(&json).map_or_else(|error| error, |examples| format!("{:?}", examples.navigation));
        assert!(told.contains(expected), "{more}: {told}");
    }

    #[test]
    fn what_is_wrong_is_told_by_its_key() {
        check("", "[]");
        check(
            r#", "link": []"#,
            "link: there is no such key; there are fields, class,",
        );
        check(r#", "entry": "shop""#, "entry: \"shop\" is no address");
        check(r#", "entry": "http://a.example/""#, "there is `entry` and no `links`");
        let links = |link: &str| format!(r#", "entry": ["http://a.example/"], "links": [{link}]"#);
        check(
            &links(r#"{"from": "LIST", "value": "next", "to": "LIST"}"#),
            r#"Links { shown: [ShownValue { text: "next", spot: None }], rule: None }"#,
        );
        check(
            &links(r#"{"from": "LIST", "value": "next"}"#),
            "links[0].to: it is missing",
        );
        check(
            &links(r#"{"from": "LIST", "to": "LIST"}"#),
            "links[0]: give either `value`",
        );
        check(
            &links(r#"{"from": "a/b", "value": "x", "to": "LIST"}"#),
            "links[0].from: \"a/b\" is neither",
        );
        check(
            &links(r#"{"from": "LIST", "value": [3], "to": "LIST"}"#),
            "links[0].value: give a text or a list",
        );
        check(
            &links(r#"{"from": "LIST", "values": "x", "to": "LIST"}"#),
            "links[0].values: there is no such key",
        );
        check(
            &links(r#"{"from": "LIST", "form": {"q": 3}, "to": "LIST"}"#),
            "links[0].form.q: give a text",
        );
        let form = r#"{"from": "LIST", "form": {"a": true, "b": false, "c": "", "d": ["x"]}, "to": "LIST"}"#;
        check(
            &links(form),
            r#"values: Options }, FieldChoice { name: "b", values: Omitted }, FieldChoice { name: "c", values: Constant("") }, FieldChoice { name: "d", values: Listed(["x"])"#,
        );
    }
}
