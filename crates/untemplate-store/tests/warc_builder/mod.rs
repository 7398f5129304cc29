//! WARC files made by the tests themselves.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// A record with these header lines (`Name: value`, one per line) and this block.
pub fn record(kind: &str, target: &str, headers: &str, block: &[u8]) -> Vec<u8> {
    let mut head = format!("WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {target}\r\n");
    for line in headers.lines() {
        head += &format!("{}\r\n", line.trim());
    }
    head += &format!("Content-Length: {}\r\n\r\n", block.len());
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// A captured page.
pub fn page(target: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{body}");
    record("response", target, "", block.as_bytes())
}

/// The bytes as one gzip member.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("gzip");
    encoder.finish().expect("gzip")
}
