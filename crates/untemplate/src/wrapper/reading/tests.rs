//! Small classes of pages, and what the first page of each says.

use expect_test::{Expect, expect};

use super::{ClassReading, Guide, Hashes, SchemaTuning, VocabularyCounts, VocabularyTuning, decide, find_site_frame};
use crate::content::Content;
use crate::page::{Page, ParseOptions, Response};
use crate::wrapper::{Record, Value};

fn content_of(html: &str) -> Content {
    let url = "http://team.example/a.html".parse().expect("a good address");
    Content::of(&Page::read(&Response::html(url, html), &ParseOptions::default()))
}

/// Reads pages as one class.
fn reading_of(contents: &[Content]) -> ClassReading {
    let mut counts = VocabularyCounts::default();
    contents.iter().for_each(|content| counts.add(content));
    // As if the site had three such classes.
    let site_frame = find_site_frame(&[counts.clone(), counts.clone(), counts.clone()]);
    let vocabulary = counts.finish(&site_frame);
    let mut guide = Guide::default();
    contents.iter().for_each(|content| guide.add(content, &vocabulary));
    let schema = decide(guide, vocabulary.n_pages(), &SchemaTuning::default());
    ClassReading { vocabulary, schema }
}

fn show(record: &Record, depth: usize, shown: &mut String) {
    for (key, value) in &record.values {
        let indent = "  ".repeat(depth);
        match value {
            Value::Text(text) => shown.push_str(&format!("{indent}{key} = {}\n", text.replace('\n', " / "))),
            Value::List(rows) => {
                shown.push_str(&format!("{indent}{key}\n"));
                for row in rows {
                    let cells: Vec<String> = row.values.iter().map(|(key, value)| cell(key, value)).collect();
                    shown.push_str(&format!("{indent}  - {}\n", cells.join(", ")));
                }
            }
        }
    }
}

fn cell(key: &str, value: &Value) -> String {
    let name = key.rsplit('/').next().unwrap_or(key);
    match value {
        Value::Text(text) => format!("{name}={text}"),
        Value::List(rows) => format!("{name} of {}", rows.len()),
    }
}

/// What the first of some pages of a class says.
pub(super) fn shown_first(pages: &[String]) -> String {
    let contents: Vec<Content> = pages.iter().map(|page| content_of(page)).collect();
    let record = reading_of(&contents).read(&contents[0]);
    let mut shown = String::new();
    show(&record, 0, &mut shown);
    shown
}

/// Checks what the first of some pages of a class says.
pub(super) fn check_first(pages: &[String], expected: Expect) {
    expected.assert_eq(&shown_first(pages));
}

/// Pages made by a template from their number.
pub(super) fn pages(n: usize, make: impl Fn(usize) -> String) -> Vec<String> {
    (0..n).map(make).collect()
}

