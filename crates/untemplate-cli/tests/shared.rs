//! Workers of the real program that share an archive on a server: what is wrong is said, a password
//! is nowhere to be seen, a worker that slept too long writes nothing, and a job has one leader at
//! a time.

mod program;

#[path = "../../untemplate-store/tests/postgres_server/mod.rs"]
mod postgres_server;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use postgres_server::PostgresServer;
use program::{Bench, check_error};
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

fn start_site(players: u32) -> Server {
    let options = DatabaseOptions {
        players,
        ..DatabaseOptions::default()
    };
    Server::start(DemoSite::new(options, Skin::Modern), ServerOptions::default()).expect("the demo site starts")
}

/// Starts the program; what it says goes to a file.
fn start(bench: &Bench, words: &[&str], messages: &str) -> Child {
    let file = File::create(bench.path().join(messages)).expect("a file");
    Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(words)
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .expect("the program starts")
}

/// Waits until a condition holds.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "waited in vain until {what}"
        );
        sleep(Duration::from_millis(20));
    }
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

#[test]
fn what_is_wrong_is_said_and_a_password_is_not() {
    let bench = Bench::new();
    let archive = |address: &str, code: i32, message: &[&str]| {
        check_error(
            &bench,
            &["archive", "http://127.0.0.1:9/", "--archive", address],
            code,
            message,
        );
    };
    archive(
        "postgresql://u:secret@h/x?lease=never",
        2,
        &["postgresql://u@h/x?lease=never is no address", "give one such as"],
    );
    let Some(server) = PostgresServer::start_with("scram-sha-256") else {
        return;
    };
    let wrong = server.address_of("tester:secret", "schema=x");
    archive(&wrong, 1, &["password authentication failed", "PGPASSWORD"]);
    assert!(
        !bench
            .run(&["archive", "http://127.0.0.1:9/", "--archive", &wrong])
            .err
            .contains("secret")
    );

    let site = start_site(2);
    let address = server.address_of("tester:right", "schema=kept");
    let words = [
        "archive",
        &site.url(),
        "--archive",
        &address,
        "--delay",
        "0",
        "--exclude",
        "/calendar/",
    ];
    let told = bench.run(&[&words[..], &["--summary", "figures.json"]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let figures = bench.read("figures.json");
    assert!(figures.contains("postgresql://tester@"), "{figures}");
    for text in [&figures, &told.err, &told.out] {
        assert!(!text.contains("tester:right"), "{text}");
    }
    server.stop();
    let gone = server.address_of("tester:right", "schema=kept");
    archive(&gone, 1, &["cannot connect", "check that the server runs"]);
}

/// Files below a folder that have these bytes.
fn files_with(folder: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with(&path, bytes));
        } else if std::fs::read(&path).is_ok_and(|content| content.windows(bytes.len()).any(|part| part == bytes)) {
            found.push(path);
        }
    }
    found
}

#[test]
fn a_password_is_in_no_file_that_a_job_leaves() {
    let Some(server) = PostgresServer::start_with("scram-sha-256") else {
        return;
    };
    let (bench, site) = (Bench::new(), start_site(12));
    let (archive, to) = (
        server.address_of("tester:right", "schema=kept"),
        server.address_of("tester:right", "schema=made"),
    );
    let words = [
        "rebuild",
        &site.url(),
        "--archive",
        &archive,
        "--to",
        &to,
        "--delay",
        "0",
        "-o",
        "out",
    ];
    let more = ["--exclude", "/calendar/", "--summary", "figures.json", "--log", "json"];
    let told = bench.run(&[&words[..], &more].concat());
    assert!(matches!(told.code, 0 | 3), "{}", told.err);
    assert!(bench.path().join("out/tables.sqlite").is_file());
    assert_eq!(files_with(bench.path(), b"tester:right"), Vec::<PathBuf>::new());
    for text in [&told.err, &told.out] {
        assert!(!text.contains("tester:right"), "{text}");
    }
}

#[test]
fn a_worker_that_slept_too_long_writes_nothing_more() {
    let Some(server) = PostgresServer::start() else { return };
    let (bench, site) = (Bench::new(), start_site(20));
    let address = server.address("schema=asleep&lease=1");
    let words = [
        "archive",
        &site.url(),
        "--archive",
        &address,
        "--delay",
        "0.05",
        "--exclude",
        "/calendar/",
        "-q",
    ];
    let mut sleeper = start(&bench, &words, "sleeper");
    until("the first has fetched something", || site.requests() > 8);
    signal(&sleeper, "-STOP");
    let mut other = start(&bench, &words, "other");
    let code = other.wait().expect("it ends").code();
    assert_eq!(code, Some(0), "{}", bench.read("other"));
    let n_requests = site.requests();
    signal(&sleeper, "-CONT");
    let code = sleeper.wait().expect("it ends").code();
    let said = bench.read("sleeper");
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("longer than its lease of 1 s") && said.contains("run the same command again"),
        "{said}"
    );
    assert_eq!(site.requests(), n_requests, "it asks nothing more");
    // The same command finds everything done.
    let told = bench.run(&words);
    assert_eq!((told.code, site.requests()), (0, n_requests), "{}", told.err);
}

#[test]
fn a_job_is_led_by_one_and_taken_over_when_that_dies() {
    let Some(server) = PostgresServer::start() else { return };
    let (bench, site) = (Bench::new(), start_site(12));
    let address = server.address("schema=job&lease=1");
    let url = site.url();
    let rebuild = |out: &'static str, archive: &str, delay: &str| -> Vec<String> {
        let words = [
            "rebuild",
            &url,
            "--archive",
            archive,
            "-o",
            out,
            "--delay",
            delay,
            "--exclude",
            "/calendar/",
            "--format",
            "jsonl",
        ];
        words.iter().map(|word| (*word).to_owned()).collect()
    };
    let begin = |words: &[String], messages: &str| {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        start(&bench, &words, messages)
    };
    let mut leader = begin(&rebuild("first", &address, "0.05"), "leader");
    until("the leader has fetched something", || site.requests() > 5);
    let mut helper = begin(&rebuild("second", &address, "0.05"), "helper");
    until("the second says that it helps", || {
        bench.read("helper").contains("another worker leads")
    });
    leader.kill().expect("it is there");
    leader.wait().expect("it ends");
    let code = helper.wait().expect("it ends").code();
    let said = bench.read("helper");
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("this one takes over"), "{said}");

    let calm = rebuild("calm", "kept", "0");
    assert_eq!(begin(&calm, "calm-messages").wait().expect("it ends").code(), Some(0));
    let table = |folder: &str| bench.read(&format!("{folder}/players.jsonl"));
    assert_eq!(table("second"), table("calm"));

    // Both to their end: the one that helped says so, and writes nothing.
    let mut first = begin(&rebuild("third", &address, "0.05"), "third-messages");
    let mut second = begin(&rebuild("fourth", &address, "0.05"), "fourth-messages");
    let codes = [first.wait(), second.wait()].map(|status| status.expect("it ends").code());
    assert_eq!(codes, [Some(0), Some(0)]);
}
