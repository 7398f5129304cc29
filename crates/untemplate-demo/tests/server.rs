//! The server over a real connection.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerError, ServerOptions, Skin};

fn server(skin: Skin) -> Server {
    let site = DemoSite::new(DatabaseOptions { players: 20, seed: 1 }, skin);
    Server::start(site, ServerOptions { port: 0, delay_ms: 0 }).expect("a free port")
}

fn connect(server: &Server) -> BufReader<TcpStream> {
    let url = server.url();
    let address = url.trim_start_matches("http://").trim_end_matches('/');
    let stream = TcpStream::connect(address).expect("the server listens");
    stream
        .set_read_timeout(Some(Duration::from_secs(10)))
        .expect("a limit can be set");
    BufReader::new(stream)
}

/// Sends a request and reads the answer: its head, and its body where it has one.
fn ask(stream: &mut BufReader<TcpStream>, method: &str, path: &str, body: &str) -> (String, String) {
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream
        .get_mut()
        .write_all(request.as_bytes())
        .expect("the request is sent");
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(
            stream.read_line(&mut head).expect("a line of the head"),
            0,
            "cut short: {head}"
        );
    }
    let head = head.to_ascii_lowercase();
    let length = head
        .split("content-length: ")
        .nth(1)
        .and_then(|rest| rest.split("\r\n").next());
    let length = length.and_then(|length| length.parse().ok()).expect("a length");
    let mut bytes = vec![0; if method == "HEAD" { 0 } else { length }];
    stream.read_exact(&mut bytes).expect("the whole body");
    (head, String::from_utf8(bytes).expect("text"))
}

#[test]
fn one_connection_answers_many_requests() {
    let server = server(Skin::Tables);
    let mut stream = connect(&server);
    let (head, body) = ask(&mut stream, "GET", "/", "");
    assert!(
        head.starts_with("http/1.1 200") && head.contains("content-type: text/html; charset=windows-1252"),
        "{head}"
    );
    assert!(body.contains("The Lantern Cup"));
    let (head, _) = ask(&mut stream, "HEAD", "/teams/", "");
    assert!(
        head.starts_with("http/1.1 200") && !head.contains("content-length: 0"),
        "{head}"
    );
    let (head, body) = ask(&mut stream, "POST", "/find", "name=&position=goalkeeper");
    assert!(
        head.starts_with("http/1.1 200") && body.contains("Players found"),
        "{head}"
    );
    let (head, _) = ask(&mut stream, "GET", "/nowhere.html", "");
    assert!(head.starts_with("http/1.1 404"), "{head}");
    let (_, robots) = ask(&mut stream, "GET", "/robots.txt", "");
    assert!(robots.contains(&format!("Sitemap: {}sitemap.xml", server.url())));
    assert_eq!(server.requests(), 5);
}

#[test]
fn it_stops_when_dropped_even_with_open_connections() {
    let server = server(Skin::Plain);
    let mut stream = connect(&server);
    ask(&mut stream, "GET", "/", "");
    let started = Instant::now();
    drop(server);
    assert!(started.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_taken_port_is_an_error_that_names_it() {
    let first = server(Skin::Plain);
    let port = first
        .url()
        .trim_end_matches('/')
        .rsplit(':')
        .next()
        .and_then(|port| port.parse().ok())
        .expect("a port");
    let site = DemoSite::new(DatabaseOptions { players: 20, seed: 1 }, Skin::Plain);
    let error = Server::start(site, ServerOptions { port, delay_ms: 0 }).expect_err("the port is taken");
    assert!(matches!(error, ServerError::Listen { .. }));
    assert!(error.to_string().contains(&port.to_string()), "{error}");
}
