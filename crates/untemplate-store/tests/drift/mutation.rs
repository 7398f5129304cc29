//! Redesigns: what a change of a site does to all of its pages alike.
//!
//! A page is taken as a tree, changed, and written as HTML again. What is changed is told by the
//! pages together where it must be (texts that most of them have are labels), so that every page is
//! changed in the same way.

use std::collections::{BTreeMap, BTreeSet};

use untemplate::page::{Dom, Name, NodeId, Page};

use crate::corpus::page_of;

/// A change of all pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mutation {
    /// Written anew, and not changed: what is found here is a fault of the test.
    Nothing,
    /// Classes have other names.
    RenamedClasses,
    /// Classes and ids have other names.
    RenamedAll,
    /// A `div` goes around the body, and one around what each cell or item holds.
    InsertedWrappers,
    /// The first block of each container comes last.
    MovedBlocks,
    /// Labels say something else.
    ChangedLabels,
    /// Rows come in the opposite order.
    ReorderedFields,
    /// Values stand before their labels.
    ReorderedCells,
    /// A row with something new comes first, and a notice above all.
    InsertedRows,
    /// Tables become boxes, headings go down a level.
    OtherTags,
    /// Classes, ids, tags and boxes at once: another lay-out with the same words.
    OtherLayout,
}

impl Mutation {
    /// All that change something.
    pub const ALL: [Self; 10] = [
        Self::RenamedClasses,
        Self::RenamedAll,
        Self::InsertedWrappers,
        Self::MovedBlocks,
        Self::ChangedLabels,
        Self::ReorderedFields,
        Self::ReorderedCells,
        Self::InsertedRows,
        Self::OtherTags,
        Self::OtherLayout,
    ];
}

/// What the pages of a site have in common.
pub struct Common {
    labels: BTreeSet<String>,
}

impl Common {
    /// Texts that most pages have are labels.
    pub fn of<'a>(pages: impl Iterator<Item = &'a Page>) -> Self {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut n_pages = 0;
        for page in pages {
            n_pages += 1;
            let dom = &page.dom;
            let texts = dom.nodes().filter(|&node| dom.is_text(node) && !dom.is_unseen(node));
            let texts: BTreeSet<String> = texts.map(|node| collapsed(dom.text(node))).collect();
            for text in texts {
                *counts.entry(text).or_default() += 1;
            }
        }
        let is_label = |(text, count): &(String, usize)| {
            5 * count >= 3 * n_pages && text.chars().count() <= 40 && text.chars().any(char::is_alphabetic)
        };
        let labels = counts.into_iter().filter(is_label).map(|(text, _)| text);
        Self {
            labels: labels.collect(),
        }
    }
}

impl Common {
    /// What a value is after a change: one that is a label says something else, too.
    pub fn expected(&self, value: &str, mutation: Mutation) -> String {
        match mutation == Mutation::ChangedLabels && self.labels.contains(value) {
            true => other_words(value),
            false => value.to_owned(),
        }
    }
}

fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The page after the change.
pub fn mutated(page: &Page, mutation: Mutation, common: &Common) -> Page {
    let mut trees: Vec<Tree> = page
        .dom
        .children(NodeId::DOCUMENT)
        .filter_map(|node| tree_of(&page.dom, node))
        .collect();
    trees.iter_mut().for_each(|tree| change(tree, mutation, common));
    let mut html = String::from("<!DOCTYPE html>");
    trees.iter().for_each(|tree| write(tree, &mut html));
    let mut changed = page_of(page.url.as_str(), html.into_bytes());
    changed.url = page.url.clone();
    changed
}

enum Tree {
    Element {
        tag: String,
        attributes: Vec<(String, String)>,
        children: Vec<Tree>,
    },
    Text(String),
}

/// The tree of a node; pages are not deep enough for recursion to matter.
fn tree_of(dom: &Dom, node: NodeId) -> Option<Tree> {
    if dom.is_text(node) {
        return Some(Tree::Text(dom.text(node).to_owned()));
    }
    dom.is_element(node).then(|| Tree::Element {
        tag: dom.name_text(node).to_owned(),
        attributes: dom
            .attributes(node)
            .map(|(name, value)| (dom.names().text(name).to_owned(), value.to_owned()))
            .collect(),
        children: dom.children(node).filter_map(|child| tree_of(dom, child)).collect(),
    })
}

const CELLS: [&str; 5] = ["td", "th", "li", "dd", "dt"];
const ROWS: [&str; 5] = ["tr", "li", "p", "dl", "div"];
const BLOCKS: [&str; 6] = ["div", "table", "section", "ul", "dl", "form"];

fn change(tree: &mut Tree, mutation: Mutation, common: &Common) {
    match tree {
        Tree::Text(text) => {
            if mutation == Mutation::ChangedLabels && common.labels.contains(&collapsed(text)) {
                *text = other_words(text);
            }
        }
        Tree::Element {
            tag,
            attributes,
            children,
        } => {
            if ["script", "style", "head"].contains(&tag.as_str()) {
                return;
            }
            children.iter_mut().for_each(|child| change(child, mutation, common));
            change_element(tag, attributes, mutation);
            change_children(tag, children, mutation);
        }
    }
}

