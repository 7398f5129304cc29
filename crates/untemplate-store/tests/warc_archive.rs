//! An archive as a page source: which record answers which request.

mod warc_builder;

use std::fs;

use expect_test::{Expect, expect};
use untemplate::page::{Method, Request};
use untemplate_store::{PageSource, WarcArchive, WarcOptions};
use warc_builder::{gzip, page, record};

/// Asks an archive of these files for `METHOD URL BODY` lines, and tells what it answers.
fn told(files: &[Vec<u8>], requests: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let mut paths = Vec::new();
    for (number, bytes) in files.iter().enumerate() {
        paths.push(folder.path().join(format!("{number}.warc")));
        fs::write(&paths[number], bytes).expect("a file");
    }
    let mut archive = WarcArchive::open(&paths, &WarcOptions::default()).expect("an archive");
    let mut told = String::new();
    for request in requests {
        told += &match archive.answer(&parse(request)) {
            None => "not there\n".to_owned(),
            Some(Err(error)) => format!("{error}\n"),
            Some(Ok(response)) => {
                let kind = response.content_type.as_deref().unwrap_or("-");
                let problems: Vec<String> = response.problems.iter().map(|problem| format!("; {problem}")).collect();
                let body = String::from_utf8_lossy(&response.body);
                format!(
                    "{} {} {kind} {body:?}{}\n",
                    response.status,
                    response.url,
                    problems.concat()
                )
            }
        };
    }
    for problem in archive.problems() {
        told += &format!("{problem}\n");
    }
    told.replace(&folder.path().display().to_string(), "DIR")
}

fn parse(request: &str) -> Request {
    let words: Vec<&str> = request.split(' ').collect();
    let url = words[words.len().min(2) - 1].parse().expect("an address");
    let method = if words[0] == "POST" { Method::Post } else { Method::Get };
    Request {
        method,
        url,
        body: words.get(2).unwrap_or(&"").as_bytes().to_vec(),
    }
}

fn check_answers(files: &[Vec<u8>], requests: &[&str], expected: Expect) {
    expected.assert_eq(&told(files, requests));
}

fn redirect(from: &str, to: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\n\r\n");
    record("response", from, "", block.as_bytes())
}

