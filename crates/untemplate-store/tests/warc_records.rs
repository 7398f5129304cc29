//! Records of WARC files, good and bad: what comes out, and what is said about it.

mod warc_builder;

use expect_test::{Expect, expect};
use untemplate_store::{RecordReader, WarcOptions};
use warc_builder::{gzip, page, record};

/// The first few records, how many more there are, and the first few problems.
fn told(bytes: &[u8], options: &WarcOptions) -> String {
    let mut reader = RecordReader::new(bytes, options);
    let (mut told, mut n_more) = (String::new(), 0);
    while let Some(record) = reader.next_record().expect("a slice can be read") {
        let block = String::from_utf8_lossy(&record.block).into_owned();
        let last = block.lines().last().unwrap_or_default();
        let (number, target, length) = (record.number, record.target().unwrap_or("-"), record.block_length);
        match number {
            0..4 => told += &format!("{number} {} {target} {length} {last:?}\n", record.kind()),
            _ => n_more += 1,
        }
    }
    if n_more > 0 {
        told += &format!("{n_more} more\n");
    }
    let problems = reader.into_problems();
    let n_shown = problems.len().min(3);
    for problem in problems[..n_shown].iter().chain(problems[n_shown..].last()) {
        told += &format!("{problem}\n");
    }
    told
}

fn check_records(bytes: &[u8], expected: Expect) {
    expected.assert_eq(&told(bytes, &WarcOptions::default()));
}

fn three() -> [Vec<u8>; 3] {
    [
        page("http://a.example/", "one"),
        page("http://b.example/", "two"),
        page("http://c.example/", "three"),
    ]
}

