//! Data for programs that no reader sees: what a page says in JSON-LD, microdata, RDFa or OpenGraph
//! and nowhere else, and the title of a page without headings.
//!
//! In: a page and what a reader sees of it. Out: label-value pairs for the rest, in a group of
//! their own behind all else, so that whoever compares pages treats them as any other pair: what is
//! the same on all pages is the frame of the site, what varies is a column by the name that the
//! data has for it. What the page shows as well is left out, since it has its place there: a number
//! in whatever spelling, a date whose day and year stand on the page. So is what is about the site
//! and not the page, texts that are long, and addresses. Of what is shown, the property that an
//! element is marked as is its name ([`given_name`]), before any class.

use std::collections::HashSet;
use std::rc::Rc;

use crate::page::{DataItem, DataSyntax, DataValue, Dom, Name, NodeId, Page, page_data};

use super::block::BlockKind;
use super::draft::Draft;
use super::grid::CAPTION_RANK;

/// The most pairs of a page. Products and articles have ten to twenty properties.
const PAIRS_MAX: usize = 40;

/// The most bytes of a value: longer ones are prose, which pages show in other words.
const VALUE_BYTES_MAX: usize = 200;

/// What the group is called.
const NAME: &str = "data";

/// The label of a page's title.
const TITLE: &str = "title";

/// Types that say where a page stands, and not what it is about.
const ABOUT_SITE: [&str; 10] = [
    "WebSite",
    "WebPage",
    "CollectionPage",
    "BreadcrumbList",
    "ItemList",
    "ListItem",
    "SearchAction",
    "SiteNavigationElement",
    "ImageObject",
    "WPHeader",
];

/// What an element is called by whoever wrote the page: the property that its text is
/// (`itemprop="price"`), or else its first class.
pub(super) fn given_name(dom: &Dom, node: NodeId) -> Option<&str> {
    let property = [Name::ITEMPROP, Name::PROPERTY].iter().find_map(|&name| {
        let first = dom.attribute(node, name)?.split_whitespace().next()?;
        first.rsplit(['/', ':']).next().filter(|name| !name.is_empty())
    });
    property.or_else(|| dom.attribute(node, Name::CLASS)?.split_whitespace().next())
}

/// The pairs of a page that are in its data alone; none where there are none.
pub(super) fn unseen_data(page: &Page, seen: &[Draft]) -> Option<Draft> {
    let mut found = Vec::new();
    if may_have_data(page) {
        for item in page_data(page).items {
            collect(&item, "", &mut found);
        }
    }
    let title = page.dom.find(Name::TITLE).filter(|_| !seen.iter().any(has_heading));
    let title = title.map(|node| page.dom.visible_text(node)).unwrap_or_default();
    if found.is_empty() && title.is_empty() {
        return None;
    }
    let seen = Seen::of(seen);
    let mut labels: HashSet<String> = HashSet::new();
    let mut pairs = Vec::new();
    for (label, value) in found {
        // A name that is there twice is a list, whose values mean nothing alone.
        if pairs.len() < PAIRS_MAX && !seen.shows(&value) && labels.insert(label.clone()) {
            pairs.push(pair(label, value, NAME));
        }
    }
    // A page without headings is called what its title says.
    if !title.is_empty() && title.len() <= VALUE_BYTES_MAX && !seen.shows(&title) && labels.insert(TITLE.to_owned()) {
        pairs.push(pair(TITLE.to_owned(), title, TITLE));
    }
    (!pairs.is_empty()).then(|| Draft::new(BlockKind::Group, NAME.into(), NodeId(0), pairs))
}

/// Whether a page has anything of the kind. Most have none, and are not looked through.
fn may_have_data(page: &Page) -> bool {
    let dom = &page.dom;
    let kind = dom.names().find("type");
    let is_json_ld = |node: NodeId| {
        let kind = kind.and_then(|kind| dom.attribute(node, kind));
        kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/ld+json"))
    };
    let has_data = |node: NodeId| match dom.name(node) {
        Some(Name::SCRIPT) => is_json_ld(node),
        _ => dom.attribute(node, Name::ITEMPROP).is_some() || dom.attribute(node, Name::PROPERTY).is_some(),
    };
    dom.nodes().any(has_data)
}

/// Whether a block is marked up as a heading or holds one that is.
fn has_heading(block: &Draft) -> bool {
    block.kind == BlockKind::Heading && block.rank < CAPTION_RANK || block.children.iter().any(has_heading)
}

fn pair(label: String, value: String, name: &str) -> Draft {
    let text = |kind: BlockKind, text: String| Draft {
        text,
        ..Draft::new(kind, Rc::from(name), NodeId(0), Vec::new())
    };
    let parts = vec![text(BlockKind::Label, label), text(BlockKind::Line, value)];
    Draft::new(BlockKind::Pair, NAME.into(), NodeId(0), parts)
}

/// The labels and values of an item that is about the page, and of the items in it.
fn collect(item: &DataItem, around: &str, found: &mut Vec<(String, String)>) {
    if item.types.iter().any(|kind| ABOUT_SITE.contains(&kind.as_str())) {
        return;
    }
    for (name, value) in &item.properties {
        // What OpenGraph has of every page is its title, picture and address once more.
        if item.syntax == DataSyntax::OpenGraph && (name.starts_with("og:") || !name.contains(':')) {
            continue;
        }
        let label = match (name.as_str(), around) {
            // The name of a brand is the brand.
            ("name" | "@value", around) if !around.is_empty() => around.to_owned(),
            _ => words_of(name),
        };
        match value {
            DataValue::Text(text) => {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                if is_value(&text) && !label.is_empty() {
                    found.push((label, text));
                }
            }
            DataValue::Item(inner) => collect(inner, &words_of(name), found),
        }
    }
}

