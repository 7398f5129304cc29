//! "Follow links like this": rules for requests, from the links that a person clicked (paper 002
//! §4).
//!
//! In: a page and one or more clicked links. Out: rules with the addresses that each picks, the
//! likeliest first ([`followings`]). What was clicked is one of the links that stand as it does
//! (`alike.rs`), so the set that is most like those comes first. A rule that picks addresses of
//! several kinds also comes with a pattern that keeps those of the clicked kind (URL-REGEX).
//! `candidates.rs` makes the rules.
//!
//! Departure: beside the paper's positions, rules start from elements that an attribute tells from
//! others, and from a link's own words, since those survive what shifts positions.

mod alike;
mod candidates;

use std::collections::{BTreeSet, HashSet};

use url::Url;

use super::tuning::LinkTuning;
use crate::page::{Name, NodeId, Page, UrlParts};
use crate::rule::{ExtractionRule, UrlRegex};
use alike::links_alike;
use candidates::leads_to;
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

/// A link that was clicked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClickedLink {
    /// Where it leads.
    pub url: Url,
    /// Its element, where that is known; else every link to the address may be meant.
    pub node: Option<NodeId>,
}

impl From<Url> for ClickedLink {
    fn from(url: Url) -> Self {
        Self { url, node: None }
    }
}

/// The ways to understand what was clicked, the likeliest first; none when a clicked address is no
/// link of the page.
pub fn followings(page: &Page, clicked: &[ClickedLink]) -> Vec<Following> {
    let alike = addresses_alike(page, clicked);
    let mut found: Vec<(Following, f64)> = Vec::new();
    for LinkCandidate { rule, fragility } in link_candidates(page, clicked) {
        let addresses = rule.addresses(page);
        if !clicked.iter().all(|link| addresses.contains(&link.url)) {
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
        let by_likeness = likeness(&right.addresses, &alike).total_cmp(&likeness(&left.addresses, &alike));
        by_likeness
            .then_with(|| rank(left).cmp(&rank(right)))
            .then_with(|| right.addresses.len().cmp(&left.addresses.len()))
            .then_with(|| left_fragility.total_cmp(right_fragility))
    });
    found.truncate(CHOICES_MAX);
    found.into_iter().map(|(following, _)| following).collect()
}

/// Of the ways to understand a click, the one that picks the fewest links more than the chosen one,
/// and all of that one, where the others lead to addresses of the same kinds.
pub fn more_alike<'a>(found: &'a [Following], chosen: &Following) -> Option<&'a Following> {
    let own: HashSet<&Url> = chosen.addresses.iter().collect();
    let kinds: HashSet<String> = own.iter().map(|url| UrlParts::of(url).kind()).collect();
    let has_more = |its: &&Following| {
        let others = its.addresses.iter().filter(|url| !own.contains(url));
        let (n_others, n_alike) = others.fold((0, 0), |(n_others, n_alike), url| {
            let is_alike = kinds.contains(&UrlParts::of(url).kind());
            (n_others + 1, n_alike + usize::from(is_alike))
        });
        n_others > 0 && n_alike == n_others && its.addresses.len() == own.len() + n_others
    };
    found.iter().filter(has_more).min_by_key(|its| its.addresses.len())
}

/// Where the links lead that stand as the clicked ones do; nothing where those stand alone, since
/// one link is no list.
fn addresses_alike(page: &Page, clicked: &[ClickedLink]) -> HashSet<Url> {
    let node_of = |link: &ClickedLink| {
        let mut nodes = page.dom.offered_nodes();
        link.node
            .or_else(|| nodes.find(|&node| leads_to(page, node, &link.url)))
    };
    let nodes = clicked.iter().filter_map(node_of);
    let mut alike: HashSet<Url> = nodes
        .flat_map(|node| links_alike(page, node))
        .filter_map(|node| page.resolve(page.dom.attribute(node, Name::HREF)?))
        .collect();
    let kinds: HashSet<String> = clicked.iter().map(|link| UrlParts::of(&link.url).kind()).collect();
    let is_same_kind = |url: &&Url| kinds.contains(&UrlParts::of(url).kind());
    let of_kind: HashSet<Url> = alike.iter().filter(is_same_kind).cloned().collect();
    // Where most are of the clicked kind, the others are strays; where folders differ from link to
    // link, they are data.
    if of_kind.len() as f64 >= LinkTuning::DEFAULT.kind_share * alike.len() as f64 {
        alike = of_kind;
    }
    if alike.len() > clicked.len() {
        alike
    } else {
        HashSet::new()
    }
}

/// How much of two sets of addresses is common to both, from 0 to 1.
fn likeness(addresses: &[Url], alike: &HashSet<Url>) -> f64 {
    let n_common = addresses.iter().filter(|url| alike.contains(url)).count();
    let n_all = addresses.len() + alike.len() - n_common;
    n_common as f64 / n_all.max(1) as f64
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
