//! Small sites, as wrappers would read them, and the tables that come out.

use std::sync::Arc;

use expect_test::{Expect, expect};
use serde_json::{Value as Json, json};

use crate::wrapper::{Record, Value};

use super::{Addresses, ClassFacts, ColumnSource, Database, FieldFacts, ReadPage, Survey, infer_schema, rows_of};

/// A page of a site: class, path, data.
pub(super) type Page = (usize, String, Json);

fn record_of(json: &Json) -> Record {
    let values = json.as_object().into_iter().flatten().map(|(key, value)| {
        let value = match value {
            Json::Array(rounds) => Value::List(rounds.iter().map(record_of).collect()),
            text => Value::Text(text.as_str().unwrap_or_default().to_owned()),
        };
        (Arc::from(key.as_str()), value)
    });
    Record {
        values: values.collect(),
    }
}

fn pages_of(pages: &[Page]) -> Vec<ReadPage> {
    let read = |(page_class, path, json): &Page| ReadPage {
        page_class: *page_class,
        url: format!("http://a.example/{path}").parse().expect("a good address"),
        record: record_of(json),
    };
    pages.iter().map(read).collect()
}

/// A class whose links are known as such: keys that end in `_href`, after the key of their list.
pub(super) fn class(name: &str, links: &[&str]) -> ClassFacts {
    let facts = |link: &&str| {
        let (list, key) = link.rsplit_once('/').unwrap_or(("", link));
        let link = FieldFacts {
            list_path: list
                .split('/')
                .filter(|list| !list.is_empty())
                .map(str::to_owned)
                .collect(),
            key: key.to_owned(),
            attribute: Some("href".to_owned()),
            ..FieldFacts::default()
        };
        let text = FieldFacts {
            key: key.trim_end_matches("_href").to_owned(),
            label: key.trim_end_matches("_href").to_owned(),
            attribute: None,
            link: Some(key.to_owned()),
            ..link.clone()
        };
        [link, text]
    };
    ClassFacts {
        name: name.to_owned(),
        columns: links.iter().flat_map(facts).collect(),
        ..ClassFacts::default()
    }
}

/// Adds what pages hold beside the links: fields and lists that stand under a label, which is their
/// key.
fn with_labels(classes: &[ClassFacts], pages: &[ReadPage]) -> Vec<ClassFacts> {
    let mut classes = classes.to_vec();
    for page in pages {
        if let Some(class) = classes.get_mut(page.page_class) {
            let heading = class.name.clone();
            add_labels(&mut class.columns, &heading, &mut Vec::new(), &page.record);
        }
    }
    classes
}

/// What is called `name`, or as the class is, is the heading of its pages.
fn add_labels(columns: &mut Vec<FieldFacts>, heading: &str, list_path: &mut Vec<String>, record: &Record) {
    for (key, value) in &record.values {
        let is_list = matches!(value, Value::List(_));
        let is_known = columns
            .iter()
            .any(|facts| facts.key == **key && facts.list_path == *list_path);
        if !is_known {
            let is_heading = list_path.is_empty() && (**key == *"name" || **key == *heading);
            // A cell without a header has no label.
            let is_bare = is_heading || **key == *"td" || key.starts_with("td_");
            let label = if is_bare { "" } else { key.trim_end_matches("_list") };
            columns.push(FieldFacts {
                list_path: list_path.clone(),
                key: key.to_string(),
                label: label.to_owned(),
                is_list,
                is_heading,
                ..FieldFacts::default()
            });
        }
        if let Value::List(rounds) = value {
            list_path.push(key.to_string());
            rounds
                .iter()
                .for_each(|round| add_labels(columns, heading, list_path, round));
            list_path.pop();
        }
    }
}

fn database_of(classes: &[ClassFacts], pages: &[ReadPage]) -> Database {
    let mut survey = Survey::new(&with_labels(classes, pages));
    pages.iter().for_each(|page| survey.add(page));
    infer_schema(survey, &Addresses::default())
}

