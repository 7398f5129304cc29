//! Kill -9 of workers that share an archive, and restarts of the server it is on: the same pages as
//! of one worker that nobody disturbs, next to nothing is fetched twice, and the site is never
//! asked sooner than it should be.
//!
//! `UNTEMPLATE_SHARED_KILLS` has the number of kills and of restarts ("6 1" by default).

mod program;

#[path = "../../untemplate-store/tests/postgres_server/mod.rs"]
mod postgres_server;

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use postgres_server::PostgresServer;
use program::Bench;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};
use untemplate_store::archive::{ArchiveOptions, PageStore, PostgresArchive, ServerClock, visit_pages};

const WORKERS: usize = 3;

/// Requests that a kill can cost: those that a worker has claimed, and what came of them not yet
/// committed.
const CONCURRENCY: u64 = 8;

/// The pause between requests that workers are told.
const DELAY_MS: u64 = 20;

/// Clocks leave out parts of a millisecond, where one worker makes several requests in a row.
const ROUNDING_MS: u64 = 2;

/// How long a worker may be silent: long enough for a busy machine, short enough for many kills.
const LEASE_SECONDS: u64 = 2;

#[test]
fn workers_that_are_killed_again_and_again_end_like_one_that_is_not() {
    let setting = std::env::var("UNTEMPLATE_SHARED_KILLS").unwrap_or_else(|_| "6 1".to_owned());
    let mut numbers = setting.split(' ').map(|number| number.parse().expect("a number"));
    let (kills, restarts): (u64, u64) = (numbers.next().unwrap_or(6), numbers.next().unwrap_or(1));
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let bench = Bench::new();
    let site = start_site(40 + 6 * kills);
    let mut crowd = Crowd {
        bench: &bench,
        site: site.url(),
        archive: postgres.address(&format!("schema=calm&lease={LEASE_SECONDS}")),
    };
    assert_eq!(crowd.worker().wait().expect("it ends").code(), Some(0));
    let calm = contents(&crowd.archive);
    let calm_requests = site.requests();
    assert!(calm.len() > 40, "{} pages", calm.len());
    check_pauses(&site, "calm");

    crowd.archive = postgres.address(&format!("schema=killed&lease={LEASE_SECONDS}"));
    let started = Instant::now();
    let (n_hit, n_lost) = crowd.disturb(&postgres, kills, restarts);
    let killed = contents(&crowd.archive);
    assert!(
        calm == killed,
        "the same pages, byte by byte: {} and {}",
        calm.len(),
        killed.len()
    );
    let n_requests = site.requests() - calm_requests;
    let most = calm_requests + n_hit * CONCURRENCY;
    let pause = check_pauses(&site, "killed");
    eprintln!(
        "kill: {} pages by {WORKERS} workers in {:.0} s, {n_hit} of {kills} kills hit, {restarts} restarts of the server, {n_lost} leases lost, {n_requests} requests ({calm_requests} undisturbed, {most} allowed), shortest pause {:.1} ms of {DELAY_MS} ms",
        killed.len(),
        started.elapsed().as_secs_f64(),
        pause.as_secs_f64() * 1_000.0
    );
    assert!(2 * n_hit >= kills, "{n_hit} of {kills} kills hit a running crawl");
    assert!(n_requests <= most, "{n_requests} requests and {most} allowed");
}

struct Crowd<'a> {
    bench: &'a Bench,
    site: String,
    archive: String,
}

impl Crowd<'_> {
    /// Starts a worker: a crawl of the site, but for its endless calendar.
    fn worker(&self) -> Child {
        let (delay, workers) = (format!("0.{DELAY_MS:03}"), CONCURRENCY.to_string());
        let words = [
            "--delay",
            &delay,
            "--workers",
            &workers,
            "--exclude",
            "/calendar/",
            "-q",
        ];
        Command::new(env!("CARGO_BIN_EXE_untemplate"))
            .args(["archive", &self.site, "--archive", &self.archive])
            .args(words)
            .current_dir(self.bench.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts")
    }

    /// Kills workers and restarts the server until all is done; returns how many kills hit a worker
    /// that was at work, and how many workers lost their lease on a busy machine.
    fn disturb(&self, postgres: &PostgresServer, kills: u64, restarts: u64) -> (u64, u64) {
        let mut workers: Vec<Child> = (0..WORKERS).map(|_| self.worker()).collect();
        let (mut random, mut n_hit, mut n_lost): (u64, u64, u64) = (0x5eed, 0, 0);
        for kill in 0..kills {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            sleep(Duration::from_millis(50 + (random >> 33) % 250));
            if restarts > 0 && kill % (kills / restarts).max(1) == 0 && kill / (kills / restarts).max(1) < restarts {
                postgres.stop();
                postgres.begin();
            }
            let worker = &mut workers[(random >> 20) as usize % WORKERS];
            match worker.try_wait().expect("it can be asked") {
                None => n_hit += 1,
                Some(status) => n_lost += u64::from(!status.success()),
            }
            let _ = worker.kill();
            worker.wait().expect("it ends");
            *worker = self.worker();
        }
        for mut worker in workers {
            while !worker.wait().expect("it ends").success() {
                n_lost += 1;
                assert!(n_lost <= kills + 10, "workers fail again and again");
                worker = self.worker();
            }
        }
        (n_hit, n_lost)
    }
}

fn check_pauses(site: &Server, what: &str) -> Duration {
    let pause = site.take_shortest_pause().expect("more than one request");
    assert!(
        pause >= Duration::from_millis(DELAY_MS - ROUNDING_MS),
        "{what}: the site was asked again after {pause:?}"
    );
    pause
}

fn start_site(players: u64) -> Server {
    let options = DatabaseOptions {
        players: u32::try_from(players).expect("a small number"),
        ..DatabaseOptions::default()
    };
    Server::start(DemoSite::new(options, Skin::Modern), ServerOptions::default()).expect("the demo site starts")
}

/// The status and body of every page of an archive, by address.
fn contents(address: &str) -> BTreeMap<String, (u16, Vec<u8>)> {
    let archive = PostgresArchive::open(address, &ArchiveOptions::default(), ServerClock::Own);
    let mut contents = BTreeMap::new();
    visit_pages(
        &mut archive.expect("the archive can be read"),
        &mut |store: &mut dyn PageStore, page| {
            let body = store.body(page.id)?;
            contents.insert(page.request.url.to_string(), (page.status, body));
            Ok(())
        },
    )
    .expect("the archive can be read");
    contents
}
