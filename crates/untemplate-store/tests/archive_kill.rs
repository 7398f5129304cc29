//! A process that commits pages is killed again and again: what it said it had committed is there,
//! byte for byte.
//!
//! The test starts itself as another process, which goes on with a made-up crawl where the last one
//! was killed, and prints every page once its commit has returned.

mod archive_builder;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use archive_builder::{claim_options, content, new_request, page_outcome};
use untemplate_store::archive::{ArchiveOptions, Frontier, SqliteArchive, UnixMillis};

/// Names the folder for the process that is to be killed.
const FOLDER: &str = "UNTEMPLATE_KILL_TEST_FOLDER";

const KILLS: u64 = 20;

/// Pages that are claimed and committed at once, each of another host.
const BATCH: usize = 16;

/// More pages than are ever reached.
const PAGES: usize = 200_000;

fn open(folder: &Path) -> SqliteArchive {
    let options = ArchiveOptions {
        segment_bytes_max: 100_000,
        host_delay_ms: 0,
    };
    SqliteArchive::open(folder, &options, UnixMillis(0)).expect("an archive that can be opened")
}

/// Page `number`: every tenth is like the others of its kind.
fn body(url: &str) -> Vec<u8> {
    let number: usize = url
        .rsplit('/')
        .next()
        .and_then(|number| number.parse().ok())
        .expect("a number");
    let lines = 1 + number % 50;
    match number % 10 {
        9 => b"nothing here".to_vec(),
        _ => format!("<p>page {number} of {url}\n").repeat(lines).into_bytes(),
    }
}

/// What the process that is killed does: no test of its own.
#[test]
fn commit_until_killed() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let mut archive = open(Path::new(&folder));
    let url = |number: usize| format!("http://h{}.example/{number}", number % BATCH);
    archive.add(&[new_request(&url(0), 0.0)], UnixMillis(0)).expect("added");
    for _ in 0..PAGES / BATCH {
        let claims = archive.claim(UnixMillis(0), &claim_options(BATCH)).expect("claims");
        let mut batch = Vec::new();
        for claim in &claims {
            let mut outcome = page_outcome(claim, &body(claim.request.url.as_str()));
            let number: usize = claim.request.url.path()[1..].parse().expect("a number");
            outcome.links = (1..=BATCH).map(|step| new_request(&url(number + step), 0.0)).collect();
            batch.push(outcome);
        }
        archive.commit(&batch, UnixMillis(0)).expect("committed");
        let told: String = claims
            .iter()
            .map(|claim| format!("\ncommitted {}\n", claim.request.url))
            .collect();
        std::io::stdout().write_all(told.as_bytes()).expect("told");
    }
}

fn start(folder: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command
        .args(["--exact", "commit_until_killed", "--nocapture"])
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    command.spawn().expect("this program runs")
}

/// Runs the process for a while, kills it, and returns what it said.
fn run_and_kill(folder: &Path, delay: Duration) -> Vec<String> {
    let mut child = start(folder);
    let output = BufReader::new(child.stdout.take().expect("its output"));
    let reader = thread::spawn(move || {
        let lines = output.lines().map_while(Result::ok);
        lines
            .filter_map(|line| line.strip_prefix("committed ").map(str::to_owned))
            .collect::<Vec<_>>()
    });
    thread::sleep(delay);
    child.kill().expect("killed");
    child.wait().expect("ended");
    reader.join().expect("all that it said")
}

#[test]
fn nothing_committed_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut told = BTreeSet::new();
    for kill in 0..KILLS {
        // Spread over a quarter of a second, in no order.
        let delay = Duration::from_millis(20 + kill * 97 % 230);
        for url in run_and_kill(folder.path(), delay) {
            assert!(told.insert(url.clone()), "{url} was fetched again though it was stored");
        }
    }
    let pages = content(&mut open(folder.path()));
    let stored: BTreeSet<String> = pages.iter().map(|(url, _, _)| url.clone()).collect();
    assert!(told.len() > 100, "only {} pages were committed", told.len());
    assert!(
        told.is_subset(&stored),
        "of {} pages, {} are there",
        told.len(),
        stored.len()
    );
    assert!(stored.len() <= told.len() + KILLS as usize * BATCH);
    for (url, status, stored) in pages {
        assert_eq!((status, stored), (200, body(&url)));
    }
}
