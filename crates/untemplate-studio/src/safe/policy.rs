//! The content security policies: of the studio's own pages, of crawled pages in their frame, and
//! of what those show.

use axum::http::HeaderMap;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};

/// The studio's own pages: scripts and styles are files of ours, and nobody shows them in a frame.
pub const STUDIO: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Pictures, fonts and style sheets of crawled pages: should somebody open one by itself, nothing
/// in it runs.
pub const RESOURCE: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// A crawled page: an origin of its own, the one script with this number, and nothing loaded but
/// through us.
pub fn crawled(nonce: &str, view: &str) -> String {
    format!(
        "sandbox allow-scripts; default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline' {view}; img-src {view} data:; font-src {view} data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
    )
}

const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
const SHARING: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Adds what every answer has, where it does not say otherwise itself.
pub fn complete(headers: &mut HeaderMap) {
    let is_crawled = headers
        .get(CONTENT_SECURITY_POLICY)
        .is_some_and(|policy| policy.as_bytes().windows(7).any(|word| word == b"sandbox"));
    let mut add = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    if is_crawled {
        // The frame's origin is not ours, so that what it shows is from elsewhere to it.
        add(SHARING, "cross-origin");
        add(REFERRER_POLICY, "no-referrer");
    } else {
        add(CONTENT_SECURITY_POLICY, STUDIO);
        add(X_FRAME_OPTIONS, "DENY");
        add(OPENER, "same-origin");
        add(SHARING, "same-origin");
        add(REFERRER_POLICY, "same-origin");
    }
    add(X_CONTENT_TYPE_OPTIONS, "nosniff");
    add(CACHE_CONTROL, "no-store");
}
