//! Progress as somebody sees it who waits: a bar on a terminal, lines every ten seconds elsewhere,
//! objects for programs, and how long a run would take before it is made.

mod program;

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;

use nix::pty::{Winsize, openpty};
use program::Bench;
use serde_json::Value;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

/// A site that is too large to be explored as a whole.
fn serve() -> Server {
    let options = DatabaseOptions {
        players: 120,
        ..DatabaseOptions::default()
    };
    Server::start(DemoSite::new(options, Skin::Modern), ServerOptions::default()).expect("the site starts")
}

fn rebuild<'a>(url: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let words = ["rebuild", url, "--no-robots", "--exclude", "/calendar/"];
    [&words[..], more].concat()
}

/// Runs the program with a terminal for its messages; the code, and what the terminal got.
fn on_terminal(bench: &Bench, words: &[&str]) -> (i32, String) {
    let size = Winsize {
        ws_row: 40,
        ws_col: 120,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let pty = openpty(Some(&size), None).expect("there are terminals");
    let mut child = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(words)
        .current_dir(bench.path())
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::from(pty.slave))
        .spawn()
        .expect("the program starts");
    let mut master = File::from(pty.master);
    let reader = thread::spawn(move || {
        let (mut all, mut piece) = (Vec::new(), [0; 4096]);
        // A terminal that nobody writes to any more is an error to read.
        while let Ok(n_bytes @ 1..) = master.read(&mut piece) {
            all.extend_from_slice(&piece[..n_bytes]);
        }
        all
    });
    let code = child.wait().expect("the program ends").code().unwrap_or(-1);
    let all = reader.join().expect("the terminal is read");
    (code, String::from_utf8(all).expect("messages are UTF-8"))
}

#[test]
fn a_terminal_has_a_bar_that_says_how_far_it_is() {
    let bench = Bench::new();
    let server = serve();
    let url = server.url();
    let (code, shown) = on_terminal(&bench, &rebuild(&url, &["--delay", "0.02"]));
    assert!(matches!(code, 0 | 3), "{shown}");
    let lines: Vec<&str> = shown.split(['\r', '\n']).collect();
    let has = |line: &&&str, parts: &[&str]| parts.iter().all(|part| line.contains(part));
    let seen = |parts: &[&str]| lines.iter().any(|line| has(&line, parts));
    assert!(
        seen(&["[", "] exploring: ", " page class", " of at most ", " pages visited"]),
        "{shown}"
    );
    assert!(
        seen(&[
            "[=",
            "] reading: ",
            " of about ",
            " pages, ",
            " pages a second, ",
            " to go"
        ]),
        "{shown}"
    );
    assert!(
        seen(&["learning: how pages are read"]) && seen(&["writing: tables"]),
        "{shown}"
    );
    // The last message stays, and no bar is left behind.
    let last = shown.rsplit("untemplate: ").next().unwrap_or_default();
    assert!(last.starts_with("wrote "), "{shown}");
    let (_, behind) = shown.rsplit_once("writing: tables").expect("the bar was there");
    assert!(behind.contains("\x1b[2K"), "{behind:?}");
}

#[test]
fn lines_that_stay_come_every_ten_seconds() {
    let bench = Bench::new();
    let server = serve();
    let url = server.url();
    let told = bench.run(&rebuild(&url, &["--delay", "0.4", "--max-time", "13"]));
    assert_eq!(told.code, 3, "{}", told.err);
    let is_progress = |line: &&str| line.starts_with("untemplate: exploring: ") || line.contains(": reading: ");
    assert_eq!(told.err.lines().filter(is_progress).count(), 1, "{}", told.err);
    assert!(told.err.contains(" pages a second"), "{}", told.err);
    assert!(!told.err.contains('\r') && !told.err.contains('\x1b'), "{}", told.err);
}

#[test]
fn programs_get_objects() {
    let bench = Bench::new();
    let server = serve();
    let url = server.url();
    let told = bench.run(&rebuild(&url, &["--delay", "0.02", "--log", "json"]));
    let object = |line: &str| serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let events: Vec<Value> = told.err.lines().map(object).collect();
    let mut phases: Vec<&str> = Vec::new();
    for event in events.iter().filter(|event| event["event"] == "progress") {
        let phase = event["phase"].as_str().expect("a phase has a name");
        if phases.last() != Some(&phase) {
            phases.push(phase);
        }
    }
    assert!(
        phases.starts_with(&["exploring", "reading"]) && phases.ends_with(&["learning", "writing"]),
        "{phases:?}"
    );
    let is_far = |event: &&Value| event["phase"] == "reading" && event["seconds_left"].is_number();
    let far = events
        .iter()
        .find(is_far)
        .unwrap_or_else(|| panic!("the time left: {}", told.err));
    assert!(far["done"].as_u64() < far["estimated"].as_u64(), "{far}");
    let end = events.last().expect("it has an end");
    assert_eq!(
        (&end["event"], end["exit_code"].as_i64()),
        (&Value::from("end"), Some(told.code.into()))
    );
    let told = bench.run(&["show", "page", "none.html", "--log=json"]);
    let error = object(told.err.lines().next().unwrap_or_default());
    assert_eq!((told.code, &error["event"]), (1, &Value::from("error")), "{}", told.err);
}

#[test]
fn a_plan_says_how_long_a_run_takes() {
    let bench = Bench::new();
    let server = serve();
    let url = server.url();
    let words = ["--delay", "0.05", "--dry-run", "--summary", "figures.json"];
    let told = bench.run(&rebuild(&url, &words));
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(
        told.out.contains("; that takes ") && told.out.contains("with 0.05 s between requests"),
        "{}",
        told.out
    );
    let figures: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    let pages = figures["estimated_pages"].as_f64().expect("a number of pages");
    let seconds = figures["estimated_seconds"].as_f64().expect("a time");
    assert!(seconds > 0.0 && seconds < pages, "{figures}");
}

#[test]
fn whoever_started_a_run_finds_in_a_file_how_far_it_is() {
    let bench = Bench::new();
    let told = bench.run(&["demo", "--players", "30", "--write", "cup", "-q", "-o", "demo.txt"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let ended = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["rebuild", "cup/site", "-q"])
        .current_dir(bench.path())
        .env("UNTEMPLATE_PROGRESS_FILE", bench.path().join("progress.json"))
        .status();
    assert!(ended.is_ok_and(|status| status.success()));
    let told: Value = serde_json::from_str(&bench.read("progress.json")).expect("it is JSON");
    assert_eq!(told["phase"], "writing", "{told}");
}
