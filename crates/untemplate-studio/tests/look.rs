//! Looking over HTTP: what is below a folder, tables by the screen, and names that try to be more
//! than names.

mod questions;

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::Arc;

use tempfile::TempDir;
use untemplate::page::Request;
use untemplate::table::{Column, ColumnKind, ColumnSource, Database, Table};
use untemplate_store::UnixMillis;
use untemplate_store::archive::{
    ArchiveOptions, ClaimOptions, ClaimResult, Frontier, NewPage, NewRequest, Outcome, SqliteArchive,
};
use untemplate_store::table_file::{ClassMark, PageMark, PageState, TableFolder, TableFormat};
use untemplate_studio::{JobOptions, Studio, StudioOptions};

struct Bench {
    folder: TempDir,
    _studio: Studio,
    host: String,
    key: String,
}

struct Told {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Told {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The texts of the cells of the rows.
    fn cells(&self) -> Vec<String> {
        let text = self.text();
        let cells = text.split("title=\"Where it comes from\">").skip(1);
        cells
            .map(|cell| cell.split('<').next().unwrap_or("").to_owned())
            .collect()
    }

    /// The address of the link with this relation, below the key.
    fn link(&self, relation: &str) -> Option<String> {
        let text = self.text();
        let link = text.split(&format!("rel=\"{relation}\" href=\"")).nth(1)?;
        Some(link.split('"').next()?.replace("&amp;", "&"))
    }
}

impl Bench {
    fn new(folder: TempDir) -> Self {
        let studio = Studio::start(StudioOptions {
            ip: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            folder: folder.path().to_owned(),
            lesson: None,
            is_private: Arc::new(|_| false),
            find_address: Arc::new(|_| Err("nobody is asked".to_owned())),
            open_site: Arc::new(|_, _, _| Err("looking asks nobody".to_owned())),
            jobs: JobOptions::default(),
        })
        .expect("it starts");
        let url: url::Url = studio.url().parse().expect("a good address");
        let host = format!("127.0.0.1:{}", url.port().expect("a port"));
        let key = url.path().split('/').nth(1).expect("a secret").to_owned();
        Self {
            folder,
            _studio: studio,
            host,
            key,
        }
    }

    fn send(&self, method: &str, path: &str, body: &str) -> Told {
        let host = &self.host;
        let mut stream = TcpStream::connect(host).expect("it listens");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let mut body = answer[end + 4..].to_vec();
        if head.to_ascii_lowercase().contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        Told {
            status: head.split(' ').nth(1).expect("a status").parse().expect("a number"),
            head,
            body,
        }
    }

    /// Asks for a path below the key, with names and values.
    fn get(&self, path: &str, pairs: &[(&str, &str)]) -> Told {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(pairs)
            .finish();
        self.send("GET", &format!("/{}{path}?{query}", self.key), "")
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let length =
            usize::from_str_radix(std::str::from_utf8(&bytes[..end]).expect("a length"), 16).expect("a length");
        all.extend_from_slice(&bytes[end + 2..end + 2 + length]);
        bytes = &bytes[end + 4 + length..];
    }
    all
}

fn column(name: &str, kind: ColumnKind, source: ColumnSource) -> Column {
    Column {
        name: name.to_owned(),
        source,
        kind,
        unit: None,
        is_nullable: true,
        reading: Default::default(),
    }
}

fn field(name: &str, kind: ColumnKind) -> Column {
    column(name, kind, ColumnSource::Field(name.to_owned()))
}

/// A table of players: `n_rows` of them, every seventh without a height.
fn write_players(folder: &std::path::Path, n_rows: usize) {
    let columns = vec![
        column("url", ColumnKind::Url, ColumnSource::Address),
        field("name", ColumnKind::Text),
        field("height", ColumnKind::Integer),
        field("born", ColumnKind::Date),
        field("odd \"name\"; DROP TABLE player; --", ColumnKind::Text),
        field("plays", ColumnKind::Boolean),
    ];
    let table = Table {
        name: "player".to_owned(),
        page_class: 0,
        list_path: Vec::new(),
        columns,
        key: vec![0],
        foreign_keys: Vec::new(),
    };
    let mut files =
        TableFolder::create(folder, &Database { tables: vec![table] }, &[TableFormat::Sqlite]).expect("a folder");
    files
        .set_classes(vec![ClassMark {
            name: "players".to_owned(),
            wrapper: None,
        }])
        .expect("nothing to open");
    for row in 0..n_rows {
        let some = |text: String| Some(text);
        let height = (row % 7 != 0).then(|| (150 + row * 31 % 60).to_string());
        let cells = [
            some(format!("http://cup.example/players/{row}")),
            some(format!("Player <{row}>")),
            height,
            some(format!("{}-02-03", 1970 + row % 30)),
            some(format!("odd {}", row % 3)),
            some((row % 2 == 0).to_string()),
        ];
        files.push(0, &cells).expect("a row");
    }
    let page = PageMark {
        url: "http://cup.example/players/0".to_owned(),
        page_class: Some(0),
        first_seen: None,
        last_seen: None,
        state: PageState::Read,
    };
    files.push_page(&page).expect("a page");
    files.finish().expect("a database");
}

fn tables(n_rows: usize) -> Bench {
    let folder = tempfile::tempdir().expect("a folder");
    write_players(&folder.path().join("out"), n_rows);
    Bench::new(folder)
}

const PLAYER: [(&str, &str); 2] = [("at", "out"), ("table", "player")];

fn asking<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&PLAYER[..], more].concat()
}

