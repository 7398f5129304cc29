//! A light lexer for Rust: tells code from comments and strings, and finds words, paths and
//! functions.
//!
//! [`mask`] blanks what is no code and keeps every byte in its place, so that whatever is found in
//! the masked text has the line it has in the file. It knows strings, raw strings, characters,
//! lifetimes and nested comments; it does not expand macros.

use std::ops::Range;

/// `text` with comments and the insides of strings and characters turned into blanks.
pub fn mask(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut masked = bytes.to_vec();
    let mut place = 0;
    while place < bytes.len() {
        let (blank, next) = step(bytes, place);
        masked[blank]
            .iter_mut()
            .filter(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b' ');
        place = next;
    }
    String::from_utf8(masked).expect("whole characters are blanked or kept")
}

/// What to blank of the piece at `place`, and where the next piece starts.
fn step(bytes: &[u8], place: usize) -> (Range<usize>, usize) {
    let unblanked = |next: usize| (next..next, next);
    let quoted = |inside: usize, end: usize| (inside..end, bytes.len().min(end + 1));
    match bytes[place] {
        b'/' if bytes[place..].starts_with(b"//") => (place..line_end(bytes, place), line_end(bytes, place)),
        b'/' if bytes[place..].starts_with(b"/*") => (place..comment_end(bytes, place), comment_end(bytes, place)),
        b'"' => quoted(place + 1, string_end(bytes, place + 1)),
        b'\'' => character_end(bytes, place + 1).map_or_else(|| unblanked(place + 1), |end| quoted(place + 1, end)),
        letter if is_word(letter) => {
            let end = word_end(bytes, place);
            raw_string(bytes, &bytes[place..end], end)
                .map_or_else(|| unblanked(end), |inside| quoted(inside.start, inside.end))
        }
        _ => unblanked(place + 1),
    }
}

/// Can the byte be part of a name or number?
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..]
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(bytes.len(), |length| from + length)
}

fn comment_end(bytes: &[u8], from: usize) -> usize {
    let (mut place, mut depth) = (from + 2, 1);
    while place < bytes.len() && depth > 0 {
        let pair = &bytes[place..bytes.len().min(place + 2)];
        depth = if pair == b"/*" { depth + 1 } else { depth };
        depth = if pair == b"*/" { depth - 1 } else { depth };
        place += if pair == b"/*" || pair == b"*/" { 2 } else { 1 };
    }
    place.min(bytes.len())
}

/// The closing quote of the string whose inside starts at `from`.
fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut place = from;
    while place < bytes.len() && bytes[place] != b'"' {
        place += if bytes[place] == b'\\' { 2 } else { 1 };
    }
    place.min(bytes.len())
}

/// The closing quote of the character whose inside starts at `from`; `None` for a lifetime.
fn character_end(bytes: &[u8], from: usize) -> Option<usize> {
    let length = match bytes.get(from)? {
        // The escaped byte may itself be a quote.
        b'\\' => 2 + bytes.get(from + 2..)?.iter().position(|byte| *byte == b'\'')?,
        0..0x80 => 1,
        0x80..0xe0 => 2,
        0xe0..0xf0 => 3,
        _ => 4,
    };
    (bytes.get(from + length) == Some(&b'\'')).then_some(from + length)
}

fn word_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..]
        .iter()
        .position(|byte| !is_word(*byte))
        .map_or(bytes.len(), |length| from + length)
}

/// The inside of the raw string that `word`, which ends at `end`, opens. The hashes after it are
/// harmless in code.
fn raw_string(bytes: &[u8], word: &[u8], end: usize) -> Option<Range<usize>> {
    let n_hashes = bytes[end..].iter().take_while(|byte| **byte == b'#').count();
    let inside = end + n_hashes + 1;
    if !matches!(word, b"r" | b"br" | b"cr") || bytes.get(inside - 1) != Some(&b'"') {
        return None;
    }
    let closing = [b"\"".as_slice(), &vec![b'#'; n_hashes]].concat();
    let length = bytes[inside..]
        .windows(closing.len())
        .position(|window| window == closing);
    Some(inside..length.map_or(bytes.len(), |length| inside + length))
}

/// The line of a byte, starting at 1.
pub fn line_of(text: &str, place: usize) -> usize {
    text.as_bytes()[..place].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// Where `needle` stands in `code` as whole words, not as part of longer ones.
pub fn places_of<'a>(code: &'a str, needle: &'a str) -> impl Iterator<Item = usize> + 'a {
    let bytes = code.as_bytes();
    let whole = move |place: &usize| {
        let joins =
            |at: Option<&u8>, own: Option<u8>| at.is_some_and(|byte| is_word(*byte)) && own.is_some_and(is_word);
        let before = place.checked_sub(1).and_then(|before| bytes.get(before));
        !joins(before, needle.bytes().next()) && !joins(bytes.get(place + needle.len()), needle.bytes().last())
    };
    code.match_indices(needle).map(|(place, _)| place).filter(whole)
}

/// The names right below `root` that the code mentions: `root::name` and each of
/// `root::{name, other::x}`.
pub fn names_below<'a>(code: &'a str, root: &'a str) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for place in places_of(code, root) {
        let after = place + root.len();
        let Some(rest) = code[after..].trim_start().strip_prefix("::") else {
            continue;
        };
        let start = code.len() - rest.trim_start().len();
        match code[start..].strip_prefix('{') {
            Some(_) => found.extend(group_names(code, start + 1)),
            None => found.extend(word_at(code, start)),
        }
    }
    found
}

