//! A page with its records outlined, for a person to look at.
//!
//! In: a page and its lists. Out: HTML that shows the page without its scripts, each record with a
//! border and its number. It is one file: a policy in its head keeps browsers from loading
//! anything.

use std::collections::BTreeMap;

use untemplate::page::{Dom, Name, NodeId, NodeKind, Page};
use untemplate::record::ListRegion;

use crate::text::push_escaped;

/// The page as HTML with its records outlined.
pub fn outlined_page(page: &Page, regions: &[ListRegion]) -> String {
    let mut marks: BTreeMap<NodeId, Mark> = BTreeMap::new();
    for (list, region) in regions.iter().enumerate() {
        marks.entry(region.node).or_default().region = Some(list + 1);
        for (number, record) in region.records.iter().enumerate() {
            for &node in &record.nodes {
                marks.entry(node).or_default().record = Some((list + 1, number + 1));
            }
        }
    }
    let mut writer = Writer {
        dom: &page.dom,
        marks,
        html: String::from("<!DOCTYPE html>\n"),
    };
    writer.document();
    writer.html
}

#[derive(Debug, Clone, Copy, Default)]
struct Mark {
    region: Option<usize>,
    /// The list and the number of a record.
    record: Option<(usize, usize)>,
}

/// What every outlined page begins its head with.
const HEAD: &str = concat!(
    "<meta charset=\"utf-8\">",
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; form-action 'none'\">",
    "<style>[data-untemplate-region]{box-shadow:0 0 0 3px #06c!important}",
    "[data-untemplate-record]{outline:2px solid #d22!important;outline-offset:-1px}",
    "[data-untemplate-record]:before{content:attr(data-untemplate-record);background:#d22;color:#fff;",
    "font:bold 11px/1 sans-serif;padding:1px 4px}</style>\n"
);

struct Writer<'a> {
    dom: &'a Dom,
    marks: BTreeMap<NodeId, Mark>,
    html: String,
}

impl Writer<'_> {
    fn document(&mut self) {
        let mut open: Vec<NodeId> = Vec::new();
        let mut at = NodeId(1);
        let end = NodeId(self.dom.len() as u32);
        while at < end {
            self.close(&mut open, at);
            if self.is_dropped(at) {
                at = self.dom.subtree_end(at);
                continue;
            }
            match self.dom.kind(at) {
                NodeKind::Text => self.text(at),
                NodeKind::Element(_) => {
                    self.start(at);
                    if !is_void(self.dom, at) {
                        open.push(at);
                    }
                }
                _ => {}
            }
            at = NodeId(at.0 + 1);
        }
        self.close(&mut open, end);
    }

    fn close(&mut self, open: &mut Vec<NodeId>, at: NodeId) {
        while let Some(element) = open.pop_if(|element| self.dom.subtree_end(*element) <= at) {
            self.html.push_str(&format!("</{}>", self.dom.name_text(element)));
        }
    }

    /// What could run, load or lead away is left out.
    fn is_dropped(&self, node: NodeId) -> bool {
        match self.dom.kind(node) {
            NodeKind::Element(_) => matches!(
                self.dom.name(node),
                Some(
                    Name::SCRIPT
                        | Name::IFRAME
                        | Name::FRAME
                        | Name::OBJECT
                        | Name::EMBED
                        | Name::APPLET
                        | Name::LINK
                        | Name::META
                        | Name::BASE
                )
            ),
            NodeKind::Text => false,
            _ => true,
        }
    }

    fn start(&mut self, node: NodeId) {
        let name = self.dom.name_text(node).to_owned();
        self.html.push_str(&format!("<{name}"));
        for (attribute, value) in self.dom.attributes(node) {
            let attribute = self.dom.names().text(attribute);
            let is_unsafe = attribute.starts_with("on")
                || attribute.contains(|c: char| !c.is_ascii_alphanumeric() && !"-_:".contains(c));
            let runs = value.trim_start().to_ascii_lowercase().starts_with("javascript:");
            let leads_away = matches!(attribute, "href" | "xlink:href" | "action" | "formaction" | "ping");
            if !is_unsafe && !runs && !leads_away {
                self.html.extend([" ", attribute, "=\""]);
                push_escaped(value, &mut self.html);
                self.html.push('"');
            }
        }
        self.html.push_str(&self.mark(node));
        self.html.push('>');
        if self.dom.is_html(node, Name::HEAD) {
            self.html.push_str(HEAD);
        }
    }

    fn mark(&self, node: NodeId) -> String {
        let Some(mark) = self.marks.get(&node) else {
            return String::new();
        };
        let mut text = String::new();
        if let Some(region) = mark.region {
            text.push_str(&format!(" data-untemplate-region=\"{region}\""));
        }
        if let Some((list, number)) = mark.record {
            let shown = if list == 1 {
                number.to_string()
            } else {
                format!("{list}.{number}")
            };
            text.push_str(&format!(" data-untemplate-record=\"{shown}\""));
        }
        text
    }

    fn text(&mut self, node: NodeId) {
        let text = self.dom.text(node);
        let parent = self.dom.parent(node);
        let is_raw = parent.is_some_and(|parent| self.dom.is_html(parent, Name::STYLE));
        let mark = self.mark(node);
        if is_raw {
            // A style element ends at its end tag, whatever its text says.
            self.html.push_str(&text.replace("</", "<\\/"));
        } else if mark.is_empty() {
            push_escaped(text, &mut self.html);
        } else {
            self.html.push_str(&format!("<span{mark}>"));
            push_escaped(text, &mut self.html);
            self.html.push_str("</span>");
        }
    }
}

fn is_void(dom: &Dom, node: NodeId) -> bool {
    matches!(
        dom.name(node),
        Some(
            Name::AREA
                | Name::BR
                | Name::COL
                | Name::HR
                | Name::IMG
                | Name::INPUT
                | Name::PARAM
                | Name::SOURCE
                | Name::TRACK
                | Name::WBR
        )
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::page::{ParseOptions, Response};
    use untemplate::record::{RecordOptions, find_records};

    #[test]
    fn an_outlined_page_runs_nothing_and_loads_nothing() {
        let hit = |n: usize| {
            format!("<li onclick=x() class=hit><a href='javascript:x()'>Result {n}</a> about &lt;lamps&gt;</li>")
        };
        let hits: String = (1..=3).map(hit).collect();
        let html = format!("<script src=x.js></script><link rel=stylesheet href=x.css><ul>{hits}</ul>");
        let url = "http://a.example/".parse().expect("a good address");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let html = outlined_page(&page, &find_records(&page, &RecordOptions::default()).regions);
        for gone in ["script src", "onclick", "javascript:", "x.css", "<lamps>"] {
            assert!(!html.contains(gone), "{gone}\n{html}");
        }
        assert_eq!(html.matches("data-untemplate-record=").count(), 3, "{html}");
    }
}