#[test]
fn pages_are_found_in_every_packing() {
    let pages = [page("http://a.example/", "one"), page("http://a.example/b?x=1", "two")];
    let asked = [
        "GET http://A.example:80/#top",
        "GET http://a.example/b?x=1",
        "GET http://a.example/c",
    ];
    let expected = told(&[pages.concat()], &asked);
    expect![[r#"
        200 http://a.example/ text/html "one"
        200 http://a.example/b?x=1 text/html "two"
        404 http://a.example/c - ""
    "#]]
    .assert_eq(&expected);
    assert_eq!(
        told(&[pages.each_ref().map(|page| gzip(page)).concat()], &asked),
        expected
    );
    assert_eq!(told(&pages, &asked), expected);
    check_answers(
        &[gzip(&[&pages[0][..], &pages[1], &pages[1]].concat())],
        &asked,
        expect![[r#"
            200 http://a.example/ text/html "one"
            200 http://a.example/b?x=1 text/html "two"
            404 http://a.example/c - ""
            slow archive: DIR/0.warc: it is not compressed record by record, so that every answer reads it from its begin
        "#]],
    );
}

#[test]
fn the_last_capture_counts() {
    let unmodified = record(
        "response",
        "http://a.example/",
        "",
        b"HTTP/1.1 304 Not Modified\r\n\r\n",
    );
    let files = [
        page("http://a.example/", "old"),
        page("http://a.example/", "new"),
        unmodified,
    ];
    check_answers(
        &files,
        &["GET http://a.example/"],
        expect![[r#"
        200 http://a.example/ text/html "new"
    "#]],
    );
}

#[test]
fn redirects_are_followed_inside() {
    let file = [
        redirect("http://a.example/", "/home#x"),
        redirect("http://a.example/home", "https://a.example/"),
        page("https://a.example/", "home"),
        redirect("http://a.example/out", "http://b.example/"),
        redirect("http://a.example/loop", "/pool"),
        redirect("http://a.example/pool", "/loop"),
        redirect("http://a.example/mail", "mailto:a@a.example"),
    ];
    let asked = [
        "GET http://a.example/",
        "GET http://a.example/out",
        "GET http://a.example/loop",
        "GET http://a.example/mail",
    ];
    check_answers(
        &[file.concat()],
        &asked,
        expect![[r#"
        200 https://a.example/ text/html "home"
        302 http://a.example/out - ""; redirect out of the archive: http://a.example/out redirects to http://b.example/, which is in no file
        http://a.example/loop redirects in a loop: http://a.example/loop -> http://a.example/pool -> http://a.example/loop; look at it in a browser, it may want cookies or a login
        http://a.example/mail redirects to mailto:a@a.example, which is no http or https address; ask for another page of the site
    "#]],
    );
}

#[test]
fn a_long_chain_ends() {
    let chain: Vec<Vec<u8>> = (0..30)
        .map(|n| redirect(&format!("http://a.example/{n}"), &format!("/{}", n + 1)))
        .collect();
    check_answers(
        &[chain.concat()],
        &["GET http://a.example/0"],
        expect![[r#"
        http://a.example/0 redirects more than 20 times; look at it in a browser and ask for where it ends
    "#]],
    );
}

#[test]
fn resources_and_what_is_no_page() {
    let file = [
        record(
            "resource",
            "http://a.example/r",
            "Content-Type: text/plain",
            b"as it is",
        ),
        record("metadata", "http://a.example/m", "", b"about"),
        record("conversion", "http://a.example/v", "", b"converted"),
        record("response", "dns:a.example", "Content-Type: text/dns", b"1.2.3.4"),
        record(
            "response",
            "http://a.example/x",
            "Content-Type: application/http",
            b"no HTTP",
        ),
        record(
            "response",
            "http://a.example/t",
            "WARC-Truncated: length",
            b"HTTP/1.1 200 OK\r\n\r\nhalf a p",
        ),
    ];
    let asked = [
        "GET http://a.example/r",
        "GET http://a.example/m",
        "GET http://a.example/v",
        "GET http://a.example/x",
        "GET http://a.example/t",
    ];
    check_answers(
        &[file.concat()],
        &asked,
        expect![[r#"
            200 http://a.example/r text/plain "as it is"
            404 http://a.example/m - ""
            404 http://a.example/v - ""
            DIR/0.warc: record at byte 448: it holds no HTTP response; try another copy of the file
            200 http://a.example/t - "half a p"; cut when recorded: the archive says why: length
        "#]],
    );
}

#[test]
fn forms_answer_forms() {
    let answer = |id: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
        record(
            "response",
            "http://a.example/form",
            &format!("WARC-Record-ID: <{id}>"),
            block.as_bytes(),
        )
    };
    let sent = |id: &str, method: &str, body: &str| {
        let block = format!("{method} /form HTTP/1.1\r\nHost: a.example\r\n\r\n{body}");
        let headers = format!("WARC-Record-ID: <{id}-sent>\nWARC-Concurrent-To: <{id}>");
        record("request", "http://a.example/form", &headers, block.as_bytes())
    };
    let file = [
        answer("0", "the form"),
        sent("0", "GET", ""),
        answer("1", "one"),
        sent("1", "POST", "n=1"),
        sent("2", "POST", "n=2"),
        answer("2", "two"),
        answer("3", ""),
        sent("3", "HEAD", ""),
    ];
    let asked = [
        "GET http://a.example/form",
        "POST http://a.example/form n=1",
        "POST http://a.example/form n=2",
        "POST http://a.example/form n=3",
    ];
    check_answers(
        &[file.concat()],
        &asked,
        expect![[r#"
            200 http://a.example/form - "the form"
            200 http://a.example/form - "one"
            200 http://a.example/form - "two"
            404 http://a.example/form - ""
        "#]],
    );
}

#[test]
fn revisits_lead_to_what_they_mean() {
    let original = |url: &str, date: &str, body: &str| {
        let headers = format!("WARC-Date: {date}\nWARC-Record-ID: <{url}>\nWARC-Payload-Digest: sha1:{body}");
        record(
            "response",
            url,
            &headers,
            format!("HTTP/1.1 200 OK\r\n\r\n{body}").as_bytes(),
        )
    };
    let revisit = |url: &str, headers: &str| record("revisit", url, headers, b"");
    let file = [
        revisit(
            "http://a.example/date",
            "WARC-Refers-To-Target-URI: http://a.example/\nWARC-Refers-To-Date: 2020",
        ),
        original("http://a.example/", "2020", "AAA"),
        original("http://a.example/", "2021", "BBB"),
        revisit("http://a.example/digest", "WARC-Payload-Digest: sha1:aaa"),
        revisit("http://a.example/id", "WARC-Refers-To: <http://a.example/>"),
        revisit(
            "http://a.example/",
            "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/server-not-modified",
        ),
        revisit(
            "http://a.example/lost",
            "WARC-Payload-Digest: sha1:zzz\nWARC-Date: 2022",
        ),
    ];
    let asked = [
        "GET http://a.example/date",
        "GET http://a.example/digest",
        "GET http://a.example/id",
        "GET http://a.example/",
        "GET http://a.example/lost",
    ];
    check_answers(
        &[file.concat()],
        &asked,
        expect![[r#"
            200 http://a.example/date - "AAA"
            200 http://a.example/digest - "AAA"
            200 http://a.example/id - "BBB"
            200 http://a.example/ - "BBB"
            DIR/0.warc: the record of http://a.example/lost refers to content that is in no file; try another copy of the file
            revisit without original: http://a.example/lost of 2022: what it refers to is in no file
        "#]],
    );
}

#[test]
fn a_bad_checksum_is_told_with_the_page() {
    let mut damaged = gzip(&page("http://a.example/", "one"));
    let at = damaged.len() - 6;
    damaged[at] ^= 0xff;
    let file = [damaged, gzip(&page("http://b.example/", "two"))].concat();
    check_answers(
        &[file],
        &["GET http://a.example/", "GET http://b.example/"],
        expect![[r#"
            200 http://a.example/ text/html "one"; damaged archive: after the begin of record 1, at byte 0: its compressed data is damaged: deflate decompression error: incorrect data check
            200 http://b.example/ text/html "two"
            damaged archive: DIR/0.warc: after the begin of record 1, at byte 0: its compressed data is damaged: deflate decompression error: incorrect data check
        "#]],
    );
}

#[test]
fn a_file_that_changed_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("a.warc");
    fs::write(&place, page("http://a.example/", "one")).expect("a file");
    let mut archive = WarcArchive::open(std::slice::from_ref(&place), &WarcOptions::default()).expect("an archive");
    fs::write(
        &place,
        [b"something".to_vec(), page("http://b.example/", "two")].concat(),
    )
    .expect("a file");
    let error = archive
        .answer(&parse("GET http://a.example/"))
        .expect("an answer")
        .expect_err("another record");
    assert!(
        error.to_string().contains("it has changed since it was opened"),
        "{error}"
    );
}

#[test]
fn an_index_that_is_full_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("a.warc");
    fs::write(
        &place,
        [page("http://a.example/", "one"), page("http://b.example/", "two")].concat(),
    )
    .expect("a file");
    let options = WarcOptions {
        index_bytes_max: 400,
        ..WarcOptions::default()
    };
    let archive = WarcArchive::open(&[place], &options).expect("an archive");
    assert_eq!(
        (archive.requests().count(), archive.problems()[0].kind),
        (1, "too many records")
    );
}

#[test]
fn what_is_no_archive_is_a_problem_and_what_is_no_file_an_error() {
    check_answers(
        &[b"<p>Hello".to_vec(), Vec::new()],
        &["GET http://a.example/"],
        expect![[r#"
            not there
            not a record: DIR/0.warc: after record 0, at byte 0: 8 bytes are no record
            empty archive: DIR/0.warc: no WARC record is in it
            empty archive: DIR/1.warc: no WARC record is in it
        "#]],
    );
    let error = WarcArchive::open(&["none.warc".into()], &WarcOptions::default()).expect_err("no file");
    expect![
        "cannot read none.warc: No such file or directory (os error 2); check that it is there and that you may read it"
    ]
    .assert_eq(&error.to_string());
}
