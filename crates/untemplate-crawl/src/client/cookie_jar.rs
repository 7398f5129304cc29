//! The cookie jar: what the sites of one crawl asked us to remember.
//!
//! It is bounded, it never gives a cookie to someone it is not for, and it can be written down as
//! text, so that a session survives a restart. The crate `cookie_store` has no bounds (cookies of a
//! domain, cookies in all, the length of the header that is sent, how long a cookie lives), and
//! takes its public suffixes from a list that whoever uses it must load; a crawl meets sites that
//! set a cookie for every page.

use std::collections::BTreeMap;

use untemplate_store::UnixMillis;
use url::Url;

use super::cookie::{Cookie, domain_matches, host_of, is_address, read_set_cookie};

/// Cookies of one registrable domain; the oldest go first.
const DOMAIN_COOKIES_MAX: usize = 100;

/// Cookies in all; the oldest go first.
const COOKIES_MAX: usize = 5000;

/// Bytes of the `Cookie` header that we send; servers refuse much less than a full jar.
const HEADER_BYTES_MAX: usize = 8 << 10;

/// The first line of a jar written down.
const TITLE: &str = "# untemplate cookies, version 1";

/// The cookies of one crawl.
#[derive(Debug, Clone, Default)]
pub(super) struct CookieJar {
    /// By registrable domain, with when each came, counted in cookies.
    domains: BTreeMap<String, Vec<(u64, Cookie)>>,
    n_seen: u64,
}

impl CookieJar {
    /// The jar that [`CookieJar::to_text`] wrote down; lines that cannot be read are left out.
    pub(super) fn of_text(text: &str) -> Self {
        let mut jar = Self::default();
        let lines = text.lines().take(COOKIES_MAX + 1);
        lines.filter_map(read_line).for_each(|cookie| jar.keep(cookie));
        jar
    }

    /// The jar as text, a cookie a line, oldest first.
    pub(super) fn to_text(&self) -> String {
        let mut cookies: Vec<&(u64, Cookie)> = self.domains.values().flatten().collect();
        cookies.sort_by_key(|(seen, _)| *seen);
        let lines = cookies.into_iter().map(|(_, cookie)| line(cookie));
        std::iter::once(format!("{TITLE}\n")).chain(lines).collect()
    }

    /// Takes a `Set-Cookie` header from an answer of `url`, as far as that may set it.
    pub(super) fn take(&mut self, header: &str, url: &Url, now: UnixMillis) {
        let Some(cookie) = read_set_cookie(header, url, now) else {
            return;
        };
        // Setting a cookie that has ended is how a site takes it back.
        if is_over(&cookie, now) {
            self.remove(&cookie);
        } else {
            self.keep(cookie);
        }
    }

    /// The `Cookie` header for a request to `url`.
    pub(super) fn header(&self, url: &Url, now: UnixMillis) -> Option<String> {
        let host = host_of(url)?;
        let mut cookies: Vec<&(u64, Cookie)> = self.domains.get(registrable(&host))?.iter().collect();
        cookies.retain(|(_, cookie)| is_for(cookie, &host, url) && !is_over(cookie, now));
        cookies.sort_by_key(|(seen, cookie)| (std::cmp::Reverse(cookie.path.len()), *seen));
        let mut header = String::new();
        for (_, cookie) in cookies {
            if header.len() + cookie.name.len() + cookie.value.len() + 3 > HEADER_BYTES_MAX {
                continue;
            }
            if !header.is_empty() {
                header.push_str("; ");
            }
            if !cookie.name.is_empty() {
                header.push_str(&cookie.name);
                header.push('=');
            }
            header.push_str(&cookie.value);
        }
        (!header.is_empty()).then_some(header)
    }

    fn keep(&mut self, cookie: Cookie) {
        let seen = self.remove(&cookie).unwrap_or(self.n_seen);
        self.n_seen += 1;
        let cookies = self.domains.entry(registrable(&cookie.domain).to_owned()).or_default();
        cookies.push((seen, cookie));
        if cookies.len() > DOMAIN_COOKIES_MAX {
            forget_oldest(cookies);
        }
        if self.domains.values().map(Vec::len).sum::<usize>() > COOKIES_MAX {
            let oldest = |cookies: &&mut Vec<(u64, Cookie)>| cookies.iter().map(|(seen, _)| *seen).min();
            self.domains.values_mut().min_by_key(oldest).map(forget_oldest);
            self.domains.retain(|_, cookies| !cookies.is_empty());
        }
    }

    /// Takes the cookie's former self out, and says when that came.
    fn remove(&mut self, cookie: &Cookie) -> Option<u64> {
        let cookies = self.domains.get_mut(registrable(&cookie.domain))?;
        let is_same = |(_, other): &(u64, Cookie)| {
            (&other.name, &other.domain, &other.path) == (&cookie.name, &cookie.domain, &cookie.path)
        };
        let index = cookies.iter().position(is_same)?;
        Some(cookies.remove(index).0)
    }
}

