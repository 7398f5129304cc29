//! One exchange: a request goes out, an answer comes in, within all limits.
//!
//! Redirects are answers: whoever crawls sends each hop through its scope, robots and politeness
//! again. Nothing is tried twice.

use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use reqwest::header::{CONTENT_ENCODING, HeaderMap, HeaderValue, SET_COOKIE};
use reqwest::{Response, Version};
use tokio::time::{Instant, timeout_at};
use untemplate::page::{Method, Problem, Request};
use untemplate_store::BodyUnpacker;
use url::{Host, Url};

use super::address::is_public;
use super::answer::Answer;
use super::body::{later, read_body};
use super::connect::{AddressRule, Connector, look_up};
use super::cookie_jar::CookieJar;
use super::error::{Awaited, ClientError, ExchangeError, send_error};
use super::options::{ClientOptions, ExchangeOptions};
use super::request_headers::{StandingHeaders, credentials, without_credentials};
use crate::clock::now;

/// Asks servers on the live web, one request at a time for each call. Clones share connections and
/// cookies.
///
/// ```
/// use untemplate::page::Request;
/// use untemplate_crawl::{Client, ClientOptions, ExchangeError, ExchangeOptions};
///
/// let client = Client::new(ClientOptions { public_only: true, ..ClientOptions::default() })?;
/// let request = Request::get("http://127.0.0.1/secret".parse()?);
/// let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
/// let refused = runtime.block_on(client.exchange(&request, &ExchangeOptions::default()));
/// assert!(matches!(refused, Err(ExchangeError::NotPublic { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("options", &self.shared.options)
            .finish_non_exhaustive()
    }
}

struct Shared {
    connector: Connector,
    headers: StandingHeaders,
    /// The cookies of the crawl, unless it keeps none.
    cookies: Option<Mutex<CookieJar>>,
    options: ClientOptions,
}

impl Client {
    /// A client with these options.
    pub fn new(options: ClientOptions) -> Result<Self, ClientError> {
        let rule: Option<AddressRule> = options.public_only.then_some(is_public);
        Self::with_rule(options, rule)
    }

    /// A client that dials what the rule allows; tests have rules of their own.
    pub(super) fn with_rule(options: ClientOptions, rule: Option<AddressRule>) -> Result<Self, ClientError> {
        let cookies = || Mutex::new(CookieJar::of_text(&options.saved_cookies));
        let shared = Shared {
            connector: Connector::new(&options, rule)?,
            headers: StandingHeaders::new(&options)?,
            cookies: options.use_cookies.then(cookies),
            options,
        };
        Ok(Self {
            shared: Arc::new(shared),
        })
    }

    /// The cookies so far, as text for [`ClientOptions::saved_cookies`].
    pub fn cookies(&self) -> String {
        self.with_cookies(|jar| jar.to_text()).unwrap_or_default()
    }

    /// The address that a URL's host has, as far as one can tell before dialling: the first of
    /// several.
    pub async fn address_of(&self, url: &Url) -> Option<IpAddr> {
        match url.host()? {
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
            Host::Domain(name) => {
                let found = look_up(self.shared.options.resolver.clone(), name).await.ok()?;
                found.first().copied()
            }
        }
    }

    /// Sends one request and reads its answer, within all limits. Redirects are answers.
    pub async fn exchange(&self, request: &Request, extra: &ExchangeOptions) -> Result<Answer, ExchangeError> {
        let begin = Instant::now();
        let url = without_credentials(&request.url);
        self.shared.connector.check(&url)?;
        let response = self.send(request, &url, extra, begin).await?;
        let first_byte_ms = millis_since(begin);
        let address = response.remote_addr();
        // Whatever way led there: what was dialled must be allowed.
        self.shared
            .connector
            .check_address(&url, address.map(|address| address.ip()))?;
        self.check_head(&url, response.headers())?;
        self.take_cookies(&url, response.headers());
        let head = Answer {
            url: request.url.clone(),
            status: response.status().as_u16(),
            version: version_name(response.version()),
            headers: response
                .headers()
                .iter()
                .map(|(name, value)| (name.to_string(), text(value)))
                .collect(),
            body: Vec::new(),
            is_whole: true,
            problems: Vec::new(),
            wire_bytes: 0,
            first_byte_ms,
            total_ms: first_byte_ms,
            address,
        };
        self.read(head, response, &url, begin).await
    }

