//! Encryption: servers must prove who they are, and HTTP/2 is spoken where they offer it.

mod fault_server;

use expect_test::expect;
use fault_server::asking::{ask, client, hasty_options, told, told_of};
use fault_server::{FaultServer, ServerOptions, Tls};

fn start(tls: Tls) -> FaultServer {
    FaultServer::start_with(ServerOptions {
        tls: Some(tls),
        ..ServerOptions::default()
    })
}

#[tokio::test]
async fn good_servers() {
    let server = start(Tls::Good);
    // Building it is no part of the exchange.
    fault_server::bomb("zstd");
    let paths = ["/ok", "/packed/br", "/lie/more", "/reset/body", "/bomb/zstd"];
    expect![[r#"
        /ok: 200 "<title>/ok</title><p>Hello from /ok"
        /packed/br: 200 "<p>Hello, packed"
        /lie/more: 200 "<p>Hello" in part; cut short
        /reset/body: 200 "<p>Hello" in part; cut short
        /bomb/zstd: 200 "4210688 bytes" in part; bomb
    "#]]
    .assert_eq(&told_of(&server, hasty_options(&server), &paths).await);
}

#[tokio::test]
async fn names_are_verified() {
    let server = start(Tls::Good);
    let client = client(hasty_options(&server));
    let answer = ask(&client, &server.url_at("h0.test", "/ok")).await.expect("an answer");
    assert_eq!((answer.status, answer.version), (200, "HTTP/1.1"));
}

#[tokio::test]
async fn broken_servers() {
    for (tls, kind) in [
        (Tls::Expired, "Certificate"),
        (Tls::WrongName, "Certificate"),
        (Tls::SelfSigned, "Certificate"),
        (Tls::Plain, "NoConnection"),
        (Tls::Cut, "NoConnection"),
        (Tls::Silent, "Timeout"),
    ] {
        let server = start(tls);
        let outcome = ask(&client(hasty_options(&server)), &server.url("/ok")).await;
        assert_eq!(told(&outcome), kind, "{tls:?} {outcome:?}");
        assert!(server.log.lines().is_empty(), "nothing was asked");
    }
}

#[tokio::test]
async fn an_unknown_authority_is_not_trusted() {
    let server = start(Tls::Good);
    let mut options = hasty_options(&server);
    options.extra_roots.clear();
    let error = ask(&client(options), &server.url("/ok")).await.expect_err("no trust");
    let kind = format!("{error:?}");
    // A machine without any certificates says so instead.
    assert!(
        kind.starts_with("Certificate") || kind.starts_with("NoCertificates"),
        "{kind}"
    );
    assert!(server.log.lines().is_empty(), "nothing was asked");
}

#[tokio::test]
async fn http2() {
    let server = start(Tls::Http2);
    let paths = ["/ok", "/headers/many", "/endless", "/reset", "/ok"];
    expect![[r#"
        /ok: 200 "<p>Hello over HTTP/2"
        /headers/many: Broken
        /endless: 200 "8388608 bytes" in part; too large
        /reset: 200 "<p>Begin" in part; cut short
        /ok: 200 "<p>Hello over HTTP/2"
    "#]]
    .assert_eq(&told_of(&server, hasty_options(&server), &paths).await);
    let client = client(hasty_options(&server));
    for _ in 0..5 {
        assert_eq!(
            ask(&client, &server.url("/ok")).await.expect("an answer").version,
            "HTTP/2"
        );
    }
    let lines = server.log.lines();
    let last = lines[lines.len() - 1].connection;
    assert_eq!(
        lines.iter().filter(|line| line.connection == last).count(),
        5,
        "one connection serves all"
    );
}
