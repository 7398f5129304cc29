//! What is taught survives change: pages are mutated, and fields must read the same values as
//! before.
//!
//! Twenty mutations a site: a class renamed, a row inserted, a `div` wrapped around something, a
//! section removed. Always on pages of a small shop; where `UNTEMPLATE_CORPORA` names them, also on
//! real pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use untemplate::page::{Dom, Name, NodeId, Page, ParseOptions, Response};
use untemplate::teach::{Example, SamplePage, Session, SessionOptions, ShownValue, TaughtField};

/// The share of values that must stay the same.
const SURVIVAL_MIN: f64 = 0.9;

const MUTATIONS_PER_SITE: u64 = 20;

/// The true values of each field, by page.
type Truth = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Something that a redesign does to a page.
#[derive(Debug, Clone, Copy)]
enum Mutation {
    /// Every element with this element's class gets another.
    RenameClass(NodeId),
    /// A copy of the element, with other texts, stands before it.
    InsertBefore(NodeId),
    /// A `div` goes around what the element holds.
    Wrap(NodeId),
    /// The element is gone.
    Remove(NodeId),
}

/// The page as HTML again, mutated.
fn mutated(dom: &Dom, mutation: Mutation) -> String {
    let class = match mutation {
        Mutation::RenameClass(node) => dom.attribute(node, Name::CLASS).map(str::to_owned),
        _ => None,
    };
    let mut html = String::from("<!DOCTYPE html>");
    let mut open: Vec<(NodeId, String)> = Vec::new();
    let mut at = NodeId::DOCUMENT.index();
    let nodes: Vec<NodeId> = dom.nodes().collect();
    while at < nodes.len() {
        let node = nodes[at];
        while open
            .last()
            .is_some_and(|(element, _)| dom.subtree_end(*element) <= node)
        {
            html += &open.pop().map(|(_, close)| close).unwrap_or_default();
        }
        if matches!(mutation, Mutation::Remove(removed) if removed == node) {
            at = dom.subtree_end(node).index();
            continue;
        }
        if matches!(mutation, Mutation::InsertBefore(copied) if copied == node) {
            let name = dom.name_text(node);
            html += &format!("<{name}><td>Inserted:</td><td>7</td></{name}>");
        }
        if dom.is_element(node) {
            let is_wrapped = matches!(mutation, Mutation::Wrap(wrapped) if wrapped == node);
            let close = push_open_tag(dom, node, class.as_deref(), is_wrapped, &mut html);
            open.push((node, close));
        } else if dom.is_text(node) {
            let is_raw = dom.parent(node).is_some_and(|parent| dom.is_unseen(parent));
            html += &if is_raw {
                dom.text(node).to_owned()
            } else {
                escaped(dom.text(node))
            };
        }
        at += 1;
    }
    while let Some((_, close)) = open.pop() {
        html += &close;
    }
    html
}

