//! Visibility: which elements a page keeps from its readers.
//!
//! In: an element. Out: whether its own attributes hide it, by `hidden` or by its style. Style
//! sheets are not read. What is hidden until a search in the page finds it is part of the page.

use super::{Dom, Name, NodeId};

/// What hides elements of a page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visibility {
    /// The name of the attribute `hidden`, if the page has it.
    hidden: Option<Name>,
}

impl Visibility {
    /// That of a page's tree.
    pub(crate) fn of(dom: &Dom) -> Self {
        Self {
            hidden: dom.names().find("hidden"),
        }
    }

    /// Whether an element is hidden by its own attributes.
    pub(crate) fn hides(&self, dom: &Dom, node: NodeId) -> bool {
        dom.attributes(node).any(|(name, value)| match name {
            Name::STYLE => is_hiding_style(value),
            name => Some(name) == self.hidden && !value.eq_ignore_ascii_case("until-found"),
        })
    }
}

fn is_hiding_style(style: &str) -> bool {
    let mut text: String = style.chars().filter(|c| !c.is_whitespace()).collect();
    text.make_ascii_lowercase();
    text.contains("display:none") || text.contains("visibility:hidden")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Page, ParseOptions, Response};

    #[test]
    fn what_attributes_hide() {
        let url = "http://a.example/".parse().expect("a good address");
        let html = "<p hidden>a<p hidden=until-found>b<p style='Display : none'>c<p style='display:block'>d";
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let visibility = Visibility::of(&page.dom);
        let shown: String = (page.dom.nodes())
            .filter(|&node| page.dom.is_html(node, Name::P) && !visibility.hides(&page.dom, node))
            .map(|node| page.dom.visible_text(node))
            .collect();
        assert_eq!(shown, "bd");
    }
}
