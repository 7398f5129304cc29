//! Lists and what looks like one: small pages of one template, and what is read from the last of
//! them.

use super::template_tests::{line, page};
use super::*;
use crate::page::Page;

const NAMES: [&str; 12] = [
    "Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Yew",
];

/// The record of the last page, on one line, by what is inferred from all pages.
fn read_last(n_pages: usize, html: impl Fn(usize) -> String) -> String {
    let pages: Vec<Page> = (0..n_pages).map(|number| page(&html(number))).collect();
    let matcher = Matcher::new(infer_template(&pages.iter().collect::<Vec<_>>()));
    line(&matcher.extract(&pages[n_pages - 1]).record)
}

#[test]
fn a_label_in_the_middle_of_a_list_is_a_value_of_it() {
    let row = |number: usize, at: usize| {
        let kind = if number >= 6 && at == 2 {
            "Hardy:"
        } else {
            NAMES[(7 * number + 5 * at) % 12]
        };
        format!(
            "<tr><td>{kind}</td><td><a href='/{number}/{at}'>{} {number}</a></td></tr>",
            NAMES[at]
        )
    };
    let last = read_last(8, |number| {
        let rows: String = (0..5 + number % 3).map(|at| row(number, at)).collect();
        format!("<h1>Search {number}</h1><table>{rows}</table>")
    });
    assert_eq!(last.matches("; ").count(), 5, "six rows in one list: {last}");
    assert!(last.contains("=Cedar 7"), "{last}");
}

#[test]
fn a_label_that_changes_places_in_a_list_is_a_value_of_it() {
    let row = |number: usize, at: usize| {
        let source = if at == 1 + number * 5 % 8 { "Atlas: " } else { "" };
        let name = |step: usize| NAMES[(step * number + 5 * at) % 12];
        format!(
            "<li><a href='/{number}/{at}'>{source}{} and {}</a> <i>No. {number}{at}</i></li>",
            name(7),
            name(11)
        )
    };
    let last = read_last(8, |number| {
        let rows: String = (0..10 + number % 2).map(|at| row(number, at)).collect();
        format!("<h1>Search {number}</h1><ul>{rows}</ul>")
    });
    assert_eq!(last.matches("; ").count(), 10, "eleven rows in one list: {last}");
}

#[test]
fn labels_that_take_turns_are_one() {
    let html = |number: usize| {
        let name = NAMES[number];
        let label = ["Country:", "Country/Region:"][number % 2];
        let row = |label: &str, value: String| format!("<tr><th>{label}</th><td>{value}</td></tr>");
        let rows = [
            row("Seller:", format!("{name} Ltd")),
            row(label, format!("{name}land")),
            row("Price:", format!("$ {number}.50")),
        ];
        format!("<h1>{name}</h1><table>{}</table>", rows.concat())
    };
    let pages: Vec<Page> = (0..12).map(|number| page(&html(number))).collect();
    let matcher = Matcher::new(infer_template(&pages.iter().collect::<Vec<_>>()));
    let key = |page: &Page, value: &str| {
        let values = matcher.extract(page).record.values;
        let own = values
            .into_iter()
            .find(|(_, own)| *own == Value::Text(value.to_owned()));
        own.map(|(key, _)| key)
    };
    assert!(key(&pages[10], "Rowanland").is_some());
    assert_eq!(key(&pages[10], "Rowanland"), key(&pages[11], "Yewland"));
}

#[test]
fn one_field_and_a_stray_are_no_list() {
    let last = read_last(12, |number| {
        let stray = if number == 3 { "<h2>On sale today</h2>" } else { "" };
        format!(
            "<h2>{} number {number}</h2>{stray}<p>Sold in {}</p>",
            NAMES[number],
            NAMES[(number * 5) % 12]
        )
    });
    assert!(!last.contains('['), "{last}");
}

#[test]
fn rows_that_say_the_same_at_their_places_are_a_form() {
    let last = read_last(6, |number| {
        let rows = [
            format!("{number}.00 {}s", NAMES[number]),
            "equals".to_owned(),
            format!("{}.46 Dollars", number + 3),
            "today".to_owned(),
        ];
        let rows: String = rows
            .iter()
            .map(|row| format!("<tr><td><b>{row}</b></td></tr>"))
            .collect();
        format!("<h1>Rates</h1><table>{rows}</table>")
    });
    assert!(!last.contains('['), "{last}");
}

#[test]
fn a_dash_that_fills_a_cell_is_a_value() {
    let cell = |number: usize, at: usize| {
        let text = if (number + at).is_multiple_of(3) {
            "-".to_owned()
        } else {
            format!("{} {number}{at}", NAMES[number + at])
        };
        format!("<td><font class=small>{text}</font></td>")
    };
    let row = |number: usize, at: usize| format!("<tr><td>{}</td>{}</tr>", 1900 + 9 * number + at, cell(number, at));
    let last = read_last(5, |number| {
        let rows: String = (0..4 + number % 2).map(|at| row(number, at)).collect();
        format!("<h1>Results {number}</h1><p><a href=/>Home</a> <b>-</b> <a href=/all>All</a></p><table>{rows}</table>")
    });
    assert_eq!(last.matches("=-").count(), 1, "{last}");
}

#[test]
fn a_prefix_that_is_no_label_parts_nothing_on_other_pages() {
    let kinds = ["Jazz Artists:", "Rock Artists:", "Folk Artists:"];
    let last = read_last(9, |number| {
        let title = format!("{} {}", kinds[number % 3], NAMES[number]);
        format!("<h3>{title}</h3>")
    });
    assert!(last.contains("h3=Folk Artists: Oak"), "{last}");
    assert!(last.contains("=Oak"), "{last}");
}
