//! What is remembered from one exchange to the next, and what is said in each: cookies,
//! credentials, connections.

mod fault_server;

use std::collections::BTreeSet;
use std::time::Duration;

use fault_server::asking::{ask, ask_with, client, hasty_options};
use fault_server::{FaultServer, ServerOptions, host_address};
use untemplate::page::{Method, Request};
use untemplate_crawl::{Client, ClientOptions, ExchangeOptions};

/// What the server saw of a header in its last request.
fn last_header(server: &FaultServer, name: &str) -> Option<String> {
    let line = server.log.lines().pop().expect("a request");
    let headers = line.head.lines().filter_map(|line| line.split_once(": "));
    let mut values = headers.filter(|(key, _)| key.eq_ignore_ascii_case(name));
    let value = values.next().map(|(_, value)| value.to_owned());
    assert!(values.next().is_none(), "{name} came twice");
    value
}

fn many_hosts(hosts: usize) -> FaultServer {
    FaultServer::start_with(ServerOptions {
        hosts,
        ..ServerOptions::default()
    })
}

#[tokio::test]
async fn cookies_survive_a_restart() {
    let server = many_hosts(2);
    let options = hasty_options(&server);
    let first = client(options.clone());
    ask(
        &first,
        &server.url_at("h0.test", "/cookie?session=1;%20Max-Age=600;%20Path=/"),
    )
    .await
    .expect("an answer");
    ask(
        &first,
        &server.url_at("h0.test", "/cookie?evil=1;%20Domain=test;%20Path=/"),
    )
    .await
    .expect("an answer");
    ask(&first, &server.url_at("h0.test", "/ok")).await.expect("an answer");
    assert_eq!(last_header(&server, "cookie").as_deref(), Some("session=1"));
    ask(&first.clone(), &server.url_at("h1.test", "/ok"))
        .await
        .expect("an answer");
    assert_eq!(last_header(&server, "cookie"), None);
    let second = client(ClientOptions {
        saved_cookies: first.cookies(),
        ..options.clone()
    });
    drop(first);
    ask(&second, &server.url_at("h0.test", "/ok")).await.expect("an answer");
    assert_eq!(last_header(&server, "cookie").as_deref(), Some("session=1"));
    let third = client(ClientOptions {
        saved_cookies: second.cookies(),
        use_cookies: false,
        ..options
    });
    ask(&third, &server.url_at("h0.test", "/ok")).await.expect("an answer");
    assert_eq!(last_header(&server, "cookie"), None);
}

