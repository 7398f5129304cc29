//! Codings of HTTP bodies: chunks, and the compressions of `Content-Encoding`.
//!
//! Archives often keep a header and not what it speaks of: bodies that are said to be chunked or
//! compressed and are not. Such a coding is taken for absent; one that fails later gives what it
//! has so far.

use super::options::Problems;
use crate::codec::FILE_WINDOW_LOG;
use crate::content_coding::{BodyLimits, BodyUnpacker};

/// The body with its content codings undone, at most `bytes_max` of it.
pub(super) fn undo_codings(body: Vec<u8>, codings: &[String], bytes_max: usize, problems: &mut Problems) -> Vec<u8> {
    let limits = BodyLimits {
        bytes_max,
        // How much a file may expand is limited where the file is read.
        ratio_max: u64::MAX,
        window_log_max: FILE_WINDOW_LOG,
        ..BodyLimits::default()
    };
    let mut unpacker = BodyUnpacker::new(codings.iter().map(String::as_str), limits);
    unpacker.push(&body);
    let mut excess = None;
    while excess.is_none() && unpacker.step() {
        excess = unpacker.excess();
    }
    let excess = excess.or_else(|| unpacker.excess());
    let (body, troubles, _) = unpacker.finish(excess.is_none());
    for problem in excess.into_iter().chain(troubles) {
        problems.push(problem.kind, problem.message);
    }
    body
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
        let body = undo_codings(body, &codings, 60, &mut problems);
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
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; too large: only the first 60 bytes were read"
            ],
        );
        check_codings(
            [b'x'; 70].to_vec(),
            &[],
            expect![
                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; too large: only the first 60 bytes were read"
            ],
        );
    }
}
