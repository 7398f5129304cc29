//! What holds of all pages: inference and extraction end, and a key stands once in a record.

use proptest::prelude::*;

use super::template_tests::page;
use super::*;
use crate::page::Page;

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
    fn inference_and_extraction_end_and_keys_are_one_thing(htmls in prop::collection::vec(any_page(), 1..5), other in any_page()) {
        let pages: Vec<Page> = htmls.iter().map(|html| page(html)).collect();
        let template = infer_template(&pages.iter().collect::<Vec<_>>());
        let matcher = Matcher::new(template);
        for page in pages.iter().chain(std::iter::once(&page(&other))) {
            let read = matcher.extract(page);
            let mut keys: Vec<&str> = read.record.values.iter().map(|(key, _)| &**key).collect();
            let n_keys = keys.len();
            keys.sort_unstable();
            keys.dedup();
            prop_assert_eq!(keys.len(), n_keys, "a key stands once in a record");
        }
    }
}