#[tokio::test]
async fn credentials_go_to_their_own_origin() {
    let server = many_hosts(2);
    let client = client(ClientOptions {
        headers: vec![("Authorization".to_owned(), "Bearer home".to_owned())],
        home: Some(server.url_at("h0.test", "/").parse().expect("an address")),
        ..hasty_options(&server)
    });
    let with_credentials = server.url_at("me%40x:p:w@h1.test", "/ok");
    let answer = ask(&client, &with_credentials).await.expect("an answer");
    assert_eq!(answer.url.as_str(), server.url_at("me%40x:p%3Aw@h1.test", "/ok"));
    // me@x:p:w
    assert_eq!(
        last_header(&server, "authorization").as_deref(),
        Some("Basic bWVAeDpwOnc=")
    );
    ask(&client, &server.url_at("h1.test", "/ok")).await.expect("an answer");
    assert_eq!(last_header(&server, "authorization"), None);
    ask(&client, &server.url_at("h0.test", "/ok")).await.expect("an answer");
    assert_eq!(last_header(&server, "authorization").as_deref(), Some("Bearer home"));
    ask(&client, &server.url_at("me:pw@h0.test", "/ok"))
        .await
        .expect("an answer");
    assert_eq!(last_header(&server, "authorization").as_deref(), Some("Basic bWU6cHc="));
    let error = ask(&client, &server.url_at("me:secret@h9.test", "/ok"))
        .await
        .expect_err("no such host");
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[tokio::test]
async fn validators_and_referer() {
    let server = FaultServer::start();
    let client = client(hasty_options(&server));
    let url = server.url("/validated");
    let first = ask(&client, &url).await.expect("an answer");
    assert_eq!((first.status, &first.body[..]), (200, &b"<p>Hello"[..]));
    for extra in [
        ExchangeOptions {
            etag: first.header("etag").map(str::to_owned),
            ..ExchangeOptions::default()
        },
        ExchangeOptions {
            last_modified: first.header("last-modified").map(str::to_owned),
            referer: Some(server.url("/from#here").parse().expect("an address")),
            ..ExchangeOptions::default()
        },
    ] {
        let again = ask_with(&client, &url, &extra).await.expect("an answer");
        assert_eq!((again.status, again.body.len(), again.is_whole), (304, 0, true));
    }
    assert_eq!(last_header(&server, "referer"), Some(server.url("/from")));
    assert_eq!(
        last_header(&server, "accept-encoding").as_deref(),
        Some("gzip, br, zstd, deflate")
    );
    assert!(last_header(&server, "user-agent").is_some_and(|agent| agent.starts_with("untemplate/")));
}

#[tokio::test]
async fn forms_are_sent() {
    let server = FaultServer::start();
    let request = Request {
        method: Method::Post,
        body: b"a=1&b=2".to_vec(),
        ..Request::get(server.url("/echo").parse().expect("an address"))
    };
    let answer = client(hasty_options(&server))
        .exchange(&request, &ExchangeOptions::default())
        .await;
    let echoed = String::from_utf8(answer.expect("an answer").body).expect("text");
    assert!(echoed.starts_with("POST /echo HTTP/1.1\r\n"), "{echoed}");
    assert!(
        echoed.contains("content-type: application/x-www-form-urlencoded\r\n"),
        "{echoed}"
    );
    assert!(echoed.contains("content-length: 7\r\n"), "{echoed}");
}

#[tokio::test]
async fn connections_are_used_again() {
    let server = FaultServer::start();
    let client = client(hasty_options(&server));
    for path in [
        "/ok",
        "/packed/gzip",
        "/chunks/ok",
        "/missing",
        "/chain/1",
        "/busy/429/1",
    ] {
        ask(&client, &server.url(path)).await.expect("an answer");
        // The connection is free again a moment after the answer; the politeness delay is far
        // longer.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let connections: BTreeSet<usize> = server.log.lines().iter().map(|line| line.connection).collect();
    assert_eq!((connections.len(), server.log.n_connections()), (1, 1));
}

#[tokio::test]
async fn an_answer_tells_its_figures() {
    let server = FaultServer::start();
    let answer = ask(&client(hasty_options(&server)), &server.url("/packed/gzip"))
        .await
        .expect("an answer");
    assert_eq!(answer.address, Some(server.address));
    assert_eq!(
        answer.header("content-length"),
        Some(answer.wire_bytes.to_string().as_str())
    );
    assert_eq!(answer.version, "HTTP/1.1");
    assert!(answer.first_byte_ms <= answer.total_ms && answer.total_ms < 1000);
}

#[tokio::test]
async fn hundreds_of_hosts() {
    let server = many_hosts(300);
    let client = client(hasty_options(&server));
    let mut asked = tokio::task::JoinSet::new();
    for host in 0..300 {
        let (client, url) = (client.clone(), server.url_at(&format!("h{host}.test"), "/ok"));
        asked.spawn(async move { check_host(&client, host, &url).await });
        if asked.len() >= 32 {
            asked.join_next().await.expect("a task").expect("no panic");
        }
    }
    asked.join_all().await;
    let lines = server.log.lines();
    assert_eq!(lines.len(), 300);
    assert!(
        lines
            .iter()
            .any(|line| line.host == server.url_at("h299.test", "")["http://".len()..])
    );
    assert_eq!(server.log.open_connections_max().values().max(), Some(&1));
}

async fn check_host(client: &Client, host: usize, url: &str) {
    let answer = ask(client, url).await.expect("an answer");
    let address = answer.address.expect("an address").ip();
    assert_eq!((answer.status, address), (200, host_address(host).into()));
}
