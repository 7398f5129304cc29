//! One policy of what may be followed: whoever walks over a live site asks for the pages that a
//! crawl asks for, no others.

#[allow(dead_code, reason = "each test program uses a part of this")]
mod made_server;

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;

use made_server::{Made, MadeServer, html};
use untemplate::page::{ParseOptions, Request, Site, Visit, links};
use untemplate_crawl::{
    ClientOptions, CrawlOptions, LiveOptions, LiveSource, ScheduleOptions, StopControl, WebSite, crawl, now,
};
use untemplate_store::archive::{ArchiveOptions, SqliteArchive};
use untemplate_store::{SourceSite, StopReason};

/// A site that asks in every way there is that some links are not followed.
fn shy_site(base: &str, path: &str) -> Made {
    match path {
        "/robots.txt" => Made {
            content_type: "text/plain",
            ..html(&format!(
                "User-agent: *\nDisallow: /forbidden\nSitemap: {base}/pages.xml\n"
            ))
        },
        "/pages.xml" => Made {
            content_type: "text/xml",
            ..html(&format!("<urlset><url><loc>{base}/listed</loc></url></urlset>"))
        },
        "/" => html(
            "<a href=/one>1</a><a href=/login rel=nofollow>Log in</a><a href=/both rel=nofollow>Both</a>\
             <a href=/meta>2</a><a href=/header>3</a><a href=/forbidden>4</a><a href='/one?utm_source=x'>1</a>",
        ),
        "/one" => html("<a href=/both>Both</a><a href=/login rel='nofollow ugc'>Log in</a>"),
        "/meta" => html("<meta name=robots content=nofollow><a href=/behind-meta>x</a><a href=/one>1</a>"),
        "/header" => Made {
            // The server sends it as it is, so that another header can follow.
            etag: Some("\"1\"\r\nX-Robots-Tag: nofollow"),
            ..html("<a href=/behind-header>x</a>")
        },
        _ => html("<p>A page"),
    }
}

fn options(server: &MadeServer) -> CrawlOptions {
    CrawlOptions {
        schedule: ScheduleOptions::without_delay(),
        client: ClientOptions {
            use_proxies: false,
            ..ClientOptions::default()
        },
        seeks_sitemaps: true,
        ..CrawlOptions::of(server.url("/"))
    }
}

fn live(server: &MadeServer, folder: &Path) -> WebSite {
    let folder = folder.to_owned();
    let options = LiveOptions {
        crawl: options(server),
        archive: Box::new(move |_| folder.clone().into()),
        refresh_ms: None,
        redirects_max: 20,
        watch: Box::new(|_| {}),
    };
    let live = LiveSource::new(options, &StopControl::default());
    WebSite {
        source: SourceSite::new(vec![Box::new(live)], ParseOptions::default()),
    }
}

/// Visits whatever the pages of a site link to, and what the site lists, without an opinion of its
/// own.
fn walk(site: &mut WebSite, server: &MadeServer) -> Vec<String> {
    let mut queue = VecDeque::from([server.url("/")]);
    let (mut known, mut left_out) = (BTreeSet::from([server.url("/")]), Vec::new());
    let mut has_asked = false;
    while let Some(url) = queue.pop_front() {
        let mut found = Vec::new();
        match site.visit(&[Request::get(url.clone())]).pop() {
            Some(Visit::Page(page)) => found.extend(links(&page).into_iter().map(|link| link.url)),
            Some(Visit::NotFollowed { .. }) => left_out.push(url.path().to_owned()),
            _ => {}
        }
        if !std::mem::replace(&mut has_asked, true) {
            found.extend(site.listed(&url));
        }
        // Pages that ask last come last, so that another link can still lead to what they do not
        // want followed.
        found.retain(|url| known.insert(url.clone()));
        queue.extend(found);
        queue
            .make_contiguous()
            .sort_by_key(|url| matches!(url.path(), "/login" | "/both"));
    }
    left_out.sort();
    left_out
}

fn paths(server: &MadeServer) -> BTreeSet<String> {
    server.asked().into_iter().collect()
}

#[test]
fn a_walk_asks_for_what_a_crawl_asks_for() {
    let crawled = MadeServer::start(shy_site);
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive =
        SqliteArchive::open(&folder.path().join("a"), &ArchiveOptions::default(), now()).expect("it opens");
    crawl(&mut archive, options(&crawled), &StopControl::default(), &mut |_| {}).expect("the crawl runs");
    let walked = MadeServer::start(shy_site);
    let kept = folder.path().join("b");
    let left_out = walk(&mut live(&walked, &kept), &walked);
    assert_eq!(paths(&walked), paths(&crawled));
    assert_eq!(left_out, ["/behind-header", "/behind-meta", "/login"]);
    assert!(paths(&walked).contains("/both"), "another link leads there");
    let n_robots = walked.asked().iter().filter(|path| *path == "/robots.txt").count();
    assert_eq!(n_robots, 1, "robots.txt is fetched once");
    // From the archive, the same links are left out, and nothing is asked for.
    let n_asked = walked.asked().len();
    assert_eq!(walk(&mut live(&walked, &kept), &walked), left_out);
    assert_eq!(walked.asked().len(), n_asked);
}

#[test]
fn a_page_that_a_person_names_is_asked_for() {
    let server = MadeServer::start(shy_site);
    let folder = tempfile::tempdir().expect("a folder");
    let mut site = live(&server, &folder.path().join("kept"));
    let login = Request::get(server.url("/login"));
    site.visit(&[Request::get(server.url("/"))]);
    assert!(matches!(
        site.visit(std::slice::from_ref(&login))[..],
        [Visit::NotFollowed { .. }]
    ));
    site.source.permit(&login.url);
    assert!(matches!(site.visit(&[login])[..], [Visit::Page(_)]));
    assert_eq!(site.source.figures.stopped_because, None::<StopReason>);
}
