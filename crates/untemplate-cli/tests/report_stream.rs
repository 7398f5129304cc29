//! `report` by what an earlier run learnt: rows come while the search goes on, and are those of the
//! tables.

mod program;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use program::{Bench, check_error};
use serde_json::Value;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

const WRAPPER: &str = "untemplate-out/wrappers/stadiums.json";

const READER: &str = "untemplate-out/reader.json";

const MIRROR: [&str; 3] = ["--mirror", "http://cup.example/=cup/site", "-q"];

/// The demo site on disk, and how its stadiums are read; a stadium.
fn bench() -> (Bench, String) {
    let bench = Bench::new();
    let told = bench.run(&["demo", "--players", "60", "--write", "cup", "-q", "-o", "demo.txt"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let folder = std::fs::read_dir(bench.path().join("cup/site/stadiums")).expect("it has stadiums");
    let mut names: Vec<String> = folder
        .map(|entry| entry.expect("a file").file_name().into_string().expect("UTF-8"))
        .filter(|name| name != "index.html")
        .collect();
    names.sort();
    let sample = format!("stadiums/{}", names[0]);
    let url = format!("http://cup.example/{sample}");
    let told = bench.run(&[&["report", &url, "--format", "jsonl"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    (bench, sample)
}

fn lines(text: &str) -> BTreeSet<String> {
    text.lines().map(str::to_owned).collect()
}

/// Streams the pages like a sample.
fn stream(bench: &Bench, sample: &str, reader: &str) -> program::Told {
    let sample = format!("http://cup.example/{sample}");
    let words = ["report", &sample, "--wrapper", reader, "--format", "jsonl", "-o", "-"];
    bench.run(&[&words[..], &MIRROR, &["--summary", "figures.json"]].concat())
}

#[test]
fn rows_are_those_of_the_tables() {
    let (bench, sample) = bench();
    let told = stream(&bench, &sample, READER);
    assert_eq!(told.code, 0, "{}", told.err);
    for table in ["stadiums", "matches_played"] {
        let begin = format!("{{\"table\":\"{table}\",\"row\":");
        let rows = told
            .out
            .lines()
            .filter_map(|line| line.strip_prefix(&begin)?.strip_suffix('}'));
        let rows: BTreeSet<String> = rows.map(str::to_owned).collect();
        let written = bench.read(&format!("untemplate-out/{table}.jsonl"));
        assert_eq!(rows, lines(&written), "{table}");
    }
    let figures: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert_eq!(
        (&figures["found"], &figures["matched"]),
        (&4.into(), &4.into()),
        "{figures}"
    );
}

#[test]
fn records_are_those_of_the_pages_that_gather_finds() {
    let (bench, sample) = bench();
    let told = stream(&bench, &sample, WRAPPER);
    assert_eq!(told.code, 0, "{}", told.err);
    let sample = format!("http://cup.example/{sample}");
    let gathered = bench.run(&[&["gather", &sample][..], &MIRROR].concat());
    let piped = bench.run_with_input(&[&["extract", WRAPPER, "-"][..], &MIRROR].concat(), &gathered.out);
    assert_eq!(lines(&told.out), lines(&piped.out));
    assert_eq!(told.out.lines().count(), 4, "each page once: {}", told.out);
}

#[test]
fn a_reader_of_a_whole_site_tells_the_class_of_the_sample() {
    let (bench, sample) = bench();
    let words = ["rebuild", "http://cup.example/", "--wrappers-only", "-o", "whole"];
    assert_eq!(bench.run(&[&words[..], &MIRROR].concat()).code, 0);
    let told = stream(&bench, &sample, "whole/reader.json");
    assert_eq!(told.code, 0, "{}", told.err);
    let of_stadiums = told
        .out
        .lines()
        .filter(|line| line.starts_with("{\"table\":\"stadiums\""));
    assert_eq!(of_stadiums.count(), 4, "{}", told.out);
}

#[test]
fn rows_come_while_the_search_goes_on() {
    let (bench, sample) = bench();
    let options = DatabaseOptions {
        players: 60,
        ..DatabaseOptions::default()
    };
    let server =
        Server::start(DemoSite::new(options, Skin::Modern), ServerOptions::default()).expect("the site starts");
    let sample = format!("{}{sample}", server.url());
    let mut child = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["report", &sample, "--wrapper", READER, "--format", "jsonl", "-o", "-"])
        .args(["--delay", "0.05", "--no-robots", "-q"])
        .current_dir(bench.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let output = BufReader::new(child.stdout.take().expect("it has an output"));
    // How many requests the site had seen as each row of a stadium came.
    let lines = output.lines().map(|line| (line.expect("a line"), server.requests()));
    let of_stadiums = lines.filter(|(line, _)| line.starts_with("{\"table\":\"stadiums\""));
    let n_requests: Vec<u64> = of_stadiums.map(|(_, n_requests)| n_requests).collect();
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert_eq!(n_requests.len(), 4, "{n_requests:?}");
    assert!(
        n_requests.iter().all(|&n_requests| n_requests < server.requests()),
        "rows came after the last request, which was number {}: {n_requests:?}",
        server.requests()
    );
}

#[test]
fn what_cannot_be_streamed_is_said() {
    let (bench, sample) = bench();
    let sample = format!("cup/site/{sample}");
    let report = ["report", &sample];
    let check = |more: &[&str], code: i32, message: &str| {
        check_error(&bench, &[&report[..], more].concat(), code, &[message]);
    };
    check(&["-o", "-"], 2, "report SAMPLE --wrapper FILE --format jsonl -o -");
    check(&["--wrapper", WRAPPER], 2, "give --format jsonl -o - with it");
    check(
        &["--wrapper", WRAPPER, "-o", "-", "--format", "csv"],
        2,
        "streams JSON lines alone",
    );
    check(
        &["--wrapper", "none.json", "-o", "-"],
        1,
        "cannot read the wrapper none.json",
    );
    // A wrapper of other pages reads none of these.
    let player = std::fs::read_dir(bench.path().join("cup/site/players")).expect("it has players");
    let player = player
        .map(|entry| entry.expect("a file").path())
        .find(|path| {
            path.file_stem()
                .is_some_and(|name| name.to_string_lossy().contains('-'))
        })
        .expect("a player");
    let player = player.to_string_lossy();
    let told = bench.run(&["report", &player, "--wrapper", WRAPPER, "-o", "-", "-q"]);
    assert_eq!((told.code, told.out.as_str()), (4, ""), "{}", told.err);
}
