//! Lessons on a site of three kinds of pages: choices in, a specification out.

use std::collections::HashMap;
use std::sync::Arc;

use expect_test::{Expect, expect};
use url::Url;

use super::*;
use crate::page::{Page, ParseOptions, Request, Response};
use crate::teach::{
    CleanUp, ClickedLink, Example, FieldChoice, FieldKind, Means, Navigation, Origin, SessionOptions, TaughtRecord,
    ValuePattern, Values, followings, show_rule, show_specification,
};

fn address(path: &str) -> Url {
    let base: Url = "http://shop.example/".parse().expect("a good address");
    base.join(path).expect("a good address")
}

fn get(path: &str) -> Request {
    Request::get(address(path))
}

fn item(number: usize) -> String {
    format!("<h1>Lamp {number}</h1><dl><dt>Price<dd>$ {number}0<dt>Weight<dd>{number} kg</dl>")
}

fn site() -> HashMap<Request, Arc<Page>> {
    let list = "<form action=/find><select name=kind><option value=a>A<option value=b>B</select><button>Find</button></form><ul><li><a href=/item/1>one</a><li><a href=/item/2>two</a><li><a href=/item/3>three</a></ul>";
    let pages = [("/", list.to_owned()), ("/find?kind=a", list.replace("form", "p"))];
    let items = (1..4).map(|number| (["/item/1", "/item/2", "/item/3"][number - 1], item(number)));
    let read = |(path, html): (&str, String)| {
        let response = Response::html(address(path), format!("<p>The shop</p>{html}"));
        (get(path), Arc::new(Page::read(&response, &ParseOptions::default())))
    };
    pages.into_iter().chain(items).map(read).collect()
}

fn follow() -> Choice {
    let clicked = vec![ClickedLink::from(address("/item/2"))];
    let rule = show_rule(&followings(&site()[&get("/")], &clicked)[0].rule);
    let means = Means::Links {
        shown: clicked.iter().map(|link| link.url.as_str().into()).collect(),
        rule: Some(rule),
    };
    let sample = vec![get("/item/1"), get("/item/2"), get("/item/3")];
    navigate("TO_ITEM", ("HOME", "ITEM"), means, sample)
}

fn navigate(id: &str, (from, to): (&str, &str), means: Means, sample: Vec<Request>) -> Choice {
    let origin = Origin::SamplePage {
        class: from.to_owned(),
        page: 0,
    };
    let (id, to) = (id.to_owned(), to.to_owned());
    let navigation = Navigation { id, origin, to, means };
    Choice::Navigate { navigation, sample }
}

/// The links of [`follow`], between other classes.
fn follow_as(id: &str, (from, to): (&str, &str), sample: Vec<Request>) -> Choice {
    let Choice::Navigate { navigation, .. } = follow() else {
        unreachable!("it is made above");
    };
    navigate(id, (from, to), navigation.means, sample)
}

fn show(field: &str, value: &str) -> Choice {
    let (field, value) = (field.to_owned(), value.into());
    Choice::Show {
        class: "ITEM".to_owned(),
        example: Example { field, page: 0, value },
    }
}

fn taught(choices: &[Choice]) -> Taught {
    let lesson = Lesson::of(address("/"), choices);
    Taught::new(&lesson, &site(), SessionOptions::default())
}

fn check(choices: &[Choice], expected: Expect) {
    let taught = taught(choices);
    let shown = show_specification(&taught.specification);
    // Rules and assertions have tests of their own; here their number is enough.
    let is_told =
        |line: &&str| !line.trim_start().starts_with(|c: char| c.is_ascii_digit()) && !line.contains("asserts");
    let told: String = shown.lines().filter(is_told).map(|line| format!("{line}\n")).collect();
    expected.assert_eq(&told);
    taught.specification.check().expect("it makes sense");
}

