//! Serves the site over HTTP on this machine, for the demo and for the tests of crawlers.
//!
//! A background thread with a small runtime of its own; nothing but 127.0.0.1 is ever bound.

use crate::site::{DemoResponse, DemoSite};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// The largest request body that is read.
const BODY_BYTES_MAX: usize = 64 * 1024;

/// How long the runtime may take to stop.
const STOP_LIMIT: Duration = Duration::from_millis(200);

/// How to serve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ServerOptions {
    /// The port; 0 takes a free one.
    pub port: u16,
    /// Milliseconds to wait before each answer, as a distant site would.
    pub delay_ms: u64,
}

/// Why the site could not be served.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port is in use, or not allowed.
    #[error("cannot listen on {address}: {source}; try another port, or 0 for a free one")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The background thread could not be started.
    #[error("cannot start the server's thread: {source}; try again when the machine is less busy")]
    Thread {
        /// What the system said.
        source: std::io::Error,
    },
}

/// A running server; it stops when dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    requests: Arc<AtomicU64>,
    pauses: Arc<Mutex<Pauses>>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Service {
    site: DemoSite,
    delay: Duration,
    requests: Arc<AtomicU64>,
    pauses: Arc<Mutex<Pauses>>,
}

/// How politely the site is asked.
#[derive(Debug, Default)]
struct Pauses {
    n_open: usize,
    answered: Option<Instant>,
    shortest: Option<Duration>,
}

/// A request under way; it ends when dropped, also where whoever asked is gone.
struct UnderWay(Arc<Mutex<Pauses>>);

impl UnderWay {
    fn begin(pauses: &Arc<Mutex<Pauses>>) -> Self {
        let mut book = pauses.lock().unwrap_or_else(PoisonError::into_inner);
        let pause = match book.n_open {
            0 => book.answered.map(|answered| answered.elapsed()),
            _ => Some(Duration::ZERO),
        };
        book.shortest = book.shortest.into_iter().chain(pause).min();
        book.n_open += 1;
        Self(Arc::clone(pauses))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut book = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        book.n_open -= 1;
        book.answered = Some(Instant::now());
    }
}

impl Server {
    /// Starts to serve. The site's sitemap names the server's own address.
    pub fn start(mut site: DemoSite, options: ServerOptions) -> Result<Self, ServerError> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let (listener, address) = listen(wanted).map_err(|source| ServerError::Listen {
            address: wanted,
            source,
        })?;
        site.base_url = format!("http://{address}/");
        let requests = Arc::new(AtomicU64::new(0));
        let pauses = Arc::new(Mutex::new(Pauses::default()));
        let delay = Duration::from_millis(options.delay_ms);
        let service = Arc::new(Service {
            site,
            delay,
            requests: Arc::clone(&requests),
            pauses: Arc::clone(&pauses),
        });
        let failed = |source| ServerError::Thread { source };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(failed)?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name("demo-site".to_owned())
            .spawn(move || {
                runtime.block_on(serve(listener, service, stopped));
                runtime.shutdown_timeout(STOP_LIMIT);
            })
            .map_err(failed)?;
        Ok(Self {
            address,
            requests,
            pauses,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Where the site is, such as `http://127.0.0.1:40123/`.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// How many requests were answered, errors included.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::SeqCst)
    }

    /// The shortest pause between an answer and the next request since this was last asked; nothing
    /// at all where two requests were under way at once, `None` before the second.
    pub fn take_shortest_pause(&self) -> Option<Duration> {
        let mut pauses = self.pauses.lock().unwrap_or_else(PoisonError::into_inner);
        pauses.answered = None;
        pauses.shortest.take()
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so itself; there is nothing left to wait for.
            thread.join().ok();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).ok();
        }
        if let Some(thread) = self.thread.take() {
            thread.join().ok();
        }
    }
}

fn listen(address: SocketAddr) -> std::io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(address)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Serves until told to stop; open connections are cut then, since a crawler may keep them open for
/// long.
async fn serve(listener: TcpListener, service: Arc<Service>, stopped: oneshot::Receiver<()>) {
    let listener = tokio::net::TcpListener::from_std(listener).expect("a listener that does not block can be served");
    let router = Router::new().fallback(answer).with_state(service);
    tokio::select! {
        result = axum::serve(listener, router) => result.expect("axum serves until it is stopped"),
        _ = stopped => {}
    }
}

async fn answer(State(service): State<Arc<Service>>, request: Request) -> Response {
    let _under_way = UnderWay::begin(&service.pauses);
    let (head, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, BODY_BYTES_MAX).await else {
        service.requests.fetch_add(1, Ordering::SeqCst);
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    if !service.delay.is_zero() {
        tokio::time::sleep(service.delay).await;
    }
    let path_and_query = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let response = service
        .site
        .answer(head.method.as_str(), path_and_query, &String::from_utf8_lossy(&bytes));
    service.requests.fetch_add(1, Ordering::SeqCst);
    to_http(response)
}

/// For `HEAD` the HTTP layer sends the length of the body, and leaves the body out.
fn to_http(response: DemoResponse) -> Response {
    let status = StatusCode::from_u16(response.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (
        status,
        [(CONTENT_TYPE, response.content_type)],
        Body::from(response.body),
    )
        .into_response()
}
