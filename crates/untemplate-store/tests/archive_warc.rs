//! An archive as WARC records, and WARC files as an archive.

mod archive_builder;
mod warc_builder;

use std::fs;
use std::path::{Path, PathBuf};

use archive_builder::{new_page, new_request, request};
use expect_test::{Expect, expect};
use untemplate::page::{Method, Problem, Request};
use untemplate_store::archive::{
    ArchiveOptions, Frontier, KeptPage, NewPage, NewRequest, PageStore, SqliteArchive, UnixMillis, WarcExportOptions,
    WarcImport, export_warc, import_warc, visit_captures,
};
use untemplate_store::{PageSource, WarcArchive, WarcOptions};
use warc_builder::{gzip, page, record};

fn open(folder: &Path) -> SqliteArchive {
    SqliteArchive::open(folder, &ArchiveOptions::default(), UnixMillis(0)).expect("an archive")
}

fn kept(request: Request, page: Option<NewPage>, checked_at: i64) -> KeptPage {
    KeptPage {
        request: NewRequest {
            request,
            ..new_request("http://a.example/", 0.0)
        },
        page,
        checked_at: UnixMillis(checked_at),
    }
}

fn form(body: &[u8]) -> Request {
    Request {
        method: Method::Post,
        url: "http://a.example/search?x".parse().expect("an address"),
        body: body.to_vec(),
    }
}

/// An archive with one page of each kind.
fn fill(archive: &mut SqliteArchive) {
    let redirect = NewPage {
        status: 302,
        headers: vec![("Location".to_owned(), "/".to_owned())],
        redirect: Some("http://a.example/".parse().expect("an address")),
        ..new_page(b"", 2_000)
    };
    let mut packed = new_page("<p>packed \u{e9}".as_bytes(), 3_000);
    for (name, value) in [
        ("Content-Encoding", "gzip"),
        ("Content-Length", "7"),
        ("X-Odd", "a\r\nb"),
    ] {
        packed.headers.push((name.to_owned(), value.to_owned()));
    }
    packed.problems = vec![Problem::new("cut short", "only 10 bytes")];
    let pages = [
        kept(request("http://a.example/"), Some(new_page(b"<p>home", 1_000)), 1_000),
        kept(request("http://a.example/old"), Some(redirect), 2_000),
        kept(request("http://a.example/packed"), Some(packed), 3_000),
        kept(
            request("http://b.example/copy"),
            Some(new_page(b"<p>home", 4_000)),
            4_000,
        ),
        kept(form(b"q=1"), Some(new_page(b"<p>nothing found", 5_000)), 5_000),
        kept(form(b"q=2"), Some(new_page(b"<p>nothing found", 6_000)), 6_000),
        kept(request("http://a.example/"), None, 7_000),
        kept(
            request("http://a.example/"),
            Some(new_page(b"<p>new home", 8_000)),
            8_000,
        ),
        kept(
            request("http://c.example/late"),
            Some(new_page(b"<p>home", 9_500)),
            9_500,
        ),
    ];
    archive.keep(&pages, UnixMillis(10_000)).expect("kept");
}

fn export(archive: &mut SqliteArchive, gzip: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let now = UnixMillis(20_000);
    let export = export_warc(archive, &mut bytes, &WarcExportOptions { gzip, now }).expect("exported");
    assert_eq!((export.responses, export.revisits, export.problems.len()), (6, 3, 0));
    bytes
}

/// Every answer with its body, as text.
fn told(archive: &mut SqliteArchive) -> String {
    let mut told = String::new();
    visit_captures(archive, &mut |store, page| {
        let body = String::from_utf8_lossy(&store.body(page.id)?).into_owned();
        let form = String::from_utf8_lossy(&page.request.body).into_owned() + " ";
        let form = form.trim_start();
        let redirect = page.redirect.map_or(String::new(), |url| format!(" to {url}"));
        let alias = page
            .alias_of
            .map_or(String::new(), |page| format!(" alias of {}", page.0));
        told += &format!(
            "{} {} {} {form}{}{redirect}{alias} {} {body:?}\n",
            page.id.0,
            page.fetched_at.0,
            page.request.url,
            page.status,
            page.headers.len()
        );
        Ok(())
    })
    .expect("all");
    told
}

fn import(archive: &mut SqliteArchive, files: &[Vec<u8>]) -> WarcImport {
    let folder = tempfile::tempdir().expect("a folder");
    let mut paths: Vec<PathBuf> = Vec::new();
    for (number, bytes) in files.iter().enumerate() {
        paths.push(folder.path().join(format!("{number}.warc")));
        fs::write(&paths[number], bytes).expect("written");
    }
    let mut import = import_warc(&paths, archive, &WarcOptions::default(), UnixMillis(0)).expect("imported");
    for problem in &mut import.problems {
        problem.message = problem.message.replace(&*folder.path().to_string_lossy(), "DIR");
    }
    import
}