fn show(database: &Database) -> String {
    let mut shown = String::new();
    for table in &database.tables {
        shown.push_str(&format!("{}\n", table.name));
        for (index, column) in table.columns.iter().enumerate() {
            let refers = table.foreign_keys.iter().filter(|key| key.columns == [index]);
            let refers = refers.map(|key| {
                let to = &database.tables[key.table];
                format!(" -> {}.{}", to.name, to.columns[key.to[0]].name)
            });
            let unit = column.unit.iter().map(|unit| format!(" [{unit}]"));
            let null = if column.is_nullable { "?" } else { "" };
            let kind = match &column.source {
                ColumnSource::Field(_) => format!("{:?}{null}", column.kind),
                ColumnSource::Address => "Address".to_owned(),
                other => format!("{other:?}{null}"),
            };
            let ends: String = unit.chain(refers).collect();
            shown.push_str(&format!("  {}: {kind}{ends}\n", column.name));
        }
    }
    shown
}

pub(super) fn check_tables(classes: &[ClassFacts], pages: &[Page], expected: Expect) {
    expected.assert_eq(&show(&database_of(classes, &pages_of(pages))));
}

/// The names of the tables of a site.
pub(super) fn names_of(classes: &[ClassFacts], pages: &[Page]) -> Vec<String> {
    let tables = database_of(classes, &pages_of(pages)).tables;
    tables.into_iter().map(|table| table.name).collect()
}

/// The rows of a table, one a line.
pub(super) fn check_rows(classes: &[ClassFacts], pages: &[Page], table: &str, expected: Expect) {
    let pages = pages_of(pages);
    let database = database_of(classes, &pages);
    let mut shown = String::new();
    for page in &pages {
        rows_of(&database, page, &mut |index, row| {
            assert_eq!(row.len(), database.tables[index].columns.len());
            if database.tables[index].name == table {
                let cells: Vec<&str> = row.iter().map(|cell| cell.as_deref().unwrap_or("-")).collect();
                shown.push_str(&format!("{}\n", cells.join(" | ")));
            }
        });
    }
    expected.assert_eq(&shown);
}

const NAMES: [&str; 8] = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal"];

pub(super) fn people(more: impl Fn(usize) -> Json) -> Vec<Page> {
    let page = |index: usize| {
        let mut json = json!({ "name": format!("{} Green", NAMES[index]) });
        let own = more(index);
        let object = json.as_object_mut().expect("an object");
        object.extend(own.as_object().expect("an object").clone());
        (0, format!("people/{index}.html"), json)
    };
    (0..NAMES.len()).map(page).collect()
}

