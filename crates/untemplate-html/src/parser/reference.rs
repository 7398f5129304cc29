//! Character references: `&amp;`, `&#38;`, `&#x26;`.
//!
//! In: the bytes after an ampersand. Out: how many of them belong to the reference, and the text it
//! stands for. HTML standard, 13.2.5.72 to 13.2.5.80.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;

/// The names of references, with their semicolon where they need one, and their text.
static BY_NAME: LazyLock<HashMap<&'static str, &'static str, FixedState>> = LazyLock::new(|| {
    entities::ENTITIES
        .iter()
        .map(|entity| (&entity.entity[1..], entity.characters))
        .collect()
});

/// The longest name that is good without a semicolon (`Aacute`), and the shortest (`gt`).
const BARE_NAME_LENGTHS: std::ops::RangeInclusive<usize> = 2..=6;

/// The longest name there is (`CounterClockwiseContourIntegral;`), without its semicolon.
const NAME_LENGTH_MAX: usize = 31;

/// Appends what the reference stands for to `out` and says how many bytes it has; 0 when the
/// ampersand is just that.
pub(super) fn read_reference(after: &str, in_attribute: bool, out: &mut String) -> usize {
    match after.as_bytes().first() {
        Some(b'#') => read_number(after, out),
        Some(byte) if byte.is_ascii_alphanumeric() => read_name(after, in_attribute, out),
        _ => 0,
    }
}

fn read_name(after: &str, in_attribute: bool, out: &mut String) -> usize {
    let bytes = after.as_bytes();
    let run = bytes
        .iter()
        .take(NAME_LENGTH_MAX + 1)
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    if bytes.get(run) == Some(&b';')
        && let Some(text) = BY_NAME.get(&after[..=run])
    {
        out.push_str(text);
        return run + 1;
    }
    for length in BARE_NAME_LENGTHS.rev().filter(|&length| length <= run) {
        if let Some(text) = BY_NAME.get(&after[..length]) {
            let next = bytes.get(length);
            if in_attribute && next.is_some_and(|&byte| byte == b'=' || byte.is_ascii_alphanumeric()) {
                return 0;
            }
            out.push_str(text);
            return length;
        }
    }
    0
}

fn read_number(after: &str, out: &mut String) -> usize {
    let bytes = after.as_bytes();
    let (radix, prefix) = if matches!(bytes.get(1), Some(b'x' | b'X')) {
        (16, 2)
    } else {
        (10, 1)
    };
    let digits = bytes[prefix..]
        .iter()
        .take_while(|&&byte| char::from(byte).is_digit(radix))
        .count();
    if digits == 0 {
        return 0;
    }
    let number = bytes[prefix..prefix + digits].iter().fold(0u32, |number, &byte| {
        let digit = char::from(byte).to_digit(radix).unwrap_or(0);
        number.saturating_mul(radix).saturating_add(digit)
    });
    out.push(character(number));
    prefix + digits + usize::from(bytes.get(prefix + digits) == Some(&b';'))
}

/// The character of a number: what pages of old mean by 128 to 159 is what Windows meant.
fn character(number: u32) -> char {
    const WINDOWS_1252: [u32; 32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
        0x17E, 0x178,
    ];
    let number = match number {
        0 => 0xFFFD,
        0x80..=0x9F => WINDOWS_1252[number as usize - 0x80],
        _ => number,
    };
    char::from_u32(number).unwrap_or('\u{FFFD}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_reference(after: &str, in_attribute: bool, expected: &str, length: usize) {
        let mut out = String::new();
        assert_eq!(
            (read_reference(after, in_attribute, &mut out), out.as_str()),
            (length, expected),
            "&{after}"
        );
    }

    #[test]
    fn names_end_at_their_semicolon_or_at_the_longest_bare_name() {
        check_reference("amp;x", false, "&", 4);
        check_reference("notit;", false, "¬", 3);
        check_reference("notin;", false, "∉", 6);
        check_reference("nosuch;", false, "", 0);
    }

    #[test]
    fn addresses_keep_their_parameters() {
        check_reference("copy=1", true, "", 0);
        check_reference("copy=1", false, "©", 4);
    }

    #[test]
    fn numbers_are_characters_or_replaced() {
        check_reference("#x41;", false, "A", 5);
        check_reference("#150", false, "–", 4);
        check_reference("#99999999999;", false, "\u{FFFD}", 13);
        check_reference("#x;", false, "", 0);
    }
}
