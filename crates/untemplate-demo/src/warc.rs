//! The site as records of a WARC file, one for each page, as a crawler would have archived it.

use crate::site::DemoSite;

/// The records of all pages, in the order of the site's paths; whoever writes them may pack each
/// one.
pub fn warc_records(site: &DemoSite) -> impl Iterator<Item = Vec<u8>> {
    site.paths()
        .enumerate()
        .map(|(number, path)| record(site, number, &path))
}

fn record(site: &DemoSite, number: usize, path: &str) -> Vec<u8> {
    let body = site.answer("GET", path, "").body;
    let answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    let head = format!(
        "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-8000-8000-{number:012x}>\r\n\
         WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {}{}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
        site.base_url,
        path.trim_start_matches('/'),
        answer.len()
    );
    [head.as_bytes(), answer.as_bytes(), b"\r\n\r\n"].concat()
}
