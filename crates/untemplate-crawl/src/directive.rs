//! Directives: what a page and its answer ask of crawlers beyond robots.txt.
//!
//! In: `X-Robots-Tag` headers and a [`Page`]. Out: whether its links may be followed. Where several
//! directives apply, the strictest counts, as with search engines. Directives about listing in an
//! index for the public, snippets, translation, archiving by others and dates say nothing on
//! following links or keeping pages for one's own use, and are passed over.

use untemplate::page::{Name, NodeId, Page};

/// Whether `X-Robots-Tag` headers let the links of a page be followed; `agent` is the crawler's
/// product token. A part may begin with the name of the agent it is for, which counts up to the
/// next name.
pub fn headers_allow_following(headers: &[&str], agent: &str) -> bool {
    headers.iter().all(|header| {
        let mut is_for_us = true;
        header.split(',').all(|part| {
            let part = part.trim();
            let word = match part.split_once(':') {
                Some((name, rest)) if is_agent(name.trim()) => {
                    is_for_us = name.trim().eq_ignore_ascii_case(agent);
                    rest
                }
                _ => part,
            };
            !(is_for_us && forbids_following(word))
        })
    })
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

/// Whether a directive asks that links are not followed.
fn forbids_following(word: &str) -> bool {
    ["none", "nofollow"]
        .iter()
        .any(|known| word.trim().eq_ignore_ascii_case(known))
}

/// Whether the `meta` elements of a page let its links be followed, by all crawlers or by this one.
pub fn page_allows_following(page: &Page, agent: &str) -> bool {
    let dom = &page.dom;
    let metas = dom.nodes().filter(|&node| dom.is_html(node, Name::META));
    let mut ours = metas.filter(|&node| {
        let name = dom.attribute(node, Name::NAME).unwrap_or("").trim();
        name.eq_ignore_ascii_case("robots") || name.eq_ignore_ascii_case(agent)
    });
    ours.all(|node| {
        let content = dom.attribute(node, Name::CONTENT).unwrap_or("");
        !content.split([',', ' ', ';']).any(forbids_following)
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::page::{ParseOptions, Response, links};

    fn page(html: &str) -> Page {
        let url = "http://a.example/".parse().expect("a good address");
        Page::read(&Response::html(url, html), &ParseOptions::default())
    }

    fn check_headers(headers: &[&str], expected: bool) {
        assert_eq!(headers_allow_following(headers, "untemplate"), expected, "{headers:?}");
    }

    #[test]
    fn headers_speak_to_all_or_to_one() {
        check_headers(&[], true);
        check_headers(&["noindex"], true);
        check_headers(&["NoIndex , nofollow"], false);
        check_headers(&["noindex", "nofollow"], false);
        check_headers(&["none"], false);
        check_headers(&["googlebot: noindex, nofollow"], true);
        check_headers(&["googlebot: noindex", "nofollow"], false);
        check_headers(&["Untemplate: nofollow"], false);
        check_headers(&["otherbot: noindex, untemplate: nofollow, noarchive"], false);
        check_headers(&["unavailable_after: 25 Jun 2010 15:00:00 PST"], true);
        check_headers(&["unavailable_after: Friday, 25-Jun-10 15:00:00 UTC, nofollow"], false);
        check_headers(&["max-snippet: 20, nofollow"], false);
        check_headers(&["", ",,:,", "\u{0}:é"], true);
    }

    fn check_page(html: &str, expected: bool) {
        assert_eq!(page_allows_following(&page(html), "untemplate"), expected, "{html}");
    }

    #[test]
    fn meta_elements_speak_too() {
        check_page("<p>", true);
        check_page("<meta name=ROBOTS content='NOINDEX,NOFOLLOW'>", false);
        check_page("<meta name=robots content='index, nofollow'>", false);
        check_page(
            "<meta name=robots content=all><meta name=untemplate content=none>",
            false,
        );
        check_page("<meta name=googlebot content=none>", true);
        check_page("<meta property=robots content=none><meta name=robots>", true);
    }

    #[test]
    fn links_ask_for_themselves() {
        let page = page(concat!(
            "<a href=1>1</a><a href=2 rel='noopener NOFOLLOW'>2</a><a href=3 rel=ugc>3</a>",
            "<a href=4 rel=sponsored>4</a><a href=5 rel=nofollower>5</a>",
        ));
        let followed = links(&page).into_iter().filter(|link| !is_nofollow(&page, link.node));
        let paths: Vec<String> = followed.map(|link| link.url.path().to_owned()).collect();
        assert_eq!(paths, ["/1", "/5"]);
    }
}
