//! Fetching: one request, one answer from the live web.
//!
//! An HTTP error is an answer like any other. Only when no answer comes at all, or not in time, is it an error.
//! Redirects are followed here and not in the HTTP client, by the same rules as in archives.

use std::error::Error;
use std::io::{self, Read};
use std::time::{Duration, Instant};

use reqwest::blocking::{self, Client};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, LOCATION};
use reqwest::redirect::Policy;
use untemplate::page::{Method, Problem, Request, Response};
use untemplate_store::{PageSource, RedirectTrail, SourceError};

/// What is asked for first: pages.
const ACCEPTED: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";

/// How pages are fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchOptions {
    /// Time for a whole answer, redirects and body included.
    pub timeout: Duration,
    /// Time for a connection to be made.
    pub connect_timeout: Duration,
    /// Bytes of a body, with its encodings undone; the rest is not read.
    pub bytes_max: usize,
    /// Redirects that are followed.
    pub redirects_max: usize,
    /// What the program calls itself.
    pub user_agent: String,
    /// Whether proxies that the environment names are used.
    pub proxies: bool,
}

impl Default for FetchOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            connect_timeout: Duration::from_secs(10),
            bytes_max: 32 << 20,
            redirects_max: 20,
            user_agent: concat!("untemplate/", env!("CARGO_PKG_VERSION")).to_owned(),
            proxies: true,
        }
    }
}

/// Why fetching is not possible at all.
#[derive(Debug, thiserror::Error)]
#[error("cannot set up fetching: {reason}; look at the proxy settings in the environment")]
pub struct FetcherError {
    /// What the HTTP client said.
    pub reason: String,
}

/// The live web as a page source, one request at a time.
#[derive(Debug)]
pub struct Fetcher {
    client: Client,
    /// Why no https address can be fetched, if so.
    no_certificates: Option<String>,
    options: FetchOptions,
}

impl Fetcher {
    /// Sets up fetching. It must not be called from asynchronous code.
    pub fn new(options: FetchOptions) -> Result<Self, FetcherError> {
        // Whoever installed a provider before us has chosen; an error here says only that.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = || {
            let builder = Client::builder();
            let builder = if options.proxies { builder } else { builder.no_proxy() };
            builder
                .user_agent(&options.user_agent)
                .connect_timeout(options.connect_timeout)
                .timeout(options.timeout)
                .redirect(Policy::none())
                .default_headers(HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(ACCEPTED))]))
        };
        // A machine without certificates can still fetch what is not encrypted.
        let (built, no_certificates) = match builder().build() {
            Ok(client) => (Ok(client), None),
            Err(error) => (builder().tls_certs_only([]).build(), Some(reasons(&error))),
        };
        let client = built.map_err(|error| FetcherError {
            reason: reasons(&error),
        })?;
        Ok(Self {
            client,
            no_certificates,
            options,
        })
    }

    fn follow(&self, request: &Request) -> Result<Response, SourceError> {
        let now = Instant::now();
        let deadline = now
            .checked_add(self.options.timeout)
            .unwrap_or(now + Duration::from_secs(1 << 30));
        let mut trail = RedirectTrail::begin(request, self.options.redirects_max);
        loop {
            let answer = self.send(trail.current(), deadline)?;
            let location = header(&answer, LOCATION);
            if !trail.follow(answer.status().as_u16(), location.as_deref())? {
                let response = self.read(answer, trail.current(), deadline)?;
                return Ok(Response {
                    redirects: trail.redirects(),
                    ..response
                });
            }
        }
    }

    fn send(&self, request: &Request, deadline: Instant) -> Result<blocking::Response, SourceError> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(self.timeout(request));
        }
        if let Some(reason) = self
            .no_certificates
            .as_ref()
            .filter(|_| request.url.scheme() == "https")
        {
            return Err(SourceError::Transport {
                url: request.url.clone(),
                reason: reason.as_str().into(),
                advice: "install the system's certificates (such as the package ca-certificates)",
            });
        }
        let builder = match request.method {
            Method::Get => self.client.get(request.url.clone()),
            Method::Post => {
                let builder = self.client.post(request.url.clone()).body(request.body.clone());
                builder.header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            }
        };
        let sent = builder.timeout(left).send();
        sent.map_err(|error| {
            if error.is_timeout() {
                self.timeout(request)
            } else {
                failure(request, &error)
            }
        })
    }

    fn read(&self, answer: blocking::Response, request: &Request, deadline: Instant) -> Result<Response, SourceError> {
        let (mut answer, mut body, mut problems) = (answer, Vec::new(), Vec::new());
        let (status, content_type) = (answer.status().as_u16(), header(&answer, CONTENT_TYPE));
        let mut chunk = vec![0; 16 << 10];
        loop {
            let outcome = answer.read(&mut chunk);
            // A body that drips never lets a single read time out.
            if Instant::now() >= deadline || outcome.as_ref().is_err_and(is_timeout) {
                return Err(self.timeout(request));
            }
            match outcome {
                Ok(0) => break,
                Ok(length) => body.extend_from_slice(&chunk[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if body.is_empty() => return Err(failure(request, &error)),
                Err(error) => {
                    let message = format!("{}: after {} bytes, {}", request.url, body.len(), reasons(&error));
                    problems.push(Problem::new("cut short", message));
                    break;
                }
            }
            if body.len() > self.options.bytes_max {
                body.truncate(self.options.bytes_max);
                let message = format!(
                    "{}: only the first {} bytes were read",
                    request.url, self.options.bytes_max
                );
                problems.push(Problem::new("too long", message));
                break;
            }
        }
        Ok(Response {
            url: request.url.clone(),
            status,
            content_type,
            body,
            redirects: 0,
            problems,
        })
    }

    fn timeout(&self, request: &Request) -> SourceError {
        SourceError::Timeout {
            url: request.url.clone(),
            limit: self.options.timeout,
        }
    }
}

impl PageSource for Fetcher {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        matches!(request.url.scheme(), "http" | "https").then(|| self.follow(request))
    }
}

fn header(answer: &blocking::Response, name: HeaderName) -> Option<String> {
    answer
        .headers()
        .get(name)
        .map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

/// Whether a read failed because the time was up; the client hides that in an error of its own.
fn is_timeout(error: &io::Error) -> bool {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<reqwest::Error>());
    error.kind() == io::ErrorKind::TimedOut || inner.is_some_and(reqwest::Error::is_timeout)
}

fn failure(request: &Request, error: &(dyn Error + 'static)) -> SourceError {
    let reason = reasons(error);
    let is_certificate = reason.contains("certificate");
    let advice = match error.downcast_ref::<reqwest::Error>() {
        _ if is_certificate => "check the system's clock and certificates, or whether the site's certificate is valid",
        Some(error) if error.is_connect() => "check the address and the connection, or try again later",
        _ => "try again later",
    };
    SourceError::Transport {
        url: request.url.clone(),
        reason: reason.into(),
        advice,
    }
}

/// What went wrong, from the outermost cause to the innermost, without what only repeats the address.
fn reasons(error: &(dyn Error + 'static)) -> String {
    let mut reasons: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let reason = error.to_string();
        if !reason.contains("for url (") && reasons.last() != Some(&reason) {
            reasons.push(reason);
        }
        next = error.source();
    }
    if reasons.is_empty() {
        error.to_string()
    } else {
        reasons.join(": ")
    }
}
