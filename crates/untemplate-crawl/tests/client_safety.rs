//! `public_only`: nothing but the public internet is dialled, whatever an address or a name says.

mod fault_server;

use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fault_server::FaultServer;
use fault_server::asking::{ask, client, hasty_options};
use untemplate_crawl::{ClientOptions, ExchangeError, Resolver};

fn safe_options(server: &FaultServer) -> ClientOptions {
    ClientOptions {
        public_only: true,
        ..hasty_options(server)
    }
}

/// A resolver that gives the answers in turn, the last one for ever, and counts how often it was
/// asked.
fn answers_in_turn(answers: &[&[&str]]) -> (Resolver, Arc<AtomicUsize>) {
    let parse = |address: &&str| address.parse().expect("an address");
    let answers: Vec<Vec<IpAddr>> = answers
        .iter()
        .map(|answer| answer.iter().map(parse).collect())
        .collect();
    let n_asked = Arc::new(AtomicUsize::new(0));
    let counter = n_asked.clone();
    let resolver = Resolver(Arc::new(move |_: &str| {
        let turn = counter.fetch_add(1, Ordering::SeqCst);
        Ok(answers[turn.min(answers.len() - 1)].clone())
    }));
    (resolver, n_asked)
}

#[tokio::test]
async fn addresses_in_place_of_names() {
    let server = FaultServer::start();
    let client = client(safe_options(&server));
    for host in [
        "127.0.0.1",
        "127.1",
        "0x7f.0.0.1",
        "2130706433",
        "0177.0.0.01",
        "127.0.0.1.",
        "0.0.0.0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
        "[2002:7f00:1::]",
        "10.0.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "[fd00::1]",
        "[fe80::1]",
        "me:secret@127.0.0.1",
    ] {
        let outcome = ask(&client, &server.url_at(host, "/ok")).await;
        assert!(
            matches!(outcome, Err(ExchangeError::NotPublic { .. })),
            "{host} {outcome:?}"
        );
    }
    assert_eq!(server.log.n_connections(), 0);
}

#[tokio::test]
async fn names_of_private_addresses() {
    let server = FaultServer::start();
    for addresses in [
        &["127.0.0.1"][..],
        &["10.0.0.1", "127.0.0.1", "::1"],
        &["::ffff:127.0.0.1"],
        // One of its addresses is enough.
        &["127.0.0.1", "8.8.8.8"],
    ] {
        let (resolver, n_asked) = answers_in_turn(&[addresses]);
        let client = client(ClientOptions {
            resolver: Some(resolver),
            ..safe_options(&server)
        });
        let outcome = ask(&client, &server.url_at("rebind.test", "/ok")).await;
        let Err(ExchangeError::NotPublic { address, .. }) = outcome else {
            panic!("{outcome:?}");
        };
        assert_eq!(
            (address, n_asked.load(Ordering::SeqCst)),
            (addresses[0].parse().expect("an address"), 1)
        );
    }
    assert_eq!(server.log.n_connections(), 0);
}

#[tokio::test]
async fn the_systems_own_names() {
    let server = FaultServer::start();
    let client = client(ClientOptions {
        resolver: None,
        ..safe_options(&server)
    });
    let outcome = ask(&client, &server.url_at("localhost", "/ok")).await;
    // A machine may not know that name, which is as good.
    let is_refused = matches!(
        outcome,
        Err(ExchangeError::NotPublic { .. } | ExchangeError::NoAddress { .. })
    );
    assert!(is_refused && server.log.n_connections() == 0, "{outcome:?}");
}

#[tokio::test]
async fn redirects_to_private_addresses() {
    let server = FaultServer::start();
    let open = client(hasty_options(&server));
    let answer = ask(&open, &server.url("/away?http://127.0.0.1/secret"))
        .await
        .expect("an answer");
    // The next hop is an exchange of its own, and there it ends.
    let next = ask(
        &client(safe_options(&server)),
        answer.header("location").expect("a location"),
    )
    .await;
    assert!(matches!(next, Err(ExchangeError::NotPublic { .. })), "{next:?}");
}

#[tokio::test]
async fn one_origin_asks_no_other_in_either_direction() {
    let (left, right) = (FaultServer::start(), FaultServer::start());
    for (home, other) in [(&left, &right), (&right, &left)] {
        let (before, url) = (other.log.n_connections(), home.url("/ok"));
        let client = client(ClientOptions {
            only_origin: Some(url.parse().expect("an address")),
            ..hasty_options(home)
        });
        assert_eq!(ask(&client, &url).await.expect("its own origin answers").status, 200);
        let elsewhere = [
            other.url("/ok"),
            home.url_at("localhost", "/ok"),
            home.url("/ok").replace("http://", "https://"),
        ];
        for url in elsewhere {
            let outcome = ask(&client, &url).await;
            assert!(
                matches!(outcome, Err(ExchangeError::OtherOrigin { .. })),
                "{url} {outcome:?}"
            );
        }
        assert_eq!(other.log.n_connections(), before, "nothing was sent there");
    }
}

#[tokio::test]
async fn without_the_option_everything_is_dialled() {
    let server = FaultServer::start();
    let (resolver, n_asked) = answers_in_turn(&[&["127.0.0.1"]]);
    let client = client(ClientOptions {
        resolver: Some(resolver),
        ..hasty_options(&server)
    });
    assert_eq!(
        ask(&client, &server.url_at("rebind.test", "/ok"))
            .await
            .expect("an answer")
            .status,
        200
    );
    assert_eq!(n_asked.load(Ordering::SeqCst), 1);
}
