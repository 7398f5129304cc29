//! A server that makes its answers by path, and remembers what it was asked for. Bounded in count
//! and time.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use url::Url;

/// Connections that one server answers at the most.
const CONNECTIONS_MAX: usize = 2_000;

/// An answer.
pub struct Made {
    pub status: u16,
    pub content_type: &'static str,
    pub body: String,
    /// Sent along; whoever has it gets a 304.
    pub etag: Option<&'static str>,
}

/// A page.
pub fn html(body: &str) -> Made {
    Made {
        status: 200,
        content_type: "text/html",
        body: body.to_owned(),
        etag: None,
    }
}

/// A server, until it is dropped.
pub struct MadeServer {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl MadeServer {
    /// Answers with what `make` makes of its own address and a path.
    pub fn start(make: fn(&str, &str) -> Made) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, asked) = (Arc::new(AtomicBool::new(false)), Arc::default());
        let server = Self {
            address,
            stop: Arc::clone(&stop),
            asked: Arc::clone(&asked),
        };
        thread::spawn(move || {
            let base = format!("http://{address}");
            for stream in listener.incoming().take(CONNECTIONS_MAX).flatten() {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                serve(stream, &asked, |path| make(&base, path));
            }
        });
        server
    }

    pub fn url(&self, path: &str) -> Url {
        format!("http://{}{path}", self.address).parse().expect("an address")
    }

    /// The paths it was asked for, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }
}

impl Drop for MadeServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // It waits for a connection; this one wakes it.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(mut stream: TcpStream, asked: &Mutex<Vec<String>>, make: impl Fn(&str) -> Made) {
    stream
        .set_read_timeout(Some(Duration::from_secs(3)))
        .expect("a timeout");
    let (mut request, mut chunk) = (Vec::new(), [0; 1024]);
    while !request.windows(4).any(|bytes| bytes == b"\r\n\r\n") && request.len() < 8192 {
        match stream.read(&mut chunk) {
            Ok(length) if length > 0 => request.extend_from_slice(&chunk[..length]),
            _ => return,
        }
    }
    let request = String::from_utf8_lossy(&request).into_owned();
    let path = request.split(' ').nth(1).unwrap_or("/");
    asked.lock().expect("no panic").push(path.to_owned());
    let mut made = make(path);
    let has_it = |etag: &&str| request.contains(&format!("if-none-match: {etag}"));
    if made.etag.as_ref().is_some_and(has_it) {
        (made.status, made.body) = (304, String::new());
    }
    let etag = made.etag.map_or(String::new(), |etag| format!("ETag: {etag}\r\n"));
    let head = format!(
        "HTTP/1.1 {} X\r\nContent-Type: {}\r\nContent-Length: {}\r\n{etag}Connection: close\r\n\r\n",
        made.status,
        made.content_type,
        made.body.len()
    );
    // A client that goes away is none of its business.
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(made.body.as_bytes()));
}
