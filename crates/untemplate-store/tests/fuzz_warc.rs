//! Bytes that nobody meant as a WARC file: reading them never panics, always ends, and stays within
//! its limits.
//!
//! `UNTEMPLATE_FUZZ_SECONDS` says how long to try (2 if not given), `UNTEMPLATE_FUZZ_SEED` where to
//! begin; a finding prints the seed that shows it at once. Public WARC files join in where
//! `UNTEMPLATE_SUITES` has a folder `warc`.

mod warc_builder;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use untemplate_store::{PageSource, RecordReader, WarcArchive, WarcOptions, read_http_response};
use warc_builder::{gzip, page, record};

/// Small limits, so that small inputs reach them.
fn options() -> WarcOptions {
    WarcOptions {
        head_bytes_max: 4 << 10,
        record_bytes_max: 64 << 10,
        body_bytes_max: 32 << 10,
        expansion_max: 50,
        unpacked_bytes_free: 256 << 10,
        index_bytes_max: 16 << 10,
        redirects_max: 20,
        problems_max: 20,
    }
}

/// A tiny generator of numbers (SplitMix64): the same seed, the same bytes.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`; 0 when there is none.
    fn below(&mut self, limit: usize) -> usize {
        (self.roll() % (limit.max(1) as u64)) as usize
    }

    /// A range within `length`.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let begin = self.below(length + 1);
        begin..begin + self.below((length - begin).min(300) + 1)
    }
}

/// Files to begin from: one of every packing and coding, and the public ones at hand.
fn seeds() -> Vec<Vec<u8>> {
    let coded = |coding: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\n{coding}\r\nContent-Type: text/html\r\n\r\n");
        record(
            "response",
            "http://a.example/",
            "WARC-Record-ID: <1>",
            &[head.as_bytes(), body].concat(),
        )
    };
    let moved = |to: &str| format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\n\r\n").into_bytes();
    let text = "<p>Hello world</p>".repeat(50);
    let brotli = b"\x0f\x02\x80Hello\x03";
    let records = [
        page("http://a.example/", &text),
        coded("Content-Encoding: gzip", &gzip(text.as_bytes())),
        coded(
            "Content-Encoding: zstd",
            &zstd::encode_all(text.as_bytes(), 3).expect("zstd"),
        ),
        coded("Content-Encoding: br", brotli),
        coded(
            "Content-Encoding: deflate, gzip\r\nTransfer-Encoding: chunked",
            b"5\r\nHello\r\n0\r\n\r\n",
        ),
        coded("Content-Encoding: gzip", &gzip(&[b'x'; 200_000])),
        record("response", "http://a.example/b", "", &moved("/c")),
        record("response", "http://a.example/c", "", &moved("/b")),
        record(
            "revisit",
            "http://a.example/r",
            "WARC-Refers-To: <1>\nWARC-Payload-Digest: sha1:x",
            b"",
        ),
        record(
            "request",
            "http://a.example/",
            "WARC-Concurrent-To: <1>",
            b"POST / HTTP/1.1\r\n\r\na=1",
        ),
        record(
            "resource",
            "http://a.example/s",
            "Content-Type: text/plain",
            text.as_bytes(),
        ),
    ];
    let plain = records.concat();
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).expect("zstd");
    let dictionary = [&[0x5d, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], b"Word", &zstd(&records[0])].concat();
    let mut seeds = vec![
        records.each_ref().map(|record| gzip(record)).concat(),
        records.each_ref().map(|record| zstd(record)).concat(),
        gzip(&plain),
        gzip(&vec![b'x'; 2 << 20]),
        plain,
        dictionary,
    ];
    if let Some(folder) = std::env::var_os("UNTEMPLATE_SUITES") {
        let files = fs::read_dir(PathBuf::from(folder).join("warc"))
            .into_iter()
            .flatten()
            .flatten();
        let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
        files.sort();
        seeds.extend(files.iter().filter_map(|file| fs::read(file).ok()));
    }
    seeds
}

/// One input: arbitrary bytes now and then, mostly a seed with a few changes.
fn input(seeds: &[Vec<u8>], dice: &mut Dice) -> Vec<u8> {
    if dice.below(20) == 0 {
        let length = dice.below(2000);
        return (0..length).map(|_| dice.roll() as u8).collect();
    }
    let mut bytes = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(6) {
        mutate(&mut bytes, seeds, dice);
    }
    // Half of the changed plain files are packed again, so that the changes lie inside.
    if bytes.starts_with(b"WARC") && dice.below(2) == 0 {
        bytes = gzip(&bytes);
    }
    bytes.truncate(4 << 20);
    bytes
}

