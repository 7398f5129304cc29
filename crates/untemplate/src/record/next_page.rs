//! The next page: where a list goes on.
//!
//! In: a page. Out: the address of the page that continues it, if a link says so. In this order:
//! `rel=next`; a link whose words are those for "next"; the number after the one that is no link in
//! a row of page numbers.

use crate::page::{Link, Name, NodeId, Page, SiteScope, links, same_site};
use url::Url;

/// Where the list of a page goes on; `None` on the last page.
///
/// ```
/// use untemplate::page::{Page, ParseOptions, Response};
/// use untemplate::record::next_page;
/// let url = "http://shop.example/?page=1".parse().expect("a good address");
/// let page = Page::read(&Response::html(url, "<b>1</b> <a href='?page=2'>2</a> <a href='?page=2'>Next »</a>"), &ParseOptions::default());
/// assert_eq!(next_page(&page).expect("there is one").as_str(), "http://shop.example/?page=2");
/// ```
pub fn next_page(page: &Page) -> Option<Url> {
    let links: Vec<Link> = links(page)
        .into_iter()
        .filter(|link| link.url != page.url && same_site(&link.url, &page.url, SiteScope::Domain))
        .collect();
    let by_relation = links.iter().find(|link| is_related(page, link.node));
    let by_words = || links.iter().find(|link| says_next(page, link));
    by_relation
        .or_else(by_words)
        .map(|link| link.url.clone())
        .or_else(|| by_number(page, &links))
}

fn is_related(page: &Page, node: NodeId) -> bool {
    let relation = page.dom.attribute(node, Name::REL).unwrap_or("");
    relation
        .split_ascii_whitespace()
        .any(|word| word.eq_ignore_ascii_case("next"))
}

/// Whether the words of a link, or of its picture, are those for the next page and nothing else.
fn says_next(page: &Page, link: &Link) -> bool {
    let words = |text: &str| {
        let lower = text.to_lowercase();
        let bare: String = lower
            .chars()
            .filter(|c| !"»›>→&[]()«‹<|·.…0123456789".contains(*c))
            .collect();
        bare.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let text = link.text(&page.dom);
    let is_arrow = matches!(text.trim(), "»" | "›" | ">" | "→" | ">>");
    let said = words(&text);
    if is_arrow || NEXT_WORDS.contains(&said.as_str()) {
        return true;
    }
    let title = page.dom.attribute(link.node, Name::TITLE).unwrap_or("");
    said.is_empty() && NEXT_WORDS.contains(&words(title).as_str())
}

/// What links to the next page say, in the languages with the most pages.
const NEXT_WORDS: [&str; 31] = [
    "next",
    "next page",
    "next results",
    "next page of results",
    "next matches",
    "more results",
    "show more results",
    "older",
    "older posts",
    "older entries",
    "weiter",
    "nächste",
    "nächste seite",
    "suivant",
    "suivante",
    "page suivante",
    "siguiente",
    "página siguiente",
    "successiva",
    "successivo",
    "avanti",
    "próxima",
    "próximo",
    "volgende",
    "næste",
    "nästa",
    "neste",
    "seuraava",
    "następna",
    "следующая",
    "下一页",
];

/// How many links with numbers are looked at: a page with more is no row of page numbers.
const NUMBERED_MAX: usize = 300;

/// In a row of page numbers the page's own is no link, or is the number before the first that is
/// greater by one.
fn by_number(page: &Page, links: &[Link]) -> Option<Url> {
    let number = |text: &str| {
        text.trim()
            .trim_matches(['[', ']'])
            .parse::<u32>()
            .ok()
            .filter(|number| *number < 100_000)
    };
    let numbered: Vec<(u32, &Link)> = links
        .iter()
        .filter_map(|link| Some((number(&link.text(&page.dom))?, link)))
        .take(NUMBERED_MAX)
        .collect();
    let dom = &page.dom;
    for (value, link) in &numbered {
        let around = dom.ancestors(link.node).take(3).find(|&node| {
            let inside = numbered
                .iter()
                .filter(|(_, other)| dom.contains(node, other.node))
                .count();
            inside > 1 || numbered.len() == 1
        });
        let Some(around) = around else { continue };
        let is_current = |node: NodeId| {
            let is_link = dom
                .ancestors(node)
                .take(4)
                .any(|above| dom.is_html(above, Name::A) && dom.attribute(above, Name::HREF).is_some());
            dom.is_text(node)
                && !is_link
                && dom
                    .text(node)
                    .split_whitespace()
                    .any(|word| number(word) == Some(value.saturating_sub(1)))
        };
        if *value > 1 && dom.subtree(around).any(is_current) {
            return Some(link.url.clone());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{ParseOptions, Response};

    fn check_next(html: &str, expected: Option<&str>) {
        let url = Url::parse("http://a.example/list?p=2").expect("a good address");
        let page = Page::read(&Response::html(url, html), &ParseOptions::default());
        let next = next_page(&page).map(|url| url[url::Position::BeforePath..].to_owned());
        assert_eq!(next.as_deref(), expected, "{html}");
    }

    #[test]
    fn relations_words_and_numbers_lead_on() {
        check_next("<link rel=next href='?p=3'>", Some("/list?p=3"));
        check_next(
            "<a href='?p=1'>Previous</a> <a href='?p=3'>Next »</a>",
            Some("/list?p=3"),
        );
        check_next("<a href='?p=3'><img alt='Next page'></a>", Some("/list?p=3"));
        check_next("<a href='?p=3'>Next 10 results</a>", Some("/list?p=3"));
        check_next(
            "<p><a href='?p=1'>1</a> <b>2</b> <a href='?p=3'>3</a></p>",
            Some("/list?p=3"),
        );
        check_next("<p><a href='?p=1'>1</a> 2</p>", None);
        check_next("<a href='/next-week'>Next week in sports</a>", None);
        check_next("<a href='http://b.example/'>Next</a>", None);
        check_next("<a href='?p=2'>Next</a>", None);
    }
}
