//! The live web as a page source: a server of our own on this machine, well behaved and not.

mod odd_server;

use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use odd_server::Server;
use tempfile::TempDir;
use untemplate::page::{Method, Page, ParseOptions, Request, Site, Visit};
use untemplate_crawl::{
    BodyLimits, ClientOptions, CrawlLimits, CrawlOptions, Deadlines, LiveOptions, LiveSource, ScheduleOptions,
    StopControl,
};
use untemplate_store::{PageSource, SourceCounts, SourceSite, StopReason};

/// The live web without pauses, kept in a folder.
fn live(folder: &TempDir, change: impl FnOnce(&mut LiveOptions)) -> LiveSource {
    live_with(folder, &StopControl::default(), change)
}

fn live_with(folder: &TempDir, control: &StopControl, change: impl FnOnce(&mut LiveOptions)) -> LiveSource {
    let path = folder.path().join("kept");
    let mut options = LiveOptions {
        crawl: CrawlOptions {
            obeys_robots: false,
            schedule: ScheduleOptions::without_delay(),
            client: ClientOptions {
                user_agent: "tester/1".to_owned(),
                use_proxies: false,
                body: BodyLimits {
                    bytes_max: 1000,
                    ..BodyLimits::default()
                },
                ..ClientOptions::default()
            },
            attempts_max: 1,
            ..CrawlOptions::of("http://entry.invalid/".parse().expect("an address"))
        },
        archive: Box::new(move |_| path.clone().into()),
        refresh_ms: None,
        redirects_max: 20,
        watch: Box::new(|_| {}),
    };
    change(&mut options);
    LiveSource::new(options, control)
}

fn request(method: Method, url: &str) -> Request {
    Request {
        method,
        url: url.parse().expect("an address"),
        body: Vec::new(),
    }
}

fn told(live: &mut LiveSource, method: Method, url: &str) -> String {
    match live.answer(&request(method, url)) {
        None => "not asked".to_owned(),
        Some(Err(error)) => error.to_string(),
        Some(Ok(response)) => {
            let body = String::from_utf8_lossy(&response.body);
            let body = if body.len() > 40 {
                format!("{} bytes", body.len())
            } else {
                format!("{body:?}")
            };
            let problems: Vec<String> = response.problems.iter().map(|problem| format!("; {problem}")).collect();
            let kind = response.content_type.as_deref().unwrap_or("-");
            format!(
                "{} {} {kind} {body}{}",
                response.status,
                response.url,
                problems.concat()
            )
        }
    }
}

fn check_fetch(path: &str, expected: Expect) {
    let server = Server::start();
    let base = format!("http://{}", server.address);
    let folder = tempfile::tempdir().expect("a folder");
    let first = told(&mut live(&folder, |_| {}), Method::Get, &format!("{base}{path}"));
    expected.assert_eq(&first.replace(&base, "BASE"));
}

