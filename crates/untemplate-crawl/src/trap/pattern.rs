//! URL patterns: what addresses of one kind have in common.
//!
//! A view of [`UrlParts`]. Runs of digits are `#`, dates `{date}`, values drawn at random `{id}`;
//! words stay, since they tell pages apart. Each address belongs to several levels of pattern: its
//! own, its path with any query, and the folders above it.

use untemplate::page::UrlParts;
use url::Url;

use crate::url_rules::is_session;

/// How many folders from the root are levels of their own.
const FOLDERS_MAX: usize = 4;

/// How much of an address goes into its pattern.
const PATTERN_BYTES_MAX: usize = 400;

/// The pattern of an address: `shop.example/item/#?page=#`.
pub fn url_pattern(url: &Url) -> String {
    let path = path_pattern(url);
    match query_pattern(url) {
        Some(query) => format!("{path}?{query}"),
        None => path,
    }
}

/// The levels of pattern of an address, narrowest first: its own, `path?…`, `folder/…` from the
/// deepest to the first.
pub(super) fn levels(url: &Url) -> Vec<String> {
    let path = path_pattern(url);
    let mut levels = vec![url_pattern(url), format!("{path}?…")];
    let slashes: Vec<usize> = path.match_indices('/').map(|(at, _)| at).collect();
    let folders = slashes.iter().skip(1).take(FOLDERS_MAX);
    levels.extend(folders.rev().map(|&slash| format!("{}/…", &path[..slash])));
    levels
}

/// Whether a level is one of folders, or of a path with any query, rather than an address's own
/// pattern.
pub(super) fn is_folder(level: &str) -> bool {
    level.ends_with("/…")
}

pub(super) fn is_family(level: &str) -> bool {
    level.ends_with("?…")
}

/// Whether an address is within a level.
pub(super) fn contains(level: &str, url: &Url) -> bool {
    levels(url).iter().any(|its_level| its_level == level)
}

fn path_pattern(url: &Url) -> String {
    let mut pattern = url.host_str().unwrap_or("").to_owned();
    if let Some(port) = url.port() {
        pattern += &format!(":{port}");
    }
    let UrlParts { folders, name, .. } = UrlParts::of(url);
    let mut date_part = 0;
    for segment in folders.into_iter().chain([name]) {
        if pattern.len() > PATTERN_BYTES_MAX {
            return pattern + "/~";
        }
        pattern.push('/');
        date_part = next_date_part(date_part, segment);
        match date_part {
            1 => pattern += "{year}",
            2 => pattern += "{month}",
            3 => pattern += "{day}",
            _ => pattern += &shape(segment),
        }
    }
    pattern
}

/// Which part of a date in folders (`/2024/05/12`) a segment is, given the part before it; 0 for
/// none.
fn next_date_part(before: u8, segment: &str) -> u8 {
    let is_number = !segment.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit());
    let number: u32 = segment.parse().ok().filter(|_| is_number).unwrap_or(0);
    match (before, segment.len()) {
        (1, 1..=2) if (1..=12).contains(&number) => 2,
        (2, 1..=2) if (1..=31).contains(&number) => 3,
        (_, 4) if is_year(number) => 1,
        _ => 0,
    }
}

fn is_year(number: u32) -> bool {
    (1800..2200).contains(&number)
}

/// The parameters, sorted: their order means nothing. Array indices (`f[0]`) are digits too.
fn query_pattern(url: &Url) -> Option<String> {
    let mut parts: Vec<String> = UrlParts::of(url).query?.into_iter().map(parameter_pattern).collect();
    parts.sort();
    parts.dedup();
    let mut pattern = String::new();
    for part in parts {
        if pattern.len() + part.len() > PATTERN_BYTES_MAX {
            return Some(pattern + "&~");
        }
        let separator = if pattern.is_empty() { "" } else { "&" };
        pattern += &format!("{separator}{part}");
    }
    Some(pattern)
}

fn parameter_pattern((name, value): (&str, Option<&str>)) -> String {
    match value {
        Some(value) => format!("{}={}", shape(name), shape(value)),
        None => shape(name),
    }
}

