//! Codings of HTTP bodies: chunks, and the compressions of `Content-Encoding`.
//!
//! Archives often keep a header and not what it speaks of: bodies that are said to be chunked or
//! compressed and are not. So a coding that fails on its first bytes is taken for absent; one that
//! fails later gives what it has so far.

use super::options::Problems;
use crate::codec::{Codec, FILE_WINDOW_LOG};

/// Codings on top of each other that are undone; nobody honest uses more than two.
const CODINGS_MAX: usize = 4;

/// The body with its content codings undone, at most `bytes_max` of it.
pub(super) fn undo_codings(body: Vec<u8>, codings: &[String], bytes_max: usize, problems: &mut Problems) -> Vec<u8> {
    let mut body = body;
    for coding in codings.iter().rev().take(CODINGS_MAX) {
        body = undo_coding(body, coding, bytes_max, problems);
    }
    if codings.len() > CODINGS_MAX {
        problems.push(
            "bad encoding",
            format!("{} content encodings on top of each other", codings.len()),
        );
    }
    if body.len() > bytes_max {
        problems.push(
            "too long",
            format!("only the first {bytes_max} bytes of the body were read"),
        );
        body.truncate(bytes_max);
    }
    body
}

fn undo_coding(body: Vec<u8>, coding: &str, bytes_max: usize, problems: &mut Problems) -> Vec<u8> {
    let make = |body: &[u8]| match coding {
        "gzip" | "x-gzip" => Some(Codec::gzip()),
        "deflate" => Some(Codec::deflate(has_zlib_header(body))),
        "zstd" => Codec::zstd(&[], FILE_WINDOW_LOG).ok(),
        "br" => Some(Codec::brotli()),
        _ => None,
    };
    if matches!(coding, "identity" | "") || body.is_empty() {
        return body;
    }
    let Some(mut codec) = make(&body) else {
        problems.push("bad encoding", format!("the content encoding {coding:?} is not known"));
        return body;
    };
    let (mut unpacked, mut rest) = (Vec::new(), &body[..]);
    let trouble = loop {
        match unpack_member(&mut codec, &mut rest, bytes_max, &mut unpacked) {
            // gzip and zstd allow several members in a row; what follows a brotli or deflate stream
            // means nothing.
            Ok(()) if rest.starts_with(&[0x1f, 0x8b]) && coding.ends_with("gzip") => codec = Codec::gzip(),
            Ok(()) if coding == "zstd" && !rest.is_empty() => {}
            Ok(()) => break None,
            Err(trouble) => break Some(trouble),
        }
    };
    let is_named = coding.ends_with("gzip") && body.starts_with(&[0x1f, 0x8b]);
    match trouble {
        None => unpacked,
        Some(trouble) if unpacked.is_empty() && !is_named => {
            problems.push(
                "bad encoding",
                format!("the body is said to be {coding} and is not: {trouble}"),
            );
            body
        }
        Some(trouble) => {
            let message = format!(
                "of the {coding} body only {} bytes could be read: {trouble}",
                unpacked.len()
            );
            problems.push("bad encoding", message);
            unpacked
        }
    }
}

/// Unpacks one member from the begin of `rest` to the end of `unpacked`.
fn unpack_member(codec: &mut Codec, rest: &mut &[u8], bytes_max: usize, unpacked: &mut Vec<u8>) -> Result<(), String> {
    let mut chunk = [0; 16 << 10];
    loop {
        let step = codec.step(rest, &mut chunk);
        *rest = &rest[step.n_read..];
        unpacked.extend_from_slice(&chunk[..step.n_written]);
        if unpacked.len() > bytes_max {
            // One byte too many stays, so that the limit is noticed; nothing after it matters.
            unpacked.truncate(bytes_max + 1);
            *rest = &[];
            return Ok(());
        }
        match step.done {
            Ok(true) => return Ok(()),
            Ok(false) if step.n_read == 0 && step.n_written == 0 => return Err("it is cut off".to_owned()),
            Ok(false) => {}
            Err(trouble) => return Err(trouble),
        }
    }
}

/// The standard wants zlib's header; some servers send none.
fn has_zlib_header(body: &[u8]) -> bool {
    body.len() >= 2 && body[0] & 0x0f == 8 && (u16::from(body[0]) << 8 | u16::from(body[1])).is_multiple_of(31)
}

/// The body put together from its chunks.
pub(super) fn undo_chunks(body: &[u8], problems: &mut Problems) -> Vec<u8> {
    let (mut whole, mut rest, mut n_chunks) = (Vec::new(), body, 0);
    loop {
        let Some((length, after)) = chunk_length(rest) else {
            if n_chunks == 0 {
                problems.push("bad encoding", "the body is said to come in chunks and does not");
                return body.to_vec();
            }
            problems.push(
                "bad encoding",
                format!("after {n_chunks} chunks of the body, there is no chunk"),
            );
            return whole;
        };
        if length == 0 {
            return whole;
        }
        let Some(chunk) = after.get(..length) else {
            problems.push("bad encoding", format!("chunk {} of the body is cut off", n_chunks + 1));
            whole.extend_from_slice(after);
            return whole;
        };
        whole.extend_from_slice(chunk);
        let after = &after[length..];
        rest = after
            .strip_prefix(b"\r\n")
            .or(after.strip_prefix(b"\n"))
            .unwrap_or(after);
        n_chunks += 1;
    }
}

