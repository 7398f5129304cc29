//! Small sites with lists, and what the lists are called.

use serde_json::json;

use super::schema_inference_tests::{Page, class, names_of};
use super::{ClassFacts, FieldFacts};

fn list(list_path: &[&str], label: &str, mark: &str) -> FieldFacts {
    let (key, above) = list_path.split_last().expect("a list has a key");
    FieldFacts {
        list_path: above.iter().map(|key| (*key).to_owned()).collect(),
        key: (*key).to_owned(),
        label: label.to_owned(),
        mark: mark.to_owned(),
        is_list: true,
        ..FieldFacts::default()
    }
}

fn ships(lists: Vec<FieldFacts>) -> ClassFacts {
    let mut ships = class("ship", &[]);
    let name = FieldFacts {
        key: "h1".to_owned(),
        tag: "h1".to_owned(),
        is_heading: true,
        ..FieldFacts::default()
    };
    ships.columns = [name].into_iter().chain(lists).collect();
    ships
}

#[test]
fn a_list_is_called_by_the_label_of_the_list_that_only_holds_it() {
    let page = |number: usize| -> Page {
        let rows = |group: usize| json!({ "tr": [{ "text": format!("Crew {number} {group} a") }, { "text": format!("Crew {number} {group} b") }] });
        (
            0,
            format!("ship/{number}"),
            json!({ "h1": format!("Ship {number}"), "div": [rows(1), rows(2)] }),
        )
    };
    let facts = ships(vec![list(&["div"], "Crew", ""), list(&["div", "tr"], "", "wrap_x")]);
    assert_eq!(
        names_of(&[facts], &(0..9).map(page).collect::<Vec<Page>>()),
        ["ship", "crew"]
    );
}

#[test]
fn a_list_is_called_what_its_pages_are_called_but_not_what_one_of_them_is() {
    let page = |heading: &'static str| {
        move |number: usize| -> Page {
            let name = if heading.is_empty() {
                format!("Ship {number}")
            } else {
                heading.to_owned()
            };
            let rows = [1, 2, 3].map(|row| json!({ "text": format!("Row {number} {row}") }));
            (0, format!("ship/{number}"), json!({ "h1": name, "tr": rows }))
        }
    };
    let facts = || ships(vec![list(&["tr"], "", "")]);
    let named = |heading: &'static str| names_of(&[facts()], &(0..9).map(page(heading)).collect::<Vec<Page>>());
    assert_eq!(named("Fleet"), ["fleet"]);
    assert_eq!(named(""), ["ship", "ship_list"]);
}