/// First names of the members of the brace group whose inside starts at `from`.
fn group_names(code: &str, from: usize) -> Vec<(usize, &str)> {
    let (mut depth, mut fresh, mut found) = (1, true, Vec::new());
    for (offset, letter) in code[from..].char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' => fresh = fresh || depth == 1,
            _ if letter.is_whitespace() => {}
            _ if fresh => {
                found.extend(word_at(code, from + offset));
                fresh = false;
            }
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// The word that starts at `from`, with its place.
fn word_at(code: &str, from: usize) -> Option<(usize, &str)> {
    let length = code.as_bytes()[from..]
        .iter()
        .take_while(|byte| is_word(**byte))
        .count();
    (length > 0).then(|| (from, &code[from..from + length]))
}

/// A function with a body.
#[derive(Debug, PartialEq)]
pub struct Function {
    pub name: String,
    pub line: usize,
    /// From the line with `fn` to the line of the closing brace.
    pub n_lines: usize,
}

/// The functions of masked code, inner ones included.
pub fn functions(code: &str) -> Vec<Function> {
    let mut found = Vec::new();
    for place in places_of(code, "fn") {
        let after = code.len() - code[place + 2..].trim_start().len();
        let (Some((_, name)), Some(end)) = (word_at(code, after), item_end(code, after)) else {
            continue;
        };
        if code.as_bytes()[end] != b'}' {
            continue;
        }
        let line = line_of(code, place);
        found.push(Function {
            name: name.to_owned(),
            line,
            n_lines: line_of(code, end) - line + 1,
        });
    }
    found
}

/// Where the item that goes on at `from` ends: the brace that closes its body, or the `;` of one
/// without.
pub fn item_end(code: &str, from: usize) -> Option<usize> {
    let (mut braces, mut others) = (0_usize, 0_usize);
    for (offset, byte) in code.as_bytes()[from..].iter().enumerate() {
        match byte {
            b'(' | b'[' => others += 1,
            b')' | b']' => others = others.saturating_sub(1),
            b'{' => braces += 1,
            b'}' if braces == 1 && others == 0 => return Some(from + offset),
            b'}' => braces = braces.saturating_sub(1),
            b';' if braces == 0 && others == 0 => return Some(from + offset),
            _ => {}
        }
    }
    None
}

/// Parts of masked code that exist in tests only: the items after `#[cfg(test)]`.
pub fn test_parts(code: &str) -> Vec<Range<usize>> {
    let marks = code.match_indices("#[cfg(test)]");
    marks
        .map(|(place, mark)| place..item_end(code, place + mark.len()).unwrap_or(code.len()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check_mask(text: &str, expected: Expect) {
        let masked = mask(text);
        assert_eq!(masked.len(), text.len());
        expected.assert_eq(&masked.replace(' ', "·"));
    }

    #[test]
    fn comments_are_blanked() {
        check_mask(
            "a // b\nc /* d /* e */ f\n */ g /",
            expect![[r#"
            a·····
            c···············
            ····g·/"#]],
        );
    }

    #[test]
    fn strings_are_blanked_and_keep_their_quotes() {
        check_mask(r#"x("{ \" é", b"}");"#, expect![[r#"x("·······",·b"·");"#]]);
        check_mask(
            r####"y(r#"a " {"#, br"\", r#fn)"####,
            expect![[r####"y(r#"·····"#,·br"·",·r#fn)"####]],
        );
    }

    #[test]
    fn characters_are_no_lifetimes() {
        check_mask(
            r"f('{', '\'', b'\\', 'é') -> &'a str",
            expect!["f('·',·'··',·b'··',·'··')·->·&'a·str"],
        );
        check_mask("'", expect!["'"]);
        check_mask("\"open", expect!["\"····"]);
    }

    #[test]
    fn functions_are_measured() {
        let code =
            mask("fn one() -> [u8; 2] {\n  if x { \"}\" }\n  fn two() {}\n}\ntrait T { fn three(); }\nlet f: fn(u8);");
        let named: Vec<_> = functions(&code)
            .into_iter()
            .map(|f| (f.name, f.line, f.n_lines))
            .collect();
        assert_eq!(named, [("one".to_owned(), 1, 4), ("two".to_owned(), 3, 1)]);
    }

    #[test]
    fn names_are_found_in_paths_and_groups() {
        let code = "use crate::page::Dom; use crate::{rule::{X, Y}, job, site as s}; my_crate::no";
        let names: Vec<_> = names_below(code, "crate").into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["page", "rule", "job", "site"]);
    }
}
