//! Ctrl-C and SIGTERM from outside: every verb that fetches ends within two seconds, with code 130,
//! and keeps its pages.
#![cfg(unix)]

mod players;
mod program;

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use players::{PLAYERS, site};
use program::{Bench, contents};
use untemplate_demo::{Server, ServerOptions};

/// How long a program may take to end once it is told to.
const END_MAX: Duration = Duration::from_secs(2);

/// Requests before the signal: robots.txt, the first page, and one after the pause between
/// requests.
const REQUESTS_BEFORE: u64 = 3;

/// Starts a verb on a live site, interrupts it while it fetches, and checks how it ends; the folder
/// it ran in.
fn check_interrupt(signal: &str, answer_ms: u64, requests: u64, words: &[&str]) -> Bench {
    let bench = Bench::new();
    let options = ServerOptions {
        delay_ms: answer_ms,
        ..ServerOptions::default()
    };
    let server = Server::start(site(), options).expect("the demo site starts");
    bench.write("players.xml", PLAYERS.replace("http://cup.example/", &server.url()));
    let page = format!("{}players/", server.url());
    let examples = serde_json::json!({"fields": {"name": [{"page": page, "value": "Players"}]}});
    bench.write("examples.json", examples.to_string());
    let words = words.iter().map(|word| word.replace("SITE/", &server.url()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(words)
        .args(["--delay", "1", "-q", "--summary", "figures.json"])
        .current_dir(bench.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    wait_for_requests(&mut child, &server, requests);
    let told = Instant::now();
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    let code = child.wait().expect("it ends").code();
    let took = told.elapsed();
    assert_eq!(code, Some(130), "exit code after {signal}");
    assert!(took < END_MAX, "it took {took:?} to end after {signal}");
    let summary: serde_json::Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert_eq!(summary["exit_code"], 130, "{summary}");
    bench
}

fn wait_for_requests(child: &mut Child, server: &Server, count: u64) {
    while server.requests() < count {
        assert_eq!(child.try_wait().expect("it can be asked"), None, "it ended too early");
        sleep(Duration::from_millis(5));
    }
}

/// Interrupts a verb by both signals; what it fetched before is in its archive.
fn check_both(words: &[&str]) {
    for signal in ["-INT", "-TERM"] {
        let bench = check_interrupt(signal, 0, REQUESTS_BEFORE, &[words, &["--archive", "kept"]].concat());
        assert!(!contents(&bench.path().join("kept")).is_empty(), "pages are kept");
    }
}

#[test]
fn archive_ends_soon() {
    check_both(&["archive", "SITE/"]);
}

#[test]
fn gather_ends_soon() {
    check_both(&["gather", "SITE/players/by-initial/a.html"]);
}

#[test]
fn model_ends_soon() {
    check_both(&["model", "SITE/"]);
}

#[test]
fn report_ends_soon() {
    check_both(&["report", "SITE/players/by-initial/a.html", "-o", "out"]);
}

#[test]
fn rebuild_ends_soon() {
    check_both(&["rebuild", "SITE/", "-o", "out"]);
}

#[test]
fn run_ends_soon() {
    check_both(&["run", "players.xml"]);
}

const PAGES: [&str; 5] = ["SITE/", "SITE/players/", "SITE/teams/", "SITE/matches/", "SITE/news/"];

#[test]
fn show_ends_soon() {
    check_both(&[&["show", "links"], &PAGES[..]].concat());
}

#[test]
fn verbs_over_pages_end_soon() {
    check_both(&[&["infer", "-o", "wrapper.json"], &PAGES[..]].concat());
    check_both(&[&["extract", "players.xml"], &PAGES[..]].concat());
    check_both(&[&["verify", "players.xml"], &PAGES[..]].concat());
    check_both(
        &[
            &["learn", "--examples", "examples.json", "-o", "learnt.xml"],
            &PAGES[..],
        ]
        .concat(),
    );
}

#[test]
fn records_ends_soon() {
    check_both(&["records", "SITE/search?q=a", "--follow-next"]);
}

#[test]
fn plans_end_soon() {
    // A survey of this site makes three requests in all.
    check_interrupt("-INT", 0, 2, &["archive", "SITE/", "--dry-run"]);
    check_interrupt("-TERM", 0, REQUESTS_BEFORE, &["rebuild", "SITE/", "--dry-run"]);
}

#[test]
fn answers_that_take_long_are_not_waited_for() {
    check_interrupt("-INT", 5_000, 1, &["archive", "SITE/", "--archive", "kept"]);
    check_interrupt(
        "-TERM",
        5_000,
        1,
        &["rebuild", "SITE/", "--archive", "kept", "-o", "out"],
    );
    check_interrupt("-INT", 5_000, 1, &["archive", "SITE/", "--dry-run"]);
}
