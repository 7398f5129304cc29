//! The archive on a PostgreSQL server does what every archive must, and what only a shared one can.
//!
//! Each test starts a server of its own; the conformance tests share one, since starting it takes
//! longer than all of them.

#![cfg(feature = "postgres")]

mod archive_builder;
mod archive_conformance;
mod postgres_server;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use archive_builder::{claim_options, content, new_page, new_request, page_outcome, schedule};
use archive_conformance::{check_claims, check_statistics};
use expect_test::expect;
use postgres::{Client, NoTls};
use postgres_server::PostgresServer;
use untemplate_store::archive::{
    ArchiveOptions, Committed, Frontier, HostSchedule, KeptPage, PageId, PageStore, PostgresArchive, ServerClock,
    UnixMillis,
};

fn open(address: &str, clock: ServerClock) -> PostgresArchive {
    PostgresArchive::open(address, &ArchiveOptions::default(), clock).expect("an archive")
}

#[test]
fn it_does_what_every_archive_must() {
    let Some(server) = PostgresServer::start() else { return };
    /// Each in a schema of its own.
    macro_rules! conformance {
        ($($part:ident: $($name:ident)*;)*) => {
            $($(
                println!("{}", stringify!($name));
                let address = server.address(concat!("schema=", stringify!($name)));
                archive_conformance::$part::$name(open(&address, ServerClock::Told));
            )*)*
        };
    }
    archive_conformance::every_conformance!(conformance);
}

/// A client of the test's own, that sees an archive's tables.
fn client(server: &PostgresServer, schema: &str) -> Client {
    let mut client = Client::connect(&server.address(""), NoTls).expect("the server is there");
    let path = format!("SET search_path TO {schema}");
    client.batch_execute(&path).expect("a path");
    client
}

/// What is wrong with an address, which must show no password.
fn refusal(address: &str) -> String {
    let opened = PostgresArchive::open(address, &ArchiveOptions::default(), ServerClock::Own);
    let message = opened.err().expect("it cannot be opened").to_string();
    assert!(!message.contains("secret"), "{message}");
    message
}

#[test]
fn a_worker_that_was_thought_dead_writes_nothing_more() {
    let Some(server) = PostgresServer::start() else { return };
    let address = server.address("schema=fenced&lease=1");
    let (mut first, mut second) = (open(&address, ServerClock::Own), open(&address, ServerClock::Own));
    let requests = [new_request("http://a/", 0.0), new_request("http://b/", 0.0)];
    first.add(&requests, UnixMillis(0)).expect("added");
    let claims = first.claim(UnixMillis(0), &claim_options(9)).expect("claims");
    assert_eq!(claims.len(), 2);
    assert!(first.lease().expect("a lease").is_held());
    // Two in one process are one worker, until the first says otherwise.
    let mut client = client(&server, "fenced");
    assert_eq!(second.others().expect("counted"), 0);
    client
        .execute("UPDATE worker SET name = 'another' WHERE id = 1", &[])
        .expect("renamed");
    assert_eq!(second.others().expect("counted"), 1);
    assert!(
        second
            .claim(UnixMillis(0), &claim_options(9))
            .expect("claims")
            .is_empty()
    );
    // As if it had been silent: the server has been there for longer than the lease.
    std::thread::sleep(Duration::from_millis(1_200));
    let silent = "UPDATE worker SET lease_until = 5, lease_ms = 0 WHERE id = 1";
    assert_eq!(client.execute(silent, &[]).expect("changed"), 1);
    // Whoever looks takes its claims back. Their hosts rest for a second from the end of the lease,
    // which is long over. Unless it renewed its lease, of no length now, once more: then they rest
    // from that moment on.
    let mut taken = second.claim(UnixMillis(0), &claim_options(9)).expect("claims");
    let started = Instant::now();
    while taken.is_empty() && started.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
        taken = second.claim(UnixMillis(0), &claim_options(9)).expect("claims");
    }
    assert_eq!(taken.iter().map(|claim| claim.n_lapses).collect::<Vec<_>>(), [1, 1]);
    let late = first.commit(&[page_outcome(&claims[0], b"late")], UnixMillis(0));
    let message = late.expect_err("it is fenced off").to_string();
    assert!(
        message.contains("longer than its lease") && message.contains("same command"),
        "{message}"
    );
    let message = first
        .claim(UnixMillis(0), &claim_options(9))
        .expect_err("fenced off")
        .to_string();
    assert!(message.contains("longer than its lease"), "{message}");
    let batch = [page_outcome(&taken[0], b"a"), page_outcome(&taken[1], b"b")];
    second.commit(&batch, UnixMillis(0)).expect("committed");
    drop(first);
    check_statistics(
        &mut second,
        expect!["0 waiting, 0 open, 2 done, 0 failed, 0 skipped, 2 hosts, next never"],
    );
    let bodies: Vec<Vec<u8>> = content(&mut second).into_iter().map(|(_, _, body)| body).collect();
    assert_eq!(bodies, [b"a", b"b"]);
    // One that ends in good order is not counted any more.
    assert_eq!(second.others().expect("counted"), 0);
}

