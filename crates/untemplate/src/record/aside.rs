//! Asides: what pages set apart from their content by elements and roles made for that: menus,
//! footers, side bars.

use crate::page::{Dom, Name, NodeId};

/// Whether a node stands in a menu, a side bar or a footer, inside of whatever says that it is
/// content.
pub fn is_aside(dom: &Dom, node: NodeId) -> bool {
    for node in std::iter::once(node).chain(dom.ancestors(node)) {
        match (dom.name(node), dom.attribute(node, Name::ROLE)) {
            (_, Some("main")) | (Some(Name::MAIN | Name::BODY), _) => return false,
            (_, Some("navigation" | "menu" | "menubar" | "contentinfo" | "complementary")) => return true,
            (Some(Name::NAV | Name::FOOTER | Name::ASIDE), _) => return true,
            _ => {}
        }
    }
    false
}
