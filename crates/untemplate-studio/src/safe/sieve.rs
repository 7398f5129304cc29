//! A crawled page as HTML again, with nothing in it that does anything.
//!
//! In: a page as we parsed it. Out: HTML written anew from its tree, by a list of what is allowed.
//! Every element carries its number in our tree (`data-n`), so that a click on it can be told to
//! us; what is left out leaves an empty comment behind, so that texts on both sides of it stay two.
//! Links lead nowhere, forms are sent nowhere, pictures and style sheets come from our own server.
//! The one script is ours.

use untemplate::page::{Name, Namespace, NodeId, NodeKind, Page};
use untemplate_report::push_escaped;
use url::Url;

use super::style::rewrite_style;
use super::tags::{Treatment, html_treatment, is_plain_attribute, is_svg_attribute, is_void, svg_treatment};

/// What a page is shown with.
pub struct Sieve<'a> {
    /// The number that our script runs by.
    pub nonce: &'a str,
    /// Where our own pages are: whom the script talks to.
    pub origin: &'a str,
    /// What stands before the address of a picture or style sheet, as it is written in a query.
    pub resources: &'a str,
    /// Our script.
    pub script: &'a str,
    /// How marks look.
    pub style: &'a str,
}

/// The page as HTML that may be shown.
pub fn sieved(page: &Page, sieve: &Sieve<'_>) -> String {
    let mut writer = Writer {
        page,
        sieve,
        out: String::with_capacity(page.dom.len() * 24),
        open: Vec::new(),
    };
    let has_doctype = page
        .dom
        .children(NodeId::DOCUMENT)
        .any(|node| page.dom.kind(node) == NodeKind::Doctype);
    if has_doctype {
        writer.out.push_str("<!DOCTYPE html>");
    }
    let mut at = NodeId(1);
    let end = page.dom.subtree_end(NodeId::DOCUMENT);
    while at < end {
        writer.close_before(at);
        at = writer.write(at);
    }
    writer.close_before(end);
    writer.out
}

struct Writer<'a> {
    page: &'a Page,
    sieve: &'a Sieve<'a>,
    out: String,
    /// The elements that are open, with where they end.
    open: Vec<(NodeId, &'a str)>,
}

impl<'a> Writer<'a> {
    fn close_before(&mut self, at: NodeId) {
        while let Some((_, name)) = self.open.pop_if(|(end, _)| *end <= at) {
            self.out.extend(["</", name, ">"]);
        }
    }

    /// Writes a node; returns the one to go on with.
    fn write(&mut self, node: NodeId) -> NodeId {
        let dom = &self.page.dom;
        let next = NodeId(node.0 + 1);
        match dom.kind(node) {
            NodeKind::Text => {
                self.write_text(node);
                next
            }
            NodeKind::Element(Namespace::Html) => self.write_html(node),
            NodeKind::Element(Namespace::Svg) => self.write_svg(node),
            // Formulas are shown as their text.
            NodeKind::Element(Namespace::MathMl) => self.open_element(node, "span"),
            NodeKind::Document => next,
            NodeKind::Doctype => dom.subtree_end(node),
            _ => self.leave_out(node),
        }
    }

    fn leave_out(&mut self, node: NodeId) -> NodeId {
        self.out.push_str("<!---->");
        self.page.dom.subtree_end(node)
    }

    fn write_text(&mut self, node: NodeId) {
        let text = self.page.dom.text(node);
        // The parser drops a line break that begins one of these.
        let drops_break = matches!(self.open.last(), Some((_, "pre" | "textarea")));
        if drops_break && text.starts_with('\n') {
            self.out.push('\n');
        }
        push_escaped(text, &mut self.out);
    }

    fn write_html(&mut self, node: NodeId) -> NodeId {
        let dom = &self.page.dom;
        let name = dom.name_text(node);
        let is_in_head = dom.parent(node).is_some_and(|parent| dom.is_html(parent, Name::HEAD));
        match (html_treatment(name), name) {
            (_, "noscript") if is_in_head => self.leave_out(node),
            (Treatment::Drop, _) => self.leave_out(node),
            (_, "style") => self.write_style(node),
            (_, "link") => self.write_link(node),
            (Treatment::Box, _) => self.write_box(node, name),
            (Treatment::Rename(name), _) => self.open_element(node, name),
            (Treatment::Keep, name) => self.open_element(node, name),
        }
    }

    fn write_svg(&mut self, node: NodeId) -> NodeId {
        let name = self.page.dom.name_text(node);
        match svg_treatment(name) {
            Treatment::Keep => self.open_element(node, name),
            _ => self.leave_out(node),
        }
    }

