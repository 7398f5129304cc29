//! Charsets: the bytes of a page to text.
//!
//! In: bytes and the `Content-Type` they came with. Out: text, and how sure its encoding is. In
//! order: a byte order mark, the header, a declaration in the page, and else a guess from the
//! bytes. Encoding and HTML standards (13.2.3); the guess is Firefox's. Departure: a declaration is
//! looked for in the first [`PRESCAN_BYTES`] instead of 1,024, since browsers read the page again
//! when they meet one later.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::memmem;

use super::problem::Problem;

/// How far into a page a declaration is looked for.
const PRESCAN_BYTES: usize = 16 << 10;

/// How many bytes a guess is made from.
const GUESS_BYTES: usize = 256 << 10;

/// The text of a page and where its encoding was told.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// The encoding's name.
    pub encoding: &'static str,
    /// Who said so.
    pub told_by: ToldBy,
    /// Bytes that were no text in that encoding, if any.
    pub problem: Option<Problem>,
}

/// Who said which encoding a page has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldBy {
    /// A byte order mark.
    Mark,
    /// The `Content-Type` header.
    Header,
    /// A declaration in the page.
    Declaration,
    /// Nobody: it was guessed.
    Guess,
}

/// Decodes the bytes of a page.
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    let (encoding, told_by, mark_length) = find_encoding(bytes, content_type);
    let (text, malformed) = encoding.decode_without_bom_handling(&bytes[mark_length..]);
    let problem = malformed.then(|| {
        let message = format!(
            "some bytes are no {} and were replaced ({})",
            encoding.name(),
            told_by.text()
        );
        Problem::new("bad encoding", message)
    });
    Decoded {
        text,
        encoding: encoding.name(),
        told_by,
        problem,
    }
}

impl ToldBy {
    fn text(self) -> &'static str {
        match self {
            Self::Mark => "told by a byte order mark",
            Self::Header => "told by the Content-Type header",
            Self::Declaration => "declared in the page",
            Self::Guess => "guessed",
        }
    }
}

/// The encoding, who told it, and the length of the byte order mark.
fn find_encoding(bytes: &[u8], content_type: Option<&str>) -> (&'static Encoding, ToldBy, usize) {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return (encoding, ToldBy::Mark, length);
    }
    if let Some(encoding) = content_type.and_then(|header| encoding_in(header.as_bytes())) {
        return (encoding, ToldBy::Header, 0);
    }
    if let Some(encoding) = declared_encoding(&bytes[..bytes.len().min(PRESCAN_BYTES)]) {
        return (encoding, ToldBy::Declaration, 0);
    }
    (guess(bytes), ToldBy::Guess, 0)
}

/// The likeliest encoding of bytes that nobody declared. Where the first of them that is not ASCII
/// stands late, the guess is made from there on.
fn guess(bytes: &[u8]) -> &'static Encoding {
    let first = Encoding::ascii_valid_up_to(bytes);
    if first == bytes.len() {
        return WINDOWS_1252;
    }
    let end = bytes.len().min(first + GUESS_BYTES);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&bytes[first..end], end == bytes.len());
    detector.guess(None, Utf8Detection::Allow)
}

/// The `charset=…` in a header or in the content of a `meta` element.
fn encoding_in(content: &[u8]) -> Option<&'static Encoding> {
    let lower = content.to_ascii_lowercase();
    let mut from = 0;
    loop {
        let mut at = from + memmem::find(&lower[from..], b"charset")? + b"charset".len();
        from = at;
        at += lower[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if lower.get(at) != Some(&b'=') {
            continue;
        }
        at += 1;
        at += lower[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &lower[at..];
        let label = match rest.first()? {
            quote @ (b'"' | b'\'') => &rest[1..1 + rest[1..].iter().position(|byte| byte == quote)?],
            _ => {
                &rest[..rest
                    .iter()
                    .position(|&byte| byte == b';' || byte.is_ascii_whitespace())
                    .unwrap_or(rest.len())]
            }
        };
        return Encoding::for_label(label);
    }
}

/// What a page declares: the standard's "prescan a byte stream to determine its encoding".
fn declared_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut scan = Prescan { bytes, at: 0 };
    let found = scan.run().or_else(|| xml_encoding(bytes))?;
    Some(match found {
        encoding if encoding == UTF_16BE || encoding == UTF_16LE => UTF_8,
        encoding if encoding == X_USER_DEFINED => WINDOWS_1252,
        encoding => encoding,
    })
}

/// `<?xml version="1.0" encoding="…"?>` at the very start.
fn xml_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = bytes.strip_prefix(b"<?xml")?;
    let bytes = &bytes[..memchr::memchr(b'>', bytes)?];
    let mut rest = &bytes[memmem::find(bytes, b"encoding")? + b"encoding".len()..];
    rest = rest.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let quote = *rest.first().filter(|quote| b"\"'".contains(quote))?;
    let label = &rest[1..1 + rest[1..].iter().position(|&byte| byte == quote)?];
    Encoding::for_label(label)
}

