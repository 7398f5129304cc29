//! Addresses: how links become requests, and which of them stay on a site.
//!
//! URLs are read as the WHATWG standard says. Normalisation never makes two pages one: it drops the
//! fragment and writes percent escapes in one way, and nothing else.

mod bounds;

use encoding_rs::{Encoding, UTF_8};
use url::{Host, Url};

pub use bounds::Bounds;

/// How far a site reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SiteScope {
    /// All hosts of a registrable domain: `www.team.example` and `shop.team.example`.
    #[default]
    Domain,
    /// One host.
    Host,
}

/// Resolves a link against the page's base; `None` for what is no page: scripts, mail, telephone,
/// data.
pub fn resolve(base: &Url, reference: &str) -> Option<Url> {
    resolve_encoded(base, reference, UTF_8.name())
}

/// The same on a page in this encoding, in which its queries are sent.
pub(super) fn resolve_encoded(base: &Url, reference: &str, encoding: &str) -> Option<Url> {
    let reference = reference.trim_matches(|c: char| c <= ' ');
    if !may_be_page(reference) {
        return None;
    }
    let url = join(base, reference, encoding)?;
    let is_web = matches!(url.scheme(), "http" | "https");
    (is_web || url.scheme() == "file" && base.scheme() == "file").then(|| normalise(url))
}

/// Resolves a reference as the standard says, also where it begins with three slashes or more,
/// which the crate refuses.
fn join(base: &Url, reference: &str, encoding: &str) -> Option<Url> {
    let rest = reference.trim_start_matches(['/', '\\']);
    if reference.len() - rest.len() > 2 && matches!(base.scheme(), "http" | "https") {
        return base.join(&format!("//{rest}")).ok();
    }
    if reference.is_ascii() || encoding == UTF_8.name() {
        return base.join(reference).ok();
    }
    let encoding = Encoding::for_label(encoding.as_bytes()).unwrap_or(UTF_8);
    Url::options()
        .base_url(Some(base))
        .encoding_override(Some(&|text| encoding.encode(text).0))
        .parse(reference)
        .ok()
}

/// Whether a reference can lead to a page at all, by its scheme.
pub fn may_be_page(reference: &str) -> bool {
    let reference = reference.trim_start_matches(|c: char| c <= ' ');
    let is_scheme = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    match reference.split_once(|c| !is_scheme(c)) {
        Some((scheme, _))
            if scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && reference[scheme.len()..].starts_with(':') =>
        {
            ["http", "https", "file"]
                .iter()
                .any(|known| scheme.eq_ignore_ascii_case(known))
        }
        _ => true,
    }
}

/// Whether a reference that [`may_be_page`] resolves. Only those that name a host can fail to, and
/// a host of plain letters does not, so that few need to be resolved to know.
pub(super) fn is_sound(base: &Url, reference: &str) -> bool {
    let reference = reference.trim_matches(|c: char| c <= ' ');
    match host_and_rest(reference) {
        None => true,
        Some(rest) => has_plain_host(rest) || resolve(base, reference).is_some(),
    }
}

/// What follows the slashes before a host; `None` for a reference that names none. What is odd is
/// taken for one that does.
fn host_and_rest(reference: &str) -> Option<&str> {
    let bytes = reference.as_bytes();
    let scheme = bytes.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    if scheme > 0 && bytes.get(scheme) == Some(&b':') {
        return Some(reference[scheme + 1..].trim_start_matches(['/', '\\']));
    }
    if matches!(bytes, [b'/' | b'\\', b'/' | b'\\', ..]) {
        return Some(reference.trim_start_matches(['/', '\\']));
    }
    bytes.iter().any(u8::is_ascii_control).then_some(reference)
}

/// Whether a text begins with a host whose last label begins with a letter, and which has nothing
/// but letters, digits, dots and hyphens: such a name is good as it is, but for those that stand
/// for others (`xn--`).
fn has_plain_host(text: &str) -> bool {
    let end = text.find(['/', '?', '#', '\\']).unwrap_or(text.len());
    let host = &text[..end];
    let last_label = host.rsplit('.').next().unwrap_or("");
    host.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-')
        && last_label.starts_with(|c: char| c.is_ascii_alphabetic())
        && !host.to_ascii_lowercase().contains("xn--")
        && !host.contains("..")
        && !host.starts_with('.')
}

/// One spelling for one address: no fragment, percent escapes in capitals and only where they are
/// needed.
pub fn normalise(mut url: Url) -> Url {
    if url.fragment().is_some() {
        url.set_fragment(None);
    }
    if url.as_str().contains('%') {
        let path = plain_escapes(url.path());
        if path != url.path() {
            url.set_path(&path);
        }
        if let Some(query) = url.query().map(plain_escapes)
            && Some(query.as_str()) != url.query()
        {
            url.set_query(Some(&query));
        }
    }
    url
}