#[test]
fn clicks_become_navigation_fields_and_a_path() {
    check(
        &[follow(), show("weight", "1 kg"), show("price", "$ 10")],
        expect![[r#"
            site http://shop.example/
            HOME
              entry http://shop.example/
              -TO_ITEM-> ITEM by GET
                ABSOLUTE /descendant::ul/li/a/@href
            ITEM
              field weight
              field price
            path TO_ITEM: HOME -TO_ITEM-> ITEM
        "#]],
    );
}

#[test]
fn a_form_is_navigation_and_two_paths_have_two_names() {
    let field = FieldChoice {
        name: "kind".to_owned(),
        values: Values::Options,
    };
    let means = Means::Form {
        path: Some("/html[1]/body[1]/form[1]".to_owned()),
        fields: vec![field],
    };
    let submit = navigate("FIND", ("HOME", "FOUND"), means, vec![get("/find?kind=a")]);
    let hit = follow_as("HIT", ("FOUND", "ITEM"), vec![get("/item/1")]);
    check(
        &[follow(), submit, hit, show("price", "$ 10")],
        expect![[r#"
            site http://shop.example/
            HOME
              entry http://shop.example/
              -TO_ITEM-> ITEM by GET
                ABSOLUTE /descendant::ul/li/a/@href
              -FIND-> FOUND by GET
                form /html[1]/body[1]/form[1]
                  kind = each option
            ITEM
              field price
            FOUND
              -HIT-> ITEM by GET
                ABSOLUTE /descendant::ul/li/a/@href
            path TO_ITEM: HOME -TO_ITEM-> ITEM
            path FIND: HOME -FIND-> FOUND -HIT-> ITEM
        "#]],
    );
}

#[test]
fn answers_are_given_when_their_question_comes_whatever_the_order() {
    let ask = |taught: &Taught| taught.sessions[1].question();
    let mut choices = vec![follow(), show("price", "$ 10")];
    let question = ask(&taught(&choices)).expect("one example is in doubt");
    assert_eq!(question.field, "price");
    let answer = |field: &str, page: usize, values: Option<&[&str]>| Choice::Answer {
        class: "ITEM".to_owned(),
        answer: LessonAnswer {
            field: field.to_owned(),
            page,
            values: values.map(|values| values.iter().map(|&value| value.into()).collect()),
        },
    };
    let value = format!("$ {}0", question.page + 1);
    choices.push(answer("price", question.page, Some(&[&value])));
    assert_eq!(ask(&taught(&choices)), None, "one answer settles it");
    // Another field is taught later, and asked about; the first answer still stands.
    choices.push(show("a_title", "Lamp 1"));
    let question = ask(&taught(&choices)).expect("the new field is asked about");
    assert_eq!(question.field, "a_title");
    choices.push(answer("a_title", question.page, None));
    assert_eq!(ask(&taught(&choices)), None, "who does not know is not asked again");
}

#[test]
fn a_rule_that_is_left_out_gives_way_to_the_next() {
    let mut choices = vec![follow(), show("price", "$ 10")];
    let head = |choices: &[Choice]| show_rule(&taught(choices).sessions[1].fields()[0].slots[0].rules[0].rule);
    let first = head(&choices);
    choices.push(Choice::LeaveOut {
        class: "ITEM".to_owned(),
        field: "price".to_owned(),
        rule: first.clone(),
    });
    assert_ne!(head(&choices), first);
}

#[test]
fn what_is_removed_is_gone_and_what_names_nothing_changes_nothing() {
    let class = || "ITEM".to_owned();
    let remove = [
        Choice::RemoveField {
            class: class(),
            field: "price".to_owned(),
        },
        Choice::RemoveNavigation {
            id: "TO_ITEM".to_owned(),
        },
        Choice::RemoveField {
            class: "NONE".to_owned(),
            field: "x".to_owned(),
        },
        Choice::Swap {
            id: "NONE".to_owned(),
            rule: String::new(),
        },
    ];
    let all: Vec<Choice> = [follow(), show("price", "$ 10")].into_iter().chain(remove).collect();
    check(
        &all,
        expect![[r#"
            site http://shop.example/
            HOME
              entry http://shop.example/
            ITEM
        "#]],
    );
}

/// What the fields of all classes are on the items that are there.
fn values(choices: &[Choice], pages: &HashMap<Request, Arc<Page>>) -> Vec<(String, String, String)> {
    let lesson = Lesson::of(address("/"), choices);
    let taught = Taught::new(&lesson, pages, SessionOptions::default());
    let mut values = Vec::new();
    for session in &taught.sessions {
        for field in session.fields() {
            for page in session.sample() {
                let read = field.read(&page.page, page.texts()).values;
                values.extend(
                    read.into_iter()
                        .map(|picked| (page.name.clone(), field.name.clone(), picked.text)),
                );
            }
        }
    }
    values
}

#[test]
fn a_page_that_is_gone_takes_what_was_said_about_it_and_nothing_else() {
    let show_on = |field: &str, page: usize, value: &str| Choice::Show {
        class: "ITEM".to_owned(),
        example: Example {
            field: field.to_owned(),
            page,
            value: value.into(),
        },
    };
    let choices = [
        follow(),
        show_on("price", 1, "$ 20"),
        show_on("price", 2, "$ 30"),
        show_on("weight", 1, "2 kg"),
        show_on("name", 2, "Lamp 3"),
    ];
    let mut site = site();
    // The wrong value of another field stands where a shifted number would find it.
    let twisted = "<p>The shop</p><h1>Lamp 3</h1><dl><dt>Price<dd>$ 30<dt>Weight<dd>2 kg</dl>";
    let response = Response::html(address("/item/3"), twisted.to_owned());
    site.insert(
        get("/item/3"),
        Arc::new(Page::read(&response, &ParseOptions::default())),
    );
    let all = values(&choices, &site);
    assert!(all.len() > 8, "{all:?}");
    for gone in ["/", "/item/1", "/item/2", "/item/3"] {
        let mut rest = site.clone();
        rest.remove(&get(gone));
        for value in values(&choices, &rest) {
            assert!(all.contains(&value), "without {gone}: {value:?}");
        }
        let lesson = Lesson::of(address("/"), &choices);
        let lost = Taught::new(&lesson, &rest, SessionOptions::default()).lost;
        assert!(!lost.is_empty(), "it is said what {gone} took along");
    }
    let mut rest = site.clone();
    rest.remove(&get("/item/2"));
    let present = Lesson::of(address("/"), &choices).present(|request| rest.contains_key(request));
    assert_eq!(present.whole_number("ITEM", 1), Some(2));
    expect![[r#"
        ITEM: 1 of its 3 pages missing, and with them 2 of the 4 examples and answers
        ITEM: weight was shown on missing pages alone, so that it is not read"#]]
    .assert_eq(&present.lost.join("\n"));
}

#[test]
fn classes_that_lead_to_each_other_in_every_order_take_no_time() {
    let mut choices = vec![follow(), show("price", "$ 10")];
    let names: Vec<String> = (0..16).map(|number| format!("C{number}")).collect();
    let mut add = |from: &str, to: &str| {
        choices.push(follow_as(
            &format!("{from}-{to}"),
            (from, to),
            vec![get("/find?kind=a")],
        ));
    };
    for name in &names {
        add("HOME", name);
        names
            .iter()
            .filter(|other| *other != name)
            .for_each(|other| add(name, other));
    }
    let taught = taught(&choices);
    assert_eq!(taught.specification.request_classes.len(), 1 + 16 + 16 * 15);
    assert_eq!(taught.specification.paths.len(), 1, "the others lead nowhere");
}

#[test]
fn fields_are_renamed_moved_cleaned_and_written_by_hand() {
    let (class, text) = (|| "ITEM".to_owned(), str::to_owned);
    let clean_up = CleanUp {
        pattern: ValuePattern::new("[0-9]+").ok(),
        kind: Some(FieldKind::Integer),
    };
    let shaped = [
        follow(),
        show("weight", "1 kg"),
        show("price", "$ 10"),
        Choice::RenameField {
            class: class(),
            field: text("weight"),
            to: text("mass"),
        },
        Choice::OrderFields {
            class: class(),
            fields: vec![text("price"), text("mass")],
        },
        Choice::CleanField {
            class: class(),
            field: text("mass"),
            clean_up,
        },
        Choice::WriteRule {
            class: class(),
            field: text("name"),
            path: "//h1".parse().expect("a good path"),
        },
    ];
    check(
        &shaped,
        expect![[r#"
            site http://shop.example/
            HOME
              entry http://shop.example/
              -TO_ITEM-> ITEM by GET
                ABSOLUTE /descendant::ul/li/a/@href
            ITEM
              field price
              field mass as integer matching [0-9]+
              field name
            path TO_ITEM: HOME -TO_ITEM-> ITEM
        "#]],
    );
    let specification = taught(&shaped).specification;
    let page = &site()[&get("/item/3")];
    let record = TaughtRecord::read(&specification.classes[1], page);
    let values: Vec<&str> = record
        .fields
        .iter()
        .map(|(_, values)| values[0].text.as_str())
        .collect();
    assert_eq!(values, ["$ 30", "3", "Lamp 3"]);
}

#[test]
fn a_page_that_does_not_belong_teaches_nothing() {
    let belongs = |is_wanted| Choice::Belongs {
        class: "ITEM".to_owned(),
        page: 1,
        is_wanted,
    };
    let pages = |choices: &[Choice]| {
        let taught = taught(choices);
        let (wanted, unwanted) = taught.sessions[1].wanted();
        (
            wanted.len(),
            unwanted.len(),
            taught.sessions[1].question().map(|question| question.page),
        )
    };
    let choices = [follow(), show("price", "$ 10"), belongs(false)];
    assert_eq!(pages(&choices), (2, 1, Some(2)), "it is not asked about");
    let choices = [follow(), show("price", "$ 10"), belongs(false), belongs(true)];
    assert_eq!(pages(&choices).0, 3);
}