    async fn send(
        &self,
        request: &Request,
        url: &Url,
        extra: &ExchangeOptions,
        begin: Instant,
    ) -> Result<Response, ExchangeError> {
        let cookies = self.with_cookies(|jar| jar.header(url, now())).flatten();
        let headers = self.shared.headers.of_request(request.method, url, extra, cookies);
        let http = &self.shared.connector.http;
        let builder = match request.method {
            Method::Get => http.get(url.clone()),
            Method::Post => http.post(url.clone()).body(request.body.clone()),
        };
        let builder = match credentials(&request.url) {
            // The header map is laid over the builder's own, so the credentials must come after it.
            Some((user, password)) => builder
                .headers(without_authorization(headers))
                .basic_auth(user, password),
            None => builder.headers(headers),
        };
        let deadlines = &self.shared.options.deadlines;
        let limit = deadlines.first_byte.min(deadlines.total);
        match timeout_at(later(begin, limit), builder.send()).await {
            Ok(sent) => sent.map_err(|error| send_error(url, &error, deadlines.connect)),
            Err(_) => Err(ExchangeError::Timeout {
                url: url.clone(),
                awaited: Awaited::Head,
                limit,
            }),
        }
    }

    async fn read(
        &self,
        head: Answer,
        mut response: Response,
        url: &Url,
        begin: Instant,
    ) -> Result<Answer, ExchangeError> {
        let options = &self.shared.options;
        let encodings: Vec<String> = response.headers().get_all(CONTENT_ENCODING).iter().map(text).collect();
        let mut unpacker = BodyUnpacker::new(encodings.iter().map(String::as_str), options.body);
        let end = later(begin, options.deadlines.total);
        let outcome = read_body(&mut response, &mut unpacker, &options.deadlines, end).await;
        let wire_bytes = unpacker.wire_bytes;
        let (body, troubles, lacks_bytes) = unpacker.finish(outcome.is_ok());
        let is_whole = outcome.is_ok() && !lacks_bytes;
        if let Err(problem) = &outcome
            && wire_bytes == 0
            && (200..300).contains(&head.status)
        {
            return Err(self.no_body(url, problem));
        }
        let told = outcome.err().into_iter().chain(troubles);
        Ok(Answer {
            body,
            is_whole,
            problems: told.map(|problem| at(url, problem)).collect(),
            wire_bytes,
            total_ms: millis_since(begin),
            ..head
        })
    }

    /// A success of which nothing came is none; the head of a redirect or an error says all there
    /// is to say.
    fn no_body(&self, url: &Url, problem: &Problem) -> ExchangeError {
        let url = url.clone();
        let deadlines = &self.shared.options.deadlines;
        match problem.kind {
            "too slow" => ExchangeError::Timeout {
                url,
                awaited: Awaited::Body,
                limit: deadlines.rate_window.min(deadlines.total),
            },
            _ => ExchangeError::Broken {
                url,
                reason: problem.message.clone(),
            },
        }
    }

    fn check_head(&self, url: &Url, headers: &HeaderMap) -> Result<(), ExchangeError> {
        let options = &self.shared.options;
        let n_bytes: usize = headers
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len() + 4)
            .sum();
        let is_large = headers.len() > options.headers_max || n_bytes > options.header_bytes_max;
        if is_large {
            let reason = format!("{} headers of {n_bytes} bytes", headers.len());
            return Err(ExchangeError::HeadTooLarge {
                url: url.clone(),
                reason,
            });
        }
        Ok(())
    }

    fn take_cookies(&self, url: &Url, headers: &HeaderMap) {
        let values = headers.get_all(SET_COOKIE);
        self.with_cookies(|jar| values.iter().for_each(|value| jar.take(&text(value), url, now())));
    }

    fn with_cookies<T>(&self, action: impl FnOnce(&mut CookieJar) -> T) -> Option<T> {
        let jar = self.shared.cookies.as_ref()?;
        // A jar is sound after every single change, so one that a panic left behind is of use.
        Some(action(&mut jar.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn without_authorization(headers: HeaderMap) -> HeaderMap {
    let mut headers = headers;
    headers.remove(reqwest::header::AUTHORIZATION);
    headers
}

fn at(url: &Url, problem: Problem) -> Problem {
    Problem::new(problem.kind, format!("{url}: {}", problem.message))
}

/// Headers are bytes. Those that are no UTF-8 are read as browsers read them, a letter for each
/// byte.
fn text(value: &HeaderValue) -> String {
    let letters = || value.as_bytes().iter().map(|byte| char::from(*byte)).collect();
    std::str::from_utf8(value.as_bytes()).map_or_else(|_| letters(), str::to_owned)
}

fn version_name(version: Version) -> &'static str {
    match version {
        Version::HTTP_09 => "HTTP/0.9",
        Version::HTTP_10 => "HTTP/1.0",
        Version::HTTP_2 => "HTTP/2",
        Version::HTTP_3 => "HTTP/3",
        _ => "HTTP/1.1",
    }
}

fn millis_since(begin: Instant) -> u64 {
    u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX)
}
