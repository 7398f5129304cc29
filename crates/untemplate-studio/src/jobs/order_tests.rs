//! What forms become: arguments, or a refusal.

use super::order::{JobPlace, Order, archive_name};
use super::register::JobOptions;
use crate::teach::asked::Asked;
use expect_test::{Expect, expect};
use std::fs;

fn check(form: &str, expected: Expect) {
    let studio = tempfile::tempdir().expect("a folder");
    fs::create_dir(studio.path().join("site")).expect("a folder");
    let spec = "<codec version=\"1\">\n<page-class id=\"HOME\" entry=\"true\"><address>http://cup.example/a</address></page-class>\n</codec>";
    fs::write(studio.path().join("--spec.xml"), spec).expect("a file");
    let root = studio.path().canonicalize().expect("it is there");
    let place = JobPlace {
        folder: root.join("untemplate-jobs/one"),
        studio: root.clone(),
    };
    let options = JobOptions::default();
    let told =
        match Order::read(&Asked::read(form.as_bytes()), &root).and_then(|order| order.arguments(&place, &options)) {
            Ok(arguments) => arguments
                .iter()
                .map(|argument| argument.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join("\n"),
            Err(reason) => format!("refused: {reason}"),
        };
    expected.assert_eq(&told.replace(&root.display().to_string(), "STUDIO"));
}

#[test]
fn forms_become_arguments() {
    check(
        "verb=rebuild&entry=http%3A%2F%2Fcup.example%2F&format=csv&pages=20&minutes=2&host_only=on",
        expect![[r#"
            rebuild
            --summary=STUDIO/untemplate-jobs/one/summary.json
            --output=STUDIO/untemplate-jobs/one/tables
            --archive=STUDIO/untemplate-archive/cup.example
            --public-only
            --max-pages=20
            --max-time=120
            --host-only
            --format=sqlite
            --format=csv
            --
            http://cup.example/"#]],
    );
    check(
        "verb=model&entry=http%3A%2F%2Fcup.example%2Fa%2F&mirror=site",
        expect![[r#"
            model
            --summary=STUDIO/untemplate-jobs/one/summary.json
            --output=STUDIO/untemplate-jobs/one/model.json
            --archive=STUDIO/untemplate-jobs/one/pages
            --mirror=http://cup.example/=STUDIO/site
            --public-only
            --
            http://cup.example/a/"#]],
    );
    check(
        "verb=run&specification=--spec.xml",
        expect![[r#"
            run
            --summary=STUDIO/untemplate-jobs/one/summary.json
            --output=STUDIO/untemplate-jobs/one/tables
            --archive=STUDIO/untemplate-archive/cup.example
            --preview=STUDIO/untemplate-jobs/one/rows.jsonl
            --public-only
            --format=sqlite
            --
            STUDIO/--spec.xml"#]],
    );
}

#[test]
fn nothing_typed_becomes_an_option() {
    check(
        "verb=model&entry=--output%3D%2Ftmp%2Fx",
        expect![[
            r#"refused: "--output=/tmp/x" is no address of a page; give a whole one, such as https://site.example/."#
        ]],
    );
    check(
        "verb=model&entry=file%3A%2F%2F%2Fetc%2Fpasswd",
        expect![[
            r#"refused: "file:///etc/passwd" is no address of a page; give a whole one, such as https://site.example/."#
        ]],
    );
    check(
        "verb=model&entry=http%3A%2F%2F..%2F",
        expect![[r#"refused: "http://../" is no address of a page; give a whole one, such as https://site.example/."#]],
    );
    for dots in ["http://../", "http://./", "http://.../"] {
        assert_eq!(archive_name(&dots.parse().expect("an address")), "site");
    }
    check(
        "verb=model&entry=http%3A%2F%2Fa.example%2F&mirror=..%2F..",
        expect![[r#"refused: "../.." is no folder below the studio's."#]],
    );
    check(
        "verb=run&specification=..%2Fspec.xml",
        expect!["refused: Choose a specification below the studio's folder."],
    );
    check(
        "verb=archive&entry=http%3A%2F%2Fa.example%2F",
        expect!["refused: Choose what to do."],
    );
    check(
        "verb=model&entry=http%3A%2F%2Fa.example%2F&pages=-1",
        expect!["refused: -1 is no number that makes sense; leave it empty for no limit."],
    );
}

#[test]
fn a_job_that_runs_again_looks_first_and_tells_somebody() {
    let studio = tempfile::tempdir().expect("a folder");
    let root = studio.path().canonicalize().expect("it is there");
    let spec = "<codec version=\"1\">\n<page-class id=\"HOME\" entry=\"true\"><address>http://cup.example/a</address></page-class>\n</codec>";
    fs::write(root.join("spec.xml"), spec).expect("a file");
    let place = JobPlace {
        folder: root.join("untemplate-jobs/one"),
        studio: root.clone(),
    };
    fs::create_dir_all(&place.folder).expect("a folder");
    let options = JobOptions {
        notice: Some("mail me".to_owned()),
        ..JobOptions::default()
    };
    let order = Order::read(&Asked::read(b"verb=run&specification=spec.xml"), &root).expect("it makes sense");
    let told = || order.arguments(&place, &options).expect("it can be started");
    let has = |argument: &str| told().iter().any(|own| own == argument);
    assert!(
        !has("--notice=mail me") && !has("--verify-first"),
        "somebody watches it"
    );
    fs::write(place.folder.join("schedule.json"), r#"{"every_hours": 24}"#).expect("a file");
    assert!(
        has("--notice=mail me") && has("--verify-first") && has("--refresh=43200"),
        "{:?}",
        told()
    );
}
