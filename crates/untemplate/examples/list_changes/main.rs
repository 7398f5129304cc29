//! How well the records of list pages are found after a change to the page: a line of JSON a page,
//! for `cargo xtask eval mutations`.
//!
//! Reads the paths of pages from standard input, one a line. Each line of output has the records
//! found on the page as it is, and for each change that the page allows how much of them is found
//! on the changed page (the harmonic mean of precision and recall), and what else may be its main
//! list, with its evidence and how much of the records it has. An argument keeps to the changes
//! that have it in their names; a second one names a folder for the changed pages whose records are
//! not all found.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    missing_docs
)]

mod around;
mod change;
mod records;
mod tree;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};
use untemplate::page::{NodeId, Page, ParseOptions, Response, xpath_of};
use untemplate::record::{ListRecord, RecordOptions, find_records, rank_lists};

use tree::{MARK, Tree};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let only = arguments.first().map_or("", String::as_str);
    let folder = arguments.get(1).map(Path::new);
    for (number, file) in std::io::stdin().lines().map(|line| line.expect("a path")).enumerate() {
        let bytes = std::fs::read(&file).expect("a page can be read");
        let page = page_of(bytes);
        let records = records_of(&page);
        let mut kept: BTreeMap<&str, f64> = BTreeMap::new();
        let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for (name, change) in change::CHANGES.iter().filter(|(name, _)| name.contains(only)) {
            let Some(html) = changed(&page, &records, change) else {
                continue;
            };
            let changed = page_of(html.clone().into_bytes());
            let marks = marks_of(&changed);
            let found: Vec<Vec<NodeId>> = records_of(&changed).into_iter().map(|record| record.nodes).collect();
            let share = share_kept(&changed, &marks, &found);
            if let Some(folder) = folder.filter(|_| share < 1.0) {
                std::fs::write(folder.join(format!("{name}-{number:03}.html")), html).expect("a page is written");
            }
            kept.insert(name, share);
            lists.insert(name, rivals(&changed, &marks));
        }
        let records: Vec<Value> = records.iter().map(|record| shown(&page, record)).collect();
        println!(
            "{}",
            json!({"page": file, "records": records, "kept": kept, "lists": lists})
        );
    }
}

/// What may be the main list of a changed page: of each place the best way to cut it.
fn rivals(page: &Page, marks: &BTreeMap<NodeId, usize>) -> Vec<Value> {
    let options = RecordOptions {
        all: true,
        ..RecordOptions::default()
    };
    let lists = rank_lists(page, &options).into_iter().filter(|list| list.is_best_here);
    lists
        .map(|list| {
            let right = share_kept(page, marks, &list.records);
            json!({"score": list.score, "evidence": list.evidence, "right": right})
        })
        .collect()
}

fn page_of(body: Vec<u8>) -> Page {
    let url: url::Url = "http://page.example/".parse().expect("a good address");
    Page::read(&Response::html(url, body), &ParseOptions::default())
}

fn records_of(page: &Page) -> Vec<ListRecord> {
    let found = find_records(page, &RecordOptions::default());
    found
        .regions
        .into_iter()
        .next()
        .map_or_else(Vec::new, |list| list.records)
}

fn shown(page: &Page, record: &ListRecord) -> Value {
    let paths: Vec<String> = record.nodes.iter().map(|&node| xpath_of(&page.dom, node)).collect();
    let texts: Vec<String> = record.nodes.iter().map(|&node| page.dom.visible_text(node)).collect();
    json!({"nodes": paths, "text": texts.join(" ")})
}

/// The changed page, where the change applies. The elements of records carry the numbers of these.
fn changed(page: &Page, records: &[ListRecord], change: &change::Change) -> Option<String> {
    let mut marks: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (number, record) in records.iter().enumerate() {
        let elements = record.nodes.iter().filter(|&&node| page.dom.is_element(node));
        marks.extend(elements.map(|&node| (node, number)));
    }
    let numbers: BTreeSet<usize> = marks.values().copied().collect();
    if records.len() < 2 || numbers.len() < records.len() {
        return None;
    }
    let mut root = Tree::of(&page.dom, &marks)?;
    change(&mut root)?;
    Some(root.html())
}

/// The elements of records on a changed page, with the numbers of their records.
fn marks_of(page: &Page) -> BTreeMap<NodeId, usize> {
    let marked = page.dom.nodes().filter_map(|node| Some((node, mark_of(page, node)?)));
    marked.collect()
}

/// How much of the marked records is found: the harmonic mean of precision and recall. A record is
/// found when one record, and no other, has to do with it, and that one with no other.
fn share_kept(page: &Page, marks: &BTreeMap<NodeId, usize>, found: &[Vec<NodeId>]) -> f64 {
    let dom = &page.dom;
    // Records may be left out by the change itself.
    let n_true = marks.values().collect::<BTreeSet<_>>().len();
    let touched: Vec<BTreeSet<usize>> = found
        .iter()
        .map(|nodes| {
            let inside = nodes.iter().flat_map(|&node| dom.subtree(node));
            let above = nodes.iter().flat_map(|&node| dom.ancestors(node));
            inside
                .chain(above)
                .filter_map(|node| marks.get(&node).copied())
                .collect()
        })
        .collect();
    let mut crowd = vec![0; marks.values().max().map_or(0, |most| most + 1)];
    touched.iter().flatten().for_each(|&mark| crowd[mark] += 1);
    let is_right = |marks: &&BTreeSet<usize>| marks.len() == 1 && marks.iter().all(|&mark| crowd[mark] == 1);
    let n_right = touched.iter().filter(is_right).count();
    2.0 * n_right as f64 / (n_true + found.len()).max(1) as f64
}

fn mark_of(page: &Page, node: NodeId) -> Option<usize> {
    let dom = &page.dom;
    let mark = dom.is_element(node).then(|| dom.names().find(MARK))??;
    dom.attribute(node, mark)?.parse().ok()
}
