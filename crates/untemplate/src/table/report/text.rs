//! Texts and figures of a report.

use crate::page::escaped_markup;

/// Writing into a string never fails.
pub(super) const PROMISE: &str = "a string takes all";

/// A number with its thousands apart.
pub(super) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A number of things.
pub(super) fn counted(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {word}{plural}", number(count as u64))
}

/// A share in percent; no part is ever rounded to none or to all.
pub(super) fn percent(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "–".to_owned();
    }
    let share = part as f64 * 100.0 / whole as f64;
    match (part, share) {
        (0, _) => "0 %".to_owned(),
        (_, share) if share < 1.0 => "< 1 %".to_owned(),
        (part, share) if share > 99.0 && part < whole => "> 99 %".to_owned(),
        (_, share) => format!("{share:.0} %"),
    }
}

/// Text cut to a length, with a mark where it was.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// A value as a report shows it: escaped, cut, and an address as a link, by its path. Nobody follows it unasked.
pub(super) fn shown_value(value: &str, most: usize) -> String {
    let rest = value.strip_prefix("http://").or_else(|| value.strip_prefix("https://"));
    let Some(rest) = rest else {
        return escaped_markup(&cut(value, most));
    };
    let path = rest.find('/').map_or("", |slash| &rest[slash..]);
    let text = escaped_markup(&cut(if path.len() > 1 { path } else { value }, most));
    format!(
        "<a href=\"{}\" rel=\"noreferrer nofollow\">{text}</a>",
        escaped_markup(value)
    )
}