#[test]
fn labels_that_most_pages_have_are_columns() {
    let page = |number: usize| {
        format!(
            "<h1>Ship {number}</h1><dl><dt>Length</dt><dd>{} m</dd><dt>Built</dt><dd>19{}</dd></dl>",
            number + 20,
            number + 10
        )
    };
    check_first(
        &pages(9, page),
        expect![[r#"
            /#h1/heading = Ship 0
            /#h1/dl/Length:/dd = 20 m
            /#h1/dl/Built:/dd = 1910
        "#]],
    );
}

#[test]
fn labels_of_an_open_class_are_values() {
    // Of forty registers each page has six that others have, too, and two of its own.
    let page = |number: usize| {
        let shared = (0..6).map(|at| format!("REG{}", (number * 7 + at * 5) % 40));
        let own = (0..2).map(|at| format!("OWN{number}x{at}"));
        let rows = shared.chain(own).enumerate();
        let rows: String = rows
            .map(|(at, name)| format!("<tr><th>{name}</th><td>0x{}</td></tr>", at * 100 + number))
            .collect();
        format!("<h1>Device {number}</h1><table>{rows}</table>")
    };
    check_first(
        &pages(60, page),
        expect![[r#"
            /#h1/heading = Device 0
            /#h1/table/dt
              - label=REG0, td=0x0
              - label=REG5, td=0x100
              - label=REG10, td=0x200
              - label=REG15, td=0x300
              - label=REG20, td=0x400
              - label=REG25, td=0x500
              - label=OWN0x0, td=0x600
              - label=OWN0x1, td=0x700
        "#]],
    );
}

#[test]
fn labels_that_are_no_words_are_values() {
    // Each program has three flags of 24, and every flag is of several programs.
    let page = |number: usize| {
        let flags = (0..3).map(|at| (b'a' + ((number * 5 + at * 7) % 24) as u8) as char);
        let flags: String = flags
            .enumerate()
            .map(|(at, flag)| format!("<dt>-{flag}</dt><dd>does {}</dd>", number * 3 + at))
            .collect();
        format!("<h1>Program {number}</h1><dl>{flags}</dl>")
    };
    check_first(
        &pages(48, page),
        expect![[r#"
        /#h1/heading = Program 0
        /#h1/dl/dt
          - label=-a, dd=does 0
          - label=-h, dd=does 1
          - label=-o, dd=does 2
    "#]],
    );
}

#[test]
fn lines_of_several_facts_are_divided() {
    let woods = ["Oak", "Pine", "Ash", "Elm", "Yew"];
    let page = |number: usize| {
        format!(
            "<h1>Chest {number}</h1><p class=kind>{} frame. {} doors. {} locks.</p>",
            woods[number % 5],
            number % 3 + 1,
            number % 4
        )
    };
    check_first(
        &pages(20, page),
        expect![[r#"
        /#h1/heading = Chest 0
        /#h1/p.kind~1 = Oak frame
        /#h1/p.kind~2 = 1 doors
        /#h1/p.kind~3 = 0 locks
    "#]],
    );
}

#[test]
fn the_lists_of_a_page_that_stands_alone_are_one_where_they_are_alike() {
    let table = |number: usize| {
        format!(
            "<h3>Part {number}</h3><table id=t{number}><tr><th>Roll</th><th>Result</th></tr><tr><td>1</td><td>a{number}</td></tr><tr><td>2</td><td>b{number}</td></tr></table>"
        )
    };
    let page = format!("<h1>Tables</h1>{}", (1..4).map(table).collect::<String>());
    check_first(
        &[page],
        expect![[r#"
        /#h1/heading = Tables
        /#h1/#h3/table/tr
          - heading=Part 1, td=1, td=a1
          - heading=Part 1, td=2, td=b1
          - heading=Part 2, td=1, td=a2
          - heading=Part 2, td=2, td=b2
          - heading=Part 3, td=1, td=a3
          - heading=Part 3, td=2, td=b3
    "#]],
    );
}

#[test]
fn headings_with_one_label_are_rows_of_one_list() {
    let tracks = ["Drums", "Bass", "Piano", "Organ"];
    let page = |number: usize| {
        let track = |at: usize| {
            let name = tracks[(number + at) % tracks.len()];
            format!(
                "<h3>Track: {name}</h3><p>Volume: {}<p>Octave: {}",
                number + 40 + at,
                at + 2
            )
        };
        format!("<h1>Tune {number}</h1>{}{}", track(0), track(1))
    };
    check_first(
        &pages(12, page),
        expect![[r#"
        /#h1/heading = Tune 0
        /#h1/# Track
          - heading=Drums, Volume:=40, Octave:=2
          - heading=Bass, Volume:=41, Octave:=3
    "#]],
    );
}

#[test]
fn a_header_that_only_its_page_has_is_a_value() {
    let page = |number: usize| {
        let row = |at: usize| format!("<tr><td>Land {at}<td>{}", number * 10 + at);
        format!(
            "<h1>Figure {number}</h1><table><tr><th>Country<th>Figure {number}{}{}{}</table>",
            row(1),
            row(2),
            row(3)
        )
    };
    let contents: Vec<Content> = pages(8, page).iter().map(|page| content_of(page)).collect();
    let reading = reading_of(&contents);
    let labels: Vec<&str> = reading.schema.fields.iter().map(|field| field.label.as_str()).collect();
    // The list is called what the headings of all pages begin with.
    assert_eq!(labels, ["", "Figure", "Country", ""]);
}

/// Pages about calls: what each returns is wrapped on every third page in an element more.
#[test]
fn what_one_label_stands_for_is_one_column_however_it_is_wrapped() {
    let page = |index: usize| {
        let name = ["stone", "river", "cloud", "forest", "meadow", "island"][index % 6];
        let value = format!("<div class='value'><p>Type: {name}</p><p>The {name} of call {index}.</p></div>");
        let value = match index % 3 {
            0 => format!("<div class='returns'>{value}<p class='note'>Owned by {name}</p></div>"),
            _ => value,
        };
        format!("<h1>Call {index}</h1><h2>Return value</h2>{value}")
    };
    let pages: Vec<String> = (0..30).map(page).collect();
    // The type goes under the key that it has without the wrapper.
    check_first(
        &pages,
        expect![[r#"
        /#h1/heading = Call 0
        /#h1/# Return value/div.value/Type: = stone
        /#h1/# Return value/div.returns/div.value/p~1 = stone
        /#h1/# Return value/div.returns/div.value/p~2 = 0
        /#h1/# Return value/div.returns/p.note = Owned by stone
    "#]],
    );
}

/// Pages of a manual whose sections are numbered through, and whose syntax some pages break in two.
#[test]
fn numbered_headings_are_one_and_a_text_in_several_lines_is_one() {
    let page = |index: usize| {
        let name = ["stone", "river", "cloud", "forest", "meadow", "island"][index % 6];
        let more = match index % 3 {
            0 => format!("<pre>{name} -all</pre>"),
            _ => String::new(),
        };
        format!(
            "<h1>7.{index}. Call {index}</h1><h2>7.{index}.1. 概要</h2><p>This {name} is number {index}.</p>
            <h2>7.{index}.2. Syntax</h2><pre>{name} {index}</pre>{more}"
        )
    };
    let pages: Vec<String> = (0..30).map(page).collect();
    check_first(
        &pages,
        expect![[r#"
        /#h1/heading = 7.0. Call 0
        /#h1/# 概要/p~1 = stone
        /#h1/# 概要/p~2 = 0
        /#h1/# Syntax/text = stone 0 / stone -all
    "#]],
    );
}

#[test]
fn rare_texts_are_forgotten_and_those_that_recur_are_not() {
    let tuning = VocabularyTuning {
        count_error: 0.2,
        ..VocabularyTuning::default()
    };
    let pages_of = |tuning: VocabularyTuning| {
        let mut counts = VocabularyCounts::new(tuning);
        // The label stands on every fifth page, and a name on each.
        for number in 0..500 {
            let note = if number % 5 == 0 { "<p>Nickname: The Rock" } else { "" };
            counts.add(&content_of(&format!(
                "<h1>Player {number}</h1><p>Born in town {number}{note}"
            )));
        }
        counts
    };
    let (bounded, exact) = (pages_of(tuning), pages_of(VocabularyTuning::default()));
    let n_lines = VocabularyCounts::n_lines;
    assert!(
        n_lines(&bounded) * 5 < n_lines(&exact),
        "{} {}",
        n_lines(&bounded),
        n_lines(&exact)
    );
    let (bounded, exact) = (bounded.finish(&Hashes::default()), exact.finish(&Hashes::default()));
    assert!(bounded.is_label("Nickname") && exact.is_label("Nickname"));
    assert_eq!((&bounded.headings, &bounded.names), (&exact.headings, &exact.names));
}