#[test]
fn one_worker_leads_and_the_others_fetch_for_it() {
    let Some(server) = PostgresServer::start() else { return };
    let address = server.address("schema=led");
    let (mut first, mut second) = (open(&address, ServerClock::Own), open(&address, ServerClock::Own));
    assert!(first.lead().expect("asked") && !second.lead().expect("asked"));
    let links = ["http://a/1", "http://b/1", "http://c/1"].map(|url| new_request(url, 0.0));
    first.add(&links, UnixMillis(0)).expect("added");
    first.want(&links[1..2], UnixMillis(0)).expect("wanted");
    // What nobody waits for is not fetched.
    let claims = second.claim_wanted(UnixMillis(0), &claim_options(9)).expect("claims");
    check_claims(
        &claims,
        expect![[r#"
        http://b/1 attempt 1, lapses 0
    "#]],
    );
    second
        .commit(&[page_outcome(&claims[0], b"b")], UnixMillis(0))
        .expect("committed");
    assert!(first.page(&links[1].request).expect("asked").is_some());
    assert_eq!(second.n_led().expect("asked"), 0);
    // One that ends without a word of success leaves the lead to the next.
    drop(first);
    assert!(second.lead().expect("asked"));
    second.resign().expect("resigned");
    assert_eq!(second.n_led().expect("asked"), 1);
}

#[test]
fn workers_share_hosts_and_keep_their_pauses() {
    const PAUSE_MS: i64 = 60;
    let Some(server) = PostgresServer::start() else { return };
    let address = server.address("schema=crowd");
    let mut archive = open(&address, ServerClock::Own);
    let urls: Vec<String> = (0..30)
        .map(|number| format!("http://h{}/{number}", number % 3))
        .collect();
    let requests: Vec<_> = urls.iter().map(|url| new_request(url, 0.0)).collect();
    archive.add(&requests, UnixMillis(0)).expect("added");
    let asked: Mutex<Vec<(String, String, Instant)>> = Mutex::default();
    let work = || {
        let mut archive = open(&address, ServerClock::Own);
        while archive.statistics().expect("statistics").waiting > 0 {
            for claim in archive.claim(UnixMillis(0), &claim_options(2)).expect("claims") {
                let told = (claim.host.clone(), claim.request.url.to_string(), Instant::now());
                asked.lock().expect("no panic").push(told);
                let mut outcome = page_outcome(&claim, claim.request.url.as_str().as_bytes());
                outcome.host = Some(HostSchedule {
                    delay_ms: PAUSE_MS,
                    ..schedule(&claim.host, PAUSE_MS)
                });
                archive.commit(&[outcome], UnixMillis(0)).expect("committed");
            }
            std::thread::sleep(Duration::from_millis(3));
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(work))));
    let asked = asked.into_inner().expect("no panic");
    let mut once: Vec<String> = asked.iter().map(|(_, url, _)| url.clone()).collect();
    once.sort();
    once.dedup();
    assert_eq!((asked.len(), once.len()), (30, 30), "each request is made once");
    for host in ["h0", "h1", "h2"] {
        let mut times: Vec<Instant> = asked
            .iter()
            .filter(|(own, _, _)| own == host)
            .map(|(_, _, at)| *at)
            .collect();
        times.sort();
        for pair in times.windows(2) {
            let gap = pair[1].duration_since(pair[0]).as_millis();
            assert!(
                gap >= PAUSE_MS.unsigned_abs().into(),
                "{host} was asked again after {gap} ms"
            );
        }
    }
    assert_eq!(content(&mut archive).len(), 30);
}

#[test]
fn large_bodies_go_to_a_folder() {
    let Some(server) = PostgresServer::start() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let bodies = folder.path().join("bodies");
    let parameters = format!(
        "schema=large&bodies={}",
        bodies.display().to_string().replace('/', "%2F")
    );
    let mut archive = open(&server.address(&parameters), ServerClock::Own);
    // What cannot be packed.
    let mut random = 1_u64;
    let large: Vec<u8> = std::iter::repeat_with(|| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 56) as u8
    })
    .take(3 << 20)
    .collect();
    let kept = |url: &str, body: &[u8]| KeptPage {
        request: new_request(url, 0.0),
        page: Some(new_page(body, 1)),
        checked_at: UnixMillis(1),
    };
    let pages = [kept("http://a/small", b"small"), kept("http://a/large", &large)];
    archive.keep(&pages, UnixMillis(1)).expect("kept");
    assert_eq!(archive.body(PageId(1)).expect("a body"), b"small");
    assert!(archive.body(PageId(2)).expect("a body") == large);
    drop(archive);
    let mut elsewhere = open(&server.address("schema=large"), ServerClock::Own);
    let message = elsewhere.body(PageId(2)).expect_err("no folder").to_string();
    assert!(message.contains("?bodies=DIR"), "{message}");
    drop(elsewhere);
    std::fs::remove_dir_all(&bodies).expect("removed");
    let mut archive = open(&server.address(&parameters), ServerClock::Own);
    let message = archive.body(PageId(2)).expect_err("it is gone").to_string();
    assert!(message.contains("a body is missing"), "{message}");
}

