//! Kill -9 of `rebuild` in each of its phases: the same command ends with the tables of a run that
//! nobody disturbed, from a WARC file and from the web, which is asked for nothing again.

mod program;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use program::Bench;
use rusqlite::Connection;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin, warc_records};

/// Milliseconds after a phase has begun, or its first file is there, at which it is killed.
const DELAYS_MS: [u64; 2] = [0, 15];

fn site() -> DemoSite {
    let options = DatabaseOptions {
        players: 150,
        ..DatabaseOptions::default()
    };
    DemoSite::new(options, Skin::Modern)
}

/// Starts `rebuild`, which tells its phases as objects.
fn start(bench: &Bench, source: &[&str], out: &str) -> Child {
    let formats = [
        "--format",
        "csv",
        "--format",
        "parquet-by-class",
        "-o",
        out,
        "--log",
        "json",
    ];
    Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .arg("rebuild")
        .args(source)
        .args(formats)
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Waits until a phase begins; false when the program ends before.
fn await_phase(child: &mut Child, phase: &str) -> bool {
    let wanted = format!("\"phase\":\"{phase}\"");
    let stderr = child.stderr.take().expect("it is piped");
    let mut lines = BufReader::new(stderr).lines();
    let begins = lines.by_ref().any(|line| line.is_ok_and(|line| line.contains(&wanted)));
    // What it says later must go somewhere.
    std::thread::spawn(move || lines.for_each(drop));
    begins
}

/// Waits until the database is being written; false when the program ends before.
fn await_database(child: &mut Child, out: &Path) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        if out.join(".tables.sqlite.part").exists() {
            return true;
        }
        if child.try_wait().expect("it can be asked").is_some() {
            return false;
        }
        sleep(Duration::from_millis(1));
    }
    panic!("the tables are never written");
}

/// Kills runs in all phases, and lets the last one end; how many were killed.
fn disturb(bench: &Bench, source: &[&str], out: &str) -> u64 {
    let mut n_killed = 0;
    for phase in ["exploring", "reading", "learning", "writing"] {
        for delay_ms in DELAYS_MS {
            let mut child = start(bench, source, out);
            let is_there = await_phase(&mut child, phase)
                && (phase != "writing" || await_database(&mut child, &bench.path().join(out)));
            sleep(Duration::from_millis(delay_ms));
            n_killed += u64::from(is_there && child.try_wait().expect("it can be asked").is_none());
            let _ = child.kill();
            child.wait().expect("it ends");
        }
    }
    finish(bench, source, out);
    n_killed
}

fn finish(bench: &Bench, source: &[&str], out: &str) {
    let told = start(bench, source, out).wait_with_output().expect("it ends");
    assert_eq!(told.status.code(), Some(0), "{}", String::from_utf8_lossy(&told.stderr));
}

/// All that a run leaves behind: the rows of the database, and the bytes of the other files.
fn left(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(inner) = open.pop() {
        for entry in std::fs::read_dir(inner).expect("a folder").flatten() {
            let path = entry.path();
            let name = path.strip_prefix(folder).expect("below it").display().to_string();
            match path.is_dir() {
                true => open.push(path),
                false => drop(all.insert(name, std::fs::read(&path).expect("a file"))),
            }
        }
    }
    // Times of day, and what is new since the run before, are of each run alone.
    all.retain(|name, _| name.ends_with(".csv") || name.ends_with(".parquet") || name.contains(".part"));
    let database = Connection::open(folder.join("tables.sqlite")).expect("a database");
    let mut names = database
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_untemplate%' ESCAPE '\\'")
        .expect("a query");
    let names: Vec<String> = names
        .query_map([], |row| row.get(0))
        .expect("names")
        .map(|name| name.expect("a name"))
        .collect();
    for name in names {
        let mut rows = database.prepare(&format!("SELECT * FROM \"{name}\"")).expect("a query");
        let n_columns = rows.column_count();
        let rows = rows.query_map([], |row| {
            let cells = (0..n_columns).map(|column| row.get::<_, rusqlite::types::Value>(column));
            Ok(format!("{:?}\n", cells.collect::<Result<Vec<_>, _>>()?))
        });
        let rows: String = rows.expect("rows").map(|row| row.expect("a row")).collect();
        all.insert(format!("table {name}"), rows.into_bytes());
    }
    all
}

fn check_same(bench: &Bench, calm: &str, killed: &str) {
    let (calm, killed) = (left(&bench.path().join(calm)), left(&bench.path().join(killed)));
    assert!(calm.len() > 6 && calm.values().map(Vec::len).sum::<usize>() > 10_000);
    assert_eq!(calm.keys().collect::<Vec<_>>(), killed.keys().collect::<Vec<_>>());
    for (name, bytes) in &calm {
        assert!(*bytes == killed[name], "{name} is another one");
    }
}

#[test]
fn from_a_warc_file_it_ends_like_one_that_is_not_killed() {
    let bench = Bench::new();
    let site = site();
    let records: Vec<u8> = warc_records(&site).flatten().collect();
    bench.write("site.warc", records);
    let source = [site.base_url.as_str(), "--warc", "site.warc"];
    finish(&bench, &source, "calm");
    let n_killed = disturb(&bench, &source, "killed");
    assert!(n_killed >= 6, "{n_killed} of 8 kills hit");
    check_same(&bench, "calm", "killed");
}

#[test]
fn from_the_web_it_asks_for_nothing_that_is_stored() {
    let bench = Bench::new();
    let server = Server::start(site(), ServerOptions::default()).expect("the demo site starts");
    let (url, concurrency) = (server.url(), 4);
    let workers = concurrency.to_string();
    let words = |archive| {
        [
            url.as_str(),
            "--archive",
            archive,
            "--delay",
            "0",
            "--workers",
            &workers,
            "--exclude",
            "/calendar/",
        ]
    };
    finish(&bench, &words("archive of calm"), "calm");
    let calm_requests = server.requests();
    let n_killed = disturb(&bench, &words("archive of killed"), "killed");
    let n_requests = server.requests() - calm_requests;
    let most = calm_requests + n_killed * concurrency;
    eprintln!("kill: {n_killed} of 8 kills hit, {n_requests} requests ({calm_requests} undisturbed, {most} allowed)");
    assert!(n_requests <= most, "{n_requests} requests and {most} allowed");
    check_same(&bench, "calm", "killed");
}
