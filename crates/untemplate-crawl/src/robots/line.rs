//! The lines of a robots.txt: bytes to keys and values.
//!
//! Lenient where search engines are, so that a file means to us what its author tested it against:
//! a byte order mark or a part of one, any line ends, a forgotten colon, misspelt keys, white space
//! anywhere.

/// What a line says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    UserAgent,
    Allow,
    Disallow,
    CrawlDelay,
    Sitemap,
}

/// A line that means something: its number from 1, its key and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub(super) number: u32,
    pub(super) key: Key,
    pub(super) value: &'a [u8],
}

/// How much of a line is read. Search engines stop at eight times the longest URL that browsers
/// take.
const LINE_BYTES_MAX: usize = 8 * 2083;

/// The lines that mean something, in order.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(without_mark(bytes));
    let mut number = 0;
    std::iter::from_fn(move || {
        loop {
            let text = rest?;
            number += 1;
            let end = memchr::memchr2(b'\n', b'\r', text);
            let line = &text[..end.unwrap_or(text.len())];
            rest = end.map(|end| {
                let is_pair = text[end..].starts_with(b"\r\n");
                &text[end + 1 + usize::from(is_pair)..]
            });
            if let Some((key, value)) = read(&line[..line.len().min(LINE_BYTES_MAX)]) {
                return Some(Line { number, key, value });
            }
        }
    })
}

/// Drops a byte order mark, or as much of one as is there.
fn without_mark(bytes: &[u8]) -> &[u8] {
    let shared = bytes
        .iter()
        .zip(b"\xEF\xBB\xBF")
        .take_while(|(left, right)| left == right);
    &bytes[shared.count()..]
}

fn read(line: &[u8]) -> Option<(Key, &[u8])> {
    let line = line[..memchr::memchr(b'#', line).unwrap_or(line.len())].trim_ascii();
    let (key, value) = match memchr::memchr(b':', line) {
        Some(colon) => (&line[..colon], &line[colon + 1..]),
        None => two_words(line)?,
    };
    Some((known_key(key.trim_ascii())?, value.trim_ascii()))
}

/// A line whose colon was forgotten, if it is two words and no sentence.
fn two_words(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_space = |byte: &u8| matches!(byte, b' ' | b'\t');
    let end = line.iter().position(is_space)?;
    let value = line[end..].trim_ascii();
    (!value.iter().any(is_space)).then_some((&line[..end], value))
}

/// The keys as they are written, right and wrong. A key may go on after its name, as in
/// `user-agents`.
const KEYS: [(&str, Key); 14] = [
    ("user-agent", Key::UserAgent),
    ("useragent", Key::UserAgent),
    ("user agent", Key::UserAgent),
    ("allow", Key::Allow),
    ("disallow", Key::Disallow),
    ("dissallow", Key::Disallow),
    ("dissalow", Key::Disallow),
    ("disalow", Key::Disallow),
    ("diasllow", Key::Disallow),
    ("disallaw", Key::Disallow),
    ("crawl-delay", Key::CrawlDelay),
    ("crawldelay", Key::CrawlDelay),
    ("sitemap", Key::Sitemap),
    ("site-map", Key::Sitemap),
];

fn known_key(key: &[u8]) -> Option<Key> {
    let starts_with = |name: &str| {
        key.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
    };
    KEYS.iter().find(|(name, _)| starts_with(name)).map(|&(_, key)| key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check_lines(text: &[u8], expected: Expect) {
        let told: Vec<String> = lines(text)
            .map(|line| format!("{} {:?} {}", line.number, line.key, line.value.escape_ascii()))
            .collect();
        expected.assert_eq(&told.join("\n"));
    }

    #[test]
    fn lines_are_read_leniently() {
        check_lines(
            b"\xEF\xBBUSER-AGENT : a b\r\n# no\r\rdisalow /x # why\n  Allow:/y\tz\ndisallow two words\nnonsense: 1\nCrawl-Delay:\t2",
            expect![[r#"
                1 UserAgent a b
                4 Disallow /x
                5 Allow /y\tz
                8 CrawlDelay 2"#]],
        );
    }

    #[test]
    fn a_line_ends_somewhere() {
        let long = [b"Allow: /".as_slice(), &[b'a'; 20_000]].concat();
        let line = lines(&long).next().expect("a line");
        assert_eq!(line.value.len(), LINE_BYTES_MAX - "Allow: ".len());
    }
}
