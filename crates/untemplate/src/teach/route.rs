//! Ways to a place: the paths that lead to it from the document, from an ancestor, from a text
//! nearby.

use crate::page::{Dom, Name, NodeId};
use crate::rule::{Axis, LocationPath, NodeTest, Predicate, Selected, Step};

/// The steps down from an ancestor to a place, each with its position; `None` when it is none of
/// its ancestors.
pub(super) fn steps_down(dom: &Dom, ancestor: NodeId, place: Selected) -> Option<Vec<Step>> {
    let mut steps: Vec<Step> = place
        .attribute
        .map(|name| Step::attribute(dom.names().text(name)))
        .into_iter()
        .collect();
    let mut at = place.node;
    while at != ancestor {
        steps.push(positioned(dom, at));
        at = dom.parent(at)?;
    }
    steps.reverse();
    Some(steps)
}

/// The step from a node's parent to it.
fn positioned(dom: &Dom, node: NodeId) -> Step {
    let siblings = dom.parent(node).into_iter().flat_map(|parent| dom.children(parent));
    let before = siblings
        .take_while(|&sibling| sibling != node)
        .filter(|&sibling| is_alike(dom, sibling, node));
    let position = Some(before.count() as u32 + 1);
    if dom.is_text(node) {
        Step::text(position)
    } else {
        Step::child(dom.name_text(node), position)
    }
}

/// The way from a text to a place: up to below their common ancestor, along the siblings there, and
/// down. Counting from the pivot's own branch, and not from the first child, it does not mind what
/// comes and goes before the pivot.
pub(super) fn route_from(dom: &Dom, pivot: NodeId, place: Selected) -> Option<LocationPath> {
    let mut steps = Vec::new();
    let mut branch = pivot;
    loop {
        let parent = dom.parent(branch)?;
        if dom.contains(parent, place.node) {
            break;
        }
        steps.push(Step::parent());
        branch = parent;
    }
    let meeting = dom.parent(branch)?;
    if meeting == place.node {
        // The place holds the pivot: only its attribute can be meant.
        steps.push(Step::parent());
        steps.push(Step::attribute(dom.names().text(place.attribute?)));
        return Some(LocationPath::relative(steps));
    }
    let other = std::iter::once(place.node)
        .chain(dom.ancestors(place.node))
        .find(|&node| dom.parent(node) == Some(meeting))?;
    steps.push(sibling_step(dom, branch, other)?);
    steps.extend(steps_down(dom, other, place)?);
    Some(LocationPath::relative(steps))
}

/// The step from a node to one of its siblings, counted from it.
fn sibling_step(dom: &Dom, from: NodeId, to: NodeId) -> Option<Step> {
    let parent = dom.parent(from)?;
    let (low, high) = (from.min(to), from.max(to));
    let between = dom
        .children(parent)
        .skip_while(|&sibling| sibling <= low)
        .take_while(|&sibling| sibling < high);
    let n_between = between.filter(|&sibling| is_alike(dom, sibling, to)).count() as u32;
    let axis = if from < to {
        Axis::FollowingSibling
    } else {
        Axis::PrecedingSibling
    };
    let test = if dom.is_text(to) {
        NodeTest::Text
    } else {
        NodeTest::Name(dom.name_text(to).into())
    };
    (from != to).then(|| Step {
        axis,
        test,
        predicates: vec![Predicate::Position(n_between + 1)],
    })
}

/// How many siblings like its own a route passes on its way along them.
pub(super) fn siblings_passed(path: &LocationPath) -> u32 {
    let is_along = |step: &&Step| matches!(step.axis, Axis::FollowingSibling | Axis::PrecedingSibling);
    let along = path.steps.iter().find(is_along);
    match along.map(|step| step.predicates.as_slice()) {
        Some([Predicate::Position(position)]) => position - 1,
        _ => 0,
    }
}

/// How many steps a route from a text takes.
pub(super) fn distance(dom: &Dom, pivot: NodeId, place: NodeId) -> usize {
    let meeting = std::iter::once(pivot)
        .chain(dom.ancestors(pivot))
        .find(|&node| dom.contains(node, place))
        .map_or(0, |node| dom.depth(node));
    (dom.depth(pivot) - meeting) + (dom.depth(place) - meeting)
}

/// An element told by an attribute, and which of those it is on the page.
pub(super) fn anchor_step(dom: &Dom, element: NodeId, attribute: Option<(Name, &str)>) -> (Step, usize) {
    let predicates = attribute.map(|(name, value)| Predicate::Attribute(dom.names().text(name).into(), value.into()));
    let is_same = |node: &NodeId| {
        dom.name(*node) == dom.name(element)
            && attribute.is_none_or(|(name, value)| {
                dom.attribute(*node, name)
                    .is_some_and(|its| its.split_whitespace().eq(value.split_whitespace()))
            })
    };
    let alike: Vec<NodeId> = dom
        .nodes()
        .filter(|&node| dom.is_element(node))
        .filter(is_same)
        .collect();
    let nth = alike
        .iter()
        .position(|&node| node == element)
        .map_or(1, |index| index as u32 + 1);
    let step = Step {
        axis: Axis::Descendant,
        test: NodeTest::Name(dom.name_text(element).into()),
        predicates: predicates.into_iter().chain([Predicate::Position(nth)]).collect(),
    };
    (step, alike.len())
}

fn is_alike(dom: &Dom, left: NodeId, right: NodeId) -> bool {
    if dom.is_text(right) {
        dom.is_text(left)
    } else {
        dom.is_element(left) && dom.name(left) == dom.name(right)
    }
}