    fn open_element(&mut self, node: NodeId, name: &'a str) -> NodeId {
        let dom = &self.page.dom;
        self.out.extend(["<", name, " data-n=\"", &node.0.to_string(), "\""]);
        let is_svg = dom.kind(node) == NodeKind::Element(Namespace::Svg);
        for (attribute, value) in dom.attributes(node) {
            let attribute = dom.names().text(attribute);
            if is_svg {
                self.write_svg_attribute(attribute, value);
            } else {
                self.write_attribute(name, attribute, value);
            }
        }
        self.out.push('>');
        if name == "head" {
            self.write_own();
        }
        if is_void(name) {
            return dom.subtree_end(node);
        }
        self.open.push((dom.subtree_end(node), name));
        NodeId(node.0 + 1)
    }

    /// Our script and style, before anything of the page is there to disturb them.
    fn write_own(&mut self) {
        let Sieve {
            nonce,
            origin,
            script,
            style,
            ..
        } = self.sieve;
        self.out
            .push_str(&format!("<style data-own>{style}</style><script nonce=\"{nonce}\""));
        self.push("data-origin", origin);
        self.out.extend([">", script, "</script>"]);
    }

    fn write_attribute(&mut self, element: &str, name: &str, value: &str) {
        match (element, name) {
            ("a" | "area", "href") => self.push("href", "#"),
            ("img" | "input", "src") => {
                if let Some(place) = self.place(value) {
                    self.push("src", &place);
                    self.push("loading", "lazy");
                }
            }
            (_, "background") => {
                if let Some(place) = self.place(value) {
                    self.push("background", &place);
                }
            }
            (_, "style") => {
                let style = rewrite_style(value, &|address| self.place(address));
                self.push("style", &style);
            }
            // Names of other elements would stand in the way of our script.
            ("input" | "select" | "textarea" | "button", "name") => self.push("name", value),
            ("input" | "button" | "ol" | "ul" | "li", "type") => self.push("type", value),
            (_, name) if is_plain_attribute(name) => self.push(name, value),
            _ => {}
        }
    }

    fn write_svg_attribute(&mut self, name: &str, value: &str) {
        // A paint or mask may name an address.
        let is_local = !value.to_ascii_lowercase().contains("url(") || value.trim_start().starts_with("url(#");
        if is_local && (is_svg_attribute(name) || matches!(name, "fill" | "stroke" | "clip-path" | "mask")) {
            self.push(name, value);
        }
    }

    fn push(&mut self, name: &str, value: &str) {
        self.out.extend([" ", name, "=\""]);
        push_escaped(value, &mut self.out);
        self.out.push('"');
    }

    /// Where a picture or style sheet of the page is to be had from us.
    fn place(&self, address: &str) -> Option<String> {
        if address
            .trim()
            .get(..11)
            .is_some_and(|start| start.eq_ignore_ascii_case("data:image/"))
        {
            return Some(address.trim().to_owned());
        }
        place(&self.page.base, address, self.sieve.resources)
    }

    fn write_style(&mut self, node: NodeId) -> NodeId {
        let dom = &self.page.dom;
        let text: String = dom.children(node).map(|child| dom.text(child)).collect();
        let style = rewrite_style(&text, &|address| self.place(address));
        // A style sheet needs no `<`, and without it cannot end before its time.
        let style = style.replace('<', "\\3c ");
        self.out.push_str("<style");
        if let Some(media) = dom.names().find("media").and_then(|name| dom.attribute(node, name)) {
            self.push("media", media);
        }
        self.out.extend([">", &style, "</style>"]);
        dom.subtree_end(node)
    }

    /// A style sheet stays; other links are left out.
    fn write_link(&mut self, node: NodeId) -> NodeId {
        let dom = &self.page.dom;
        let words = dom.attribute(node, Name::REL).unwrap_or("").to_ascii_lowercase();
        let has = |word: &str| words.split_whitespace().any(|its| its == word);
        let place = dom.attribute(node, Name::HREF).and_then(|href| self.place(href));
        match place.filter(|_| has("stylesheet") && !has("alternate")) {
            Some(place) => {
                self.out.push_str("<link rel=\"stylesheet\"");
                self.push("href", &place);
                if let Some(media) = dom.names().find("media").and_then(|name| dom.attribute(node, name)) {
                    self.push("media", media);
                }
                self.out.push('>');
                dom.subtree_end(node)
            }
            None => self.leave_out(node),
        }
    }

    /// Says what stood here: frames and moving pictures are not shown.
    fn write_box(&mut self, node: NodeId, name: &str) -> NodeId {
        let dom = &self.page.dom;
        let source = dom.attribute(node, Name::SRC).unwrap_or("");
        self.out.push_str(&format!("<div data-n=\"{}\" data-box>", node.0));
        push_escaped(&format!("{name} {source}"), &mut self.out);
        self.out.push_str("</div>");
        dom.subtree_end(node)
    }
}

/// Where something on the web is to be had from us: its address, whole, in a query. Only the web
/// has addresses here.
pub fn place(base: &Url, address: &str, resources: &str) -> Option<String> {
    let url = base.join(address.trim()).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
    let query: String = url::form_urlencoded::byte_serialize(url.as_str().as_bytes()).collect();
    is_web.then(|| format!("{resources}{query}"))
}
