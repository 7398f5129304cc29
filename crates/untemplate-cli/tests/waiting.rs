//! Hosts that do not answer, from outside: whoever waits is told for whom and how long, a new run
//! asks at once, and after a while the host is given up.

mod loopback;
mod program;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use loopback::TestServer;
use program::Bench;
use serde_json::Value;

/// A start page that links to four others.
const START: &str =
    "<title>Start</title><h1>Start</h1><p><a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a> <a href=/d>d</a>";

fn site(path: &str) -> (&'static str, &'static str) {
    match path {
        "/robots.txt" => ("404 Not Found", ""),
        "/" => ("200 OK", START),
        _ => (
            "200 OK",
            "<title>Page</title><h1>Page</h1><p>Text of a page that is there",
        ),
    }
}

fn unwilling(path: &str) -> (&'static str, &'static str) {
    match path {
        "/robots.txt" | "/" => site(path),
        _ => ("429 Too Many Requests\r\nRetry-After: 300", "later"),
    }
}

fn summary(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON")
}

/// Crawls without pauses; the code, what was said, and how long it took.
fn archive(bench: &Bench, url: &str, more: &[&str]) -> (i32, String, Duration) {
    let words = [
        "archive",
        url,
        "--delay",
        "0",
        "--archive",
        "kept",
        "-o",
        "list.jsonl",
        "--summary",
        "figures.json",
    ];
    let began = Instant::now();
    let told = bench.run(&[&words[..], more].concat());
    (told.code, told.err, began.elapsed())
}

#[test]
fn a_silent_host_is_told_of_and_given_up_and_asked_at_once_by_the_next_run() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", site);
    let (url, address) = (server.url(), server.address.to_string());
    let (code, err, _) = archive(&bench, &url, &["--max-pages", "1"]);
    assert_eq!(code, 3, "{err}");
    drop(server);

    let (code, err, took) = archive(&bench, &url, &["--patience", "7"]);
    assert_eq!(code, 3, "{err}");
    let waits = format!("{address} refuses connections; next try in ");
    assert!(err.contains(&waits) && err.contains("Ctrl-C stops"), "{err}");
    assert!(
        err.contains(&format!("in part: gave up on {address}, which refuses connections")),
        "{err}"
    );
    assert!(err.matches(" known").count() < 3, "{err}");
    assert!(took < Duration::from_secs(30), "{took:?}");
    let why = summary(&bench)["partial_because"].to_string();
    assert!(why.contains("gave up on"), "{why}");

    // The pause that these failures led to is none of the next run's.
    let server = TestServer::start(&address, site);
    let (code, err, took) = archive(&bench, &url, &[]);
    assert_eq!(code, 0, "{err}");
    assert!(took < Duration::from_secs(4), "{took:?}: {err}");
    assert!(!err.contains("next try in"), "{err}");
    drop(server);
}

#[test]
fn a_job_whose_host_falls_silent_ends_in_part_with_what_it_has() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", site);
    let (url, address) = (server.url(), server.address.to_string());
    let words = ["show", "links", &url, "--delay", "0", "--archive", "kept", "-q"];
    assert_eq!(bench.run(&words).code, 0);
    drop(server);
    let words = [
        "rebuild",
        &url,
        "--delay",
        "0",
        "--archive",
        "kept",
        "--patience",
        "5",
        "--summary",
        "figures.json",
    ];
    let began = Instant::now();
    let told = bench.run(&words);
    assert_eq!(told.code, 3, "{}", told.err);
    assert!(
        told.err
            .contains(&format!("{address} refuses connections; next try in ")),
        "{}",
        told.err
    );
    assert!(
        told.err.contains(&format!("in part: gave up on {address}")),
        "{}",
        told.err
    );
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

#[test]
fn a_pause_that_a_host_asks_for_is_kept_across_runs() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", unwilling);
    let (url, address) = (server.url(), server.address.to_string());
    let (code, err, took) = archive(&bench, &url, &["--patience", "2"]);
    // What is asked for first is refused, so that there is no page.
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("asks for a pause of 300 s (status 429)"), "{err}");
    assert!(took < Duration::from_secs(20), "{took:?}");
    let n_requests = server.n_requests.load(Ordering::Relaxed);

    let (code, err, took) = archive(&bench, &url, &["--patience", "2"]);
    assert_eq!(code, 1, "{err}");
    assert!(
        err.contains(&format!("gave up on {address}, which asked for a pause")),
        "{err}"
    );
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(
        server.n_requests.load(Ordering::Relaxed),
        n_requests,
        "nobody asked before the time"
    );
}