fn forget_oldest(cookies: &mut Vec<(u64, Cookie)>) {
    if let Some(index) = (0..cookies.len()).min_by_key(|&index| cookies[index].0) {
        cookies.remove(index);
    }
}

/// What cookies are filed under: the domain that someone can register, or the host where there is
/// none.
fn registrable(host: &str) -> &str {
    if is_address(host) {
        return host;
    }
    psl::domain_str(host).unwrap_or(host)
}

fn is_over(cookie: &Cookie, now: UnixMillis) -> bool {
    cookie.expires.is_some_and(|expires| expires <= now)
}

fn is_for(cookie: &Cookie, host: &str, url: &Url) -> bool {
    let is_host = if cookie.host_only {
        cookie.domain == host
    } else {
        domain_matches(host, &cookie.domain)
    };
    is_host && path_matches(url.path(), &cookie.path) && (!cookie.secure || url.scheme() == "https")
}

fn path_matches(path: &str, folder: &str) -> bool {
    let below = path.strip_prefix(folder);
    below.is_some_and(|below| below.is_empty() || folder.ends_with('/') || below.starts_with('/'))
}

/// Tabs part the fields; a cookie has no control characters.
fn line(cookie: &Cookie) -> String {
    let Cookie {
        name,
        value,
        domain,
        path,
        ..
    } = cookie;
    let scope = if cookie.host_only { "host" } else { "domain" };
    let secure = if cookie.secure { "secure" } else { "plain" };
    let expires = cookie
        .expires
        .map_or("never".to_owned(), |expires| expires.0.to_string());
    format!("{domain}\t{scope}\t{path}\t{secure}\t{expires}\t{name}\t{value}\n")
}