/// Writes an element's start, and returns its end.
fn push_open_tag(dom: &Dom, node: NodeId, renamed: Option<&str>, is_wrapped: bool, html: &mut String) -> String {
    let name = dom.name_text(node);
    *html += &format!("<{name}");
    for (attribute, value) in dom.attributes(node) {
        let value = match renamed {
            Some(class) if attribute == Name::CLASS && value == class => "renamed-by-redesign",
            _ => value,
        };
        *html += &format!(
            " {}=\"{}\"",
            dom.names().text(attribute),
            escaped(value).replace('"', "&quot;")
        );
    }
    *html += ">";
    let is_void = matches!(
        dom.name(node),
        Some(
            Name::BR
                | Name::IMG
                | Name::INPUT
                | Name::HR
                | Name::META
                | Name::LINK
                | Name::BASE
                | Name::AREA
                | Name::COL
                | Name::WBR
        )
    );
    match (is_void, is_wrapped) {
        (true, _) => String::new(),
        (false, true) => {
            *html += "<div class=\"wrapped\">";
            format!("</div></{name}>")
        }
        (false, false) => format!("</{name}>"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// The mutation of this number: an element near one of the values, since changes elsewhere are no
/// test.
fn mutation(dom: &Dom, values: &[NodeId], number: u64) -> Option<Mutation> {
    let value = *values.get(number as usize % values.len().max(1))?;
    let holds_value = |node: NodeId| values.iter().any(|&value| dom.contains(node, value));
    let is_inner =
        |&node: &NodeId| dom.is_element(node) && !matches!(dom.name(node), Some(Name::HTML | Name::BODY | Name::HEAD));
    let around: Vec<NodeId> = std::iter::once(value)
        .chain(dom.ancestors(value))
        .filter(is_inner)
        .collect();
    let pick = |nodes: &[NodeId]| nodes.get((number / 4) as usize % nodes.len().max(1)).copied();
    match number % 4 {
        0 => {
            let classed: Vec<NodeId> = around
                .into_iter()
                .filter(|&node| dom.attribute(node, Name::CLASS).is_some())
                .collect();
            pick(&classed).map(Mutation::RenameClass)
        }
        1 => {
            let rows: Vec<NodeId> = around
                .into_iter()
                .filter(|&node| matches!(dom.name(node), Some(Name::TR | Name::LI | Name::DIV | Name::P)))
                .collect();
            pick(&rows).map(Mutation::InsertBefore)
        }
        2 => {
            let boxes: Vec<NodeId> = around
                .into_iter()
                .filter(|&node| matches!(dom.name(node), Some(Name::TD | Name::DIV | Name::LI)))
                .collect();
            pick(&boxes).map(Mutation::Wrap)
        }
        _ => {
            let beside = around
                .iter()
                .filter_map(|&node| dom.parent(node))
                .flat_map(|parent| dom.children(parent));
            let others: Vec<NodeId> = beside.filter(is_inner).filter(|&node| !holds_value(node)).collect();
            let number = number.wrapping_mul(2_654_435_761) as usize;
            others.get(number % others.len().max(1)).copied().map(Mutation::Remove)
        }
    }
}

fn texts(field: &TaughtField, page: &SamplePage) -> Vec<String> {
    let values = field.read(&page.page, page.texts()).values;
    values.into_iter().map(|picked| picked.text).collect()
}

/// Mutates pages and counts (values that stayed, values).
fn survival(fields: &[TaughtField], pages: &[SamplePage]) -> (usize, usize) {
    let (mut n_same, mut n_all) = (0, 0);
    for number in 0..MUTATIONS_PER_SITE {
        let page = &pages[number as usize % pages.len()];
        let read = |field: &TaughtField| field.read(&page.page, page.texts()).values;
        let places: Vec<NodeId> = fields.iter().flat_map(read).map(|picked| picked.place.node).collect();
        let Some(mutation) = mutation(&page.page.dom, &places, number) else {
            continue;
        };
        let html = mutated(&page.page.dom, mutation);
        let changed = sample_page(&page.name, html.into_bytes());
        for field in fields {
            let before = texts(field, page);
            if before.is_empty() {
                continue;
            }
            n_all += 1;
            let after = texts(field, &changed);
            n_same += usize::from(after == before);
        }
    }
    (n_same, n_all)
}

fn sample_page(name: &str, body: Vec<u8>) -> SamplePage {
    let url = "http://site.example/".parse().expect("a good address");
    let response = Response {
        content_type: Some("text/html; charset=utf-8".to_owned()),
        ..Response::html(url, body)
    };
    SamplePage::new(name, Arc::new(Page::read(&response, &ParseOptions::default())))
}

/// Teaches from one page and the answers for others.
fn learnt(sample: Vec<SamplePage>, truth: &Truth) -> Vec<TaughtField> {
    let mut session = Session::new(sample, SessionOptions::default());
    let mut examples = Vec::new();
    let fields: BTreeSet<&String> = truth.values().flat_map(BTreeMap::keys).collect();
    for field in fields {
        let has_it = |page: &SamplePage| {
            truth
                .get(&page.name)
                .and_then(|its| its.get(field))
                .is_some_and(|values| !values.is_empty())
        };
        let Some(page) = session.sample().iter().position(has_it) else {
            continue;
        };
        let name = &session.sample()[page].name;
        for value in &truth[name][field] {
            let (field, value) = (field.clone(), value.as_str().into());
            examples.push(Example { field, page, value });
        }
    }
    session.show(&examples);
    while let Some(question) = session.question() {
        let name = &session.sample()[question.page].name;
        let answer = truth
            .get(name)
            .and_then(|its| its.get(&question.field))
            .cloned()
            .unwrap_or_default();
        let answer: Vec<ShownValue> = answer.into_iter().map(ShownValue::from).collect();
        session.answer(&question, &answer);
    }
    session.fields()
}

/// Pages of a small shop, whose optional rows come and go.
fn shop() -> (Vec<SamplePage>, Truth) {
    let names = [
        "Anvil", "Birdseed", "Cannon", "Dynamite", "Egg", "Feather", "Glue", "Hammer", "Iron", "Jet", "Kite", "Lamp",
    ];
    let mut truth: Truth = Truth::new();
    let mut pages = Vec::new();
    for (index, name) in names.iter().enumerate() {
        let weight = if index % 3 == 0 {
            String::new()
        } else {
            format!("<tr class=row><th>Weight</th><td>{index} kg</td></tr>")
        };
        let html = format!(
            "<div class=top><a href=/>Shop</a></div><div class=box><h1 class=name>{name}</h1><div class=facts><table class=facts>{weight}\
             <tr class=row><th>Price</th><td class=money>$ {}</td></tr><tr class=row><th>Maker</th><td>Acme {index}</td></tr></table></div></div>\
             <div class=foot><p>All rights reserved</p></div>",
            10 + 7 * index
        );
        let facts = [
            ("name", (*name).to_owned()),
            ("price", format!("$ {}", 10 + 7 * index)),
            ("maker", format!("Acme {index}")),
        ];
        let facts = facts.map(|(field, value)| (field.to_owned(), vec![value]));
        truth.insert(index.to_string(), facts.into());
        pages.push(sample_page(&index.to_string(), html.into_bytes()));
    }
    (pages, truth)
}

#[test]
fn taught_fields_survive_mutations_of_a_small_shop() {
    let (mut pages, truth) = shop();
    let others = pages.split_off(6);
    let fields = learnt(pages, &truth);
    assert_eq!(fields.len(), 3);
    let (n_same, n_all) = survival(&fields, &others);
    assert!(n_all >= 40, "{n_all}");
    assert!(n_same as f64 >= SURVIVAL_MIN * n_all as f64, "{n_same} of {n_all}");
}

/// A site of the corpus: its pages in order, with what is true on each.
struct RealSite {
    name: String,
    pages: Vec<PathBuf>,
    truth: Truth,
}

fn real_sites(corpus: &Path) -> Vec<RealSite> {
    let mut sites = Vec::new();
    for vertical in folders(corpus)
        .into_iter()
        .filter(|folder| !folder.ends_with("groundtruth"))
    {
        let subject = file_name(&vertical);
        for folder in folders(&vertical) {
            let name = file_name(&folder).split('(').next().unwrap_or_default().to_owned();
            let truth = real_truth(&corpus.join("groundtruth").join(&subject), &name);
            let mut pages: Vec<PathBuf> = entries(&folder)
                .into_iter()
                .filter(|file| file.extension().is_some_and(|its| its == "htm"))
                .collect();
            pages.sort();
            sites.push(RealSite { name, pages, truth });
        }
    }
    sites
}

fn real_truth(folder: &Path, site: &str) -> Truth {
    let mut truth: Truth = Truth::new();
    for file in entries(folder) {
        let stem = file
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default()
            .to_owned();
        let Some(field) = stem.strip_prefix(&format!("{site}-")) else {
            continue;
        };
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        for line in text.lines().skip(2) {
            let mut parts = line.split('\t');
            let page = format!("{}.htm", parts.next().unwrap_or_default());
            let values = parts
                .skip(1)
                .filter(|&value| value != "<NULL>")
                .map(plain)
                .filter(|value| !value.is_empty());
            truth
                .entry(page)
                .or_default()
                .insert(field.to_owned(), values.collect());
        }
    }
    truth
}

fn plain(value: &str) -> String {
    let unescaped = value
        .replace("&nbsp;", " ")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&");
    unescaped.split_whitespace().collect::<Vec<&str>>().join(" ")
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    entries.sort();
    entries
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    entries(folder).into_iter().filter(|entry| entry.is_dir()).collect()
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn taught_fields_survive_mutations_of_real_pages() {
    let Some(corpus) = std::env::var_os("UNTEMPLATE_CORPORA").map(|folder| PathBuf::from(folder).join("swde-dev"))
    else {
        eprintln!("skipped: UNTEMPLATE_CORPORA names no folder");
        return;
    };
    let (mut n_same, mut n_all) = (0, 0);
    for site in real_sites(&corpus) {
        let read = |file: &PathBuf| sample_page(&file_name(file), std::fs::read(file).unwrap_or_default());
        let sample: Vec<SamplePage> = site.pages.iter().step_by(12).take(10).map(read).collect();
        let others: Vec<SamplePage> = site.pages.iter().skip(5).step_by(12).take(10).map(read).collect();
        if sample.is_empty() || others.is_empty() {
            continue;
        }
        let fields = learnt(sample, &site.truth);
        let (same, all) = survival(&fields, &others);
        println!("{} {same} of {all}", site.name);
        n_same += same;
        n_all += all;
    }
    println!("{n_same} of {n_all} values survive");
    assert!(n_same as f64 >= SURVIVAL_MIN * n_all as f64, "{n_same} of {n_all}");
}
