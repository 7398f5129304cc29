//! Content encodings: sound, chained, missing, damaged and hostile bodies, whole and byte by byte.

use std::io::Write;

use expect_test::{Expect, expect};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

use super::{BodyLimits, BodyUnpacker};
use crate::codec::WEB_WINDOW_LOG;

const LIMITS: BodyLimits = BodyLimits {
    bytes_max: 100_000,
    ratio_max: 50,
    ratio_free_bytes: 1000,
    encodings_max: 5,
    window_log_max: WEB_WINDOW_LOG,
};

/// Unpacks a body that comes in pieces of this size.
fn unpack(body: &[u8], encodings: &[&str], piece_bytes: usize) -> String {
    let mut unpacker = BodyUnpacker::new(encodings.iter().copied(), LIMITS);
    let mut excess = None;
    for piece in body.chunks(piece_bytes) {
        unpacker.push(piece);
        while excess.is_none() {
            let has_worked = unpacker.step();
            excess = unpacker.excess();
            if !has_worked {
                break;
            }
        }
    }
    let (body, problems, lacks_bytes) = unpacker.finish(excess.is_none());
    let shown = if body.len() > 40 {
        format!("{} bytes", body.len())
    } else {
        String::from_utf8_lossy(&body).into()
    };
    let problems = excess.iter().chain(&problems).map(|problem| format!("; {problem}"));
    format!(
        "{shown}{}{}",
        problems.collect::<String>(),
        if lacks_bytes { "; lacks bytes" } else { "" }
    )
}

fn check(body: &[u8], encodings: &[&str], expected: Expect) {
    let byte_by_byte = unpack(body, encodings, 1);
    assert_eq!(byte_by_byte, unpack(body, encodings, body.len().max(1)));
    expected.assert_eq(&byte_by_byte);
}

/// A bomb goes off earlier when it comes byte by byte.
fn check_bomb(body: &[u8], encodings: &[&str], expected: Expect) {
    expected.assert_eq(&unpack(body, encodings, body.len().max(1)));
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("gzip");
    encoder.finish().expect("gzip")
}

fn zstd(text: &[u8]) -> Vec<u8> {
    zstd::encode_all(text, 3).expect("zstd")
}

fn deflate(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("deflate");
    encoder.finish().expect("deflate")
}

fn zlib(text: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).expect("zlib");
    encoder.finish().expect("zlib")
}

fn brotli(text: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams::default();
    brotli::BrotliCompress(&mut &text[..], &mut packed, &parameters).expect("brotli");
    packed
}

#[test]
fn each_coding() {
    check(b"Hello", &[], expect!["Hello"]);
    check(b"Hello", &["identity"], expect!["Hello"]);
    check(&gzip(b"Hello"), &["gzip"], expect!["Hello"]);
    check(&gzip(b"Hello"), &["X-GZip"], expect!["Hello"]);
    check(&zlib(b"Hello"), &["deflate"], expect!["Hello"]);
    check(&deflate(b"Hello"), &["deflate"], expect!["Hello"]);
    check(&zstd(b"Hello"), &["zstd"], expect!["Hello"]);
    check(&brotli(b"Hello"), &["br"], expect!["Hello"]);
    check(b"", &["gzip"], expect![""]);
}

#[test]
fn chains() {
    check(&zstd(&gzip(b"Hello")), &["gzip, zstd"], expect!["Hello"]);
    check(&zstd(&gzip(b"Hello")), &["gzip", "zstd"], expect!["Hello"]);
    let five = gzip(&zlib(&brotli(&zstd(&gzip(b"Hello")))));
    check(&five, &["gzip, zstd, br, deflate, gzip"], expect!["Hello"]);
    check(
        b"<p>Hello",
        &["gzip, zstd, br, deflate, gzip, gzip"],
        expect!["<p>Hello; bad encoding: 6 content encodings on top of each other are too many; lacks bytes"],
    );
}

#[test]
fn members_in_a_row() {
    check(
        &[gzip(b"Hello"), gzip(b" world")].concat(),
        &["gzip"],
        expect!["Hello world"],
    );
    check(
        &[zstd(b"Hello"), zstd(b" world")].concat(),
        &["zstd"],
        expect!["Hello world"],
    );
    check(
        &[&gzip(b"Hello")[..], b"\0\0 behind"].concat(),
        &["gzip"],
        expect!["Hello"],
    );
    check(&[&zstd(b"Hello")[..], b" behind"].concat(), &["zstd"], expect!["Hello"]);
    check(&[&brotli(b"Hello")[..], b" behind"].concat(), &["br"], expect!["Hello"]);
    check(
        &[&zlib(b"Hello")[..], b" behind"].concat(),
        &["deflate"],
        expect!["Hello"],
    );
    check(&gzip(b"").repeat(2000), &["gzip"], expect![""]);
}

