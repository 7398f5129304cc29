//! The headers of a request: what the client always says, what its options add, what this one
//! request adds.
//!
//! Secrets go to the origin they are meant for and to no other.

use percent_encoding::percent_decode_str;
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use untemplate::page::Method;
use url::Url;

use super::error::ClientError;
use super::options::{ClientOptions, ExchangeOptions};

/// What is asked for first: pages.
const ACCEPTED: &str = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";

/// The encodings that we undo.
const ENCODINGS: &str = "gzip, br, zstd, deflate";

/// Headers that belong to the connection and not to whoever uses it.
const RESERVED: [HeaderName; 6] = [
    header::HOST,
    header::CONTENT_LENGTH,
    header::TRANSFER_ENCODING,
    header::CONNECTION,
    header::UPGRADE,
    header::TE,
];

/// Headers that may carry secrets.
const SECRET: [HeaderName; 2] = [header::AUTHORIZATION, header::COOKIE];

/// What every request of a client says.
pub(super) struct StandingHeaders {
    /// To everyone.
    open: HeaderMap,
    /// To one origin alone.
    secret: HeaderMap,
    home: Option<Url>,
}

impl StandingHeaders {
    /// The headers that the options ask for.
    pub(super) fn new(options: &ClientOptions) -> Result<Self, ClientError> {
        let mut open = HeaderMap::from_iter([
            (header::ACCEPT, HeaderValue::from_static(ACCEPTED)),
            (header::ACCEPT_ENCODING, HeaderValue::from_static(ENCODINGS)),
        ]);
        let (name, user_agent) = read_header("User-Agent", &options.user_agent)?;
        open.insert(name, user_agent);
        let mut given = HeaderMap::new();
        for (name, value) in &options.headers {
            let (name, value) = read_header(name, value)?;
            given.append(name, value);
        }
        let mut secret = HeaderMap::new();
        for name in given.keys() {
            let headers = if SECRET.contains(name) { &mut secret } else { &mut open };
            headers.remove(name);
            for value in given.get_all(name) {
                headers.append(name.clone(), value.clone());
            }
        }
        let home = options.home.clone();
        Ok(Self { open, secret, home })
    }

    /// The headers of one request, given the cookies that are for it.
    pub(super) fn of_request(
        &self,
        method: Method,
        url: &Url,
        extra: &ExchangeOptions,
        cookies: Option<String>,
    ) -> HeaderMap {
        let mut headers = self.open.clone();
        if self.home.as_ref().is_some_and(|home| home.origin() == url.origin()) {
            headers.extend(self.secret.clone());
        }
        if let Some(cookies) = cookies {
            let given = headers.get(header::COOKIE).map(|value| value.as_bytes());
            let all = given.map_or(cookies.clone().into_bytes(), |given| {
                [given, b"; ", cookies.as_bytes()].concat()
            });
            insert(&mut headers, header::COOKIE, &all);
        }
        let text = |value: &Option<String>| value.clone().unwrap_or_default().into_bytes();
        insert(&mut headers, header::IF_NONE_MATCH, &text(&extra.etag));
        insert(&mut headers, header::IF_MODIFIED_SINCE, &text(&extra.last_modified));
        let referer = extra.referer.as_ref().and_then(|from| referer(from, url));
        insert(&mut headers, header::REFERER, &text(&referer));
        if method == Method::Post {
            headers
                .entry(header::CONTENT_TYPE)
                .or_insert(HeaderValue::from_static("application/x-www-form-urlencoded"));
        }
        headers
    }
}

/// Sets a header; one that is empty or cannot be sent is left out.
fn insert(headers: &mut HeaderMap, name: HeaderName, value: &[u8]) {
    if let Ok(value) = HeaderValue::from_bytes(value)
        && !value.is_empty()
    {
        headers.insert(name, value);
    }
}

fn read_header(name: &str, value: &str) -> Result<(HeaderName, HeaderValue), ClientError> {
    let error = |reason| ClientError::Header {
        name: name.to_owned(),
        reason,
    };
    let parsed = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| error("this is no name of a header"))?;
    if RESERVED.contains(&parsed) {
        return Err(error("it is part of the connection itself"));
    }
    let value = HeaderValue::from_bytes(value.trim().as_bytes());
    let value = value.map_err(|_| error("its value has control characters in it"))?;
    Ok((parsed, value))
}

/// What a page may tell about itself: all to its own origin, its origin to others, nothing where
/// encryption ends.
pub(super) fn referer(from: &Url, to: &Url) -> Option<String> {
    let is_web = matches!(from.scheme(), "http" | "https");
    if !is_web || (from.scheme() == "https" && to.scheme() == "http") {
        return None;
    }
    if from.origin() != to.origin() {
        return Some(format!("{}/", from.origin().ascii_serialization()));
    }
    let mut shown = without_credentials(from);
    shown.set_fragment(None);
    Some(shown.into())
}

