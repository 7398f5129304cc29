//! What holds of all pages: training pages match, and an expression with what it took of a page
//! gives the page's tokens back.

mod regenerate;

use proptest::prelude::*;
use untemplate::page::{Page, ParseOptions, Response};

use super::{ExpressionSet, SearchOptions};

fn page(html: &str) -> Page {
    let url = "http://site.example/".parse().expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

/// Pages made of rows, lists, menus and stray mark-up.
fn any_page() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "Ann",
        "Bob",
        "1999",
        "x y z",
        "Director:",
        "Year: 3",
        "-",
        "a (b)",
        "é",
        "",
    ]);
    let piece = prop_oneof![
        3 => word.clone().prop_map(|word| format!("<li>{word}</li>")),
        3 => (word.clone(), word.clone()).prop_map(|(one, other)| format!("<tr><th>{one}</th><td>{other}</td></tr>")),
        2 => word.clone().prop_map(|word| format!("<div class='row c1'><b>{word}</b> {word}</div>")),
        1 => prop::sample::select(vec!["<ul>", "</ul>", "<table>", "</table>", "<div id=m>", "</div>", "<a href=q>", "</a>", "<br>", "<p>"]).prop_map(str::to_owned),
        2 => word.prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_training_page_of_an_expression_round_trips(htmls in prop::collection::vec(any_page(), 1..4)) {
        let pages: Vec<Page> = htmls.iter().map(|html| page(html)).collect();
        let options = SearchOptions { states_max: 200, ..SearchOptions::default() };
        let set = ExpressionSet::infer(&pages.iter().collect::<Vec<_>>(), &options);
        for page in &pages {
            prop_assert!(set.extract(page).is_matched);
            prop_assert!(set.round_trips(page), "expression and instance give the token list back");
        }
    }
}
