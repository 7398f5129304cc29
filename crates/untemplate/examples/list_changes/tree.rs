//! A page that can be changed and written.

use std::collections::BTreeMap;

use untemplate::page::{Dom, NodeId};

/// The attribute that tells the record whose element this is.
pub const MARK: &str = "data-record";

/// A node with what is below it.
#[derive(Debug, Clone)]
pub enum Tree {
    Element(Element),
    Text(String),
}

#[derive(Debug, Clone)]
pub struct Element {
    pub tag: String,
    pub attributes: Vec<(String, String)>,
    pub children: Vec<Tree>,
}

impl Tree {
    /// The tree of a page, with the numbers of records on their elements.
    pub fn of(dom: &Dom, marks: &BTreeMap<NodeId, usize>) -> Option<Self> {
        let root = dom.children(NodeId::DOCUMENT).find(|&node| dom.is_element(node))?;
        below(dom, root, marks)
    }

    pub fn html(&self) -> String {
        let mut html = String::from("<!DOCTYPE html>");
        write(self, &mut html);
        html
    }

    /// The tag of an element; of a text nothing.
    pub fn tag(&self) -> &str {
        match self {
            Self::Element(element) => &element.tag,
            Self::Text(_) => "",
        }
    }

    /// The record whose element this is.
    pub fn mark(&self) -> Option<usize> {
        match self {
            Self::Element(element) => element.attribute(MARK)?.parse().ok(),
            Self::Text(_) => None,
        }
    }

    /// Calls `change` for each element, those inside first.
    pub fn each(&mut self, change: &mut dyn FnMut(&mut Element)) {
        if let Self::Element(element) = self
            && !["script", "style", "head"].contains(&element.tag.as_str())
        {
            element.children.iter_mut().for_each(|child| child.each(change));
            change(element);
        }
    }

    /// The body of a page.
    pub fn body(&mut self) -> Option<&mut Element> {
        let Self::Element(root) = self else { return None };
        let mut children = root.children.iter_mut();
        children.find_map(|child| match child {
            Self::Element(element) if element.tag == "body" => Some(element),
            _ => None,
        })
    }
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let own = self.attributes.iter().find(|(own, _)| own == name);
        own.map(|(_, value)| value.as_str())
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.attributes.retain(|(own, _)| own != name);
        self.attributes.push((name.to_owned(), value.to_owned()));
    }
}

/// An element with a class, or with none where it is empty.
pub fn element(tag: &str, class: &str, children: Vec<Tree>) -> Tree {
    let attributes = match class {
        "" => Vec::new(),
        class => vec![("class".to_owned(), class.to_owned())],
    };
    Tree::Element(Element {
        tag: tag.to_owned(),
        attributes,
        children,
    })
}

/// An element that holds a text.
pub fn says(tag: &str, class: &str, text: &str) -> Tree {
    element(tag, class, vec![Tree::Text(text.to_owned())])
}

/// A link.
pub fn link(address: &str, children: Vec<Tree>) -> Tree {
    with(element("a", "", children), "href", address)
}

/// The element with one attribute more.
pub fn with(mut tree: Tree, name: &str, value: &str) -> Tree {
    if let Tree::Element(element) = &mut tree {
        element.set(name, value);
    }
    tree
}

/// Pages are not deep enough for recursion to matter.
fn below(dom: &Dom, node: NodeId, marks: &BTreeMap<NodeId, usize>) -> Option<Tree> {
    if dom.is_text(node) {
        return Some(Tree::Text(dom.text(node).to_owned()));
    }
    if !dom.is_element(node) {
        return None;
    }
    let attributes = dom.attributes(node);
    let attributes = attributes.map(|(name, value)| (dom.names().text(name).to_owned(), value.to_owned()));
    let mark = marks.get(&node).map(|number| (MARK.to_owned(), number.to_string()));
    Some(Tree::Element(Element {
        tag: dom.name_text(node).to_owned(),
        attributes: attributes.chain(mark).collect(),
        children: dom
            .children(node)
            .filter_map(|child| below(dom, child, marks))
            .collect(),
    }))
}

const VOID: [&str; 13] = [
    "br", "img", "input", "hr", "meta", "link", "base", "area", "col", "wbr", "embed", "param", "source",
];

const RAW: [&str; 7] = ["script", "style", "noscript", "iframe", "noembed", "noframes", "xmp"];

fn write(tree: &Tree, html: &mut String) {
    let element = match tree {
        Tree::Text(text) => return html.push_str(&escaped(text)),
        Tree::Element(element) => element,
    };
    html.push_str(&format!("<{}", element.tag));
    for (name, value) in &element.attributes {
        html.push_str(&format!(" {name}=\"{}\"", escaped(value).replace('"', "&quot;")));
    }
    html.push('>');
    if VOID.contains(&element.tag.as_str()) {
        return;
    }
    let is_raw = RAW.contains(&element.tag.as_str());
    for child in &element.children {
        match child {
            Tree::Text(text) if is_raw => html.push_str(text),
            child => write(child, html),
        }
    }
    html.push_str(&format!("</{}>", element.tag));
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
