//! Bytes to tree, against html5ever with rcdom: a part of what `cargo xtask bench parse` measures.
//!
//! Takes a file with one page path a line, reads all pages into memory, goes over them once with
//! each parser, and prints a JSON line a parser with the CPU seconds of this thread.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    missing_docs
)]

use std::fs;
use std::hint::black_box;
use std::path::Path;

use html5ever::driver::ParseOpts;
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use markup5ever_rcdom::RcDom;
use untemplate_html::{ParseOptions, decode, read_html};

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    match arguments.as_slice() {
        [list] => measure_speed(Path::new(list)),
        _ => eprintln!("usage: parse LIST, a file with one page path a line"),
    }
}

fn measure_speed(list: &Path) {
    let names = fs::read_to_string(list).expect("the list can be read");
    let paths = names.lines().filter(|line| !line.is_empty());
    let pages: Vec<Vec<u8>> = paths.map(|path| fs::read(path).expect("a page can be read")).collect();
    let corpus = list
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    measure("untemplate-parse", &corpus, &pages, |body| {
        black_box(read_html(body, None, &ParseOptions::default()));
    });
    measure("html5ever-rcdom", &corpus, &pages, |body| {
        let tree_builder = TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        };
        let options = ParseOpts {
            tree_builder,
            ..ParseOpts::default()
        };
        black_box(html5ever::parse_document(RcDom::default(), options).one(&*decode(body, None).text));
    });
}

fn measure(parser: &str, corpus: &str, pages: &[Vec<u8>], mut parse: impl FnMut(&[u8])) {
    let before = cpu_seconds();
    for page in pages {
        parse(page);
    }
    let seconds = cpu_seconds() - before;
    let bytes: usize = pages.iter().map(Vec::len).sum();
    let n_pages = pages.len();
    println!(r#"{{"parser":"{parser}","corpus":"{corpus}","pages":{n_pages},"bytes":{bytes},"seconds":{seconds:.6}}}"#);
}

/// The CPU time of this thread, as the kernel counts it.
fn cpu_seconds() -> f64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux counts CPU time");
    let nanoseconds: f64 = statistics
        .split(' ')
        .next()
        .and_then(|first| first.parse().ok())
        .expect("a number");
    nanoseconds / 1e9
}
