//! Large pages in the studio, in a real browser: they are shown, and a click on them is answered.
//! How long that takes is printed, one line a figure, and judged by nobody here:
//! `cargo xtask bench studio` reports it from a release build.

mod chrome;
mod program;
mod teaching;

use std::time::Instant;

use chrome::{Chrome, Tab};
use program::Bench;
use teaching::*;

/// Turns of each measurement; the first pays for what is read once.
const TURNS: usize = 3;

/// Serves one page as a site, and opens it.
fn begin(chrome: &mut Chrome, bench: &Bench, page: &str) -> (Served, Tab) {
    bench.write("shop/index.html", page);
    let words = [
        "teach",
        "http://shop.example/",
        "--lesson",
        "shop.json",
        "--mirror",
        "http://shop.example/=shop",
    ];
    let served = Served::start(bench, &words);
    let tab = chrome.open(&served.url, WINDOW);
    (served, tab)
}

/// Says a figure, in the form that `xtask bench studio` looks for.
fn tell(what: &str, milliseconds: &[f64]) {
    let shown: Vec<String> = milliseconds.iter().map(|time| format!("{time:.0}")).collect();
    eprintln!("studio: {what}: {} ms", shown.join(", "));
}

#[test]
fn a_page_of_a_megabyte_is_shown() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let row = |number: usize| {
        format!(
            "<tr><td class=number>{number}</td><td><a href=/item/{number}.html>Lamp number {number}</a></td><td>$ {number}</td></tr>\n"
        )
    };
    let rows: String = (0..10_600).map(row).collect();
    let page = format!("<!DOCTYPE html><title>Lamps</title><h1>Lamps</h1><table>{rows}</table>");
    assert!(page.len() > 1_000_000, "it has {} bytes", page.len());
    let (served, tab) = begin(chrome, &bench, &page);
    let tab = &tab;
    let (mut own, mut inside) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        chrome.go(tab, &served.url);
        chrome.wait_in_frame(
            tab,
            "document.querySelector('h1') && performance.getEntriesByType('paint').length",
        );
        let first = "performance.getEntriesByType('paint')[0].startTime";
        own.push(chrome.eval(tab, first).as_f64().expect("a time"));
        inside.push(chrome.eval_in_frame(tab, first).as_f64().expect("a time"));
    }
    tell("first paint of the studio", &own);
    tell("first paint of a page of 1 MB in its frame", &inside);
}

#[test]
fn a_click_on_a_page_of_many_links_is_answered() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let link = |number: usize| format!("<li><a href=/{number}>L{number}</a>\n");
    let links: String = (0..200_000).map(link).collect();
    let page = format!("<!DOCTYPE html><title>Links</title><h1>Links</h1><ul>{links}</ul>");
    let (_served, tab) = begin(chrome, &bench, &page);
    let tab = &tab;
    chrome.wait_in_frame(
        tab,
        "document.readyState === 'complete' && document.querySelectorAll('li a')[2]",
    );
    let (mut times, mut marking) = (Vec::new(), Vec::new());
    // At the begin, in the middle and at the end of the page.
    for place in [0, 100_000, 199_999] {
        let began = Instant::now();
        chrome.click_in_frame(tab, &format!("document.querySelectorAll('li a')[{place}]"));
        chrome.wait(tab, PICKED);
        times.push(began.elapsed().as_secs_f64() * 1_000.0);
        // The links around it are marked then, and nothing else can be clicked before they are.
        let marked = format!("document.querySelectorAll('li a')[{place}].dataset.mark");
        chrome.wait_in_frame(tab, &marked);
        marking.push(began.elapsed().as_secs_f64() * 1_000.0 - times[times.len() - 1]);
        let first = chrome.eval(tab, "document.querySelector('.card .choice strong')?.textContent ?? ''");
        assert_eq!(first, "200000 links", "the rule that is proposed first takes them all");
        chrome.key(tab, "Escape");
        chrome.wait(tab, &format!("!{PICKED}"));
    }
    tell("a click on a page of 200,000 links", &times);
    tell("until the links around it are marked", &marking);
}
