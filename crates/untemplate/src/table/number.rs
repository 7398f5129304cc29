//! Numbers: texts such as `1,234.50`, `$87,500,000`, `1.90 m` and `60'`, read as an amount and a
//! unit.
//!
//! Whether `1.234` is more than a thousand cannot be told from one text; the column tells, so the
//! caller says which mark separates the decimals. Anything in doubt is no number: a leading zero,
//! as article numbers have it, groups that are not of three digits, two signs.

/// A number that a text shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// Its digits, with a sign and a point where they are needed.
    pub amount: String,
    /// What stands before or after it; empty when nothing does.
    pub unit: String,
}

impl Number {
    /// Whether it is whole, and fits into 64 bits.
    pub fn is_integer(&self) -> bool {
        self.amount.parse::<i64>().is_ok()
    }
}

/// Which mark separates the decimals of a number; the other one separates its thousands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DecimalMark {
    /// `1,234.5`.
    Point,
    /// `1.234,5`.
    Comma,
}

impl DecimalMark {
    fn of_decimals(self) -> char {
        match self {
            Self::Point => '.',
            Self::Comma => ',',
        }
    }

    fn of_thousands(self) -> char {
        match self {
            Self::Point => ',',
            Self::Comma => '.',
        }
    }
}

/// The longest text that is looked at for a number.
const TEXT_MAX: usize = 48;

/// Reads a text as a number, all of it but a note in brackets behind it: `41 (2013)`, `37 °C (310
/// K)`.
pub fn read_number(text: &str, mark: DecimalMark) -> Option<Number> {
    let text = without_note(text.trim());
    if text.is_empty() || text.len() > TEXT_MAX {
        return None;
    }
    let first = text.find(|c: char| c.is_ascii_digit())?;
    let last = text.rfind(|c: char| c.is_ascii_digit())?;
    let (before, digits, after) = (&text[..first], &text[first..=last], &text[last + 1..]);
    let (before, is_negative, has_point) = sign(before, mark)?;
    let unit = unit_of(before.trim(), after)?;
    let amount = amount(digits, mark, has_point)?;
    let is_zero = amount.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let sign = if is_negative && !is_zero { "-" } else { "" };
    Some(Number {
        amount: format!("{sign}{amount}"),
        unit,
    })
}

/// A text without the notes in brackets behind its number.
fn without_note(text: &str) -> &str {
    let front = text.find(" (").map_or("", |at| &text[..at]);
    match text.ends_with(')') && front.contains(|c: char| c.is_ascii_digit()) {
        true => front.trim_end(),
        false => text,
    }
}

/// What stands before the digits without sign and point; whether the sign is a minus; whether there
/// was a point, as in `.5`.
fn sign(before: &str, mark: DecimalMark) -> Option<(&str, bool, bool)> {
    let (before, has_point) = match before.strip_suffix(mark.of_decimals()) {
        // `No.5` and `Rs.5` are no decimals.
        Some(rest) if !rest.ends_with(char::is_alphabetic) => (rest, true),
        _ => (before, false),
    };
    let is_minus = |c: char| matches!(c, '-' | '\u{2212}');
    if let Some(rest) = before.strip_suffix(is_minus) {
        return Some((rest, true, has_point));
    }
    if let Some(rest) = before.strip_prefix(is_minus) {
        return Some((rest, true, has_point));
    }
    // A plus may be the sign of a telephone number as well, but those have other digits.
    Some((before.strip_suffix('+').unwrap_or(before), false, has_point))
}

/// The digits of an amount in canonical form.
fn amount(digits: &str, mark: DecimalMark, has_point: bool) -> Option<String> {
    if has_point {
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        return is_plain.then(|| format!("0.{digits}"));
    }
    let (whole, decimals) = match digits.split_once(mark.of_decimals()) {
        Some((whole, decimals)) => (whole, Some(decimals)),
        None => (digits, None),
    };
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.is_some_and(|decimals| !is_digits(decimals)) {
        return None;
    }
    let whole = without_thousands(whole, mark)?;
    if whole.len() > 1 && whole.starts_with('0') || whole.len() > 18 {
        return None;
    }
    Some(match decimals {
        Some(decimals) => format!("{whole}.{decimals}"),
        None => whole,
    })
}

/// Digits without the marks between thousands, which must be of one kind and three digits apart.
fn without_thousands(whole: &str, mark: DecimalMark) -> Option<String> {
    let separator = whole.chars().find(|c| !c.is_ascii_digit());
    let Some(separator) = separator else {
        return Some(whole.to_owned());
    };
    let is_known = separator == mark.of_thousands()
        || matches!(separator, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\'' | '\u{2019}');
    if !is_known {
        return None;
    }
    let mut groups = whole.split(separator);
    let first = groups.next().filter(|group| (1..=3).contains(&group.len()))?;
    let mut digits = first.to_owned();
    for group in groups {
        if group.len() != 3 {
            return None;
        }
        digits.push_str(group);
    }
    digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)
}

