//! "Follow links like this": rules for requests, from the links that a person clicked (paper 002
//! §4).
//!
//! In: a page and one or more clicked links. Out: rules with the addresses that each picks, the
//! likeliest first ([`followings`]). What was clicked is one of a kind, so a set whose addresses
//! are all of one kind is likelier than one that mixes; a rule that mixes also comes with a pattern
//! that keeps those of the clicked kind (URL-REGEX). `candidates.rs` makes the rules.
//!
//! Departure: beside the paper's positions, rules start from elements that an attribute tells from
//! others, and from a link's own words, since those survive what shifts positions.

mod candidates;

use std::collections::BTreeSet;

use url::Url;

use crate::page::{Page, UrlParts};
use crate::rule::{ExtractionRule, UrlRegex};
pub(super) use candidates::{LinkCandidate, link_candidates};

/// Choices that are worth showing to a person.
const CHOICES_MAX: usize = 8;

/// A rule for requests, and what it picks on the page where it was taught.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Following {
    /// The rule.
    pub rule: ExtractionRule,
    /// The addresses in document order, each once; the clicked ones are among them.
    pub addresses: Vec<Url>,
}

/// The ways to understand what was clicked, the likeliest first; none when a clicked address is no
/// link of the page.
pub fn followings(page: &Page, clicked: &[Url]) -> Vec<Following> {
    let mut found: Vec<(Following, f64)> = Vec::new();
    for LinkCandidate { rule, fragility } in link_candidates(page, clicked) {
        let addresses = rule.addresses(page);
        if !clicked.iter().all(|url| addresses.contains(url)) {
            continue;
        }
        match found.iter_mut().find(|(its, _)| its.addresses == addresses) {
            Some(known) if fragility < known.1 => *known = (Following { rule, addresses }, fragility),
            Some(_) => {}
            None => found.push((Following { rule, addresses }, fragility)),
        }
    }
    found.sort_by(|(left, left_fragility), (right, right_fragility)| {
        let rank = |following: &Following| {
            let is_lonely = clicked.len() == 1 && following.addresses.len() == 1;
            (is_lonely, n_kinds(&following.addresses) > 1)
        };
        let by_rank = rank(left).cmp(&rank(right));
        by_rank
            .then_with(|| right.addresses.len().cmp(&left.addresses.len()))
            .then_with(|| left_fragility.total_cmp(right_fragility))
    });
    found.truncate(CHOICES_MAX);
    found.into_iter().map(|(following, _)| following).collect()
}

/// How many kinds of addresses there are.
pub(super) fn n_kinds(addresses: &[Url]) -> usize {
    let kinds: BTreeSet<String> = addresses.iter().map(|url| UrlParts::of(url).kind()).collect();
    kinds.len()
}

/// The same rule for addresses of the clicked kind alone; `None` where there are no others, or no
/// pattern covers them.
pub(super) fn with_pattern(rule: &ExtractionRule, addresses: &[Url], clicked: &[Url]) -> Option<ExtractionRule> {
    let wanted = UrlParts::of(clicked.first()?).kind();
    let is_alike = |url: &&Url| UrlParts::of(url).kind() == wanted;
    let alike: Vec<Url> = addresses.iter().filter(is_alike).cloned().collect();
    if alike.len() == addresses.len() || alike.len() <= clicked.len() {
        return None;
    }
    let mut rule = rule.clone();
    rule.url = UrlRegex::covering(&alike);
    rule.url.is_some().then_some(rule)
}

#[cfg(test)]
mod tests;