fn read_line(line: &str) -> Option<Cookie> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [domain, scope, path, secure, expires, name, value] = fields[..] else {
        return None;
    };
    let is_sound =
        !domain.is_empty() && !line.starts_with('#') && !fields.iter().any(|field| field.chars().any(char::is_control));
    let expires = match expires {
        "never" => None,
        millis => Some(UnixMillis(millis.parse().ok()?)),
    };
    is_sound.then(|| Cookie {
        name: name.to_owned(),
        value: value.to_owned(),
        domain: domain.to_owned(),
        host_only: scope != "domain",
        path: path.to_owned(),
        secure: secure != "plain",
        expires,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const NOW: UnixMillis = UnixMillis(1_700_000_000_000);

    /// Sets cookies, each from its address, and asks for the header at each of the other addresses.
    fn check(set: &[(&str, &str)], ask: &[&str], expected: Expect) {
        let jar = jar(set);
        let restored = CookieJar::of_text(&jar.to_text());
        let header = |jar: &CookieJar, url: &str| jar.header(&url.parse().expect("an address"), NOW);
        let lines = ask
            .iter()
            .map(|url| format!("{url} {}\n", header(&jar, url).unwrap_or("nothing".to_owned())));
        expected.assert_eq(&lines.collect::<String>());
        for url in ask {
            assert_eq!(header(&jar, url), header(&restored, url), "{url} after a restart");
        }
    }

    fn jar(set: &[(&str, &str)]) -> CookieJar {
        let mut jar = CookieJar::default();
        for (url, header) in set {
            jar.take(header, &url.parse().expect("an address"), NOW);
        }
        jar
    }

    #[test]
    fn hosts_and_domains() {
        check(
            &[
                ("http://www.shop.example/a", "host=1"),
                ("http://www.shop.example/a", "all=2; Domain=.Shop.example"),
            ],
            &[
                "http://www.shop.example/",
                "http://shop.example/",
                "http://a.shop.example/",
                "http://badshop.example/",
            ],
            expect![[r#"
                http://www.shop.example/ host=1; all=2
                http://shop.example/ all=2
                http://a.shop.example/ all=2
                http://badshop.example/ nothing
            "#]],
        );
    }

    #[test]
    fn nobody_speaks_for_others() {
        check(
            &[
                ("http://www.shop.co.uk/", "a=1; Domain=co.uk"),
                ("http://www.shop.co.uk/", "b=1; Domain=uk"),
                ("http://me.github.io/", "c=1; Domain=github.io"),
                ("http://www.shop.example/", "d=1; Domain=other.example"),
                ("http://www.shop.example/", "e=1; Domain=example"),
                ("http://shop.example/", "f=1; Domain=www.shop.example"),
                ("http://127.0.0.1/", "g=1; Domain=0.0.1"),
                ("http://127.0.0.1/", "h=1; Domain=127.0.0.1"),
                ("http://[::1]/", "i=1; Domain=1]"),
                ("http://github.io/", "j=1; Domain=github.io"),
                ("http://localhost/", "k=1"),
            ],
            &[
                "http://www.shop.co.uk/",
                "http://a.co.uk/",
                "http://you.github.io/",
                "http://github.io/",
                "http://other.example/",
                "http://www.shop.example/",
                "http://127.0.0.1/",
                "http://1.0.0.1/",
                "http://[::1]/",
                "http://localhost/",
            ],
            expect![[r#"
                http://www.shop.co.uk/ nothing
                http://a.co.uk/ nothing
                http://you.github.io/ nothing
                http://github.io/ j=1
                http://other.example/ nothing
                http://www.shop.example/ nothing
                http://127.0.0.1/ h=1
                http://1.0.0.1/ nothing
                http://[::1]/ nothing
                http://localhost/ k=1
            "#]],
        );
    }

    #[test]
    fn paths_and_order() {
        check(
            &[
                ("http://a.example/x/y/page", "folder=1"),
                ("http://a.example/x/y/page", "all=2; Path=/"),
                ("http://a.example/x/y/page", "x=3; Path=/x"),
                ("http://a.example/x/y/page", "odd=4; Path=x"),
                ("http://a.example/x/y/page", "=nameless; Path=/"),
                ("http://a.example/x/y/page", "valueless; Path=/x"),
            ],
            &[
                "http://a.example/",
                "http://a.example/x",
                "http://a.example/xy",
                "http://a.example/x/y/z?q",
            ],
            expect![[r#"
                http://a.example/ all=2; nameless
                http://a.example/x x=3; valueless; all=2; nameless
                http://a.example/xy all=2; nameless
                http://a.example/x/y/z?q folder=1; odd=4; x=3; valueless; all=2; nameless
            "#]],
        );
    }

    #[test]
    fn secure_cookies() {
        check(
            &[
                ("https://a.example/", "s=1; Secure"),
                ("http://a.example/", "t=1; Secure"),
                ("https://a.example/", "__Host-a=1; Secure; Path=/"),
                ("https://a.example/", "__Host-b=1; Secure; Path=/; Domain=a.example"),
                ("https://a.example/", "__Secure-c=1"),
                ("http://a.example/", "__secure-d=1"),
            ],
            &["https://a.example/", "http://a.example/"],
            expect![[r#"
                https://a.example/ s=1; __Host-a=1
                http://a.example/ nothing
            "#]],
        );
    }

    #[test]
    fn ends() {
        check(
            &[
                ("http://a.example/", "a=1; Max-Age=60"),
                ("http://a.example/", "b=1; Max-Age=0"),
                ("http://a.example/", "c=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
                ("http://a.example/", "d=1; Expires=Fri, 31 Dec 9999 23:59:59 GMT"),
                (
                    "http://a.example/",
                    "e=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=9",
                ),
                ("http://a.example/", "f=1"),
                ("http://a.example/", "f=; Max-Age=-1"),
                ("http://a.example/", "g=1; Max-Age=never; Expires=soon"),
                ("http://a.example/", "a=2; Max-Age=99999999999999999999"),
                ("http://a.example/", "bad\u{1}=1"),
                ("http://a.example/", "tab\t=1"),
                ("http://a.example/", ""),
                ("http://a.example/", " ; Path=/"),
            ],
            &["http://a.example/"],
            expect![[r#"
                http://a.example/ a=2; d=1; e=1; g=1
            "#]],
        );
    }

    #[test]
    fn the_jar_is_bounded() {
        let url: Url = "http://a.example/".parse().expect("an address");
        let mut jar = CookieJar::default();
        for number in 0..1000 {
            jar.take(&format!("c{number}={}", "x".repeat(200)), &url, NOW);
        }
        let header = jar.header(&url, NOW).expect("cookies");
        assert!(
            header.len() <= HEADER_BYTES_MAX && header.starts_with("c900="),
            "{header}"
        );
        for number in 0..COOKIES_MAX {
            let url: Url = format!("http://h{number}.example/").parse().expect("an address");
            jar.take("a=1", &url, NOW);
            jar.take(&format!("a={}", "x".repeat(5000)), &url, NOW);
        }
        assert_eq!(jar.to_text().lines().count(), COOKIES_MAX + 1);
    }

    #[test]
    fn text() {
        let jar = jar(&[
            ("https://www.a.example/x/", "a=1; Secure; Max-Age=60"),
            ("http://www.a.example/x/", "b=é=2; Domain=a.example; Path=/"),
        ]);
        expect![[r#"
            # untemplate cookies, version 1
            www.a.example	host	/x	secure	1700000060000	a	1
            a.example	domain	/	plain	never	b	é=2
        "#]]
        .assert_eq(&jar.to_text());
        let garbage = "a\tb\nx\thost\t/\tplain\tsoon\tn\tv\n\t\t\t\t\t\t\n#\thost\t/\tplain\tnever\tn\tv\n\u{0}";
        expect![[r#"
            # untemplate cookies, version 1
        "#]]
        .assert_eq(&CookieJar::of_text(garbage).to_text());
    }
}
