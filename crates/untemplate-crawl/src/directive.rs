//! Directives: what a page and its answer ask of crawlers beyond robots.txt.
//!
//! In: `X-Robots-Tag` headers and a [`Page`]. Out: [`Directives`]. Where several speak, the
//! strictest counts, as with search engines. Directives about snippets, translation, archiving by
//! others and dates (`unavailable_after`) say nothing on following links or keeping pages for one's
//! own use, and are passed over.

use untemplate::page::{Link, Name, NodeId, Page, links};

/// What may be done with a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directives {
    /// Whether its links may be followed.
    pub follow: bool,
    /// Whether it may be listed in an index for the public.
    pub index: bool,
}

impl Directives {
    /// Nothing was asked: all may be done.
    pub const NONE: Self = Self {
        follow: true,
        index: true,
    };

    /// What both allow.
    pub fn and(self, other: Self) -> Self {
        Self {
            follow: self.follow && other.follow,
            index: self.index && other.index,
        }
    }
}

/// What a page asks by its headers and in itself; `agent` is the crawler's product token.
pub fn directives(headers: &[&str], page: &Page, agent: &str) -> Directives {
    header_directives(headers, agent).and(page_directives(page, agent))
}

/// What `X-Robots-Tag` headers ask. A part may begin with the name of the agent it is for, which
/// counts up to the next name.
pub fn header_directives(headers: &[&str], agent: &str) -> Directives {
    let all = headers.iter().map(|header| {
        let mut is_for_us = true;
        header.split(',').fold(Directives::NONE, |directives, part| {
            let part = part.trim();
            let word = match part.split_once(':') {
                Some((name, rest)) if is_agent(name.trim()) => {
                    is_for_us = name.trim().eq_ignore_ascii_case(agent);
                    rest
                }
                _ => part,
            };
            if is_for_us {
                directives.and(meaning(word))
            } else {
                directives
            }
        })
    });
    all.fold(Directives::NONE, Directives::and)
}

/// Directives that have a value after a colon, so that their name is no agent's.
const WITH_VALUE: [&str; 4] = [
    "unavailable_after",
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
];

fn is_agent(name: &str) -> bool {
    let is_token = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '*');
    let has_letter = name.chars().any(|c| c.is_ascii_alphabetic() || c == '*');
    has_letter && name.chars().all(is_token) && !WITH_VALUE.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// What one word asks.
fn meaning(word: &str) -> Directives {
    let is = |known: &str| word.trim().eq_ignore_ascii_case(known);
    let is_none = is("none");
    Directives {
        follow: !is_none && !is("nofollow"),
        index: !is_none && !is("noindex"),
    }
}

/// What the `meta` elements of a page ask, of all crawlers or of this one.
pub fn page_directives(page: &Page, agent: &str) -> Directives {
    let dom = &page.dom;
    let metas = dom.nodes().filter(|&node| dom.is_html(node, Name::META));
    let ours = metas.filter(|&node| {
        let name = dom.attribute(node, Name::NAME).unwrap_or("").trim();
        name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(agent)
    });
    ours.filter_map(|node| dom.attribute(node, Name::CONTENT))
        .flat_map(|content| content.split([',', ' ', ';']))
        .fold(Directives::NONE, |directives, word| directives.and(meaning(word)))
}

/// Whether a link asks not to be followed: `nofollow`, or the two words for links that others wrote
/// or paid for.
pub fn is_nofollow(page: &Page, link: NodeId) -> bool {
    let relation = page.dom.attribute(link, Name::REL).unwrap_or("");
    let is_refusal = |word: &str| {
        ["nofollow", "ugc", "sponsored"]
            .iter()
            .any(|known| word.eq_ignore_ascii_case(known))
    };
    relation.split([' ', ',', '\t', '\n', '\r']).any(is_refusal)
}

/// The links of a page that may be followed, in document order.
pub fn followed_links(page: &Page, directives: Directives) -> Vec<Link> {
    if !directives.follow {
        return Vec::new();
    }
    let links = links(page).into_iter();
    links.filter(|link| !is_nofollow(page, link.node)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::page::{ParseOptions, Response};

    fn page(html: &str) -> Page {
        let url = "http://a.example/".parse().expect("a good address");
        Page::read(&Response::html(url, html), &ParseOptions::default())
    }

    fn told(directives: Directives) -> &'static str {
        match (directives.follow, directives.index) {
            (true, true) => "all",
            (false, true) => "nofollow",
            (true, false) => "noindex",
            (false, false) => "none",
        }
    }

    fn check_headers(headers: &[&str], expected: &str) {
        assert_eq!(told(header_directives(headers, "untemplate")), expected, "{headers:?}");
    }

    #[test]
    fn headers_speak_to_all_or_to_one() {
        check_headers(&[], "all");
        check_headers(&["noindex"], "noindex");
        check_headers(&["NoIndex , nofollow"], "none");
        check_headers(&["noindex", "nofollow"], "none");
        check_headers(&["none"], "none");
        check_headers(&["googlebot: noindex, nofollow"], "all");
        check_headers(&["googlebot: noindex", "nofollow"], "nofollow");
        check_headers(&["Untemplate: nofollow"], "nofollow");
        check_headers(&["otherbot: noindex, untemplate: nofollow, noarchive"], "nofollow");
        check_headers(&["unavailable_after: 25 Jun 2010 15:00:00 PST"], "all");
        check_headers(
            &["unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow"],
            "nofollow",
        );
        check_headers(&["max-snippet: 20, noindex"], "noindex");
        check_headers(&["", ",,:,", "\u{0}:é"], "all");
    }

    fn check_page(html: &str, expected: &str) {
        assert_eq!(told(page_directives(&page(html), "untemplate")), expected, "{html}");
    }

    #[test]
    fn meta_elements_speak_too() {
        check_page("<p>", "all");
        check_page("<meta name=ROBOTS content='NOINDEX,NOFOLLOW'>", "none");
        check_page("<meta name=robots content='index, nofollow'>", "nofollow");
        check_page(
            "<meta name=robots content=all><meta name=untemplate content=noindex>",
            "noindex",
        );
        check_page("<meta name=googlebot content=none>", "all");
        check_page("<meta property=robots content=none><meta name=robots>", "all");
    }

    #[test]
    fn links_ask_for_themselves() {
        let page = page(concat!(
            "<a href=1>1</a><a href=2 rel='noopener NOFOLLOW'>2</a><a href=3 rel=ugc>3</a>",
            "<a href=4 rel=sponsored>4</a><a href=5 rel=nofollower>5</a>",
        ));
        let followed = |directives| {
            let links = followed_links(&page, directives).into_iter();
            links
                .map(|link| link.url.path().to_owned())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(followed(directives(&["noindex"], &page, "untemplate")), "/1 /5");
        assert_eq!(followed(directives(&["nofollow"], &page, "untemplate")), "");
    }
}
