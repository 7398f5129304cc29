//! Evaluating a location path: step by step, over sets of nodes in document order.

use super::siblings::SiblingStep;
use super::{Axis, LocationPath, NodeTest, Predicate, Step};
use crate::page::{Dom, Name, NodeId, push_collapsed};

/// What a path selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Selected {
    /// The node, or the element whose attribute it is.
    pub node: NodeId,
    /// The attribute, where the path ends in one.
    pub attribute: Option<Name>,
}

/// The nodes that a path selects from a context node, in document order, each once.
pub fn select(path: &LocationPath, dom: &Dom, context: NodeId) -> Vec<Selected> {
    let start = if path.is_absolute { NodeId::DOCUMENT } else { context };
    let mut nodes = vec![start];
    for step in &path.steps {
        if step.axis == Axis::Attribute {
            return with_attribute(step, dom, &nodes);
        }
        nodes = take_step(step, dom, &nodes);
        if nodes.is_empty() {
            break;
        }
    }
    let attribute = None;
    nodes.into_iter().map(|node| Selected { node, attribute }).collect()
}

fn with_attribute(step: &Step, dom: &Dom, nodes: &[NodeId]) -> Vec<Selected> {
    let NodeTest::Name(name) = &step.test else {
        return Vec::new();
    };
    let attribute = dom.names().find(name);
    let has_it = |&&node: &&NodeId| attribute.is_some_and(|name| dom.attribute(node, name).is_some());
    let selected = |&node: &NodeId| Selected { node, attribute };
    nodes.iter().filter(has_it).map(selected).collect()
}

