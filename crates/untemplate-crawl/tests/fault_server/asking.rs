//! Asking a fault server, and telling what came in a line that is the same in every run.

use std::time::Duration;

use untemplate::page::Request;
use untemplate_crawl::{Answer, BodyLimits, Client, ClientOptions, Deadlines, ExchangeError, ExchangeOptions};

use super::FaultServer;

/// No exchange of a test may take longer.
const PATIENCE: Duration = Duration::from_secs(15);

/// Options with short deadlines, which trust the server.
pub fn hasty_options(server: &FaultServer) -> ClientOptions {
    ClientOptions {
        deadlines: Deadlines {
            connect: Duration::from_secs(2),
            first_byte: Duration::from_secs(2),
            total: Duration::from_secs(6),
            rate_min: 1000,
            rate_window: Duration::from_secs(1),
        },
        body: BodyLimits {
            bytes_max: 8 << 20,
            ..BodyLimits::default()
        },
        use_proxies: false,
        extra_roots: Some(server.root.clone())
            .into_iter()
            .filter(|root| !root.is_empty())
            .collect(),
        resolver: Some(server.names()),
        ..ClientOptions::default()
    }
}

/// A client with these options.
pub fn client(options: ClientOptions) -> Client {
    Client::new(options).expect("a client")
}

/// Asks for an address with nothing added.
pub async fn ask(client: &Client, url: &str) -> Result<Answer, ExchangeError> {
    ask_with(client, url, &ExchangeOptions::default()).await
}

/// Asks for an address.
pub async fn ask_with(client: &Client, url: &str, extra: &ExchangeOptions) -> Result<Answer, ExchangeError> {
    let request = Request::get(url.parse().expect("an address"));
    let exchanged = tokio::time::timeout(PATIENCE, client.exchange(&request, extra));
    exchanged.await.expect("an exchange ends")
}

/// What came, in a line: errors by their kind, problems by their kind, since what they say beyond
/// may vary.
pub fn told(outcome: &Result<Answer, ExchangeError>) -> String {
    let answer = match outcome {
        Ok(answer) => answer,
        Err(error) => {
            let debugged = format!("{error:?}");
            return debugged.split(' ').next().unwrap_or_default().to_owned();
        }
    };
    let body = match answer.body.len() {
        0..=60 => String::from_utf8_lossy(&answer.body).into_owned(),
        length => format!("{length} bytes"),
    };
    let problems: String = answer
        .problems
        .iter()
        .map(|problem| format!("; {}", problem.kind))
        .collect();
    let whole = if answer.is_whole { "" } else { " in part" };
    format!("{} {body:?}{whole}{problems}", answer.status)
}

/// What comes for each path, a line each.
pub async fn told_of(server: &FaultServer, options: ClientOptions, paths: &[&str]) -> String {
    let client = client(options);
    let mut lines = String::new();
    for path in paths {
        lines += &format!("{path}: {}\n", told(&ask(&client, &server.url(path)).await));
    }
    lines
}
