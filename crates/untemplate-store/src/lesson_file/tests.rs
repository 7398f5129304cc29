//! Every choice comes back as it was; what is no lesson is said to be none.

use untemplate::page::{Method, Request};
use untemplate::rule::Trim;
use untemplate::teach::{
    CleanUp, Example, FieldChoice, FieldKind, GridColumn, LessonAnswer, Means, Navigation, Origin, RowField,
    ShownValue, Spot, TaughtRows, ValuePattern, Values,
};

use super::*;

fn text(text: &str) -> String {
    text.to_owned()
}

fn entry() -> Url {
    "http://shop.example/".parse().expect("a good address")
}

fn navigation() -> Vec<Choice> {
    let post = Request {
        method: Method::Post,
        url: entry(),
        body: b"kind=a".to_vec(),
    };
    let field = |name: &str, values| FieldChoice {
        name: name.to_owned(),
        values,
    };
    let navigate = |id: &str, means: Means, sample: Vec<Request>| {
        let origin = Origin::SamplePage {
            class: text("HOME"),
            page: 0,
        };
        let (id, to) = (text(id), text("ITEM"));
        let navigation = Navigation { id, origin, to, means };
        Choice::Navigate { navigation, sample }
    };
    let links = Means::Links {
        shown: vec![
            entry().to_string().into(),
            ShownValue {
                text: entry().to_string(),
                spot: Some(Spot {
                    path: "/html[1]/body[1]/a[2]".parse().expect("a good path"),
                    offset: None,
                }),
            },
        ],
        rule: Some(text("ABSOLUTE //a/@href")),
    };
    let form = Means::Form {
        path: Some(text("//form")),
        fields: vec![
            field("a", Values::Options),
            field("b", Values::Constant(text("x"))),
            field("c", Values::Listed(vec![text("y")])),
            field("d", Values::Omitted),
        ],
    };
    vec![
        navigate("TO", links, vec![Request::get(entry()), post]),
        navigate("FIND", form, Vec::new()),
    ]
}

fn said() -> Vec<Choice> {
    let class = || text("ITEM");
    let spot = |offset| Spot {
        path: "/html[1]/body[1]/p[2]/text()[1]".parse().expect("a good path"),
        offset,
    };
    let pointed = |offset| ShownValue {
        text: text("$ 9"),
        spot: Some(spot(offset)),
    };
    let show = |value: ShownValue| Choice::Show {
        class: class(),
        example: Example {
            field: text("price"),
            page: 1,
            value,
        },
    };
    let answer = |values| Choice::Answer {
        class: class(),
        answer: LessonAnswer {
            field: text("price"),
            page: 2,
            values,
        },
    };
    let (sample, field, rule) = (Vec::new(), text("price"), text("r"));
    vec![
        show("$ 9".into()),
        show(pointed(None)),
        show(pointed(Some(7))),
        answer(None),
        answer(Some(Vec::new())),
        answer(Some(vec!["$ 8".into(), pointed(None), pointed(Some(2))])),
        Choice::LeaveOut {
            class: class(),
            field: field.clone(),
            rule: rule.clone(),
        },
        Choice::Swap { id: text("TO"), rule },
        Choice::More { class: class(), sample },
        Choice::RemoveField { class: class(), field },
        Choice::RemoveNavigation { id: text("TO") },
    ]
}

fn rows() -> TaughtRows {
    let column = |header: Option<&str>| GridColumn {
        number: 2,
        header: header.map(text),
    };
    let row_field = |column: Option<GridColumn>, path: Option<&str>, prefix: &str| RowField {
        name: text("goals"),
        column,
        path: path.map(|path| path.parse().expect("a good path")),
        trim: Trim {
            prefix: prefix.into(),
            suffix: "".into(),
        },
    };
    TaughtRows {
        name: text("SQUAD"),
        is_optional: true,
        path: "//table/tbody/tr".parse().expect("a good path"),
        fields: vec![
            row_field(Some(column(Some("Goals"))), None, ""),
            row_field(Some(column(None)), Some("descendant::a/@href"), ""),
            row_field(None, Some("span[1]"), "Age:"),
        ],
    }
}

