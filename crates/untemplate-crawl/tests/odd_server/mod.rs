//! A server with an answer of its own for each path, some of them odd.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Connections that one server answers at the most.
const CONNECTIONS_MAX: usize = 64;

/// A server that answers by path until it is dropped.
pub struct Server {
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
}

impl Server {
    pub fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = stop.clone();
        thread::spawn(move || {
            for stream in listener.incoming().take(CONNECTIONS_MAX) {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                stream
                    .into_iter()
                    .for_each(|stream| drop(thread::spawn(move || serve(stream))));
            }
        });
        Self { address, stop }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // The server waits for a connection; this one wakes it.
        drop(TcpStream::connect(self.address));
    }
}

/// Reads one request and answers it; a client that goes away is none of its business.
fn serve(mut stream: TcpStream) {
    let limit = Some(Duration::from_secs(3));
    stream.set_read_timeout(limit).expect("a timeout");
    stream.set_write_timeout(limit).expect("a timeout");
    let mut request = Vec::new();
    let mut chunk = [0; 1024];
    while !request.windows(4).any(|bytes| bytes == b"\r\n\r\n") && request.len() < 8192 {
        match stream.read(&mut chunk) {
            Ok(length) if length > 0 => request.extend_from_slice(&chunk[..length]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    drop(respond(&mut stream, &request));
}

fn respond(stream: &mut TcpStream, request: &str) -> std::io::Result<()> {
    let path = request.split(' ').nth(1).unwrap_or("/");
    let moved = |to: &str| format!("HTTP/1.1 302 Found\r\nLocation: {to}\r\nConnection: close\r\n\r\n");
    let page = |status: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    };
    let open = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n";
    match path {
        "/robots.txt" => stream.write_all(page("200 OK", "User-agent: *\nDisallow: /secret/").as_bytes()),
        "/gzip" => stream.write_all(&gzip_page()),
        "/bomb" => stream.write_all(&gzip_bomb()),
        "/short" => stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"),
        "/nothing" => stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"),
        "/silent" => {
            thread::sleep(Duration::from_secs(2));
            Ok(())
        }
        "/garbage" => stream.write_all(b"no HTTP at all\r\n\r\n"),
        "/endless" => {
            stream.write_all(open)?;
            (0..100_000).try_for_each(|_| stream.write_all(&[b'x'; 1000]))
        }
        "/drip" => {
            stream.write_all(open)?;
            (0..60).try_for_each(|_| {
                thread::sleep(Duration::from_millis(50));
                stream.write_all(b"x")
            })
        }
        "/agent" => {
            let agent = request
                .lines()
                .find(|line| line.to_ascii_lowercase().starts_with("user-agent"));
            stream.write_all(page("200 OK", agent.unwrap_or_default()).as_bytes())
        }
        "/form" => stream.write_all(page("200 OK", request.split(' ').next().unwrap_or_default()).as_bytes()),
        "/a" => stream.write_all(moved("/b").as_bytes()),
        "/b" => stream.write_all(moved("c?x=1#y").as_bytes()),
        "/loop" => stream.write_all(moved("/pool").as_bytes()),
        "/pool" => stream.write_all(moved("/loop").as_bytes()),
        "/file" => stream.write_all(moved("file:///etc/hostname").as_bytes()),
        "/" | "/c?x=1" => stream.write_all(page("200 OK", "<p>Hello").as_bytes()),
        _ => match path
            .strip_prefix("/chain/")
            .and_then(|number| number.parse::<u32>().ok())
        {
            Some(number) => stream.write_all(moved(&format!("/chain/{}", number + 1)).as_bytes()),
            None => stream.write_all(page("404 Not Found", "<p>Nothing here").as_bytes()),
        },
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("gzip");
    let body = encoder.finish().expect("gzip");
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), &body].concat()
}

fn gzip_page() -> Vec<u8> {
    gzip(b"<p>Hello, packed")
}

fn gzip_bomb() -> Vec<u8> {
    gzip(&vec![b'x'; 10 << 20])
}