/// A text with its numbers, dates and random names made plain; long texts are `{text}`.
pub(super) fn shape(text: &str) -> String {
    if is_session(text) {
        return "{id}".to_owned();
    }
    if text.len() > 100 {
        return "{text}".to_owned();
    }
    let mut shape = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = date_length(rest);
        if length > 0 {
            shape += "{date}";
            rest = &rest[length..];
        } else if first.is_ascii_digit() {
            shape.push('#');
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        } else {
            shape.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    shape
}

/// The length of a date that a text begins with: `2024-05-12`, `2024-05`, `12.05.2024`, `20240512`;
/// 0 if it begins otherwise.
fn date_length(text: &str) -> usize {
    let mut numbers: [(u32, usize); 3] = [(0, 0); 3];
    let (mut at, mut end, mut n_numbers) = (0, 0, 0);
    for number in &mut numbers {
        let digits = text[at..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 8 {
            break;
        }
        *number = (text[at..at + digits].parse().unwrap_or(0), digits);
        n_numbers += 1;
        end = at + digits;
        let has_separator = text[end..].starts_with(['-', '_', '.']);
        if !has_separator {
            break;
        }
        at = end + 1;
    }
    let is_month = |number: u32| (1..=12).contains(&number);
    let is_day = |number: u32| (1..=31).contains(&number);
    let is_date = match (n_numbers, numbers) {
        (1, [(date, 8), ..]) => is_year(date / 10_000) && is_month(date / 100 % 100) && is_day(date % 100),
        (2, [(year, 4), (month, 1..=2), _]) => is_year(year) && is_month(month),
        (3, [(year, 4), (month, 1..=2), (day, 1..=2)]) => is_year(year) && is_month(month) && is_day(day),
        (3, [(day, 1..=2), (month, 1..=2), (year, 4)]) => is_year(year) && is_day(month) && is_day(day),
        _ => false,
    };
    if is_date { end } else { 0 }
}

/// The segments that a path repeats, as in `a/b/a/b/a/b`: three times in a row, or one of them five
/// times in all. Numbers alone may repeat.
pub fn repeated_segments(url: &Url) -> Option<String> {
    let segments: Vec<&str> = url
        .path()
        .split('/')
        .filter(|segment| !segment.is_empty())
        .take(100)
        .collect();
    let is_word = |segment: &&str| segment.bytes().any(|byte| !byte.is_ascii_digit());
    for length in 1..=segments.len() / 3 {
        let mut windows = segments.windows(length * 3);
        let repeats = windows.find(|window| {
            let (unit, rest) = window.split_at(length);
            unit == &rest[..length] && unit == &rest[length..] && unit.iter().any(is_word)
        });
        if let Some(window) = repeats {
            return Some(window[..length].join("/"));
        }
    }
    let often = segments
        .iter()
        .filter(|segment| is_word(segment))
        .find(|segment| segments.iter().filter(|other| other == segment).count() >= 5);
    often.map(|segment| (*segment).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        Url::parse("http://a.example")
            .expect("a good address")
            .join(path)
            .expect("a good path")
    }

    fn check_pattern(path: &str, expected: &str) {
        assert_eq!(url_pattern(&url(path)), format!("a.example{expected}"), "{path}");
    }

    #[test]
    fn patterns_keep_words_and_lose_numbers() {
        check_pattern("/", "/");
        check_pattern("/item/17/a-2b?page=3&id=x", "/item/#/a-#b?id=x&page=#");
        check_pattern("/?b=1&a=2&b=3", "/?a=#&b=#");
        check_pattern("/?f[0]=x&f[1]=y", "/?f[#]=x&f[#]=y");
        check_pattern("/news/2024/05/12/storm", "/news/{year}/{month}/{day}/storm");
        check_pattern("/2024/13/", "/{year}/#/");
        check_pattern("/cal?d=2024-05-12", "/cal?d={date}");
        check_pattern(
            "/cal/2024-05?x=20240512&y=12.5.2024&z=99999999",
            "/cal/{date}?x={date}&y={date}&z=#",
        );
        check_pattern("/v1.2.3/", "/v#.#.#/");
        check_pattern("/s/8f3a9c0d1e2b4f5a6c7d/x", "/s/{id}/x");
    }

    #[test]
    fn an_address_has_levels() {
        let levels = levels(&url("/a/b2/c?d=1"));
        assert_eq!(
            levels,
            [
                "a.example/a/b#/c?d=#",
                "a.example/a/b#/c?…",
                "a.example/a/b#/…",
                "a.example/a/…"
            ]
        );
        assert!(contains("a.example/a/…", &url("/a/")));
        assert!(!contains("a.example/a/…", &url("/a")));
    }

    fn check_repeats(path: &str, expected: Option<&str>) {
        assert_eq!(repeated_segments(&url(path)).as_deref(), expected, "{path}");
    }

    #[test]
    fn loops_are_seen() {
        check_repeats("/a/b/a/b/a/b/", Some("a/b"));
        check_repeats("/x/a/a/a", Some("a"));
        check_repeats("/a/b/a/c/a/d/a/e/a", Some("a"));
        check_repeats("/a/b/a/b", None);
        check_repeats("/map/1/1/1/1", None);
        check_repeats("/2020/2020/a/2020", None);
        check_repeats("/a//////", None);
    }
}
