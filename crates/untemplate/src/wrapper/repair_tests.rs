//! A small shop that gets another look: the fields of its wrapper keep their names and values.

use super::*;
use crate::page::{Page, ParseOptions, Response};

const NAMES: [&str; 16] = [
    "Anvil", "Birdseed", "Cannon", "Dynamite", "Egg", "Feather", "Glue", "Hammer", "Iron", "Jet", "Kite", "Lamp",
    "Magnet", "Needle", "Oven", "Piano",
];

fn page(number: usize, html: &str) -> Page {
    let url = format!("http://shop.example/{number}").parse().expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

/// Who said what of a thing: some pages have more of it than others.
fn reviews(number: usize) -> Vec<(String, String)> {
    let review = |at: usize| {
        let name = NAMES[(number + 3 * at) % 16];
        (format!("{name} Smith {at}"), format!("good for {name} number {number}"))
    };
    (0..2 + number % 3).map(review).collect()
}

fn facts(number: usize) -> [(&'static str, String); 2] {
    [
        ("Price", format!("$ {}.50", 10 + 7 * number)),
        ("Maker", format!("{} Works", NAMES[(5 * number + 3) % 16])),
    ]
}

fn old(number: usize) -> Page {
    page(number, &old_html(number))
}

fn old_html(number: usize) -> String {
    let rows: String = facts(number)
        .map(|(label, value)| format!("<tr><th>{label}<td>{value}"))
        .concat();
    let items: String = reviews(number)
        .iter()
        .map(|(who, what)| format!("<li class=review><b>{who}</b> <i>{what}</i></li>"))
        .collect();
    format!(
        "<h1>{}</h1><table class=facts>{rows}</table><ul class=reviews>{items}</ul>",
        NAMES[number]
    )
}

/// The same in other elements and classes, with the reviews first and the last of them first.
fn new(number: usize) -> Page {
    let rows: String = facts(number)
        .iter()
        .rev()
        .map(|(label, value)| format!("<div class=line><em>{label}</em><p>{value}</p></div>"))
        .collect();
    let items: String = reviews(number)
        .iter()
        .rev()
        .map(|(who, what)| format!("<div class=said><strong>{who}</strong> <q>{what}</q></div>"))
        .collect();
    page(
        number,
        &format!(
            "<main><section class=voices>{items}</section><h2>{}</h2><section class=lines>{rows}</section></main>",
            NAMES[number]
        ),
    )
}

/// All values of a page by their keys, in no order.
fn read(template: &Template, page: &Page) -> Vec<String> {
    let record = Matcher::new(template.clone()).extract(page).record;
    let mut values = Vec::new();
    let mut waiting = vec![(String::new(), &record)];
    while let Some((prefix, record)) = waiting.pop() {
        for (key, value) in &record.values {
            match value {
                Value::Text(text) => values.push(format!("{prefix}{key}: {text}")),
                Value::List(rounds) => waiting.extend(rounds.iter().map(|round| (format!("{prefix}{key}."), round))),
            }
        }
    }
    values.sort();
    values
}

#[test]
fn another_layout_reads_the_same() {
    check_mended(new);
}

#[test]
fn a_row_that_is_new_in_all_lists_is_no_row_of_theirs() {
    let notice = "<ul class=voices><li class=ad><b>Buy</b> <i>now</i></li>";
    check_mended(|number| page(number, &old_html(number).replace("<ul class=reviews>", notice)));
}

#[test]
fn labels_that_say_something_else_name_the_same_values() {
    let labels = |html: String| html.replace("Price", "What it costs").replace("Maker", "Made by");
    let boxes = |html: String| {
        html.replace("<td>", "<td><div class=inner>")
            .replace("class=re", "class=v2-re")
    };
    check_mended(|number| page(number, &boxes(labels(old_html(number)))));
}

/// Nothing is lost, and pages that repair did not see read as they read before.
fn check_mended(new: impl Fn(usize) -> Page) {
    let training: Vec<Page> = (0..10).map(old).collect();
    let template = infer_template(&training.iter().collect::<Vec<_>>());
    assert!(template.counts.len() > 5, "{:?}", template.counts);
    let (before, after): (Vec<Page>, Vec<Page>) = ((0..12).map(old).collect(), (0..12).map(&new).collect());
    let repair = repair_template(
        &template,
        &before.iter().collect::<Vec<_>>(),
        &after.iter().collect::<Vec<_>>(),
        0.9,
    );
    let lost: Vec<_> = repair
        .fields
        .iter()
        .filter(|(_, fate)| *fate == FieldFate::Lost)
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
    for number in 12..16 {
        assert_eq!(read(&repair.template, &new(number)), read(&template, &old(number)));
    }
}

#[test]
fn what_is_gone_is_lost_and_nothing_takes_its_name() {
    let training: Vec<Page> = (0..10).map(old).collect();
    let template = infer_template(&training.iter().collect::<Vec<_>>());
    let without = |number: usize| {
        page(
            number,
            &format!("<main><h2>{}</h2><p>Sold out</p></main>", NAMES[number]),
        )
    };
    let (before, after): (Vec<Page>, Vec<Page>) = ((0..12).map(old).collect(), (0..12).map(without).collect());
    let repair = repair_template(
        &template,
        &before.iter().collect::<Vec<_>>(),
        &after.iter().collect::<Vec<_>>(),
        0.9,
    );
    let kept: Vec<&String> = repair
        .fields
        .iter()
        .filter(|(_, fate)| *fate != FieldFate::Lost)
        .map(|(field, _)| field)
        .collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(read(&repair.template, &without(15)), [format!("{}: Piano", kept[0])]);
}
