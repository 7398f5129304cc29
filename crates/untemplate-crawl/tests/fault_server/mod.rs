//! The fault server: every way a web server can go wrong, on this machine, bounded in count and
//! time.
//!
//! Each server has a thread of its own, so that any test can use it, asynchronous or not, and ends
//! when it is dropped. What it does depends on the path ([`faults`] has the list, and answers given
//! by [`FaultServer::answer_with`] come first); what was asked, when and by whom is in its [`Log`],
//! from which politeness can be judged.

// Every test binary uses a part of this.
#![allow(dead_code, unused_imports)]

pub mod asking;
mod connection;
mod faults;
mod http2;
mod log;
mod packing;
mod tls;

use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::time::timeout;
use untemplate_crawl::Resolver;

pub use log::{Log, LogLine};
pub use packing::bomb;
pub use tls::Tls;

/// How a server is set up.
#[derive(Debug, Clone, Copy)]
pub struct ServerOptions {
    /// Addresses it listens at, all on one port: see [`host_address`].
    pub hosts: usize,
    /// How it encrypts, if it does.
    pub tls: Option<Tls>,
    /// Connections it serves before it goes silent.
    pub connections_max: usize,
    /// How long it lives at the most.
    pub life: Duration,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self {
            hosts: 1,
            tls: None,
            connections_max: 4096,
            life: Duration::from_secs(120),
        }
    }
}

/// A server that misbehaves by path until it is dropped.
pub struct FaultServer {
    /// The first of its addresses.
    pub address: SocketAddr,
    /// What was asked of it.
    pub log: Log,
    /// The authority that vouches for its certificate, in DER; empty without encryption.
    pub root: Vec<u8>,
    options: ServerOptions,
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// What all connections share.
struct Shared {
    log: Log,
    canned: Mutex<HashMap<String, Vec<u8>>>,
    n_connections: AtomicUsize,
    storms: Mutex<HashMap<String, usize>>,
}

/// The address of the host with this number, from 0: 127.0.0.1, 127.0.0.2 and so on.
pub fn host_address(host: usize) -> Ipv4Addr {
    Ipv4Addr::new(127, 0, (host / 250) as u8, (host % 250 + 1) as u8)
}

impl FaultServer {
    /// A server at one address, without encryption.
    pub fn start() -> Self {
        Self::start_with(ServerOptions::default())
    }

    /// A server as the options say.
    pub fn start_with(options: ServerOptions) -> Self {
        assert!(options.hosts <= 1000, "hosts are bounded");
        let shared = Arc::new(Shared {
            log: Log::default(),
            canned: Mutex::default(),
            n_connections: AtomicUsize::new(0),
            storms: Mutex::default(),
        });
        let identity = options.tls.map(tls::Identity::new);
        let root = identity
            .as_ref()
            .map(|identity| identity.root.clone())
            .unwrap_or_default();
        let (stop, stopped) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let (log, served) = (shared.log.clone(), shared.clone());
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime.expect("a runtime");
            runtime.block_on(async move {
                let listeners = listen(options.hosts).await;
                tell.send(listeners[0].local_addr().expect("an address"))
                    .expect("a test that waits");
                for listener in listeners {
                    tokio::spawn(accept(
                        listener,
                        identity.clone(),
                        served.clone(),
                        options.connections_max,
                    ));
                }
                // Ends when the server is dropped, or when its life is over.
                let _ = timeout(options.life, stopped).await;
            });
            runtime.shutdown_background();
        });
        Self {
            address: told.recv().expect("an address"),
            log,
            root,
            options,
            shared,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// The address of a path at the first host.
    pub fn url(&self, path: &str) -> String {
        self.url_at(&self.address.ip().to_string(), path)
    }

    /// The address of a path at a host by its name or address.
    pub fn url_at(&self, host: &str, path: &str) -> String {
        let scheme = if self.options.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{host}:{}{path}", self.address.port())
    }

    /// Answers a path with these very bytes from now on, and closes.
    pub fn answer_with(&self, path: &str, raw: impl Into<Vec<u8>>) {
        let mut canned = self.shared.canned.lock().expect("no panics");
        canned.insert(path.to_owned(), raw.into());
    }

    /// Tells the address of `h0.test`, `h1.test` and so on, one for each host; other names are not
    /// known.
    pub fn names(&self) -> Resolver {
        let hosts = self.options.hosts;
        Resolver(Arc::new(move |name: &str| {
            let number = name.strip_prefix('h').and_then(|name| name.strip_suffix(".test"));
            let host = number.and_then(|number| number.parse::<usize>().ok());
            let host = host.filter(|host| *host < hosts);
            let unknown = || io::Error::new(io::ErrorKind::NotFound, format!("{name} is not known here"));
            host.map(|host| vec![IpAddr::V4(host_address(host))])
                .ok_or_else(unknown)
        }))
    }
}

impl Drop for FaultServer {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Listeners at this many addresses on one port that is free at all of them.
async fn listen(hosts: usize) -> Vec<TcpListener> {
    for _ in 0..20 {
        let first = TcpListener::bind((host_address(0), 0)).await.expect("a free port");
        let port = first.local_addr().expect("an address").port();
        let mut listeners = vec![first];
        for host in 1..hosts {
            match TcpListener::bind((host_address(host), port)).await {
                Ok(listener) => listeners.push(listener),
                Err(_) => break,
            }
        }
        if listeners.len() == hosts.max(1) {
            return listeners;
        }
    }
    panic!("no port is free at {hosts} addresses");
}

async fn accept(listener: TcpListener, identity: Option<tls::Identity>, shared: Arc<Shared>, connections_max: usize) {
    while let Ok((stream, _)) = listener.accept().await {
        if shared.n_connections.fetch_add(1, Ordering::SeqCst) >= connections_max {
            return;
        }
        let (identity, shared) = (identity.clone(), shared.clone());
        tokio::spawn(async move {
            // A client that goes away is none of the server's business.
            let _ = connection::serve(stream, identity, &shared).await;
        });
    }
}