fn take_step(step: &Step, dom: &Dom, nodes: &[NodeId]) -> Vec<NodeId> {
    // A name that no node of the page has selects nothing.
    let name = match &step.test {
        NodeTest::Name(name) => match dom.names().find(name) {
            Some(name) => Some(name),
            None => return Vec::new(),
        },
        _ => None,
    };
    let is_wanted = |&node: &NodeId| match step.test {
        NodeTest::Name(_) => dom.name(node) == name && name.is_some(),
        NodeTest::Any => dom.is_element(node),
        NodeTest::Text => dom.is_text(node),
        NodeTest::Node => true,
    };
    let mut found = Vec::new();
    let mut covered = NodeId::DOCUMENT;
    let mut siblings = SiblingStep::new(step);
    for &node in nodes {
        match step.axis {
            Axis::Child => kept(step, dom, dom.children(node).filter(is_wanted), &mut found),
            // What is inside a node that was searched before has been found already, unless
            // positions count anew.
            Axis::Descendant if node < covered && step.predicates.iter().all(|it| !it.counts()) => {}
            Axis::Descendant => {
                covered = covered.max(dom.subtree_end(node));
                kept(step, dom, dom.subtree(node).skip(1).filter(is_wanted), &mut found);
            }
            Axis::Parent => kept(step, dom, dom.parent(node).into_iter(), &mut found),
            Axis::SelfNode | Axis::Attribute => found.push(node),
            Axis::FollowingSibling | Axis::PrecedingSibling => siblings.take(dom, node, is_wanted, &mut found),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Appends those of the candidates, given in the axis's order, for which all predicates hold.
fn kept(step: &Step, dom: &Dom, candidates: impl Iterator<Item = NodeId>, found: &mut Vec<NodeId>) {
    match step.predicates.as_slice() {
        [] => found.extend(candidates),
        [Predicate::Position(position)] => {
            let mut candidates = candidates;
            found.extend(candidates.nth(*position as usize - 1));
        }
        predicates => {
            let mut candidates: Vec<NodeId> = candidates.collect();
            for predicate in predicates {
                candidates = narrowed(predicate, dom, candidates);
            }
            found.append(&mut candidates);
        }
    }
}

pub(super) fn narrowed(predicate: &Predicate, dom: &Dom, mut candidates: Vec<NodeId>) -> Vec<NodeId> {
    let attribute = |node: NodeId, name: &str| dom.names().find(name).and_then(|name| dom.attribute(node, name));
    match predicate {
        Predicate::Position(position) => candidates.get(*position as usize - 1).copied().into_iter().collect(),
        Predicate::Last => candidates.pop().into_iter().collect(),
        Predicate::Attribute(name, value) => {
            candidates.retain(|&node| attribute(node, name).is_some_and(|its| is_same_text(its, value)));
            candidates
        }
        Predicate::HasAttribute(name) => {
            candidates.retain(|&node| attribute(node, name).is_some());
            candidates
        }
        Predicate::Word(name, word) => {
            let has_word = |value: &str| value.split_ascii_whitespace().any(|its| its == &**word);
            candidates.retain(|&node| attribute(node, name).is_some_and(has_word));
            candidates
        }
        Predicate::TextStart(start) => {
            candidates.retain(|&node| starts_with(dom, node, start));
            candidates
        }
        Predicate::Text(text) => {
            candidates.retain(|&node| node_text(dom, node) == **text);
            candidates
        }
    }
}

/// Whether two texts are the same but for white space around and between their words.
fn is_same_text(left: &str, right: &str) -> bool {
    left.split_whitespace().eq(right.split_whitespace())
}

/// Whether a node's text, white space collapsed, begins so. Most texts are told from their first
/// word, without a copy.
fn starts_with(dom: &Dom, node: NodeId, start: &str) -> bool {
    if dom.is_text(node) {
        let first = start.split_whitespace().next().unwrap_or("");
        if !dom.text(node).trim_start().starts_with(first) {
            return false;
        }
    }
    node_text(dom, node).starts_with(start)
}

/// The text of a node as rules compare it: white space collapsed.
pub(crate) fn node_text(dom: &Dom, node: NodeId) -> String {
    if dom.is_text(node) {
        let mut text = String::new();
        push_collapsed(dom.text(node), &mut text);
        text
    } else {
        dom.visible_text(node)
    }
}

impl Predicate {
    pub(super) fn counts(&self) -> bool {
        matches!(self, Self::Position(_) | Self::Last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, parse_html, xpath_of};

    fn check(html: &str, path: &str, expected: &[&str]) {
        let (dom, _) = parse_html(html, &ParseOptions::default());
        let path: LocationPath = path.parse().unwrap_or_else(|error| panic!("{error}"));
        let shown: Vec<String> = select(&path, &dom, NodeId::DOCUMENT)
            .iter()
            .map(|selected| match selected.attribute {
                Some(name) => dom.attribute(selected.node, name).unwrap_or("").to_owned(),
                None => xpath_of(&dom, selected.node).replace("/html[1]/body[1]", ""),
            })
            .collect();
        assert_eq!(shown, expected, "{path}");
    }

    const LIST: &str = "<ul id=u><li class='a b'>1<li>2<ul><li>3<li title=t>4</ul></ul><p>5";

    #[test]
    fn positions_count_among_what_a_step_found() {
        check(LIST, "/html[1]/body[1]/ul/li[2]", &["/ul[1]/li[2]"]);
        check(LIST, "//li[3]", &["/ul[1]/li[2]/ul[1]/li[1]"]);
        check(LIST, "//li[last()]/@title", &["t"]);
        check(
            LIST,
            "//ul/li[1]/text()",
            &["/ul[1]/li[1]/text()[1]", "/ul[1]/li[2]/ul[1]/li[1]/text()[1]"],
        );
        check(LIST, "//li[contains-token(@class,'b')][1]", &["/ul[1]/li[1]"]);
        check(LIST, "//li[contains-token(@class,'b')][2]", &[]);
    }

    #[test]
    fn axes_lead_everywhere() {
        check(LIST, "//li[@title='t']/..", &["/ul[1]/li[2]/ul[1]"]);
        check(
            LIST,
            "//li[@title]/preceding-sibling::li[1]/text()",
            &["/ul[1]/li[2]/ul[1]/li[1]/text()[1]"],
        );
        check(LIST, "//ul[@id='u']/following-sibling::*", &["/p[1]"]);
        check(LIST, "//p[.='5']", &["/p[1]"]);
        let items = "<li>1<li id=b>2<li>3<li id=d>4<li>5";
        check(
            items,
            "//li[@id='b']/following-sibling::li",
            &["/li[3]", "/li[4]", "/li[5]"],
        );
        check(
            items,
            "//li[@id]/preceding-sibling::li",
            &["/li[1]", "/li[2]", "/li[3]"],
        );
        check(items, "//li[@id]/following-sibling::li[2]", &["/li[4]"]);
        check(items, "//li[@id]/preceding-sibling::li[1]", &["/li[1]", "/li[3]"]);
        check(items, "//li[@id]/preceding-sibling::li[last()]", &["/li[1]"]);
        check(items, "//li/preceding-sibling::li[@id][1]", &["/li[2]", "/li[4]"]);
        check(items, "//li/following-sibling::li[1][@id]", &["/li[2]", "/li[4]"]);
        check(items, "//li[1]/following-sibling::li[last()][1]", &["/li[5]"]);
        check(LIST, "//nothing", &[]);
        check(LIST, "//ul//li[1]", &["/ul[1]/li[1]", "/ul[1]/li[2]/ul[1]/li[1]"]);
        check(
            LIST,
            "//ul//li",
            &[
                "/ul[1]/li[1]",
                "/ul[1]/li[2]",
                "/ul[1]/li[2]/ul[1]/li[1]",
                "/ul[1]/li[2]/ul[1]/li[2]",
            ],
        );
    }

    #[test]
    fn many_siblings_are_walked_once() {
        let html = "<li>x".repeat(20_000);
        let (dom, _) = parse_html(&html, &ParseOptions::default());
        let check_count = |path: &str, expected: usize| {
            let path: LocationPath = path.parse().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(select(&path, &dom, NodeId::DOCUMENT).len(), expected, "{path}");
        };
        check_count("//li/following-sibling::li", 19_999);
        check_count("//li/preceding-sibling::li", 19_999);
        check_count("//li/preceding-sibling::li[1]", 19_999);
        check_count("//li/preceding-sibling::li[last()]/following-sibling::*[3]", 1);
        check_count("//li/following-sibling::b[1]", 0);
        check_count("//li/../li/..", 1);
    }
}
