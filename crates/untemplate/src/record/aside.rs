//! Asides: what pages set apart from their content by elements and roles made for that: menus,
//! footers, side bars.

use crate::page::{Dom, Name, NodeId};

/// Whether a node stands in a menu, a side bar or a footer, inside of whatever says that it is
/// content.
pub fn is_aside(dom: &Dom, node: NodeId) -> bool {
    let mut around = std::iter::once(node).chain(dom.ancestors(node));
    around.find_map(|node| setting_apart(dom, node)).unwrap_or(false)
}

/// Of each node, whether it is set apart, in the header of the page too.
pub fn asides(dom: &Dom) -> Vec<bool> {
    let is_part = |node: NodeId| matches!(dom.name(node), Some(Name::MAIN | Name::ARTICLE | Name::SECTION));
    let mut asides = vec![false; dom.len()];
    for node in dom.nodes() {
        asides[node.index()] = match setting_apart(dom, node) {
            Some(is_aside) => is_aside,
            None if dom.is_html(node, Name::HEADER) => !dom.ancestors(node).any(is_part),
            None => dom.parent(node).is_some_and(|parent| asides[parent.index()]),
        };
    }
    asides
}

/// What an element says of what is inside it: that it is set apart, or content, or nothing.
fn setting_apart(dom: &Dom, node: NodeId) -> Option<bool> {
    match (dom.name(node), dom.attribute(node, Name::ROLE)) {
        (_, Some("main")) | (Some(Name::MAIN | Name::BODY), _) => Some(false),
        (_, Some("navigation" | "menu" | "menubar" | "contentinfo" | "complementary")) => Some(true),
        (Some(Name::NAV | Name::FOOTER | Name::ASIDE), _) => Some(true),
        _ => None,
    }
}
