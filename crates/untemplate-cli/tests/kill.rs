//! Kill -9 of the real program in the middle of a crawl: nothing stored is lost, nothing stored is
//! fetched again.
//!
//! `UNTEMPLATE_KILLS` is the number of kills (20 by default). Each kill hits the crawl where the
//! last one left it.

mod program;

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use program::{Bench, contents};
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

/// Requests that a kill can cost: those that are claimed, and what came of them not yet committed.
const CONCURRENCY: u64 = 8;

/// How long the server takes for an answer: without that, the crawl is over after a few kills.
const ANSWER_MS: u64 = 2;

#[test]
fn a_crawl_that_is_killed_again_and_again_ends_like_one_that_is_not() {
    let kills = std::env::var("UNTEMPLATE_KILLS")
        .ok()
        .and_then(|kills| kills.parse().ok())
        .unwrap_or(20u64);
    let bench = Bench::new();
    // Large enough that most kills hit a crawl that is under way: 20 kills some 400 pages, 200
    // kills some 2,000.
    let server = start_site(120 + 6 * kills);
    assert_eq!(
        archive(&bench, &server, "calm").wait().expect("it ends").code(),
        Some(0)
    );
    let calm = contents(&bench.path().join("calm"));
    let calm_requests = server.requests();
    assert!(calm.len() > 100, "{} pages", calm.len());

    let mut random: u64 = 0x5eed;
    let mut n_hit = 0;
    for _ in 0..kills {
        let mut child = archive(&bench, &server, "killed");
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        sleep(Duration::from_millis(5 + (random >> 33) % 60));
        // It may be done already; then there is nothing to kill, and nothing is fetched again
        // either.
        n_hit += u64::from(child.try_wait().expect("it can be asked").is_none());
        let _ = child.kill();
        child.wait().expect("it ends");
    }
    assert_eq!(
        archive(&bench, &server, "killed").wait().expect("it ends").code(),
        Some(0)
    );
    let killed = contents(&bench.path().join("killed"));
    assert!(
        calm == killed,
        "the same pages, byte by byte: {} and {}",
        calm.len(),
        killed.len()
    );
    let n_requests = server.requests() - calm_requests;
    let most = calm_requests + n_hit * CONCURRENCY;
    eprintln!(
        "kill: {} pages, {n_hit} of {kills} kills hit, {n_requests} requests, {most} allowed",
        killed.len()
    );
    assert!(2 * n_hit >= kills, "{n_hit} of {kills} kills hit a running crawl");
    assert!(
        n_requests <= most,
        "{n_requests} requests for {} pages and {kills} kills",
        killed.len()
    );
}

fn start_site(players: u64) -> Server {
    let options = DatabaseOptions {
        players: u32::try_from(players).expect("a small number"),
        ..DatabaseOptions::default()
    };
    let server_options = ServerOptions {
        delay_ms: ANSWER_MS,
        ..ServerOptions::default()
    };
    Server::start(DemoSite::new(options, Skin::Modern), server_options).expect("the demo site starts")
}

/// Starts a crawl of the site, but for its endless calendar, into a folder.
fn archive(bench: &Bench, server: &Server, folder: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args([
            "archive",
            &server.url(),
            "--archive",
            folder,
            "--delay",
            "0",
            "--workers",
            &CONCURRENCY.to_string(),
            "--exclude",
            "/calendar/",
            "-q",
        ])
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts")
}