#[test]
fn pages_and_errors_are_answers() {
    check_fetch("/", expect![[r#"200 BASE/ text/html "<p>Hello""#]]);
    check_fetch("/#top", expect![[r#"200 BASE/ text/html "<p>Hello""#]]);
    check_fetch("/none", expect![[r#"404 BASE/none text/html "<p>Nothing here""#]]);
    check_fetch("/gzip", expect![[r#"200 BASE/gzip - "<p>Hello, packed""#]]);
    check_fetch(
        "/agent",
        expect![[r#"200 BASE/agent text/html "user-agent: tester/1""#]],
    );
}

#[test]
fn a_page_is_parsed_once() {
    let server = Server::start();
    let folder = tempfile::tempdir().expect("a folder");
    let mut source = live(&folder, |_| {});
    let ask = |path: &str| request(Method::Get, &format!("http://{}{path}", server.address));
    let options = ParseOptions::default();
    // The page at the end of a redirect is known by the request that led there.
    for path in ["/", "/a"] {
        let response = source.answer(&ask(path)).expect("it is asked").expect("it answers");
        let page = source
            .parsed(&ask(path), &options)
            .expect("it was parsed while it was fetched");
        let again = Page::read(&response, &options);
        assert_eq!((&page.url, &page.base), (&again.url, &again.base), "{path}");
        assert_eq!(page.problems, again.problems);
        assert_eq!(page.dom.len(), again.dom.len());
    }
    let scripting = ParseOptions {
        scripting: true,
        ..options
    };
    assert!(
        source.parsed(&ask("/a"), &scripting).is_none(),
        "it was parsed another way"
    );
    let mut site = SourceSite::new(vec![Box::new(source)], options);
    let visits = site.visit(&[ask("/agent")]);
    assert!(matches!(&visits[..], [Visit::Page(page)] if page.url.path() == "/agent"));
}

#[test]
fn redirects() {
    check_fetch("/a", expect![[r#"200 BASE/c?x=1 text/html "<p>Hello""#]]);
    check_fetch(
        "/loop",
        expect![
            "BASE/loop redirects in a loop: BASE/loop -> BASE/pool -> BASE/loop; look at it in a browser, it may want cookies or a login"
        ],
    );
    check_fetch(
        "/chain/0",
        expect!["BASE/chain/0 redirects more than 20 times; look at it in a browser and ask for where it ends"],
    );
    check_fetch(
        "/file",
        expect![
            "BASE/file redirects to file:///etc/hostname, which is no http or https address; ask for another page of the site"
        ],
    );
}

#[test]
fn large_bodies_are_cut() {
    check_fetch(
        "/endless",
        expect!["200 BASE/endless text/html 1000 bytes; too large: BASE/endless: only the first 1000 bytes were read"],
    );
    check_fetch(
        "/bomb",
        expect!["200 BASE/bomb - 1000 bytes; too large: BASE/bomb: only the first 1000 bytes were read"],
    );
}

#[test]
fn bodies_that_end_early() {
    check_fetch(
        "/short",
        expect![[
            r#"200 BASE/short - "only this"; cut short: BASE/short: after 9 bytes, end of file before message length reached"#
        ]],
    );
    check_fetch(
        "/nothing",
        expect![
            "BASE/nothing: no sound answer: after 0 bytes, end of file before message length reached; try again later"
        ],
    );
    check_fetch(
        "/garbage",
        expect!["BASE/garbage: no sound answer: invalid HTTP version parsed; try again later"],
    );
}

#[test]
fn slow_answers_end_in_time() {
    let server = Server::start();
    for path in ["/silent", "/drip"] {
        let (begin, folder) = (Instant::now(), tempfile::tempdir().expect("a folder"));
        let url = format!("http://{}{path}", server.address);
        let limit = Duration::from_millis(400);
        let mut live = live(&folder, |options| {
            options.crawl.client.deadlines = Deadlines {
                first_byte: limit,
                total: limit,
                ..Deadlines::default()
            };
        });
        let told = told(&mut live, Method::Get, &url);
        assert!(told.contains(&url), "{told}");
        assert!(
            begin.elapsed() < Duration::from_secs(20),
            "{path} took {:?}",
            begin.elapsed()
        );
    }
}

#[test]
fn forms_are_sent() {
    let (server, folder) = (Server::start(), tempfile::tempdir().expect("a folder"));
    let url = format!("http://{}/form", server.address);
    let mut live = live(&folder, |_| {});
    assert_eq!(
        told(&mut live, Method::Post, &url),
        format!("200 {url} text/html \"POST\"")
    );
    assert_eq!(
        told(&mut live, Method::Get, &url),
        format!("200 {url} text/html \"GET\"")
    );
}

#[test]
fn nobody_there() {
    // A port that was free a moment ago.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    let folder = tempfile::tempdir().expect("a folder");
    let told = told(&mut live(&folder, |_| {}), Method::Get, &base);
    assert!(told.contains(&base) && told.contains("refused"), "{told}");
}

#[test]
fn other_schemes_are_not_its_business() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(
        told(&mut live(&folder, |_| {}), Method::Get, "file:///etc/hostname"),
        "not asked"
    );
}

fn counts(downloads: usize, bytes: usize, reused: usize) -> SourceCounts {
    SourceCounts {
        downloads,
        bytes,
        reused,
        stopped_because: None,
    }
}

#[test]
fn what_is_stored_is_not_fetched_again() {
    let (server, folder) = (Server::start(), tempfile::tempdir().expect("a folder"));
    let base = format!("http://{}", server.address);
    let requests = ["/a", "/", "/none", "/a", "/c?x=1"].map(|path| request(Method::Get, &format!("{base}{path}")));
    let answers = |live: &mut LiveSource| -> Vec<String> {
        let answers = live.answers(&requests).into_iter().flatten();
        answers
            .map(|answer| answer.map_or_else(|error| error.to_string(), |response| format!("{response:?}")))
            .collect()
    };
    let mut first = live(&folder, |_| {});
    let fetched = answers(&mut first);
    assert_eq!(fetched.len(), requests.len());
    // Two redirects and their target, which is also asked for by its own name; the home page; what
    // is not there.
    assert_eq!(first.counts(), Some(counts(5, 31, 0)));
    drop(first);
    let mut second = live(&folder, |_| {});
    assert_eq!(answers(&mut second), fetched);
    assert_eq!(second.counts(), Some(counts(0, 0, 5)));
    drop(second);
    let mut third = live(&folder, |options| options.refresh_ms = Some(-1_000));
    assert_eq!(answers(&mut third), fetched, "all of it is asked for again");
    assert_eq!(third.counts(), Some(counts(5, 31, 0)));
}

#[test]
fn limits_and_interrupts_stop_it_and_the_next_run_goes_on() {
    let (server, folder) = (Server::start(), tempfile::tempdir().expect("a folder"));
    let base = format!("http://{}", server.address);
    let requests = ["/", "/none", "/form", "/agent"].map(|path| request(Method::Get, &format!("{base}{path}")));
    let n_had = |live: &mut LiveSource| live.answers(&requests).into_iter().flatten().flatten().count();
    let mut limited = live(&folder, |options| {
        options.crawl.limits = CrawlLimits {
            pages_max: Some(2),
            ..CrawlLimits::default()
        };
    });
    assert_eq!(n_had(&mut limited), 2);
    let stopped = limited.counts().and_then(|counts| counts.stopped_because);
    assert_eq!(stopped, Some(StopReason::Pages(2)));
    drop(limited);
    let control = StopControl::default();
    control.stop();
    let mut interrupted = live_with(&folder, &control, |_| {});
    assert_eq!(n_had(&mut interrupted), 2, "what is stored is had all the same");
    let stopped = interrupted.counts().and_then(|counts| counts.stopped_because);
    assert_eq!(stopped, Some(StopReason::Interrupted));
    drop(interrupted);
    let mut whole = live(&folder, |_| {});
    assert_eq!(n_had(&mut whole), 4);
    assert_eq!(
        whole.counts().map(|counts| (counts.downloads, counts.reused)),
        Some((2, 2))
    );
}

#[test]
fn robots_are_obeyed() {
    let (server, folder) = (Server::start(), tempfile::tempdir().expect("a folder"));
    let mut live = live(&folder, |options| options.crawl.obeys_robots = true);
    let url = format!("http://{}/secret/x", server.address);
    let told = told(&mut live, Method::Get, &url);
    assert!(told.contains("robots.txt forbids"), "{told}");
    assert_eq!(live.counts(), Some(counts(1, 0, 0)), "robots.txt alone was asked for");
}
