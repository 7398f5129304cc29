//! The Rust side of `cargo xtask bench wrapper`: inference and extraction, in CPU seconds of this
//! thread.
//!
//! `wrapper FOLDER [SITE]…` makes pages of about 2,000 tokens, writes those to extract into FOLDER
//! for the Python side, and prints JSON lines: how long inference takes on ten of them, how long
//! parsing takes on the others, and parsing with extraction. SITEs are folders of pages of one
//! class, which are measured in the same way.

#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_macros,
    clippy::disallowed_types,
    missing_docs
)]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use untemplate::page::{Page, ParseOptions, Response, TokenInterner};
use untemplate::wrapper::{Matcher, infer_template};
use url::Url;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let Some((folder, sites)) = arguments.split_first() else {
        eprintln!("usage: wrapper FOLDER [SITE]…");
        return;
    };
    fs::create_dir_all(folder).expect("the folder can be made");
    let made: Vec<Response> = (0..TRAINING + EXTRACTED)
        .map(|number| response(made_page(number)))
        .collect();
    for (number, page) in made.iter().enumerate().skip(TRAINING) {
        fs::write(Path::new(folder).join(format!("{number}.html")), &page.body).expect("a page can be written");
    }
    measure("made", &made);
    for site in sites {
        let pages = site_pages(Path::new(site));
        if pages.len() > TRAINING {
            let name = Path::new(site)
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            measure(&name, &pages);
        }
    }
}

/// Pages that inference reads.
const TRAINING: usize = 10;
/// Pages that extraction reads.
const EXTRACTED: usize = 100;

fn measure(site: &str, pages: &[Response]) {
    let training: Vec<Page> = pages[..TRAINING].iter().map(read).collect();
    let shared: Vec<&Page> = training.iter().collect();
    let tokens = TokenInterner::default().tokens(&training[0].dom).len();
    let infer = best(|| drop(black_box(infer_template(&shared))));
    let matcher = Matcher::new(infer_template(&shared));
    let rest = &pages[TRAINING..];
    let parse = best(|| rest.iter().for_each(|page| drop(black_box(read(page)))));
    let extract = best(|| {
        for page in rest {
            black_box(matcher.extract(&read(page)));
        }
    });
    let bytes: usize = rest.iter().map(|page| page.body.len()).sum();
    let n_pages = rest.len();
    println!(
        r#"{{"site":"{site}","tokens":{tokens},"pages":{n_pages},"bytes":{bytes},"infer":{infer:.6},"parse":{parse:.6},"extract":{extract:.6}}}"#
    );
}

/// The fastest of three.
fn best(mut run: impl FnMut()) -> f64 {
    let times = (0..3).map(|_| {
        let before = cpu_seconds();
        run();
        cpu_seconds() - before
    });
    times.fold(f64::INFINITY, f64::min)
}

fn read(response: &Response) -> Page {
    Page::read(response, &ParseOptions::default())
}

fn response(body: impl Into<Vec<u8>>) -> Response {
    Response::html(Url::parse("http://bench.example/").expect("a good address"), body)
}

/// Some pages of a folder, evenly.
fn site_pages(folder: &Path) -> Vec<Response> {
    let entries = fs::read_dir(folder).expect("a folder of pages");
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    files.sort();
    let step = (files.len() / (TRAINING + 40)).max(1);
    let chosen = files.iter().step_by(step);
    chosen.filter_map(|file| fs::read(file).ok()).map(response).collect()
}

/// A page of a shop: menu, details with optional rows, offers, reviews, related things, footer.
fn made_page(number: usize) -> String {
    let menu: String = (0..60)
        .map(|item| format!("<li><a href='/c/{item}'>Category {item}</a></li>"))
        .collect();
    let rows: String = (0..40)
        .filter(|row| !(number + row).is_multiple_of(7))
        .map(|row| {
            format!(
                "<tr><th>Property {row}:</th><td>value {} of {row}</td></tr>",
                number * 31 + row
            )
        })
        .collect();
    let offers: String = (0..20 + number % 9)
        .map(|offer| {
            let price = (number * 17 + offer * 13) % 900;
            format!("<li class=offer><b>Seller {offer}-{number}</b> <span class=price>${price}.99</span> <a href='/o/{number}/{offer}'>Buy {price}</a></li>")
        })
        .collect();
    let reviews: String = (0..15 + number % 5)
        .map(|review| {
            format!("<div class=review><h3>Review {review} of {number}</h3><p>By <i>Reader {}</i></p><p>Text number {} that somebody wrote.</p></div>", review * 7 + number, number + review)
        })
        .collect();
    format!(
        "<html><head><title>Thing {number} | Shop</title></head><body><ul id=menu>{menu}</ul><div id=main><h1>Thing {number}</h1>\
         <table class=details>{rows}</table><ul class=offers>{offers}</ul>{reviews}</div><div id=footer>{menu}</div></body></html>"
    )
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