#[test]
fn what_is_wrong_is_said_with_what_to_do() {
    let Some(server) = PostgresServer::start_with("scram-sha-256") else {
        return;
    };
    let message = refusal(&server.address_of("tester:secret", "schema=x"));
    assert!(
        message.contains("password authentication failed") && message.contains("PGPASSWORD"),
        "{message}"
    );
    let message = refusal(&server.address_of("tester", "schema=x"));
    assert!(
        message.contains("password missing") && message.contains("PGPASSWORD"),
        "{message}"
    );
    let right = server.address_of("tester:right", "");
    let mut client = Client::connect(&right, NoTls).expect("the server is there");
    client
        .batch_execute(
            "CREATE SCHEMA theirs; CREATE TABLE theirs.request (id int); INSERT INTO theirs.request VALUES (1)",
        )
        .expect("made");
    let message = refusal(&server.address_of("tester:right", "schema=theirs"));
    assert!(
        message.contains("is no archive: it has request") && message.contains("?schema=NAME"),
        "{message}"
    );
    let row = client
        .query_one("SELECT count(*) FROM theirs.request", &[])
        .expect("it is as it was");
    assert_eq!(row.get::<_, i64>(0), 1);
    drop(PostgresArchive::open(
        &server.address_of("tester:right", "schema=newer"),
        &ArchiveOptions::default(),
        ServerClock::Own,
    ));
    client
        .batch_execute("UPDATE newer.untemplate_archive SET version = 9")
        .expect("changed");
    let message = refusal(&server.address_of("tester:right", "schema=newer"));
    assert!(
        message.contains("version 9") && message.contains("use a newer untemplate"),
        "{message}"
    );
    client
        .batch_execute("CREATE ROLE guest LOGIN PASSWORD 'guest'; REVOKE CREATE ON DATABASE postgres FROM PUBLIC")
        .expect("made");
    let message = refusal(&server.address_of("guest:guest", "schema=mine"));
    assert!(
        message.contains("permission denied") && message.contains("rights"),
        "{message}"
    );
    let message = refusal(
        &server
            .address_of("tester:right", "schema=x")
            .replace("/postgres?", "/nowhere?"),
    );
    assert!(
        message.contains("nowhere") && message.contains("create it"),
        "{message}"
    );
    server.stop();
    let message = refusal(&server.address_of("tester:right", "schema=x"));
    assert!(message.contains("check that the server runs"), "{message}");
}

#[test]
fn a_server_that_goes_away_is_waited_for() {
    let Some(server) = PostgresServer::start() else { return };
    let mut archive = open(&server.address("schema=gone&patience=30"), ServerClock::Own);
    archive
        .add(&[new_request("http://a/", 0.0)], UnixMillis(0))
        .expect("added");
    let claim = archive
        .claim(UnixMillis(0), &claim_options(9))
        .expect("claims")
        .remove(0);
    let mut impatient = open(&server.address("schema=gone&patience=1"), ServerClock::Own);
    server.stop();
    let message = impatient.statistics().expect_err("the server is gone").to_string();
    assert!(
        message.contains("did not come back within 1 s") && message.contains("same command"),
        "{message}"
    );
    let back = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(700));
        server.begin();
        server
    });
    let report = archive
        .commit(&[page_outcome(&claim, b"kept")], UnixMillis(0))
        .expect("committed");
    assert!(matches!(report.committed[..], [Committed::Page { .. }]), "{report:?}");
    let _server = back.join().expect("it is back");
    assert_eq!(content(&mut archive).len(), 1);
}