/// Walks over all screens by "next", and back by "previous"; gives the first cell of each row.
fn walk(bench: &Bench, more: &[(&str, &str)]) -> Vec<String> {
    let mut told = bench.get("/look/table", &asking(more));
    let mut rows = Vec::new();
    let mut screens = Vec::new();
    loop {
        assert_eq!(told.status, 200, "{}", told.text());
        let urls: Vec<String> = told
            .cells()
            .into_iter()
            .filter(|cell| cell.starts_with("http"))
            .collect();
        rows.extend(urls.clone());
        screens.push(urls);
        match told.link("next") {
            Some(next) => told = bench.send("GET", &next, ""),
            None => break,
        }
    }
    for expected in screens.iter().rev().skip(1) {
        let back = told.link("prev").expect("there are rows before");
        told = bench.send("GET", &back, "");
        let urls: Vec<String> = told
            .cells()
            .into_iter()
            .filter(|cell| cell.starts_with("http"))
            .collect();
        assert_eq!(&urls, expected, "the same screen on the way back, {more:?}");
    }
    assert_eq!(told.link("prev"), None, "the first screen, {more:?}");
    rows
}

#[test]
fn screens_have_every_row_once_in_any_order() {
    let bench = tables(333);
    let orders: [&[(&str, &str)]; 5] = [
        &[],
        &[("turn", "down")],
        &[("order", "height")],
        &[("order", "height"), ("turn", "down")],
        &[("order", "name")],
    ];
    for order in orders {
        let rows = walk(&bench, order);
        assert_eq!(rows.len(), 333, "{order:?}");
        assert_eq!(rows.iter().collect::<BTreeSet<_>>().len(), 333, "{order:?}");
    }
    let first = |more: &[(&str, &str)]| bench.get("/look/table", &asking(more)).cells()[1].clone();
    assert_eq!(first(&[("order", "height")]), "150");
    assert_eq!(first(&[("order", "height"), ("turn", "down")]), "209");
}

#[test]
fn conditions_leave_rows_out() {
    let bench = tables(333);
    let count =
        |column: &str, how: &str, value: &str| walk(&bench, &[("where", column), ("how", how), ("value", value)]).len();
    assert_eq!(count("name", "contains", "<33"), 4);
    assert_eq!(count("name", "contains", "%"), 0, "a sign of SQL is only a sign");
    assert_eq!(count("height", "empty", ""), 48);
    assert_eq!(
        count("height", "least", "200") + count("height", "most", "199") + 48,
        333
    );
    assert_eq!(count("born", "is", "1970-02-03"), 12);
    assert_eq!(count("plays", "is", "1"), 167);
    let both = [
        ("where", "height"),
        ("how", "filled"),
        ("value", ""),
        ("where", "name"),
        ("how", "contains"),
        ("value", "<3"),
    ];
    let told = bench.get("/look/table", &asking(&both));
    assert!(told.text().contains("rows match"), "{}", told.text());
}

#[test]
fn names_never_become_sql() {
    let bench = tables(10);
    let odd = "odd \"name\"; DROP TABLE player; --";
    assert_eq!(walk(&bench, &[("order", odd)]).len(), 10);
    assert_eq!(
        walk(&bench, &[("where", odd), ("how", "is"), ("value", "odd 1")]).len(),
        3
    );
    assert_eq!(
        walk(&bench, &[("order", "1; DROP TABLE player")]).len(),
        10,
        "a column that is not there is passed over"
    );
    for table in [
        "player; DROP TABLE player",
        "_untemplate_pages",
        "sqlite_schema",
        "player\" --",
    ] {
        assert_eq!(
            bench.get("/look/table", &[("at", "out"), ("table", table)]).status,
            404,
            "{table}"
        );
    }
    let told = bench.get("/look/table", &PLAYER);
    assert!(!told.text().contains("Player <"), "what a page said is only text");
    assert_eq!(
        bench
            .get("/look/table", &asking(&[("after", "-9"), ("before", "x")]))
            .cells()
            .len(),
        58
    );
}