/// The address as it may be sent and shown.
pub(super) fn without_credentials(url: &Url) -> Url {
    let mut url = url.clone();
    // Both fail only for addresses that cannot have any.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

/// User name and password in the address, decoded.
pub(super) fn credentials(url: &Url) -> Option<(String, Option<String>)> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let password = url.password().map(decoded);
    (!url.username().is_empty() || password.is_some()).then(|| (decoded(url.username()), password))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn url(text: &str) -> Url {
        text.parse().expect("an address")
    }

    fn check(headers: &[(&str, &str)], to: &str, extra: ExchangeOptions, cookies: Option<&str>, expected: Expect) {
        let options = ClientOptions {
            user_agent: "tester".to_owned(),
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            home: Some(url("https://home.example/start")),
            ..ClientOptions::default()
        };
        let standing = StandingHeaders::new(&options).expect("good headers");
        let headers = standing.of_request(Method::Get, &url(to), &extra, cookies.map(str::to_owned));
        let line = |(name, value): (&HeaderName, &HeaderValue)| {
            format!("{name}: {}\n", String::from_utf8_lossy(value.as_bytes()))
        };
        let mut lines: Vec<String> = headers.iter().map(line).collect();
        lines.sort();
        expected.assert_eq(&lines.concat());
    }

    #[test]
    fn secrets_stay_at_home() {
        let given = [
            ("Authorization", "Bearer x"),
            ("cookie", "a=1"),
            ("X-Tag", "é"),
            ("Accept", "text/*"),
        ];
        check(
            &given,
            "https://home.example/a",
            ExchangeOptions::default(),
            Some("b=2"),
            expect![[r#"
            accept-encoding: gzip, br, zstd, deflate
            accept: text/*
            authorization: Bearer x
            cookie: a=1; b=2
            user-agent: tester
            x-tag: é
        "#]],
        );
        check(
            &given,
            "https://away.example/a",
            ExchangeOptions::default(),
            Some("b=2"),
            expect![[r#"
            accept-encoding: gzip, br, zstd, deflate
            accept: text/*
            cookie: b=2
            user-agent: tester
            x-tag: é
        "#]],
        );
        check(
            &given,
            "http://home.example/a",
            ExchangeOptions::default(),
            None,
            expect![[r#"
            accept-encoding: gzip, br, zstd, deflate
            accept: text/*
            user-agent: tester
            x-tag: é
        "#]],
        );
    }

    #[test]
    fn one_request_adds() {
        let extra = ExchangeOptions {
            etag: Some("W/\"1\"".to_owned()),
            last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT\r\nX: y".to_owned()),
            referer: Some(url("https://me:secret@home.example/b?q#f")),
        };
        check(
            &[],
            "https://home.example/a",
            extra,
            None,
            expect![[r#"
            accept-encoding: gzip, br, zstd, deflate
            accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.5
            if-none-match: W/"1"
            referer: https://home.example/b?q
            user-agent: tester
        "#]],
        );
    }

    #[test]
    fn headers_that_cannot_be_sent() {
        for (name, value) in [
            ("", "x"),
            ("a b", "x"),
            ("a", "x\r\ny: z"),
            ("HOST", "x"),
            ("Content-Length", "1"),
        ] {
            let headers = vec![(name.to_owned(), value.to_owned())];
            let options = ClientOptions {
                headers,
                ..ClientOptions::default()
            };
            assert!(StandingHeaders::new(&options).is_err(), "{name}");
        }
    }

    #[test]
    fn referers() {
        let check = |from: &str, to: &str, expected: Option<&str>| {
            assert_eq!(referer(&url(from), &url(to)).as_deref(), expected, "{from} {to}");
        };
        check(
            "http://a.example/x?y#z",
            "http://a.example/b",
            Some("http://a.example/x?y"),
        );
        check("http://u:p@a.example/x", "http://b.example/", Some("http://a.example/"));
        check(
            "http://a.example:81/x",
            "http://a.example/",
            Some("http://a.example:81/"),
        );
        check("http://a.example/x", "https://a.example/", Some("http://a.example/"));
        check("https://a.example/x", "http://a.example/", None);
        check("file:///x", "http://a.example/", None);
    }

    #[test]
    fn credentials_are_decoded() {
        assert_eq!(credentials(&url("http://a.example/")), None);
        let pair = |user: &str, password: Option<&str>| Some((user.to_owned(), password.map(str::to_owned)));
        assert_eq!(credentials(&url("http://me@a.example/")), pair("me", None));
        assert_eq!(
            credentials(&url("http://m%40e:p%3Aw@a.example/")),
            pair("m@e", Some("p:w"))
        );
        assert_eq!(
            without_credentials(&url("http://me:pw@a.example/x")).as_str(),
            "http://a.example/x"
        );
    }
}
