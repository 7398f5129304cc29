//! Address patterns: what the addresses of one request class have in common (paper 002 §4, URL-REGEX).
//!
//! Addresses are aligned part by part: host, path segments, query. What is constant stays, what varies becomes the smallest of a few
//! character classes that covers it. The pattern is anchored: it matches whole addresses.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use regex::Regex;
use url::Url;

/// A pattern that whole addresses match.
#[derive(Debug, Clone)]
pub struct UrlRegex(Regex);

/// A text that is no pattern.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{pattern:?} is no address pattern: {reason}; write a regular expression such as ^http://site\\.example/item/\\d+$"
)]
pub struct UrlRegexError {
    /// The text.
    pub pattern: String,
    /// What is wrong.
    pub reason: String,
}

/// The character classes that a varying part may be of, smallest first.
const CLASSES: [&str; 4] = [r"\d+", "[A-Za-z]", "[a-z-]+", "[^/?#]+"];

impl UrlRegex {
    /// Reads a pattern.
    pub fn new(pattern: &str) -> Result<Self, UrlRegexError> {
        // Patterns come from files that people edit; what they compile to is bounded.
        regex::RegexBuilder::new(pattern)
            .size_limit(1 << 20)
            .build()
            .map(Self)
            .map_err(|error| UrlRegexError {
                pattern: pattern.to_owned(),
                reason: error.to_string(),
            })
    }

    /// Whether an address is of this kind.
    pub fn matches(&self, url: &Url) -> bool {
        self.0.is_match(url.as_str())
    }

    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The smallest pattern that covers the addresses; `None` when they have not the same parts.
    pub fn covering(urls: &[Url]) -> Option<Self> {
        let parts: Vec<Vec<String>> = urls.iter().map(parts).collect();
        let first = parts.first()?;
        if parts.iter().any(|its| its.len() != first.len()) {
            return None;
        }
        let covering: Option<String> = (0..first.len())
            .map(|index| part_pattern(parts.iter().map(|its| its[index].as_str())))
            .collect();
        Self::new(&format!("^{}$", covering?)).ok()
    }
}

/// An address in parts that can be aligned; each separator belongs to the part after it.
fn parts(url: &Url) -> Vec<String> {
    let mut parts = vec![url[..url::Position::BeforePath].to_owned()];
    let segments = url.path().split('/').skip(1);
    parts.extend(segments.map(|segment| format!("/{segment}")));
    for (index, pair) in url.query().into_iter().flat_map(|query| query.split('&')).enumerate() {
        let separator = if index == 0 { '?' } else { '&' };
        match pair.split_once('=') {
            Some((key, value)) => parts.extend([format!("{separator}{key}"), format!("={value}")]),
            None => parts.extend([format!("{separator}{pair}"), String::new()]),
        }
    }
    parts
}

/// The pattern of one part. A host, or a key of the query, that varies has none.
fn part_pattern<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Option<String> {
    let mut distinct: Vec<&str> = values.clone().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if let [only] = distinct[..] {
        return Some(regex::escape(only));
    }
    let separator = values.clone().next()?.chars().next()?;
    if !matches!(separator, '/' | '=') || !distinct.iter().all(|value| value.starts_with(separator)) {
        return None;
    }
    let inner: Vec<&str> = distinct.iter().map(|value| &value[1..]).collect();
    let (prefix, suffix) = common_ends(&inner);
    let varying = inner.iter().map(|value| &value[prefix..value.len() - suffix]);
    let covers = |class: &&&str| {
        let whole = Regex::new(&format!("^(?:{class})$"));
        whole.is_ok_and(|whole| varying.clone().all(|value| whole.is_match(value)))
    };
    let class = CLASSES.iter().find(covers)?;
    let (before, after) = (&inner[0][..prefix], &inner[0][inner[0].len() - suffix..]);
    Some(format!(
        "{separator}{}{class}{}",
        regex::escape(before),
        regex::escape(after)
    ))
}

/// How much all values begin and end with, cut back so that neither splits a word or number, and something varies in each.
fn common_ends(values: &[&str]) -> (usize, usize) {
    let first = values[0];
    let common = |same: &dyn Fn(&str, usize) -> bool| {
        (0..first.len())
            .take_while(|&at| values.iter().all(|value| at < value.len() && same(value, at)))
            .count()
    };
    let mut prefix = common(&|value, at| value.as_bytes()[at] == first.as_bytes()[at]);
    while prefix > 0 && !is_border(first, prefix) {
        prefix -= 1;
    }
    let mut suffix =
        common(&|value, at| value.as_bytes()[value.len() - 1 - at] == first.as_bytes()[first.len() - 1 - at]);
    while suffix > 0 && !is_border(first, first.len() - suffix) {
        suffix -= 1;
    }
    let shortest = values.iter().map(|value| value.len()).min().unwrap_or(0);
    if prefix + suffix >= shortest {
        (0, 0)
    } else {
        (prefix, suffix)
    }
}

/// Whether a word or number ends, or begins, at a byte.
fn is_border(text: &str, at: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    text.is_char_boundary(at) && !(at > 0 && is_word(text.as_bytes().get(at - 1)) && is_word(text.as_bytes().get(at)))
}

impl PartialEq for UrlRegex {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for UrlRegex {}

impl Hash for UrlRegex {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_str().hash(state);
    }
}

impl PartialOrd for UrlRegex {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for UrlRegex {
    fn cmp(&self, other: &Self) -> Ordering {
        self.as_str().cmp(other.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(urls: &[&str], expected: Option<&str>) {
        let urls: Vec<Url> = urls
            .iter()
            .map(|url| Url::parse(url).expect("a good address"))
            .collect();
        let pattern = UrlRegex::covering(&urls);
        assert_eq!(pattern.as_ref().map(UrlRegex::as_str), expected);
        assert!(pattern.is_none_or(|pattern| urls.iter().all(|url| pattern.matches(url))));
    }

    #[test]
    fn what_varies_becomes_the_smallest_class() {
        check(
            &["http://ex.com/by/A", "http://ex.com/by/K"],
            Some(r"^http://ex\.com/by/[A-Za-z]$"),
        );
        check(
            &["http://ex.com/i-1.html", "http://ex.com/i-22.html"],
            Some(r"^http://ex\.com/i\-\d+\.html$"),
        );
        check(
            &["http://ex.com/?p=1&q=a", "http://ex.com/?p=2&q=a"],
            Some(r"^http://ex\.com/\?p=\d+\&q=a$"),
        );
        check(
            &["http://ex.com/red-hat", "http://ex.com/cap"],
            Some(r"^http://ex\.com/[a-z-]+$"),
        );
        check(&["http://ex.com/a", "http://other.com/a"], None);
        check(&["http://ex.com/a", "http://ex.com/a/b"], None);
        check(&["http://ex.com/x/a"], Some(r"^http://ex\.com/x/a$"));
    }
}