fn broken(_: &str) -> (&'static str, &'static str) {
    ("503 Service Unavailable", "later")
}

#[test]
fn a_host_that_refused_without_a_time_is_asked_at_once_by_the_next_run() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", broken);
    // Each refusal doubles the pause of a run: after eight of them it is over half a minute.
    for run in 0..8 {
        let n_before = server.n_requests.load(Ordering::Relaxed);
        let (code, err, took) = archive(&bench, &server.url(), &["--patience", "1"]);
        assert_eq!(code, 1, "{err}");
        assert!(took < Duration::from_secs(8), "run {run} took {took:?}: {err}");
        assert!(server.n_requests.load(Ordering::Relaxed) > n_before, "run {run}: {err}");
    }
}

#[test]
fn an_entry_that_is_not_there_is_a_failure_however_patient_one_is() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", site);
    let (url, address) = (server.url(), server.address.to_string());
    drop(server);
    let check = |verb: &[&str], more: &[&str]| {
        let told = bench.run(&[verb, &[&url, "-q"], more].concat());
        assert_eq!(told.code, 1, "{verb:?} {more:?}: {}", told.err);
        let why = format!("{address}, which refuses connections");
        let is_said = told.err.contains(&why) || told.err.contains(&format!("{address} refuses connections"));
        assert!(is_said, "{verb:?} {more:?}: {}", told.err);
        assert_eq!(told.err.lines().count(), 1, "{verb:?} {more:?}: {}", told.err);
    };
    let verbs = [
        &["rebuild"][..],
        &["model"],
        &["gather"],
        &["report"],
        &["records"],
        &["archive"],
        &["show", "page"],
    ];
    verbs.iter().for_each(|verb| check(verb, &["--patience", "3"]));
    check(&["rebuild"], &[]);
    let specification = format!(
        r#"<codec version="1" site="{url}"><page-class id="A" entry="true"><address>{url}</address></page-class><path name="p">A</path></codec>"#
    );
    bench.write("spec.xml", specification);
    let told = bench.run(&["run", "spec.xml", "-q", "--patience", "3"]);
    assert!(
        told.code == 1 && told.err.contains("no entry could be had: gave up on"),
        "{}",
        told.err
    );
    assert!(!bench.path().join("untemplate-out").exists(), "nothing is left behind");
}

fn busy(_: &str) -> (&'static str, &'static str) {
    ("429 Too Many Requests\r\nRetry-After: 3", "later")
}

#[test]
fn one_time_is_named_when_robots_txt_asks_for_a_pause() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", busy);
    let (_, err, took) = archive(&bench, &server.url(), &["--patience", "2"]);
    assert!(err.contains("asks for a pause of 3 s (status 429)"), "{err}");
    let seconds = |words: &str| -> Vec<u64> {
        let after = err.split(words).skip(1);
        after.filter_map(|rest| rest.split(' ').next()?.parse().ok()).collect()
    };
    let named = [seconds("next try in "), seconds("asked again in ")].concat();
    assert!(!named.is_empty() && named.iter().all(|&seconds| seconds <= 3), "{err}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[test]
fn a_host_that_is_not_there_is_said_to_be_none() {
    let bench = Bench::new();
    let told = bench.run(&["rebuild", "http://no-such-host.invalid/", "--patience", "5"]);
    assert_eq!(told.code, 1, "{}", told.err);
    let said = "cannot begin at http://no-such-host.invalid/: no-such-host.invalid ";
    assert!(
        told.err.contains(said) && !told.err.contains("robots.txt"),
        "{}",
        told.err
    );
    // A machine without a network cannot know, and asks again.
    if !told.err.contains("cannot be looked up") {
        assert!(!told.err.contains("next try"), "{}", told.err);
    }
}
