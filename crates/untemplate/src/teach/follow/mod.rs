//! "Follow links like this": rules for requests, from the links that a person clicked (paper 002 §4).
//!
//! In: a page and one or more clicked links. Out: rules with the addresses that each picks, the likeliest first. With several clicks the
//! path keeps the positions on which they agree. With one, positions are dropped one by one and in pairs, and of the rules that pick the
//! same addresses the most specific stays; so there are as many choices as there are different sets of links around the clicked one.
//!
//! What was clicked is one of a kind, so a set whose addresses are all of one shape is likelier than one that mixes; a rule that mixes also comes
//! with a pattern that keeps those of the clicked shape (URL-REGEX).

use url::Url;

use super::route::steps_down;
use crate::page::{Dom, Name, NodeId, Page};
use crate::rule::{ExtractionRule, LocationPath, Place, Predicate, Selected, Step, UrlRegex};

/// Positions of a path that may be dropped, the deepest first: pages differ near their links.
const DROPPABLE_MAX: usize = 10;

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

/// The ways to understand what was clicked, the likeliest first; none when a clicked address is no link of the page.
pub fn followings(page: &Page, clicked: &[Url]) -> Vec<Following> {
    let mut found: Vec<(Following, usize)> = Vec::new();
    for path in paths(page, clicked) {
        for (path, n_dropped) in generalised(&path, clicked.len()) {
            let rule = ExtractionRule::at(Place::Absolute(path));
            let addresses = rule.addresses(page);
            let filtered = with_pattern(&rule, &addresses, clicked, page);
            for following in std::iter::once(Following { rule, addresses }).chain(filtered) {
                let is_whole = clicked.iter().all(|url| following.addresses.contains(url));
                let is_new = found.iter().all(|(its, _)| its.addresses != following.addresses);
                if is_whole && is_new {
                    found.push((following, n_dropped));
                }
            }
        }
    }
    found.sort_by_key(|(following, n_dropped)| {
        let is_lonely = clicked.len() == 1 && following.addresses.len() == 1;
        let is_mixed = shapes(&following.addresses) > 1;
        (is_lonely, is_mixed, *n_dropped, usize::MAX - following.addresses.len())
    });
    found.truncate(CHOICES_MAX);
    found.into_iter().map(|(following, _)| following).collect()
}

/// The positioned paths to the clicked links, merged where there are several clicks; one for each place where the first one stands.
fn paths(page: &Page, clicked: &[Url]) -> Vec<LocationPath> {
    let dom = &page.dom;
    let places = |url: &Url| -> Vec<LocationPath> {
        let anchors = dom.nodes().filter(|&node| leads_to(page, node, url));
        anchors.filter_map(|node| path_to(dom, node)).collect()
    };
    let Some((first, others)) = clicked.split_first() else {
        return Vec::new();
    };
    let others: Vec<Vec<LocationPath>> = others.iter().map(places).collect();
    let merge_all = |path: LocationPath| {
        others.iter().try_fold(path, |path, places| {
            let merged = places.iter().filter_map(|other| merged(&path, other));
            merged.max_by_key(n_positions)
        })
    };
    places(first).into_iter().filter_map(merge_all).collect()
}

fn leads_to(page: &Page, node: NodeId, url: &Url) -> bool {
    matches!(page.dom.name(node), Some(Name::A | Name::AREA))
        && page
            .dom
            .attribute(node, Name::HREF)
            .and_then(|href| page.resolve(href))
            .is_some_and(|its| its == *url)
}

fn path_to(dom: &Dom, node: NodeId) -> Option<LocationPath> {
    let attribute = Some(Name::HREF);
    let steps = steps_down(dom, NodeId::DOCUMENT, Selected { node, attribute })?;
    Some(LocationPath::absolute(steps))
}

/// What two paths have in common: the same tags, and positions where they agree.
fn merged(left: &LocationPath, right: &LocationPath) -> Option<LocationPath> {
    let is_alike = |(left, right): (&Step, &Step)| left.axis == right.axis && left.test == right.test;
    if left.steps.len() != right.steps.len() || !left.steps.iter().zip(&right.steps).all(is_alike) {
        return None;
    }
    let mut steps = left.steps.clone();
    for (step, other) in steps.iter_mut().zip(&right.steps) {
        if step.predicates != other.predicates {
            step.predicates.clear();
        }
    }
    Some(LocationPath::absolute(steps))
}

