//! The regular expression that addresses have in common.
//!
//! Addresses are aligned part by part: host, path segments, query. What is constant stays, what
//! varies becomes the smallest of a few character classes that covers it. The expression is
//! anchored: it matches whole addresses.

use regex::Regex;
use url::Url;

use super::parts::UrlParts;
use super::words::common_ends;

/// The character classes that a varying part may be of, smallest first.
const CLASSES: [&str; 4] = [r"\d+", "[A-Za-z]", "[a-z-]+", "[^/?#]+"];

/// The smallest expression that covers the addresses; `None` when they do not have the same parts.
///
/// ```
/// use untemplate::page::covering_regex;
/// let urls: Vec<url::Url> = ["http://cup.example/m/12.html", "http://cup.example/m/7.html"]
///     .iter().map(|text| text.parse().expect("a good address")).collect();
/// assert_eq!(covering_regex(&urls).expect("one form"), r"^http://cup\.example/m/\d+\.html$");
/// ```
pub fn covering_regex(urls: &[Url]) -> Option<String> {
    let parts: Vec<Vec<String>> = urls.iter().map(|url| UrlParts::of(url).aligned()).collect();
    let first = parts.first()?;
    if parts.iter().any(|its| its.len() != first.len()) {
        return None;
    }
    let covering: Option<String> = (0..first.len())
        .map(|index| part_pattern(parts.iter().map(|its| its[index].as_str())))
        .collect();
    Some(format!("^{}$", covering?))
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
    let mut ends = common_ends(&inner);
    // Something varies in each, or else no class covers it.
    if inner.iter().any(|value| value.len() == ends.0 + ends.1) {
        ends = (0, 0);
    }
    let (prefix, suffix) = ends;
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
