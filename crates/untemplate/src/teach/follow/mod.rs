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
mod page_links;

use std::collections::{BTreeSet, HashSet};

use foldhash::fast::FixedState;
use url::Url;

use super::tuning::LinkTuning;
use crate::page::{NodeId, Page, UrlParts};
use crate::rule::{ExtractionRule, UrlRegex};
use alike::links_alike;
use candidates::leads_to;
pub(super) use candidates::{LinkCandidate, link_candidates};
pub(super) use page_links::PageLinks;

/// Choices that are worth showing to a person.
const CHOICES_MAX: usize = 8;

/// A rule for requests, and what it picks on the page where it was taught.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Following {
    /// The rule.
    pub rule: ExtractionRule,
    /// The addresses in document order, each once; the clicked ones are among them.
    pub addresses: Vec<Url>,
    /// The links, in document order.
    pub nodes: Vec<NodeId>,
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
    let links = PageLinks::of(page);
    let alike = addresses_alike(&links, clicked);
    let wanted: Vec<u32> = clicked.iter().map(|link| links.number(&link.url)).collect();
    let mut found: Vec<LinkCandidate> = Vec::new();
    for candidate in link_candidates(&links, clicked) {
        if !wanted
            .iter()
            .all(|address| candidate.picked.addresses.contains(address))
        {
            continue;
        }
        let is_same = |its: &&mut LinkCandidate| its.picked.addresses == candidate.picked.addresses;
        match found.iter_mut().find(is_same) {
            Some(known) if candidate.fragility < known.fragility => *known = candidate,
            Some(_) => {}
            None => found.push(candidate),
        }
    }
    let mut ranked: Vec<_> = found
        .into_iter()
        .map(|candidate| {
            let addresses = &candidate.picked.addresses;
            let is_lonely = clicked.len() == 1 && addresses.len() == 1;
            let rank = (is_lonely, links.kinds(addresses).len() > 1);
            (likeness(addresses, &alike), rank, candidate)
        })
        .collect();
    ranked.sort_by(
        |(left_likeness, left_rank, left), (right_likeness, right_rank, right)| {
            let n_links = |its: &LinkCandidate| its.picked.addresses.len();
            right_likeness
                .total_cmp(left_likeness)
                .then_with(|| left_rank.cmp(right_rank))
                .then_with(|| n_links(right).cmp(&n_links(left)))
                .then_with(|| left.fragility.total_cmp(&right.fragility))
        },
    );
    ranked.truncate(CHOICES_MAX);
    let following = |candidate: LinkCandidate| Following {
        addresses: links.addresses(&candidate.picked.addresses),
        nodes: candidate.picked.nodes,
        rule: candidate.rule,
    };
    ranked
        .into_iter()
        .map(|(_, _, candidate)| following(candidate))
        .collect()
}

/// Of the ways to understand a click, the one that picks the fewest links more than the chosen one,
/// and all of that one, where the others lead to addresses of the same kinds.
pub fn more_alike<'a>(found: &'a [Following], chosen: &Following) -> Option<&'a Following> {
    if found.iter().all(|its| its.addresses.len() <= chosen.addresses.len()) {
        return None;
    }
    let own: HashSet<&Url, FixedState> = chosen.addresses.iter().collect();
    let kinds: HashSet<String> = own.iter().map(|url| UrlParts::of(url).kind()).collect();
    let has_more = |its: &&Following| {
        if its.addresses.len() <= own.len() {
            return false;
        }
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
fn addresses_alike(links: &PageLinks<'_>, clicked: &[ClickedLink]) -> HashSet<u32, FixedState> {
    let page = links.page;
    let node_of = |link: &ClickedLink| {
        let mut nodes = page.dom.offered_nodes();
        link.node
            .or_else(|| nodes.find(|&node| leads_to(page, node, &link.url)))
    };
    let nodes = clicked.iter().filter_map(node_of);
    let mut alike: HashSet<u32, FixedState> = nodes
        .flat_map(|node| links_alike(page, node))
        .filter_map(|node| links.address_of(node))
        .collect();
    let clicked_numbers: Vec<u32> = clicked.iter().map(|link| links.number(&link.url)).collect();
    let kinds = links.kinds(&clicked_numbers);
    let is_same_kind = |address: &&u32| kinds.contains(&links.kind(**address));
    let of_kind: HashSet<u32, FixedState> = alike.iter().filter(is_same_kind).copied().collect();
    // Where most are of the clicked kind, the others are strays; where folders differ from link to
    // link, they are data.
    if of_kind.len() as f64 >= LinkTuning::DEFAULT.kind_share * alike.len() as f64 {
        alike = of_kind;
    }
    if alike.len() > clicked.len() {
        alike
    } else {
        HashSet::default()
    }
}

/// How much of two sets of addresses is common to both, from 0 to 1.
fn likeness(addresses: &[u32], alike: &HashSet<u32, FixedState>) -> f64 {
    let n_common = addresses.iter().filter(|address| alike.contains(address)).count();
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
fn with_pattern(
    rule: &ExtractionRule,
    links: &PageLinks<'_>,
    addresses: &[u32],
    clicked: &[ClickedLink],
) -> Option<ExtractionRule> {
    let wanted = links.kind(links.number(&clicked.first()?.url));
    let is_alike = |address: &u32| links.kind(*address) == wanted;
    let alike: Vec<u32> = addresses.iter().copied().filter(is_alike).collect();
    if alike.len() == addresses.len() || alike.len() <= clicked.len() {
        return None;
    }
    let mut rule = rule.clone();
    rule.url = UrlRegex::covering(&links.addresses(&alike));
    rule.url.is_some().then_some(rule)
}

#[cfg(test)]
mod tests;
