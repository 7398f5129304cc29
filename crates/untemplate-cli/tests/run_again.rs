//! `run` before, again and in between: the plan, what changed since the last time, and an
//! interrupt.

mod players;
mod program;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use expect_test::expect;
use players::{MIRROR, PLAYERS, site, write_site};
use program::{Bench, check_out};
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

#[test]
fn a_dry_run_visits_few_pages_and_counts_the_rest() {
    let bench = Bench::new();
    write_site(&bench);
    let words = ["run", "players.xml", "--dry-run", "--summary", "figures.json"];
    check_out(
        &bench,
        &[&words[..], &MIRROR].concat(),
        0,
        expect![[r#"
            path initials: HOME -TOHUB-> HUB -BYINITIAL-> INITIAL -OVERVIEW-> PLAYER
            path positions: HOME -TOFORM-> FINDER -BYPOSITION-> RESULTS -HIT-> PLAYER
            page class HOME: 1 of 1 entries visited, 0 rejected
            page class HUB: 1 page visited, 0 rejected
            page class INITIAL: 3 pages visited, 0 rejected
            page class FINDER: 1 page visited, 0 rejected
            page class RESULTS
            page class PLAYER: 3 pages visited, 2 rejected, reads name, position, nickname, seasons
            request class TOHUB: HOME to HUB by GET, links: 1 request on 1 page
            request class BYINITIAL: HUB to INITIAL by GET, links: 20 requests on 1 page
            request class NEXTINITIAL: INITIAL to INITIAL by GET, links: 0 requests on 3 pages
            request class OVERVIEW: INITIAL to PLAYER by GET, links: 73 requests on 3 pages
            request class TOFORM: HOME to FINDER by GET, links: 1 request on 1 page
            request class BYPOSITION: FINDER to RESULTS by POST, a form: 4 requests on 1 page
            request class NEXT: RESULTS to RESULTS by GET, links: not known before pages of RESULTS are visited
            request class HIT: RESULTS to PLAYER by GET, links: not known before pages of RESULTS are visited
            about 99 requests, and what lies behind forms and next pages, fewer where several lead to one page; that takes a few seconds
        "#]],
    );
    let figures: serde_json::Value = serde_json::from_str(&bench.read("figures.json")).expect("figures are JSON");
    assert_eq!(figures["downloads"], 8, "{figures}");
    assert!(figures["estimated_requests"].as_u64() > Some(60), "{figures}");
    assert_eq!(figures["plan"]["TOHUB"], 1);
    assert!(figures["plan"]["HIT"].is_null());
    assert!(!bench.path().join("untemplate-out").exists(), "nothing is written");
    // The form on the entry itself is counted, and not sent.
    let entry = PLAYERS
        .replace(">http://cup.example/<", ">http://cup.example/find.html<")
        .replace("//h1[.='The Lantern Cup']", "//form");
    let entry = entry
        .replace("from=\"FINDER\"", "from=\"HOME\"")
        .replace("HOME TOFORM FINDER BYPOSITION", "HOME BYPOSITION");
    bench.write("form.xml", entry);
    let told = bench.run(&[&["run", "form.xml", "--dry-run", "--follow", "positions"], &MIRROR[..]].concat());
    assert!(
        told.out
            .contains("BYPOSITION: HOME to RESULTS by POST, a form: 4 requests on 1 page"),
        "{}{}",
        told.out,
        told.err
    );
}

#[test]
fn the_summary_says_what_changed_since_the_last_run() {
    let bench = Bench::new();
    write_site(&bench);
    let run = || {
        let words = [
            "run",
            "players.xml",
            "-q",
            "--summary",
            "figures.json",
            "--follow",
            "initials",
        ];
        let told = bench.run(&[&words[..], &MIRROR].concat());
        let figures: serde_json::Value = serde_json::from_str(&bench.read("figures.json")).expect("figures are JSON");
        (told.code, figures["changes_by_table"]["PLAYER"].clone())
    };
    assert_eq!(run(), (0, serde_json::Value::Null), "there is nothing to compare with");
    let counts = |added: u32, changed: u32, vanished: u32, unchanged: u32| serde_json::json!({"added": added, "changed": changed, "vanished": vanished, "unchanged": unchanged});
    assert_eq!(run(), (0, counts(0, 0, 0, 90)));
    let pages: Vec<String> = site()
        .paths()
        .filter(|path| path.starts_with("/players/") && path.ends_with("7.html"))
        .collect();
    let file = |index: usize| format!("cup/site{}", pages[index]);
    let changed = bench.read(&file(0)).replace("<h1>", "<h1>Sir ");
    bench.write(&file(0), changed);
    std::fs::remove_file(bench.path().join(file(1))).expect("a page can be removed");
    assert_eq!(run(), (0, counts(0, 1, 1, 88)));
    bench.write(&file(1), site().answer("GET", &pages[1], "").body);
    assert_eq!(run(), (0, counts(1, 0, 0, 89)));
}

fn live(delay_ms: u64) -> (Server, Bench) {
    let options = DatabaseOptions { players: 30, seed: 1 };
    let server = Server::start(
        DemoSite::new(options, Skin::Modern),
        ServerOptions { port: 0, delay_ms },
    );
    let server = server.expect("the demo site starts");
    let bench = Bench::new();
    bench.write("players.xml", PLAYERS.replace("http://cup.example/", &server.url()));
    (server, bench)
}

const LIVE: [&str; 7] = [
    "run",
    "players.xml",
    "-q",
    "--archive",
    "kept",
    "--summary",
    "figures.json",
];

#[test]
fn pages_that_are_kept_are_not_asked_for_again() {
    let (_server, bench) = live(0);
    let run = |more: &[&str]| {
        let told = bench.run(&[&LIVE[..], &["--delay", "0"], more].concat());
        assert_eq!(told.code, 0, "{}", told.err);
        let figures: serde_json::Value = serde_json::from_str(&bench.read("figures.json")).expect("figures are JSON");
        let number = |name: &str| figures[name].as_u64().expect("a number");
        (
            number("downloads"),
            number("reused"),
            number("bytes"),
            figures["changes_by_table"]["PLAYER"]["unchanged"].as_u64(),
        )
    };
    let (downloads, _, bytes, _) = run(&[]);
    let table = bench.read("untemplate-out/PLAYER.jsonl");
    let (again, reused, _, unchanged) = run(&[]);
    assert_eq!(unchanged, Some(30));
    assert!(
        again < downloads / 4 && reused > 30,
        "the archive answers: {again} {reused}"
    );
    // This site says nothing of when its pages changed, so that a refresh has all of them sent, and
    // finds that none did.
    let (refreshed, _, sent, unchanged) = run(&["--refresh", "0"]);
    assert_eq!((unchanged, sent), (Some(30), bytes), "{refreshed}");
    assert_eq!(bench.read("untemplate-out/PLAYER.jsonl"), table);
}

#[test]
fn an_interrupted_run_keeps_all_and_goes_on() {
    let (server, bench) = live(0);
    let mut child = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args([&LIVE[..], &["--delay", "0.2"]].concat())
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    for _ in 0..12_000 {
        if server.requests() >= 5 {
            break;
        }
        sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(
        !bench.path().join("untemplate-out/PLAYER.jsonl").exists(),
        "no table is there before it is whole"
    );
    let told = bench.run(&[&LIVE[..], &["--delay", "0"]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let figures: serde_json::Value = serde_json::from_str(&bench.read("figures.json")).expect("figures are JSON");
    assert!(
        figures["reused"].as_u64() >= Some(2),
        "what was fetched is not fetched again: {figures}"
    );
    assert_eq!(bench.read("untemplate-out/PLAYER.jsonl").lines().count(), 30);
}

#[test]
fn runs_come_again_until_somebody_ends_them() {
    let bench = Bench::new();
    write_site(&bench);
    let words = ["run", "players.xml", "--every", "1", "-o", "out"];
    let mut process = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args([&words[..], &MIRROR].concat())
        .current_dir(bench.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let messages = BufReader::new(process.stderr.take().expect("it says something"));
    let mut said = messages.lines().map_while(Result::ok);
    let mut next_run = || said.any(|line| line.contains("the next run begins in"));
    assert!(next_run() && next_run() && next_run(), "it runs more than once");
    let number = process.id().to_string();
    let told = Command::new("kill").args(["-INT", &number]).status();
    assert!(told.is_ok_and(|status| status.success()));
    // Whatever else it says is read, so that it is not stopped by a full pipe.
    while next_run() {}
    assert_eq!(process.wait().expect("it ends").code(), Some(130));
    assert!(bench.path().join("out/PLAYER.jsonl").is_file());
    let told = bench.run(&[&["run", "players.xml", "--every", "now"], &MIRROR[..]].concat());
    assert_eq!(told.code, 2, "{}", told.err);
}
