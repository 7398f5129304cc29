//! First pages that bring nothing, from outside: the program says why, and what to try.

mod loopback;
mod program;

use loopback::TestServer;
use program::{Bench, check_error};

const SCRIPTED: &str =
    "<title>App</title><script src=/a.js></script><div id=root></div><noscript>Enable JavaScript.</noscript>";

fn unreadable(path: &str) -> (&'static str, &'static str) {
    match path {
        "/robots.txt" => (
            "200 OK\r\nContent-Type: text/plain",
            "User-agent: *\nDisallow: /private/\n",
        ),
        "/paper" => ("200 OK\r\nContent-Type: application/pdf", "%PDF-1.4"),
        "/app" => ("200 OK", SCRIPTED),
        _ => ("404 Not Found", ""),
    }
}

#[test]
fn a_first_page_that_brings_nothing_says_why() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", unreadable);
    let at = |path: &str| format!("{}{path}", server.url());
    let check = |verb: &str, path: &str, parts: &[&str]| {
        check_error(&bench, &[verb, &at(path), "--delay", "0", "-o", "made"], 1, parts);
        assert!(!bench.path().join("made").exists(), "nothing is left behind");
    };
    for verb in ["rebuild", "model"] {
        check(verb, "private/", &["robots.txt forbids", "--no-robots"]);
        check(
            verb,
            "paper",
            &["is no HTML page but application/pdf", "check the address"],
        );
        check(verb, "none", &["status 404", "check the address"]);
    }
    bench.write("notes.txt", "Not a page");
    check_error(
        &bench,
        &["rebuild", "notes.txt"],
        1,
        &["is no HTML page but text/plain"],
    );
}

#[test]
fn a_page_that_is_empty_without_its_scripts_says_so() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", unreadable);
    let app = format!("{}app", server.url());
    for verb in ["rebuild", "records"] {
        let told = bench.run(&[verb, &app, "--delay", "0"]);
        assert_eq!(told.code, 5, "{verb}: {}", told.err);
        assert!(
            told.err.contains("nearly empty without its scripts; --render"),
            "{verb}: {}",
            told.err
        );
    }
}

fn busy(_: &str) -> (&'static str, &'static str) {
    ("429 Too Many Requests\r\nRetry-After: 300", "later")
}

#[test]
fn a_run_without_a_row_leaves_no_folder() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", busy);
    let told = bench.run(&[
        "rebuild",
        &server.url(),
        "--delay",
        "0",
        "--patience",
        "1",
        "-o",
        "made",
    ]);
    assert_eq!(told.code, 1, "{}", told.err);
    assert!(
        told.err.contains("asks for a pause of 300 s (status 429)"),
        "{}",
        told.err
    );
    assert!(!bench.path().join("made").exists(), "an empty folder is left behind");
}

#[test]
fn a_page_without_text_is_said_to_have_none() {
    let bench = Bench::new();
    bench.write("empty.html", "");
    for verb in ["rebuild", "report"] {
        let told = bench.run(&[verb, "empty.html", "-o", "out"]);
        assert_eq!(told.code, 5, "{verb}: {}", told.err);
        assert!(
            told.err.contains("nothing was found: http://") && told.err.contains("has no text"),
            "{verb}: {}",
            told.err
        );
    }
}

#[test]
fn bounds_that_let_no_link_in_are_told() {
    let bench = Bench::new();
    bench
        .write(
            "site/index.html",
            "<title>A</title><h1>A</h1><p>Colour: red<p><a href=x/b.html>b</a>",
        )
        .write("site/x/b.html", "<title>B</title><h1>B</h1><p>Colour: blue");
    let rebuild = |below: &str, out: &str| bench.run(&["rebuild", "site", "--below", below, "-o", out]).err;
    let err = rebuild("x/", "some");
    assert!(!err.contains("no link leads"), "{err}");
    let err = rebuild("y/", "none");
    assert!(err.contains("no link leads to a page that --include"), "{err}");
}