#[test]
fn there_and_back() {
    let (from, to) = (
        tempfile::tempdir().expect("a folder"),
        tempfile::tempdir().expect("a folder"),
    );
    let mut archive = open(from.path());
    fill(&mut archive);
    let before = told(&mut archive);
    expect![[r#"
        1 1000 http://a.example/ 200 2 "<p>home"
        2 2000 http://a.example/old 302 to http://a.example/ 1 ""
        3 3000 http://a.example/packed 200 5 "<p>packed é"
        4 4000 http://b.example/copy 200 alias of 1 2 "<p>home"
        5 5000 http://a.example/search?x q=1 200 2 "<p>nothing found"
        6 6000 http://a.example/search?x q=2 200 alias of 5 2 "<p>nothing found"
        7 7000 http://a.example/ 304 0 "<p>home"
        8 8000 http://a.example/ 200 2 "<p>new home"
        9 9500 http://c.example/late 200 alias of 1 2 "<p>home"
    "#]]
    .assert_eq(&before);
    let (plain, packed) = (export(&mut archive, false), export(&mut archive, true));
    assert_eq!(plain, export(&mut archive, false));
    let mut copy = open(to.path());
    let import_of = |copy: &mut SqliteArchive, bytes: &[u8]| {
        let import = import(copy, &[bytes.to_vec()]);
        (import.stored, import.known, import.problems)
    };
    assert_eq!(import_of(&mut copy, &packed), (9, 0, vec![]));
    assert_eq!(told(&mut copy).replace("a  b", "a\r\nb"), before);
    let home = request("http://a.example/packed");
    let (old, new) = (archive.page(&home).expect("read"), copy.page(&home).expect("read"));
    assert_eq!(old.expect("stored").headers[..4], new.expect("stored").headers[..4]);
    assert_eq!(import_of(&mut copy, &plain), (0, 9, vec![]));
    assert!(export(&mut copy, false) == plain);
}

#[test]
fn the_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = open(folder.path());
    fill(&mut archive);
    let text = String::from_utf8(export(&mut archive, false))
        .expect("text")
        .replace('\r', "");
    let records: Vec<&str> = text.split("WARC/1.1\n").collect();
    expect![[r#"
        WARC-Type: warcinfo
        WARC-Record-ID: <urn:uuid:c33bc042-cd29-8958-8047-50208f54217e>
        WARC-Date: 1970-01-01T00:00:20.000Z
        Content-Type: application/warc-fields
        WARC-Block-Digest: sha256:JMZ4JPNYP3W36T4EYWJVJW2YV5DKH32HX2P2H2XLULMZNYKOKMUA====
        Content-Length: 58

        software: untemplate/0.1.0
        format: WARC File Format 1.1


        -----
        WARC-Type: response
        WARC-Record-ID: <urn:uuid:44271601-bf66-8ae5-9f0a-6a94252f04fb>
        WARC-Date: 1970-01-01T00:00:03.000Z
        WARC-Target-URI: http://a.example/packed
        Content-Type: application/http; msgtype=response
        WARC-Payload-Digest: sha256:EV6QO4WPJB2EAQG4JX5PBXKQ4BW5B7K2KMVXOAD3YPXISELLLICA====
        WARC-Truncated: length
        WARC-Block-Digest: sha256:TBROKQGSJZALWKFEVQMUB323PQ2BXYUAMUTV6OBJ7IJELCG2J3FA====
        Content-Length: 153

        HTTP/1.1 200 OK
        Content-Type: text/html
        ETag: "1"
        X-Archive-Orig-Content-Encoding: gzip
        X-Archive-Orig-Content-Length: 7
        X-Odd: a  b

        <p>packed é

        -----
        WARC-Type: revisit
        WARC-Record-ID: <urn:uuid:bf072c76-227d-84e9-88e4-fb1815dd4df9>
        WARC-Date: 1970-01-01T00:00:04.000Z
        WARC-Target-URI: http://b.example/copy
        Content-Type: application/http; msgtype=response
        WARC-Payload-Digest: sha256:NDNRUSLQZHQMYKNLI2V3MTCRPL4WZRUTKIR7243463BHA55QG35Q====
        WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest
        WARC-Refers-To: <urn:uuid:c1961255-6ff3-8e72-8a1a-c2c2df8ee0cd>
        WARC-Refers-To-Target-URI: http://a.example/
        WARC-Refers-To-Date: 1970-01-01T00:00:01.000Z
        WARC-Block-Digest: sha256:HPWXHK5TFUFHHMFFABHJHHUB3SQYHWVESH44P65367JIYKN4ZZZA====
        Content-Length: 55

        HTTP/1.1 200 OK
        Content-Type: text/html
        ETag: "1"



    "#]]
    .assert_eq(&[records[1], records[4], records[5]].join("-----\n"));
}

#[test]
fn the_other_reader_of_ours_finds_the_pages() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = open(&folder.path().join("archive"));
    fill(&mut archive);
    let file = folder.path().join("export.warc.gz");
    fs::write(&file, export(&mut archive, true)).expect("written");
    let mut warc = WarcArchive::open(&[file], &WarcOptions::default()).expect("readable");
    assert_eq!(warc.problems(), []);
    assert_eq!(warc.requests().count(), 7);
    let mut body = |request: Request| {
        let response = warc.answer(&request).expect("there").expect("readable");
        String::from_utf8(response.body).expect("text")
    };
    assert_eq!(body(request("http://a.example/old")), "<p>new home");
    assert_eq!(body(request("http://b.example/copy")), "<p>home");
    assert_eq!(body(request("http://a.example/packed")), "<p>packed \u{e9}");
    assert_eq!(body(form(b"q=2")), "<p>nothing found");
}

fn check_import(files: &[Vec<u8>], expected: Expect) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = open(folder.path());
    let import = import(&mut archive, files);
    let problems: String = import.problems.iter().map(|problem| format!("{problem}\n")).collect();
    expected.assert_eq(&format!(
        "{}{} stored, {} known\n{problems}",
        told(&mut archive),
        import.stored,
        import.known
    ));
}

fn dated(target: &str, date: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    record("response", target, &format!("WARC-Date: {date}"), block.as_bytes())
}

#[test]
fn bad_records_are_problems() {
    let date = "WARC-Date: 2024-05-06T07:08:09Z";
    let good = dated("http://a.example/1", "2024-05-06T07:08:09Z", "<p>good");
    let records = [
        page("http://a.example/undated", "x"),
        record("response", "http://a.example/2", date, b"this is no HTTP"),
        record("revisit", "http://a.example/3", date, b"HTTP/1.1 200 OK\r\n\r\n"),
        record("response", "ftp://a.example/", date, b"x"),
        good.clone(),
    ];
    check_import(
        &[records.concat(), b"no archive".to_vec(), gzip(&good)[..60].to_vec()],
        expect![[r#"
            1 1714979289000 http://a.example/1 200 1 "<p>good"
            1 stored, 0 known
            damaged record: DIR/0.warc: record 1 at byte 0: it does not say when it was made
            damaged record: DIR/0.warc: record 2 at byte 145: it holds no HTTP response
            revisit without original: DIR/0.warc: record 3 at byte 287: what http://a.example/3 refers to is not stored
            empty archive: DIR/1.warc: no WARC record is in it
            not a record: DIR/1.warc: after record 0, at byte 0: 10 bytes are no record
            empty archive: DIR/2.warc: no WARC record is in it
            not a record: DIR/2.warc: after record 0, at byte 0: 5 bytes are no record
            damaged archive: DIR/2.warc: after the begin of record 0, at byte 0: its compressed data is cut off
        "#]],
    );
}

#[test]
fn the_newest_answer_counts_and_revisits_find_theirs() {
    let revisit = |target: &str, date: &str, refers: &str| {
        let headers = format!(
            "WARC-Date: {date}\nWARC-Refers-To-Target-URI: http://a.example/1\nWARC-Refers-To-Date: {refers}\n\
             WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
        );
        record("revisit", target, &headers, b"HTTP/1.1 203 Fine\r\nX: y\r\n\r\n")
    };
    let records = [
        dated("http://a.example/1", "2024-05-06T07:08:09Z", "<p>one"),
        dated("http://a.example/1", "2024-06-06T07:08:09Z", "<p>two"),
        dated("http://a.example/1", "2023-06-06T07:08:09Z", "<p>zero"),
        revisit("http://a.example/2", "2024-07-01T00:00:00Z", "2024-05-06T07:08:09Z"),
        revisit("http://a.example/3", "2024-07-01T00:00:00Z", "2024-05-06T07:08:10Z"),
    ];
    check_import(
        &[records.concat()],
        expect![[r#"
        1 1714979289000 http://a.example/1 200 1 "<p>one"
        2 1717657689000 http://a.example/1 200 1 "<p>two"
        3 1719792000000 http://a.example/2 203 alias of 1 1 "<p>one"
        3 stored, 1 known
        revisit without original: DIR/0.warc: record 5 at byte 855: what http://a.example/3 refers to is not stored
    "#]],
    );
}

#[test]
fn public_files_are_imported() {
    let Some(suites) = std::env::var_os("UNTEMPLATE_SUITES") else {
        return;
    };
    let Ok(entries) = fs::read_dir(PathBuf::from(suites).join("warc")) else {
        return;
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = open(folder.path());
    let import = import_warc(&files, &mut archive, &WarcOptions::default(), UnixMillis(0)).expect("imported");
    let mut kinds: Vec<&str> = import.problems.iter().map(|problem| problem.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    expect!["18 stored, 6 known; empty archive, not a record"].assert_eq(&format!(
        "{} stored, {} known; {}",
        import.stored,
        import.known,
        kinds.join(", ")
    ));
}
