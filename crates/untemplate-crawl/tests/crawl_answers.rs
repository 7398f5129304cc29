//! The crawl of made sites: soft 404s, sitemaps that nobody names, traps over restarts, names that
//! share an address.

mod fault_server;
mod made_server;

use std::path::Path;
use std::time::Duration;

use fault_server::FaultServer;
use made_server::{Made, MadeServer, html};
use untemplate::page::Request;
use untemplate_crawl::{
    ClientOptions, CrawlOptions, CrawlReport, CrawlScope, ScheduleOptions, StopControl, crawl, now,
};
use untemplate_store::archive::{ArchiveOptions, Frontier, NewRequest, PageStore, SqliteArchive};
use url::Url;

fn open(folder: &Path) -> SqliteArchive {
    let options = ArchiveOptions {
        host_delay_ms: 0,
        ..ArchiveOptions::default()
    };
    SqliteArchive::open(folder, &options, now()).expect("the archive opens")
}

fn options(server: &MadeServer) -> CrawlOptions {
    CrawlOptions {
        schedule: ScheduleOptions::without_delay(),
        client: ClientOptions {
            use_proxies: false,
            ..ClientOptions::default()
        },
        seeks_sitemaps: true,
        probes_soft_404: true,
        ..CrawlOptions::of(server.url("/"))
    }
}

fn run(archive: &mut SqliteArchive, options: CrawlOptions) -> CrawlReport {
    crawl(archive, options, &StopControl::default(), &mut |_| {}).expect("the crawl runs")
}

/// A site that says "not found" with status 200, and lists its pages in a sitemap that robots.txt
/// does not name.
fn sly_site(base: &str, path: &str) -> Made {
    match path {
        "/" => html("<h1>Welcome</h1><p>All our shirts, by colour.<a href=/blue>Blue</a><a href=/gone>Gone</a>"),
        "/blue" => html("<h1>Blue shirt</h1><p>Wool, washed by hand, in four sizes, from our own sheep."),
        "/hidden" => html("<h1>Green shirt</h1><p>Linen, for hot days, cut wide, with buttons of horn."),
        "/sitemap.xml" => Made {
            status: 200,
            content_type: "application/xml",
            body: format!(
                "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{base}/hidden</loc></url></urlset>"
            ),
            etag: None,
        },
        "/robots.txt" => Made {
            status: 404,
            content_type: "text/plain",
            body: String::new(),
            etag: None,
        },
        _ => html("<h1>Sorry</h1><p>We could not find what you were looking for.<a href=/elsewhere>Try this</a>"),
    }
}

#[test]
fn soft_404s_are_found_and_sitemaps_sought() {
    let (server, folder) = (MadeServer::start(sly_site), tempfile::tempdir().expect("a folder"));
    let mut archive = open(folder.path());
    let report = run(&mut archive, options(&server));
    // The home page, two shirts, the sitemap, and a page that is none; nobody follows what that one
    // links to.
    assert_eq!(
        (report.stored, report.soft_404s, report.left),
        (5, 1, 0),
        "{:?}",
        server.asked()
    );
    let stored = |archive: &mut SqliteArchive, path: &str| {
        let page = archive.page(&Request::get(server.url(path))).expect("it can be read");
        page.map(|page| page.problems.first().map_or("a page", |problem| problem.kind))
    };
    assert_eq!(stored(&mut archive, "/hidden"), Some("a page"));
    assert_eq!(stored(&mut archive, "/gone"), Some("soft 404"));
    assert_eq!(stored(&mut archive, "/elsewhere"), None);
    drop(archive);

    // A restart remembers what "not found" looks like, and asks for nothing.
    let n_asked = server.asked().len();
    let mut archive = open(folder.path());
    let late = NewRequest {
        request: Request::get(server.url("/gone-too")),
        priority: 0.0,
        depth: 1,
        found_on: None,
    };
    archive.add(&[late], now()).expect("added");
    let report = run(&mut archive, options(&server));
    assert_eq!((report.requests, report.soft_404s), (1, 1));
    assert_eq!(server.asked().len(), n_asked + 1);
}

/// Two pages that say which version they are.
fn steady_site(_base: &str, path: &str) -> Made {
    let etag = Some("\"first\"");
    match path {
        "/" => Made {
            etag,
            ..html("<p>Home<a href=/other>Other</a>")
        },
        "/other" => Made {
            etag,
            ..html("<p>Other")
        },
        _ => Made {
            status: 404,
            ..html("")
        },
    }
}

