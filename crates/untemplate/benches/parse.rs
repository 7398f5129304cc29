//! The Rust side of `cargo xtask bench parse`: bytes to page schema. The parser alone, against
//! html5ever with rcdom, is measured by the benchmark of the same name in `untemplate-html`.
//!
//! Takes a file with one page path a line, reads all pages into memory, goes over them once, and
//! prints a JSON line with the CPU seconds of this thread. `--memory FILE` and `--hostile` are its
//! own further calls, made in processes apart so that one figure does not colour the next. `--ours
//! LIST` measures no more than that, for `cargo xtask bench rebuild`.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    missing_docs
)]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use untemplate::page::{Alphabet, AttributeFilter, Page, PageSchema, ParseOptions, PathInterner, Response};
use url::Url;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--memory", page] => measure_memory(page),
        ["--hostile"] => measure_hostile(),
        ["--ours", list] => drop(measure_ours(Path::new(list))),
        [list] => measure_speed(Path::new(list)),
        _ => eprintln!("usage: parse LIST, a file with one page path a line"),
    }
}

/// The pages of a list, after bytes to page schema was measured on them.
fn measure_ours(list: &Path) -> (String, Vec<(PathBuf, Response)>) {
    let names = fs::read_to_string(list).expect("the list can be read");
    let pages: Vec<(PathBuf, Response)> = (names.lines().filter(|line| !line.is_empty()))
        .map(|path| (path.into(), response(fs::read(path).expect("a page can be read"))))
        .collect();
    let corpus = list
        .file_stem()
        .map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let mut interner = PathInterner::new(Alphabet::TagAttributes(AttributeFilter::default()));
    measure("untemplate", &corpus, &pages, |response| {
        let page = read(response);
        black_box(PageSchema::of(&page, &mut interner));
    });
    (corpus, pages)
}

fn measure_speed(list: &Path) {
    let (_, pages) = measure_ours(list);
    let largest = pages.iter().max_by_key(|(_, page)| page.body.len().min(1 << 20));
    if let Some((path, _)) = largest {
        call_again(&["--memory", &path.to_string_lossy()]);
    }
    call_again(&["--memory", MADE]);
    call_again(&["--hostile"]);
}

fn response(body: impl Into<Vec<u8>>) -> Response {
    Response::html(Url::parse("http://bench.example/").expect("a good address"), body)
}

fn measure(parser: &str, corpus: &str, pages: &[(PathBuf, Response)], mut parse: impl FnMut(&Response)) {
    let before = cpu_seconds();
    for (_, page) in pages {
        parse(page);
    }
    let seconds = cpu_seconds() - before;
    let bytes: usize = pages.iter().map(|(_, page)| page.body.len()).sum();
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

fn call_again(arguments: &[&str]) {
    let program = std::env::current_exe().expect("a program knows its file");
    let done = Command::new(program).args(arguments).status();
    assert!(done.is_ok_and(|status| status.success()), "{arguments:?} failed");
}

fn read(response: &Response) -> Page {
    Page::read(response, &ParseOptions::default())
}

/// Stands for a page of 1 MB that is made here, of the densest mark-up that ordinary pages have.
const MADE: &str = "made";

/// Peak memory of bytes to page schema, the page's bytes included.
fn measure_memory(name: &str) {
    let row = "<tr class=odd><td><a href='/player/17.html'>Name of a player</a></td><td align=right>12.5</td></tr>\n";
    let body = match name {
        MADE => format!("<html><body><table>{}</table>", row.repeat((1 << 20) / row.len())).into_bytes(),
        path => fs::read(path).expect("a page can be read"),
    };
    // What the program touches once, its code and tables, is not the page's.
    black_box(read(&response(
        "<title>&amp;</title><table><tr><td><a href=x class=y>z</a>",
    )));
    let body = response(body);
    fs::write("/proc/self/clear_refs", "5").expect("Linux resets the peak");
    let before = memory("VmRSS:");
    let page = read(&body);
    let mut interner = PathInterner::new(Alphabet::TagAttributes(AttributeFilter::default()));
    black_box(PageSchema::of(&page, &mut interner));
    let peak = memory("VmHWM:").saturating_sub(before) + body.body.len();
    let (bytes, nodes) = (body.body.len(), page.dom.len());
    let ratio = peak as f64 / bytes as f64;
    println!(
        r#"{{"memory":"peak over page bytes","page":"{name}","bytes":{bytes},"nodes":{nodes},"peak":{peak},"ratio":{ratio:.2}}}"#
    );
}

fn memory(field: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("Linux tells of a process");
    let line = status
        .lines()
        .find(|line| line.starts_with(field))
        .expect("it counts memory");
    line.split_whitespace()
        .nth(1)
        .and_then(|kilobytes| kilobytes.parse::<usize>().ok())
        .expect("a number")
        * 1024
}

/// The inputs that are known to hurt parsers, each to its page schema.
fn measure_hostile() {
    let attributes: String = (0..200_000).map(|number| format!(" a{number}=x")).collect();
    let fonts: String = (0..1_300).map(|number| format!("<font size={number}><p>")).collect();
    let inputs = [
        ("200,000 nested div", "<div>".repeat(200_000)),
        ("63 KiB of nested ul and li", "<ul><li>".repeat(63 * 1024 / 8)),
        ("one tag with 200,000 attributes", format!("<p{attributes}>")),
        ("27 KB of unclosed font", fonts),
        ("200,000 nested tables", "<table><tr><td>".repeat(200_000)),
        ("200,000 unclosed b, i and a", "<b><i><a href=x>".repeat(200_000)),
        ("1 MB of adoption", "<a><p>".repeat(1 << 18)),
        (
            "1.5 MB of b with 512 attributes each",
            format!("<b{}>", &attributes[..4_500]).repeat(340),
        ),
        (
            "a root with 1 MB said 5,000 times",
            format!("<html x='{}'>{}", "y".repeat(1 << 20), "<html z>".repeat(5_000)),
        ),
        ("10 MB of <", "<".repeat(10 << 20)),
        ("10 MB of &", "&".repeat(10 << 20)),
        ("10 MB of <!--", "<!--".repeat(10 << 18)),
        ("10 MB of text in a table", "<table>x<td>y</td>".repeat(10 << 16)),
        (
            "50 MB of rows",
            format!("<table>{}", "<tr><td>a<td><a href=b>c</a>".repeat((50 << 20) / 28)),
        ),
    ];
    for (name, input) in inputs {
        let before = cpu_seconds();
        let page = read(&response(input.as_str()));
        let mut interner = PathInterner::new(Alphabet::TagAttributes(AttributeFilter::default()));
        black_box(PageSchema::of(&page, &mut interner));
        let seconds = cpu_seconds() - before;
        println!(
            r#"{{"hostile":"{name}","bytes":{},"nodes":{},"cpu_seconds":{seconds:.3}}}"#,
            input.len(),
            page.dom.len()
        );
    }
}
