//! `repair`, and `run --verify-first --repair`, from outside: a site that has changed is read
//! again.

mod players;
mod program;

use std::fs;
use std::path::Path;

use players::{PLAYERS, site, write_site};
use program::Bench;
use serde_json::Value;

/// Writes every page below a folder anew.
fn rewrite(folder: &Path, change: &dyn Fn(&str) -> String) {
    for entry in fs::read_dir(folder).expect("a folder can be listed") {
        let path = entry.expect("a folder can be listed").path();
        if path.is_dir() {
            rewrite(&path, change);
        } else if path.extension().is_some_and(|its| its == "html") {
            let text = fs::read_to_string(&path).expect("a page can be read");
            fs::write(&path, change(&text)).expect("a page can be written");
        }
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder can be made");
    for entry in fs::read_dir(from).expect("a folder can be listed") {
        let path = entry.expect("a folder can be listed").path();
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, target).expect("a file can be copied");
        }
    }
}

/// A site, and its specification, before and after the label of the position was renamed.
fn changed_site() -> Bench {
    let bench = Bench::new();
    write_site(&bench);
    copy(&bench.path().join("cup/site"), &bench.path().join("old"));
    rewrite(&bench.path().join("cup/site/players"), &|page| {
        page.replace("<dt>Position</dt>", "<dt>Plays as</dt>")
    });
    bench.write("players.xml", PLAYERS);
    bench
}

const NEW: &str = "http://cup.example/=cup/site";
const OLD: &str = "http://cup.example/=old";

/// The addresses of some players.
fn addresses() -> Vec<String> {
    let is_player = |path: &String| path.starts_with("/players/") && path.ends_with("7.html");
    let paths = site().paths().filter(is_player).collect::<Vec<String>>();
    paths
        .into_iter()
        .map(|path| format!("http://cup.example{path}"))
        .collect()
}

#[test]
fn a_field_whose_label_was_renamed_is_mended() {
    let bench = changed_site();
    let addresses = addresses();
    assert!(addresses.len() >= 8, "{addresses:?}");
    let pages: Vec<&str> = addresses.iter().map(String::as_str).collect();
    let run = |words: &[&str]| bench.run(&[words, &pages[..]].concat());
    assert_eq!(run(&["verify", "players.xml", "--mirror", NEW]).code, 4);
    let told = run(&[
        "repair",
        "players.xml",
        "--mirror",
        NEW,
        "--old-mirror",
        OLD,
        "-o",
        "mended.xml",
        "--report",
        "report.jsonl",
    ]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.err.contains("field position is read anew"), "{}", told.err);
    assert_eq!(
        run(&["verify", "mended.xml", "--mirror", NEW, "-o", "lines.jsonl"]).code,
        0
    );
    let report = bench.read("report.jsonl");
    let outcomes: Vec<(String, String)> = report
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"))
        .map(|line| (line["field"].to_string(), line["outcome"].to_string()))
        .collect();
    let outcome = |field: &str, outcome: &str| (format!("\"{field}\""), format!("\"{outcome}\""));
    assert_eq!(
        outcomes,
        [
            outcome("name", "kept"),
            outcome("position", "mended"),
            outcome("nickname", "kept"),
            outcome("seasons", "kept"),
        ]
    );
    // What the old pages said is what the new ones say.
    let extract = |file: &str, mirror: &str| run(&["extract", file, "--mirror", mirror]).out;
    assert_eq!(extract("mended.xml", NEW), extract("players.xml", OLD));
}