#[test]
fn columns_have_kinds_units_and_their_text() {
    let pages = people(|index| {
        json!({
            "height": format!("1.{}0 m", index + 1),
            "fee": format!("{}{},000", if index % 2 == 0 { "$" } else { "€" }, index + 1),
            "born": format!("{} May 199{index}", index + 3),
            "number": format!("00{index}"),
            "kick_off": format!("1{index}:30"),
            "age": (index + 20).to_string(),
            "married": if index % 3 == 0 { "yes" } else { "no" },
        })
    });
    check_tables(
        &[class("person", &[])],
        &pages,
        expect![[r#"
            person
              url: Address
              age: Integer?
              born: Date?
              born_text: Raw("born")
              fee: Integer?
              fee_currency: Unit("fee")?
              fee_text: Raw("fee")
              height: Decimal? [m]
              height_text: Raw("height")
              kick_off: Time?
              married: Boolean?
              married_text: Raw("married")
              name: Text
              number: Text
        "#]],
    );
}

#[test]
fn the_column_decides_whether_days_come_first() {
    let born = |last: &'static str| {
        move |index: usize| {
            let others = ["03/04/2004", "05/06/1999"];
            json!({ "born": if index == 0 { last } else { others[index % 2] } })
        }
    };
    let kind_of = |last| {
        let database = database_of(&[class("person", &[])], &pages_of(&people(born(last))));
        let column = &database.tables[0].columns[1];
        format!("{} {:?} {:?}", column.name, column.kind, column.reading.marks)
    };
    assert_eq!(kind_of("25/12/2000"), "born Date DayFirst");
    assert_eq!(kind_of("12/25/2000"), "born Date MonthFirst");
    assert_eq!(kind_of("01/12/2000"), "born Text Plain");
}

#[test]
fn junk_is_left_out() {
    let pages = people(|index| {
        let rounds: Vec<Json> = (0..index % 4)
            .map(|round| json!({ "note": format!("note {index} {round}") }))
            .collect();
        json!({
            "title": format!("{} Green | The Site", NAMES[index]),
            "site": "The Site",
            "notes_list": rounds,
        })
    });
    let mut person = class("person", &[]);
    // What stands under no label.
    person.columns.extend(["title", "site"].map(|key| FieldFacts {
        key: key.to_owned(),
        ..FieldFacts::default()
    }));
    check_tables(
        &[person],
        &pages,
        expect![[r#"
            person
              url: Address
              name: Text
            notes
              url: Address -> person.url
              position: Position(0)
              note: Text
        "#]],
    );
}

/// Eight people of four clubs; clubs list their people, and the cups that they won.
fn clubs() -> (Vec<ClassFacts>, Vec<Page>) {
    let club = |index: usize| ["Rovers", "United", "Albion", "Rangers"][index % 4];
    let address = |kind: &str, index: usize| format!("http://a.example/{kind}/{index}.html");
    let mut pages = people(
        |index| json!({ "club": club(index), "club_href": address("clubs", index % 4), "age": (index + 20).to_string() }),
    );
    let colours = ["red", "blue", "white", "green"];
    for (index, colour) in colours.into_iter().enumerate() {
        let squad: Vec<Json> = [index, index + 4]
            .iter()
            .map(|&person| json!({ "squad": format!("{} Green", NAMES[person]), "squad_href": address("people", person) }))
            .collect();
        let cups: Vec<Json> = (0..=index).map(|cup| json!({ "year": (1990 + index + cup).to_string(), "scorer_href": address("people", (index + cup) % 8) })).collect();
        let json = json!({ "club": club(index), "founded": (1900 + index).to_string(), "colour": colour, "squad_list": squad, "cups_list": cups });
        pages.push((1, format!("clubs/{index}.html"), json));
    }
    (
        vec![
            class("person", &["club_href"]),
            class("club", &["squad_list/squad_href", "cups_list/scorer_href"]),
        ],
        pages,
    )
}

#[test]
fn links_become_references_and_lists_stay() {
    let (classes, pages) = clubs();
    check_tables(
        &classes,
        &pages,
        expect![[r#"
            person
              url: Address
              club_url: Url -> club.url
              club: Text -> club.name
              age: Integer?
              name: Text
            club
              url: Address
              name: Text
              colour: Text
              founded: Integer?
            cups
              url: Address -> club.url
              position: Position(0)
              person_url: Url -> person.url
              year: Integer?
            squad
              url: Address -> club.url
              position: Position(0)
              person_url: Url -> person.url
              squad: Text -> person.name
        "#]],
    );
}

#[test]
fn links_that_lead_nowhere_are_left_out() {
    let (classes, mut pages) = clubs();
    // One address in nine is unknown: the others still are a reference.
    pages.push((
        0,
        "people/8.html".to_owned(),
        json!({ "name": "Ida Green", "club_href": "http://a.example/clubs/99.html", "age": "28" }),
    ));
    pages.push((
        0,
        "people/9.html".to_owned(),
        json!({ "name": "Jon Green", "club_href": "http://a.example/clubs/1.html", "age": "29" }),
    ));
    for index in 4..20 {
        let name = format!("Club {index}");
        pages.push((
            1,
            format!("clubs/{index}.html"),
            json!({ "club": name, "founded": (1900 + index).to_string(), "colour": name.to_lowercase() }),
        ));
        let address = format!("http://a.example/clubs/{index}.html");
        pages.push((0, format!("people/{}.html", index + 6), json!({ "name": format!("Kim {index}"), "club": name, "club_href": address, "age": (40 + index).to_string() })));
    }
    let pages_read = pages_of(&pages);
    let database = database_of(&classes, &pages_read);
    let club = database.tables[0]
        .columns
        .iter()
        .position(|column| column.name == "club_url")
        .expect("a column");
    assert_eq!(database.tables[0].foreign_keys[0].columns, [club]);
    let mut missing = Vec::new();
    for page in &pages_read {
        rows_of(&database, page, &mut |table, row| {
            if table == 0 && row[club].is_none() {
                missing.push(page.url.path().to_owned());
            }
        });
    }
    assert_eq!(missing, ["/people/8.html"]);
}

#[test]
fn texts_that_name_pages_are_references() {
    let names = ["Red Rovers", "Blue United", "White Albion", "Green Rangers"];
    let mut pages = people(|index| json!({ "club": names[index % 4], "age": (index + 20).to_string() }));
    for (index, name) in names.iter().enumerate() {
        pages.push((
            1,
            format!("clubs/{index}.html"),
            json!({ "name": name, "founded": (1900 + index).to_string(), "colour": name.to_lowercase() }),
        ));
    }
    check_tables(
        &[class("person", &[]), class("club", &[])],
        &pages,
        expect![[r#"
            person
              url: Address
              age: Integer?
              club: Text -> club.name
              name: Text
            club
              url: Address
              colour: Text
              founded: Integer?
              name: Text
        "#]],
    );
}

#[test]
fn heads_of_tables_are_no_rows() {
    let pages = people(|index| {
        let mut rounds = vec![json!({ "td": "Season", "td_2": "Goals" })];
        rounds.extend(
            (0..3)
                .map(|round| json!({ "td": (1990 + index + round).to_string(), "td_2": (index * round).to_string() })),
        );
        json!({ "career_list": rounds })
    });
    check_rows(
        &[class("person", &[])],
        &pages[..2],
        "career",
        expect![[r#"
            http://a.example/people/0.html | 2 | 1990 | 0
            http://a.example/people/0.html | 3 | 1991 | 0
            http://a.example/people/0.html | 4 | 1992 | 0
            http://a.example/people/1.html | 2 | 1991 | 0
            http://a.example/people/1.html | 3 | 1992 | 1
            http://a.example/people/1.html | 4 | 1993 | 2
        "#]],
    );
    check_tables(
        &[class("person", &[])],
        &pages,
        expect![[r#"
            person
              url: Address
              name: Text
            career
              url: Address -> person.url
              position: Position(0)
              season: Integer?
              goals: Integer?
        "#]],
    );
}

#[test]
fn words_that_all_lists_begin_with_head_their_columns() {
    let words = ["red", "blue", "grey", "pink", "teal", "gold", "lime", "plum"];
    let pages = people(|index| {
        let rounds = (0..3).map(|round| {
            let word = words[(index * 3 + round) % words.len()];
            json!({ "td": format!("-{word}"), "td_2": format!("paints it {word}") })
        });
        let header = json!({ "td": "Option", "td_2": "Meaning" });
        json!({ "switch_list": std::iter::once(header).chain(rounds).collect::<Vec<_>>() })
    });
    let shown = |pages: &[Page]| show(&database_of(&[class("person", &[])], &pages_of(pages)));
    let all = shown(&pages);
    assert!(all.contains("  option: ") && all.contains("  meaning: "), "{all}");
    // Two lists may begin with the same thing by chance.
    let two = shown(&pages[..2]);
    assert!(!two.contains("  option: "), "{two}");
    // Columns that have a header each have no other one.
    let headed = people(|index| {
        let round =
            |round: usize| json!({ "shape": words[(index + round) % 4], "kind": words[4 + (index * 2 + round) % 4] });
        let rounds: Vec<_> = std::iter::once(json!({ "shape": "Cloud", "kind": "Gaseous" }))
            .chain((0..3).map(round))
            .collect();
        json!({ "breath_list": rounds })
    });
    let headed = shown(&headed);
    assert!(headed.contains("  shape: ") && !headed.contains("cloud"), "{headed}");
}

#[test]
fn links_of_a_list_to_pages_of_its_own_class_are_links() {
    let pages = people(|index| {
        let friends = [1, 2, 3, 5].map(|step| {
            let other = (index + step) % 8;
            json!({ "friend": format!("{} Green", NAMES[other]), "friend_href": format!("http://a.example/people/{other}.html") })
        });
        json!({ "friend_list": friends })
    });
    let classes = [class("person", &["friend_list/friend_href"])];
    let shown = show(&database_of(&classes, &pages_of(&pages)));
    assert!(shown.contains("  link_url: Url -> person.url"), "{shown}");
}
