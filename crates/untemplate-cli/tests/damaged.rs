//! WARC files of which a part is lost, from outside: what is there is read, and the run says that it
//! is a part, by its exit code too.

mod program;

use program::{Bench, check_error};
use serde_json::Value;

/// A WARC record with a page.
fn record(path: &str, body: &str) -> String {
    let http = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://w.example{path}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:{path}>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    )
}

/// The records of a site of an index and twelve pages.
fn records() -> Vec<String> {
    let names = (1..13).map(|number| format!("/people/{number}.html"));
    let links: String = names
        .clone()
        .map(|name| format!("<li><a href={name}>{name}</a>"))
        .collect();
    let page = |(number, name): (usize, String)| {
        let body = format!(
            "<title>Person {number}</title><h1>Person {number}</h1><p>Born: {}<p>Height: {}",
            1900 + number,
            150 + number
        );
        record(&name, &body)
    };
    let index = record("/", &format!("<title>People</title><h1>People</h1><ul>{links}</ul>"));
    std::iter::once(index).chain(names.enumerate().map(page)).collect()
}

fn summary(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON")
}

/// Rebuilds a file into the folder `out`; what was said of the run.
fn check_rebuild(bench: &Bench, file: &str, code: i32) -> String {
    let told = bench.run(&["rebuild", file, "-o", "out", "--summary", "figures.json"]);
    assert_eq!(told.code, code, "{file}: {}", told.err);
    told.err
}

#[test]
fn a_file_that_was_cut_off_gives_a_part() {
    let bench = Bench::new();
    let whole = records().concat();
    bench.write("whole.warc", &whole);
    assert!(!check_rebuild(&bench, "whole.warc", 0).contains("in part"));

    bench.write("cut.warc", &whole[..whole.len() - 500]);
    let err = check_rebuild(&bench, "cut.warc", 3);
    assert!(err.contains("in part: cut.warc is damaged"), "{err}");
    assert!(err.contains(" 0 vanished"), "what was not read has not vanished: {err}");
    let why = summary(&bench)["partial_because"].to_string();
    assert!(why.contains("cut.warc is damaged"), "{why}");

    let entry = "http://w.example/";
    let told = bench.run(&["records", entry, "--warc", "cut.warc"]);
    assert_eq!(told.code, 3, "every verb says so: {}", told.err);
    let told = bench.run(&["archive", "--import", "cut.warc", "--archive", "kept"]);
    assert_eq!(told.code, 3, "{}", told.err);

    let words = [
        "archive",
        "--import",
        "whole.warc",
        "--archive",
        "all",
        "--export",
        "whole.warc.gz",
        "-q",
    ];
    let told = bench.run(&words);
    assert_eq!(told.code, 0, "{}", told.err);
    let packed = std::fs::read(bench.path().join("whole.warc.gz")).expect("it was exported");
    bench.write("cut.warc.gz", &packed[..packed.len() - 300]);
    let err = check_rebuild(&bench, "cut.warc.gz", 3);
    assert!(err.contains("in part: cut.warc.gz is damaged"), "{err}");
}

#[test]
fn a_hole_in_a_file_gives_a_part() {
    let bench = Bench::new();
    let records = records();
    let hole = [&records[0], "these bytes are no record\r\n", &records[2..].concat()].concat();
    bench.write("hole.warc", hole);
    let err = check_rebuild(&bench, "hole.warc", 3);
    assert!(
        err.contains("bytes are no record") && err.contains("in part: hole.warc is damaged"),
        "{err}"
    );
}

#[test]
fn a_file_that_is_no_archive_is_said_to_be_none() {
    let bench = Bench::new();
    bench.write("noise.warc.gz", "no archive at all");
    check_error(
        &bench,
        &["rebuild", "noise.warc.gz"],
        1,
        &["noise.warc.gz has no pages", "17 bytes are no record"],
    );
}
