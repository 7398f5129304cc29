//! Readings: how the texts of a column become values of its kind.
//!
//! [`read_value`] is the one place where a text becomes a value. It gives the canonical form of the
//! column's [`ColumnKind`], or nothing: a text that is not of the kind is never bent into it.

use std::collections::BTreeSet;

use url::Url;

use crate::page::stable_hash;

use super::date::{DateOrder, read_date, read_date_time, read_time};
use super::number::{DecimalMark, Number, read_number};
use super::schema::ColumnKind;

/// How the texts of a column are read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// What marks and orders mean in this column.
    pub marks: Marks,
    /// What stands before each value, and is no part of it.
    pub before: String,
    /// What stands after each value.
    pub after: String,
    /// The text that heads the column, where the head of a table was read as its first row; a row
    /// of such texts alone is none.
    pub header: Option<String>,
    /// Values that are left out, by [`value_hash`]: addresses that lead to no row of the table that
    /// the column refers to.
    pub left_out: BTreeSet<u64>,
}

/// What marks and orders mean in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Marks {
    /// They have only one meaning.
    #[default]
    Plain,
    /// Numbers: `1,234.5`.
    DecimalPoint,
    /// Numbers: `1.234,5`.
    DecimalComma,
    /// Dates: `25/12/2004`.
    DayFirst,
    /// Dates: `12/25/2004`.
    MonthFirst,
}

impl Reading {
    /// A text without what always stands around it.
    pub fn core<'a>(&self, text: &'a str) -> &'a str {
        let text = text.trim();
        let text = text.strip_prefix(self.before.as_str()).unwrap_or(text);
        text.strip_suffix(self.after.as_str()).unwrap_or(text).trim()
    }
}

impl Marks {
    pub(super) fn decimal(self) -> DecimalMark {
        match self {
            Self::DecimalComma => DecimalMark::Comma,
            _ => DecimalMark::Point,
        }
    }

    pub(super) fn order(self) -> DateOrder {
        match self {
            Self::MonthFirst => DateOrder::MonthFirst,
            _ => DateOrder::DayFirst,
        }
    }
}

/// Reads a text as a value of a kind, in its canonical form; `None` when it is not one, or stands
/// for nothing.
pub fn read_value(kind: ColumnKind, marks: Marks, text: &str) -> Option<String> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    match kind {
        ColumnKind::Integer => read_number(text, marks.decimal())
            .filter(Number::is_integer)
            .map(|number| number.amount),
        ColumnKind::Decimal => read_number(text, marks.decimal()).map(|number| number.amount),
        ColumnKind::Date => read_date(text, marks.order()),
        ColumnKind::DateTime => read_date_time(text, marks.order()),
        ColumnKind::Time => read_time(text),
        ColumnKind::Boolean => read_boolean(text).map(|value| value.to_string()),
        ColumnKind::Url => read_url(text),
        ColumnKind::Email => read_email(text),
        ColumnKind::Phone => read_phone(text),
        ColumnKind::Enum | ColumnKind::Text => Some(text.to_owned()),
    }
}

/// The hash that [`Reading::left_out`] knows a value by.
pub fn value_hash(value: &str) -> u64 {
    stable_hash(value.as_bytes())
}

/// Whether a text says that there is no value.
pub(super) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    // Other marks, such as `♂` and `★`, say something.
    let is_mark = |c: char| {
        matches!(
            c,
            '-' | '.' | '_' | '/' | '?' | ':' | ',' | ';' | '|' | '~' | '(' | ')' | '\u{2010}'
                ..='\u{2015}' | '\u{2212}' | '…' | '·' | '•'
        ) || c.is_whitespace()
    };
    text.chars().all(is_mark) && text.chars().count() <= 3 || PLACEHOLDERS.contains(&text.to_lowercase().as_str())
}

const PLACEHOLDERS: [&str; 12] = [
    "n/a",
    "n.a.",
    "na",
    "none",
    "null",
    "unknown",
    "tba",
    "tbd",
    "k.a.",
    "k. a.",
    "unbekannt",
    "inconnu",
];

/// Words for yes and for no, by language.
const YES_AND_NO: [(&str, &str); 9] = [
    ("yes", "no"),
    ("true", "false"),
    ("ja", "nein"),
    ("oui", "non"),
    ("sì", "no"),
    ("sí", "no"),
    ("✓", "✗"),
    ("✔", "✘"),
    ("☑", "☐"),
];

/// Reads a text as a yes or a no.
pub(super) fn read_boolean(text: &str) -> Option<bool> {
    let lower = text.to_lowercase();
    if YES_AND_NO.iter().any(|(yes, _)| *yes == lower) {
        return Some(true);
    }
    YES_AND_NO.iter().any(|(_, no)| *no == lower).then_some(false)
}

/// Reads a text as an address of the web, without the place in the page.
pub(super) fn read_url(text: &str) -> Option<String> {
    if !text.starts_with("http://") && !text.starts_with("https://") || text.contains(char::is_whitespace) {
        return None;
    }
    let mut url = Url::parse(text).ok()?;
    url.set_fragment(None);
    Some(url.into())
}

/// Reads a text as an address for mail.
pub(super) fn read_email(text: &str) -> Option<String> {
    let text = text.strip_prefix("mailto:").unwrap_or(text);
    let text = text.split_once('?').map_or(text, |(address, _)| address);
    let (name, host) = text.split_once('@')?;
    let is_word = |text: &str| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '+');
        !text.is_empty() && text.chars().all(is_part)
    };
    let has_dot = host.split('.').count() > 1 && host.split('.').all(|part| !part.is_empty());
    (is_word(name) && is_word(host) && has_dot).then(|| text.to_owned())
}

/// Reads a text as a telephone number, and leaves it as it is.
pub(super) fn read_phone(text: &str) -> Option<String> {
    let text = text.strip_prefix("tel:").unwrap_or(text);
    let n_digits = text.chars().filter(char::is_ascii_digit).count();
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | ' ' | '(' | ')' | '-' | '/' | '.' | '\u{a0}');
    let begins = text.starts_with(['+', '0', '(']);
    let is_split = text.contains([' ', '-', '/', '(', '\u{a0}']) || text.starts_with('+');
    (begins && is_split && (7..=15).contains(&n_digits) && text.chars().all(is_part)).then(|| text.to_owned())
}
