//! Pages: one fetched, parsed document with its URL.
//!
//! In: a [`Response`]. Out: a [`Page`], whatever the bytes are. Parsing happens here and only here;
//! links, paths, schemas and tokens are passes over the tree.

use untemplate_html::{Dom, Name, ParseOptions, Problem, read_html};
use url::Url;

use super::address;
use super::site::{Response, Visit};

/// One fetched, parsed document with its URL.
#[derive(Debug, Clone)]
pub struct Page {
    /// The page's own address, after redirects.
    pub url: Url,
    /// What its links are relative to: the address, or what its `base` element says.
    pub base: Url,
    /// Its tree.
    pub dom: Dom,
    /// The encoding its bytes were read in.
    pub encoding: &'static str,
    /// What was odd about it.
    pub problems: Vec<Problem>,
}

impl Page {
    /// Reads a response as a page. It is total: any bytes give a tree.
    ///
    /// ```
    /// use untemplate::page::{Name, Page, ParseOptions, Response};
    /// let url = "http://team.example/".parse().expect("a good address");
    /// let page = Page::read(&Response::html(url, "<title>Cup</title><p>Final"), &ParseOptions::default());
    /// let title = page.dom.find(Name::TITLE).expect("the page has a title");
    /// assert_eq!(page.dom.visible_text(title), "Cup");
    /// ```
    pub fn read(response: &Response, options: &ParseOptions) -> Self {
        let html = read_html(&response.body, response.content_type.as_deref(), options);
        let mut problems = response.problems.clone();
        problems.extend(html.problems);
        let base = find_base(&html.dom, &response.url).unwrap_or_else(|| response.url.clone());
        Self {
            url: response.url.clone(),
            base,
            dom: html.dom,
            encoding: html.encoding,
            problems,
        }
    }

    /// Where a reference on this page leads; `None` for what is no page.
    pub fn resolve(&self, reference: &str) -> Option<Url> {
        address::resolve_encoded(&self.base, reference, self.encoding)
    }
}

/// What the first `base` element with an address says.
fn find_base(dom: &Dom, url: &Url) -> Option<Url> {
    let base = dom
        .offered_nodes()
        .find_map(|node| match dom.is_html(node, Name::BASE) {
            true => dom.attribute(node, Name::HREF),
            false => None,
        })?;
    address::resolve(url, base)
}

impl Response {
    /// A page that came without a word about its encoding.
    pub fn html(url: Url, body: impl Into<Vec<u8>>) -> Self {
        Self {
            url,
            status: 200,
            content_type: None,
            body: body.into(),
            redirects: 0,
            problems: Vec::new(),
        }
    }

    /// Whether it can be read as a page: by its content type, or where that says nothing by its
    /// first bytes.
    pub fn is_html(&self) -> bool {
        let header = self.content_type.as_deref().unwrap_or("");
        let kind = header.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
        match kind.as_str() {
            "text/html" | "application/xhtml+xml" => true,
            "" | "text/plain" | "application/octet-stream" | "unknown/unknown" | "*/*" => looks_like_html(&self.body),
            _ => false,
        }
    }
}

/// Whether content that nobody named begins as pages do.
fn looks_like_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(body);
    let start = &body[..body.len().min(1024)];
    let text = start.trim_ascii_start();
    let begins_markup = text.first() == Some(&b'<')
        && text
            .get(1)
            .is_some_and(|byte| byte.is_ascii_alphabetic() || b"!?".contains(byte));
    begins_markup && !start.contains(&0)
}

impl Visit {
    /// What a response means to an algorithm: a page, a dead link, or a page that could not be
    /// fetched.
    pub fn of(response: &Response, options: &ParseOptions) -> Self {
        let url = &response.url;
        match response.status {
            200..=299 if response.is_html() => Self::Page(Page::read(response, options).into()),
            200..=299 => {
                let kind = response.content_type.as_deref().unwrap_or("content of an unknown kind");
                Self::Dead {
                    reason: format!("{url} is no HTML page but {kind}"),
                }
            }
            status @ (401..=403 | 407 | 408 | 425 | 429 | 451 | 500..=599) => Self::Failed {
                reason: format!("{url} answered with status {status}; {}", advice(status)),
            },
            status => Self::Dead {
                reason: format!("{url} answered with status {status}; {}", advice(status)),
            },
        }
    }
}

/// What to try when a page answers with an error.
fn advice(status: u16) -> &'static str {
    match status {
        401 | 403 | 407 | 451 => "it may want a login, or refuse programs",
        404 | 410 => "check the address",
        429 | 500..=599 => "try again later",
        _ => "look at it in a browser",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_kind(content_type: Option<&str>, body: &str, expected: bool) {
        let url = Url::parse("http://a.example/").expect("a good address");
        let response = Response {
            content_type: content_type.map(str::to_owned),
            ..Response::html(url, body)
        };
        assert_eq!(response.is_html(), expected, "{content_type:?} {body:?}");
    }

    #[test]
    fn pages_are_told_by_their_type_or_their_start() {
        check_kind(Some("Text/HTML; charset=utf-8"), "plain", true);
        check_kind(Some("image/png"), "<html>", false);
        check_kind(None, "  <!doctype html>", true);
        check_kind(None, "just text", false);
        check_kind(Some("text/plain"), "<p>page", true);
        check_kind(None, "<\0", false);
    }

    #[test]
    fn the_base_element_moves_links() {
        let url = Url::parse("http://a.example/x/").expect("a good address");
        let page = Page::read(
            &Response::html(url, "<base target=_top><base href='/y/'>"),
            &ParseOptions::default(),
        );
        assert_eq!(page.base.as_str(), "http://a.example/y/");
    }
}