/// The unit of a number, from what stands before and after it; `None` when that is no unit.
fn unit_of(before: &str, after: &str) -> Option<String> {
    let (before, after) = (before.trim(), after.trim());
    let after = after
        .strip_suffix(",-")
        .or_else(|| after.strip_suffix(".-"))
        .unwrap_or(after);
    match (before.is_empty(), after.is_empty()) {
        (true, true) => Some(String::new()),
        (false, true) => currency(before).map(str::to_owned),
        (true, false) => Some(match currency(after) {
            Some(code) => code.to_owned(),
            None => is_unit(after).then(|| after.to_owned())?,
        }),
        (false, false) => None,
    }
}

/// Whether a text may be a unit: a word or two, or a mark.
fn is_unit(text: &str) -> bool {
    let is_part = |c: char| {
        c.is_alphabetic()
            || matches!(
                c,
                '%' | '°' | '\'' | '"' | '′' | '″' | '/' | '²' | '³' | '.' | ' ' | '·' | '‰'
            )
    };
    let n_words = text.split(' ').count();
    text.chars().all(is_part) && text.chars().count() <= 16 && n_words <= 2 && !text.starts_with(['.', '/'])
}

/// The code of a currency that a sign or a code stands for. The dollar's sign, which many
/// currencies share, stays a sign.
pub fn currency(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let found = SIGNS.iter().find(|(sign, _)| *sign == text).map(|(_, code)| *code);
    found.or_else(|| CODES.iter().find(|code| **code == text).copied())
}

const SIGNS: [(&str, &str); 18] = [
    ("$", "$"),
    ("US$", "USD"),
    ("€", "EUR"),
    ("Euro", "EUR"),
    ("euro", "EUR"),
    ("£", "GBP"),
    ("¥", "JPY"),
    ("₹", "INR"),
    ("Rs.", "INR"),
    ("Rs", "INR"),
    ("₽", "RUB"),
    ("₩", "KRW"),
    ("₺", "TRY"),
    ("A$", "AUD"),
    ("C$", "CAD"),
    ("Fr.", "CHF"),
    ("SFr.", "CHF"),
    ("zł", "PLN"),
];

const CODES: [&str; 22] = [
    "USD", "EUR", "GBP", "JPY", "INR", "CHF", "AUD", "CAD", "NZD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RUB",
    "TRY", "BRL", "MXN", "ZAR", "CNY", "KRW",
];

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check_numbers(mark: DecimalMark, texts: &[&str], expected: Expect) {
        let shown: Vec<String> = texts
            .iter()
            .map(|text| match read_number(text, mark) {
                Some(number) => format!("{text} => {} [{}]\n", number.amount, number.unit),
                None => format!("{text} => none\n"),
            })
            .collect();
        expected.assert_eq(&shown.concat());
    }

    #[test]
    fn amounts_and_units() {
        check_numbers(
            DecimalMark::Point,
            &[
                "11,750",
                "$87,500,000",
                "1.90 m",
                "67 kg",
                "60'",
                "-3",
                "1 234 567",
                "45 %",
                "€ 12.50",
                "12 EUR",
                ".5",
                "3.0",
                "41 (2013)",
                "37 °C (310 K)",
            ],
            expect![[r#"
                11,750 => 11750 []
                $87,500,000 => 87500000 [$]
                1.90 m => 1.90 [m]
                67 kg => 67 [kg]
                60' => 60 [']
                -3 => -3 []
                1 234 567 => 1234567 []
                45 % => 45 [%]
                € 12.50 => 12.50 [EUR]
                12 EUR => 12 [EUR]
                .5 => 0.5 []
                3.0 => 3.0 []
                41 (2013) => 41 []
                37 °C (310 K) => 37 [°C]
            "#]],
        );
        check_numbers(
            DecimalMark::Comma,
            &["1.234,50 €", "12,5", "1.234", "7"],
            expect![[r#"
                1.234,50 € => 1234.50 [EUR]
                12,5 => 12.5 []
                1.234 => 1234 []
                7 => 7 []
            "#]],
        );
    }

    #[test]
    fn what_is_in_doubt_is_no_number() {
        check_numbers(
            DecimalMark::Point,
            &[
                "007",
                "0:3",
                "1.2.3",
                "12-34",
                "+44 20 7946",
                "No. 5",
                "12,34",
                "2004-06-25",
                "Group 2",
                "a1b2",
                "1st and 2nd",
                "",
            ],
            expect![[r#"
                007 => none
                0:3 => none
                1.2.3 => none
                12-34 => none
                +44 20 7946 => none
                No. 5 => none
                12,34 => none
                2004-06-25 => none
                Group 2 => none
                a1b2 => none
                1st and 2nd => none
                 => none
            "#]],
        );
    }
}
