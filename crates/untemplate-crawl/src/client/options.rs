//! Options: how a client asks, how long it waits and how much it takes.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use untemplate_store::BodyLimits;
use url::Url;

/// How pages are asked for.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// What the program calls itself.
    pub user_agent: String,
    /// Headers sent along with every request. They replace what would be sent otherwise.
    pub headers: Vec<(String, String)>,
    /// The only origin that gets those of `headers` that carry secrets: `Authorization` and
    /// `Cookie`.
    pub home: Option<Url>,
    /// How long to wait for what.
    pub deadlines: Deadlines,
    /// Limits on bodies.
    pub body: BodyLimits,
    /// Headers of one answer; one with more is refused.
    pub headers_max: usize,
    /// Bytes of all headers of one answer; one with more is refused. Above 400 KiB, HTTP/1 refuses
    /// by itself.
    pub header_bytes_max: usize,
    /// Only addresses of the public internet are dialled. Proxies are then not used, since they
    /// dial for us.
    pub public_only: bool,
    /// The address whose origin is all that is asked, whatever a page, a redirect or a script says:
    /// for sites inside a private network.
    pub only_origin: Option<Url>,
    /// Proxies that the environment names (`HTTP_PROXY` and so on) are used.
    pub use_proxies: bool,
    /// Cookies are kept and sent.
    pub use_cookies: bool,
    /// Cookies to begin with, as [`super::Client::cookies`] gave them.
    pub saved_cookies: String,
    /// Certificate authorities besides those of the system, in DER.
    pub extra_roots: Vec<Vec<u8>>,
    /// Who tells the addresses of names, instead of the system.
    pub resolver: Option<Resolver>,
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            user_agent: concat!("untemplate/", env!("CARGO_PKG_VERSION")).to_owned(),
            headers: Vec::new(),
            home: None,
            deadlines: Deadlines::default(),
            body: BodyLimits::default(),
            headers_max: 256,
            header_bytes_max: 256 << 10,
            public_only: false,
            only_origin: None,
            use_proxies: true,
            use_cookies: true,
            saved_cookies: String::new(),
            extra_roots: Vec::new(),
            resolver: None,
        }
    }
}

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// Time for a connection, from looking up the name to the end of the TLS handshake.
    pub connect: Duration,
    /// Time until the head of the answer is there, connecting included.
    pub first_byte: Duration,
    /// Time for the whole answer.
    pub total: Duration,
    /// Bytes a second that a body must bring over any `rate_window`.
    pub rate_min: u64,
    /// The time over which `rate_min` is measured.
    pub rate_window: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(30),
            total: Duration::from_secs(180),
            rate_min: 256,
            rate_window: Duration::from_secs(20),
        }
    }
}

/// What one request adds to the options of its client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExchangeOptions {
    /// The `ETag` of the copy we have: the server need not send it again (status 304).
    pub etag: Option<String>,
    /// The `Last-Modified` of the copy we have, to the same end.
    pub last_modified: Option<String>,
    /// The page whose link is followed. Other origins get to see its origin alone.
    pub referer: Option<Url>,
}

/// Tells the addresses of a name.
pub type Lookup = dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync;

/// A stand-in for the system's resolver. It is called from asynchronous code and must not block.
#[derive(Clone)]
pub struct Resolver(pub Arc<Lookup>);

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Resolver")
    }
}