fn n_positions(path: &LocationPath) -> usize {
    path.steps.iter().filter(|step| !step.predicates.is_empty()).count()
}

/// The path itself and, from a single click, with one or two positions less; with how many were dropped.
fn generalised(path: &LocationPath, n_clicked: usize) -> Vec<(LocationPath, usize)> {
    let mut all = vec![(path.clone(), 0)];
    let is_positioned = |step: &Step| matches!(step.predicates.as_slice(), [Predicate::Position(_)]);
    let positions = path
        .steps
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, step)| is_positioned(step));
    let droppable: Vec<usize> = positions.map(|(index, _)| index).take(DROPPABLE_MAX).collect();
    let without = |dropped: &[usize]| {
        let mut path = path.clone();
        for &index in dropped {
            path.steps[index].predicates.clear();
        }
        (path, dropped.len())
    };
    all.extend(droppable.iter().map(|&index| without(&[index])));
    if n_clicked == 1 {
        for (order, &deeper) in droppable.iter().enumerate() {
            all.extend(droppable[order + 1..].iter().map(|&index| without(&[deeper, index])));
        }
    }
    all
}

/// The same rule for addresses of the clicked shape alone; `None` where there are no others, or no pattern covers them.
fn with_pattern(rule: &ExtractionRule, addresses: &[Url], clicked: &[Url], page: &Page) -> Option<Following> {
    let wanted = shape(clicked.first()?);
    let alike: Vec<Url> = addresses.iter().filter(|url| shape(url) == wanted).cloned().collect();
    if alike.len() == addresses.len() || alike.len() <= clicked.len() {
        return None;
    }
    let mut rule = rule.clone();
    rule.url = UrlRegex::covering(&alike);
    rule.url.as_ref()?;
    let addresses = rule.addresses(page);
    Some(Following { rule, addresses })
}

fn shapes(addresses: &[Url]) -> usize {
    let mut shapes: Vec<String> = addresses.iter().map(shape).collect();
    shapes.sort_unstable();
    shapes.dedup();
    shapes.len()
}

/// What addresses of one kind share: host, folders, the file's ending, the query's keys. The last segment is what varies.
fn shape(url: &Url) -> String {
    let path = url.path();
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    let keys: Vec<String> = url.query_pairs().map(|(key, _)| key.into_owned()).collect();
    let file = if keys.is_empty() { "" } else { file };
    format!("{}{folder}/{file}.{ending}?{}", url.authority(), keys.join("&"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};

    fn check(html: &str, clicked: &[&str], expected: &[&str]) {
        let base: Url = "http://ex.com/".parse().expect("a good address");
        let page = Page::read(&Response::html(base.clone(), html), &ParseOptions::default());
        let clicked: Vec<Url> = clicked
            .iter()
            .map(|path| base.join(path).expect("a good address"))
            .collect();
        let best = followings(&page, &clicked).into_iter().next();
        let addresses = best.map(|following| following.addresses).unwrap_or_default();
        let shown: Vec<&str> = addresses.iter().map(Url::path).collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn one_click_means_the_list_around_it() {
        let page = "<ul><li><a href=/about>About</a></ul><div><a href=/by/A>A</a> <a href=/by/B>B</a> <a href=/by/C>C</a></div>";
        check(page, &["/by/B"], &["/by/A", "/by/B", "/by/C"]);
    }

    #[test]
    fn addresses_of_another_shape_are_left_out() {
        let page = "<div><a href=/by/A>A</a><a href=/by/B>B</a><a href=/help/all.html>Help</a></div>";
        check(page, &["/by/A"], &["/by/A", "/by/B"]);
    }

    #[test]
    fn rows_of_a_table_are_one_list() {
        let page = "<table><tr><td>1<td><a href=/i/1>x</a><tr><td>2<td><a href=/i/2>y</a><tr><td>3<td><a href=/i/3>z</a></table>";
        check(page, &["/i/2"], &["/i/1", "/i/2", "/i/3"]);
    }

    #[test]
    fn two_clicks_say_what_varies() {
        let page = "<ul><li><a href=/a/1>1</a><a href=/b/1>x</a><li><a href=/a/2>2</a><a href=/b/2>x</a></ul>";
        check(page, &["/a/1", "/a/2"], &["/a/1", "/a/2"]);
        check(page, &["/a/1", "/nowhere"], &[]);
    }
}
