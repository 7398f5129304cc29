//! Sitemaps: made ones of every kind, ones made to hurt, and the public files in the folder
//! `sitemaps` below `UNTEMPLATE_SUITES`, each with its verdict.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use untemplate_crawl::{Sitemap, SitemapLimits, read_sitemap};
use url::Url;

fn read(body: &[u8], limits: &SitemapLimits) -> Sitemap {
    let url = Url::parse("http://site.example/maps/sitemap.xml").expect("a good address");
    read_sitemap(&url, body, limits)
}

fn told(sitemap: &Sitemap) -> String {
    let mut told = format!("{:?}, {} entries", sitemap.kind, sitemap.entries.len());
    let kinds: Vec<&str> = sitemap.problems.iter().map(|problem| problem.kind).collect();
    if !kinds.is_empty() {
        write!(told, "; problems: {}", kinds.join(", ")).expect("a string");
    }
    told
}

fn check_read(body: &str, expected: Expect) {
    let sitemap = read(body.as_bytes(), &SitemapLimits::default());
    let mut shown = told(&sitemap) + "\n";
    for entry in &sitemap.entries {
        write!(shown, "{}", entry.url).expect("a string");
        if let Some(time) = &entry.last_modified {
            write!(shown, " changed {time}").expect("a string");
        }
        if let Some(priority) = entry.priority {
            write!(shown, " priority {priority}").expect("a string");
        }
        shown.push('\n');
    }
    expected.assert_eq(&shown);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("packing works");
    encoder.finish().expect("packing works")
}

