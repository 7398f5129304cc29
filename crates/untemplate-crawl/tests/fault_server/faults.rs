//! The faults, by path.
//!
//! | path | what happens |
//! | --- | --- |
//! | `/ok`, `/page/NAME` | a page, kept alive |
//! | `/echo` | the request's own head |
//! | `/packed/ENCODING` | a page in `gzip`, `br`, `zstd`, `deflate` or `raw` (deflate without zlib's header) |
//! | `/nested/N` | a page in N encodings on top of each other |
//! | `/bomb/ENCODING`, `/bomb/N` | 64 MiB of zeros in an encoding, or in N of them |
//! | `/lie/less`, `/lie/more`, `/lie/none`, `/lie/moved`, `/lie/poison` | a `Content-Length` that is not true |
//! | `/chunks/ok`, `/chunks/unended`, `/chunks/bad`, `/chunks/huge`, `/chunks/cut` | chunks, sound and not |
//! | `/loop/a`, `/loop/self`, `/chain/N`, `/away?URL` | redirects that never end, that end, that lead away |
//! | `/busy/STATUS/VALUE` | this status with this `Retry-After` |
//! | `/storm/N/NAME` | 429 for the first N requests of this path, then a page |
//! | `/headers/many`, `/headers/large`, `/headers/drip` | 10,000 headers, a megabyte of them, a head that never ends |
//! | `/reset/now`, `/reset/head`, `/reset/body` | the connection is reset |
//! | `/garbage/text`, `/garbage/bytes`, `/garbage/status` | no HTTP at all, or nearly |
//! | `/continue/N`, `/continue/flood` | N times 100 Continue before the page, or for ever |
//! | `/charset/wrong`, `/charset/unknown`, `/charset/utf-16` | charsets that are not true or not known |
//! | `/slow/head`, `/slow/body`, `/slow/drip`, `/slow/none` | silence before the head or after, a byte now and then |
//! | `/endless`, `/endless/chunks` | a body without end |
//! | `/cookie?VALUE` | sets a cookie |
//! | `/validated` | a page with an `ETag`, or 304 |
//! | anything else | 404 |

use std::io;
use std::time::Duration;

use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::sleep;

use super::Shared;
use super::connection::{After, Asked, header};
use super::packing::{bomb, chain, nested_bomb, pack};

/// How long a silent server stays silent, and how long an endless one goes on.
const PATIENCE: Duration = Duration::from_secs(20);

/// What an endless body is limited to all the same.
const ENDLESS_BYTES: usize = 1 << 30;

/// Where an answer is written to.
pub(super) trait Sink: AsyncWrite + Unpin {}

impl<S: AsyncWrite + Unpin> Sink for S {}

/// Answers a request as its path asks for.
pub(super) async fn answer<S: Sink>(stream: &mut S, asked: &Asked, shared: &Shared) -> io::Result<After> {
    let canned = shared.canned.lock().expect("no panics").get(&asked.path).cloned();
    if let Some(raw) = canned {
        return send(stream, &raw, After::Close).await;
    }
    let path = asked.path.as_str();
    let mut parts = path.splitn(3, '/').skip(1);
    let (family, rest) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    match family {
        "ok" | "page" => send(stream, &page(path), After::Keep).await,
        "echo" => {
            send(
                stream,
                &sized("200 OK", "Content-Type: text/plain\r\n", asked.head.as_bytes()),
                After::Keep,
            )
            .await
        }
        "packed" | "nested" | "bomb" => send(stream, &packed(family, rest), After::Keep).await,
        "lie" => lie(stream, rest).await,
        "chunks" => chunks(stream, rest).await,
        "loop" | "chain" => send(stream, &moved(family, rest), After::Keep).await,
        "busy" | "storm" => send(stream, &busy(family, rest, path, shared), After::Keep).await,
        "headers" => headers(stream, rest).await,
        "reset" => reset(stream, rest).await,
        "garbage" => send(stream, garbage(rest), After::Close).await,
        "continue" => continues(stream, rest).await,
        "charset" => send(stream, &charset(rest), After::Keep).await,
        "slow" => slow(stream, rest).await,
        "endless" => endless(stream, rest).await,
        "validated" => send(stream, &validated(asked), After::Keep).await,
        _ => send(stream, &by_query(path), After::Keep).await,
    }
}

async fn send<S: Sink>(stream: &mut S, bytes: &[u8], after: After) -> io::Result<After> {
    stream.write_all(bytes).await?;
    Ok(after)
}