/// Undoes escapes of letters, digits and `-._~`, and writes the rest in capitals. What follows a
/// bare `%` is left as it is, since it could become an escape that the page does not have.
fn plain_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut bare_end = 0;
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        plain.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(byte) = escaped_byte(rest) else {
            plain.push('%');
            rest = &rest[1..];
            bare_end = plain.len() + 2;
            continue;
        };
        rest = &rest[3..];
        if (byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)) && plain.len() >= bare_end {
            plain.push(char::from(byte));
        } else {
            plain.push_str(&format!("%{byte:02X}"));
        }
    }
    plain.push_str(rest);
    plain
}

/// The byte that the escape at the start of a text stands for.
fn escaped_byte(text: &str) -> Option<u8> {
    let digits = text
        .get(1..3)
        .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

/// Whether two addresses are of one site.
pub fn same_site(left: &Url, right: &Url, scope: SiteScope) -> bool {
    match (left.host(), right.host()) {
        (None, None) => left.scheme() == right.scheme(),
        (Some(left_host), Some(right_host)) if left_host == right_host => {
            // The port is `None` where it is the scheme's own, so that http and https are one site.
            left.port() == right.port() || scope == SiteScope::Domain
        }
        (Some(Host::Domain(left_host)), Some(Host::Domain(right_host))) => {
            let domain = registrable_domain(left_host);
            scope == SiteScope::Domain && domain.is_some() && domain == registrable_domain(right_host)
        }
        _ => false,
    }
}

/// The part of a host name that somebody registered: `bbc.co.uk` of `news.bbc.co.uk`.
fn registrable_domain(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

#[cfg(test)]
mod suite_tests;

#[cfg(test)]
mod tests {
    use super::*;

    fn check_resolve(reference: &str, expected: Option<&str>) {
        let base = Url::parse("http://a.example/dir/page.html?x#f").expect("a good address");
        assert_eq!(
            resolve(&base, reference).as_ref().map(Url::as_str),
            expected,
            "{reference}"
        );
    }

    #[test]
    fn links_resolve_and_lose_their_fragment() {
        check_resolve("b.html#top", Some("http://a.example/dir/b.html"));
        check_resolve(" ../c d.html ", Some("http://a.example/c%20d.html"));
        check_resolve("//b.example/", Some("http://b.example/"));
        check_resolve("?y=1", Some("http://a.example/dir/page.html?y=1"));
        check_resolve("", Some("http://a.example/dir/page.html?x"));
        check_resolve("%7euser/%e4%2f", Some("http://a.example/dir/~user/%E4%2F"));
        check_resolve("100%", Some("http://a.example/dir/100%"));
        check_resolve("?q=100%+beef", Some("http://a.example/dir/page.html?q=100%+beef"));
        check_resolve("a%2%65b", Some("http://a.example/dir/a%2%65b"));
        check_resolve("2024:report.html", Some("http://a.example/dir/2024:report.html"));
    }

    #[test]
    fn what_is_no_page_is_no_link() {
        check_resolve("javascript:void(0)", None);
        check_resolve("\tJavaScript:x", None);
        check_resolve("mailto:a@b.example", None);
        check_resolve("tel:123", None);
        check_resolve("data:text/html,x", None);
        check_resolve("http://[bad/", None);
        check_resolve("file:///etc/passwd", None);
    }

    #[test]
    fn a_site_is_a_domain_or_a_host() {
        let check = |left: &str, right: &str, scope, expected| {
            let url = |text| Url::parse(text).expect("a good address");
            assert_eq!(same_site(&url(left), &url(right), scope), expected, "{left} {right}");
        };
        check(
            "http://www.bbc.co.uk/",
            "https://news.bbc.co.uk/",
            SiteScope::Domain,
            true,
        );
        check(
            "http://www.bbc.co.uk/",
            "https://news.bbc.co.uk/",
            SiteScope::Host,
            false,
        );
        check("http://a.co.uk/", "http://b.co.uk/", SiteScope::Domain, false);
        check("http://127.0.0.1:1/", "http://127.0.0.1:1/x", SiteScope::Host, true);
        check("http://a.example/", "https://a.example/", SiteScope::Host, true);
        check("http://127.0.0.1:1/", "http://127.0.0.1:2/", SiteScope::Host, false);
        check("file:///a", "file:///b", SiteScope::Domain, true);
    }
}
