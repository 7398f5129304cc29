//! The verb `archive`, from outside: limits, interruptions, a second process, conditional requests,
//! WARC.

mod program;

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use program::Bench;
use serde_json::Value;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

fn start_site() -> Server {
    let options = DatabaseOptions {
        players: 30,
        ..DatabaseOptions::default()
    };
    Server::start(DemoSite::new(options, Skin::Modern), ServerOptions::default()).expect("the demo site starts")
}

/// Runs `untemplate archive` on a site, its calendar left out; the code and the summary.
fn archive(bench: &Bench, server: &Server, more: &[&str]) -> (i32, Value) {
    let url = server.url();
    let common = [
        "archive",
        &url,
        "--archive",
        "kept",
        "--exclude",
        "/calendar/",
        "-q",
        "--summary",
        "figures.json",
    ];
    let told = bench.run(&[&common[..], more].concat());
    (
        told.code,
        serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON"),
    )
}

fn figure(summary: &Value, name: &str) -> u64 {
    summary[name].as_u64().unwrap_or_else(|| panic!("{name} of {summary}"))
}

#[test]
fn a_limit_cuts_a_run_short_and_the_next_one_goes_on() {
    let (bench, server) = (Bench::new(), start_site());
    let (code, summary) = archive(&bench, &server, &["--delay", "0", "--max-pages", "10"]);
    assert_eq!((code, figure(&summary, "pages")), (3, 10), "{summary}");
    assert!(
        summary["partial_because"][0]
            .as_str()
            .is_some_and(|why| why.contains("--max-pages 10")),
        "{summary}"
    );
    let (code, summary) = archive(&bench, &server, &["--delay", "0"]);
    assert_eq!(
        (code, figure(&summary, "reused"), figure(&summary, "left")),
        (0, 10, 0),
        "{summary}"
    );
    let stored = figure(&summary, "stored");
    assert_eq!(
        server.requests(),
        stored + 2,
        "every page once, robots.txt, and a page that is not there"
    );

    // Unchanged pages are asked for with what the server said of them, and not lost when it has
    // nothing new to say.
    let (code, summary) = archive(&bench, &server, &["--delay", "0", "--refresh", "0"]);
    assert_eq!((code, figure(&summary, "stored")), (0, stored), "{summary}");
}

#[test]
fn an_interrupt_keeps_everything() {
    let (bench, server) = (Bench::new(), start_site());
    let mut child = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args([
            "archive",
            &server.url(),
            "--archive",
            "kept",
            "--delay",
            "0.2",
            "--exclude",
            "/calendar/",
        ])
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while server.requests() < 5 {
        sleep(Duration::from_millis(20));
        assert_eq!(child.try_wait().expect("it can be asked"), None, "it is still at work");
    }
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(killed.success());
    let told = child.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&told.stderr).into_owned();
    assert_eq!(told.status.code(), Some(130), "{message}");
    assert!(message.contains("the same command goes on"), "{message}");
    let (code, summary) = archive(&bench, &server, &["--delay", "0"]);
    assert_eq!((code, figure(&summary, "left")), (0, 0), "{summary}");
    assert!(figure(&summary, "reused") >= 2, "{summary}");
}

#[test]
fn a_second_process_is_told_to_wait() {
    let (bench, server) = (Bench::new(), start_site());
    let mut first = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["archive", &server.url(), "--archive", "kept", "--delay", "1", "-q"])
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    while server.requests() < 1 {
        sleep(Duration::from_millis(20));
    }
    let told = bench.run(&["archive", &server.url(), "--archive", "kept"]);
    first.kill().expect("it runs");
    first.wait().expect("it ends");
    assert_eq!((told.code, told.out.as_str()), (1, ""));
    assert!(told.err.contains("kept"), "{}", told.err);
}

#[test]
fn what_is_exported_can_be_read_again() {
    let (bench, server) = (Bench::new(), start_site());
    let (code, _) = archive(&bench, &server, &["--delay", "0", "--export", "site.warc.gz"]);
    assert_eq!(code, 0);
    let url = server.url();
    drop(server);
    let told = bench.run(&["show", "schema", &url, "--warc", "site.warc.gz"]);
    assert!(told.code == 0 && told.out.contains("/a"), "{}", told.err);
}