#[test]
fn every_packing_gives_the_same_records() {
    let pages = three();
    let plain = pages.concat();
    let by_record = pages.each_ref().map(|page| gzip(page)).concat();
    let at_once = gzip(&plain);
    let anywhere = plain.chunks(50).map(gzip).collect::<Vec<_>>().concat();
    let zstd = pages
        .each_ref()
        .map(|page| zstd::encode_all(&page[..], 3).expect("zstd"))
        .concat();
    let expected = told(&plain, &WarcOptions::default());
    expect![[r#"
        1 response http://a.example/ 47 "one"
        2 response http://b.example/ 47 "two"
        3 response http://c.example/ 49 "three"
    "#]]
    .assert_eq(&expected);
    for packed in [by_record, at_once, anywhere, zstd] {
        assert_eq!(told(&packed, &WarcOptions::default()), expected);
    }
}

#[test]
fn a_zstd_dictionary_comes_first() {
    let pages = three();
    let dictionary = pages[0].clone();
    let mut file = vec![0x5d, 0x2a, 0x4d, 0x18];
    file.extend(u32::try_from(dictionary.len()).expect("short").to_le_bytes());
    file.extend(&dictionary);
    for page in &pages {
        let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).expect("zstd");
        file.extend(compressor.compress(page).expect("zstd"));
    }
    assert_eq!(
        told(&file, &WarcOptions::default()),
        told(&pages.concat(), &WarcOptions::default())
    );
}

#[test]
fn a_length_that_lies() {
    let [one, two, three] = three();
    let lie = |length: &str| {
        String::from_utf8_lossy(&two)
            .replace("Content-Length: 47", length)
            .into_bytes()
    };
    let file = |length: &str| [one.clone(), lie(length), three.clone()].concat();
    check_records(
        &file("Content-Length: 45"),
        expect![[r#"
        1 response http://a.example/ 47 "one"
        2 response http://b.example/ 47 "two"
        3 response http://c.example/ 49 "three"
        bad length: record 2 at byte 140: states 45 bytes, has 47
    "#]],
    );
    check_records(
        &file("Content-Length: 60"),
        expect![[r#"
        1 response http://a.example/ 47 "one"
        2 response http://b.example/ 47 "two"
        3 response http://c.example/ 49 "three"
        bad length: record 2 at byte 140: states 60 bytes, has 47
    "#]],
    );
    check_records(
        &file("Content-Length: 99999999999999"),
        expect![[r#"
        1 response http://a.example/ 47 "one"
        2 response http://b.example/ 47 "two"
        3 response http://c.example/ 49 "three"
        bad length: record 2 at byte 140: states 99999999999999 bytes, has 47
    "#]],
    );
    check_records(
        &file("Content-Length: -1"),
        expect![[r#"
        1 response http://a.example/ 47 "one"
        2 response http://b.example/ 47 "two"
        3 response http://c.example/ 49 "three"
        bad length: record 2 at byte 140: states no length, has 47
    "#]],
    );
    check_records(
        &file("X: 1"),
        expect![[r#"
        1 response http://a.example/ 47 "one"
        2 response http://b.example/ 47 "two"
        3 response http://c.example/ 49 "three"
        bad length: record 2 at byte 140: states no length, has 47
    "#]],
    );
}

#[test]
fn damage_between_and_in_records() {
    let [one, two, three] = three();
    check_records(
        &[&one[..], b"garbage\r\n\r\n", &two, &three].concat(),
        expect![[r#"
            1 response http://a.example/ 47 "one"
            2 response http://b.example/ 47 "two"
            3 response http://c.example/ 49 "three"
            not a record: after record 1, at byte 140: 11 bytes are no record
        "#]],
    );
    check_records(
        &[&one[..], &two[..60], &three].concat(),
        expect![[r#"
        1 response http://a.example/ 47 "one"
        2 response http://b.exaWARC/1.0 49 "three"
    "#]],
    );
    check_records(
        &[&one[..], &two[..two.len() - 9]].concat(),
        expect![[r#"
        1 response http://a.example/ 47 "one"
        2 response http://b.example/ 42 "Content-Type: text/html"
        damaged archive: record 2 at byte 140: states 47 bytes, has 42
    "#]],
    );
    check_records(
        b"no archive",
        expect![[r#"
        not a record: after record 0, at byte 0: 10 bytes are no record
    "#]],
    );
    check_records(b"", expect![[""]]);
}

#[test]
fn damage_in_gzip_members() {
    let [one, two, three] = three().map(|page| gzip(&page));
    let mut flipped = two.clone();
    flipped[30] ^= 0xff;
    let mut checksum = two.clone();
    let at = checksum.len() - 6;
    checksum[at] ^= 0xff;
    check_records(
        &[&one[..], &flipped, &three].concat(),
        expect![[r#"
            1 response http://a.example/ 47 "one"
            2  http://b.example/ 47 "two"
            3 response http://c.example/ 49 "three"
            damaged archive: after the begin of record 2, at byte 137: its compressed data is damaged: deflate decompression error: incorrect data check
        "#]],
    );
    check_records(
        &[&one[..], &checksum, &three].concat(),
        expect![[r#"
            1 response http://a.example/ 47 "one"
            2 response http://b.example/ 47 "two"
            3 response http://c.example/ 49 "three"
            damaged archive: after the begin of record 2, at byte 137: its compressed data is damaged: deflate decompression error: incorrect data check
        "#]],
    );
    check_records(
        &[&one[..], &two[..60], &three].concat(),
        expect![[r#"
            1 response http://a.example/ 47 "one"
            2 response http://c.example/ 49 "three"
            damaged record: after record 1, at byte 137: a head without end
            damaged archive: after the begin of record 1, at byte 137: its compressed data is damaged: deflate decompression error: incorrect data check
        "#]],
    );
    check_records(
        &[&one[..], b"garbage", &three, &[0; 100]].concat(),
        expect![[r#"
            1 response http://a.example/ 47 "one"
            2 response http://c.example/ 49 "three"
            damaged archive: after the begin of record 1, at byte 137: what follows is no compressed member
        "#]],
    );
    check_records(
        &[&one[..], &two[..60]].concat(),
        expect![[r#"
            1 response http://a.example/ 47 "one"
            damaged record: after record 1, at byte 137: a head without end
            damaged archive: after the begin of record 1, at byte 137: its compressed data is cut off
        "#]],
    );
}

#[test]
fn heads_are_read_as_written() {
    let spelled = b"WARC/0.18\nwarc-type: response\nWARC-Target-URI: <http://a.example/>\nContent-length: 3\n\nabc\n\n";
    check_records(
        spelled,
        expect![[r#"
        1 response http://a.example/ 3 "abc"
    "#]],
    );
    let endless = [b"WARC/1.0\r\n".to_vec(), b"X: y\r\n".repeat(100_000)].concat();
    check_records(
        &[endless, page("http://a.example/", "one")].concat(),
        expect![[r#"
        1 response http://a.example/ 47 "one"
        damaged record: after record 0, at byte 0: a head without end
    "#]],
    );
}

#[test]
fn nothing_but_begins_takes_no_longer() {
    // Two megabytes each; looking far ahead at every begin would take minutes.
    check_records(
        &b"WARC/1.0\r\n".repeat(200_000),
        expect![[r#"
        damaged record: after record 0, at byte 0: a head without end
        damaged record: after record 0, at byte 10: a head without end
        damaged record: after record 0, at byte 20: a head without end
        more problems: 199900 further problems are not listed
    "#]],
    );
    check_records(
        &b"WARC/1.0\r\nContent-Length: 9999999\r\n\r\n".repeat(50_000),
        expect![[r#"
            1  - 0 ""
            2  - 0 ""
            3  - 0 ""
            4 more
            bad length: record 1 at byte 0: states 9999999 bytes, has 0
            bad length: record 2 at byte 37: states 9999999 bytes, has 0
            bad length: record 3 at byte 74: states 9999999 bytes, has 0
            bad length: record 7 at byte 222: states 9999999 bytes, and no record follows there
        "#]],
    );
    check_records(
        &b"\x1f\x8b\x08\x00".repeat(500_000),
        expect![[r#"
        damaged archive: after the begin of record 0, at byte 0: its compressed data is damaged: deflate decompression error: invalid stored block lengths
        damaged archive: after the begin of record 0, at byte 4: its compressed data is damaged: deflate decompression error: invalid stored block lengths
        damaged archive: after the begin of record 0, at byte 8: its compressed data is damaged: deflate decompression error: invalid stored block lengths
        more problems: 99901 further problems are not listed
    "#]],
    );
}

#[test]
fn bombs_are_bounded() {
    let options = WarcOptions {
        unpacked_bytes_free: 1 << 20,
        record_bytes_max: 10,
        ..WarcOptions::default()
    };
    let bomb = gzip(&record("resource", "http://a.example/", "", &vec![b'x'; 4 << 20]));
    expect![[r#"
        1 resource http://a.example/ 1343394 "xxxxxxxxxx"
        bad length: record 1 at byte 0: states 4194304 bytes, has 1343394
        damaged archive: after the begin of record 1, at byte 0: it unpacks to over 200 times its size: no more is read
    "#]]
    .assert_eq(&told(
        &[bomb, gzip(&page("http://b.example/", "two"))].concat(),
        &options,
    ));
    let honest = record("resource", "http://a.example/", "", b"0123456789abcdef");
    expect![[r#"
        1 resource http://a.example/ 16 "0123456789"
    "#]]
    .assert_eq(&told(&honest, &options));
}
