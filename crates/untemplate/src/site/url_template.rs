//! URL templates: addresses with what varies taken out, to tell what a link leads to before it is
//! followed.
//!
//! In: addresses. Out: [`url_steps`], the generalisations of one address from fine to coarse, for
//! whoever counts what each led to; and [`UrlPattern`], what a whole set of addresses has in common,
//! for people and for site models. One address by its form alone is
//! [`UrlParts::form`](crate::page::UrlParts::form).

use std::fmt;

use url::Url;

use crate::page::{UrlParts, push_numbers_out};

/// The generalisations of an address from fine to coarse. Who counts what addresses led to looks at the finest that was seen often enough.
///
/// 1. The folder, the first and last word of the name, and the form between: `tools/oak/wide*-plan.html`.
/// 2. The folder and the last word of the name; 3. the folder and the first word; 4. the folder; 5. the first folder;
/// 6. the number of folders.
pub fn url_steps(url: &Url) -> [String; 6] {
    let parts = UrlParts::of(url);
    let (host, tail) = (parts.host, parts.tail());
    let (first, last) = (edge_word(parts.stem), last_word(parts.stem));
    let n_folders = parts.folders.len();
    let top = parts.folders.first().copied().unwrap_or("");
    let folder: String = parts.folders.iter().flat_map(|folder| ["/", folder]).collect();
    let mut numberless = String::new();
    push_numbers_out(&folder, &mut numberless);
    [
        format!("1 {host}{folder}/{first}~{last}{tail}"),
        format!("2 {host}{folder}/~{last}{tail}"),
        format!("3 {host}{folder}/{first}~{tail}"),
        format!("4 {host}{numberless}/{tail}"),
        format!("5 {host}/{top}/ {n_folders}{tail}"),
        format!("6 {n_folders}{tail}"),
    ]
}

/// The first word of a name with the mark after it; numbers by form; empty where the name is one word.
fn edge_word(stem: &str) -> String {
    let end = stem
        .find(|c: char| !c.is_alphanumeric())
        .map_or(0, |end| end + stem[end..].chars().next().map_or(0, char::len_utf8));
    let mut word = String::new();
    push_numbers_out(&stem[..end], &mut word);
    word
}

/// The last word of a name with the mark before it, or the letters after its last number; numbers by form.
fn last_word(stem: &str) -> String {
    let start = stem.rfind(|c: char| !c.is_alphanumeric());
    let word = start.map_or(stem, |start| &stem[start..]);
    let after_number = word.rfind(|c: char| c.is_ascii_digit());
    let mut last = String::new();
    match (start, after_number) {
        (_, Some(digit)) if digit + 1 < word.len() => {
            last.push('#');
            last.push_str(&word[digit + 1..]);
        }
        (None, Some(_)) => last.push('#'),
        (None, None) => {}
        (Some(_), _) => push_numbers_out(word, &mut last),
    }
    last
}

/// What a set of addresses has in common: literal pieces, `#` for numbers, `*` for any text within a segment.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlPattern {
    pieces: Vec<String>,
}

impl UrlPattern {
    /// The pattern of addresses with equally many segments; `None` where their forms differ, or there are none.
    ///
    /// ```
    /// use untemplate::site::UrlPattern;
    /// let urls: Vec<url::Url> = ["http://cup.example/m/12-feat.html", "http://cup.example/m/7-feat.html"]
    ///     .iter().map(|text| text.parse().expect("a good address")).collect();
    /// assert_eq!(UrlPattern::of(&urls).expect("one form").to_string(), "http://cup.example/m/#-feat.html");
    /// ```
    pub fn of(urls: &[Url]) -> Option<Self> {
        let split: Vec<Vec<&str>> = urls
            .iter()
            .map(|url| url.as_str().split(['/', '?', '&']).collect())
            .collect();
        let first = split.first()?;
        let is_same_form = |segments: &Vec<&str>| segments.len() == first.len();
        if !split.iter().all(is_same_form) {
            return None;
        }
        let pieces = (0..first.len()).map(|at| {
            let segments: Vec<&str> = split.iter().map(|segments| segments[at]).collect();
            common_segment(&segments)
        });
        // What separates the segments is taken from the first address.
        let marks = urls[0].as_str().chars().filter(|c| "/?&".contains(*c));
        let mut with_marks = Vec::new();
        let mut marks = marks.map(String::from);
        for piece in pieces {
            with_marks.push(piece);
            with_marks.extend(marks.next());
        }
        Some(Self { pieces: with_marks })
    }

    /// Whether an address has this pattern.
    pub fn holds_on(&self, url: &Url) -> bool {
        let mut rest = url.as_str();
        let marks = |piece: &String| piece.len() == 1 && "/?&".contains(piece.as_str());
        for (index, piece) in self.pieces.iter().enumerate() {
            if marks(piece) {
                match rest.strip_prefix(piece.as_str()) {
                    Some(after) => rest = after,
                    None => return false,
                }
                continue;
            }
            let is_last = index + 1 == self.pieces.len();
            let end = rest.find(['/', '?', '&']).unwrap_or(rest.len());
            if is_last && end < rest.len() || !segment_holds(piece, &rest[..end]) {
                return false;
            }
            rest = &rest[end..];
        }
        rest.is_empty()
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| f.write_str(piece))
    }
}

