//! Redirects: the way from one address to the page's own.
//!
//! Live fetching and archives follow redirects by the same rules, as browsers do: a limited number,
//! never in a circle, never out of the web, and a form sent to 301, 302 or 303 becomes a plain
//! request.

use untemplate::page::{Method, Request, normalise};
use url::Url;

use crate::SourceError;

/// The requests made so far on the way from one address to the page's own.
#[derive(Debug, Clone)]
pub struct RedirectTrail {
    /// All requests on the way; never empty.
    requests: Vec<Request>,
    redirects_max: usize,
}

impl RedirectTrail {
    /// A trail that begins with this request.
    pub fn begin(request: &Request, redirects_max: usize) -> Self {
        let mut request = request.clone();
        request.url.set_fragment(None);
        Self {
            requests: vec![request],
            redirects_max,
        }
    }

    /// The request to make now.
    pub fn current(&self) -> &Request {
        self.requests.last().expect("a trail begins with a request")
    }

    /// How many redirects were followed so far.
    pub fn redirects(&self) -> usize {
        self.requests.len() - 1
    }

    /// Whether an answer with this status and `Location` header redirects; if so, [`Self::current`]
    /// is the next request.
    pub fn follow(&mut self, status: u16, location: Option<&str>) -> Result<bool, SourceError> {
        let (301 | 302 | 303 | 307 | 308, Some(location)) = (status, location) else {
            return Ok(false);
        };
        let next = redirected(self.current(), status, location).ok_or_else(|| SourceError::RedirectRefused {
            url: self.first(),
            target: shortened(location),
        })?;
        let seen = self.requests.contains(&next);
        self.requests.push(next);
        if seen {
            let hops = self.requests.iter().map(|request| request.url.clone()).collect();
            return Err(SourceError::RedirectLoop {
                url: self.first(),
                hops,
            });
        }
        if self.requests.len() > self.redirects_max + 1 {
            return Err(SourceError::RedirectsTooMany {
                url: self.first(),
                limit: self.redirects_max,
            });
        }
        Ok(true)
    }

    fn first(&self) -> Url {
        self.requests[0].url.clone()
    }
}

/// The request that an answer to `request` leads to, or `None` when that is not on the web.
fn redirected(request: &Request, status: u16, location: &str) -> Option<Request> {
    let url = normalise(request.url.join(location.trim()).ok()?);
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    match (request.method, status) {
        (Method::Post, 307 | 308) => Some(Request {
            method: Method::Post,
            url,
            body: request.body.clone(),
        }),
        _ => Some(Request::get(url)),
    }
}

/// A server's words are shown to a person: not more than a line of them.
fn shortened(text: &str) -> String {
    text.chars()
        .filter(|character| !character.is_control())
        .take(200)
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check_trail(method: Method, answers: &[(u16, &str)], expected: Expect) {
        let url = "http://site.example/a#top".parse().expect("an address");
        let mut trail = RedirectTrail::begin(
            &Request {
                method,
                url,
                body: Vec::new(),
            },
            3,
        );
        let mut told = String::new();
        for (status, location) in answers {
            match trail.follow(*status, Some(location)) {
                Ok(true) => told += &format!("{:?} {}\n", trail.current().method, trail.current().url),
                Ok(false) => told += "stays\n",
                Err(error) => told += &format!("{error}\n"),
            }
        }
        expected.assert_eq(&told);
    }

    #[test]
    fn relative_addresses_are_resolved() {
        check_trail(
            Method::Get,
            &[(301, "b/c"), (302, "../d#x"), (200, "e")],
            expect![[r#"
            Get http://site.example/b/c
            Get http://site.example/d
            stays
        "#]],
        );
    }

    #[test]
    fn a_form_is_sent_again_only_when_the_server_says_so() {
        check_trail(
            Method::Post,
            &[(307, "/b"), (303, "/c")],
            expect![[r#"
            Post http://site.example/b
            Get http://site.example/c
        "#]],
        );
    }

    #[test]
    fn a_loop_is_named() {
        check_trail(
            Method::Get,
            &[(301, "/b"), (301, "/a")],
            expect![[r#"
            Get http://site.example/b
            http://site.example/a redirects in a loop: http://site.example/a -> http://site.example/b -> http://site.example/a; look at it in a browser, it may want cookies or a login
        "#]],
        );
    }

    #[test]
    fn a_long_chain_ends() {
        check_trail(
            Method::Get,
            &[(301, "/b"), (301, "/c"), (301, "/d"), (301, "/e")],
            expect![[r#"
            Get http://site.example/b
            Get http://site.example/c
            Get http://site.example/d
            http://site.example/a redirects more than 3 times; look at it in a browser and ask for where it ends
        "#]],
        );
    }

    #[test]
    fn redirects_stay_on_the_web() {
        check_trail(
            Method::Get,
            &[(302, "file:///etc/passwd"), (302, "http://[bad")],
            expect![[r#"
            http://site.example/a redirects to file:///etc/passwd, which is no http or https address; ask for another page of the site
            http://site.example/a redirects to http://[bad, which is no http or https address; ask for another page of the site
        "#]],
        );
    }
}