/// The length in the first line, and what follows that line.
fn chunk_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().take(256).position(|byte| *byte == b'\n')?;
    let line = std::str::from_utf8(&bytes[..end]).ok()?;
    let digits = line.split(';').next()?.trim();
    let is_number = digits.len() <= 15 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let length = is_number.then(|| usize::from_str_radix(digits, 16).ok()).flatten()?;
    Some((length, &bytes[end + 1..]))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use expect_test::{Expect, expect};
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};

    use super::*;

    fn told(body: &[u8], problems: Problems) -> String {
        let problems: Vec<String> = problems
            .into_vec()
            .iter()
            .map(|problem| format!("; {problem}"))
            .collect();
        format!("{}{}", String::from_utf8_lossy(body), problems.concat())
    }

    fn check_chunks(body: &[u8], expected: Expect) {
        let mut problems = Problems::new(9);
        let body = undo_chunks(body, &mut problems);
        expected.assert_eq(&told(&body, problems));
    }

    fn check_codings(body: Vec<u8>, codings: &[&str], expected: Expect) {
        let mut problems = Problems::new(9);
        let codings: Vec<String> = codings.iter().map(|coding| (*coding).to_owned()).collect();
        let body = undo_codings(body, &codings, 40, &mut problems);
        expected.assert_eq(&told(&body, problems));
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("gzip");
        encoder.finish().expect("gzip")
    }

    #[test]
    fn chunks() {
        check_chunks(b"5\r\nHello\r\n6;x=y\r\n world\r\n0\r\n\r\n", expect!["Hello world"]);
        check_chunks(
            b"<p>Hello",
            expect!["<p>Hello; bad encoding: the body is said to come in chunks and does not"],
        );
        check_chunks(
            b"5\r\nHello\r\n9\r\n wor",
            expect!["Hello wor; bad encoding: chunk 2 of the body is cut off"],
        );
        check_chunks(
            b"5\r\nHello\r\nx",
            expect!["Hello; bad encoding: after 1 chunks of the body, there is no chunk"],
        );
        check_chunks(
            b"fffffffffffffff\r\nHello",
            expect!["Hello; bad encoding: chunk 1 of the body is cut off"],
        );
    }

    #[test]
    fn compressions() {
        check_codings(gzip(b"Hello"), &["gzip"], expect!["Hello"]);
        check_codings(
            [gzip(b"Hello"), gzip(b" world")].concat(),
            &["x-gzip"],
            expect!["Hello world"],
        );
        check_codings(gzip(&gzip(b"Hello")), &["gzip", "gzip"], expect!["Hello"]);
        check_codings(
            zstd::encode_all(&b"Hello"[..], 3).expect("zstd"),
            &["zstd"],
            expect!["Hello"],
        );
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(b"Hello").expect("zlib");
        check_codings(zlib.finish().expect("zlib"), &["deflate"], expect!["Hello"]);
        let mut deflate = DeflateEncoder::new(Vec::new(), Compression::default());
        deflate.write_all(b"Hello").expect("deflate");
        check_codings(deflate.finish().expect("deflate"), &["deflate"], expect!["Hello"]);
        // A brotli stream of one uncompressed block.
        check_codings(b"\x0f\x02\x80Hello\x03".to_vec(), &["br"], expect!["Hello"]);
    }

    #[test]
    fn compressions_that_are_not_there() {
        check_codings(b"Hello".to_vec(), &["identity"], expect!["Hello"]);
        check_codings(
            b"<p>Hello".to_vec(),
            &["gzip"],
            expect![
                "<p>Hello; bad encoding: the body is said to be gzip and is not: deflate decompression error: incorrect header check"
            ],
        );
        check_codings(
            b"<p>Hello".to_vec(),
            &["rot13"],
            expect![[r#"<p>Hello; bad encoding: the content encoding "rot13" is not known"#]],
        );
        check_codings(
            gzip(b"Hello")[..13].to_vec(),
            &["gzip"],
            expect!["He; bad encoding: of the gzip body only 2 bytes could be read: it is cut off"],
        );
        check_codings(Vec::new(), &["gzip"], expect![[""]]);
    }

    #[test]
    fn bombs_are_cut() {
        check_codings(
            gzip(&[b'x'; 100_000]),
            &["gzip"],
            expect![
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; too long: only the first 40 bytes of the body were read"
            ],
        );
        check_codings(
            [b'x'; 50].to_vec(),
            &[],
            expect![
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; too long: only the first 40 bytes of the body were read"
            ],
        );
    }
}
