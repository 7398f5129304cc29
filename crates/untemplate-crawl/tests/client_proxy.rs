//! Proxies from the environment. What is in the environment is read when a process starts, so each
//! case is a process of its own: this test runs itself again.

mod fault_server;

use std::process::Command;

use fault_server::FaultServer;
use fault_server::asking::{ask, client, hasty_options};
use untemplate_crawl::ClientOptions;

/// Tells the process within what to do.
const CASE: &str = "UNTEMPLATE_TEST_PROXY_CASE";

/// Runs a case with the server as proxy; the paths that the proxy was asked for.
fn asked_of_proxy(case: &str) -> Vec<String> {
    let proxy = FaultServer::start();
    let program = std::env::current_exe().expect("this test");
    let mut command = Command::new(program);
    command
        .args(["--exact", "the_process_within", "--nocapture"])
        .env(CASE, case);
    for name in [
        "http_proxy",
        "HTTPS_PROXY",
        "https_proxy",
        "ALL_PROXY",
        "all_proxy",
        "NO_PROXY",
        "no_proxy",
    ] {
        command.env_remove(name);
    }
    // A process in whose environment this stands might be a CGI program, and those must not trust
    // HTTP_PROXY.
    command.env_remove("REQUEST_METHOD").env("HTTP_PROXY", proxy.url("/"));
    let output = command.output().expect("a process");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    proxy.log.lines().into_iter().map(|line| line.path).collect()
}

#[test]
fn proxies_are_used_unless_they_may_not() {
    assert_eq!(asked_of_proxy("default"), ["http://site.test/page"]);
    assert!(asked_of_proxy("off").is_empty());
    assert!(asked_of_proxy("public").is_empty());
}

#[tokio::test]
async fn the_process_within() {
    let Ok(case) = std::env::var(CASE) else {
        return;
    };
    // It stands for a site that nobody knows: only a proxy can answer for it.
    let server = FaultServer::start();
    let options = ClientOptions {
        use_proxies: case != "off",
        public_only: case == "public",
        ..hasty_options(&server)
    };
    let outcome = ask(&client(options), "http://site.test/page").await;
    assert_eq!(outcome.is_ok(), case == "default", "{outcome:?}");
}
