//! Rows as the text that COPY reads: a line a row, tabs between values, `\N` for what is missing.

use untemplate::table::ColumnKind;

use crate::table_file::calendar::{clock_micros, days, time_micros};

/// Appends a value as its column takes it; one that is none of its kind is missing.
pub(super) fn push_value(value: Option<&str>, kind: ColumnKind, text: &mut String) {
    let Some(value) = value.filter(|value| is_of(value, kind)) else {
        text.push_str("\\N");
        return;
    };
    let value = if kind == ColumnKind::DateTime {
        without_offset(value)
    } else {
        value
    };
    push_text(value, text);
}

/// A date and time as its clock shows it: the server reads no offset into the column, and refuses
/// those beyond sixteen hours.
fn without_offset(value: &str) -> &str {
    let start = value.find(['T', ' ']).unwrap_or(value.len());
    let end = value[start..]
        .find(['Z', '+', '-'])
        .map_or(value.len(), |place| start + place);
    &value[..end]
}

/// Appends a text. What PostgreSQL cannot hold, the character zero, becomes a replacement
/// character.
pub(super) fn push_text(value: &str, text: &mut String) {
    for c in value.chars() {
        match c {
            '\\' => text.push_str("\\\\"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\0' => text.push('\u{fffd}'),
            c => text.push(c),
        }
    }
}

/// Whether the server would take a value.
fn is_of(value: &str, kind: ColumnKind) -> bool {
    match kind {
        ColumnKind::Integer => value.parse::<i64>().is_ok(),
        ColumnKind::Decimal => is_decimal(value),
        // The calendar of the server has no year 0.
        ColumnKind::Date => days(value).is_some() && !value.starts_with("0000"),
        ColumnKind::DateTime => clock_micros(value).is_some() && !value.starts_with("0000"),
        ColumnKind::Time => time_micros(value).is_some(),
        ColumnKind::Boolean => value == "true" || value == "false",
        ColumnKind::Url | ColumnKind::Email | ColumnKind::Phone | ColumnKind::Enum | ColumnKind::Text => true,
    }
}

fn is_decimal(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let (whole, part) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits =
        |text: &str| !text.is_empty() && text.len() < 1000 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole) && is_digits(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_copy_would_take_amiss_is_escaped() {
        let mut text = String::new();
        push_value(Some("a\tb\\N\n\0"), ColumnKind::Text, &mut text);
        assert_eq!(text, "a\\tb\\\\N\\n\u{fffd}");
        let mut text = String::new();
        push_value(Some("2004-06-25T18:00:00+23:30"), ColumnKind::DateTime, &mut text);
        assert_eq!(text, "2004-06-25T18:00:00");
        for (value, kind) in [
            ("many", ColumnKind::Integer),
            ("0000-01-01", ColumnKind::Date),
            ("1e5", ColumnKind::Decimal),
        ] {
            let mut text = String::new();
            push_value(Some(value), kind, &mut text);
            assert_eq!(text, "\\N", "{value}");
        }
    }
}
