//! Arbitrary bytes and arbitrary trees: nothing panics, everything ends, and the same page gives
//! the same records. `UNTEMPLATE_FUZZ_SECONDS` lets it run for longer, as for the other stages.

#![allow(clippy::disallowed_methods)]

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{RecordOptions, find_records, next_page, show_records};
use crate::page::{Page, ParseOptions, Response};

/// Pieces of list pages, good and broken, to be put together at random.
const PIECES: [&str; 24] = [
    "<ul>",
    "</ul>",
    "<li class=hit>",
    "<li>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<td rowspan=3>",
    "<th colspan=999999>",
    "<div class='row odd'>",
    "<div>",
    "</div>",
    "<a href=/x>",
    "</a>",
    "Lamp",
    "<b>5.00 €</b>",
    "<br>",
    "<p>",
    "<font>",
    "<dl><dt>",
    "<dd>",
    "<img src=a.png>",
    "<blockquote>",
];

fn page(body: impl Into<Vec<u8>>) -> Page {
    let url = "http://fuzz.example/?page=1".parse().expect("a good address");
    Page::read(&Response::html(url, body), &ParseOptions::default())
}

fn check_total(body: Vec<u8>) -> Result<(), TestCaseError> {
    let page = page(body);
    for all in [true, false] {
        let options = RecordOptions {
            all,
            ..RecordOptions::default()
        };
        let found = find_records(&page, &options);
        for region in &found.regions {
            prop_assert!(region.records.len() > 1);
            for record in &region.records {
                prop_assert_eq!(record.fields.len(), region.columns.len());
                prop_assert!(record.nodes.iter().all(|node| node.index() < page.dom.len()));
                prop_assert!(record.parent.is_none_or(|parent| parent < region.records.len()));
            }
        }
        let shown = show_records(&page, &found);
        prop_assert_eq!(shown, show_records(&page, &find_records(&page, &options)));
    }
    next_page(&page);
    Ok(())
}

fn run_for_a_while(strategy: impl Strategy<Value = Vec<u8>>) {
    let seconds: u64 = std::env::var("UNTEMPLATE_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(0);
    let cases = 150 + 400 * seconds as u32;
    let mut runner = TestRunner::new(Config::with_cases(cases));
    runner.run(&strategy, check_total).expect("no page breaks this");
}

#[test]
fn any_bytes_give_records_or_none() {
    run_for_a_while(prop::collection::vec(any::<u8>(), 0..400));
}

#[test]
fn any_pieces_of_lists_give_records_or_none() {
    let pieces = prop::collection::vec(0..PIECES.len(), 0..300);
    run_for_a_while(pieces.prop_map(|pieces| pieces.into_iter().map(|at| PIECES[at]).collect::<String>().into_bytes()));
}

#[test]
fn repeated_pieces_end_soon() {
    for piece in PIECES {
        check_total(piece.repeat(3000).into_bytes()).expect("no page breaks this");
        check_total(format!("{piece}x<b>y</b>").repeat(1500).into_bytes()).expect("no page breaks this");
    }
}
