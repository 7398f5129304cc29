//! Wrapper files: written and read back, edited, broken.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use untemplate::page::{Page, ParseOptions, Response};
use untemplate::wrapper::infer_template;
use untemplate_papers::roadrunner::{ExpressionSet, SearchOptions};

use super::{Extractor, Wrapper, read_wrapper, write_wrapper};

fn page(name: &str, rows: usize) -> Page {
    let rows: String = (0..rows)
        .map(|row| format!("<li><b>{name}</b> (row {row}) <a href=/{name}/{row}>{row}</a></li>"))
        .collect();
    let html = format!("<h1>{name}</h1><p>Born in: {name}ville</p><ul class=rows>{rows}</ul>");
    Page::read(
        &Response::html("http://a.example/".parse().expect("a good address"), html),
        &ParseOptions::default(),
    )
}

fn pages() -> Vec<Page> {
    [("Ann", 3), ("Bob", 1), ("Cid", 4), ("Dan", 2)]
        .map(|(name, rows)| page(name, rows))
        .to_vec()
}

fn template() -> Wrapper {
    Wrapper::Template(infer_template(&pages().iter().collect::<Vec<_>>()))
}

fn expressions() -> Wrapper {
    Wrapper::Expressions(ExpressionSet::infer(
        &pages().iter().collect::<Vec<_>>(),
        &SearchOptions::default(),
    ))
}

#[test]
fn what_is_written_is_read() {
    for wrapper in [template(), expressions()] {
        let text = write_wrapper(&wrapper);
        assert_eq!(read_wrapper(&text).expect("it was just written"), wrapper);
    }
}

fn check_error(text: &str, expected: Expect) {
    expected.assert_eq(&read_wrapper(text).expect_err("the file is broken").to_string());
}

#[test]
fn broken_files_say_what_is_wrong() {
    check_error(
        "{",
        expect!["it is no JSON (EOF while parsing an object at line 1 column 1); give a file that `infer` wrote"],
    );
    check_error(
        r#"{"version": 7, "kind": "template"}"#,
        expect![[
            r#"it is a wrapper of kind "template" and version 7, which this program does not know; infer it again"#
        ]],
    );
    check_error(
        r#"{"version": 1, "kind": "template", "parts": [{"part": 0, "tag": "html", "items": [0]}]}"#,
        expect!["part 0: the item 0 is no part that comes after it; undo the last edit of the file, or infer it again"],
    );
    check_error(
        r#"{"version": 1, "kind": "template", "parts": [{"part": 0, "tag": "html", "items": [1, 1]}, {"part": 1, "tag": "p"}]}"#,
        expect![
            "part 1: it is an item of two parts, or twice of one; undo the last edit of the file, or infer it again"
        ],
    );
}

#[test]
fn expressions_without_their_texts_are_refused() {
    let text = write_wrapper(&expressions());
    let start = text.find("\"texts\":[").expect("it has texts") + "\"texts\":[".len();
    let end = start + text[start..].find(']').expect("the list ends");
    let error = read_wrapper(&format!("{}{}", &text[..start], &text[end..])).expect_err("the texts are gone");
    assert!(
        error.to_string().contains("it has 0 texts, and its expression has"),
        "{error}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn fuzz_wrapper(is_template in any::<bool>(), cut in 0usize..4000, junk in "[\\[\\]{}\",:0-9a-z]{0,6}", skip in 0usize..6) {
        let text = write_wrapper(&if is_template { template() } else { expressions() });
        let at = (0..=cut.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let rest = (at + skip..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        let edited = format!("{}{junk}{}", &text[..at], &text[rest..]);
        if let Ok(wrapper) = read_wrapper(&edited) {
            Extractor::new(wrapper).extract(&page("Eve", 2));
        }
    }
}
