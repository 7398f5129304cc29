//! Names: what tables and columns are called.
//!
//! A column is called after its label, else after the key that the wrapper gave it; a key that only tells where the value stands (`td_3`) gives way to
//! what the value is. Links end in `_url`; those whose key says nothing are called after what they lead to.

use super::draft::DraftColumn;
use super::facts::FieldFacts;
use super::schema::ColumnKind;

/// Names that are taken.
#[derive(Debug, Default)]
pub(super) struct Taken {
    names: std::collections::HashSet<String>,
}

impl Taken {
    /// The name, with a number when it is taken.
    pub fn unique(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        let mut number = 1;
        while !self.names.insert(candidate.to_lowercase()) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        candidate
    }
}

/// What a column is called; `stands_for` is the field whose place it takes.
pub(super) fn column_name(
    facts: &FieldFacts,
    drafted: &DraftColumn,
    stands_for: Option<&FieldFacts>,
    is_named_by_row: bool,
) -> String {
    let facts = stands_for.unwrap_or(facts);
    match told_name(facts) {
        Some(name) => name,
        None => kind_name(facts, drafted.typing.kind, is_named_by_row),
    }
}

/// What a link to pages of a class is called.
pub(super) fn link_name(facts: &FieldFacts, target: Option<&str>, has_several: bool) -> String {
    let end = if facts.attribute.as_deref() == Some("src") {
        "image_url"
    } else {
        "url"
    };
    let told = told_name(facts);
    let base = match (told, target) {
        (Some(told), None) => told,
        (Some(told), Some(_)) if !has_several => told,
        (_, Some(target)) => target.to_owned(),
        (None, None) if end == "image_url" => return end.to_owned(),
        (None, None) => "link".to_owned(),
    };
    let base = base.strip_suffix("_url").unwrap_or(&base);
    format!("{base}_{end}")
}

/// The name that a label or a key tells, if it tells one.
fn told_name(facts: &FieldFacts) -> Option<String> {
    let label = as_words(&facts.label).filter(|name| !is_junk(name));
    let key = || as_words(bare_key(facts)).filter(|name| !is_junk(name));
    let mark = || as_words(&facts.mark).filter(|name| !is_junk(name));
    label.or_else(key).or_else(mark)
}

/// A key without what the wrapper added to it.
fn bare_key(facts: &FieldFacts) -> &str {
    let mut key = without_number(&facts.key);
    if facts.piece_of.is_some() {
        key = without_number(key.strip_suffix("_part").unwrap_or(key));
    }
    if let Some(attribute) = &facts.attribute {
        key = key
            .strip_suffix(attribute.as_str())
            .and_then(|key| key.strip_suffix('_'))
            .unwrap_or(key);
    }
    without_number(key)
}

/// A name without the number at its end.
pub(super) fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((rest, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => rest,
        _ => name,
    }
}

/// A name for values of a kind.
fn kind_name(facts: &FieldFacts, kind: ColumnKind, is_named_by_row: bool) -> String {
    let name = match kind {
        ColumnKind::Integer | ColumnKind::Decimal => "number",
        ColumnKind::Date => "date",
        ColumnKind::DateTime | ColumnKind::Time => "time",
        ColumnKind::Boolean => "flag",
        ColumnKind::Url => "link",
        ColumnKind::Email => "email",
        ColumnKind::Phone => "phone",
        ColumnKind::Enum => "kind",
        ColumnKind::Text if matches!(facts.tag.as_str(), "h1" | "title") || is_named_by_row => "name",
        ColumnKind::Text => "text",
    };
    name.to_owned()
}

/// A text as a name: lower case words, joined by underscores.
pub(super) fn as_words(text: &str) -> Option<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(WORDS_MAX).map(str::to_lowercase).collect();
    let name = words.join("_");
    (!name.is_empty() && name.len() <= NAME_MAX).then_some(name)
}

/// A name has at most so many words.
const WORDS_MAX: usize = 6;

/// And so many bytes.
const NAME_MAX: usize = 60;

/// Whether a name only tells where a value stands, or is one of the values.
pub(super) fn is_junk(name: &str) -> bool {
    let name = without_number(name);
    name.starts_with(|c: char| c.is_ascii_digit()) || name.chars().count() < 2 || PLACES.contains(&name)
}

/// Names of places on a page.
const PLACES: [&str; 59] = [
    "a",
    "b",
    "i",
    "p",
    "td",
    "tr",
    "th",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "em",
    "strong",
    "font",
    "small",
    "big",
    "span",
    "div",
    "table",
    "tbody",
    "html",
    "body",
    "center",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "img",
    "text",
    "part",
    "item",
    "items",
    "before",
    "after",
    "row",
    "rows",
    "cell",
    "col",
    "column",
    "value",
    "content",
    "main",
    "section",
    "article",
    "list",
    "wrapper",
    "container",
    "box",
    "block",
    "inner",
    "left",
    "right",
    "label",
    "field",
    "time",
];
