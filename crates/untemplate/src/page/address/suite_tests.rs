//! The public URL suite, run when the environment variable `UNTEMPLATE_SUITES` names its folder.
//!
//! What is run: parsing against a base, and host names to ASCII. The suite's setters and its
//! percent-encoding of other charsets are not: nothing here changes a URL piece by piece, and links
//! are resolved as UTF-8. URLs are parsed by the crate `url`, whose differences from the standard
//! are the exceptions below.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use url::Url;

/// The files of the suite that are run: addresses, then host names.
const FILES: [&str; 5] = [
    "urltestdata.json",
    "urltestdata-javascript-only.json",
    "toascii.json",
    "IdnaTestV2.json",
    "IdnaTestV2-removed.json",
];

/// Why a case that fails is an exception, if it is one.
fn exception(case: &Value) -> Option<&'static str> {
    let input = case["input"].as_str()?.trim();
    let base = case["base"].as_str().unwrap_or("");
    let has_scheme = |scheme: &str| input.starts_with(scheme) || base.starts_with(scheme);
    let lower = input.to_ascii_lowercase();
    if lower.contains("xn--") {
        Some("a host with an invalid xn-- label, which the crate refuses: the standard lets it pass, and none exists")
    } else if input.starts_with('\u{3e8ac}') {
        Some("a code point that no version of Unicode assigns, which the crate takes for a valid one")
    } else if case.get("base").is_none() && input.trim_matches('\u{ad}').is_empty() {
        Some("an empty host")
    } else if has_scheme("file:") {
        Some("a file address with a host and a drive letter, or with several slashes, which no web page has")
    } else if has_scheme("non-special:") || has_scheme("foo:") || has_scheme("abc:") {
        Some("a scheme that is not followed")
    } else if input.contains('^') {
        Some("`^` in a path, which the crate leaves as it is: servers take both")
    } else {
        None
    }
}

#[test]
fn suite_url() {
    let Some(suites) = std::env::var_os("UNTEMPLATE_SUITES") else {
        eprintln!("suite url: skipped, since UNTEMPLATE_SUITES is not set");
        return;
    };
    let mut tally = Tally::default();
    for file in FILES {
        let bytes = std::fs::read(Path::new(&suites).join("url").join(file)).expect("the suite has this file");
        let cases: Value = serde_json::from_str(&without_lone_surrogates(&bytes)).expect("suites are JSON");
        let check: fn(&Value) -> Option<String> = match file.starts_with("urltestdata") {
            true => parse_failure,
            false => host_failure,
        };
        let cases = cases.as_array().cloned().unwrap_or_default();
        for (number, case) in cases.iter().filter(|case| case.is_object()).enumerate() {
            tally.count(
                check(case).map(|why| format!("{file} {number}: {why}")),
                exception(case),
            );
        }
    }
    tally.close();
}

/// How the suite went.
#[derive(Default)]
struct Tally {
    n_passed: usize,
    failures: Vec<String>,
    exceptions: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Counts a case: what was wrong with it, and why that is an exception.
    fn count(&mut self, failure: Option<String>, reason: Option<&'static str>) {
        match (failure, reason) {
            (None, _) => self.n_passed += 1,
            (Some(_), Some(reason)) => *self.exceptions.entry(reason).or_default() += 1,
            (Some(failure), None) => self.failures.push(failure),
        }
    }

    /// Prints the figures and fails if a case did.
    fn close(self) {
        let n_exceptions: usize = self.exceptions.values().sum();
        let n_cases = self.n_passed + n_exceptions + self.failures.len();
        eprintln!(
            "suite url: {} of {n_cases} ({n_exceptions} listed exceptions)",
            self.n_passed
        );
        for (reason, count) in &self.exceptions {
            eprintln!("  {count} exceptions: {reason}");
        }
        let shown: Vec<&String> = self.failures.iter().take(20).collect();
        assert!(
            self.failures.is_empty(),
            "{} cases fail: {shown:#?}",
            self.failures.len()
        );
    }
}

fn parse_failure(case: &Value) -> Option<String> {
    let input = case["input"].as_str()?;
    let base = case["base"].as_str();
    let found = match base {
        Some(base) => Url::parse(base)
            .ok()
            .and_then(|base| super::join(&base, input, "UTF-8")),
        None => Url::parse(input).ok(),
    };
    let expected = case["href"].as_str();
    let found = found.as_ref().map(Url::as_str);
    (found != expected).then(|| format!("{input:?} on {base:?}: found {found:?}, expected {expected:?}"))
}

fn host_failure(case: &Value) -> Option<String> {
    let input = case["input"].as_str()?;
    let expected = case["output"].as_str();
    let found = Url::parse(&format!("https://{input}/x"));
    let found = found
        .as_ref()
        .ok()
        .filter(|url| url.path() == "/x")
        .and_then(Url::host_str);
    (found != expected).then(|| format!("host {input:?}: found {found:?}, expected {expected:?}"))
}

/// The suite's text with each half of a surrogate pair that stands alone replaced, as decoding a
/// page would.
fn without_lone_surrogates(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let is_half = |escape: Option<&str>, halves: [&str; 4]| {
        escape.is_some_and(|escape| {
            escape.starts_with("\\u") && halves.iter().any(|half| escape[2..].eq_ignore_ascii_case(half))
        })
    };
    let mut clean = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(found) = text[at..].find("\\u") {
        clean.push_str(&text[at..at + found]);
        at += found;
        let first = is_half(text.get(at..at + 4), ["d8", "d9", "da", "db"]);
        let second = is_half(text.get(at + 6..at + 10), ["dc", "dd", "de", "df"]);
        let alone = first && !second || is_half(text.get(at..at + 4), ["dc", "dd", "de", "df"]);
        let length = if first && second { 12 } else { 6 };
        clean.push_str(if alone { "\\ufffd" } else { &text[at..at + length] });
        at += length;
    }
    clean + &text[at..]
}
