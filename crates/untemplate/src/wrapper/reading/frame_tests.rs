//! Ways around the site, languages, and what stands once: small classes of pages, and what the
//! first page of each says.

use expect_test::expect;

use super::tests::{check_first, pages};

#[test]
fn the_way_from_the_home_page_is_no_value() {
    let page = |number: usize| {
        let next = if number.is_multiple_of(3) {
            ""
        } else {
            "<a href=/n.html>Next</a>"
        };
        format!(
            "<p>You are here: <a href=/>Home</a> » <a href=/ships>Ships</a> » Ship {number}<p><a href=/p{number}.html>Previous</a> {next}
            <h1>Ship {number}</h1><p>Length: {} m<p>Flag: <a href=/f{}>Flag {}</a>",
            number + 20,
            number % 7,
            number % 7
        )
    };
    check_first(
        &pages(12, page),
        expect![[r#"
            /#h1/heading = Ship 0
            /#h1/Length: = 20 m
            /#h1/Flag: = Flag 0
            /#h1/Flag:@href = http://team.example/f0
        "#]],
    );
}

#[test]
fn labels_in_two_languages_are_one_column() {
    let page = |number: usize| {
        let (language, length, crew) = match number % 2 {
            0 => ("en-GB", "Length", "Crew"),
            _ => ("de", "Länge", "Besatzung"),
        };
        let head = format!("<html lang={language}><h1>Ship {number}</h1>");
        format!(
            "{head}<dl><dt>{length}<dd>{} m<dt>{crew}<dd>{} and {number}</dl>",
            number + 20,
            number + 3
        )
    };
    check_first(
        &pages(11, |number| page(number + 1)),
        expect![[r#"
            /#h1/heading = Ship 1
            /#h1/dl/Länge:/dd = 21 m
            /#h1/dl/Besatzung:/dd = 4 and 1
        "#]],
    );
}

#[test]
fn a_second_line_on_few_pages_makes_no_list() {
    let page = |number: usize| {
        let second = if number.is_multiple_of(10) {
            "<div class=fact>lost at sea</div>"
        } else {
            ""
        };
        let crew = format!("<div class=crew>Ada {number}</div><div class=crew>Bo {number}</div>");
        let tons = number * 13 + 100;
        format!("<h1>Ship {number}</h1><div class=fact>{tons} tons</div>{second}{crew}")
    };
    check_first(
        &pages(30, page),
        expect![[r#"
            /#h1/heading = Ship 0
            /#h1/div.fact = 100 tons
            /#h1/div.fact@later = lost at sea
            /#h1/div.crew
              - div.crew=Ada 0
              - div.crew=Bo 0
        "#]],
    );
}

#[test]
fn one_row_under_headers_is_no_list() {
    let page = |number: usize| {
        format!(
            "<h1>Ship {number}</h1><table><tr><th>Tons<th>Crew<tr><td>{}<td>{}</table>",
            number + 100,
            number + 3
        )
    };
    check_first(
        &pages(9, page),
        expect![[r#"
            /#h1/heading = Ship 0
            /#h1/table/tr/td Tons/td = 100
            /#h1/table/tr/td Crew/td = 3
        "#]],
    );
}

#[test]
fn a_page_that_the_menu_names_keeps_its_name() {
    let name = |number: usize| ["Adder", "Boar", "Crane", "Dove", "Eagle", "Finch"][number].to_owned();
    let menu: String = (0..6)
        .map(|number| format!("<li><a href=/{number}>{}</a>", name(number)))
        .collect();
    let page = |number: usize| format!("<ul>{menu}</ul><h1>{}</h1><p>Weight: {} g", name(number), number + 20);
    check_first(
        &pages(6, page),
        expect![[r#"
            /#h1/heading = Adder
            /#h1/Weight: = 20 g
        "#]],
    );
}
