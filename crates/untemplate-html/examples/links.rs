//! Prints the links of HTML files: `cargo run -p untemplate-html --example links -- page.html`.
//!
//! A line a link: its address as the page has it, and the text that a reader sees. What was odd
//! about a page goes to standard error; no file is too broken to be read.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::process::ExitCode;

use untemplate_html::{Name, ParseOptions, read_html};

fn main() -> ExitCode {
    let mut files = std::env::args().skip(1).peekable();
    if files.peek().is_none() {
        eprintln!("usage: links FILE…");
        return ExitCode::from(2);
    }
    for file in files {
        let bytes = match std::fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::FAILURE;
            }
        };
        let html = read_html(&bytes, None, &ParseOptions::default());
        for problem in &html.problems {
            eprintln!("{file}: {problem}");
        }
        let links = html.dom.offered_nodes().filter(|&node| html.dom.is_html(node, Name::A));
        for link in links {
            if let Some(address) = html.dom.attribute(link, Name::HREF) {
                println!("{address}\t{}", html.dom.visible_text(link));
            }
        }
    }
    ExitCode::SUCCESS
}
