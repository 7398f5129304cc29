//! The crawl judged from the server's log: many hosts, many workers, and a crawl that is broken off
//! again and again.

mod fault_server;

use std::collections::BTreeMap;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use fault_server::{FaultServer, ServerOptions};
use untemplate::page::Request;
use untemplate_crawl::{ClientOptions, CrawlOptions, CrawlReport, CrawlScope, ScheduleOptions, StopControl, crawl};
use untemplate_store::UnixMillis;
use untemplate_store::archive::{ArchiveOptions, Fate, Frontier, NewRequest, SqliteArchive};
use url::Url;

const N_HOSTS: usize = 50;
const PAGES_OF_A_HOST: usize = 4;
const DELAY_MS: i64 = 150;

/// How often the crawl is broken off: `UNTEMPLATE_BREAKS`, or a few times.
fn breaks() -> usize {
    let breaks = std::env::var("UNTEMPLATE_BREAKS").ok();
    breaks.and_then(|breaks| breaks.parse().ok()).unwrap_or(4)
}

fn now() -> UnixMillis {
    UnixMillis(
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .expect("after 1970")
            .as_millis() as i64,
    )
}

fn open(folder: &Path) -> SqliteArchive {
    let options = ArchiveOptions {
        host_delay_ms: DELAY_MS,
        ..ArchiveOptions::default()
    };
    SqliteArchive::open(folder, &options, now()).expect("the archive opens")
}

fn options(server: &FaultServer, workers_max: usize) -> CrawlOptions {
    CrawlOptions {
        schedule: ScheduleOptions {
            delay_ms: DELAY_MS,
            ..ScheduleOptions::without_delay()
        },
        client: ClientOptions {
            resolver: Some(server.names()),
            use_proxies: false,
            ..ClientOptions::default()
        },
        // The pages of all hosts are added by hand.
        scope: CrawlScope::Everywhere,
        workers_max,
        attempts_max: 3,
        ..CrawlOptions::of(address(server, 0, 0))
    }
}

fn address(server: &FaultServer, host: usize, page: usize) -> Url {
    Url::parse(&server.url_at(&format!("h{host}.test"), &format!("/ok?page={page}"))).expect("a good address")
}

/// Enough pages that the last break still hits a crawl that is under way.
fn pages_of_a_host() -> usize {
    PAGES_OF_A_HOST.max(breaks())
}

fn add_pages(archive: &mut SqliteArchive, server: &FaultServer) {
    let requests: Vec<NewRequest> = (0..N_HOSTS)
        .flat_map(|host| (0..pages_of_a_host()).map(move |page| (host, page)))
        .map(|(host, page)| NewRequest {
            request: Request::get(address(server, host, page)),
            priority: 0.0,
            depth: 0,
            found_on: None,
        })
        .collect();
    archive.add(&requests, now()).expect("requests are added");
}

fn run(folder: &Path, server: &FaultServer, break_after: Option<Duration>) -> CrawlReport {
    let mut archive = open(folder);
    add_pages(&mut archive, server);
    let control = StopControl::default();
    if let Some(after) = break_after {
        let control = control.clone();
        thread::spawn(move || {
            thread::sleep(after);
            control.stop();
            control.stop();
        });
    }
    crawl(&mut archive, options(server, 64), &control, &mut |_| {}).expect("the crawl runs")
}

#[test]
fn no_host_is_asked_twice_within_its_delay_or_over_two_connections() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = FaultServer::start_with(ServerOptions {
        hosts: N_HOSTS,
        ..ServerOptions::default()
    });
    let breaks = breaks();
    for round in 0..breaks {
        let after = Duration::from_millis(120 + 90 * (round % 4) as u64);
        run(folder.path(), &server, Some(after));
    }
    let report = run(folder.path(), &server, None);
    assert_eq!((report.left, report.failed, report.stopped_because), (0, 0, None));

    let mut asked: BTreeMap<String, Vec<Instant>> = BTreeMap::new();
    let mut n_pages: BTreeMap<(String, String), usize> = BTreeMap::new();
    for line in server.log.lines() {
        asked.entry(line.host.clone()).or_default().push(line.at);
        *n_pages.entry((line.host, line.path)).or_default() += 1;
    }
    assert_eq!(asked.len(), N_HOSTS);
    let gaps = asked
        .values()
        .flat_map(|times| times.windows(2).map(|pair| pair[1] - pair[0]));
    let least = gaps.min().expect("hosts are asked more than once");
    // The log notes when a request has arrived, which varies by a little; the pause counts from the
    // end of an answer.
    assert!(
        least >= Duration::from_millis(DELAY_MS as u64 - 10),
        "{least:?} between two requests to a host"
    );
    assert!(
        server.log.open_connections_max().values().all(|most| *most <= 1),
        "one connection a host"
    );
    let repeated: usize = n_pages
        .iter()
        .filter(|((_, path), _)| path.starts_with("/ok"))
        .map(|(_, count)| count - 1)
        .sum();
    assert!(
        repeated <= breaks * N_HOSTS,
        "{repeated} pages were fetched again after {breaks} breaks"
    );
    let mut archive = open(folder.path());
    for host in 0..N_HOSTS {
        let fate = archive
            .fate(&Request::get(address(&server, host, 1)))
            .expect("the archive answers");
        assert_eq!(fate, Some(Fate::Done));
    }
}

#[test]
fn robots_are_asked_first_and_obeyed() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = FaultServer::start();
    let robots = "User-agent: *\nDisallow: /ok\n";
    let raw = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{robots}",
        robots.len()
    );
    server.answer_with("/robots.txt", raw);
    let mut archive = open(folder.path());
    let mut options = options(&server, 4);
    options.entry = Url::parse(&server.url("/ok")).expect("a good address");
    let report = crawl(&mut archive, options.clone(), &StopControl::default(), &mut |_| {}).expect("the crawl runs");
    assert_eq!((report.forbidden, report.stored, report.requests), (1, 0, 1));
    let paths: Vec<String> = server.log.lines().into_iter().map(|line| line.path).collect();
    assert_eq!(paths, ["/robots.txt"]);
    drop(archive);

    // In another crawl of one's own site robots.txt is not even asked for.
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = open(folder.path());
    options.obeys_robots = false;
    let report = crawl(&mut archive, options, &StopControl::default(), &mut |_| {}).expect("the crawl runs");
    assert_eq!((report.forbidden, report.stored, report.requests), (0, 1, 1));
}

#[test]
fn redirect_loops_and_dead_pages_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = FaultServer::start();
    let mut archive = open(folder.path());
    let mut options = options(&server, 4);
    options.schedule.delay_ms = 0;
    options.entry = Url::parse(&server.url("/loop/a")).expect("a good address");
    let report = crawl(&mut archive, options, &StopControl::default(), &mut |_| {}).expect("the crawl runs");
    assert_eq!(
        (report.left, report.stored),
        (0, 2),
        "each address of the loop is kept once"
    );
}
