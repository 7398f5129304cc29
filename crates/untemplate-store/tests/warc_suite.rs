//! Public WARC files, good and bad, where they are at hand: the folder `warc` below
//! `UNTEMPLATE_SUITES`.
//!
//! Every file ends in a verdict: how many records of which kinds it has, how many requests it
//! answers, which kinds of problems it shows. The figures were checked against another reader of
//! WARC files; where that one gives up, the line says why ours does not.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect;
use untemplate_store::{PageSource, RecordReader, WarcArchive, WarcOptions};

/// Files that are read otherwise than one would expect, and why.
const REASONS: [(&str, &str); 6] = [
    (
        "example-bad-non-chunked.warc.gz",
        "one gzip member holds all records; others read its first record only",
    ),
    (
        "example-bad.warc.gz.bad",
        "one gzip member holds all records; others read its first record only",
    ),
    (
        "example-space-in-target-uri.warc.gz",
        "its one resource is a file:, which is no address of the web",
    ),
    (
        "example-trunc.warc",
        "a length is two bytes short, and the rest of the gzip body stands between records",
    ),
    (
        "example-wrong-chunks.warc.gz",
        "the response goes over two gzip members; others lose its body",
    ),
    ("hello-world.warc.cdx", "it is an index of another file, and no archive"),
];

fn suite() -> Option<Vec<PathBuf>> {
    let folder = PathBuf::from(std::env::var_os("UNTEMPLATE_SUITES")?).join("warc");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    Some(files)
}

/// Kinds of records and their number, answers by status, and problems.
fn verdict(file: &Path) -> String {
    let options = WarcOptions::default();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut reader = RecordReader::new(fs::File::open(file).expect("a file"), &options);
    while let Some(record) = reader.next_record().expect("a readable file") {
        *kinds.entry(record.kind().to_owned()).or_default() += 1;
    }
    let mut archive = WarcArchive::open(&[file.to_owned()], &options).expect("a readable file");
    let requests: Vec<_> = archive.requests().collect();
    let mut told: String = kinds
        .iter()
        .fold(String::new(), |told, (kind, count)| told + &format!("{count} {kind}, "));
    write!(told, "{} requests", requests.len()).expect("a string");
    let mut problems: Vec<&str> = archive.problems().iter().map(|problem| problem.kind).collect();
    let mut bodies = Vec::new();
    for request in &requests {
        let response = archive
            .answer(request)
            .expect("an indexed request")
            .expect("a readable file");
        bodies.push(format!("{} with {} bytes", response.status, response.body.len()));
        problems.extend(response.problems.iter().map(|problem| problem.kind));
    }
    problems.extend(archive.problems().iter().map(|problem| problem.kind));
    problems.sort_unstable();
    problems.dedup();
    write!(told, " ({}); problems: {}", bodies.join(", "), problems.join(", ")).expect("a string");
    told
}

#[test]
fn every_file_ends_in_a_verdict() {
    let Some(files) = suite() else {
        eprintln!("skipped: UNTEMPLATE_SUITES names no folder with a folder warc");
        return;
    };
    let mut told = String::new();
    for file in files {
        let name = file.file_name().expect("a file").to_string_lossy().into_owned();
        writeln!(told, "{name}: {}", verdict(&file)).expect("a string");
        if let Some((_, reason)) = REASONS.iter().find(|(exception, _)| *exception == name) {
            writeln!(told, "    {reason}").expect("a string");
        }
    }
    expect![[r#"
        20130729-heritrix-original.warc.gz: 1 response, 1 requests (200 with 68639 bytes); problems: 
        20130729-heritrix-revisit-with-http-headers.warc.gz: 1 revisit, 0 requests (); problems: revisit without original
        20141124-heritrix-server-not-modified.warc.gz: 1 revisit, 0 requests (); problems: revisit without original
        20141129-heritrix-original.warc.gz: 1 response, 1 requests (200 with 75331 bytes); problems: 
        20141129-heritrix-revisit-with-http-headers-and-new-warc-headers.warc.gz: 1 revisit, 0 requests (); problems: revisit without original
        example-bad-non-chunked.warc.gz: 2 request, 1 response, 1 revisit, 2 warcinfo, 1 requests (200 with 1270 bytes); problems: slow archive
            one gzip member holds all records; others read its first record only
        example-bad.warc.gz.bad: 2 request, 2 response, 1 revisit, 1 warcinfo, 2 requests (200 with 1270 bytes, 302 with 201 bytes); problems: redirect out of the archive, slow archive
            one gzip member holds all records; others read its first record only
        example-digest.warc: 4 request, 0 requests (); problems: 
        example-iana.org-chunked.warc: 1 request, 1 response, 1 warcinfo, 1 requests (200 with 7223 bytes); problems: 
        example-resource.warc.gz: 1 resource, 2 warcinfo, 1 requests (200 with 1303 bytes); problems: 
        example-space-in-target-uri.warc.gz: 1 resource, 1 warcinfo, 0 requests (); problems: 
            its one resource is a file:, which is no address of the web
        example-trunc.warc: 1 request, 1 response, 2 warcinfo, 1 requests (200 with 1270 bytes); problems: bad encoding, not a record
            a length is two bytes short, and the rest of the gzip body stands between records
        example-wget-bad-target-uri.warc.gz: 1 metadata, 1 request, 2 resource, 1 response, 1 warcinfo, 1 requests (200 with 1270 bytes); problems: 
        example-wrong-chunks.warc.gz: 1 request, 1 response, 1 requests (200 with 1270 bytes); problems: 
            the response goes over two gzip members; others lose its body
        example.warc: 2 request, 1 response, 1 revisit, 2 warcinfo, 1 requests (200 with 1270 bytes); problems: 
        example.warc.gz: 2 request, 1 response, 1 revisit, 2 warcinfo, 1 requests (200 with 1270 bytes); problems: 
        hello-world.warc: 1 metadata, 1 request, 2 resource, 1 response, 1 warcinfo, 1 requests (200 with 13 bytes); problems: 
        hello-world.warc.cdx: 0 requests (); problems: empty archive, not a record
            it is an index of another file, and no archive
        hello-world.warc.gz: 1 metadata, 1 request, 2 resource, 1 response, 1 warcinfo, 1 requests (200 with 13 bytes); problems: 
        post-test.warc.gz: 3 request, 3 response, 3 requests (200 with 552 bytes, 200 with 545 bytes, 200 with 551 bytes); problems: 
    "#]].assert_eq(&told);
}