/// Choices about the shape of a class.
fn shaped() -> Vec<Choice> {
    let (class, field) = (|| text("ITEM"), || text("price"));
    let rows = rows();
    let example = |page| Example {
        field: field(),
        page,
        value: "$ 9".into(),
    };
    let clean = |pattern: Option<&str>, kind| Choice::CleanField {
        class: class(),
        field: field(),
        clean_up: CleanUp {
            pattern: pattern.map(|pattern| ValuePattern::new(pattern).expect("a good pattern")),
            kind,
        },
    };
    vec![
        Choice::ShowAll {
            class: class(),
            examples: vec![example(0), example(1)],
            absent: vec![(field(), 2)],
        },
        Choice::Rows { class: class(), rows },
        Choice::RemoveRows {
            class: class(),
            name: text("SQUAD"),
        },
        Choice::Belongs {
            class: class(),
            page: 3,
            is_wanted: false,
        },
        Choice::RenameField {
            class: class(),
            field: field(),
            to: text("cost"),
        },
        Choice::OrderFields {
            class: class(),
            fields: vec![text("b"), text("a")],
        },
        Choice::WriteRule {
            class: class(),
            field: field(),
            path: "//dd[2]/text()".parse().expect("a good path"),
        },
        clean(Some(r"\d+"), None),
        clean(None, Some(FieldKind::Integer)),
    ]
}

fn lesson() -> LessonFile {
    let choices = [navigation(), said(), shaped()].concat();
    LessonFile {
        entry: entry(),
        choices,
    }
}

#[test]
fn every_choice_comes_back_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("new").join("shop.json");
    assert_eq!(read_lesson(&file).expect("no file is no error"), None);
    write_lesson(&file, &lesson()).expect("it can be written");
    write_lesson(&file, &lesson()).expect("it can be written again");
    assert_eq!(read_lesson(&file).expect("it was written"), Some(lesson()));
}

#[test]
fn what_is_no_lesson_is_said_to_be_none() {
    let check = |text: &str, reason: &str| {
        let error = parse_lesson(text).expect_err("it is none");
        assert!(error.contains(reason), "{error}");
    };
    check("{}", "version");
    check(
        r#"{"version": 4, "entry": "http://a.example/", "choices": []}"#,
        "version 4",
    );
    check(r#"{"version": 1, "entry": "a", "choices": []}"#, "entry");
    check(
        r#"{"version": 2, "entry": "http://a.example/", "choices": [
            {"choice": "show", "class": "A", "field": "b", "page": 0, "value": "c", "at": "]"}]}"#,
        "the place",
    );
    check(
        r#"{"version": 1, "entry": "http://a.example/", "choices": [{"choice": "dance"}]}"#,
        "dance",
    );
}

#[test]
fn a_lesson_that_somebody_else_changed_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lesson.json");
    let lesson = |ids: &[&str]| LessonFile {
        entry: "http://cup.example/".parse().expect("a good address"),
        choices: ids
            .iter()
            .map(|id| Choice::RemoveNavigation { id: (*id).to_owned() })
            .collect(),
    };
    rewrite_lesson(&file, None, &lesson(&["A"])).expect("there was none");
    rewrite_lesson(&file, Some(&lesson(&["A"])), &lesson(&["A", "B"])).expect("it is as it was seen");
    let error = rewrite_lesson(&file, Some(&lesson(&["A"])), &lesson(&["A", "C"])).expect_err("it was changed");
    assert!(error.to_string().contains("changed by another program"), "{error}");
    rewrite_lesson(&file, None, &lesson(&["C"])).expect_err("there is one");
    assert_eq!(read_lesson(&file).expect("it can be read"), Some(lesson(&["A", "B"])));
}
