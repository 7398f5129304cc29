//! Live pages through an archive, from outside: fetched once, politely, and kept whatever happens
//! to the program.

mod program;

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use program::{Bench, contents};
use serde_json::Value;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

fn start_site(delay_ms: u64) -> (Server, Vec<String>) {
    let options = DatabaseOptions {
        players: 30,
        ..DatabaseOptions::default()
    };
    let site = DemoSite::new(options, Skin::Modern);
    let paths: Vec<String> = site.paths().filter(|path| !path.contains("calendar")).collect();
    let server_options = ServerOptions {
        delay_ms,
        ..ServerOptions::default()
    };
    let server = Server::start(site, server_options).expect("the demo site starts");
    let urls = paths
        .iter()
        .map(|path| format!("{}{}", server.url(), &path[1..]))
        .collect();
    (server, urls)
}

fn figures(bench: &Bench, names: [&str; 3]) -> [u64; 3] {
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    names.map(|name| summary[name].as_u64().unwrap_or_else(|| panic!("{name} of {summary}")))
}

/// Shows the schemas of pages, kept in a folder, without pauses.
fn show(bench: &Bench, urls: &[String], more: &[&str]) -> program::Told {
    let words = ["show", "schema", "-", "-q", "--delay", "0", "--summary", "figures.json"];
    bench.run_with_input(&[&words[..], more].concat(), &urls.join("\n"))
}

#[test]
fn pages_are_fetched_once_and_kept() {
    let (bench, (server, urls)) = (Bench::new(), start_site(0));
    let urls = &urls[..5];
    let first = show(&bench, urls, &[]);
    assert_eq!(first.code, 0, "{}", first.err);
    assert_eq!(
        figures(&bench, ["downloads", "reused", "pages"]),
        [6, 0, 5],
        "robots.txt too"
    );
    let folder = format!(
        "untemplate-archive/{}",
        server.url().replace("http://", "").replace([':'], "-")
    );
    assert_eq!(contents(&bench.path().join(folder.trim_end_matches('/'))).len(), 5);

    let second = show(&bench, urls, &[]);
    assert_eq!((second.code, &second.out), (0, &first.out), "{}", second.err);
    assert_eq!(figures(&bench, ["downloads", "reused", "bytes"]), [0, 5, 0]);
    assert_eq!(server.requests(), 6);

    // What changed is asked for: here nothing says whether it did, so all of it is sent.
    assert_eq!(show(&bench, urls, &["--refresh", "0"]).code, 0);
    assert_eq!(figures(&bench, ["downloads", "reused", "pages"]), [5, 0, 5]);
}

#[test]
fn a_limit_ends_a_run_in_part() {
    let (bench, (server, urls)) = (Bench::new(), start_site(0));
    let told = show(&bench, &urls[..6], &["--archive", "kept", "--max-pages", "4"]);
    assert_eq!(told.code, 3, "{}", told.err);
    assert!(bench.read("figures.json").contains("--max-pages 4 reached"));
    assert_eq!(server.requests(), 5);
    assert_eq!(show(&bench, &urls[..6], &["--archive", "kept"]).code, 0);
    assert_eq!(figures(&bench, ["downloads", "reused", "pages"]), [2, 4, 6]);
}

fn spawn(bench: &Bench, urls: &[String], delay: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["show", "schema", "--archive", "kept", "-q", "--delay", delay])
        .args(urls)
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

fn wait_for_requests(server: &Server, count: u64) {
    for _ in 0..12_000 {
        if server.requests() >= count {
            return;
        }
        sleep(Duration::from_millis(5));
    }
    panic!("only {} requests were made", server.requests());
}

#[test]
fn a_kill_loses_nothing_that_was_stored() {
    let (bench, (server, urls)) = (Bench::new(), start_site(5));
    let urls = &urls[..40];
    for kill in 1..=4 {
        let mut child = spawn(&bench, urls, "0");
        wait_for_requests(&server, kill * 8);
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    let told = show(&bench, urls, &["--archive", "kept"]);
    assert_eq!(told.code, 0, "{}", told.err);
    let [_, reused, _] = figures(&bench, ["downloads", "reused", "pages"]);
    assert!(reused >= 20, "{reused} of {} pages were stored", urls.len());
    // One page is asked for at a time, so that a kill costs one request, or two with robots.txt
    // before anything is stored.
    let n_requests = server.requests();
    assert!(
        n_requests <= 40 + 1 + 4 * 2,
        "{n_requests} requests for 40 pages and 4 kills"
    );
}

#[test]
fn an_interrupt_ends_a_run_and_the_same_command_goes_on() {
    let (bench, (server, urls)) = (Bench::new(), start_site(0));
    let urls = &urls[..20];
    let mut child = spawn(&bench, urls, "0.3");
    wait_for_requests(&server, 4);
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
    assert!(server.requests() < 20, "it did not go on");
    assert_eq!(show(&bench, urls, &["--archive", "kept"]).code, 0);
    let [_, reused, pages] = figures(&bench, ["downloads", "reused", "pages"]);
    assert!(reused >= 2 && pages == 20, "{reused} of {pages} were stored");
}

#[test]
fn private_addresses_can_be_ruled_out() {
    let (bench, (server, urls)) = (Bench::new(), start_site(0));
    let told = show(&bench, &urls[..1], &["--public-only", "--archive", "kept"]);
    assert_eq!((told.code, told.out.as_str()), (1, ""));
    assert!(told.err.contains("public"), "{}", told.err);
    assert_eq!(server.requests(), 0);
}

#[test]
fn pages_of_a_mirror_are_kept_when_asked() {
    let bench = Bench::new();
    bench.write("site/index.html", "<a href=x>x</a>");
    let show = || {
        let words = [
            "show",
            "schema",
            "http://m.example/",
            "--mirror",
            "http://m.example/=site",
        ];
        bench.run(&[&words[..], &["--archive", "kept", "--summary", "figures.json"]].concat())
    };
    assert_eq!(
        (show().code, figures(&bench, ["downloads", "reused", "pages"])),
        (0, [1, 0, 1])
    );
    bench.write("site/index.html", "changed");
    assert_eq!(show().out, "html/body/a\n");
    assert_eq!(figures(&bench, ["downloads", "reused", "pages"]), [0, 1, 1]);
}

#[test]
fn an_archive_that_takes_no_more_ends_the_run() {
    let bench = Bench::new();
    let (server, _) = start_site(0);
    // A limit on the size of files is a disk that is full, for whoever writes.
    let script = "ulimit -f $((900 * 1024 / ${BLOCK:-512})); trap '' XFSZ; exec \"$@\"";
    let words = [
        "rebuild",
        &server.url(),
        "--delay",
        "0",
        "--no-robots",
        "-o",
        "out",
        "--patience",
        "20",
    ];
    let began = std::time::Instant::now();
    let told = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_untemplate")])
        .args(words)
        .current_dir(bench.path())
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    let err = String::from_utf8_lossy(&told.stderr);
    assert!(matches!(told.status.code(), Some(1 | 3)), "{:?}: {err}", told.status);
    assert!(
        err.contains("untemplate-archive"),
        "it names what cannot be written: {err}"
    );
    assert!(err.contains("run the same command again"), "{err}");
    assert!(began.elapsed() < Duration::from_secs(60), "it waits and waits: {err}");
}
