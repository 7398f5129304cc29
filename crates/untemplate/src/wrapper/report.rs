//! The report of an inference: sample pages with their fields coloured, and the table, as one HTML page that needs nothing else.

use std::collections::BTreeMap;

use crate::page::{Dom, NodeId, Page, escaped_markup};

use super::extraction::Extraction;
use super::record::{Record, Value};
use super::source::SourcePart;

/// Sample pages with what was read from each, under a title.
pub fn html_report(title: &str, pages: &[(&str, &Page, &Extraction)]) -> String {
    let mut html = format!(
        "<!doctype html>\n<meta charset=utf-8>\n<title>{0}</title>\n{STYLE}\n<h1>{0}</h1>\n",
        escaped_markup(title)
    );
    push_table(pages, &mut html);
    for (name, page, extraction) in pages.iter().take(SHOWN_PAGES) {
        html.push_str(&format!("<h2>{}</h2>\n<div class=page>", escaped_markup(name)));
        push_page(&page.dom, extraction, &mut html);
        html.push_str("</div>\n");
    }
    html
}

/// So many pages are shown whole.
const SHOWN_PAGES: usize = 3;

const STYLE: &str = "<style>body{font:14px sans-serif;margin:2em}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:2px 6px;\
vertical-align:top;max-width:24em;overflow-wrap:anywhere}.page{white-space:pre-wrap;border:1px solid #ccc;padding:1em;max-height:40em;overflow:auto;color:#777}\
mark{color:#000;border-radius:3px;padding:0 2px}</style>";

/// A table of the fields outside of lists, and how many rounds lists have.
fn push_table(pages: &[(&str, &Page, &Extraction)], html: &mut String) {
    let mut columns: Vec<&str> = Vec::new();
    for (_, _, extraction) in pages {
        for (key, _) in &extraction.record.values {
            if !columns.contains(&&**key) {
                columns.push(key);
            }
        }
    }
    html.push_str("<table><tr><th>page");
    for column in &columns {
        html.push_str(&format!(
            "<th style=\"background:{}\">{}",
            colour(column),
            escaped_markup(column)
        ));
    }
    for (name, _, extraction) in pages {
        html.push_str(&format!("\n<tr><td>{}", escaped_markup(name)));
        for column in &columns {
            html.push_str(&format!("<td>{}", escaped_markup(&cell(&extraction.record, column))));
        }
    }
    html.push_str("</table>\n");
}

fn cell(record: &Record, key: &str) -> String {
    match record.get(key) {
        Some(Value::Text(text)) => text.clone(),
        Some(Value::List(rounds)) => format!("{} rows", rounds.len()),
        None => String::new(),
    }
}

/// The text of a page, line by line, with what was read marked.
fn push_page(dom: &Dom, extraction: &Extraction, html: &mut String) {
    let texts = extraction
        .sources
        .iter()
        .filter(|source| source.part == SourcePart::Text);
    let keys: BTreeMap<NodeId, &str> = texts.map(|source| (source.node, &*source.key)).collect();
    let mut at = NodeId(0);
    let mut marked: Option<(NodeId, &str)> = None;
    while at.index() < dom.len() {
        if dom.is_unseen(at) {
            at = dom.subtree_end(at);
            continue;
        }
        if let Some(key) = keys.get(&at) {
            marked = Some((dom.subtree_end(at), key));
        }
        if dom.is_text(at) && !dom.text(at).trim().is_empty() {
            let text = escaped_markup(dom.text(at).trim());
            match marked.filter(|(end, _)| at < *end) {
                Some((_, key)) => html.push_str(&format!(
                    "<mark title=\"{}\" style=\"background:{}\">{text}</mark> ",
                    escaped_markup(key),
                    colour(key)
                )),
                None => html.push_str(&format!("{text} ")),
            }
        } else if dom.is_element(at) && !dom.is_inline(at) && !html.ends_with('\n') {
            html.push('\n');
        }
        at = NodeId(at.0 + 1);
    }
}

/// A light colour that stays the same for a key.
fn colour(key: &str) -> String {
    format!("hsl({},80%,82%)", super::feature::hash_text(key) % 360)
}
