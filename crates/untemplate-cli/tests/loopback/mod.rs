//! A small server on this machine, which answers as it is told.

#![allow(dead_code, reason = "each test program uses a part of this")]

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What a server answers a path with: its head and its body.
pub type Answer = fn(&str) -> (&'static str, &'static str);

/// Answers every request until it is dropped; then the port refuses connections.
pub struct TestServer {
    pub address: SocketAddr,
    pub n_requests: Arc<AtomicUsize>,
    /// What was sent with the last request that had a content.
    pub last_content: Arc<Mutex<String>>,
    is_over: Arc<AtomicUsize>,
    thread: Option<thread::JoinHandle<()>>,
}

impl TestServer {
    pub fn start(address: &str, answer: Answer) -> Self {
        let listener = TcpListener::bind(address).expect("the port is free");
        let address = listener.local_addr().expect("it has an address");
        let (n_requests, is_over) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (count, over) = (Arc::clone(&n_requests), Arc::clone(&is_over));
        let last_content: Arc<Mutex<String>> = Arc::default();
        let sent = Arc::clone(&last_content);
        listener
            .set_nonblocking(true)
            .expect("it can be asked whether anybody is there");
        let thread = thread::spawn(move || {
            while over.load(Ordering::Relaxed) == 0 {
                let Ok((mut stream, _)) = listener.accept() else {
                    thread::sleep(Duration::from_millis(5));
                    continue;
                };
                let _ = stream.set_nonblocking(false);
                let text = request(&mut stream);
                let path = text.split(' ').nth(1).unwrap_or("/").to_owned();
                if let Some((_, content)) = text.split_once("\r\n\r\n").filter(|(_, content)| !content.is_empty()) {
                    *sent.lock().expect("nobody panicked") = content.to_owned();
                }
                count.fetch_add(1, Ordering::Relaxed);
                let (status, body) = answer(&path);
                let has_kind = status.to_ascii_lowercase().contains("content-type:");
                let kind = if has_kind { "" } else { "Content-Type: text/html\r\n" };
                let answer = format!(
                    "HTTP/1.1 {status}\r\n{kind}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                    body.len()
                );
                let _ = stream.write_all(answer.as_bytes());
            }
        });
        Self {
            address,
            n_requests,
            last_content,
            is_over,
            thread: Some(thread),
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.is_over.store(1, Ordering::Relaxed);
        let _ = self.thread.take().map(thread::JoinHandle::join);
    }
}

/// A request as it was sent: its head, and its content where the head says how long it is.
fn request(stream: &mut TcpStream) -> String {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let is_whole = text.split_once("\r\n\r\n").is_some_and(|(head, content)| {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length:")?
                    .trim()
                    .parse()
                    .ok()
            });
            content.len() >= length.unwrap_or(0)
        });
        let n_bytes = if is_whole {
            0
        } else {
            stream.read(&mut part).unwrap_or(0)
        };
        if n_bytes == 0 {
            return text;
        }
        bytes.extend_from_slice(&part[..n_bytes]);
    }
}
