//! What an inferred wrapper reads: the table, and sample pages with their fields coloured.

use std::collections::BTreeMap;

use maud::{Markup, html};
use untemplate::page::{Dom, NodeId, Page};
use untemplate::wrapper::{Extraction, Record, SourcePart, Value};

use crate::document::document;

/// A page by its name, and what was read from it.
type ReadPage<'a> = (&'a str, &'a Page, &'a Extraction);

/// Pages that are shown whole.
const SHOWN_PAGES: usize = 3;

/// Draws pages with what was read from each, under a title.
pub fn inference_page(title: &str, pages: &[ReadPage<'_>]) -> String {
    let colours = colours(pages);
    let body = html! {
        h1 { (title) }
        (table(pages, &colours))
        @for (name, page, extraction) in pages.iter().take(SHOWN_PAGES) {
            h2 { (name) }
            div.page { (page_text(&page.dom, extraction, &colours)) }
        }
    };
    document(title, STYLE, body)
}

const STYLE: &str = "body{font:14px sans-serif;margin:2em}.scroll{overflow-x:auto}table{border-collapse:collapse}td,th{border:1px solid #999;padding:2px 6px;\
vertical-align:top;max-width:24em;overflow-wrap:anywhere}th{color:#000}h1,h2{overflow-wrap:anywhere}\
.page{white-space:pre-wrap;border:1px solid #999;padding:1em;max-height:40em;overflow:auto;color:#777;overflow-wrap:anywhere}\
mark{color:#000;border-radius:3px;padding:0 2px}@media(max-width:30rem){body{margin:1em .8em}}";

/// A light colour for each key that was read, by their order: steps of the golden angle keep
/// neighbours apart.
fn colours<'a>(pages: &[ReadPage<'a>]) -> BTreeMap<&'a str, String> {
    let mut colours: BTreeMap<&str, String> = BTreeMap::new();
    let extractions = || pages.iter().map(|(_, _, extraction)| *extraction);
    let values = extractions().flat_map(|it| it.record.values.iter().map(|(key, _)| &**key));
    let sources = extractions().flat_map(|it| it.sources.iter().map(|source| &*source.key));
    for key in values.chain(sources) {
        let hue = colours.len() * 137 % 360;
        colours.entry(key).or_insert_with(|| format!("hsl({hue},80%,82%)"));
    }
    colours
}

/// The fields outside of lists, a row a page, and how many rows lists have.
fn table(pages: &[ReadPage<'_>], colours: &BTreeMap<&str, String>) -> Markup {
    let mut columns: Vec<&str> = Vec::new();
    for (_, _, extraction) in pages {
        for (key, _) in &extraction.record.values {
            if !columns.contains(&&**key) {
                columns.push(key);
            }
        }
    }
    html! {
        div.scroll { table {
            tr {
                th style="color:inherit" { "page" }
                @for column in &columns { th style={ "background:" (colours[column]) } { (column) } }
            }
            @for (name, _, extraction) in pages {
                tr {
                    td { (name) }
                    @for column in &columns { td { (cell(&extraction.record, column)) } }
                }
            }
        } }
    }
}

fn cell(record: &Record, key: &str) -> String {
    match record.get(key) {
        Some(Value::Text(text)) => text.clone(),
        Some(Value::List(rounds)) => format!("{} rows", rounds.len()),
        None => String::new(),
    }
}

/// A text of a page, with the key of the field that it was read for.
struct Piece<'a> {
    text: &'a str,
    key: Option<&'a str>,
    begins_line: bool,
}

/// The text of a page, line by line, with what was read marked.
fn page_text(dom: &Dom, extraction: &Extraction, colours: &BTreeMap<&str, String>) -> Markup {
    html! {
        @for piece in pieces(dom, extraction) {
            @if piece.begins_line { "\n" }
            @match piece.key {
                Some(key) => { mark title=(key) style={ "background:" (colours[key]) } { (piece.text) } }
                None => { (piece.text) }
            }
            " "
        }
    }
}

fn pieces<'a>(dom: &'a Dom, extraction: &'a Extraction) -> Vec<Piece<'a>> {
    let texts = extraction
        .sources
        .iter()
        .filter(|source| source.part == SourcePart::Text);
    let keys: BTreeMap<NodeId, &str> = texts.map(|source| (source.node, &*source.key)).collect();
    let mut pieces = Vec::new();
    let mut marked: Option<(NodeId, &str)> = None;
    let mut begins_line = false;
    let mut at = NodeId(0);
    while at.index() < dom.len() {
        if dom.is_unseen(at) {
            at = dom.subtree_end(at);
            continue;
        }
        if let Some(key) = keys.get(&at) {
            marked = Some((dom.subtree_end(at), key));
        }
        if dom.is_text(at) && !dom.text(at).trim().is_empty() {
            pieces.push(Piece {
                text: dom.text(at).trim(),
                key: marked.filter(|(end, _)| at < *end).map(|(_, key)| key),
                begins_line: begins_line && !pieces.is_empty(),
            });
            begins_line = false;
        } else if dom.is_element(at) && !dom.is_inline(at) {
            begins_line = true;
        }
        at = NodeId(at.0 + 1);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::page::{ParseOptions, Response};
    use untemplate::wrapper::{Matcher, infer_template};

    #[test]
    fn fields_are_coloured_and_pages_are_only_text() {
        let film = |title: &str, director: &str| {
            let html = format!("<h1>{title}</h1><p><b>Director:</b> {director}</p>");
            let url = "http://a.example/".parse().expect("a good address");
            Page::read(&Response::html(url, html), &ParseOptions::default())
        };
        let films = [
            film("Alpha", "Ann"),
            film("Beta", "&lt;script&gt;x"),
            film("Gamma", "Cid"),
        ];
        let matcher = Matcher::new(infer_template(&films.iter().collect::<Vec<_>>()));
        let read: Vec<Extraction> = films.iter().map(|film| matcher.extract(film)).collect();
        let rows: Vec<ReadPage<'_>> = films
            .iter()
            .zip(&read)
            .map(|(film, read)| ("<film>", film, read))
            .collect();
        let html = inference_page("Films", &rows);
        assert!(!html.contains("<script") && !html.contains("<film>"), "{html}");
        assert!(html.contains(">&lt;script&gt;x</mark>"), "{html}");
        assert!(html.contains("<td>Ann</td>") && html.contains("</mark> \n"), "{html}");
    }
}
