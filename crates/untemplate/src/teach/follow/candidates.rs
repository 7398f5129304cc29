//! Candidate rules for links: every sensible way to understand what was clicked.
//!
//! A rule starts from the document, or from an element on the way that an attribute or its rarity
//! tells from others, and goes down to the link. With several clicks the steps keep the positions
//! on which they agree. With one, positions are dropped one by one and in pairs, so that there are
//! as many choices as there are different sets of links around the clicked one. A link can also be
//! told by its own words or its `rel`.

use url::Url;

use super::super::route::steps_down;
use super::super::tuning::LinkTuning;
use super::page_links::{PageLinks, PickedLinks};
use super::{ClickedLink, with_pattern};
use crate::page::{Dom, Name, NodeId, Page};
use crate::rule::{Axis, ExtractionRule, LocationPath, Locator, NodeTest, Predicate, Selected, Step};

const TUNING: LinkTuning = LinkTuning::DEFAULT;

/// A rule for links, and how easily a change of the page breaks it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LinkCandidate {
    /// The rule.
    pub rule: ExtractionRule,
    /// More for more steps, and most for positions.
    pub fragility: f64,
    /// What it picks on the page of the click.
    pub picked: PickedLinks,
}

/// The rules that may be meant, in no order; none when a clicked address is no link of the page.
pub(crate) fn link_candidates(links: &PageLinks<'_>, clicked: &[ClickedLink]) -> Vec<LinkCandidate> {
    let page = links.page;
    let mut paths: Vec<(LocationPath, f64)> = Vec::new();
    for chain in chains(page, clicked) {
        for path in paths_of(&page.dom, &chain) {
            paths.extend(generalised(&path, clicked.len()));
        }
        paths.extend(by_words(&page.dom, &chain));
    }
    let mut all: Vec<LinkCandidate> = Vec::new();
    for (path, risk) in paths {
        let fragility = risk + fragility(&path);
        let rule = ExtractionRule::at(Locator::Absolute(path));
        if all.iter().any(|its| its.rule == rule) {
            continue;
        }
        let picked = links.picked(&rule);
        let patterned = with_pattern(&rule, links, &picked.addresses, clicked).map(|rule| LinkCandidate {
            picked: links.picked(&rule),
            fragility: fragility + TUNING.pattern_risk,
            rule,
        });
        all.push(LinkCandidate {
            rule,
            fragility,
            picked,
        });
        all.extend(patterned);
    }
    all
}

/// Clicked links that stand at places of one kind: the steps from the document to each have the
/// same tags.
struct Chain {
    /// The elements of the clicked links.
    nodes: Vec<NodeId>,
    /// The steps from the document, with the positions on which all agree.
    steps: Vec<Step>,
    /// How many of the first steps lead to one and the same element for all.
    n_shared: usize,
}

/// One chain for each place where the first clicked link stands and the others stand alike.
fn chains(page: &Page, clicked: &[ClickedLink]) -> Vec<Chain> {
    let places = |link: &ClickedLink| -> Vec<(NodeId, Vec<Step>)> {
        let is_meant = |&node: &NodeId| link.node.is_none_or(|own| own == node) && leads_to(page, node, &link.url);
        let nodes = page.dom.offered_nodes().filter(is_meant);
        nodes
            .filter_map(|node| Some((node, steps_to(&page.dom, node)?)))
            .take(TUNING.places_max)
            .collect()
    };
    let Some((first, others)) = clicked.split_first() else {
        return Vec::new();
    };
    let others: Vec<Vec<(NodeId, Vec<Step>)>> = others.iter().map(places).collect();
    let chain = |(node, steps): (NodeId, Vec<Step>)| {
        let n_shared = steps.len();
        let alone = Chain {
            nodes: vec![node],
            steps,
            n_shared,
        };
        others.iter().try_fold(alone, |chain, places| {
            let joined = places.iter().filter_map(|(node, steps)| joined(&chain, *node, steps));
            joined.max_by_key(|chain| n_positions(&chain.steps))
        })
    };
    places(first).into_iter().filter_map(chain).collect()
}

/// Whether a node is a link to an address: `a`, `area`, and the `link` of a next page.
pub(super) fn leads_to(page: &Page, node: NodeId, url: &Url) -> bool {
    let dom = &page.dom;
    let is_next = || {
        dom.attribute(node, Name::REL)
            .is_some_and(|rel| rel.eq_ignore_ascii_case("next"))
    };
    let is_link = match dom.name(node) {
        Some(Name::A | Name::AREA) => true,
        Some(Name::LINK) => is_next(),
        _ => false,
    };
    is_link
        && dom
            .attribute(node, Name::HREF)
            .and_then(|href| page.resolve(href))
            .is_some_and(|its| its == *url)
}

fn steps_to(dom: &Dom, node: NodeId) -> Option<Vec<Step>> {
    let attribute = Some(Name::HREF);
    steps_down(dom, NodeId::DOCUMENT, Selected { node, attribute })
}

/// A chain with one more link; `None` where its tags differ.
fn joined(chain: &Chain, node: NodeId, others: &[Step]) -> Option<Chain> {
    let is_alike = |(left, right): (&Step, &Step)| left.axis == right.axis && left.test == right.test;
    if chain.steps.len() != others.len() || !chain.steps.iter().zip(others).all(is_alike) {
        return None;
    }
    let mut steps = chain.steps.clone();
    let mut n_shared = chain.n_shared;
    for (index, (step, other)) in steps.iter_mut().zip(others).enumerate() {
        if step.predicates != other.predicates {
            step.predicates.clear();
            n_shared = n_shared.min(index);
        }
    }
    let nodes = [chain.nodes.as_slice(), &[node]].concat();
    Some(Chain { nodes, steps, n_shared })
}