/// What segments have in common: all of them, or their common start and end with a `#` or `*` between.
fn common_segment(segments: &[&str]) -> String {
    let first = segments[0];
    if segments.iter().all(|segment| *segment == first) {
        return first.to_owned();
    }
    let start = word_start(
        first,
        segments.iter().map(|s| common_prefix(first, s)).min().unwrap_or(0),
    );
    let shortest = segments.iter().map(|s| s.len()).min().unwrap_or(0);
    let end = segments.iter().map(|s| common_suffix(first, s)).min().unwrap_or(0);
    let end = word_end(first, end.min(shortest - start));
    let middles = segments.iter().map(|s| &s[start..s.len() - end]);
    let is_number = middles
        .clone()
        .all(|middle| !middle.is_empty() && middle.bytes().all(|b| b.is_ascii_digit()));
    let mark = if is_number { '#' } else { '*' };
    format!("{}{mark}{}", &first[..start], &first[first.len() - end..])
}

fn common_prefix(left: &str, right: &str) -> usize {
    let pairs = left.char_indices().zip(right.chars());
    pairs
        .take_while(|((_, l), r)| l == r)
        .last()
        .map_or(0, |((at, c), _)| at + c.len_utf8())
}

fn common_suffix(left: &str, right: &str) -> usize {
    let pairs = left.chars().rev().zip(right.chars().rev());
    pairs.take_while(|(l, r)| l == r).map(|(c, _)| c.len_utf8()).sum()
}

/// The longest part of a common start that does not end inside a word.
fn word_start(text: &str, length: usize) -> usize {
    let is_word = |c: char| c.is_alphanumeric();
    let inside = text[..length].chars().next_back().is_some_and(is_word);
    if !inside {
        return length;
    }
    text[..length]
        .rfind(|c: char| !is_word(c))
        .map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8))
}

/// The longest part of a common end that does not begin inside a word.
fn word_end(text: &str, length: usize) -> usize {
    let tail = &text[text.len() - length..];
    if !tail.starts_with(char::is_alphanumeric) {
        return length;
    }
    tail.find(|c: char| !c.is_alphanumeric()).map_or(0, |at| length - at)
}

fn segment_holds(piece: &str, segment: &str) -> bool {
    let Some(at) = piece.find(['#', '*']) else {
        return piece == segment;
    };
    let (start, end) = (&piece[..at], &piece[at + 1..]);
    let Some(middle) = segment.strip_prefix(start).and_then(|rest| rest.strip_suffix(end)) else {
        return false;
    };
    let is_number = !middle.is_empty() && middle.bytes().all(|byte| byte.is_ascii_digit());
    piece.as_bytes()[at] == b'*' || is_number
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a good address")
    }

    fn check_steps(text: &str, expected: &[&str]) {
        assert_eq!(url_steps(&url(text)), expected, "{text}");
    }

    #[test]
    fn steps_go_from_fine_to_coarse() {
        check_steps(
            "http://a.example/lib/swing/big_band_9.html",
            &[
                "1 a.example/lib/swing/big_~_#.html",
                "2 a.example/lib/swing/~_#.html",
                "3 a.example/lib/swing/big_~.html",
                "4 a.example/lib/swing/.html",
                "5 a.example/lib/ 2.html",
                "6 2.html",
            ],
        );
        check_steps(
            "http://a.example/220rank.html",
            &[
                "1 a.example/~#rank.html",
                "2 a.example/~#rank.html",
                "3 a.example/~.html",
                "4 a.example/.html",
                "5 a.example// 0.html",
                "6 0.html",
            ],
        );
    }

    fn check_pattern(texts: &[&str], expected: Option<&str>) {
        let urls: Vec<Url> = texts.iter().map(|text| url(text)).collect();
        let pattern = UrlPattern::of(&urls);
        assert_eq!(
            pattern.as_ref().map(UrlPattern::to_string).as_deref(),
            expected,
            "{texts:?}"
        );
        if let Some(pattern) = pattern {
            assert!(urls.iter().all(|url| pattern.holds_on(url)), "{pattern}");
        }
    }

    #[test]
    fn patterns_keep_what_is_common() {
        check_pattern(
            &["http://a.example/t/12.html", "http://a.example/t/7.html"],
            Some("http://a.example/t/#.html"),
        );
        check_pattern(
            &["http://a.example/PIC16-feat.html", "http://a.example/PIC18-feat.html"],
            Some("http://a.example/*-feat.html"),
        );
        check_pattern(
            &["http://a.example/x?id=1&l=en", "http://a.example/y?id=22&l=en"],
            Some("http://a.example/*?id=#&l=en"),
        );
        check_pattern(&["http://a.example/x/", "http://a.example/x"], None);
        check_pattern(&["http://a.example/x/"], Some("http://a.example/x/"));
        check_pattern(&[], None);
    }

    #[test]
    fn patterns_refuse_what_is_not_theirs() {
        let urls = [url("http://a.example/t/12.html"), url("http://a.example/t/7.html")];
        let pattern = UrlPattern::of(&urls).expect("one form");
        assert!(pattern.holds_on(&url("http://a.example/t/999.html")));
        for other in [
            "http://a.example/t/x.html",
            "http://a.example/t/1.htm",
            "http://a.example/t/1.html/2",
        ] {
            assert!(!pattern.holds_on(&url(other)), "{other}");
        }
    }
}
