//! Parsed pages to records, from a thousand nodes to two hundred thousand: the curve that `cargo
//! xtask bench records` prints.
//!
//! The pages are made up: results with a title, a snippet with marked words, an address and a
//! price, below a menu and above a footer. Given a list of page files, one path a line, those are
//! measured as well. Each page is parsed first; the best of several rounds counts.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    missing_docs
)]

use std::time::Instant;

use untemplate::page::{Page, ParseOptions, Response};
use untemplate::record::{RecordOptions, find_records};

/// Sizes of the curve, in nodes.
const SIZES: [usize; 6] = [1_000, 5_000, 20_000, 50_000, 100_000, 200_000];

fn main() {
    println!("{:>8} {:>8} {:>10} {:>12}", "nodes", "records", "ms", "ns a node");
    for size in SIZES {
        let page = page(&results(size));
        print_line(&page);
    }
    for list in std::env::args().skip(1).filter(|argument| !argument.starts_with('-')) {
        let names = std::fs::read_to_string(&list).expect("the list of pages can be read");
        let (mut nodes, mut seconds, mut worst) = (0, 0.0, 0.0f64);
        for name in names.lines() {
            let page = page(&String::from_utf8_lossy(
                &std::fs::read(name).expect("a page can be read"),
            ));
            let (_, took) = measured(&page);
            (nodes, seconds, worst) = (nodes + page.dom.len(), seconds + took, worst.max(took));
        }
        let n_pages = names.lines().count().max(1);
        println!(
            "{list}: {n_pages} pages, {:.0} nodes and {:.2} ms a page, {:.0} ns a node, at most {:.1} ms",
            nodes as f64 / n_pages as f64,
            1e3 * seconds / n_pages as f64,
            1e9 * seconds / nodes.max(1) as f64,
            1e3 * worst
        );
    }
}

fn print_line(page: &Page) {
    let (n_records, seconds) = measured(page);
    let nodes = page.dom.len();
    println!(
        "{nodes:>8} {n_records:>8} {:>10.3} {:>12.1}",
        1e3 * seconds,
        1e9 * seconds / nodes as f64
    );
}

/// How many records a page has, and the seconds that finding them took at best.
fn measured(page: &Page) -> (usize, f64) {
    let mut best = f64::INFINITY;
    let mut n_records = 0;
    for _ in 0..5 {
        let started = Instant::now();
        let found = find_records(page, &RecordOptions::default());
        best = best.min(started.elapsed().as_secs_f64());
        n_records = found.regions.first().map_or(0, |region| region.records.len());
    }
    (n_records, best)
}

fn page(html: &str) -> Page {
    let url = "http://results.example/".parse().expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

/// A page of results with about this many nodes.
fn results(n_nodes: usize) -> String {
    let mut html = String::from("<ul id=menu>");
    for number in 0..20 {
        html.push_str(&format!("<li><a href=/m{number}>Menu {number}</a></li>"));
    }
    html.push_str("</ul><div id=results>");
    for number in 0..n_nodes / 26 {
        let marked = if number % 3 == 0 { " and <b>lamps</b> too" } else { "" };
        let price = if number % 4 == 0 {
            ""
        } else {
            "<span class=price>12.50</span>"
        };
        html.push_str(&format!(
            "<div class=hit><h3><a href=/r{number}>Result {number} of many</a></h3><p class=snippet>A text about \
             <b>lamps</b> number {number}{marked}, as long as such texts are.</p><div class=meta><cite>site.example/{number}\
             </cite> {price} <span class=date>{} May 2031</span></div></div>",
            number % 28 + 1
        ));
    }
    html.push_str("</div><p>Footer <a href=/about>About</a></p>");
    html
}