/// A whole answer with its true length.
fn sized(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

const HTML: &str = "Content-Type: text/html\r\n";

fn page(path: &str) -> Vec<u8> {
    sized(
        "200 OK",
        HTML,
        format!("<title>{path}</title><p>Hello from {path}").as_bytes(),
    )
}

fn packed(family: &str, rest: &str) -> Vec<u8> {
    let number = rest.parse().unwrap_or(0_usize).min(8);
    let (body, encodings) = match (family, number) {
        ("packed", _) => (
            pack(rest, b"<p>Hello, packed"),
            vec![if rest == "raw" { "deflate" } else { rest }],
        ),
        ("nested", number) => {
            let body = chain(number)
                .iter()
                .fold(b"<p>Hello, nested".to_vec(), |body, encoding| pack(encoding, &body));
            (body, chain(number))
        }
        (_, 0) => (bomb(rest).to_vec(), vec![rest]),
        (_, number) => nested_bomb(number),
    };
    let headers = format!("{HTML}Content-Encoding: {}\r\n", encodings.join(", "));
    sized("200 OK", &headers, &body)
}

async fn lie<S: Sink>(stream: &mut S, rest: &str) -> io::Result<After> {
    let bytes: &[u8] = match rest {
        "less" => {
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 8\r\n\r\n<p>Hello and more than was said"
        }
        "more" => b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>Hello",
        "moved" => b"HTTP/1.1 302 Found\r\nLocation: /ok\r\nContent-Length: 100\r\n\r\n",
        // What follows looks like the answer to the next request on this connection.
        "poison" => {
            let poison = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n<p>HelloHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison";
            return send(stream, poison, After::Keep).await;
        }
        _ => b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n",
    };
    send(stream, bytes, After::Close).await
}

async fn chunks<S: Sink>(stream: &mut S, rest: &str) -> io::Result<After> {
    let (tail, after) = match rest {
        "ok" => ("6\r\n world\r\n0\r\n\r\n", After::Keep),
        "bad" => ("xyz\r\n world\r\n0\r\n\r\n", After::Close),
        "huge" => ("fffffffffffffffff\r\n world\r\n0\r\n\r\n", After::Close),
        "cut" => ("ff\r\n wor", After::Close),
        _ => ("6\r\n world\r\n", After::Close),
    };
    let head = format!("HTTP/1.1 200 OK\r\n{HTML}Transfer-Encoding: chunked\r\n\r\n8\r\n<p>Hello\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.flush().await?;
    // So that what was sent is read before what is wrong.
    sleep(Duration::from_millis(30)).await;
    send(stream, tail.as_bytes(), after).await
}

fn moved(family: &str, rest: &str) -> Vec<u8> {
    let location = match (family, rest) {
        ("loop", "a") => "/loop/b".to_owned(),
        ("loop", "b") => "/loop/a".to_owned(),
        ("loop", _) => "/loop/self".to_owned(),
        _ => match rest.parse().unwrap_or(0_u32) {
            0 => return page("/chain/0"),
            number => format!("/chain/{}", number - 1),
        },
    };
    sized("302 Found", &format!("Location: {location}\r\n"), b"")
}

fn busy(family: &str, rest: &str, path: &str, shared: &Shared) -> Vec<u8> {
    let (first, value) = rest.split_once('/').unwrap_or((rest, ""));
    if family == "busy" {
        let value = percent_encoding::percent_decode_str(value).decode_utf8_lossy();
        let retry_after = if value.is_empty() {
            String::new()
        } else {
            format!("Retry-After: {value}\r\n")
        };
        return sized(&format!("{first} Busy"), &retry_after, b"busy");
    }
    let mut storms = shared.storms.lock().expect("no panics");
    let n_asked = storms.entry(path.to_owned()).or_default();
    *n_asked += 1;
    if *n_asked > first.parse().unwrap_or(0) {
        return page(path);
    }
    sized("429 Too Many Requests", "Retry-After: 1\r\n", b"busy")
}

async fn headers<S: Sink>(stream: &mut S, rest: &str) -> io::Result<After> {
    stream.write_all(b"HTTP/1.1 200 OK\r\n").await?;
    match rest {
        "many" => {
            let headers: String = (0..10_000).map(|number| format!("X-{number}: v\r\n")).collect();
            stream.write_all(headers.as_bytes()).await?;
        }
        "large" => {
            let header = format!("X-Large: {}\r\n", "v".repeat(1 << 20));
            stream.write_all(header.as_bytes()).await?;
        }
        _ => {
            for number in 0..PATIENCE.as_millis() / 20 {
                stream.write_all(format!("X-{number}: v\r\n").as_bytes()).await?;
                stream.flush().await?;
                sleep(Duration::from_millis(20)).await;
            }
        }
    }
    send(stream, b"Content-Length: 5\r\n\r\nHello", After::Close).await
}

async fn reset<S: Sink>(stream: &mut S, rest: &str) -> io::Result<After> {
    let begin: &[u8] = match rest {
        "body" => b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\n<p>Hello",
        "head" => b"HTTP/1.1 200 OK\r\nContent-Ty",
        _ => b"",
    };
    stream.write_all(begin).await?;
    stream.flush().await?;
    // So that what was sent is read before the reset takes it away.
    sleep(Duration::from_millis(50)).await;
    Ok(After::Reset)
}

fn garbage(rest: &str) -> &'static [u8] {
    match rest {
        "text" => b"<html><p>HTTP/0.9 had neither status nor headers</html>",
        "status" => b"HTTP/1.1 99999 Never\r\nContent-Length: 5\r\n\r\nHello",
        _ => b"\x00\x01\x02\xff\xfe\r\n\r\n\x00\x00",
    }
}

async fn continues<S: Sink>(stream: &mut S, rest: &str) -> io::Result<After> {
    const CONTINUE: &[u8] = b"HTTP/1.1 100 Continue\r\n\r\n";
    if let Ok(number) = rest.parse::<usize>() {
        stream.write_all(&CONTINUE.repeat(number.min(10_000))).await?;
        return send(stream, &page("/continue"), After::Keep).await;
    }
    for _ in 0..PATIENCE.as_millis() {
        stream.write_all(&CONTINUE.repeat(10)).await?;
        stream.flush().await?;
        sleep(Duration::from_millis(1)).await;
    }
    Ok(After::Close)
}

fn charset(rest: &str) -> Vec<u8> {
    let (charset, body): (_, &[u8]) = match rest {
        "wrong" => ("utf-8", b"<p>caf\xe9"),
        "utf-16" => ("utf-16", b"\xff\xfe<\0p\0>\0\xe9\0"),
        _ => ("klingon", b"<p>caf\xe9"),
    };
    sized(
        "200 OK",
        &format!("Content-Type: text/html; charset={charset}\r\n"),
        body,
    )
}

async fn slow<S: Sink>(stream: &mut S, rest: &str) -> io::Result<After> {
    if rest == "head" {
        sleep(PATIENCE).await;
        return Ok(After::Close);
    }
    stream
        .write_all(format!("HTTP/1.1 200 OK\r\n{HTML}Content-Length: 100000\r\n\r\n").as_bytes())
        .await?;
    if rest == "body" {
        stream.write_all(b"<p>Hello").await?;
    }
    stream.flush().await?;
    if rest != "drip" {
        sleep(PATIENCE).await;
        return Ok(After::Close);
    }
    for _ in 0..PATIENCE.as_millis() / 50 {
        stream.write_all(b"x").await?;
        stream.flush().await?;
        sleep(Duration::from_millis(50)).await;
    }
    Ok(After::Close)
}

async fn endless<S: Sink>(stream: &mut S, rest: &str) -> io::Result<After> {
    let (head, part) = match rest {
        "chunks" => (
            "Transfer-Encoding: chunked\r\n",
            [b"4000\r\n".to_vec(), vec![b'x'; 0x4000], b"\r\n".to_vec()].concat(),
        ),
        _ => ("Connection: close\r\n", vec![b'x'; 0x4000]),
    };
    stream
        .write_all(format!("HTTP/1.1 200 OK\r\n{HTML}{head}\r\n").as_bytes())
        .await?;
    for _ in 0..ENDLESS_BYTES / part.len() {
        stream.write_all(&part).await?;
    }
    Ok(After::Close)
}

fn validated(asked: &Asked) -> Vec<u8> {
    const VALIDATORS: &str = "ETag: \"v1\"\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n";
    let has_copy = header(&asked.head, "if-none-match") == Some("\"v1\"")
        || header(&asked.head, "if-modified-since") == Some("Sun, 06 Nov 1994 08:49:37 GMT");
    if has_copy {
        return format!("HTTP/1.1 304 Not Modified\r\n{VALIDATORS}\r\n").into_bytes();
    }
    sized("200 OK", &format!("{HTML}{VALIDATORS}"), b"<p>Hello")
}

fn by_query(path: &str) -> Vec<u8> {
    let (name, query) = path.split_once('?').unwrap_or((path, ""));
    let value = percent_encoding::percent_decode_str(query).decode_utf8_lossy();
    match name {
        "/cookie" => sized("200 OK", &format!("{HTML}Set-Cookie: {value}\r\n"), b"<p>Cookie"),
        "/away" => sized("302 Found", &format!("Location: {value}\r\n"), b""),
        _ => sized("404 Not Found", HTML, b"<p>No such page"),
    }
}
