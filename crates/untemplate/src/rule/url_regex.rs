//! Address patterns: what the addresses of one request class have in common (paper 002 §4,
//! URL-REGEX).
//!
//! A pattern is written by a person or made of addresses by [`covering_regex`]. It matches whole
//! addresses.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use regex::Regex;
use url::Url;

use crate::page::covering_regex;

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
        Self::new(&covering_regex(urls)?).ok()
    }
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