#[test]
fn no_address_leads_out_of_the_folder() {
    let outer = tempfile::tempdir().expect("a folder");
    write_players(&outer.path().join("secret"), 3);
    fs::write(outer.path().join("secret/spec.xml"), "<codec version=\"1\"></codec>").expect("a file");
    let folder = tempfile::tempdir_in(outer.path()).expect("a folder");
    let bench = Bench::new(folder);
    for at in [
        "../secret",
        "/",
        "..",
        &outer.path().join("secret").display().to_string(),
    ] {
        for path in [
            "/look/tables",
            "/look/table",
            "/look/crawl",
            "/look/model",
            "/look/file",
            "/look/table/download",
        ] {
            let told = bench.get(path, &[("at", at), ("table", "player"), ("format", "sqlite")]);
            assert_eq!(told.status, 404, "{path} {at}");
        }
    }
    assert_eq!(bench.get("/look/file", &[("at", "../secret/spec.xml")]).status, 404);
}

#[test]
fn columns_are_summed_up() {
    let bench = tables(333);
    let told = bench.get("/look/table/column", &asking(&[("column", "height")]));
    let text = told.text();
    assert!(
        text.contains("285 (85.6 %)") && text.contains(">150<") && text.contains(">209<"),
        "{text}"
    );
    let drawing = bench.get("/look/table/histogram.svg", &asking(&[("column", "born")]));
    assert!(drawing.head.contains("image/svg+xml") && drawing.text().matches("<rect").count() == 30);
    assert_eq!(
        bench.get("/look/table/column", &asking(&[("column", "none")])).status,
        404
    );
}

#[test]
fn rows_are_taken_away_in_every_format() {
    let bench = tables(333);
    let get = |format: &str, more: &[(&str, &str)]| {
        let told = bench.get("/look/table/download", &asking(&[&[("format", format)], more].concat()));
        assert_eq!(told.status, 200, "{format}");
        assert!(told.head.contains("attachment"), "{}", told.head);
        told
    };
    let csv = get("csv", &[]).text();
    assert_eq!(csv.lines().count(), 334);
    assert!(csv.lines().nth(1).expect("a row").ends_with(",true"), "{csv}");
    let some = get(
        "jsonl",
        &[("where", "height"), ("how", "is"), ("value", "181"), ("order", "name")],
    )
    .text();
    assert!(
        some.lines().count() > 1 && some.lines().all(|line| line.contains("181")),
        "{some}"
    );
    assert!(get("xml", &[]).text().contains("Player &lt;7&gt;"));
    assert!(get("parquet", &[]).body.starts_with(b"PAR1"));
    assert!(get("xlsx", &[]).body.starts_with(b"PK"));
    assert!(get("sqlite", &[]).body.starts_with(b"SQLite format 3"));
    assert_eq!(
        bench.get("/look/table/download", &asking(&[("format", "exe")])).status,
        404
    );
}

/// An archive with one page.
fn write_archive(folder: &std::path::Path, url: &str, html: &str) {
    let now = UnixMillis(1_088_186_400_000);
    let mut archive = SqliteArchive::open(folder, &ArchiveOptions::default(), now).expect("an archive");
    let request = Request::get(url.parse().expect("a good address"));
    let new = NewRequest {
        request,
        priority: 0.0,
        depth: 0,
        found_on: None,
    };
    archive.add(&[new], now).expect("it is added");
    let options = ClaimOptions {
        claims_max: 1,
        of_host_max: 1,
        lease_ms: 60_000,
        worker: "test".to_owned(),
    };
    let claim = archive.claim(now, &options).expect("claims").remove(0);
    let page = NewPage {
        status: 200,
        headers: vec![("Content-Type".to_owned(), "text/html".to_owned())],
        body: html.as_bytes().to_vec(),
        redirect: None,
        fetched_at: now,
        problems: vec![],
    };
    let outcome = Outcome {
        token: claim.token,
        result: ClaimResult::Page(page),
        links: vec![],
        host: None,
    };
    archive.commit(&[outcome], now).expect("it is kept");
}

