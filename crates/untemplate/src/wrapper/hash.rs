//! Hashes: texts, classes and labels as numbers that stay the same over versions, since wrappers
//! store sets of them.

pub(super) use crate::page::stable_hash_more as hash_more;
use crate::page::{stable_hash, without_numbers};

/// The hash of a text.
#[inline]
pub(super) const fn hash_text(text: &str) -> u64 {
    stable_hash(text.as_bytes())
}

/// The hash of a text with its white space collapsed.
pub(super) fn hash_collapsed(text: &str) -> u64 {
    let mut hash = hash_text("");
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            hash = hash_more(hash, b" ");
        }
        hash = hash_more(hash, word.as_bytes());
    }
    hash
}

/// The hash of a label: case, the colon, and whether it is one or several make no difference.
pub(super) fn hash_label(text: &str) -> u64 {
    let text = text.trim().trim_end_matches(':').trim_end();
    let text = text.strip_suffix("(s)").unwrap_or(text);
    let text = text.strip_suffix(['s', 'S']).unwrap_or(text);
    let mut hash = hash_text("label");
    if text.is_ascii() {
        let mut is_apart = true;
        for byte in text.bytes() {
            if matches!(byte, b'\t'..=b'\r' | b' ') {
                is_apart = true;
                continue;
            }
            if std::mem::take(&mut is_apart) {
                hash = hash_more(hash, b" ");
            }
            hash = hash_more(hash, &[byte.to_ascii_lowercase()]);
        }
        return hash;
    }
    for word in text.split_whitespace() {
        hash = hash_more(hash, b" ");
        for byte in word.bytes() {
            hash = hash_more(hash, &[byte.to_ascii_lowercase()]);
        }
    }
    hash
}

/// A bit that stands for a hash in a set of 128.
#[inline]
pub(super) fn shape_bit(hash: u64) -> u128 {
    1 << ((hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57)
}

/// A bit that stands for a hash in a set of 64.
#[inline]
pub(super) fn class_bit(hash: u64) -> u64 {
    1 << ((hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58)
}

/// Classes that tell where in a list or in which state an element is, not what it is.
const STATES: [&str; 14] = [
    "odd",
    "even",
    "first",
    "last",
    "alt",
    "alternate",
    "active",
    "selected",
    "current",
    "hover",
    "on",
    "off",
    "clearfix",
    "clear",
];

/// The class words that tell what an element is, with digits as `#`.
pub(super) fn class_words(value: &str) -> impl Iterator<Item = String> + '_ {
    value
        .split_ascii_whitespace()
        .map(without_numbers)
        .filter(|word| !is_state(word))
}

/// The set of classes of an attribute's value: the bits of [`class_words`], made without writing
/// them down.
pub(super) fn class_set(value: &str) -> u64 {
    let words = value.split_ascii_whitespace().filter(|word| !is_state(word));
    words.fold(0, |bits, word| bits | class_bit(hash_without_digits(word)))
}

fn is_state(word: &str) -> bool {
    word.len() <= 9 && STATES.iter().any(|state| state.eq_ignore_ascii_case(word))
}

/// The hash of [`without_numbers`].
pub(super) fn hash_without_digits(text: &str) -> u64 {
    let mut hash = hash_text("");
    let mut after_digit = false;
    for byte in text.bytes() {
        let is_digit = byte.is_ascii_digit();
        if !(is_digit && after_digit) {
            hash = hash_more(hash, &[if is_digit { b'#' } else { byte }]);
        }
        after_digit = is_digit;
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_ascii_are_hashed_as_others_are() {
        let plain = |text: &str| {
            let words = text.split_whitespace();
            words.fold(hash_text("label"), |hash, word| {
                let hash = hash_more(hash, b" ");
                hash_more(hash, word.to_ascii_lowercase().as_bytes())
            })
        };
        for text in ["Made in", "made\n\t IN", "a\u{b}b \u{c} c", "Größe in", "", "x\u{1c}y"] {
            assert_eq!(hash_label(text), plain(text), "{text:?}");
        }
    }
}
