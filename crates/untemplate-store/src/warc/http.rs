//! The HTTP message in a record: its status, its headers, and its body with all encodings undone.

use untemplate::page::Problem;

use super::WarcOptions;
use super::coding::{undo_chunks, undo_codings};
use super::header::{Headers, head_end};
use super::options::Problems;

/// The HTTP response in a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpMessage {
    /// The status of the status line.
    pub status: u16,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// The `Location` header, where a redirect leads.
    pub location: Option<String>,
    /// The body, with chunks and compressions undone.
    pub body: Vec<u8>,
    /// What was odd about it.
    pub problems: Vec<Problem>,
}

/// Reads the HTTP response that is a record's block, or `None` when it is no HTTP response.
pub fn read_http_response(block: &[u8], options: &WarcOptions) -> Option<HttpMessage> {
    let mut problems = Problems::new(options.problems_max);
    let end = head_end(&block[..block.len().min(options.head_bytes_max)]);
    if end.is_none() {
        problems.push("damaged record", "the HTTP head has no end: there is no body");
    }
    let (head, body) = block.split_at(end.unwrap_or(block.len()));
    let status = http_status(head)?;
    let headers = Headers::read(&head[..head.len().min(options.head_bytes_max)]);
    let is_chunked = list(&headers, "Transfer-Encoding")
        .iter()
        .any(|coding| coding == "chunked");
    let body = if is_chunked {
        undo_chunks(body, &mut problems)
    } else {
        body.to_vec()
    };
    let codings = list(&headers, "Content-Encoding");
    let body = undo_codings(body, &codings, options.body_bytes_max, &mut problems);
    let header = |name| headers.get(name).map(str::to_owned);
    Some(HttpMessage {
        status,
        content_type: header("Content-Type"),
        location: header("Location"),
        body,
        problems: problems.into_vec(),
    })
}

/// The method and the body of the HTTP request that is a record's block. Some writers leave out the
/// end of its head.
pub(super) fn read_http_request(block: &[u8]) -> Option<(&str, &[u8])> {
    let (head, body) = block.split_at(head_end(block).unwrap_or(block.len()));
    let (method, _) = std::str::from_utf8(&head[..head.len().min(16)]).ok()?.split_once(' ')?;
    method
        .bytes()
        .all(|byte| byte.is_ascii_uppercase())
        .then_some((method, body))
}

/// The status in the first line of an HTTP response.
pub(super) fn http_status(head: &[u8]) -> Option<u16> {
    let line = head.split(|byte| *byte == b'\n').next()?;
    let line = String::from_utf8_lossy(&line[..line.len().min(64)]);
    let mut words = line.split_ascii_whitespace();
    words.next().filter(|version| version.starts_with("HTTP/"))?;
    words.next()?.parse().ok()
}

/// The items of a header that is a list, in lower case.
fn list(headers: &Headers, name: &str) -> Vec<String> {
    let items = headers.all(name).flat_map(|value| value.split(','));
    items
        .map(|item| item.trim().to_ascii_lowercase())
        .filter(|item| !item.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check_response(block: &[u8], expected: Expect) {
        let options = WarcOptions {
            head_bytes_max: 100,
            body_bytes_max: 20,
            ..WarcOptions::default()
        };
        let told = read_http_response(block, &options).map_or("no HTTP".to_owned(), |message| {
            let problems: Vec<String> = message.problems.iter().map(|problem| format!("; {problem}")).collect();
            let body = String::from_utf8_lossy(&message.body);
            format!(
                "{} {:?} {:?} {body:?}{}",
                message.status,
                message.content_type,
                message.location,
                problems.concat()
            )
        });
        expected.assert_eq(&told);
    }

    #[test]
    fn responses() {
        check_response(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>",
            expect![[r#"200 Some("text/html") None "<p>""#]],
        );
        check_response(
            b"HTTP/2 301\r\nLOCATION: /b\n\n",
            expect![[r#"301 None Some("/b") """#]],
        );
        check_response(
            b"HTTP/1.1 200 \xff\xfe\r\ntransfer-encoding: Chunked\r\n\r\n3\r\n<p>\r\n0\r\n\r\n",
            expect![[r#"200 None None "<p>""#]],
        );
    }

    #[test]
    fn damaged_responses() {
        check_response(b"<p>Hello", expect!["no HTTP"]);
        check_response(b"HTTP/1.1 abc\r\n\r\n", expect!["no HTTP"]);
        check_response(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html",
            expect![[r#"200 Some("text/html") None ""; damaged record: the HTTP head has no end: there is no body"#]],
        );
        check_response(b"", expect!["no HTTP"]);
    }

    #[test]
    fn requests() {
        let request = read_http_request(b"POST /a HTTP/1.1\r\nHost: x\r\n\r\na=1");
        assert_eq!(request, Some(("POST", &b"a=1"[..])));
        assert_eq!(read_http_request(b"GET / HTTP/1.1\r\nHost: x"), Some(("GET", &b""[..])));
        assert_eq!(read_http_request(b"GET"), None);
    }
}
