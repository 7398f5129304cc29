//! Writing: from a specification to text, an element a line.

use std::borrow::Cow;

use untemplate::page::Method;
use untemplate::rule::{Assertion, ExtractionRule, Locator};
use untemplate::teach::{
    CleanUp, FormRule, RequestClass, RequestMeans, RowField, Specification, TaughtClass, TaughtField, TaughtRows,
    Values, rule_class,
};

use super::evidence::{held_text, markup_text, values_text};
use super::read::VERSION;

/// The text of a specification file.
pub fn specification_text(specification: &Specification) -> String {
    let mut text = format!("<codec version=\"{VERSION}\"");
    if let Some(site) = &specification.site {
        text.push_str(&format!(" site=\"{}\"", escape(site.as_str())));
    }
    text.push_str(">\n");
    specification
        .classes
        .iter()
        .for_each(|class| write_class(class, &mut text));
    let request_classes = specification.request_classes.iter();
    request_classes.for_each(|class| write_request_class(class, &mut text));
    let wrapped = specification.classes.iter().filter(|class| class.is_read());
    wrapped.for_each(|class| write_wrapper(class, &mut text));
    for path in &specification.paths {
        let name = path
            .given_name
            .as_ref()
            .map(|name| format!(" name=\"{}\"", escape(name)));
        text.push_str(&format!(
            "  <path{}>{}</path>\n",
            name.unwrap_or_default(),
            path.steps.join(" ")
        ));
    }
    text.push_str("</codec>\n");
    text
}

fn write_class(class: &TaughtClass, text: &mut String) {
    let entry = if class.addresses.is_empty() {
        ""
    } else {
        " entry=\"true\""
    };
    let is_bare = class.addresses.is_empty() && class.assertion.told().is_empty();
    let end = if is_bare { "/" } else { "" };
    text.push_str(&format!("  <page-class id=\"{}\"{entry}{end}>\n", class.id));
    if is_bare {
        return;
    }
    for address in &class.addresses {
        text.push_str(&format!("    <address>{}</address>\n", escape(address.as_str())));
    }
    write_assertion(&class.assertion, text);
    text.push_str("  </page-class>\n");
}

fn write_assertion(assertion: &Assertion, text: &mut String) {
    if assertion.told().is_empty() {
        return;
    }
    let share = assertion.min_hold;
    let share = if share < 1.0 {
        format!(" min-hold=\"{share}\"")
    } else {
        String::new()
    };
    text.push_str(&format!("    <assertion{share}>\n"));
    for (name, paths) in [("xpath", &assertion.paths), ("never", &assertion.never)] {
        for path in paths {
            text.push_str(&format!("      <{name}>{}</{name}>\n", escape(&path.to_string())));
        }
    }
    if let Some(address) = &assertion.address {
        text.push_str(&format!("      <regex>{}</regex>\n", escape(address.as_str())));
    }
    text.push_str("    </assertion>\n");
}

fn write_request_class(class: &RequestClass, text: &mut String) {
    let method = match class.method {
        Method::Get => "GET",
        Method::Post => "POST",
    };
    let RequestClass { id, from, to, .. } = class;
    text.push_str(&format!(
        "  <request-class id=\"{id}\" from=\"{from}\" to=\"{to}\" method=\"{method}\">\n"
    ));
    match &class.means {
        RequestMeans::Links(rules) => rules.iter().for_each(|rule| write_rule(rule, None, "    ", text)),
        RequestMeans::Form(form) => write_form(form, text),
    }
    text.push_str("  </request-class>\n");
}

fn write_form(form: &FormRule, text: &mut String) {
    text.push_str(&format!("    <form xpath=\"{}\">\n", escape(&form.path.to_string())));
    for choice in &form.choices {
        let start = format!("      <field name=\"{}\"", escape(&choice.name));
        text.push_str(&match &choice.values {
            Values::Constant(value) => format!("{start} const=\"{}\"/>\n", escape(value)),
            Values::Options => format!("{start} values=\"options\"/>\n"),
            Values::Omitted => format!("{start} values=\"none\"/>\n"),
            Values::Listed(values) => {
                let values = values.iter().map(|value| format!("<value>{}</value>", escape(value)));
                format!("{start}>{}</field>\n", values.collect::<String>())
            }
        });
    }
    text.push_str("    </form>\n");
}