struct Prescan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Prescan<'_> {
    fn run(&mut self) -> Option<&'static Encoding> {
        loop {
            self.at += memchr::memchr(b'<', &self.bytes[self.at..])?;
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"<!--") {
                self.at += 2 + memmem::find(&rest[2..], b"-->")? + 3;
            } else if is_meta(rest) {
                self.at += 5;
                if let Some(encoding) = self.meta()? {
                    return Some(encoding);
                }
            } else if begins_tag(rest) {
                self.at += rest
                    .iter()
                    .position(|&byte| byte == b'>' || byte.is_ascii_whitespace())?;
                while self.attribute()?.is_some() {}
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.at += memchr::memchr(b'>', rest)?;
            } else {
                self.at += 1;
            }
        }
    }

    /// What a `meta` element declares. The outer `None` means that the bytes ran out.
    fn meta(&mut self) -> Option<Option<&'static Encoding>> {
        let (mut is_pragma, mut needs_pragma, mut encoding) = (false, None, None);
        let mut seen: Vec<Vec<u8>> = Vec::new();
        while let Some((name, value)) = self.attribute()? {
            if seen.contains(&name) {
                continue;
            }
            match name.as_slice() {
                b"http-equiv" => is_pragma = value == b"content-type",
                b"content" if encoding.is_none() => {
                    encoding = encoding_in(&value);
                    if encoding.is_some() {
                        needs_pragma = Some(true);
                    }
                }
                b"charset" => {
                    encoding = Encoding::for_label(&value);
                    needs_pragma = Some(false);
                }
                _ => {}
            }
            seen.push(name);
        }
        Some(match needs_pragma {
            Some(true) if is_pragma => encoding,
            Some(false) => encoding,
            _ => None,
        })
    }

    /// The next attribute's name and value in lower case; the inner `None` at the tag's end.
    fn attribute(&mut self) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
        self.skip(|byte| byte.is_ascii_whitespace() || byte == b'/');
        if self.peek()? == b'>' {
            return Some(None);
        }
        let mut name = Vec::new();
        loop {
            match self.peek()? {
                b'=' if !name.is_empty() => break,
                byte if byte.is_ascii_whitespace() => {
                    self.skip(|byte| byte.is_ascii_whitespace());
                    break;
                }
                b'/' | b'>' => return Some(Some((name, Vec::new()))),
                byte => name.push(byte.to_ascii_lowercase()),
            }
            self.at += 1;
        }
        if self.peek()? != b'=' {
            return Some(Some((name, Vec::new())));
        }
        self.at += 1;
        self.skip(|byte| byte.is_ascii_whitespace());
        let value = match self.peek()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.take_until(|byte| byte == quote)?;
                self.at += 1;
                value
            }
            _ => self.take_until(|byte| byte == b'>' || byte.is_ascii_whitespace())?,
        };
        Some(Some((name, value)))
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip(&mut self, wanted: impl Fn(u8) -> bool) {
        self.at += self.bytes[self.at..].iter().take_while(|&&byte| wanted(byte)).count();
    }

    fn take_until(&mut self, ends: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
        let length = self.bytes[self.at..].iter().position(|&byte| ends(byte))?;
        let taken = self.bytes[self.at..self.at + length].to_ascii_lowercase();
        self.at += length;
        Some(taken)
    }
}

fn is_meta(bytes: &[u8]) -> bool {
    bytes.len() > 5 && bytes[..5].eq_ignore_ascii_case(b"<meta") && (bytes[5].is_ascii_whitespace() || bytes[5] == b'/')
}

fn begins_tag(bytes: &[u8]) -> bool {
    let letter = if bytes.get(1) == Some(&b'/') {
        bytes.get(2)
    } else {
        bytes.get(1)
    };
    letter.is_some_and(u8::is_ascii_alphabetic)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, clippy::disallowed_macros)]
mod tests {
    use super::*;
    use crate::parser::suite_tests::{Exception, Tally, suite_files, suite_folder};

    fn check_decode(bytes: &[u8], content_type: Option<&str>, text: &str, told_by: ToldBy) {
        let decoded = decode(bytes, content_type);
        assert_eq!((&*decoded.text, decoded.told_by), (text, told_by));
    }

    #[test]
    fn the_mark_wins_over_the_header_and_the_header_over_the_page() {
        check_decode(
            b"\xEF\xBB\xBF\xC3\xA4",
            Some("text/html; charset=iso-8859-1"),
            "ä",
            ToldBy::Mark,
        );
        check_decode(
            b"<meta charset=utf-8>\xE4",
            Some("text/html; charset=iso-8859-1"),
            "<meta charset=utf-8>ä",
            ToldBy::Header,
        );
        check_decode(
            b"<meta charset=iso-8859-2>\xB9",
            Some("text/html"),
            "<meta charset=iso-8859-2>š",
            ToldBy::Declaration,
        );
        check_decode("Žluťoučký kůň".as_bytes(), None, "Žluťoučký kůň", ToldBy::Guess);
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced_and_said() {
        let decoded = decode(b"a\xFFb", Some("text/html; charset=utf-8"));
        assert_eq!(&*decoded.text, "a\u{FFFD}b");
        assert_eq!(decoded.problem.map(|problem| problem.kind), Some("bad encoding"));
    }

    const EXCEPTIONS: &[Exception] = &[];

    #[test]
    fn suite_html_encoding() {
        let Some(folder) = suite_folder("html-encoding") else {
            return;
        };
        let mut tally = Tally::default();
        for (file, bytes) in suite_files(&folder, ".dat") {
            let mut rest = bytes.as_slice();
            let mut number = 0;
            while let Some(start) = memmem::find(rest, b"#data\n") {
                rest = &rest[start + 6..];
                let end = memmem::find(rest, b"\n#encoding\n").expect("a case has an encoding");
                let data = &rest[..end];
                rest = &rest[end + 11..];
                let line_end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                let expected = String::from_utf8_lossy(&rest[..line_end]).into_owned();
                let found = decode(data, None).encoding;
                let failure = (!found.eq_ignore_ascii_case(&expected)).then(|| {
                    format!(
                        "found {found}, expected {expected}: {:?}",
                        String::from_utf8_lossy(data)
                    )
                });
                tally.count(&file, number, failure, EXCEPTIONS);
                number += 1;
            }
        }
        tally.close("html-encoding");
    }
}
