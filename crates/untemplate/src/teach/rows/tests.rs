//! Rows by one click: what is proposed on a page, and what it reads on others.

use std::sync::Arc;

use expect_test::{Expect, expect};

use super::*;
use crate::page::{NodeId, Page, ParseOptions, Response};
use crate::teach::SamplePage;

fn sample(pages: &[&str]) -> Vec<SamplePage> {
    let page = |(number, html): (usize, &&str)| {
        let url = format!("http://cup.example/{number}").parse().expect("a good address");
        SamplePage::new(
            number.to_string(),
            Arc::new(Page::read(&Response::html(url, *html), &ParseOptions::default())),
        )
    };
    pages.iter().enumerate().map(page).collect()
}

/// The rules that the first proposal gives for what is wanted.
fn taught(sample: &[SamplePage], clicked: &str) -> TaughtRows {
    let dom = &sample[0].page.dom;
    let is_it = |&node: &NodeId| dom.is_text(node) && dom.text(node).trim() == clicked;
    let node = dom.nodes().find(is_it).expect("the page says it");
    let first = propose_rows(sample, 0, node)
        .into_iter()
        .next()
        .expect("there are rows");
    let wanted = first.fields.into_iter().filter(|its| its.is_wanted);
    TaughtRows {
        name: "ROWS".to_owned(),
        is_optional: true,
        path: first.path,
        fields: wanted.map(|its| its.field).collect(),
    }
}

/// What a click on a text of the first page teaches, and what that reads on all of them.
fn check(pages: &[&str], clicked: &str, expected: Expect) {
    let sample = sample(pages);
    let rows = taught(&sample, clicked);
    let names: Vec<&str> = rows.fields.iter().map(|field| field.name.as_str()).collect();
    let mut text = format!("{}\n{}", rows.path, names.join(" | "));
    for (number, page) in sample.iter().enumerate() {
        for row in rows.read(&page.page).rows {
            let cells = row
                .values
                .iter()
                .map(|value| value.as_ref().map_or("-", |value| &value.text));
            text.push_str(&format!("\n{number}: {}", cells.collect::<Vec<_>>().join(" | ")));
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn a_click_on_a_cell_means_all_rows_by_their_headers() {
    check(
        &[
            "<h2>Squad</h2><table><tr><th>No<th>Name<th>Goals<tr><td>1<td>Ada<td>3<tr class=odd><td>2<td>Bo<td></table>
             <h2>Staff</h2><table><tr><th>No<th>Name<tr><td>1<td>Cy</table>",
            // Another order, one more column, and another table before.
            "<h2>Staff</h2><table><tr><th>No<th>Name<tr><td>1<td>Di</table>
             <h2>Squad</h2><table><tr><th>Name<th>Age<th>No<tr><td>Ed<td>23<td>9</table>",
            "<p>No squad here.</p>",
        ],
        "Bo",
        expect![[r#"
            /descendant::h2[.='Squad'][1]/following-sibling::table[1]/tbody/tr
            No | Name | Goals
            0: 1 | Ada | 3
            0: 2 | Bo | -
            1: 9 | Ed | -"#]],
    );
}

#[test]
fn cells_that_reach_down_shift_nothing() {
    check(
        &[
            "<table><tr><th>Round<th>Team<th>Goals<tr><td rowspan=2>1<td>Reds<td>3<tr><td>Blues<td>4<tr><td>2<td colspan=2>none</table>",
        ],
        "Reds",
        expect![[r#"
            /html[1]/body[1]/table[1]/tbody/tr
            Round | Team | Goals
            0: 1 | Reds | 3
            0: 1 | Blues | 4
            0: 2 | none | -"#]],
    );
}

#[test]
fn a_list_has_a_field_for_each_text_whatever_is_missing_before_it() {
    check(
        &[
            "<div class=ad>Buy!</div><ul id=hits>
             <li class='hit odd'><h3><a href=/a>Ada</a></h3><span class=city>Bloerby</span><span class=price>5</span> <i>Age: 23</i>
             <li class='hit even'><h3><a href=/b>Bo</a></h3><span class=price>7</span> <i>Age: 31</i>
             <li class=advert><img src=x>
             <li class='hit odd'><h3><a href=/c>Cy</a></h3><span class=city>Creinford</span><span class=price>8</span> <i>Age: 40</i></ul>",
            "<ul id=hits><li class='hit odd'><h3><a href=/d>Di</a></h3><i>Age: 50</i></ul>",
        ],
        "Bo",
        expect![[r#"
            /descendant::ul[@id='hits'][1]/li[contains-token(@class,'hit')]
            name | city | price | Age
            0: Ada | Bloerby | 5 | 23
            0: Bo | - | 7 | 31
            0: Cy | Creinford | 8 | 40
            1: Di | - | - | 50"#]],
    );
}

#[test]
fn a_first_row_that_only_looks_like_one_of_headers_heads_the_table() {
    check(
        &["<table><tr><td>Team<td>Points<tr><td>Reds<td>12<tr><td>Blues<td>9</table>"],
        "Blues",
        expect![[r#"
            /html[1]/body[1]/table[1]/tbody/tr
            Team | Points
            0: Reds | 12
            0: Blues | 9"#]],
    );
}

#[test]
fn facts_about_one_thing_are_no_rows() {
    let sample = sample(&["<table><tr><th>Born<td>1990<tr><th>City<td>Bloerby<tr><th>Club<td>Reds</table>"]);
    let dom = &sample[0].page.dom;
    let node = dom
        .nodes()
        .find(|&node| dom.is_text(node) && dom.text(node) == "Bloerby")
        .expect("it is there");
    assert_eq!(propose_rows(&sample, 0, node), []);
}
