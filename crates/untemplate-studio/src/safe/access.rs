//! The access check: every request passes here before anything else looks at it.
//!
//! - The host that the request names must be the one we listen on. A name that somebody makes to
//!   lead to loopback (DNS rebinding) is none of ours.
//! - What changes something must come from one of our own pages: its origin is ours, and a browser
//!   that says more about it says "same-origin".
//! - Who does not know the secret finds nothing: all paths begin with it, and a wrong one is
//!   answered like a page that is not there.
//!
//! There are two secrets. The key opens the studio. The pass is all that crawled pages get to see:
//! it leads to pages and their pictures, and to nothing that does anything.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::policy;
use super::secret::is_same;

/// What is held against each request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessCheck {
    /// Opens the studio.
    pub key: String,
    /// Leads to crawled pages and what they show.
    pub pass: String,
    /// Where we listen.
    pub address: SocketAddr,
}

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

impl AccessCheck {
    /// The check of a server at an address.
    pub fn new(key: String, pass: String, address: SocketAddr) -> Self {
        Self { key, pass, address }
    }

    /// Whether a host is ours. A server that listens on all of the machine's addresses takes any
    /// address, and still no name.
    fn is_ours(&self, host: &str) -> bool {
        // Browsers leave the port of the web out.
        let named = host.parse::<SocketAddr>().or_else(|_| format!("{host}:80").parse());
        let is_address = named.is_ok_and(|host| {
            host.port() == self.address.port() && (host.ip() == self.address.ip() || self.address.ip().is_unspecified())
        });
        let local = format!("localhost:{}", self.address.port());
        is_address || self.address.ip().is_loopback() && host.eq_ignore_ascii_case(&local)
    }

    /// Why a request may not come in; `None` when it may.
    pub fn refusal(&self, method: &Method, path: &str, headers: &HeaderMap) -> Option<StatusCode> {
        let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(HOST).unwrap_or("");
        if !self.is_ours(host) {
            return Some(StatusCode::MISDIRECTED_REQUEST);
        }
        let first = path.trim_start_matches('/').split('/').next().unwrap_or("");
        let (has_key, has_pass) = (is_same(first, &self.key), is_same(first, &self.pass));
        if !has_key && !has_pass {
            return Some(StatusCode::NOT_FOUND);
        }
        let is_reading = matches!(*method, Method::GET | Method::HEAD);
        if is_reading {
            return None;
        }
        let is_ours = text(ORIGIN).is_some_and(|origin| origin.eq_ignore_ascii_case(&format!("http://{host}")));
        let is_same_site = text(FETCH_SITE).is_none_or(|site| site == "same-origin");
        (has_pass || *method != Method::POST || !is_ours || !is_same_site).then_some(StatusCode::FORBIDDEN)
    }
}

/// Lets a request in or not, and gives every answer its policies.
pub async fn guard(State(access): State<Arc<AccessCheck>>, request: Request, next: Next) -> Response {
    let refusal = access.refusal(request.method(), request.uri().path(), request.headers());
    let mut response = match refusal {
        None => next.run(request).await,
        Some(status) => (status, words(status)).into_response(),
    };
    policy::complete(response.headers_mut());
    response
}

/// What somebody reads who is not let in.
fn words(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => {
            "There is nothing here. Open the address that untemplate printed when it was started; it changes with every start."
        }
        StatusCode::MISDIRECTED_REQUEST => "This is not the host you asked for.",
        _ => "This can only be done from the studio's own pages.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn check(method: Method, path: &str, headers: &[(&'static str, &'static str)], expected: Option<u16>) {
        let access = AccessCheck::new("key".to_owned(), "pass".to_owned(), ([127, 0, 0, 1], 4000).into());
        let mut map = HeaderMap::new();
        for &(name, value) in headers {
            map.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let refusal = access.refusal(&method, path, &map).map(|status| status.as_u16());
        assert_eq!(refusal, expected, "{method} {path} {headers:?}");
    }

    #[test]
    fn only_who_knows_the_secret_and_names_us_reads() {
        let us = [("host", "127.0.0.1:4000")];
        check(Method::GET, "/key/teach", &us, None);
        check(Method::GET, "/pass/page", &us, None);
        check(Method::GET, "/key/", &[("host", "LOCALHOST:4000")], None);
        check(Method::GET, "/", &us, Some(404));
        check(Method::GET, "/keys/teach", &us, Some(404));
        check(Method::GET, "/ke/teach", &us, Some(404));
        check(Method::GET, "/key/teach", &[("host", "evil.example:4000")], Some(421));
        check(Method::GET, "/key/teach", &[("host", "127.0.0.1")], Some(421));
        check(Method::GET, "/key/teach", &[], Some(421));
    }

    #[test]
    fn only_our_own_pages_change_something() {
        let host = ("host", "127.0.0.1:4000");
        let own = ("origin", "http://127.0.0.1:4000");
        check(Method::POST, "/key/teach", &[host, own], None);
        check(
            Method::POST,
            "/key/teach",
            &[host, own, ("sec-fetch-site", "same-origin")],
            None,
        );
        check(Method::POST, "/key/teach", &[host], Some(403));
        check(Method::POST, "/key/teach", &[host, ("origin", "null")], Some(403));
        check(
            Method::POST,
            "/key/teach",
            &[host, ("origin", "http://localhost:4000")],
            Some(403),
        );
        check(
            Method::POST,
            "/key/teach",
            &[host, ("origin", "http://evil.example")],
            Some(403),
        );
        check(
            Method::POST,
            "/key/teach",
            &[host, own, ("sec-fetch-site", "cross-site")],
            Some(403),
        );
        check(Method::POST, "/pass/page", &[host, own], Some(403));
        check(Method::DELETE, "/key/teach", &[host, own], Some(403));
    }
}