/// Whether a text is a value of its own, and no prose, address or term of a vocabulary.
fn is_value(text: &str) -> bool {
    !text.is_empty() && text.len() <= VALUE_BYTES_MAX && !text.contains("://") && !text.starts_with(['/', '#', '{'])
}

/// A property as words: `datePublished` is `date published`, `product:price:amount` is
/// `price amount`.
fn words_of(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = name.split_once(':').map_or(name, |(_, rest)| rest);
    let mut words = String::new();
    for letter in name.chars() {
        match letter {
            ':' | '_' | '-' | '.' => words.push(' '),
            '@' => {}
            letter if letter.is_uppercase() => {
                if words.chars().last().is_some_and(char::is_lowercase) {
                    words.push(' ');
                }
                words.extend(letter.to_lowercase());
            }
            letter => words.push(letter),
        }
    }
    words.trim().to_owned()
}

/// What a reader sees, to look values up in.
struct Seen {
    /// All of it in lower case.
    text: String,
    /// The same without what may stand between digits.
    digits: String,
    numbers: HashSet<String>,
}

impl Seen {
    fn of(blocks: &[Draft]) -> Self {
        let mut text = String::new();
        blocks.iter().for_each(|block| push_texts(block, &mut text));
        let text = text.to_lowercase();
        let is_digit = |c: char| c.is_ascii_digit();
        let numbers = text.split(|c: char| !is_digit(c)).filter(|part| !part.is_empty());
        Self {
            numbers: numbers
                .map(|number| number.trim_start_matches('0').to_owned())
                .collect(),
            digits: text
                .chars()
                .filter(|c| !matches!(c, ',' | '.' | '\'' | '\u{a0}' | '\u{202f}'))
                .collect(),
            text,
        }
    }

    /// Whether a reader sees a value.
    fn shows(&self, value: &str) -> bool {
        self.text.contains(&value.to_lowercase()) || self.shows_number(value) || self.shows_date(value)
    }

    fn shows_number(&self, value: &str) -> bool {
        let Ok(number) = value.parse::<f64>() else {
            return false;
        };
        let digits: String = number.to_string().chars().filter(char::is_ascii_digit).collect();
        self.digits.contains(&digits)
    }

    fn shows_date(&self, value: &str) -> bool {
        let Some((year, rest)) = value.get(..10).and_then(|date| date.split_once('-')) else {
            return false;
        };
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let Some((month, day)) = rest.split_once('-') else {
            return false;
        };
        let has = |number: &str| self.numbers.contains(number.trim_start_matches('0'));
        year.len() == 4 && is_number(year) && is_number(month) && is_number(day) && has(year) && has(day)
    }
}

fn push_texts(block: &Draft, text: &mut String) {
    text.push_str(&block.text);
    text.push('\n');
    block.children.iter().for_each(|child| push_texts(child, text));
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::content::{Content, show_content};
    use crate::page::{Page, ParseOptions, Response};

    fn check(html: &str, expected: Expect) {
        let url = "http://shop.example/a.html".parse().expect("a good address");
        let content = Content::of(&Page::read(&Response::html(url, html), &ParseOptions::default()));
        expected.assert_eq(&show_content(&content));
    }

    #[test]
    fn what_stands_in_data_alone_is_a_pair() {
        check(
            r#"<script type="application/ld+json">{"@type": "Product", "name": "Lamp", "sku": "L-17", "url": "http://shop.example/a.html",
                "releaseDate": "2024-05-07", "weight": 1299, "brand": {"@type": "Brand", "name": "Acme"}, "offers": {"price": 9.9, "priceCurrency": "EUR"}}</script>
               <meta property="og:title" content="Some title"><meta property="product:condition" content="used">
               <p>Lamp<p>9,90 on 7 May 2024, 1.299 g"#,
            expect![[r#"
                page
                  Lamp
                  9,90 on 7 May 2024, 1.299 g
                  group data
                    pair
                      label: brand
                      Acme
                    pair
                      label: price currency
                      EUR
                    pair
                      label: sku
                      L-17
                    pair
                      label: condition
                      used
            "#]],
        );
    }

    #[test]
    fn what_is_about_the_site_is_no_value() {
        check(
            r#"<script type="application/ld+json">{"@type": "BreadcrumbList", "name": "Way"}</script><p>Lamp"#,
            expect![[r#"
                page
                  Lamp
            "#]],
        );
    }

    #[test]
    fn a_page_without_headings_is_called_what_its_title_says() {
        check(
            "<title>Tiles: Penguin 1</title><b>Download</b><p>Free of charge",
            expect![[r#"
                page
                  section 7
                    heading: Download
                    Free of charge
                  group data
                    pair
                      label: title
                      Tiles: Penguin 1
            "#]],
        );
        check(
            "<title>Tiles: Penguin 1</title><p>Tiles: Penguin 1<p>Free",
            expect![[r#"
            page
              Tiles: Penguin 1
              Free
        "#]],
        );
        check(
            "<title>Tiles: Penguin 1</title><h2>Penguin 1</h2><p>Free",
            expect![[r#"
            page
              section 2
                heading: Penguin 1
                Free
        "#]],
        );
    }
}
