//! Asides: what pages set apart from their content: menus, headers, footers, side bars.

use crate::page::{Dom, Name, NodeId};

/// Whether a node stands in a menu, a header or a footer, inside of whatever says that it is content.
pub fn is_aside(dom: &Dom, node: NodeId) -> bool {
    let says = |node: NodeId, attribute: Name| dom.attribute(node, attribute).is_some_and(is_aside_word);
    for node in std::iter::once(node).chain(dom.ancestors(node)) {
        match dom.name(node) {
            Some(Name::NAV | Name::FOOTER | Name::ASIDE | Name::HEADER) => return true,
            Some(Name::MAIN | Name::BODY) => return false,
            _ if dom.attribute(node, Name::ROLE) == Some("main") => return false,
            _ if says(node, Name::CLASS) || says(node, Name::ID) || says(node, Name::ROLE) => return true,
            _ => {}
        }
    }
    false
}

/// Whether a class, an identifier or a role names something beside the content.
fn is_aside_word(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    lower.split_ascii_whitespace().any(|word| {
        let word = word.trim_matches(|c: char| !c.is_ascii_alphabetic());
        let ends = [
            "nav",
            "menu",
            "navbar",
            "footer",
            "sidebar",
            "navigation",
            "breadcrumb",
            "breadcrumbs",
        ];
        ends.iter().any(|end| {
            word.strip_suffix(end)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with(['-', '_']) || rest.len() > 3)
        })
    })
}
