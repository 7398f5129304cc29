//! Showing a page: its tree, links, schema and tokens as text for a person, and for the snapshots
//! of tests.

use std::fmt::Write;

use super::document::Page;
use super::link::{PageSchema, link_collections};
use super::page_token::{PageTokenKind, TokenInterner};
use super::tag_path::PathInterner;
use untemplate_html::{Dom, NodeId, NodeKind};

/// The page's address, encoding and problems, and its tree: a node a line, indented by depth.
pub fn show_page(page: &Page) -> String {
    let mut shown = format!("page {}\n", page.url);
    if page.base != page.url {
        writeln!(shown, "base {}", page.base).expect("a string takes all");
    }
    writeln!(shown, "encoding {}", page.encoding).expect("a string takes all");
    for problem in &page.problems {
        writeln!(shown, "problem {problem}").expect("a string takes all");
    }
    for node in page.dom.nodes().skip(1) {
        show_node(&page.dom, node, &mut shown);
    }
    shown
}

fn show_node(dom: &Dom, node: NodeId, shown: &mut String) {
    let text = escaped(dom.text(node));
    if dom.is_text(node) && text.trim().is_empty() {
        return;
    }
    shown.extend(std::iter::repeat_n("  ", dom.depth(node) - 1));
    match dom.kind(node) {
        NodeKind::Element(_) => {
            shown.push_str(&escaped(dom.name_text(node)));
            for (name, value) in dom.attributes(node) {
                write!(shown, " {}=\"{}\"", escaped(dom.names().text(name)), escaped(value))
                    .expect("a string takes all");
            }
        }
        NodeKind::Text => write!(shown, "\"{text}\"").expect("a string takes all"),
        NodeKind::Comment => write!(shown, "<!--{text}-->").expect("a string takes all"),
        NodeKind::Instruction => write!(shown, "<{text}>").expect("a string takes all"),
        NodeKind::Doctype => {
            write!(shown, "<!DOCTYPE {}>", escaped_controls(dom.text(node))).expect("a string takes all");
        }
        NodeKind::TemplateContents => shown.push_str("#contents"),
        NodeKind::Document => {}
    }
    shown.push('\n');
}

/// Text that no terminal obeys, and on one line: nothing else is changed.
fn escaped_controls(text: &str) -> String {
    if !text.contains(char::is_control) {
        return text.to_owned();
    }
    text.chars()
        .map(|c| {
            if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}

/// Text on one line, between quotes.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => escaped.push_str("\\n"),
            '\t' => escaped.push_str("\\t"),
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            c if c.is_control() => escaped.extend(c.escape_unicode()),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The page's link collections: a path a line with its number of links, and below it each link and
/// its text.
pub fn show_links(page: &Page, interner: &mut PathInterner) -> String {
    let mut shown = String::new();
    for collection in link_collections(page, interner) {
        let path = escaped_controls(&interner.text(collection.path));
        writeln!(shown, "{} {path}", collection.links.len()).expect("a string takes all");
        for link in &collection.links {
            writeln!(shown, "  {} \"{}\"", link.url, escaped(&link.text(&page.dom))).expect("a string takes all");
        }
    }
    shown
}

/// The page's schema: a path a line, in the order of their text.
pub fn show_schema(page: &Page, interner: &mut PathInterner) -> String {
    let schema = PageSchema::of(page, interner);
    let mut paths: Vec<String> = schema
        .paths()
        .iter()
        .map(|&path| escaped_controls(&interner.text(path)))
        .collect();
    paths.sort_unstable();
    paths.iter().map(|path| format!("{path}\n")).collect()
}

/// The page's tokens: one a line, indented by depth.
pub fn show_tokens(page: &Page, interner: &mut TokenInterner) -> String {
    let mut shown = String::new();
    for token in interner.tokens(&page.dom) {
        shown.extend(std::iter::repeat_n("  ", usize::from(token.depth) - 1));
        let text = interner.text(token.code);
        match token.kind {
            PageTokenKind::Open => writeln!(shown, "<{}>", escaped_controls(text)),
            PageTokenKind::Close => writeln!(shown, "</{}>", escaped(page.dom.name_text(token.node))),
            PageTokenKind::Text => writeln!(shown, "\"{}\"", escaped(text)),
        }
        .expect("a string takes all");
    }
    shown
}
