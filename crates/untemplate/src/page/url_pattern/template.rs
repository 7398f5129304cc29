//! URL templates: what a set of addresses has in common, for people and for site models.

use std::fmt;

use url::Url;

use super::parts::UrlParts;
use super::words::{common_ends, is_number};

/// What a set of addresses has in common: literal text, `#` for numbers, `*` for any text within a
/// part.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlPattern {
    /// The patterns of [`UrlParts::aligned`].
    parts: Vec<String>,
}

impl UrlPattern {
    /// The pattern of addresses with equally many parts; `None` where their forms differ, or there
    /// are none.
    ///
    /// ```
    /// use untemplate::page::UrlPattern;
    /// let urls: Vec<url::Url> = ["http://cup.example/m/12-feat.html", "http://cup.example/m/7-feat.html"]
    ///     .iter().map(|text| text.parse().expect("a good address")).collect();
    /// assert_eq!(UrlPattern::of(&urls).expect("one form").to_string(), "http://cup.example/m/#-feat.html");
    /// ```
    pub fn of(urls: &[Url]) -> Option<Self> {
        let all: Vec<Vec<String>> = urls.iter().map(|url| UrlParts::of(url).aligned()).collect();
        let n_parts = all.first()?.len();
        if all.iter().any(|parts| parts.len() != n_parts) {
            return None;
        }
        let common = |at: usize| common_part(&all.iter().map(|parts| parts[at].as_str()).collect::<Vec<_>>());
        Some(Self {
            parts: (0..n_parts).map(common).collect(),
        })
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| f.write_str(part))
    }
}

/// What parts have in common: all of them, or their common start and end with a `#` or `*` between.
fn common_part(parts: &[&str]) -> String {
    let first = parts[0];
    if parts.iter().all(|part| *part == first) {
        return first.to_owned();
    }
    let (start, end) = common_ends(parts);
    let are_numbers = parts.iter().all(|part| is_number(&part[start..part.len() - end]));
    let mark = if are_numbers { '#' } else { '*' };
    format!("{}{mark}{}", &first[..start], &first[first.len() - end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).expect("a good address")
    }

    fn check_pattern(texts: &[&str], expected: Option<&str>) {
        let urls: Vec<Url> = texts.iter().map(|text| url(text)).collect();
        let pattern = UrlPattern::of(&urls);
        assert_eq!(
            pattern.as_ref().map(UrlPattern::to_string).as_deref(),
            expected,
            "{texts:?}"
        );
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
}