#[test]
fn what_did_not_change_is_not_sent_again() {
    let (server, folder) = (MadeServer::start(steady_site), tempfile::tempdir().expect("a folder"));
    let mut archive = open(folder.path());
    let mut options = options(&server);
    (options.probes_soft_404, options.seeks_sitemaps) = (false, false);
    assert_eq!(run(&mut archive, options.clone()).stored, 2);
    assert_eq!(archive.refresh(now() + 1_000).expect("refreshed"), 2);
    let report = run(&mut archive, options);
    assert_eq!(
        (report.unmodified, report.stored, report.bytes, report.requests),
        (2, 0, 0, 2)
    );
    let page = archive
        .page(&Request::get(server.url("/other")))
        .expect("it can be read");
    let page = page.expect("it is still there");
    assert_eq!(archive.body(page.id).expect("with its body"), b"<p>Other");
}

/// A calendar that never ends and never has anything in it.
fn calendar(_base: &str, path: &str) -> Made {
    let month: u32 = path
        .strip_prefix("/month/")
        .and_then(|month| month.parse().ok())
        .unwrap_or(0);
    match path {
        "/robots.txt" => Made {
            status: 404,
            content_type: "text/plain",
            body: String::new(),
            etag: None,
        },
        _ => html(&format!(
            "<h1>Calendar</h1><p>There is nothing going on in this month, as far as we know, and we would know it.</p>\
             <p>Look at the next one, or the one after that, which may be better, but we doubt it.</p><a href=/month/{}>Next</a>",
            month + 1
        )),
    }
}

#[test]
fn a_trap_is_left_however_often_the_crawl_is_broken_off() {
    let (server, folder) = (MadeServer::start(calendar), tempfile::tempdir().expect("a folder"));
    let mut n_runs = 0;
    let report = loop {
        n_runs += 1;
        assert!(n_runs < 40, "the trap has no end: {} requests", server.asked().len());
        let mut archive = open(folder.path());
        let mut options = options(&server);
        (options.probes_soft_404, options.seeks_sitemaps) = (false, false);
        options.limits.pages_max = Some(12);
        let report = run(&mut archive, options);
        if report.left == 0 {
            break report;
        }
    };
    assert!(n_runs > 3, "it was broken off often");
    assert!(report.trapped > 0, "{report:?}");
    let n_asked = server.asked().len();
    assert!(n_asked < 200, "{n_asked} requests were wasted");
}

#[test]
fn names_that_share_an_address_wait_for_each_other() {
    const DELAY_MS: i64 = 200;
    let (server, folder) = (FaultServer::start(), tempfile::tempdir().expect("a folder"));
    let address = std::net::IpAddr::from([127, 0, 0, 1]);
    let resolver = untemplate_crawl::Resolver(std::sync::Arc::new(move |_: &str| Ok(vec![address])));
    let url = |host: usize| Url::parse(&server.url_at(&format!("n{host}.test"), "/ok")).expect("an address");
    let mut archive = open(folder.path());
    let requests: Vec<NewRequest> = (0..6)
        .map(|host| NewRequest {
            request: Request::get(url(host)),
            priority: 0.0,
            depth: 0,
            found_on: None,
        })
        .collect();
    archive.add(&requests, now()).expect("added");
    let options = CrawlOptions {
        schedule: ScheduleOptions {
            delay_ms: DELAY_MS,
            ..ScheduleOptions::without_delay()
        },
        client: ClientOptions {
            resolver: Some(resolver),
            use_proxies: false,
            ..ClientOptions::default()
        },
        scope: CrawlScope::Everywhere,
        obeys_robots: false,
        ..CrawlOptions::of(url(0))
    };
    let report = run(&mut archive, options);
    assert_eq!((report.stored, report.failed), (6, 0));
    let mut times: Vec<_> = server.log.lines().into_iter().map(|line| line.at).collect();
    times.sort();
    let least = times.windows(2).map(|pair| pair[1] - pair[0]).min().expect("several");
    // A quarter of the delay, and the log notes arrivals, which vary by a little.
    assert!(
        least >= Duration::from_millis(DELAY_MS as u64 / 4 - 10),
        "{least:?} between two requests"
    );
}
