//! `infer`, `extract` and `show wrapper`, from outside: the demo site's pages to its own data, and
//! what happens when things are wrong.

mod program;

use program::{Bench, check_error};
use serde_json::Value;

/// A bench with the demo site, and the names of its player pages.
fn cup() -> (Bench, Vec<String>) {
    let bench = Bench::new();
    assert_eq!(bench.run(&["demo", "--players", "30", "--write", "cup", "-q"]).code, 0);
    let listed = std::fs::read_dir(bench.path().join("cup/site/players")).expect("the site has players");
    let names = listed.map(|entry| {
        entry
            .expect("a folder can be listed")
            .file_name()
            .to_string_lossy()
            .into_owned()
    });
    let mut players: Vec<String> = names
        .filter(|name| name.ends_with(".html") && name.contains('-'))
        .collect();
    players.sort();
    let players = players
        .into_iter()
        .map(|name| format!("cup/site/players/{name}"))
        .collect();
    (bench, players)
}

fn rows(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

fn infer_from(bench: &Bench, pages: &[String], more: &[&str]) -> i32 {
    let mut words = vec!["infer", "-o", "players.wrapper", "--base", "http://cup.example/", "-q"];
    words.extend_from_slice(more);
    words.extend(pages.iter().map(String::as_str));
    bench.run(&words).code
}

#[test]
fn players_are_read_from_pages_never_seen() {
    let (bench, players) = cup();
    assert!(players.len() >= 25, "{players:?}");
    let (training, others) = players.split_at(10);
    assert_eq!(
        infer_from(
            &bench,
            training,
            &["--summary", "figures.json", "--html", "report.html"]
        ),
        0
    );
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert_eq!(
        (summary["wrappers"].as_u64(), summary["pages_matched"].as_u64()),
        (Some(1), Some(10))
    );
    assert!(bench.read("report.html").contains("<mark"), "fields are coloured");
    let mut words = vec!["extract", "players.wrapper"];
    words.extend(others.iter().map(String::as_str));
    let told = bench.run(&words);
    assert_eq!(told.code, 0, "{}", told.err);
    for row in rows(&told.out) {
        assert_eq!(row["matched"], true, "{row}");
        // The player's name is the page's heading, and some field holds just that.
        let html = bench.read(row["page"].as_str().expect("a page has a name"));
        let heading = html
            .split("<h1>")
            .nth(1)
            .and_then(|rest| rest.split("</h1>").next())
            .expect("a player has a heading");
        let values = row["record"].as_object().expect("a record is an object").values();
        assert!(values.clone().any(|value| value == heading), "{heading}: {row}");
    }
}

#[test]
fn pages_of_another_class_are_drift() {
    let (bench, players) = cup();
    infer_from(&bench, &players[..6], &[]);
    let told = bench.run(&[
        "extract",
        "players.wrapper",
        "cup/site/index.html",
        "cup/site/matches.html",
        "--summary",
        "s.json",
    ]);
    assert_eq!(told.code, 4, "{}", told.out);
    let summary: Value = serde_json::from_str(&bench.read("s.json")).expect("a summary is JSON");
    assert_eq!(summary["matched"].as_u64(), Some(0));
    assert!(
        rows(&told.out)[0]["problems"]
            .as_array()
            .is_some_and(|problems| !problems.is_empty())
    );
}

#[test]
fn the_papers_engine_reads_what_it_learnt_from() {
    let (bench, players) = cup();
    assert_eq!(infer_from(&bench, &players[..5], &["--faithful"]), 0);
    let mut words = vec!["extract", "players.wrapper"];
    words.extend(players[..5].iter().map(String::as_str));
    assert!(rows(&bench.run(&words).out).iter().all(|row| row["matched"] == true));
    assert!(
        bench
            .run(&["show", "wrapper", "players.wrapper"])
            .out
            .contains("#PCDATA")
    );
}

#[test]
fn the_same_pages_give_the_same_bytes() {
    let (bench, players) = cup();
    infer_from(&bench, &players[..8], &[]);
    let first = bench.read("players.wrapper");
    infer_from(&bench, &players[..8], &[]);
    assert_eq!(first, bench.read("players.wrapper"));
}

#[test]
fn what_is_wrong_is_said() {
    let bench = Bench::new();
    bench
        .write("page.html", "<p>x")
        .write("broken", "[]")
        .write("later", r#"{"version": 9, "kind": "template"}"#);
    check_error(
        &bench,
        &["extract", "missing", "page.html"],
        1,
        &["cannot read the wrapper missing"],
    );
    check_error(
        &bench,
        &["extract", "broken", "page.html"],
        1,
        &["cannot use the wrapper broken"],
    );
    check_error(&bench, &["extract", "later", "page.html"], 1, &["version 9"]);
    check_error(&bench, &["infer", "nowhere.html"], 1, &["none of the 1 pages"]);
    check_error(
        &bench,
        &["infer", "page.html", "--faithful", "--prefix"],
        2,
        &["cannot be used with"],
    );
}

#[test]
fn pages_that_one_verb_printed_are_read_by_another() {
    let (bench, players) = cup();
    assert_eq!(infer_from(&bench, &players[..10], &[]), 0);
    let mirror = "http://cup.example/=cup/site";
    let sample = players[0].replace("cup/site", "http://cup.example");
    let gathered = bench.run(&["gather", &sample, "--mirror", mirror, "-q"]);
    assert_eq!(gathered.code, 0, "{}", gathered.err);
    let extract = ["extract", "players.wrapper", "-", "--mirror", mirror, "-q"];
    let told = bench.run_with_input(&extract, &gathered.out);
    assert_eq!(told.code, 0, "{}", told.err);
    let read = rows(&told.out);
    assert_eq!(read.len(), players.len());
    assert!(
        read.iter()
            .all(|row| row["matched"] == true && row["page"] == row["url"])
    );
    let told = bench.run_with_input(&extract, "{\"distance\": 0}\n");
    assert_eq!((told.code, told.out.as_str()), (2, ""));
    assert!(told.err.contains("page 1 of the list"), "{}", told.err);
}
