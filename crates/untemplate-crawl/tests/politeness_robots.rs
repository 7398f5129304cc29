//! robots.txt files of others, where they are at hand: the folder `robots` below
//! `UNTEMPLATE_SUITES`.
//!
//! `ctc.jsonl` holds the public conformance cases: a file, an address, an agent and what the answer
//! must be. `corpus` holds real files: each must be read and asked, with no panic, and quickly.
//! Beside them: files made to hurt.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use serde_json::Value;
use untemplate_crawl::{Robots, RobotsFetch, RobotsState};
use untemplate_store::UnixMillis;

/// How long one file may take to read and to ask once, by far: the largest are half a megabyte.
const FILE_TIME_MAX: Duration = Duration::from_millis(500);

fn suite_folder() -> Option<PathBuf> {
    let folder = std::env::var_os("UNTEMPLATE_SUITES").map(|folder| Path::new(&folder).join("robots"));
    let folder = folder.filter(|folder| folder.is_dir());
    if folder.is_none() {
        eprintln!("suite robots: skipped, since UNTEMPLATE_SUITES names no folder with a folder robots");
    }
    folder
}

/// Path and query of an address as the suite writes it; its addresses are not encoded, so they are
/// cut by hand.
fn path_and_query(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.find(['/', '?']).map_or("/", |at| &rest[at..])
}

#[test]
fn public_cases_are_decided_as_expected() {
    let Some(folder) = suite_folder() else { return };
    let cases = fs::read_to_string(folder.join("ctc.jsonl")).expect("the suite has its cases");
    let mut failures = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).expect("a case is JSON");
        let text = |key: &str| case[key].as_str().expect("a case has this text");
        let bytes: Vec<u8> = text("robots_latin1").chars().map(|c| c as u8).collect();
        let decision = Robots::parse(&bytes).decide(text("ua"), path_and_query(text("url")));
        if decision.allowed != (text("expected") == "ALLOWED") {
            failures.push(format!(
                "{}: {} for {}: {decision:?}",
                text("file"),
                text("url"),
                text("ua")
            ));
        }
    }
    let n_cases = cases.lines().count();
    eprintln!(
        "suite robots: {} of {n_cases} (0 listed exceptions)",
        n_cases - failures.len()
    );
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn real_files_are_read_quickly() {
    let Some(folder) = suite_folder() else { return };
    let mut slowest = (Duration::ZERO, String::new());
    let mut n_files = 0;
    let start = Instant::now();
    for entry in fs::read_dir(folder.join("corpus")).expect("the suite has its corpus") {
        let path = entry.expect("a folder can be listed").path();
        let bytes = fs::read(&path).expect("a file can be read");
        let took = check_bytes(&bytes);
        n_files += 1;
        slowest = slowest.max((
            took,
            path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        ));
    }
    let (took, name) = slowest;
    eprintln!(
        "suite robots corpus: {n_files} files in {:?}; the slowest is {name}: {took:?}",
        start.elapsed()
    );
    assert!(took < FILE_TIME_MAX, "{name}: {took:?}");
}

/// Reads, asks, stores and restores; returns how long reading and asking took.
fn check_bytes(bytes: &[u8]) -> Duration {
    let start = Instant::now();
    let robots = Robots::parse(bytes);
    robots.decide("untemplate", "/a/b/c.html?d=e");
    robots.crawl_delay("untemplate");
    let took = start.elapsed();
    let fetch = RobotsFetch::Answered {
        status: 200,
        body: bytes,
    };
    let state = RobotsState::after(None, fetch, UnixMillis(0));
    let restored = RobotsState::from_text(&state.to_text()).expect("what was written can be read");
    let decide = |state: &RobotsState| state.permission("untemplate", "/a/b/c.html?d=e");
    assert_eq!(decide(&restored), decide(&state));
    took
}

#[test]
fn files_made_to_hurt_cost_little() {
    let many = |line: &str| line.repeat((512 << 10) / line.len());
    let agents = many("User-agent: a\n");
    let check = |file: String| {
        let took = check_bytes(file.as_bytes());
        assert!(took < Duration::from_secs(2), "{:?}: {took:?}", &file[..40]);
    };
    check("User-agent: *\n".to_owned() + &many("Disallow: *a*a*a*a*a*b\n"));
    check("User-agent: *\nDisallow: /".to_owned() + &many("*a"));
    check(agents[..256 << 10].to_owned() + &many("Crawl-delay: 1\n"));
    check(agents[..256 << 10].to_owned() + &many("Disallow: /\n"));
    check(many("User-agent: a\nCrawl-delay: 1\n"));
    check(many("\r\n"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_file(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        check_bytes(&bytes);
    }

    #[test]
    fn anything_like_a_file_is_a_file(
        file in "((User-agent|Disallow|allow|Crawl-delay|Sitemap)[: ]{0,2}[a*/$%0-9é ]{0,9}[\r\n]{1,2}){0,12}",
        path in "/[a*/$%0-9é]{0,12}",
    ) {
        check_bytes(file.as_bytes());
        Robots::parse(file.as_bytes()).decide("a", &path);
    }
}