#[test]
fn codings_that_are_not_there() {
    check(
        b"<p>Hello",
        &["gzip"],
        expect![
            "<p>Hello; bad encoding: the body is said to be gzip and is not: deflate decompression error: incorrect header check"
        ],
    );
    check(
        b"<p>Hello",
        &["zstd"],
        expect!["<p>Hello; bad encoding: the body is said to be zstd and is not: Unknown frame descriptor"],
    );
    check(
        b"<p>Hello",
        &["deflate"],
        expect![
            "<p>Hello; bad encoding: the body is said to be deflate and is not: deflate decompression error: invalid code lengths set"
        ],
    );
    check(
        b"Hello world",
        &["br"],
        expect!["Hello world; bad encoding: the body is said to be brotli and is not: corrupt brotli stream"],
    );
    check(
        b"<p>Hello",
        &["rot13"],
        expect![[r#"<p>Hello; bad encoding: the content encoding "rot13" is not known; lacks bytes"#]],
    );
    check(
        &gzip(b"Hello"),
        &["gzip, gzip"],
        expect![
            "Hello; bad encoding: the body is said to be gzip and is not: deflate decompression error: incorrect header check"
        ],
    );
}

#[test]
fn codings_that_are_damaged() {
    check(
        &gzip(b"Hello")[..13],
        &["gzip"],
        expect!["He; bad encoding: of the gzip body only 2 bytes could be read: it is cut off; lacks bytes"],
    );
    check(
        &gzip(b"Hello")[..5],
        &["gzip"],
        expect!["; bad encoding: of the gzip body only 0 bytes could be read: it is cut off; lacks bytes"],
    );
    let mut damaged = gzip(b"Hello");
    damaged[18] ^= 0xff;
    check(
        &damaged,
        &["gzip"],
        expect![
            "Hello; bad encoding: of the gzip body only 5 bytes could be read: deflate decompression error: incorrect data check; lacks bytes"
        ],
    );
    check(
        &zstd(b"Hello")[..9],
        &["zstd"],
        expect!["; bad encoding: of the zstd body only 0 bytes could be read: it is cut off; lacks bytes"],
    );
    let text: Vec<u8> = (0..50_000_u32)
        .flat_map(|number| (number * number).to_le_bytes())
        .take(90_000)
        .collect();
    check(
        &brotli(&text)[..60_000],
        &["br"],
        expect![
            "79348 bytes; bad encoding: of the brotli body only 79348 bytes could be read: it is cut off; lacks bytes"
        ],
    );
    check(
        &zlib(&text)[..50_000],
        &["deflate"],
        expect![
            "58542 bytes; bad encoding: of the deflate body only 58542 bytes could be read: it is cut off; lacks bytes"
        ],
    );
}

#[test]
fn bombs_are_cut() {
    check_bomb(
        &gzip(&[b'x'; 1 << 20]),
        &["gzip"],
        expect!["16384 bytes; bomb: 42 bytes unpacked to more than 16384; lacks bytes"],
    );
    check_bomb(
        &brotli(&[b'x'; 1 << 20]),
        &["br"],
        expect!["16384 bytes; bomb: 14 bytes unpacked to more than 16384; lacks bytes"],
    );
    check_bomb(
        &zstd(&[b'x'; 1 << 20]),
        &["zstd"],
        expect!["16384 bytes; bomb: 19 bytes unpacked to more than 16384; lacks bytes"],
    );
    check_bomb(
        &deflate(&[b'x'; 1 << 20]),
        &["deflate"],
        expect!["16384 bytes; bomb: 34 bytes unpacked to more than 16384; lacks bytes"],
    );
    // A bomb within that never shows: what it unpacks to unpacks to nothing.
    check_bomb(
        &gzip(&gzip(b"").repeat(50_000)),
        &["gzip, gzip"],
        expect!["; bomb: 139 bytes unpacked to more than 16384; lacks bytes"],
    );
    let text: Vec<u8> = (0..50_000_u32)
        .flat_map(|number| (number * number).to_le_bytes())
        .collect();
    check_bomb(
        &gzip(&text),
        &["gzip"],
        expect!["100000 bytes; too large: only the first 100000 bytes were read; lacks bytes"],
    );
    check_bomb(
        &text,
        &[],
        expect!["100000 bytes; too large: only the first 100000 bytes were read"],
    );
}

#[test]
fn any_bytes_end() {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for round in 0..400 {
        let bytes = (0..64 + round).map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        });
        let mut bytes: Vec<u8> = bytes.collect();
        let magics: [&[u8]; 4] = [b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\x78\x9c", b""];
        let magic = magics[round % 4];
        bytes[..magic.len()].copy_from_slice(magic);
        for encodings in ["gzip", "zstd", "deflate", "br", "gzip, br", "zstd, deflate, gzip"] {
            unpack(&bytes, &[encodings], 1 + round % 7);
        }
    }
}
