//! `rebuild` and `report` from outside, on the demo site: over a mirror, with an archive, live,
//! stopped, and where there is nothing.

mod program;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use program::{Bench, check_error};
use serde_json::Value;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

/// The demo site as a mirror: 151 pages or so.
const MIRROR: [&str; 2] = ["--mirror", "http://cup.example/=cup/site"];

fn write_site(bench: &Bench) {
    let told = bench.run(&["demo", "--players", "60", "--write", "cup", "-q", "-o", "demo.txt"]);
    assert_eq!(told.code, 0, "{}", told.err);
}

/// Rebuilds with these words, and returns the exit code and the summary.
fn rebuild(bench: &Bench, more: &[&str]) -> (i32, Value) {
    let words = ["rebuild", "http://cup.example/", "--summary", "figures.json", "-q"];
    let told = bench.run(&[&words[..], &MIRROR[..], more].concat());
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert_eq!(
        summary["exit_code"].as_i64(),
        Some(i64::from(told.code)),
        "{}",
        told.err
    );
    (told.code, summary)
}

/// The bytes of every file below a folder, but for the report, which names the command.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(next).expect("a folder can be listed") {
            let path = entry.expect("a folder can be listed").path();
            if path.is_dir() {
                waiting.push(path);
            } else if !path.ends_with("report.html") {
                let name = path.strip_prefix(folder).expect("it is below").display().to_string();
                all.insert(name, std::fs::read(path).expect("a file can be read"));
            }
        }
    }
    all
}