#[test]
fn what_cannot_be_mended_is_left_empty() {
    let bench = changed_site();
    rewrite(&bench.path().join("cup/site/players"), &|page| {
        let start = page.find("<dt>Plays as</dt>").unwrap_or(page.len());
        let end = page[start..].find("</dd>").map_or(page.len(), |end| start + end + 5);
        format!("{}{}", &page[..start], &page[end..])
    });
    let addresses = addresses();
    let pages: Vec<&str> = addresses.iter().map(String::as_str).collect();
    let repair = [
        "repair",
        "players.xml",
        "--mirror",
        NEW,
        "--old-mirror",
        OLD,
        "-o",
        "mended.xml",
    ];
    let told = bench.run(&[&repair[..], &pages[..]].concat());
    assert_eq!(told.code, 4, "{}", told.err);
    assert!(told.err.contains("field position could not be mended"), "{}", told.err);
    assert!(
        bench
            .read("mended.xml")
            .contains("<field name=\"position\" optional=\"false\" lost=\"true\">")
    );
    let read = bench.run(&["extract", "mended.xml", "--mirror", NEW, pages[0]]);
    let line: Value = serde_json::from_str(&read.out).expect("a line is JSON");
    assert_eq!(line["record"]["position"], Value::Null);
    assert!(line["problems"].to_string().contains("could not be mended"), "{line}");
    assert_eq!(
        bench
            .run(&["verify", "mended.xml", "--mirror", NEW, pages[0], "-q"])
            .code,
        4
    );
}

#[test]
fn wrappers_keep_the_names_of_their_fields() {
    let bench = changed_site();
    rewrite(&bench.path().join("cup/site/players"), &|page| {
        let tags = [
            ("dl", "div"),
            ("dt", "b"),
            ("dd", "i"),
            ("main", "article"),
            ("h1", "h2"),
        ];
        tags.iter().fold(page.to_owned(), |page, (old, new)| {
            page.replace(&format!("<{old}"), &format!("<{new}"))
                .replace(&format!("</{old}>"), &format!("</{new}>"))
        })
    });
    let addresses = addresses();
    let pages: Vec<&str> = addresses.iter().map(String::as_str).collect();
    let run = |words: &[&str]| bench.run(&[words, &pages[..]].concat());
    assert_eq!(run(&["infer", "--mirror", OLD, "-o", "players.wrapper"]).code, 0);
    assert_eq!(run(&["verify", "players.wrapper", "--mirror", OLD, "-q"]).code, 0);
    assert_eq!(run(&["verify", "players.wrapper", "--mirror", NEW, "-q"]).code, 4);
    let told = run(&[
        "repair",
        "players.wrapper",
        "--mirror",
        NEW,
        "--old-mirror",
        OLD,
        "-o",
        "mended.wrapper",
    ]);
    assert_eq!(told.code, 0, "{}", told.err);
    let position = |file: &str, mirror: &str| -> Vec<String> {
        let lines = run(&["extract", file, "--mirror", mirror]).out;
        let lines = lines
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("a line is JSON"));
        lines.map(|line| line["record"]["position"].to_string()).collect()
    };
    assert_eq!(position("mended.wrapper", NEW), position("players.wrapper", OLD));
}

#[test]
fn a_run_looks_before_it_writes() {
    let bench = changed_site();
    let run = |words: &[&str]| bench.run(&[&["run", "players.xml", "--mirror", NEW, "-o", "out"], words].concat());
    let told = run(&["--verify-first"]);
    assert_eq!(told.code, 4, "{}", told.err);
    assert!(
        told.err.contains("field position held on 0 of 30 pages"),
        "{}",
        told.err
    );
    assert!(!bench.path().join("out").exists());
    assert_eq!(run(&["--verify-first", "--repair"]).code, 2);
    let told = run(&[
        "--verify-first",
        "--repair",
        "--old-mirror",
        OLD,
        "--summary",
        "summary.json",
    ]);
    assert_eq!(told.code, 0, "{}", told.err);
    let changes: Value = serde_json::from_str(&bench.read("out/changes.json")).expect("changes are JSON");
    assert_eq!(changes["drift"], serde_json::json!([]));
    assert!(changes["mended"].to_string().contains("position"), "{changes}");
    assert!(bench.read("out/specification.xml").contains("Plays as"));
    let rows = bench.read("out/PLAYER.jsonl");
    assert!(rows.lines().all(|row| row.contains("\"position\":\"")), "{rows}");
    // The next run, by what was mended, has nothing to mend.
    let again = [
        "run",
        "out/specification.xml",
        "--mirror",
        NEW,
        "-o",
        "again",
        "--verify-first",
    ];
    let told = bench.run(&again);
    assert_eq!(told.code, 0, "{}", told.err);
}
