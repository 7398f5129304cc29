//! Small sites with data that looks like something else, and stays.

use expect_test::expect;
use serde_json::json;

use super::schema_inference_tests::{Page, check_rows, check_tables, class, people};
use super::{ClassFacts, FieldFacts};

/// A class with fields that stand in these regions, under these labels.
fn class_in(context: &str, fields: &[(&str, &str)]) -> ClassFacts {
    let field = |(key, label): &(&str, &str)| FieldFacts {
        key: (*key).to_owned(),
        label: (*label).to_owned(),
        context: vec![context.to_owned()],
        ..FieldFacts::default()
    };
    ClassFacts {
        columns: fields.iter().map(field).collect(),
        ..class("person", &[])
    }
}

#[test]
fn lists_may_begin_with_the_same_row() {
    let pages = people(|index| {
        let rounds = [("Small", 10), ("Large", 20 + index), ("Huge", 50 + index)];
        let rounds = rounds.map(|(size, price)| json!({ "size": size, "price": price.to_string() }));
        json!({ "size_list": rounds })
    });
    check_rows(
        &[class("person", &[])],
        &pages[..2],
        "size",
        expect![[r#"
            http://a.example/people/0.html | 1 | 10 | Small
            http://a.example/people/0.html | 2 | 20 | Large
            http://a.example/people/0.html | 3 | 50 | Huge
            http://a.example/people/1.html | 1 | 10 | Small
            http://a.example/people/1.html | 2 | 21 | Large
            http://a.example/people/1.html | 3 | 51 | Huge
        "#]],
    );
}

#[test]
fn what_most_of_a_page_stands_in_is_no_navigation() {
    let pages = people(|index| json!({ "hits": (index * 3).to_string(), "dd": format!("Step {}", index + 1) }));
    check_tables(
        &[class_in(
            "nav",
            &[("name", "Name"), ("hits", "Hits"), ("dd", "Next step")],
        )],
        &pages,
        expect![[r#"
            person
              url: Address
              name: Text
              hits: Integer?
              next_step: Text
        "#]],
    );
}

#[test]
fn signs_are_data() {
    let sign = |index: usize| if index.is_multiple_of(2) { "♂" } else { "♀" };
    let pages =
        people(|index| json!({ "sex": sign(index), "veteran": if index.is_multiple_of(3) { "-" } else { "yes" } }));
    check_tables(
        &[class("person", &[])],
        &pages,
        expect![[r#"
            person
              url: Address
              name: Text
              sex: Text
              veteran: Boolean?
              veteran_text: Raw("veteran")?
        "#]],
    );
}

/// Many people, whose names all differ.
fn many(more: impl Fn(usize) -> serde_json::Value) -> Vec<Page> {
    let page = |index: usize| (0, format!("people/{index}.html"), more(index));
    (0..700).map(page).collect()
}

#[test]
fn lists_on_one_page_in_ten_are_data() {
    let pages = many(|index| {
        let awards = [format!("Cup {index}"), format!("Shield {index}")].map(|award| json!({ "award": award }));
        match index % 10 {
            0 => json!({ "name": format!("Ada {index}"), "awards_list": awards }),
            _ => json!({ "name": format!("Ada {index}") }),
        }
    });
    check_tables(
        &[class("person", &[])],
        &pages,
        expect![[r#"
            person
              url: Address
              name: Text
            awards
              url: Address -> person.url
              position: Position(0)
              award: Text
        "#]],
    );
}

#[test]
fn columns_that_differ_in_one_row_of_many_are_no_copies() {
    let pages = many(|index| {
        let born = format!("Town {}", index % 90);
        let lives = if index == 333 {
            "Abroad".to_owned()
        } else {
            born.clone()
        };
        json!({ "name": format!("Ada {index}"), "born": born, "lives": lives, "home": lives })
    });
    check_tables(
        &[class_in(
            "",
            &[("name", "Name"), ("born", "Born"), ("lives", "Lives"), ("home", "Home")],
        )],
        &pages,
        expect![[r#"
            person
              url: Address
              name: Text
              born: Text
              lives: Text
        "#]],
    );
}