fn write_wrapper(class: &TaughtClass, text: &mut String) {
    text.push_str(&format!("  <wrapper page-class=\"{}\">\n", class.id));
    for field in &class.fields {
        let (name, is_optional) = (escape(&field.name), field.is_optional);
        let share = field.share.map(|(with, of)| format!(" share=\"{with}/{of}\""));
        let share = share.unwrap_or_default();
        let evidence = class.evidence.iter().find(|its| its.field == field.name);
        let held = evidence.map(held_text).unwrap_or_default();
        let lost = if field.slots.is_empty() { " lost=\"true\"" } else { "" };
        text.push_str(&format!(
            "    <field name=\"{name}\" optional=\"{is_optional}\"{share}{held}{lost}{}>\n",
            clean_up_text(&field.clean_up)
        ));
        write_slots(field, text);
        let values = evidence.map(|its| values_text(&its.values)).unwrap_or_default();
        if !values.is_empty() {
            text.push_str(&format!("      {values}\n"));
        }
        text.push_str("    </field>\n");
    }
    class.rows.iter().for_each(|rows| write_rows(rows, text));
    text.push_str(&markup_text(&class.markup));
    text.push_str("  </wrapper>\n");
}

fn clean_up_text(clean_up: &CleanUp) -> String {
    let kind = clean_up.kind.map(|kind| format!(" kind=\"{}\"", kind.word()));
    let pattern = clean_up.pattern.as_ref();
    let pattern = pattern.map(|pattern| format!(" match=\"{}\"", escape(pattern.as_str())));
    format!("{}{}", kind.unwrap_or_default(), pattern.unwrap_or_default())
}

fn write_rows(rows: &TaughtRows, text: &mut String) {
    let TaughtRows { name, is_optional, .. } = rows;
    text.push_str(&format!("    <rows name=\"{name}\" optional=\"{is_optional}\">\n"));
    text.push_str(&format!("      <xpath>{}</xpath>\n", escape(&rows.path.to_string())));
    rows.fields.iter().for_each(|field| write_row_field(field, text));
    text.push_str("    </rows>\n");
}

fn write_row_field(field: &RowField, text: &mut String) {
    text.push_str(&format!("      <field name=\"{}\"", escape(&field.name)));
    if let Some(column) = &field.column {
        text.push_str(&format!(" column=\"{}\"", column.number));
        let header = column.header.as_ref();
        text.push_str(&header.map_or_else(String::new, |header| format!(" header=\"{}\"", escape(header))));
    }
    let mut inner = String::new();
    if let Some(path) = &field.path {
        inner.push_str(&format!("<xpath>{}</xpath>", escape(&path.to_string())));
    }
    for (name, constant) in [("prefix", &field.trim.prefix), ("suffix", &field.trim.suffix)] {
        if !constant.is_empty() {
            inner.push_str(&format!("<{name}>{}</{name}>", escape(constant)));
        }
    }
    text.push_str(&match inner.is_empty() {
        true => "/>\n".to_owned(),
        false => format!(">{inner}</field>\n"),
    });
}

/// Writes the rules of a field, in slots where its values stand at several places.
fn write_slots(field: &TaughtField, text: &mut String) {
    let has_several = field.slots.len() > 1;
    for slot in &field.slots {
        if has_several {
            text.push_str("      <slot>\n");
        }
        let indent = if has_several { "        " } else { "      " };
        for taught in &slot.rules {
            write_rule(&taught.rule, Some(taught.weight), indent, text);
        }
        if has_several {
            text.push_str("      </slot>\n");
        }
    }
}

/// Writes a rule in one line, since white space around a value's constant text counts.
fn write_rule(rule: &ExtractionRule, weight: Option<f64>, indent: &str, text: &mut String) {
    text.push_str(&format!("{indent}<rule class=\"{}\"", rule_class(rule)));
    if let Some(weight) = weight {
        text.push_str(&format!(" weight=\"{weight}\""));
    }
    let path = match &rule.place {
        Locator::Absolute(path) => {
            text.push('>');
            path
        }
        Locator::Labeled { pivot, nth, path } => {
            text.push_str(&format!(" nth=\"{nth}\"><pivot>{}</pivot>", escape(pivot)));
            path
        }
    };
    text.push_str(&format!("<xpath>{}</xpath>", escape(&path.to_string())));
    if let Some(url) = &rule.url {
        text.push_str(&format!("<regex>{}</regex>", escape(url.as_str())));
    }
    for (name, constant) in [("prefix", &rule.trim.prefix), ("suffix", &rule.trim.suffix)] {
        if !constant.is_empty() {
            text.push_str(&format!("<{name}>{}</{name}>", escape(constant)));
        }
    }
    text.push_str("</rule>\n");
}

/// A text as XML writes it: what has a meaning there, and white space but for blanks, as
/// references.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '>', '&', '"', '\n', '\r', '\t']) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\r' | '\t' => escaped.push_str(&format!("&#{};", u32::from(letter))),
            _ => escaped.push(letter),
        }
    }
    escaped.into()
}