#[test]
fn a_cell_leads_to_its_page_which_does_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    write_players(&folder.path().join("out"), 3);
    write_archive(
        &folder.path().join("crawls/cup"),
        "http://cup.example/players/0",
        "<script>steal()</script><p onclick=x>Player &lt;0&gt;",
    );
    let bench = Bench::new(folder);
    let index = bench.get("", &[]).text();
    assert!(index.contains("crawls/cup") && index.contains(">out<"), "{index}");
    let cell = bench.get("/look/table/cell", &asking(&[("row", "1"), ("column", "name")]));
    let text = cell.text();
    assert!(
        text.contains("Player &lt;0&gt;") && text.contains("the field name") && text.contains("crawls/cup"),
        "{text}"
    );
    let frame = text
        .split("src=\"")
        .find(|part| part.contains("/look/kept/page"))
        .expect("a frame");
    let frame = frame.split('"').next().expect("an end").replace("&amp;", "&");
    assert!(!frame.contains(&bench.key), "a crawled page never sees the key");
    let page = bench.send("GET", &frame, "");
    assert!(
        page.status == 200 && !page.text().contains("steal()") && !page.text().contains("onclick"),
        "{}",
        page.text()
    );
    assert!(
        page.head.to_ascii_lowercase().contains("sandbox allow-scripts"),
        "{}",
        page.head
    );
    let other = bench.get("/look/table/cell", &asking(&[("row", "2"), ("column", "name")]));
    assert!(other.text().contains("No crawl below"), "{}", other.text());
    assert_eq!(
        bench
            .get("/look/table/cell", &asking(&[("row", "99"), ("column", "name")]))
            .status,
        404
    );
    let crawl = bench.get("/look/crawl", &[("at", "crawls/cup")]);
    assert!(crawl.text().contains("http://cup.example/players/0") && crawl.text().contains("2004-06-25 18:00"));
}

#[test]
fn a_crawl_is_told_as_it_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    write_archive(&folder.path().join("cup"), "http://cup.example/", "<p>x");
    let bench = Bench::new(folder);
    let mut stream = TcpStream::connect(&bench.host).expect("it listens");
    let request = format!(
        "GET /{}/look/crawl/live?at=cup HTTP/1.1\r\nHost: {}\r\n\r\n",
        bench.key, bench.host
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut text = String::new();
    while text.matches("\"done\":1").count() < 2 {
        let mut piece = [0; 1024];
        let n = stream.read(&mut piece).expect("it goes on");
        assert!(n > 0, "{text}");
        text.push_str(&String::from_utf8_lossy(&piece[..n]));
    }
    assert!(text.contains("text/event-stream"), "{text}");
}

#[test]
fn jobs_that_make_no_sense_are_not_started() {
    let bench = tables(1);
    for form in [
        "",
        "verb=shell",
        "verb=model&entry=--help",
        "verb=model&entry=file%3A%2F%2F%2F",
        "verb=run&specification=..%2Fx",
    ] {
        let told = bench.send("POST", &format!("/{}/jobs", bench.key), form);
        assert_eq!(told.status, 400, "{form}");
    }
    assert!(!bench.folder.path().join("untemplate-jobs").exists());
    for name in ["..", "none", "a%2F..%2Fb"] {
        assert_eq!(bench.get(&format!("/jobs/{name}"), &[]).status, 404, "{name}");
    }
}

#[test]
fn a_million_rows_are_never_read_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("out")).expect("a folder");
    let database = rusqlite::Connection::open(folder.path().join("out/tables.sqlite")).expect("a database");
    let made = database.execute_batch(
        "CREATE TABLE player (url TEXT, name TEXT, height INTEGER);
         INSERT INTO player WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999999)
         SELECT 'http://cup.example/players/' || i, 'Player ' || i, 150 + i * 31 % 60 FROM n;",
    );
    made.expect("a million rows");
    let bench = Bench::new(folder);
    let second = {
        let first = bench.get("/look/table", &PLAYER);
        assert!(
            first.text().contains("1\u{202f}000\u{202f}000 rows"),
            "{}",
            first.text()
        );
        first.link("next").expect("there are more")
    };
    let told = bench.send("GET", &second, "");
    assert!(told.cells()[1].ends_with("/50"), "{:?}", told.cells()[1]);
    let far = bench.get("/look/table", &asking(&[("after", "999000")]));
    assert!(far.cells()[1].ends_with("/999000"), "{:?}", far.cells()[1]);
    let sorted = bench.get(
        "/look/table",
        &asking(&[("order", "height"), ("turn", "down"), ("after", "500000")]),
    );
    assert_eq!(sorted.status, 200);
    let told = bench.get("/look/table/histogram.svg", &asking(&[("column", "height")]));
    assert_eq!(told.status, 200);
    let told = bench.get("/look/table/column", &asking(&[("column", "name")]));
    assert!(
        told.text()
            .contains("100\u{202f}000 among the first 100\u{202f}000 rows"),
        "{}",
        told.text()
    );
    #[cfg(target_os = "linux")]
    {
        let status = fs::read_to_string("/proc/self/status").expect("it tells");
        let peak = status.lines().find(|line| line.starts_with("VmHWM")).expect("a peak");
        let kilobytes: u64 = peak
            .split_whitespace()
            .nth(1)
            .expect("a number")
            .parse()
            .expect("a number");
        assert!(kilobytes < 400_000, "{peak}");
    }
}
