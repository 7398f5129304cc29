//! Small pages and the records that come out: a shape of list each.

use expect_test::{Expect, expect};

use super::*;
use crate::page::{Page, ParseOptions, Response};

fn page(html: &str) -> Page {
    let url = "http://list.example/".parse().expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

/// The main list, a record a line, with the names of its fields.
fn check_list(html: &str, expected: Expect) {
    check_with(html, &RecordOptions::default(), expected);
}

fn check_with(html: &str, options: &RecordOptions, expected: Expect) {
    let found = find_records(&page(html), options);
    let mut shown = String::new();
    for region in &found.regions {
        for record in &region.records {
            let fields = region.columns.iter().zip(&record.fields);
            let fields: Vec<String> = fields
                .filter_map(|(column, field)| Some(format!("{}={}", column.name, field.as_ref()?.value)))
                .collect();
            let inside = record
                .parent
                .map_or_else(String::new, |parent| format!("in {parent}: "));
            shown.push_str(&format!("{inside}{}\n", fields.join(" | ")));
        }
        shown.push_str("--\n");
    }
    expected.assert_eq(&shown);
}

fn repeated(n: usize, piece: impl Fn(usize) -> String) -> String {
    (1..=n).map(piece).collect()
}

const MENU: &str = "<ul><li><a href=/a>Home</a><li><a href=/b>News</a><li><a href=/c>Help</a></ul>";

#[test]
fn results_below_a_menu() {
    let hits = repeated(3, |n| {
        format!("<div class=hit><a href=/r{n}>Result {n}</a><p>About lamps, number {n}.</p></div>")
    });
    check_list(
        &format!("{MENU}<div>{hits}</div>"),
        expect![[r#"
        link=http://list.example/r1 | title=Result 1 | text=About lamps, number 1.
        link=http://list.example/r2 | title=Result 2 | text=About lamps, number 2.
        link=http://list.example/r3 | title=Result 3 | text=About lamps, number 3.
        --
    "#]],
    );
}

#[test]
fn what_stands_beside_a_record_in_its_box_is_part_of_it() {
    let hits = repeated(6, |n| {
        let votes = if n % 2 == 0 { "<b class=cold>" } else { "<b>" };
        let answers = if n % 3 == 0 {
            String::new()
        } else {
            format!("<p>{n} answers</p>")
        };
        format!(
            "<div class=hit><div class=count>{votes}{n}</b>{answers}</div><div class=main><h3><a href=/r{n}>Result {n}</a></h3><p>About lamps, number {n}, and more of them.</p></div></div>"
        )
    });
    let found = find_records(&page(&format!("{MENU}<div>{hits}</div>")), &RecordOptions::default());
    let texts: Vec<&str> = found.regions[0].records[0]
        .fields
        .iter()
        .flatten()
        .map(|field| field.value.as_str())
        .collect();
    assert!(texts.contains(&"1") && texts.contains(&"1 answers"), "{texts:?}");
}

#[test]
fn cards_that_are_links_as_a_whole() {
    let filters = repeated(6, |n| {
        let values = repeated(4, |m| {
            format!("<li><label><input type=checkbox> Colour {n}{m} <i>({m})</i></label>")
        });
        format!("<div class=filter><h3>Filter {n}</h3><ul>{values}</ul></div>")
    });
    let cards = repeated(4, |n| {
        format!(
            "<a class=card href=/c{n}><img src=/{n}.png><h3>Lamp number {n}</h3><p>Made of brass and glass</p><b>{n}0.00</b></a>"
        )
    });
    check_list(
        &format!("{filters}<div>{cards}</div>"),
        expect![[r#"
        link=http://list.example/c1 | image=http://list.example/1.png | title=Lamp number 1 | title_2=Made of brass and glass | made of brass and glass=10.00
        link=http://list.example/c2 | image=http://list.example/2.png | title=Lamp number 2 | title_2=Made of brass and glass | made of brass and glass=20.00
        link=http://list.example/c3 | image=http://list.example/3.png | title=Lamp number 3 | title_2=Made of brass and glass | made of brass and glass=30.00
        link=http://list.example/c4 | image=http://list.example/4.png | title=Lamp number 4 | title_2=Made of brass and glass | made of brass and glass=40.00
        --
    "#]],
    );
}

#[test]
fn articles_beside_a_list() {
    let hits = repeated(8, |n| {
        format!(
            "<div class=hit><h3><a href=/r{n}>Lamp {n}</a></h3><p>Brass, {n} kg, with a shade of glass</p><b>{n}0.00</b></div>"
        )
    });
    let article = repeated(3, |n| {
        let about = "We have made lamps by hand since the bridge was built. ".repeat(n + 1);
        format!("<h3>What to know, part {n}</h3><p>{about} See <a href=/g{n}>glass {n}</a> as well.</p>")
    });
    let html = format!("<div>{hits}</div><div>{article}</div>");
    let found = find_records(&page(&html), &RecordOptions::default());
    assert_eq!(found.regions[0].records.len(), 8);
}

#[test]
fn rows_in_two_colours_are_one_list() {
    let rows = repeated(6, |n| {
        let colour = if n % 2 == 0 { "shade" } else { "plain" };
        format!("<tr><td class={colour}><a href=/r{n}>Book {n}</a></td><td class={colour}>Shelf {n}</td></tr>")
    });
    let found = find_records(
        &page(&format!("{MENU}<table>{rows}</table>")),
        &RecordOptions::default(),
    );
    assert_eq!(found.regions[0].records.len(), 6);
}

#[test]
fn a_record_of_several_rows() {
    let rows = repeated(3, |n| {
        format!(
            "<tr><td><a href=/r{n}>Book {n}</a></td></tr><tr><td><i>A text about book {n}</i></td></tr><tr><td><hr></td></tr>"
        )
    });
    check_list(
        &format!("<table>{rows}</table>"),
        expect![[r#"
        link=http://list.example/r1 | title=Book 1 | text=A text about book 1
        link=http://list.example/r2 | title=Book 2 | text=A text about book 2
        link=http://list.example/r3 | title=Book 3 | text=A text about book 3
        --
    "#]],
    );
}

#[test]
fn tables_are_read_as_tables() {
    let html = "<table><tr><th>Team<th>Player<th colspan=2>Score
        <tr><td rowspan=2>Rovers<td>Ada<td>1<td>2<tr><td>Bo<td>3<td>4<tr><td>United<td>Cy<td><td>6</table>";
    check_list(
        html,
        expect![[r#"
        Team=Rovers | Player=Ada | Score=1 | Score_2=2
        Team=Rovers | Player=Bo | Score=3 | Score_2=4
        Team=United | Player=Cy | Score_2=6
        --
    "#]],
    );
}

#[test]
fn a_grid_of_products() {
    let cell = |n: usize| format!("<td><img src=/p{n}.png><a href=/p{n}>Lamp {n}</a> <b>{n}.50 €</b></td>");
    let rows = repeated(2, |row| {
        format!("<tr>{}</tr>", repeated(3, |n| cell(3 * (row - 1) + n)))
    });
    check_list(
        &format!("<table>{rows}</table>"),
        expect![[r#"
        image=http://list.example/p1.png | link=http://list.example/p1 | title=Lamp 1 | text=1.50 €
        image=http://list.example/p2.png | link=http://list.example/p2 | title=Lamp 2 | text=2.50 €
        image=http://list.example/p3.png | link=http://list.example/p3 | title=Lamp 3 | text=3.50 €
        image=http://list.example/p4.png | link=http://list.example/p4 | title=Lamp 4 | text=4.50 €
        image=http://list.example/p5.png | link=http://list.example/p5 | title=Lamp 5 | text=5.50 €
        image=http://list.example/p6.png | link=http://list.example/p6 | title=Lamp 6 | text=6.50 €
        --
    "#]],
    );
}

#[test]
fn records_in_parallel_blocks() {
    let row = |what: &str, n: usize| match what {
        "image" => format!("<td><a href=/p{n}><img src=/p{n}.png></a></td>"),
        _ => format!("<td><p>Lamp number {n}</p><p>{n}.50 €</p></td>"),
    };
    let block = |from: usize| {
        let images = repeated(3, |n| row("image", from + n));
        let names = repeated(3, |n| row("name", from + n));
        format!("<tr>{images}</tr><tr>{names}</tr>")
    };
    check_list(
        &format!("<table>{}{}</table>", block(0), block(3)),
        expect![[r#"
        link=http://list.example/p1 | image=http://list.example/p1.png | text=Lamp number 1 | text_2=1.50 €
        link=http://list.example/p2 | image=http://list.example/p2.png | text=Lamp number 2 | text_2=2.50 €
        link=http://list.example/p3 | image=http://list.example/p3.png | text=Lamp number 3 | text_2=3.50 €
        link=http://list.example/p4 | image=http://list.example/p4.png | text=Lamp number 4 | text_2=4.50 €
        link=http://list.example/p5 | image=http://list.example/p5.png | text=Lamp number 5 | text_2=5.50 €
        link=http://list.example/p6 | image=http://list.example/p6.png | text=Lamp number 6 | text_2=6.50 €
        --
    "#]],
    );
}

#[test]
fn replies_stand_inside_comments() {
    let reply = "<ul><li class=comment><b>Bo</b><p>A reply that says something else.</p></li></ul>";
    let comment = |n: usize| {
        let inner = if n == 2 { reply } else { "" };
        format!("<li class=comment><b>Ada {n}</b><p>Comment {n}, which is long enough to read.</p>{inner}</li>")
    };
    check_list(
        &format!("<ul>{}</ul>", repeated(3, comment)),
        expect![[r#"
        text=Ada 1 | text_2=Comment 1, which is long enough to read.
        text=Ada 2 | text_2=Comment 2, which is long enough to read.
        in 1: text=Bo | text_2=A reply that says something else.
        text=Ada 3 | text_2=Comment 3, which is long enough to read.
        --
    "#]],
    );
}

#[test]
fn definition_lists() {
    let terms = repeated(3, |n| {
        format!("<dt><a href=/t{n}>Term {n}</a><dd>What term {n} means, in a sentence.")
    });
    check_list(
        &format!("<dl>{terms}</dl>"),
        expect![[r#"
        link=http://list.example/t1 | title=Term 1 | text=What term 1 means, in a sentence.
        link=http://list.example/t2 | title=Term 2 | text=What term 2 means, in a sentence.
        link=http://list.example/t3 | title=Term 3 | text=What term 3 means, in a sentence.
        --
    "#]],
    );
}

#[test]
fn lines_in_running_text() {
    let lines = repeated(3, |n| {
        format!("{n}. <a href=/r{n}>Page {n}</a><br>A description of page {n}.<br><br>")
    });
    check_list(
        &format!("<p>{lines}</p>"),
        expect![[r#"
        text=1. | link=http://list.example/r1 | title=Page 1 | text_2=A description of page 1.
        text=2. | link=http://list.example/r2 | title=Page 2 | text_2=A description of page 2.
        text=3. | link=http://list.example/r3 | title=Page 3 | text_2=A description of page 3.
        --
    "#]],
    );
}

#[test]
fn marked_words_are_no_fields_and_missing_fields_shift_nothing() {
    let hit = |n: usize| {
        let marked = "a <em class=hl>lamp</em> ".repeat(n);
        let price = if n == 2 {
            String::new()
        } else {
            format!("<span class=price>{n}.00</span>")
        };
        format!(
            "<li><a href=/r{n}>Result {n}</a><p>This is {marked}here.</p>{price}<span class=city>Bloerby</span></li>"
        )
    };
    check_list(
        &format!("<ul>{}</ul>", repeated(4, hit)),
        expect![[r#"
        link=http://list.example/r1 | title=Result 1 | text=This is a lamp here. | price=1.00 | city=Bloerby
        link=http://list.example/r2 | title=Result 2 | text=This is a lamp a lamp here. | city=Bloerby
        link=http://list.example/r3 | title=Result 3 | text=This is a lamp a lamp a lamp here. | price=3.00 | city=Bloerby
        link=http://list.example/r4 | title=Result 4 | text=This is a lamp a lamp a lamp a lamp here. | price=4.00 | city=Bloerby
        --
    "#]],
    );
}

#[test]
fn a_list_that_goes_on_inside_a_neighbour() {
    let hit = |n: usize| format!("<div class=hit><a href=/r{n}>Result {n}</a><p>About lamps, number {n}.</p></div>");
    let more = repeated(4, |n| hit(n + 1));
    check_list(
        &format!("<div>{}<div class=more>{more}</div></div>", hit(1)),
        expect![[r#"
        link=http://list.example/r1 | title=Result 1 | text=About lamps, number 1.
        link=http://list.example/r2 | title=Result 2 | text=About lamps, number 2.
        link=http://list.example/r3 | title=Result 3 | text=About lamps, number 3.
        link=http://list.example/r4 | title=Result 4 | text=About lamps, number 4.
        link=http://list.example/r5 | title=Result 5 | text=About lamps, number 5.
        --
    "#]],
    );
}

#[test]
fn what_is_no_list_is_not_called_one() {
    check_list(
        "<h1>Lamp</h1><p>A lamp is a thing that gives light, when there is oil in it.</p>",
        expect![[""]],
    );
    check_list(
        &format!("{MENU}<h1>Lamp</h1><p>A lamp is a thing that gives light, when there is oil in it.</p>"),
        expect![[""]],
    );
    let facts = "<table><tr><td>Weight:<td>3 kg<tr><td>Height:<td>40 cm<tr><td>Colour:<td>green<tr><td>Made in:<td>Bloerby</table>";
    check_list(
        &format!("<h1>Lamp</h1>{facts}<p>A lamp is a thing that gives light, as long as there is oil.</p>"),
        expect![[""]],
    );
    let prose = "<p>The <a href=/1>first</a> lamp, the <a href=/2>second</a> lamp and the <a href=/3>third</a> lamp give light.</p>";
    check_list(prose, expect![[""]]);
    check_list("", expect![[""]]);
}

#[test]
fn a_query_tells_which_list_is_meant() {
    let list = |what: &str, n: usize| {
        repeated(n, |at| {
            format!("<li><a href=/{what}{at}>{what} {at}</a> sold at {at} shops today")
        })
    };
    let html = format!("<ul>{}</ul><ol>{}</ol>", list("Chair", 6), list("Lamp", 4));
    let options = RecordOptions {
        hint: QueryHint::parse("name contains lamp"),
        ..RecordOptions::default()
    };
    let found = find_records(&page(&html), &options);
    assert_eq!(found.regions[0].records.len(), 4);
    assert_eq!(
        find_records(&page(&html), &RecordOptions::default()).regions[0]
            .records
            .len(),
        6
    );
    let all = RecordOptions {
        all: true,
        ..RecordOptions::default()
    };
    let sizes: Vec<usize> = find_records(&page(&html), &all)
        .regions
        .iter()
        .map(|region| region.records.len())
        .collect();
    assert_eq!(sizes, [6, 4]);
}

#[test]
fn columns_have_types() {
    let rows = repeated(3, |n| {
        format!("<tr><td><a href=/r{n}>Book {n}</a><td>{n} May 2031<td>{n}2<td>{n}.99 €<td>Buy now")
    });
    let found = find_records(&page(&format!("<table>{rows}</table>")), &RecordOptions::default());
    let shown: Vec<String> = found.regions[0]
        .columns
        .iter()
        .map(|column| {
            format!(
                "{} {:?} {}{}",
                column.name,
                column.kind,
                column.shape.text(),
                if column.is_constant { " constant" } else { "" }
            )
        })
        .collect();
    expect![[r#"
        link Link address
        title Text text
        text Text date
        text_2 Text number
        text_3 Text price
        text_4 Text text constant"#]]
    .assert_eq(&shown.join("\n"));
}

/// How many records the main list of a page has.
fn check_count(html: &str, expected: usize) {
    let found = find_records(&page(html), &RecordOptions::default());
    let n_records = found.regions.first().map_or(0, |region| region.records.len());
    assert_eq!(n_records, expected, "{}", &html[..html.len().min(200)]);
}

/// What pages call their parts, how much of a list is linked, and what is not shown says nothing
/// about whether it is one.
#[test]
fn lists_in_the_clothes_of_something_else() {
    let hit = |n: usize| {
        format!("<li><a href=/r{n}>Lamp number {n}</a><p>It gives light in room {n}, and costs {n} crowns.</p>")
    };
    let hits = repeated(12, hit);
    let around =
        |class: &str, list: &str| format!("{MENU}<div class=\"{class}\"><ul>{list}</ul></div><p>All lamps.</p>");
    check_count(&around("has-sidebar", &hits), 12);
    check_count(&around("two-col-nav withFooter", &hits), 12);
    let bare = repeated(30, |n| format!("<li><a href=/r{n}>A lamp that shines in room {n}</a>"));
    check_count(&around("content", &bare), 30);
    let rows = repeated(15, |n| {
        format!("<tr><td><a href=/r{n}>Lamp {n}</a><td><a href=/m{n}>Maker {n}</a><td><a href=/c{n}>City {n}</a>")
    });
    check_count(&format!("<h1>Lamps</h1><table>{rows}</table>"), 15);
    let cards = repeated(20, |n| {
        format!("<a class=card href=/r{n}><img src=/{n}.png><b>Lamp {n}</b><i>{n}.50</i></a>")
    });
    check_count(&format!("{MENU}<div>{cards}</div>"), 20);
    let hidden = format!(
        "<div style=\"display:none\">{}</div>",
        "{\"key\": \"value\", \"number\": 12}, ".repeat(400)
    );
    check_count(&format!("{}{hidden}", around("content", &hits)), 12);
    let menu = repeated(60, |n| {
        format!("<li><a href=/s{n}>Shelf {n}</a><p>All that stands on shelf {n}.</p>")
    });
    check_count(&format!("<ul hidden>{menu}</ul>{}", around("content", &hits)), 12);
    let zebra = repeated(40, |n| {
        let class = if n % 2 == 0 { "even" } else { "odd" };
        let cells = (1..=6).map(|cell| format!("<td class={class}>{}</td>", n * 10 + cell));
        format!("<tr>{}</tr>", cells.collect::<String>())
    });
    check_count(&format!("<table>{zebra}</table>"), 40);
}

#[test]
fn a_term_goes_with_what_follows_it() {
    let terms = repeated(6, |n| {
        // Others can be linked to, the first cannot.
        let anchor = if n == 1 {
            String::new()
        } else {
            format!("<a name=t{n}></a>")
        };
        let see = if n % 2 == 0 {
            format!("<p>See: <a href=#t3>term 3</a>, {n}")
        } else {
            String::new()
        };
        format!("<dt>{anchor}<b>TERM {n}</b></dt><dd><p>What the term of number {n} means in a game.{see}</dd>")
    });
    let found = find_records(
        &page(&format!("<h1>Glossary</h1><dl>{terms}</dl>")),
        &RecordOptions::default(),
    );
    for record in found.regions.iter().flat_map(|region| &region.records) {
        let values: Vec<&str> = record
            .fields
            .iter()
            .flatten()
            .map(|field| field.value.as_str())
            .collect();
        let number = |text: &&str| text.chars().find(char::is_ascii_digit);
        let numbers: Vec<char> = values.iter().filter_map(number).take(2).collect();
        assert_eq!(numbers[0], numbers[1], "{values:?}");
    }
    assert!(!found.regions.is_empty());
}
