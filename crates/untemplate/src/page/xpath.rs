//! Absolute XPaths: where a node stands, for people and programs:
//! `/html[1]/body[1]/table[2]/tbody[1]/tr[3]`.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use untemplate_html::{Dom, Name, NodeId, NodeKind};

/// The position of each node among the siblings with its tag, from 1; text nodes count among text
/// nodes.
pub fn sibling_positions(dom: &Dom) -> Vec<u32> {
    let mut counts: HashMap<(Option<NodeId>, Option<Name>, bool), u32, FixedState> = HashMap::default();
    dom.nodes()
        .map(|node| {
            let count = counts
                .entry((dom.parent(node), dom.name(node), dom.is_text(node)))
                .or_default();
            *count += 1;
            *count
        })
        .collect()
}

/// The absolute XPath of a node over the HTML5 tree, every step with its position.
pub fn xpath_of(dom: &Dom, node: NodeId) -> String {
    let mut steps = Vec::new();
    let mut at = node;
    while let Some(parent) = dom.parent(at) {
        let is_alike = |&sibling: &NodeId| match dom.kind(at) {
            NodeKind::Text => dom.is_text(sibling),
            _ => dom.name(sibling) == dom.name(at) && dom.is_element(sibling),
        };
        let position = 1 + dom
            .children(parent)
            .take_while(|&sibling| sibling != at)
            .filter(is_alike)
            .count();
        match dom.kind(at) {
            NodeKind::Text => steps.push(format!("/text()[{position}]")),
            NodeKind::Element(_) => steps.push(format!("/{}[{position}]", dom.name_text(at))),
            _ => {}
        }
        at = parent;
    }
    steps.reverse();
    if steps.is_empty() {
        "/".to_owned()
    } else {
        steps.concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate_html::{ParseOptions, parse_html};

    #[test]
    fn every_step_has_its_position() {
        let (dom, _) = parse_html("<ul><li>a<li><b>b</b>c<b>d</b></ul>", &ParseOptions::default());
        let last = dom.nodes().last().expect("the page has nodes");
        assert_eq!(xpath_of(&dom, last), "/html[1]/body[1]/ul[1]/li[2]/b[2]/text()[1]");
        let positions = sibling_positions(&dom);
        assert_eq!(positions[dom.parent(last).expect("text has a parent").index()], 2);
    }
}