#[test]
fn a_sitemap_lists_pages() {
    check_read(
        "<?xml version='1.0'?><urlset xmlns='x'><url><loc> /a?b=1&amp;c=2#f </loc><lastmod>2024-05-01</lastmod>
        <priority>0.8</priority></url><url><image:image><image:loc>/i.png</image:loc></image:image><loc>b&#46;html</loc>
        <priority>7</priority></url><url><loc>mailto:x@y.example</loc></url><url/></urlset>",
        expect![[r#"
            UrlSet, 2 entries; problems: bad sitemap entry
            http://site.example/a?b=1&c=2 changed 2024-05-01 priority 0.8
            http://site.example/maps/b.html
        "#]],
    );
}

#[test]
fn an_index_lists_sitemaps() {
    check_read(
        "<s:sitemapindex xmlns:s='x'><s:sitemap><s:loc>/one.xml</s:loc><s:lastmod>2024</s:lastmod></s:sitemap>
        <sitemap>http://site.example/two.xml?a=1&b=2</sitemap></s:sitemapindex>",
        expect![[r#"
            Index, 2 entries
            http://site.example/one.xml changed 2024
            http://site.example/two.xml?a=1&b=2
        "#]],
    );
}

#[test]
fn feeds_list_pages() {
    check_read(
        "<rss><channel><link>http://site.example/</link><atom:link rel='self' href='/feed'/><item><title>One</title>
        <link>http://site.example/1</link><pubDate>Mon, 06 May 2024</pubDate></item>
        <item><link><![CDATA[http://site.example/2?a&b]]></link></item></channel></rss>",
        expect![[r#"
            Feed, 2 entries
            http://site.example/1 changed Mon, 06 May 2024
            http://site.example/2?a&b
        "#]],
    );
    check_read(
        "<feed><link href='/'/><entry><link rel='edit' href='/e'/><link href='/p?a=1&amp;b'/><updated>2024</updated></entry></feed>",
        expect![[r#"
            Feed, 1 entries
            http://site.example/p?a=1&b changed 2024
        "#]],
    );
}

#[test]
fn lines_list_pages_and_prose_does_not() {
    check_read(
        "\u{feff}http://site.example/a\r\n\r\nHTTPS://site.example/b\nnot a page\n",
        expect![[r#"
            Text, 2 entries; problems: bad sitemap entry
            http://site.example/a
            https://site.example/b
        "#]],
    );
    check_read(
        "Page not found\n",
        expect![[r#"
        Unknown, 0 entries; problems: bad sitemap entry, not a sitemap
    "#]],
    );
    check_read(
        "",
        expect![[r#"
        Unknown, 0 entries; problems: not a sitemap
    "#]],
    );
    check_read(
        "<!doctype html><html><body><a href=/a>a</a>",
        expect![[r#"
        Unknown, 0 entries; problems: not a sitemap
    "#]],
    );
}

#[test]
fn broken_ones_give_what_they_have() {
    check_read(
        "<urlset><url><loc>/a</loc></url><url><loc>/b</lo",
        expect![[r#"
        UrlSet, 1 entries; problems: broken XML
        http://site.example/a
    "#]],
    );
    check_read(
        "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><urlset><url><loc>/&b;x&a;</loc></url></urlset>",
        expect![[r#"
            UrlSet, 1 entries; problems: unknown entity
            http://site.example/x
        "#]],
    );
}

#[test]
fn limits_cut_what_hurts() {
    let limits = SitemapLimits {
        bytes_max: 1 << 20,
        entries_max: 100,
        ..SitemapLimits::default()
    };
    let check = |body: &[u8], expected: Expect| {
        let start = Instant::now();
        expected.assert_eq(&told(&read(body, &limits)));
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    };
    let entry = "<url><loc>/a</loc></url>";
    check(
        format!("<urlset>{}</urlset>", entry.repeat(101)).as_bytes(),
        expect!["UrlSet, 100 entries; problems: long sitemap"],
    );
    check(
        format!("<urlset>{}", "<a>".repeat(300_000)).as_bytes(),
        expect!["UrlSet, 0 entries; problems: too deep"],
    );
    let bomb = gzip(format!("<urlset>{entry}{}", " ".repeat(50 << 20)).as_bytes());
    check(&bomb, expect!["UrlSet, 1 entries; problems: long sitemap"]);
    let packed = gzip(format!("<urlset>{entry}</urlset>").as_bytes());
    check(&packed, expect!["UrlSet, 1 entries"]);
    check(
        &packed[..packed.len() - 9],
        expect!["UrlSet, 1 entries; problems: bad gzip"],
    );
    let attributes: String = (0..60_000).map(|number| format!(" a{number}='1'")).collect();
    check(
        format!("<feed><entry><link{attributes}/>").as_bytes(),
        expect!["Feed, 0 entries"],
    );
    check(
        format!("<urlset><url><loc>/{}</loc></url>", "a".repeat(900_000)).as_bytes(),
        expect!["UrlSet, 0 entries; problems: bad sitemap entry"],
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read(&bytes, &SitemapLimits::default());
        read(&gzip(&bytes), &SitemapLimits::default());
    }

    #[test]
    fn anything_like_a_sitemap_is_read(text in "(<[/!?]?(urlset|url|loc|sitemap|rss|item|link|a='|!\\[CDATA\\[|-->)[ />]{0,2}|&[a-z#;]{0,3}|[a-z:/]{0,3}){0,20}") {
        read(text.as_bytes(), &SitemapLimits::default());
    }
}

fn suite_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the suite can be listed");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .collect();
    files.sort();
    files
        .into_iter()
        .flat_map(|path| if path.is_dir() { suite_files(&path) } else { vec![path] })
        .collect()
}

#[test]
fn public_files_have_their_verdict() {
    let folder = std::env::var_os("UNTEMPLATE_SUITES").map(|folder| Path::new(&folder).join("sitemaps"));
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        eprintln!("suite sitemaps: skipped, since UNTEMPLATE_SUITES names no folder with a folder sitemaps");
        return;
    };
    let mut verdicts = String::new();
    let files = suite_files(&folder);
    for file in &files {
        let name = file.strip_prefix(&folder).expect("a file below the folder").display();
        let sitemap = read(&fs::read(file).expect("a file can be read"), &SitemapLimits::default());
        writeln!(verdicts, "{name}: {}", told(&sitemap)).expect("a string");
    }
    expect![[r#"
        atom.xml: Feed, 1 entries
        do-not-visit.txt: Text, 1 entries
        extension/hebdenbridgetimes-articles-sitemap.xml: UrlSet, 74 entries
        extension/pagemaps-sitemap.xml: UrlSet, 2 entries
        extension/shinpaideshou-news-sitemap.xml: UrlSet, 3 entries
        extension/sitemap-images.xml: UrlSet, 1 entries
        extension/sitemap-links.xml: UrlSet, 3 entries
        extension/sitemap-mobile.xml: UrlSet, 3 entries
        extension/sitemap-news.xml: UrlSet, 2 entries
        extension/sitemap-videos-tvshow.xml: UrlSet, 1 entries
        extension/sitemap-videos.xml: UrlSet, 3 entries
        sitemap-with-bom.txt: Text, 2 entries
        sitemap.badns.xml: UrlSet, 2 entries
        sitemap.index.xml: Index, 15 entries
        sitemap.ns.xml: UrlSet, 2 entries
        sitemap.txt: Text, 2 entries
        sitemap.txt.gz: Text, 5 entries
        xmlSitemap.gz: UrlSet, 5 entries
    "#]]
    .assert_eq(&verdicts);
    eprintln!("suite sitemaps: {0} of {0} (0 listed exceptions)", files.len());
}