fn lines(bench: &Bench, file: &str) -> Vec<Value> {
    let text = bench.read(file);
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

#[test]
fn a_class_explains_how_it_is_read_and_its_wrapper_reads_pages() {
    let bench = Bench::new();
    write_site(&bench);
    let words = ["rebuild", "http://cup.example/", "-o", "out", "-q", "--explain"];
    let told = bench.run(&[&words[..], &["Matches"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    for said in ["matches: a reading of ", " -> ", " left out: "] {
        assert!(told.out.to_lowercase().contains(said), "{said}: {}", told.out);
    }
    let shown = bench.run(&["show", "wrapper", "out/wrappers/matches.json"]);
    assert_eq!(
        (shown.code, &told.out[told.out.find(": a").expect("a name") + 2..]),
        (0, shown.out.as_str())
    );
    let told = bench.run(&[&words[..], &["shoes"], &MIRROR[..]].concat());
    assert!(
        told.code == 1 && told.err.contains("there is no class shoes"),
        "{} {}",
        told.code,
        told.err
    );
}

#[test]
fn a_site_becomes_its_database_twice_the_same() {
    let bench = Bench::new();
    write_site(&bench);
    let formats = [
        "--format", "jsonl", "--format", "csv", "--format", "xml", "--format", "parquet", "--format", "sqlite",
    ];
    let (code, summary) = rebuild(&bench, &[&formats[..], &["-o", "one"]].concat());
    assert_eq!(code, 0, "{summary}");
    let pages = summary["pages"].as_u64().expect("a number");
    let downloads = summary["downloads"].as_u64().expect("a number");
    assert!(downloads * 100 <= pages * 105, "{downloads} downloads of {pages} pages");
    // A row for each player and coach: one template makes their pages.
    let players = lines(&bench, "one/players.jsonl");
    assert_eq!(summary["rows"]["players"].as_u64(), Some(players.len() as u64));
    let truth = bench.read("cup/manifest.json");
    let truth: Value = serde_json::from_str(&truth).expect("a manifest is JSON");
    let person = truth[0]["classes"]
        .as_array()
        .expect("classes")
        .iter()
        .find(|class| class["name"] == "person");
    assert_eq!(person.expect("a class")["count"].as_u64(), Some(players.len() as u64));
    for file in [
        "players.csv",
        "players.xml",
        "players.parquet",
        "tables.sqlite",
        "model.json",
        "wrappers/players.json",
    ] {
        assert!(bench.path().join("one").join(file).is_file(), "{file}");
    }
    let report = bench.read("one/report.html");
    assert!(
        report.contains("players") && !report.contains("<script"),
        "a page that needs nothing"
    );
    rebuild(&bench, &[&formats[..], &["-o", "two"]].concat());
    assert!(
        files(&bench.path().join("one")) == files(&bench.path().join("two")),
        "the same bytes every time"
    );
}

#[test]
fn a_run_cut_short_says_so_and_goes_on_from_its_archive() {
    let bench = Bench::new();
    write_site(&bench);
    let (code, summary) = rebuild(&bench, &["--archive", "kept", "-o", "part", "--max-pages", "90"]);
    assert_eq!(code, 3, "{summary}");
    assert!(
        summary["partial_because"][0]
            .as_str()
            .is_some_and(|why| why.contains("90")),
        "{summary}"
    );
    assert!(
        bench.path().join("part/tables.sqlite").is_file(),
        "what was had is written"
    );
    let (code, summary) = rebuild(&bench, &["--archive", "kept", "-o", "rest"]);
    assert_eq!(code, 0, "{summary}");
    assert!(
        summary["reused"].as_u64().is_some_and(|reused| reused >= 90),
        "{summary}"
    );
    let (code, _) = rebuild(&bench, &["-o", "whole"]);
    assert_eq!(code, 0);
    assert!(
        files(&bench.path().join("rest")) == files(&bench.path().join("whole")),
        "the same database"
    );
}

#[test]
fn a_second_run_tells_what_changed() {
    let bench = Bench::new();
    write_site(&bench);
    assert_eq!(rebuild(&bench, &[]).0, 0);
    let (code, summary) = rebuild(&bench, &[]);
    assert_eq!(code, 0);
    let none = serde_json::json!({"added": 0, "changed": 0, "vanished": 0});
    assert_eq!(summary["changes"], none);
    let folder = bench.path().join("cup/site/stadiums");
    let stadium = std::fs::read_dir(folder).expect("a folder").find_map(|entry| {
        let path = entry.expect("an entry").path();
        path.file_name()?.to_str()?.ends_with("-1.html").then_some(path)
    });
    let stadium = stadium.expect("the first stadium");
    let page = std::fs::read_to_string(&stadium).expect("a page");
    assert!(
        page.contains("Grass") || page.contains("grass") || page.contains("Hybrid"),
        "{page}"
    );
    let page = page
        .replace("Grass", "Sand")
        .replace("grass", "sand")
        .replace("Hybrid", "Sand");
    std::fs::write(&stadium, page).expect("a page can be written");
    let (_, summary) = rebuild(&bench, &[]);
    assert!(
        summary["changes"]["changed"]
            .as_u64()
            .is_some_and(|changed| changed >= 1),
        "{summary}"
    );
    assert!(
        bench.read("untemplate-out/changes.json").contains("and"),
        "the file says which"
    );
}

#[test]
fn a_sample_gives_what_reads_the_rest_and_no_tables() {
    let bench = Bench::new();
    write_site(&bench);
    let (code, summary) = rebuild(&bench, &["--wrappers-only", "-o", "reader"]);
    assert_eq!(code, 0, "{summary}");
    let all = files(&bench.path().join("reader"));
    assert!(all.contains_key("reader.json") && all.contains_key("model.json"));
    assert!(all.keys().all(|name| name.ends_with(".json")), "{:?}", all.keys());
    let (code, summary) = rebuild(&bench, &["--wrappers-only", "--max-pages", "60", "-o", "part"]);
    assert_eq!(
        (code, &summary["partial_because"][0]),
        (3, &"--max-pages 60 reached".into())
    );
    assert!(bench.path().join("part/reader.json").is_file());
}

#[test]
fn a_plan_writes_nothing() {
    let bench = Bench::new();
    write_site(&bench);
    let told = bench.run(&[&["rebuild", "http://cup.example/", "--dry-run", "-q"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(
        told.out.contains("players") && told.out.contains("about "),
        "{}",
        told.out
    );
    assert!(!bench.path().join("untemplate-out").exists());
}

#[test]
fn where_there_is_nothing_the_exit_code_says_so() {
    let bench = Bench::new();
    bench
        .write("site/index.html", "<p>Hello")
        .write("empty/other.html", "<p>Hello");
    let told = bench.run(&[
        "rebuild",
        "http://a.example/",
        "--mirror",
        "http://a.example/=site",
        "-q",
    ]);
    assert_eq!(told.code, 5, "{}", told.err);
    let mirror = ["--mirror", "http://a.example/=empty"];
    check_error(
        &bench,
        &[&["rebuild", "http://a.example/"], &mirror[..]].concat(),
        1,
        &["http://a.example/"],
    );
    check_error(&bench, &["rebuild", "nonsense"], 2, &["nonsense"]);
    check_error(&bench, &["rebuild", "ftp://a.example/"], 2, &["ftp://a.example/"]);
    // Nobody listens there, and the program does not wait until somebody does.
    check_error(
        &bench,
        &["rebuild", "http://127.0.0.1:1/", "-o", "other"],
        1,
        &["http://127.0.0.1:1/", "refused"],
    );
    check_error(
        &bench,
        &[&["rebuild", "http://a.example/", "--format", "clay"], &mirror[..]].concat(),
        2,
        &["clay"],
    );
}

#[test]
fn all_pages_like_a_sample_become_a_table() {
    let bench = Bench::new();
    write_site(&bench);
    let listed = std::fs::read_dir(bench.path().join("cup/site/players")).expect("a folder");
    let mut names = listed.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let sample = names
        .find(|name| name.ends_with("-7.html"))
        .expect("the seventh player");
    let sample = format!("http://cup.example/players/{sample}");
    let words = [
        "report",
        &sample,
        "--summary",
        "figures.json",
        "-q",
        "--format",
        "jsonl",
        "-o",
        "out",
    ];
    let told = bench.run(&[&words[..], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    let rows = lines(&bench, "out/players.jsonl");
    assert_eq!(summary["rows"]["players"].as_u64(), Some(rows.len() as u64));
    assert!(rows.len() >= 60, "{}", rows.len());
    assert!(rows.iter().any(|row| row["url"] == sample.as_str()));
    assert!(bench.path().join("out/report.html").is_file());
}

/// Starts to rebuild a site of this machine.
fn rebuild_live(bench: &Bench, server: &Server, archive: &str, folder: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["rebuild", &server.url(), "--archive", archive, "-o", folder])
        .args(["--delay", "0", "--no-robots", "-q"])
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

/// Takes out when pages were fetched: two crawls of a site differ in that alone.
#[cfg(unix)]
fn forget_times(folder: &Path) {
    let database = rusqlite::Connection::open(folder.join("tables.sqlite")).expect("a database");
    let sql = "UPDATE _untemplate_pages SET first_seen = NULL, last_seen = NULL; VACUUM";
    database.execute_batch(sql).expect("it can be changed");
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_goes_on_where_it_was() {
    let bench = Bench::new();
    let options = DatabaseOptions {
        players: 60,
        ..DatabaseOptions::default()
    };
    let server_options = ServerOptions {
        delay_ms: 20,
        ..ServerOptions::default()
    };
    let server = Server::start(DemoSite::new(options, Skin::Modern), server_options).expect("the demo site starts");
    let mut child = rebuild_live(&bench, &server, "kept", "one");
    // In the middle: some pages are stored, most are not.
    while server.requests() < 60 {
        assert!(
            child.try_wait().expect("it can be asked").is_none(),
            "it ended before it was interrupted"
        );
        sleep(Duration::from_millis(10));
    }
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(told.expect("it can be told").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    let requests = server.requests();
    assert_eq!(
        rebuild_live(&bench, &server, "kept", "two")
            .wait()
            .expect("it ends")
            .code(),
        Some(0)
    );
    let more = server.requests() - requests;
    assert_eq!(
        rebuild_live(&bench, &server, "fresh", "three")
            .wait()
            .expect("it ends")
            .code(),
        Some(0)
    );
    let whole = server.requests() - requests - more;
    assert!(
        more + 60 <= whole + 16,
        "{more} of {whole} requests after the interrupt"
    );
    for folder in ["two", "three"] {
        forget_times(&bench.path().join(folder));
    }
    assert!(
        files(&bench.path().join("two")) == files(&bench.path().join("three")),
        "the same database"
    );
}

/// What `cargo xtask eval --sweep` stands on: the numbers of a file are used, and wrong names
/// refused.
#[test]
fn numbers_that_decide_can_be_set_for_a_sweep() {
    let bench = Bench::new();
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/rebuild-lamps/site");
    let mirror = format!("http://corpus.example/={corpus}");
    let rebuilt = |numbers: &str| {
        bench.write("numbers.json", numbers);
        let words = [
            "rebuild",
            "http://corpus.example/",
            "-o",
            "out",
            "--format",
            "csv",
            "-q",
        ];
        bench.run(&[&words[..], &["--mirror", &mirror, "--parameters", "numbers.json"]].concat())
    };
    let columns = |numbers: &str| {
        let told = rebuilt(numbers);
        assert_eq!(told.code, 0, "{}", told.err);
        let table = bench.read("out/lamps.csv");
        table.lines().next().unwrap_or_default().to_owned()
    };
    // Three of the twelve lamps have a note.
    assert!(columns("{}").ends_with(",note"));
    assert!(columns(r#"{"vocabulary.recurring_share": 0.2}"#).ends_with(",note"));
    assert!(!columns(r#"{"vocabulary.recurring_share": 0.5}"#).ends_with(",note"));
    let told = rebuilt(r#"{"model.join_share": 0.8, "vocabulary.share": 0.5}"#);
    assert_eq!(told.code, 1);
    assert!(told.err.contains("no number `vocabulary.share`"), "{}", told.err);
}
