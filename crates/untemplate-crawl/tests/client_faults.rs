//! Exchanges with a server that does everything wrong: always an answer or an error, never a hang.

mod fault_server;

use std::time::{Duration, Instant};

use expect_test::{Expect, expect};
use fault_server::FaultServer;
use fault_server::asking::{ask, client, hasty_options, told, told_of};

async fn check(paths: &[&str], expected: Expect) {
    let server = FaultServer::start();
    expected.assert_eq(&told_of(&server, hasty_options(&server), paths).await);
}

#[tokio::test]
async fn pages_in_every_encoding() {
    let paths = [
        "/ok",
        "/packed/gzip",
        "/packed/br",
        "/packed/zstd",
        "/packed/deflate",
        "/packed/raw",
        "/missing",
    ];
    check(
        &paths,
        expect![[r#"
        /ok: 200 "<title>/ok</title><p>Hello from /ok"
        /packed/gzip: 200 "<p>Hello, packed"
        /packed/br: 200 "<p>Hello, packed"
        /packed/zstd: 200 "<p>Hello, packed"
        /packed/deflate: 200 "<p>Hello, packed"
        /packed/raw: 200 "<p>Hello, packed"
        /missing: 404 "<p>No such page"
    "#]],
    )
    .await;
    check(
        &["/nested/1", "/nested/2", "/nested/5", "/nested/6"],
        expect![[r#"
        /nested/1: 200 "<p>Hello, nested"
        /nested/2: 200 "<p>Hello, nested"
        /nested/5: 200 "<p>Hello, nested"
        /nested/6: 200 "82 bytes" in part; bad encoding
    "#]],
    )
    .await;
}

#[tokio::test]
async fn bombs() {
    // Building them is no part of the exchange.
    fault_server::bomb("gzip");
    let begin = Instant::now();
    let paths = [
        "/bomb/gzip",
        "/bomb/br",
        "/bomb/zstd",
        "/bomb/deflate",
        "/bomb/2",
        "/bomb/5",
        "/bomb/6",
    ];
    check(
        &paths,
        expect![[r#"
        /bomb/gzip: 200 "4210688 bytes" in part; bomb
        /bomb/br: 200 "4210688 bytes" in part; bomb
        /bomb/zstd: 200 "4210688 bytes" in part; bomb
        /bomb/deflate: 200 "4210688 bytes" in part; bomb
        /bomb/2: 200 "4210688 bytes" in part; bomb
        /bomb/5: 200 "4210688 bytes" in part; bomb
        /bomb/6: 200 "321 bytes" in part; bad encoding
    "#]],
    )
    .await;
    assert!(begin.elapsed() < Duration::from_secs(15), "{:?}", begin.elapsed());
}

#[tokio::test]
async fn lengths_that_are_not_true() {
    check(
        &["/lie/less", "/lie/more", "/lie/none", "/lie/moved"],
        expect![[r#"
        /lie/less: 200 "<p>Hello"
        /lie/more: 200 "<p>Hello" in part; cut short
        /lie/none: Broken
        /lie/moved: 302 "" in part; cut short
    "#]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_does_not_answer_the_next_request() {
    let server = FaultServer::start();
    let client = client(hasty_options(&server));
    for _ in 0..20 {
        let poison = ask(&client, &server.url("/lie/poison")).await.expect("an answer");
        assert_eq!(poison.body, b"<p>Hello");
        let next = ask(&client, &server.url("/ok")).await.expect("an answer");
        assert_eq!(next.body, b"<title>/ok</title><p>Hello from /ok");
    }
}

#[tokio::test]
async fn chunks() {
    check(
        &[
            "/chunks/ok",
            "/chunks/unended",
            "/chunks/bad",
            "/chunks/huge",
            "/chunks/cut",
        ],
        expect![[r#"
            /chunks/ok: 200 "<p>Hello world"
            /chunks/unended: 200 "<p>Hello world" in part; cut short
            /chunks/bad: 200 "<p>Hello" in part; cut short
            /chunks/huge: 200 "<p>Hello" in part; cut short
            /chunks/cut: 200 "<p>Hello wor" in part; cut short
        "#]],
    )
    .await;
}

#[tokio::test]
async fn redirects_are_answers() {
    let server = FaultServer::start();
    let client = client(hasty_options(&server));
    let paths = [
        "/loop/a",
        "/loop/self",
        "/chain/3",
        "/chain/0",
        "/away?file:///secret",
        "/away?%FF%00",
        "/away?",
    ];
    let mut lines = String::new();
    for path in paths {
        let outcome = ask(&client, &server.url(path)).await;
        let location = outcome
            .as_ref()
            .ok()
            .and_then(|answer| answer.header("location"))
            .unwrap_or("nowhere");
        lines += &format!("{path}: {} to {location:?}\n", told(&outcome));
    }
    expect![[r#"
        /loop/a: 302 "" to "/loop/b"
        /loop/self: 302 "" to "/loop/self"
        /chain/3: 302 "" to "/chain/2"
        /chain/0: 200 "<title>/chain/0</title><p>Hello from /chain/0" to "nowhere"
        /away?file:///secret: 302 "" to "file:///secret"
        /away?%FF%00: Broken to "nowhere"
        /away?: 302 "" to ""
    "#]]
    .assert_eq(&lines);
    assert_eq!(server.log.lines().len(), paths.len(), "nothing is followed");
}

#[tokio::test]
async fn busy_servers() {
    let server = FaultServer::start();
    let client = client(hasty_options(&server));
    for (path, status, retry_after) in [
        ("/busy/429/120", 429, Some("120")),
        (
            "/busy/503/Sun,%2006%20Nov%202094%2008:49:37%20GMT",
            503,
            Some("Sun, 06 Nov 2094 08:49:37 GMT"),
        ),
        ("/busy/429/99999999999999999999", 429, Some("99999999999999999999")),
        ("/busy/429/soon", 429, Some("soon")),
        ("/busy/503/", 503, None),
        ("/storm/2/x", 429, Some("1")),
        ("/storm/2/x", 429, Some("1")),
        ("/storm/2/x", 200, None),
    ] {
        let answer = ask(&client, &server.url(path)).await.expect("an answer");
        assert_eq!(
            (answer.status, answer.header("retry-after")),
            (status, retry_after),
            "{path}"
        );
    }
    assert_eq!(server.log.lines().len(), 8, "nothing is tried again");
}

#[tokio::test]
async fn heads() {
    check(
        &["/headers/many", "/headers/large", "/headers/drip"],
        expect![[r#"
        /headers/many: HeadTooLarge
        /headers/large: HeadTooLarge
        /headers/drip: Timeout
    "#]],
    )
    .await;
    check(
        &["/continue/1", "/continue/200", "/continue/flood"],
        expect![[r#"
        /continue/1: 200 "<title>/continue</title><p>Hello from /continue"
        /continue/200: 200 "<title>/continue</title><p>Hello from /continue"
        /continue/flood: Timeout
    "#]],
    )
    .await;
    check(
        &["/garbage/text", "/garbage/bytes", "/garbage/status"],
        expect![[r#"
        /garbage/text: Broken
        /garbage/bytes: Broken
        /garbage/status: Broken
    "#]],
    )
    .await;
}

#[tokio::test]
async fn headers_within_the_limits_of_http_but_not_of_ours() {
    let server = FaultServer::start();
    let header = |number: usize| format!("X-{number}: {}\r\n", "v".repeat(1000));
    let headers: String = (0..20).map(header).collect();
    server.answer_with(
        "/large",
        format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: 5\r\n\r\nHello"),
    );
    let mut options = hasty_options(&server);
    expect![[r#"
        /large: 200 "Hello"
    "#]]
    .assert_eq(&told_of(&server, options.clone(), &["/large"]).await);
    options.header_bytes_max = 10_000;
    expect![[r#"
        /large: HeadTooLarge
    "#]]
    .assert_eq(&told_of(&server, options.clone(), &["/large"]).await);
    options.headers_max = 15;
    expect![[r#"
        /large: HeadTooLarge
    "#]]
    .assert_eq(&told_of(&server, options, &["/large"]).await);
}

#[tokio::test]
async fn resets() {
    check(
        &["/reset/now", "/reset/head", "/reset/body", "/ok"],
        expect![[r#"
        /reset/now: Broken
        /reset/head: Broken
        /reset/body: 200 "<p>Hello" in part; cut short
        /ok: 200 "<title>/ok</title><p>Hello from /ok"
    "#]],
    )
    .await;
}

#[tokio::test]
async fn charsets_are_left_alone() {
    check(
        &["/charset/wrong", "/charset/unknown", "/charset/utf-16"],
        expect![[r#"
        /charset/wrong: 200 "<p>caf�"
        /charset/unknown: 200 "<p>caf�"
        /charset/utf-16: 200 "��<\0p\0>\0�\0"
    "#]],
    )
    .await;
}

#[tokio::test]
async fn slow_servers() {
    check(
        &["/slow/head", "/slow/none", "/slow/body"],
        expect![[r#"
        /slow/head: Timeout
        /slow/none: Timeout
        /slow/body: 200 "<p>Hello" in part; too slow
    "#]],
    )
    .await;
}

#[tokio::test]
async fn the_whole_answer_has_its_time() {
    let server = FaultServer::start();
    let mut options = hasty_options(&server);
    options.deadlines.rate_min = 1;
    options.deadlines.total = Duration::from_millis(1200);
    let slow = ask(&client(hasty_options(&server)), &server.url("/slow/drip"))
        .await
        .expect("what came");
    assert_eq!(slow.problems[0].kind, "too slow");
    let begin = Instant::now();
    let outcome = ask(&client(options), &server.url("/slow/drip"))
        .await
        .expect("what came");
    assert_eq!(outcome.problems[0].kind, "cut short");
    assert!(!outcome.is_whole && outcome.body.len() > 5);
    assert!(
        (1100..2500).contains(&outcome.total_ms) && begin.elapsed() < Duration::from_secs(3),
        "{outcome:?}"
    );
}

#[tokio::test]
async fn endless_bodies() {
    check(
        &["/endless", "/endless/chunks"],
        expect![[r#"
        /endless: 200 "8388608 bytes" in part; too large
        /endless/chunks: 200 "8388608 bytes" in part; too large
    "#]],
    )
    .await;
}

#[tokio::test]
async fn what_is_told() {
    let server = FaultServer::start();
    let client = client(hasty_options(&server));
    let mut lines = String::new();
    for path in [
        "/lie/more",
        "/lie/none",
        "/headers/many",
        "/garbage/text",
        "/bomb/br",
        "/endless",
    ] {
        let line = match ask(&client, &server.url(path)).await {
            Ok(answer) => answer.problems[0].to_string(),
            Err(error) => error.to_string(),
        };
        lines += &line.replace(&server.url(""), "SERVER");
        lines.push('\n');
    }
    expect![[r#"
        cut short: SERVER/lie/more: after 8 bytes, end of file before message length reached
        SERVER/lie/none: no sound answer: after 0 bytes, end of file before message length reached; try again later
        SERVER/headers/many: the headers of the answer are too many or too large: message head is too large
        SERVER/garbage/text: no sound answer: invalid HTTP version parsed; try again later
        bomb: SERVER/bomb/br: 14 bytes unpacked to more than 4210688
        too large: SERVER/endless: only the first 8388608 bytes were read
    "#]]
    .assert_eq(&lines);
}

#[tokio::test]
async fn nobody_there() {
    let server = FaultServer::start();
    let client = client(hasty_options(&server));
    for (url, kind) in [
        // A port that only the system may open, and that nobody uses.
        ("http://127.0.0.1:1/".to_owned(), "NoConnection"),
        (server.url_at("nobody.test", "/"), "NoAddress"),
        (server.url_at("h1.test", "/"), "NoAddress"),
        ("ftp://127.0.0.1/".to_owned(), "NotHttp"),
        ("data:text/html,x".to_owned(), "NotHttp"),
    ] {
        let error = ask(&client, &url).await.expect_err("no answer");
        assert!(format!("{error:?}").starts_with(kind), "{error:?}");
        assert_eq!(error.may_pass(), kind != "NotHttp");
    }
}
