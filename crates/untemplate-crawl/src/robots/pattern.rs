//! Path patterns of robots.txt: `*` is any text, a last `$` is the end.
//!
//! Matching is linear in pattern plus path: the pieces between stars are looked for from left to
//! right, each after the one before it, and the first place is always good enough, since a star can
//! take up the rest.

use memchr::memmem;

/// Writes a pattern as URLs are written: bytes that are not ASCII escaped, escapes in capitals.
pub(super) fn escape(pattern: &[u8]) -> String {
    let mut escaped = String::with_capacity(pattern.len());
    for (at, &byte) in pattern.iter().enumerate() {
        let is_digit_of_escape = |back: usize| at >= back && escape_at(pattern, at - back).is_some();
        match byte {
            0x80.. => escaped.push_str(&format!("%{byte:02X}")),
            _ if is_digit_of_escape(1) || is_digit_of_escape(2) => escaped.push(char::from(byte.to_ascii_uppercase())),
            _ => escaped.push(char::from(byte)),
        }
    }
    escaped
}

/// The byte that an escape at this place stands for.
fn escape_at(text: &[u8], at: usize) -> Option<u8> {
    let digits = text.get(at..at + 3)?.strip_prefix(b"%")?;
    let digit = |byte: u8| char::from(byte).to_digit(16);
    Some((digit(digits[0])? * 16 + digit(digits[1])?) as u8)
}

/// Undoes escapes of letters, digits and `-._~`, which mean the same either way (RFC 9309, section
/// 2.2.2).
pub(super) fn unescape_plain(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        match escape_at(bytes, text.len() - rest.len() + at) {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                plain.push(char::from(byte));
                rest = &rest[at + 3..];
            }
            _ => {
                plain.push('%');
                rest = &rest[at + 1..];
            }
        }
    }
    plain + rest
}

/// Whether a pattern matches a path from its start.
pub(super) fn matches(pattern: &str, path: &str) -> bool {
    let (pattern, is_anchored) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split('*');
    let first = pieces.next().unwrap_or("");
    let Some(mut rest) = path.as_bytes().strip_prefix(first.as_bytes()) else {
        return false;
    };
    let mut last: Option<&str> = None;
    for piece in pieces {
        if let Some(piece) = last.replace(piece) {
            match memmem::find(rest, piece.as_bytes()) {
                Some(at) => rest = &rest[at + piece.len()..],
                None => return false,
            }
        }
    }
    match (last, is_anchored) {
        (None, false) => true,
        (None, true) => rest.is_empty(),
        (Some(last), true) => rest.ends_with(last.as_bytes()),
        (Some(last), false) => memmem::find(rest, last.as_bytes()).is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    fn check_match(pattern: &str, path: &str, expected: bool) {
        assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
    }

    #[test]
    fn patterns_match_from_the_start() {
        check_match("/", "/a", true);
        check_match("/a", "/", false);
        check_match("/a$", "/a", true);
        check_match("/a$", "/ab", false);
        check_match("/*.php$", "/a/b.php", true);
        check_match("/*.php$", "/a.php?b.php", true);
        check_match("/*.php$", "/a.php?b", false);
        check_match("/a*b*c", "/a..b..cd", true);
        check_match("/a*b*c", "/acb", false);
        check_match("*b", "/ab", true);
        check_match("/a*a$", "/a", false);
        check_match("/$a", "/$a", true);
        check_match("/**$", "/a", true);
        check_match("$", "/", false);
        check_match("", "/", true);
    }

    #[test]
    fn escapes_have_one_spelling() {
        assert_eq!(escape(b"/a%e3b\xE3 %zz%"), "/a%E3b%E3 %zz%");
        assert_eq!(unescape_plain("/%7Ejo%2Fx%zz%61%"), "/~jo%2Fx%zza%");
    }

    /// A pattern of many stars and a path that nearly matches: the classic that stops backtracking
    /// matchers.
    #[test]
    fn hostile_patterns_cost_little() {
        let pattern = format!("/{}b", "a*".repeat(4_000));
        let path = format!("/{}", "a".repeat(100_000));
        let start = Instant::now();
        for _ in 0..20 {
            assert!(!matches(&pattern, &path));
        }
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    }
}
