//! Wrapper files: written and read back, edited, broken.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use untemplate::content::Content;
use untemplate::page::{Page, ParseOptions, Response, xpath_of};
use untemplate::wrapper::SourcePart;
use untemplate::wrapper::infer_template;
use untemplate::wrapper::reading::{ClassReading, Guide, SchemaTuning, VocabularyCounts, decide};
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

fn reading() -> ClassReading {
    let contents: Vec<Content> = pages().iter().map(Content::of).collect();
    let mut counts = VocabularyCounts::default();
    contents.iter().for_each(|content| counts.add(content));
    let vocabulary = counts.finish(&Default::default());
    let mut guide = Guide::default();
    contents.iter().for_each(|content| guide.add(content, &vocabulary));
    let schema = decide(guide, vocabulary.n_pages(), &SchemaTuning::default());
    ClassReading { vocabulary, schema }
}

/// A reading as a file has it: without the counts that decided it.
fn pruned_reading() -> Wrapper {
    let reading = reading();
    let schema = reading.schema.pruned();
    Wrapper::Reading(Box::new(ClassReading { schema, ..reading }))
}

#[test]
fn a_reading_from_a_file_reads_as_the_one_it_was_written_from() {
    let text = write_wrapper(&Wrapper::Reading(Box::new(reading())));
    let extractor = Extractor::new(read_wrapper(&text).expect("it was just written"));
    for page in pages().iter().chain([&page("Eve", 2)]) {
        let extraction = extractor.extract(page);
        assert!(extraction.is_matched, "{extraction:?}");
        assert!(!extraction.record.values.is_empty());
        assert_eq!(extraction.record, reading().read(&Content::of(page)));
    }
}

#[test]
fn values_of_a_reading_are_traced_to_their_nodes() {
    let page = page("Ann", 3);
    let extraction = reading().extract(&page);
    let place = |of: &dyn Fn(&SourcePart) -> bool| -> Vec<String> {
        let sources = extraction.sources.iter().filter(|source| of(&source.part));
        sources.map(|source| xpath_of(&page.dom, source.node)).collect()
    };
    let links = place(&|part| matches!(part, SourcePart::Attribute(_)));
    assert!(
        links.iter().any(|xpath| xpath.ends_with("/ul[1]/li[2]/a[1]")),
        "{links:?}"
    );
    let pieces = place(&|part| *part == SourcePart::Piece);
    assert!(pieces.iter().any(|xpath| xpath.contains("/p[1]")), "{pieces:?}");
    assert_eq!(
        extraction.rounds.len(),
        4,
        "the page and three rows: {:?}",
        extraction.rounds
    );
}

#[test]
fn a_reading_is_shown_with_its_lists_and_labels() {
    let shown = pruned_reading().show();
    for said in [
        "a reading of 4 pages\n",
        "pair \"Born in\" -> ",
        " (\"Born in\")",
        " + 10 in ",
    ] {
        assert!(shown.contains(said), "{said}: {shown}");
    }
}

#[test]
fn what_is_written_is_read() {
    for wrapper in [template(), expressions(), pruned_reading()] {
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
    fn fuzz_wrapper(kind in 0usize..3, cut in 0usize..4000, junk in "[\\[\\]{}\",:0-9a-z]{0,6}", skip in 0usize..6) {
        let text = write_wrapper(&[template, expressions, pruned_reading][kind]());
        let at = (0..=cut.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let rest = (at + skip..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
        let edited = format!("{}{junk}{}", &text[..at], &text[rest..]);
        if let Ok(wrapper) = read_wrapper(&edited) {
            Extractor::new(wrapper).extract(&page("Eve", 2));
        }
    }
}
