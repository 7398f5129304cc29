//! What may be a list on pages, with the evidence that its probability is computed from: a line of
//! JSON a page, for `cargo xtask fit`.
//!
//! Reads the paths of pages from standard input, one a line. The first line of output has the names
//! of the evidence.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    missing_docs
)]

use serde_json::json;
use untemplate::page::{Page, ParseOptions, Response, xpath_of};
use untemplate::record::{EVIDENCE_NAMES, RankedList, RecordOptions, rank_lists};

fn main() {
    let url: url::Url = "http://page.example/".parse().expect("a good address");
    let options = RecordOptions {
        all: true,
        ..RecordOptions::default()
    };
    println!("{}", json!(EVIDENCE_NAMES));
    for file in std::io::stdin().lines().map(|line| line.expect("a path")) {
        let bytes = std::fs::read(&file).expect("a page can be read");
        let page = Page::read(&Response::html(url.clone(), bytes), &ParseOptions::default());
        let shown = |list: &RankedList| {
            let record = |nodes: &Vec<_>| {
                let paths: Vec<String> = nodes.iter().map(|&node| xpath_of(&page.dom, node)).collect();
                let texts: Vec<String> = nodes.iter().map(|&node| page.dom.visible_text(node)).collect();
                json!({"nodes": paths, "text": texts.join(" ")})
            };
            let records: Vec<_> = list.records.iter().map(record).collect();
            json!({"score": list.score, "probability": list.probability, "evidence": list.evidence, "records": records})
        };
        let lists: Vec<_> = rank_lists(&page, &options).iter().map(shown).collect();
        println!("{}", json!({"page": file, "lists": lists}));
    }
}
