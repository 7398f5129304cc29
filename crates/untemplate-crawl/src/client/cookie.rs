//! Cookies: one `Set-Cookie` header read as browsers read it (RFC 6265, sections 5.2 and 5.3).
//!
//! Who may set a cookie for whom is decided here, by the public suffix list: a site may speak for
//! its own registrable domain and never for `com` or `github.io`.

use std::net::IpAddr;

use untemplate_store::UnixMillis;
use url::{Host, Url};

use super::http_date::read_http_date;

/// Bytes of a cookie's name and value; browsers agree on it.
const PAIR_BYTES_MAX: usize = 4096;

/// Bytes of a cookie's path or domain.
const ATTRIBUTE_BYTES_MAX: usize = 1024;

/// Cookies live no longer than this, whatever they say: 400 days, as in browsers.
const LIFE_MAX_MS: i64 = 400 * 86_400_000;

/// One cookie, with whom it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cookie {
    pub(super) name: String,
    pub(super) value: String,
    /// The host it came from, or the domain it is for; in lower case, without a leading dot.
    pub(super) domain: String,
    /// Whether it is for that host alone, and not for hosts below.
    pub(super) host_only: bool,
    pub(super) path: String,
    pub(super) secure: bool,
    /// When it ends; a cookie without an end lasts as long as the crawl.
    pub(super) expires: Option<UnixMillis>,
}

/// What `Set-Cookie` says besides the cookie itself.
#[derive(Default)]
struct Attributes {
    domain: Option<String>,
    path: Option<String>,
    secure: bool,
    expires: Option<UnixMillis>,
    max_age: Option<UnixMillis>,
}

/// The cookie that an answer from `url` may set by this header, if it may.
pub(super) fn read_set_cookie(header: &str, url: &Url, now: UnixMillis) -> Option<Cookie> {
    // A control character has no business here, and would let one header become two.
    if header.chars().any(char::is_control) {
        return None;
    }
    let (pair, rest) = header.split_once(';').unwrap_or((header, ""));
    let (name, value) = pair.split_once('=').unwrap_or(("", pair));
    let (name, value) = (name.trim(), value.trim());
    let is_pair = !(name.is_empty() && value.is_empty()) && name.len() + value.len() <= PAIR_BYTES_MAX;
    if !is_pair {
        return None;
    }
    let attributes = read_attributes(rest, now);
    let host = host_of(url)?;
    let (domain, host_only) = owner(&host, attributes.domain.as_deref())?;
    let cookie = Cookie {
        name: name.to_owned(),
        value: value.to_owned(),
        domain,
        host_only,
        path: attributes.path.clone().unwrap_or_else(|| default_path(url)),
        secure: attributes.secure,
        expires: attributes.max_age.or(attributes.expires),
    };
    may_set(&cookie, &attributes, url).then_some(cookie)
}

fn read_attributes(text: &str, now: UnixMillis) -> Attributes {
    let mut attributes = Attributes::default();
    for attribute in text.split(';') {
        let (name, value) = attribute.split_once('=').unwrap_or((attribute, ""));
        let value = value.trim();
        if value.len() > ATTRIBUTE_BYTES_MAX {
            continue;
        }
        match name.trim().to_ascii_lowercase().as_str() {
            "domain" => attributes.domain = Some(value.trim_start_matches('.').to_ascii_lowercase()),
            "path" => attributes.path = value.starts_with('/').then(|| value.to_owned()),
            "secure" => attributes.secure = true,
            "expires" => {
                let date = read_http_date(value);
                attributes.expires = date.map(|date| date.min(now + LIFE_MAX_MS)).or(attributes.expires);
            }
            "max-age" => attributes.max_age = read_max_age(value, now).or(attributes.max_age),
            _ => {}
        }
    }
    attributes
}

/// When a cookie of this age ends; one that is over ends now.
fn read_max_age(value: &str, now: UnixMillis) -> Option<UnixMillis> {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let seconds = if digits.len() < value.len() {
        0
    } else {
        digits.parse().unwrap_or(i64::MAX)
    };
    is_number.then(|| now + seconds.saturating_mul(1000).min(LIFE_MAX_MS))
}

/// Whom the cookie is for: a domain that the host belongs to and that is no public suffix, or the
/// host alone.
fn owner(host: &str, domain: Option<&str>) -> Option<(String, bool)> {
    let Some(domain) = domain.filter(|domain| !domain.is_empty()) else {
        return Some((host.to_owned(), true));
    };
    if domain == host && (is_address(host) || is_public_suffix(host)) {
        return Some((host.to_owned(), true));
    }
    let is_own = domain_matches(host, domain) && !is_public_suffix(domain);
    is_own.then(|| (domain.to_owned(), false))
}

fn is_public_suffix(domain: &str) -> bool {
    psl::suffix_str(domain).is_some_and(|suffix| suffix == domain)
}

/// Whether the host is an address and no name.
pub(super) fn is_address(host: &str) -> bool {
    host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok()
}

/// Whether the host is the domain or lies below it. An address has nothing below.
pub(super) fn domain_matches(host: &str, domain: &str) -> bool {
    let above = host.strip_suffix(domain);
    above.is_some_and(|above| above.is_empty() || above.ends_with('.') && !is_address(host))
}

/// The prefixes that promise something of a cookie, and who may set a secure one.
fn may_set(cookie: &Cookie, attributes: &Attributes, url: &Url) -> bool {
    let is_secure = cookie.secure && url.scheme() == "https";
    let name = cookie.name.to_ascii_lowercase();
    let keeps_promise = match name.as_str() {
        name if name.starts_with("__host-") => {
            is_secure && cookie.host_only && attributes.domain.is_none() && cookie.path == "/"
        }
        name if name.starts_with("__secure-") => is_secure,
        _ => true,
    };
    keeps_promise && (!cookie.secure || is_secure)
}

/// The host as cookies know it.
pub(super) fn host_of(url: &Url) -> Option<String> {
    match url.host()? {
        Host::Domain(name) => Some(name.trim_end_matches('.').to_ascii_lowercase()),
        Host::Ipv4(address) => Some(address.to_string()),
        Host::Ipv6(address) => Some(format!("[{address}]")),
    }
}

/// The folder of the address.
fn default_path(url: &Url) -> String {
    match url.path().rfind('/') {
        None | Some(0) => "/".to_owned(),
        Some(end) if end <= ATTRIBUTE_BYTES_MAX => url.path()[..end].to_owned(),
        Some(_) => "/".to_owned(),
    }
}
