//! JSON-LD: the scripts of a page whose type is `application/ld+json`.

use serde_json::{Map, Value};
use untemplate_html::{Dom, Name, NodeId, Problem};

use super::{Budget, DEPTH_MAX, DataItem, DataSyntax, DataValue, PageData, plain_name};
use crate::page::Page;

/// Reads all scripts; what is no JSON is a problem.
pub(super) fn read(page: &Page, budget: &mut Budget, data: &mut PageData) {
    let dom = &page.dom;
    for script in dom.nodes().filter(|&node| is_json_ld(dom, node)) {
        let texts = dom.subtree(script).filter(|&node| dom.is_text(node));
        let text: String = texts.map(|node| dom.text(node)).collect();
        match serde_json::from_str::<Value>(bare(&text)) {
            Ok(value) => take_top(page, &value, budget, data),
            Err(error) => {
                let message = format!("JSON-LD that is no JSON: {error}");
                data.problems.push(Problem::new("bad data", message));
            }
        }
    }
}

fn is_json_ld(dom: &Dom, node: NodeId) -> bool {
    let kind = dom.attribute(node, Name::TYPE).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim();
    dom.is_html(node, Name::SCRIPT) && kind.eq_ignore_ascii_case("application/ld+json")
}

/// The JSON of a script, without the comment or CDATA that some put around it and the semicolon
/// behind it.
fn bare(text: &str) -> &str {
    let mut bare = text.trim().trim_end_matches(';').trim_end();
    for (open, close) in [("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")] {
        if let Some(inner) = bare.strip_prefix(open) {
            bare = inner.trim_end().strip_suffix(close).unwrap_or(inner).trim();
            bare = bare.trim_end_matches(';').trim_end();
        }
    }
    bare
}

/// Takes the items at the top: one, several, or those of a graph.
fn take_top(page: &Page, value: &Value, budget: &mut Budget, data: &mut PageData) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| take_top(page, value, budget, data)),
        Value::Object(object) if object.contains_key("@graph") && !object.contains_key("@type") => {
            take_top(page, &object["@graph"], budget, data);
        }
        Value::Object(object) => data.items.push(item(page, object, 0, budget)),
        _ => {}
    }
}

fn item(page: &Page, object: &Map<String, Value>, depth: usize, budget: &mut Budget) -> DataItem {
    let mut item = DataItem::new(DataSyntax::JsonLd);
    for (name, value) in object {
        match name.as_str() {
            "@type" => item.types = texts(value).map(|text| plain_name(text).to_owned()).collect(),
            "@id" => item.id = texts(value).next().map(|text| resolved(page, text)),
            "@context" => {}
            "@graph" if depth < DEPTH_MAX => push(page, &mut item, name, value, depth, budget),
            name if name.starts_with('@') => {}
            name => push(page, &mut item, plain_name(name), value, depth, budget),
        }
    }
    item
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let several = value.as_array().into_iter().flatten();
    value.as_str().into_iter().chain(several.filter_map(Value::as_str))
}

fn resolved(page: &Page, text: &str) -> String {
    page.base.join(text).map_or_else(|_| text.to_owned(), String::from)
}

/// Adds what a property has: each of several values by itself.
fn push(page: &Page, item: &mut DataItem, name: &str, value: &Value, depth: usize, budget: &mut Budget) {
    let text = |text: &str| (name.to_owned(), DataValue::Text(text.trim().to_owned()));
    match value {
        Value::Null => {}
        Value::Array(values) => {
            if depth < DEPTH_MAX {
                values
                    .iter()
                    .for_each(|value| push(page, item, name, value, depth + 1, budget));
            }
        }
        _ if !budget.spend() => {}
        Value::String(told) => item.properties.push(text(told)),
        Value::Bool(_) | Value::Number(_) => item.properties.push(text(&value.to_string())),
        Value::Object(object) => match inner(object) {
            Some(inner) => push(page, item, name, inner, depth, budget),
            None if is_reference(object) => {
                let id = object["@id"].as_str().unwrap_or_default();
                item.properties.push(text(&resolved(page, id)));
            }
            None if depth < DEPTH_MAX => {
                let own = self::item(page, object, depth + 1, budget);
                item.properties.push((name.to_owned(), DataValue::Item(own)));
            }
            None => {}
        },
    }
}

/// The value that an object only wraps.
fn inner(object: &Map<String, Value>) -> Option<&Value> {
    ["@value", "@list", "@set"].iter().find_map(|&name| object.get(name))
}

/// Whether an object only names another one.
fn is_reference(object: &Map<String, Value>) -> bool {
    object.len() == 1 && object.get("@id").is_some_and(Value::is_string)
}
