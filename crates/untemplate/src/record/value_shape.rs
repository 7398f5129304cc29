//! Value shapes: what a value looks like, so that alike values stand in one column and columns have
//! types.

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueShape {
    /// Nothing but digits, signs and separators.
    Number,
    /// A number with a currency.
    Price,
    /// A day, or a day and a time.
    Date,
    /// An address of the web.
    Address,
    /// Anything else.
    Words,
}

impl ValueShape {
    /// All shapes, in their order.
    pub const ALL: [Self; 5] = [Self::Number, Self::Price, Self::Date, Self::Address, Self::Words];

    /// The shape in a word.
    pub fn text(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Price => "price",
            Self::Date => "date",
            Self::Address => "address",
            Self::Words => "text",
        }
    }
}

/// The longest text that is looked at for a number, a price or a date.
const SHORT_MAX: usize = 40;

/// The shape of a value.
pub fn shape_of(value: &str) -> ValueShape {
    let value = value.trim();
    if is_address(value) {
        return ValueShape::Address;
    }
    if value.len() > SHORT_MAX || !value.contains(|c: char| c.is_ascii_digit()) {
        return ValueShape::Words;
    }
    if is_calendar_date(value) {
        return ValueShape::Date;
    }
    let is_numeric =
        |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-' | '%' | '(' | ')' | ' ' | '\u{a0}');
    if value.chars().all(is_numeric) {
        return ValueShape::Number;
    }
    if is_price(value) {
        return ValueShape::Price;
    }
    if is_date(value) {
        return ValueShape::Date;
    }
    ValueShape::Words
}

fn is_address(value: &str) -> bool {
    let begins = ["http://", "https://", "www."]
        .iter()
        .any(|start| value.starts_with(start));
    begins && !value.trim_end_matches("...").contains(' ')
}

fn is_price(value: &str) -> bool {
    let mut rest: String = value.chars().filter(|c| !c.is_whitespace()).collect();
    let is_sign = |c: char| matches!(c, '$' | '€' | '£' | '¥' | '₹');
    let had = rest.contains(is_sign);
    rest.retain(|c| !is_sign(c));
    for code in ["USD", "EUR", "GBP", "Rs.", "Rs"] {
        if let Some(bare) = rest.strip_prefix(code).or_else(|| rest.strip_suffix(code)) {
            return bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-'));
        }
    }
    had && rest
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-' | '+'))
}

/// A year, a month and a day as numbers, in either order, between the same two marks: `2031-11-13`,
/// `13.11.2031`.
fn is_calendar_date(value: &str) -> bool {
    let Some(mark) = value
        .chars()
        .find(|c| !c.is_ascii_digit())
        .filter(|c| matches!(c, '-' | '/' | '.'))
    else {
        return false;
    };
    let parts: Vec<&str> = value.split(mark).collect();
    let is_year = |part: &str| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_day = |part: &str| part.len() <= 2 && part.parse().is_ok_and(|day: u32| (1..=31).contains(&day));
    match parts.as_slice() {
        [year, month, day] if is_year(year) => is_day(month) && is_day(day),
        [day, month, year] => is_year(year) && is_day(month) && is_day(day),
        _ => false,
    }
}

/// Three to twelve words of numbers, names of months and days, one of them a number.
fn is_date(value: &str) -> bool {
    let lower = value.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let has_month = words.iter().any(|word| is_name(word, &MONTHS));
    let is_part = |word: &&str| {
        word.bytes().all(|byte| byte.is_ascii_digit())
            || is_name(word, &MONTHS)
            || is_name(word, &DAYS)
            || ["am", "pm", "est", "edt", "gmt", "utc", "th", "st", "nd", "rd", "t", "z"].contains(word)
    };
    let n_numbers = words
        .iter()
        .filter(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
        .count();
    let is_plain = n_numbers >= 3 && value.contains(['-', '/', '.']);
    words.len() <= 12 && n_numbers >= 1 && (has_month || is_plain) && words.iter().all(is_part)
}

/// Whether a word is one of the names, in full or its first three letters: `mario` is no March.
fn is_name(word: &str, names: &[&str]) -> bool {
    names
        .iter()
        .any(|name| *name == word || word.len() == 3 && name.starts_with(word))
}

/// The months, and what else September is shortened to.
const MONTHS: [&str; 13] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "sept",
];

const DAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_and_days_are_whole_words() {
        for date in [
            "Mar 12, 2004",
            "Sunday, 4 September 1994",
            "12 Sept 2001",
            "2004/03/12",
            "2031-11-13",
            "13.11.2031",
        ] {
            assert_eq!(shape_of(date), ValueShape::Date, "{date}");
        }
        for words in ["Mario 64", "Decathlon 2", "Sunny 12 May"] {
            assert_eq!(shape_of(words), ValueShape::Words, "{words}");
        }
        for number in ["3.14.15", "12-34", "1.234.567"] {
            assert_eq!(shape_of(number), ValueShape::Number, "{number}");
        }
    }
}
