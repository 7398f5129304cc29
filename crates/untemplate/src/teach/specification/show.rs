//! A specification as text for a person: the intensional level, with the rules that make it run.

use super::super::{CleanUp, RowField, TaughtRows, TaughtRule};
use super::model::{FormRule, NavigationalPath, RequestClass, RequestMeans, Specification, TaughtClass, Values};
use crate::page::Method;
use crate::rule::{ExtractionRule, Locator};

/// Prints the page classes in order, each with its assertion, what leaves it and what is read on
/// it; then the paths.
pub fn show_specification(specification: &Specification) -> String {
    let mut text = String::new();
    if let Some(site) = &specification.site {
        text.push_str(&format!("site {site}\n"));
    }
    for class in &specification.classes {
        show_class(class, &mut text);
        let leaving = specification.request_classes.iter().filter(|it| it.from == class.id);
        leaving.for_each(|request_class| show_request_class(request_class, &mut text));
        for field in &class.fields {
            let optional = if field.is_optional { " (optional)" } else { "" };
            text.push_str(&format!(
                "  field {}{optional}{}\n",
                field.name,
                show_clean_up(&field.clean_up)
            ));
            field
                .rules()
                .for_each(|TaughtRule { rule, weight }| text.push_str(&format!("    {weight} {}\n", show_rule(rule))));
        }
        class.rows.iter().for_each(|rows| show_rows(rows, &mut text));
    }
    for path in &specification.paths {
        text.push_str(&format!("path {}: {}\n", path.name(), show_path(path)));
    }
    text
}

fn show_class(class: &TaughtClass, text: &mut String) {
    text.push_str(&format!("{}\n", class.id));
    for address in &class.addresses {
        text.push_str(&format!("  entry {address}\n"));
    }
    if class.assertion.min_hold < 1.0 && !class.assertion.paths.is_empty() {
        text.push_str(&format!("  asserts {} of\n", class.assertion.min_hold));
    }
    for told in class.assertion.told() {
        text.push_str(&format!("  asserts {told}\n"));
    }
}

fn show_request_class(class: &RequestClass, text: &mut String) {
    text.push_str(&format!(
        "  -{}-> {} by {}\n",
        class.id,
        class.to,
        method_text(class.method)
    ));
    match &class.means {
        RequestMeans::Links(rules) => {
            let rules = rules.iter();
            rules.for_each(|rule| text.push_str(&format!("    {}\n", show_rule(rule))));
        }
        RequestMeans::Form(form) => show_form(form, text),
    }
}

fn show_form(form: &FormRule, text: &mut String) {
    text.push_str(&format!("    form {}\n", form.path));
    for choice in &form.choices {
        let values = match &choice.values {
            Values::Constant(value) => format!("{value:?}"),
            Values::Options => "each option".to_owned(),
            Values::Listed(values) => {
                let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
                format!("each of {}", values.join(", "))
            }
            Values::Omitted => "not sent".to_owned(),
        };
        text.push_str(&format!("      {} = {values}\n", choice.name));
    }
}

/// What is made of values, after the name of their field.
fn show_clean_up(clean_up: &CleanUp) -> String {
    let kind = clean_up.kind.map(|kind| format!(" as {}", kind.word()));
    let pattern = clean_up
        .pattern
        .as_ref()
        .map(|pattern| format!(" matching {}", pattern.as_str()));
    format!("{}{}", kind.unwrap_or_default(), pattern.unwrap_or_default())
}

fn show_rows(rows: &TaughtRows, text: &mut String) {
    let optional = if rows.is_optional { " (optional)" } else { "" };
    text.push_str(&format!("  rows {}{optional} {}\n", rows.name, rows.path));
    for field in &rows.fields {
        text.push_str(&format!("    {}: {}\n", field.name, show_row_field(field)));
    }
}

/// How a field of rows is read, in one line.
pub fn show_row_field(field: &RowField) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(column) = &field.column {
        let header = column.header.as_ref().map(|header| format!(" headed {header:?}"));
        parts.push(format!("column {}{}", column.number, header.unwrap_or_default()));
    }
    parts.extend(field.path.as_ref().map(ToString::to_string));
    if !field.trim.prefix.is_empty() || !field.trim.suffix.is_empty() {
        parts.push(format!("between {:?} and {:?}", field.trim.prefix, field.trim.suffix));
    }
    if parts.is_empty() {
        parts.push("all of it".to_owned());
    }
    parts.join(", ")
}

/// A rule in one line, its class first.
pub fn show_rule(rule: &ExtractionRule) -> String {
    let mut text = rule_class(rule).to_owned();
    match &rule.place {
        Locator::Absolute(path) => text.push_str(&format!(" {path}")),
        Locator::Labeled { pivot, nth, path } => {
            let nth = match nth {
                0 => " each".to_owned(),
                1 => String::new(),
                nth => format!(" no. {nth}"),
            };
            text.push_str(&format!(" {pivot:?}{nth} {path}"));
        }
    }
    if let Some(url) = &rule.url {
        text.push_str(&format!(" {}", url.as_str()));
    }
    if !rule.trim.prefix.is_empty() || !rule.trim.suffix.is_empty() {
        text.push_str(&format!(" between {:?} and {:?}", rule.trim.prefix, rule.trim.suffix));
    }
    text
}

/// The class of a rule, as paper 002 §4 calls it.
pub fn rule_class(rule: &ExtractionRule) -> &'static str {
    match (&rule.url, &rule.place) {
        (Some(_), _) => "URL-REGEX",
        (None, Locator::Absolute(_)) => "ABSOLUTE",
        (None, Locator::Labeled { .. }) => "LABELED",
    }
}

/// A path as an arrow from class to class.
pub fn show_path(path: &NavigationalPath) -> String {
    let words = path.steps.iter().enumerate();
    let words = words.map(|(index, id)| {
        if index % 2 == 0 {
            id.clone()
        } else {
            format!(" -{id}-> ")
        }
    });
    words.collect()
}

/// The method as requests write it.
pub(crate) fn method_text(method: Method) -> &'static str {
    match method {
        Method::Get => "GET",
        Method::Post => "POST",
    }
}