#[test]
fn what_was_exported_can_be_imported() {
    let (bench, server) = (Bench::new(), start_site());
    let (_, summary) = archive(&bench, &server, &["--delay", "0", "--export", "site.warc.gz"]);
    let stored = figure(&summary, "stored");
    let told = bench.run(&[
        "archive",
        "--import",
        "site.warc.gz",
        "--archive",
        "taken",
        "-q",
        "--summary",
        "figures.json",
    ]);
    assert_eq!(
        (told.code, told.out.lines().count() as u64),
        (0, stored),
        "{}",
        told.err
    );
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert_eq!(summary["imported"]["stored"], stored, "{summary}");
    assert_eq!(
        program::contents(&bench.path().join("taken")),
        program::contents(&bench.path().join("kept"))
    );
    let told = bench.run(&["archive", "--import", "site.warc.gz"]);
    assert_eq!(told.code, 2);
    assert!(told.err.contains("--archive DIR"), "{}", told.err);
}

#[test]
fn a_dry_run_spends_little_and_keeps_nothing() {
    let (bench, server) = (Bench::new(), start_site());
    let url = server.url();
    let told = bench.run(&["archive", &url, "--dry-run", "--delay", "0", "--exclude", "/calendar/"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let plan: Value = serde_json::from_str(&told.out).expect("a plan is JSON");
    assert_eq!(server.requests(), figure(&plan, "requests_spent"));
    assert!(server.requests() <= 5, "{plan}");
    let (code, summary) = archive(&bench, &server, &["--delay", "0"]);
    assert_eq!(code, 0);
    let (planned, stored) = (figure(&plan, "estimated_requests"), figure(&summary, "stored"));
    assert!(
        planned <= stored && 2 * planned > stored,
        "{planned} were planned, {stored} are there"
    );
    assert_eq!(
        (&plan["verdict"], &plan["entry_status"]),
        (&"allowed".into(), &200.into()),
        "{plan}"
    );
}

#[test]
fn another_scope_is_heeded_when_a_crawl_goes_on() {
    let (bench, server) = (Bench::new(), start_site());
    archive(&bench, &server, &["--delay", "0", "--max-pages", "5"]);
    let (code, summary) = archive(&bench, &server, &["--delay", "0", "--exclude", "/players/"]);
    assert_eq!(code, 0, "{summary}");
    assert!(
        figure(&summary, "out_of_scope") > 0 && figure(&summary, "forbidden") == 0,
        "{summary}"
    );
    let without = figure(&summary, "stored");
    let (code, summary) = archive(&bench, &server, &["--delay", "0"]);
    assert_eq!((code, figure(&summary, "out_of_scope")), (0, 0), "{summary}");
    assert!(figure(&summary, "stored") > without, "{summary}");
}

#[test]
fn the_summary_has_a_receipt_of_politeness() {
    let (bench, server) = (Bench::new(), start_site());
    let (_, summary) = archive(&bench, &server, &["--delay", "0.05", "--max-pages", "4"]);
    let receipt = &summary["politeness"][0];
    assert_eq!(figure(receipt, "requests"), figure(&summary, "downloads"), "{summary}");
    let gap = receipt["smallest_gap_seconds"].as_f64().expect("a gap");
    assert!(gap >= 0.05, "{receipt}");
    assert_eq!(
        (&receipt["robots"], &receipt["slowed_down"]),
        (&"read".into(), &0.into()),
        "{receipt}"
    );
}

#[test]
fn wrong_usage_is_refused_before_anything_is_asked() {
    let bench = Bench::new();
    let check_refused = |words: &[&str], message: &str| {
        let told = bench.run(&[&["archive"], words].concat());
        assert_eq!((told.code, told.out.as_str()), (2, ""), "{words:?}: {}", told.err);
        assert!(told.err.contains(message), "{words:?}: {}", told.err);
    };
    check_refused(&["nowhere"], "no address");
    check_refused(&["ftp://site.example/"], "ftp");
    check_refused(&["http://site.example/", "--include", "("], "--include (");
    check_refused(&["http://site.example/", "--delay", "99999999"], "--delay");
    check_refused(&["http://site.example/", "--header", "nonsense"], "colon");
}

#[test]
fn a_site_that_cannot_be_reached_is_a_failure() {
    let bench = Bench::new();
    let told = bench.run(&[
        "archive",
        "http://127.0.0.1:1/",
        "--archive",
        "kept",
        "--delay",
        "0",
        "--no-robots",
        "-q",
    ]);
    assert_eq!((told.code, told.out.as_str()), (1, ""), "{}", told.err);
    assert!(told.err.contains("http://127.0.0.1:1/"), "{}", told.err);
}