fn change_element(tag: &mut String, attributes: &mut Vec<(String, String)>, mutation: Mutation) {
    let (classes, ids, tags) = match mutation {
        Mutation::RenamedClasses => (true, false, false),
        Mutation::RenamedAll => (true, true, false),
        Mutation::OtherTags => (false, false, true),
        Mutation::OtherLayout => (true, true, true),
        _ => return,
    };
    for (name, value) in attributes.iter_mut() {
        if (classes && name == "class") || (ids && (name == "id" || name == "itemprop")) {
            let words = value.split_whitespace().map(|word| format!("v2-{}", other_words(word)));
            *value = words.collect::<Vec<String>>().join(" ");
        }
    }
    if tags {
        let other = match tag.as_str() {
            "table" | "tbody" | "tr" | "ul" | "dl" | "section" | "article" => "div",
            "td" | "li" | "dd" => "p",
            "th" | "dt" | "b" => "strong",
            "h1" => "h2",
            "h2" => "h3",
            "span" | "font" => "em",
            _ => return,
        };
        *tag = other.to_owned();
        attributes.retain(|(name, _)| name == "class" || name == "id" || name == "href");
    }
}

fn change_children(tag: &str, children: &mut Vec<Tree>, mutation: Mutation) {
    match mutation {
        Mutation::InsertedWrappers if tag == "body" || CELLS.contains(&tag) => {
            let inner = std::mem::take(children);
            children.push(element("div", "inner", inner));
        }
        Mutation::OtherLayout if tag == "body" => {
            rotate_blocks(children);
            let inner = std::mem::take(children);
            children.push(element("main", "page", inner));
        }
        Mutation::MovedBlocks => rotate_blocks(children),
        Mutation::ReorderedFields => {
            reverse_where(children, |name| ROWS.contains(&name));
            reverse_pairs(tag, children);
        }
        Mutation::ReorderedCells if tag == "tr" => reverse_where(children, |name| name == "td" || name == "th"),
        Mutation::InsertedRows => insert_rows(tag, children),
        _ => {}
    }
}

fn element(tag: &str, class: &str, children: Vec<Tree>) -> Tree {
    Tree::Element {
        tag: tag.to_owned(),
        attributes: vec![("class".to_owned(), class.to_owned())],
        children,
    }
}

fn name_of(tree: &Tree) -> &str {
    match tree {
        Tree::Element { tag, .. } => tag,
        Tree::Text(_) => "",
    }
}

/// Of three blocks or more beside each other, the first comes last.
fn rotate_blocks(children: &mut [Tree]) {
    let is_block = |tree: &Tree| BLOCKS.contains(&name_of(tree));
    let places: Vec<usize> = (0..children.len())
        .filter(|&place| is_block(&children[place]))
        .collect();
    if places.len() >= 2 {
        for pair in places.windows(2) {
            children.swap(pair[0], pair[1]);
        }
    }
}

/// Turns the order of the children of one name around, where there are two or more.
fn reverse_where(children: &mut [Tree], is_meant: impl Fn(&str) -> bool) {
    let places: Vec<usize> = (0..children.len())
        .filter(|&place| is_meant(name_of(&children[place])))
        .collect();
    let is_alike = places
        .iter()
        .all(|&place| name_of(&children[place]) == name_of(&children[places[0]]));
    if is_alike || places.iter().any(|&place| name_of(&children[place]) == "td") {
        for index in 0..places.len() / 2 {
            children.swap(places[index], places[places.len() - 1 - index]);
        }
    }
}

/// Turns the order of a list of terms around, each with its description.
fn reverse_pairs(tag: &str, children: &mut Vec<Tree>) {
    if tag != "dl" {
        return;
    }
    let mut pairs: Vec<Vec<Tree>> = Vec::new();
    for child in std::mem::take(children) {
        match pairs.last_mut().filter(|_| name_of(&child) != "dt") {
            Some(pair) => pair.push(child),
            None => pairs.push(vec![child]),
        }
    }
    children.extend(pairs.into_iter().rev().flatten());
}

fn insert_rows(tag: &str, children: &mut Vec<Tree>) {
    let text = |text: &str| Tree::Text(text.to_owned());
    match tag {
        "table" | "tbody" if children.iter().any(|child| name_of(child) == "tr") => {
            let cells = [text("Inserted:"), text("7")].map(|cell| element("td", "new", vec![cell]));
            children.insert(0, element("tr", "new", cells.into()));
        }
        "ul" => children.insert(0, element("li", "new", vec![text("New here")])),
        "dl" => {
            children.insert(0, element("dd", "new", vec![text("7")]));
            children.insert(0, element("dt", "new", vec![text("Inserted")]));
        }
        "body" | "div" => children.insert(0, element("div", "notice", vec![text("We have a new look")])),
        _ => {}
    }
}

/// Other words of the same length: each letter is thirteen places on.
fn other_words(text: &str) -> String {
    let other = |letter: char| match letter {
        'a'..='m' | 'A'..='M' => (letter as u8 + 13) as char,
        'n'..='z' | 'N'..='Z' => (letter as u8 - 13) as char,
        letter => letter,
    };
    text.chars().map(other).collect()
}

const VOID: [&str; 13] = [
    "br", "img", "input", "hr", "meta", "link", "base", "area", "col", "wbr", "embed", "param", "source",
];

fn write(tree: &Tree, html: &mut String) {
    match tree {
        Tree::Text(text) => html.push_str(&escaped(text)),
        Tree::Element {
            tag,
            attributes,
            children,
        } => {
            html.push_str(&format!("<{tag}"));
            for (name, value) in attributes {
                html.push_str(&format!(" {name}=\"{}\"", escaped(value).replace('"', "&quot;")));
            }
            html.push('>');
            if VOID.contains(&tag.as_str()) {
                return;
            }
            let is_raw =
                ["script", "style", "noscript", "iframe", "noembed", "noframes", "xmp"].contains(&tag.as_str());
            for child in children {
                match child {
                    Tree::Text(text) if is_raw => html.push_str(text),
                    child => write(child, html),
                }
            }
            html.push_str(&format!("</{tag}>"));
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Whether a page has a body that somebody reads.
pub fn has_body(page: &Page) -> bool {
    page.dom.find(Name::BODY).is_some()
}
