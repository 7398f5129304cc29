//! RDFa Lite (`vocab`, `typeof`, `property`, `resource`) and OpenGraph, which is written with the
//! same attribute.

use untemplate_html::{Dom, Name, NodeId};

use super::microdata::{address, shown_text};
use super::{Budget, DEPTH_MAX, DataItem, DataSyntax, DataValue, plain_name};
use crate::page::Page;

/// Prefixes of properties in a page's head that are those of a page as a whole.
const OPEN_GRAPH: [&str; 9] = [
    "og:", "article:", "book:", "profile:", "product:", "video:", "music:", "fb:", "twitter:",
];

/// Reads the items that are no property of another one.
pub(super) fn read(page: &Page, budget: &mut Budget) -> Vec<DataItem> {
    let dom = &page.dom;
    let Some(kind) = dom.names().find("typeof") else {
        return Vec::new();
    };
    let (mut items, mut skip_to) = (Vec::new(), None);
    for node in dom.nodes() {
        if skip_to.is_some_and(|end| node < end) || dom.attribute(node, kind).is_none() {
            continue;
        }
        // What is inside is a part of it.
        skip_to = Some(dom.subtree_end(node));
        items.push(item(page, node, kind, 0, budget));
    }
    items
}

fn item(page: &Page, node: NodeId, kind: Name, depth: usize, budget: &mut Budget) -> DataItem {
    let dom = &page.dom;
    let mut item = DataItem::new(DataSyntax::Rdfa);
    let types = dom.attribute(node, kind).unwrap_or("").split_ascii_whitespace();
    item.types = types.map(|text| plain_name(text).to_owned()).collect();
    let resource = attribute(dom, node, "resource").or(attribute(dom, node, "about"));
    item.id = resource.map(|text| address(page, text));
    let mut skip_to = node;
    for inner in dom.subtree(node).skip(1) {
        if inner < skip_to {
            continue;
        }
        let is_item = dom.attribute(inner, kind).is_some();
        if is_item {
            skip_to = dom.subtree_end(inner);
        }
        let names = dom
            .attribute(inner, Name::PROPERTY)
            .unwrap_or("")
            .split_ascii_whitespace();
        for name in names {
            if !budget.spend() {
                return item;
            }
            let value = match is_item {
                true if depth >= DEPTH_MAX => continue,
                true => DataValue::Item(self::item(page, inner, kind, depth + 1, budget)),
                false => DataValue::Text(value(page, inner)),
            };
            item.properties.push((plain_name(name).to_owned(), value));
        }
    }
    item
}

fn attribute<'a>(dom: &'a Dom, node: NodeId, name: &str) -> Option<&'a str> {
    dom.names().find(name).and_then(|name| dom.attribute(node, name))
}

fn value(page: &Page, node: NodeId) -> String {
    let dom = &page.dom;
    let told = attribute(dom, node, "content").or(attribute(dom, node, "datetime"));
    let leads = || {
        ["resource", "href", "src"]
            .into_iter()
            .find_map(|name| attribute(dom, node, name))
    };
    let told = told
        .map(str::to_owned)
        .or_else(|| leads().map(|text| address(page, text)));
    let text = told.unwrap_or_else(|| shown_text(dom, node));
    text.trim().to_owned()
}

/// What the page as a whole says of itself: `og:title` and the like, outside of any item.
pub(super) fn open_graph(page: &Page, budget: &mut Budget) -> Option<DataItem> {
    let dom = &page.dom;
    let mut item = DataItem::new(DataSyntax::OpenGraph);
    for node in dom.nodes().filter(|&node| dom.is_html(node, Name::META)) {
        let name = dom
            .attribute(node, Name::PROPERTY)
            .or(dom.attribute(node, Name::NAME))
            .unwrap_or("")
            .trim();
        let Some(content) = dom.attribute(node, Name::CONTENT).map(str::trim) else {
            continue;
        };
        if content.is_empty() || !OPEN_GRAPH.iter().any(|prefix| name.starts_with(prefix)) || !budget.spend() {
            continue;
        }
        match name {
            "og:type" => item.types.push(content.to_owned()),
            "og:url" => item.id = item.id.or_else(|| Some(address(page, content))),
            name => item
                .properties
                .push((name.to_owned(), DataValue::Text(content.to_owned()))),
        }
    }
    let has_some = !item.properties.is_empty() || !item.types.is_empty() || item.id.is_some();
    has_some.then_some(item)
}