fn mutate(bytes: &mut Vec<u8>, seeds: &[Vec<u8>], dice: &mut Dice) {
    let length = bytes.len();
    match dice.below(8) {
        0 if length > 0 => bytes[dice.below(length)] ^= 1 << dice.below(8),
        1 if length > 0 => bytes[dice.below(length)] = dice.roll() as u8,
        2 => bytes.truncate(dice.below(length + 1)),
        3 => drop(bytes.drain(dice.range(length))),
        4 => {
            let copy = bytes[dice.range(length)].to_vec();
            let at = dice.below(length + 1);
            bytes.splice(at..at, copy);
        }
        5 => {
            let other = &seeds[dice.below(seeds.len())];
            let piece = other[dice.range(other.len())].to_vec();
            bytes.splice(dice.range(length), piece);
        }
        6 => change_length(bytes, dice),
        _ => {
            let other = &seeds[dice.below(seeds.len())];
            let at = dice.below(length + 1);
            bytes.truncate(at);
            bytes.extend_from_slice(&other[dice.below(other.len())..]);
        }
    }
}

/// Writes another number after one of the `Length:` in the file.
fn change_length(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let name = b"Length: ";
    let places: Vec<usize> = (0..bytes.len().saturating_sub(name.len()))
        .filter(|at| bytes[*at..].starts_with(name))
        .collect();
    let Some(at) = places.get(dice.below(places.len())) else {
        return;
    };
    let begin = at + name.len();
    let end = begin + bytes[begin..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let numbers = [
        "",
        "0",
        "-1",
        "1",
        "99999999999999999999",
        "18446744073709551615",
        "4294967296",
    ];
    let number = match dice.below(3) {
        0 => numbers[dice.below(numbers.len())].to_owned(),
        _ => dice.below(5000).to_string(),
    };
    bytes.splice(begin..end, number.into_bytes());
}

/// Reads all records and opens every HTTP response in them; panics when something is larger than it
/// may be.
fn check_records(bytes: &[u8]) {
    let options = options();
    let mut reader = RecordReader::new(bytes, &options);
    let mut n_records = 0;
    while let Some(record) = reader.next_record().expect("a slice can be read") {
        n_records += 1;
        assert!(record.block.len() <= options.record_bytes_max, "a block is too large");
        if let Some(message) = read_http_response(&record.block, &options) {
            assert!(message.body.len() <= options.body_bytes_max, "a body is too large");
        }
    }
    let unpacked_max = bytes.len() as u64 * options.expansion_max + options.unpacked_bytes_free;
    assert!(n_records <= unpacked_max / 12, "there are more records than fit");
    assert!(
        reader.into_problems().len() <= options.problems_max + 1,
        "there are too many problems"
    );
}

/// Opens an archive of these bytes and asks for all that it has.
fn check_archive(bytes: &[u8], place: &Path) {
    fs::write(place, bytes).expect("a file");
    let mut archive = WarcArchive::open(&[place.to_owned()], &options()).expect("a readable file");
    let requests: Vec<_> = archive.requests().take(50).collect();
    for request in requests {
        if let Ok(response) = archive.answer(&request).expect("an indexed request") {
            assert!(response.body.len() <= options().body_bytes_max, "a body is too large");
        }
    }
}

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn any_bytes_are_read_to_an_end() {
    let seconds = number_from("UNTEMPLATE_FUZZ_SECONDS").unwrap_or(2);
    let first = number_from("UNTEMPLATE_FUZZ_SEED").unwrap_or(1);
    let (seeds, folder) = (seeds(), tempfile::tempdir().expect("a folder"));
    let (begin, mut seed, mut slowest) = (Instant::now(), first, (Duration::ZERO, first));
    while begin.elapsed() < Duration::from_secs(seconds) || seed == first {
        let bytes = input(&seeds, &mut Dice(seed));
        let started = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            check_records(&bytes);
            // An archive needs a file, which is slow: every fourth input is enough.
            if seed.is_multiple_of(4) {
                check_archive(&bytes, &folder.path().join("a.warc"));
            }
        }));
        slowest = slowest.max((started.elapsed(), seed));
        if outcome.is_err() || started.elapsed() > Duration::from_secs(20) {
            panic!("finding: UNTEMPLATE_FUZZ_SEED={seed} UNTEMPLATE_FUZZ_SECONDS=0 shows it at once");
        }
        seed += 1;
    }
    eprintln!(
        "{} inputs from seed {first} on, slowest {:?} (seed {})",
        seed - first,
        slowest.0,
        slowest.1
    );
}
