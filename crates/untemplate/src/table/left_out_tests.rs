//! Small sites with tables and columns that nobody looks for, and what stays.

use expect_test::expect;
use serde_json::{Value as Json, json};

use super::FieldFacts;
use super::schema_inference_tests::{Page, check_tables, class, names_of};

/// A page of a class with a bar of two links, and data of its own.
fn with_bar(class: usize, number: usize, mut data: Json) -> Page {
    let page = |number: usize| format!("http://a.example/{class}/{number}");
    data["div.bar"] = json!([
        { "way": format!("Before {number}"), "way_href": page(number.saturating_sub(1)) },
        { "way": format!("After {number}"), "way_href": page(number + 1) }
    ]);
    (class, format!("{class}/{number}"), data)
}

#[test]
fn a_bar_of_several_classes_is_no_table() {
    let pages: Vec<Page> = (0..24)
        .map(|number| with_bar(number % 3, number, json!({ "name": format!("Thing {number}") })))
        .collect();
    let classes = ["ship", "port", "crew"].map(|name| class(name, &["div.bar/way_href"]));
    check_tables(
        &classes,
        &pages,
        expect![[r#"
        ship
          url: Address
          name: Text
        port
          url: Address
          name: Text
        crew
          url: Address
          name: Text
    "#]],
    );
}

#[test]
fn what_all_pages_of_several_classes_say_is_no_column() {
    let pages: Vec<Page> = (0..24)
        .map(|number| {
            let data =
                json!({ "name": format!("Thing {number}"), "licence": "free", "flag": if number % 4 < 2 { "red" } else { "blue" } });
            (number % 2, format!("{}/{number}", number % 2), data)
        })
        .collect();
    let labelled = |name: &str| {
        let mut own = class(name, &[]);
        for key in ["licence", "flag"] {
            own.columns.push(FieldFacts {
                key: key.to_owned(),
                label: key.to_owned(),
                ..FieldFacts::default()
            });
        }
        own
    };
    check_tables(
        &["ship", "port"].map(labelled),
        &pages,
        expect![[r#"
        ship
          url: Address
          flag: Enum?
          name: Text
        port
          url: Address
          flag: Enum?
          name: Text
    "#]],
    );
}

#[test]
fn a_column_in_few_rows_is_left_out() {
    let pages: Vec<Page> = (0..120)
        .map(|number| {
            let mut data = json!({ "name": format!("Ship {number}"), "length": format!("{}", number % 40 + 20) });
            if number % 20 == 7 {
                data["oddity"] = json!(format!("painted green {number} times"));
            }
            if number % 8 == 0 {
                data["fate"] = json!(format!("sunk in 19{}", number % 90 + 10));
            }
            (0, format!("{number}"), data)
        })
        .collect();
    check_tables(
        &[class("ship", &[])],
        &pages,
        expect![[r#"
        ship
          url: Address
          fate: Text?
          length: Integer?
          name: Text
    "#]],
    );
}

#[test]
fn items_that_neither_recur_nor_fill_a_page_are_no_table() {
    let rows = |page: usize, n: usize| -> Json {
        (0..n)
            .map(|row| json!({ "text": format!("{page} says {row}") }))
            .collect()
    };
    let pages: Vec<Page> = (0..240)
        .map(|number| {
            let mut data = json!({ "name": format!("Ship {number}") });
            match number {
                0..3 => data["notes/ul/li"] = rows(number, 6),
                3 => data["fleet/table/tr"] = rows(number, 12),
                4 => data["index/ul/li"] = rows(number, 30),
                10..40 => data["crew/ul/li"] = rows(number, 2),
                _ => {}
            }
            (0, format!("{number}"), data)
        })
        .collect();
    check_tables(
        &[class("ship", &[])],
        &pages,
        expect![[r#"
        ship
          url: Address
          name: Text
        fleet_table_tr
          url: Address -> ship.url
          position: Position(0)
          text: Text
        index_ul_li
          url: Address -> ship.url
          position: Position(0)
          text: Text
        crew_ul_li
          url: Address -> ship.url
          position: Position(0)
          text: Text
    "#]],
    );
}

#[test]
fn a_list_that_its_page_says_again_is_no_table() {
    let page = |number: usize| {
        let (name, port) = (format!("Ship {number}"), format!("Port {}", number % 5));
        let data = json!({ "name": name, "home": port, "trail": [{ "step": name }], "ports": [{ "port": port }, { "port": format!("Isle {number}") }] });
        (0, format!("{number}"), data)
    };
    check_tables(
        &[class("ship", &[])],
        &(0..30).map(page).collect::<Vec<Page>>(),
        expect![[r#"
            ship
              url: Address
              home: Enum?
              name: Text
            ports
              url: Address -> ship.url
              position: Position(0)
              port: Text
        "#]],
    );
}

#[test]
fn a_list_under_two_addresses_is_one_table() {
    let rows = |n: usize| -> Json {
        (0..n)
            .map(|row| json!({ "unit": format!("unit {row}"), "factor": format!("{}.5", row * 3) }))
            .collect()
    };
    let mut pages: Vec<Page> = Vec::new();
    for number in 0..4 {
        let name = format!("Page {number}");
        pages.push((
            0,
            format!("a/{number}"),
            json!({ "name": name, "factors": if number == 2 { rows(12) } else { rows(0) } }),
        ));
        pages.push((
            1,
            format!("print/{number}"),
            json!({ "name": format!("Print {number}"), "conversion": if number == 2 { rows(12) } else { rows(0) } }),
        ));
    }
    check_tables(
        &[class("page", &[]), class("print", &[])],
        &pages,
        expect![[r#"
        page
          url: Address
          name: Text
        factors
          url: Address -> page.url
          position: Position(0)
          factor: Decimal?
          unit: Text
        print
          url: Address
          name: Text
    "#]],
    );
}

#[test]
fn addresses_elsewhere_that_hardly_any_row_has_are_no_column() {
    let mut pages: Vec<Page> = (0..120)
        .map(|number| {
            let target = if number == 7 { "http://b.example/".to_owned() } else { format!("http://a.example/port/{number}") };
            (0, format!("ship/{number}"), json!({ "name": format!("Ship {number}"), "home": format!("Port {}", number % 50), "home_href": target }))
        })
        .collect();
    pages.extend((0..120).map(|number| (1, format!("port/{number}"), json!({ "name": format!("Port {number}") }))));
    check_tables(
        &[class("ship", &["home_href"]), class("port", &[])],
        &pages,
        expect![[r#"
            ship
              url: Address
              port_url: Url? -> port.url
              home: Text -> port.name
              name: Text
            port
              url: Address
              name: Text
        "#]],
    );
}

#[test]
fn data_for_programs_that_says_a_shown_text_again_is_no_column() {
    let facts = |key: &str, label: &str, tag: &str| FieldFacts {
        key: key.to_owned(),
        label: label.to_owned(),
        tag: tag.to_owned(),
        ..FieldFacts::default()
    };
    let mut ship = class("ship", &[]);
    ship.columns = vec![facts("h1", "", "h1"), facts("data", "description", "data")];
    let page = |number: usize| {
        let data = json!({ "h1": format!("Ship {number}"), "data": format!("All about Ship {number} here") });
        (0, format!("ship/{number}"), data)
    };
    check_tables(
        &[ship],
        &(0..9).map(page).collect::<Vec<Page>>(),
        expect![[r#"
        ship
          url: Address
          name: Text
    "#]],
    );
}

#[test]
fn the_rows_of_a_list_of_all_that_are_about_a_page_are_no_table() {
    const TEAMS: [&str; 5] = ["Reds", "Blues", "Greens", "Whites", "Blacks"];
    let matches = || (0..5).flat_map(|home| (0..5).filter(move |&away| away != home).map(move |away| (home, away)));
    let row = |(home, away): (usize, usize), text: &str| {
        json!({
            "game": format!("{home}:{away}{text}"),
            "game_href": format!("http://a.example/match/{home}-{away}"),
            "home": TEAMS[home],
            "away": TEAMS[away],
        })
    };
    let pages = |text: &str| -> Vec<Page> {
        let team = |number: usize| {
            let own = matches().filter(|&(home, away)| home == number || away == number);
            let games: Vec<Json> = own.map(|game| row(game, text)).collect();
            (
                0,
                format!("team/{number}"),
                json!({ "name": TEAMS[number], "games": games }),
            )
        };
        let game = |(home, away): (usize, usize)| {
            let data = json!({ "name": format!("Match {home} against {away}"), "referee": format!("R. {home}{away}") });
            (1, format!("match/{home}-{away}"), data)
        };
        let all: Vec<Json> = matches().map(|game| row(game, "")).collect();
        let all = (2, "all".to_owned(), json!({ "all": all }));
        (0..5).map(team).chain(matches().map(game)).chain([all]).collect()
    };
    let classes = [
        class("team", &["games/game_href"]),
        class("match", &[]),
        class("all", &["all/game_href"]),
    ];
    let names = |text: &str| names_of(&classes, &pages(text));
    assert_eq!(names(""), ["team", "match", "match_index"]);
    // What says something else stays.
    assert_eq!(names(" after extra time"), ["team", "games", "match", "match_index"]);
}
