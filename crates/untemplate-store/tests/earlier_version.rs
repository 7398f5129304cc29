//! What version 0.1 wrote is still read: an archive, wrappers of both kinds, a model, a
//! specification, a lesson.
//!
//! `fixtures/version_0_1` has a file of each, written by that program over four small pages. Where
//! a format changes so that such a file cannot be read any more, its check here becomes one that it
//! is refused with a sentence that says what to run.

use std::fs;
use std::path::{Path, PathBuf};

use untemplate::page::{Page, ParseOptions, Request};
use untemplate::teach::{Choice, extract_by_specification};
use untemplate_store::archive::{ArchiveOptions, PageStore, SqliteArchive, UnixMillis, stored_response};
use untemplate_store::{Extractor, Wrapper};
use untemplate_store::{parse_lesson, read_lesson, read_model, read_specification, read_wrapper};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/version_0_1")
        .join(name)
}

fn text_of(name: &str) -> String {
    fs::read_to_string(fixture(name)).expect("the fixture is there")
}

/// The pages of the archive. Its database is kept as SQL, since a text shows what is in it.
fn pages() -> Vec<Page> {
    let folder = tempfile::tempdir().expect("a folder");
    let bodies = folder.path().join("bodies");
    fs::create_dir(&bodies).expect("a folder");
    fs::copy(fixture("archive/bodies/000001.zst"), bodies.join("000001.zst")).expect("it is copied");
    let database = rusqlite::Connection::open(folder.path().join("archive.sqlite")).expect("a database");
    database
        .execute_batch(&text_of("archive/archive.sql"))
        .expect("it is SQL");
    database.close().expect("it is written");
    let mut archive = SqliteArchive::open(folder.path(), &ArchiveOptions::default(), UnixMillis(0))
        .expect("an archive of version 0.1 is opened");
    let page = |number: usize| {
        let url = format!("http://cup.example/p/{number}.html")
            .parse()
            .expect("a good address");
        let stored = archive
            .page(&Request::get(url))
            .expect("it is read")
            .expect("the page is kept");
        let response = stored_response(&mut archive, &stored).expect("its body is kept");
        Page::read(&response, &ParseOptions::default())
    };
    (1..=3).map(page).collect()
}

#[test]
fn archives_and_wrappers_are_read() {
    let pages = pages();
    for name in ["template.wrapper", "expressions.wrapper"] {
        let wrapper = read_wrapper(&text_of(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let kind = matches!(wrapper, Wrapper::Template(_));
        assert_eq!(kind, name.starts_with("template"), "{name}");
        let extractor = Extractor::new(wrapper);
        for (page, town) in pages.iter().zip(["London", "Malmo", "Graz"]) {
            let extraction = extractor.extract(page);
            assert!(extraction.is_matched, "{name}: {}", page.url);
            assert!(
                format!("{:?}", extraction.record).contains(town),
                "{name}: {:?}",
                extraction.record
            );
        }
    }
}

#[test]
fn models_are_read() {
    let model = read_model(&fixture("model.json")).expect("a model of version 0.1 is read");
    assert_eq!(model.classes.len(), 2);
    let patterns: Vec<String> = model
        .classes
        .iter()
        .map(|class| class.url_pattern.to_string())
        .collect();
    assert_eq!(patterns[0], "http://cup.example/p/#.html");
}

#[test]
fn specifications_are_read() {
    let specification = read_specification(&fixture("specification.xml")).expect("one of version 0.1 is read");
    let pages = pages();
    let read = pages.iter().map(|page| {
        let record = extract_by_specification(page, &specification)
            .record
            .expect("the page is of the class");
        let values = record
            .fields
            .iter()
            .map(|(name, values)| format!("{name}={}", values[0].text));
        values.collect::<Vec<String>>().join(" ")
    });
    let read: Vec<String> = read.collect();
    assert_eq!(
        read,
        [
            "born=1815 name=Ada Byron",
            "born=1905 name=Bo Lind",
            "born=1969 name=Cleo Roth"
        ]
    );
}

#[test]
fn lessons_are_read() {
    let lesson = read_lesson(&fixture("lesson.json"))
        .expect("one of version 0.1 is read")
        .expect("it is there");
    assert_eq!(lesson.entry.as_str(), "http://cup.example/");
    let kinds: Vec<&str> = lesson
        .choices
        .iter()
        .map(|choice| match choice {
            Choice::Navigate { .. } => "follow",
            Choice::Show { .. } => "show",
            Choice::Answer { .. } => "answer",
            _ => "other",
        })
        .collect();
    assert_eq!(kinds, ["follow", "show", "show", "answer"]);
}

#[test]
fn a_later_version_is_refused_with_what_to_do() {
    let later = |name: &str| {
        text_of(name)
            .replace("\"version\": 1", "\"version\": 99")
            .replace("\"version\":1", "\"version\":99")
    };
    let refused = parse_lesson(&later("lesson.json")).expect_err("nobody knows version 99");
    assert!(refused.contains("99"), "{refused}");
    let refused = read_wrapper(&later("template.wrapper"))
        .expect_err("nobody knows version 99")
        .to_string();
    assert!(refused.contains("infer it again"), "{refused}");
}