/// The path from the document, and those from elements on the way that can be told from others.
fn paths_of(dom: &Dom, chain: &Chain) -> Vec<(LocationPath, f64)> {
    let mut paths = vec![(LocationPath::absolute(chain.steps.clone()), TUNING.document_risk)];
    let mut ancestry: Vec<NodeId> = dom
        .ancestors(chain.nodes[0])
        .filter(|&node| dom.is_element(node))
        .collect();
    ancestry.reverse();
    ancestry.push(chain.nodes[0]);
    for (index, &holder) in ancestry.iter().enumerate() {
        let is_shared = index < chain.n_shared;
        for (predicate, risk) in tellings(dom, holder, chain, index, is_shared) {
            let anchor = Step {
                axis: Axis::Descendant,
                test: NodeTest::Name(dom.name_text(holder).into()),
                predicates: predicate.into_iter().collect(),
            };
            let steps = std::iter::once(anchor).chain(chain.steps[index + 1..].iter().cloned());
            paths.push((LocationPath::absolute(steps.collect()), risk));
        }
    }
    paths
}

/// What tells an element on the way: an attribute that all clicked links have there, or that there
/// is no other of its kind.
fn tellings(dom: &Dom, holder: NodeId, chain: &Chain, index: usize, is_shared: bool) -> Vec<(Option<Predicate>, f64)> {
    let level = chain.steps.len() - 2 - index;
    let of_others = |node: NodeId| std::iter::once(node).chain(dom.ancestors(node)).nth(level);
    let value_of = |node: NodeId, name: Name| {
        let value = dom.attribute(node, name)?;
        Some(value.split_whitespace().collect::<Vec<&str>>().join(" "))
    };
    let mut all = Vec::new();
    for (name, risk) in TUNING.anchors {
        let Some(value) = value_of(holder, name).filter(|value| !value.is_empty()) else {
            continue;
        };
        let is_common = |&node: &NodeId| of_others(node).and_then(|it| value_of(it, name)).as_ref() == Some(&value);
        if is_shared || chain.nodes.iter().all(is_common) {
            let predicate = Predicate::Attribute(dom.names().text(name).into(), value.as_str().into());
            all.push((Some(predicate), risk));
        }
    }
    let is_body = matches!(dom.name(holder), Some(Name::HTML | Name::HEAD | Name::BODY));
    let is_alone = || {
        dom.nodes()
            .filter(|&node| dom.is_element(node) && dom.name(node) == dom.name(holder))
            .count()
            == 1
    };
    if is_shared && !is_body && is_alone() {
        all.push((None, TUNING.only_tag_risk));
    }
    all
}

/// The path itself and with fewer positions: without any, and from a single click, without one or
/// two.
fn generalised((path, risk): &(LocationPath, f64), n_clicked: usize) -> Vec<(LocationPath, f64)> {
    let is_positioned = |step: &Step| matches!(step.predicates.as_slice(), [Predicate::Position(_)]);
    let positions = path
        .steps
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, step)| is_positioned(step));
    let droppable: Vec<usize> = positions.map(|(index, _)| index).take(TUNING.droppable_max).collect();
    let without = |dropped: &[usize]| {
        let mut path = path.clone();
        for &index in dropped {
            path.steps[index].predicates.clear();
        }
        (path, *risk)
    };
    let mut all = vec![without(&[])];
    all.extend(droppable.iter().map(|&index| without(&[index])));
    if n_clicked == 1 {
        for (order, &deeper) in droppable.iter().enumerate() {
            all.extend(droppable[order + 1..].iter().map(|&index| without(&[deeper, index])));
        }
    }
    if path.steps.first().is_some_and(|step| step.axis == Axis::Descendant) {
        all.push(without(&droppable));
    }
    all
}

/// Links that read as the clicked ones do, where those read alike: "Next".
fn by_words(dom: &Dom, chain: &Chain) -> Option<(LocationPath, f64)> {
    let words = dom.visible_text(chain.nodes[0]);
    let n_letters = words.chars().count();
    let is_said = (1..=TUNING.words_max).contains(&n_letters) && !words.chars().all(|letter| letter.is_ascii_digit());
    if !is_said || !chain.nodes.iter().all(|&node| dom.visible_text(node) == words) {
        return None;
    }
    let link = Step {
        axis: Axis::Descendant,
        test: NodeTest::Name(dom.name_text(chain.nodes[0]).into()),
        predicates: vec![Predicate::Text(words.as_str().into())],
    };
    Some((
        LocationPath::absolute(vec![link, Step::attribute("href")]),
        TUNING.words_risk,
    ))
}

fn n_positions(steps: &[Step]) -> usize {
    steps.iter().filter(|step| !step.predicates.is_empty()).count()
}

fn fragility(path: &LocationPath) -> f64 {
    let positions = path.steps.iter().flat_map(|step| &step.predicates);
    let n_positions = positions.filter(|its| matches!(its, Predicate::Position(_))).count();
    n_positions as f64 + TUNING.step_risk * path.steps.len() as f64
}
