//! Whole pages: what the paper finds on them, and that any page gives an answer.

use expect_test::expect;
use proptest::prelude::*;
use untemplate::page::{Page, ParseOptions, Response};
use untemplate::record::{QueryHint, show_records};

use super::find_records;

fn page(html: impl Into<Vec<u8>>) -> Page {
    let url = "http://list.example/".parse().expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

#[test]
fn a_table_of_books_is_found() {
    let hits: String = (1..=4)
        .map(|n| format!("<tr><td><a href=/r{n}>Book {n}</a><td>Price: {n}.99 €"))
        .collect();
    let list = &find_records(&page(format!("<table>{hits}</table>")), &QueryHint::default()).regions[0];
    let shown = list.records.iter().map(|record| {
        let fields = list.columns.iter().zip(&record.fields);
        let shown = fields.filter_map(|(column, field)| Some(format!("{}={}", column.name, field.as_ref()?.value)));
        shown.collect::<Vec<_>>().join(" | ") + "\n"
    });
    expect![[r#"
        column_1=http://list.example/r1 | column_2=1 | column_3=1.99
        column_1=http://list.example/r2 | column_2=2 | column_3=2.99
        column_1=http://list.example/r3 | column_2=3 | column_3=3.99
        column_1=http://list.example/r4 | column_2=4 | column_3=4.99
    "#]]
    .assert_eq(&shown.collect::<String>());
}

/// Pieces of list pages, good and broken, to be put together at random.
const PIECES: [&str; 16] = [
    "<ul>",
    "</ul>",
    "<li class=hit>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<td rowspan=3>",
    "<div>",
    "</div>",
    "<a href=/x>",
    "</a>",
    "Lamp",
    "<b>5.00 €</b>",
    "<br>",
    "<img src=a.png>",
];

fn check_total(page: &Page) -> Result<(), TestCaseError> {
    let found = find_records(page, &QueryHint::default());
    for region in &found.regions {
        for record in &region.records {
            prop_assert_eq!(record.fields.len(), region.columns.len());
            prop_assert!(record.nodes.iter().all(|node| node.index() < page.dom.len()));
        }
    }
    let again = find_records(page, &QueryHint::default());
    prop_assert_eq!(show_records(page, &found), show_records(page, &again));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn any_pieces_of_lists_give_records_or_none(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..300)) {
        check_total(&page(pieces.concat()))?;
    }

    #[test]
    fn any_bytes_give_records_or_none(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_total(&page(bytes))?;
    }
}

#[test]
fn repeated_pieces_end_soon() {
    for piece in PIECES {
        check_total(&page(piece.repeat(3000))).expect("no page breaks this");
        check_total(&page(format!("{piece}x<b>y</b>").repeat(1500))).expect("no page breaks this");
    }
}
