//! Data of small pages in each syntax, and arbitrary pages: nothing panics, everything ends.

#![allow(clippy::disallowed_methods)]

use expect_test::{Expect, expect};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{page_data, show_data};
use crate::page::{Page, ParseOptions, Response};

fn page(body: impl Into<Vec<u8>>) -> Page {
    let url = "http://shop.example/lamps/1".parse().expect("an address");
    Page::read(&Response::html(url, body), &ParseOptions::default())
}

fn check(html: &str, expected: Expect) {
    expected.assert_eq(&show_data(&page_data(&page(html))));
}

#[test]
fn json_ld() {
    check(
        r##"<script type="application/ld+json">
        {"@context": "https://schema.org", "@type": "Product", "@id": "#lamp", "name": " Lamp ", "https://schema.org/sku": 7,
         "offers": {"@type": ["Offer", "http://schema.org/Demand"], "price": "9.90", "seller": {"@id": "/shop"}},
         "colour": ["red", {"@value": "blue"}, null], "tags": {"@list": ["a", true]}}
        </script><script type="application/ld+json">/* no */ {</script>
        <script type="application/LD+JSON; charset=utf-8"><!-- {"@graph": [{"@type": "Person"}, {"name": "Bo"}]}; --></script>"##,
        expect![[r#"
            JSON-LD Product <http://shop.example/lamps/1#lamp>
              colour: red
              colour: blue
              sku: 7
              name: Lamp
              offers: Offer Demand
                price: 9.90
                seller: http://shop.example/shop
              tags: a
              tags: true
            JSON-LD Person
            JSON-LD item
              name: Bo
            problem bad data: JSON-LD that is no JSON: expected value at line 1 column 1
        "#]],
    );
}

#[test]
fn microdata() {
    check(
        r#"<div itemscope itemtype="https://schema.org/Product" itemid="/lamps/1" itemref="extra"><h1 itemprop="name">A <b>lamp</b></h1>
        <div itemprop="offers" itemscope itemtype="http://schema.org/Offer"><meta itemprop="price" content="9.90">
        <a itemprop="url sameAs" href="/buy">buy</a></div><time itemprop="released" datetime="2004-06-25">June</time></div>
        <p id="extra">Made by <span itemprop="brand">Bo</span></p><p itemprop="lost">nobody's</p>"#,
        expect![[r#"
            microdata Product <http://shop.example/lamps/1>
              name: A lamp
              offers: Offer
                price: 9.90
                url: http://shop.example/buy
                sameAs: http://shop.example/buy
              released: 2004-06-25
              brand: Bo
        "#]],
    );
    // Items that refer to each other end.
    check(
        r#"<div itemscope itemref="b" id="a"></div><div id="b" itemprop="friend" itemscope itemref="c"></div>
        <div id="c" itemprop="friend" itemscope itemref="b"></div>"#,
        expect![[r#"
            microdata item
              friend: item
                friend: item
        "#]],
    );
}

#[test]
fn rdfa_and_open_graph() {
    check(
        r#"<meta property="og:type" content="product"><meta property="og:title" content="Lamp"><meta name="twitter:card" content="summary">
        <meta property="og:url" content="/lamps/1"><meta name="viewport" content="x">
        <div vocab="https://schema.org/" typeof="schema:Person" resource="/bo"><span property="name">Bo</span>
        <a property="url" href="/bo.html">page</a><div property="address" typeof="PostalAddress"><i property="addressLocality">Ghent</i></div>
        <span property="birthDate" content="1905-01-01">then</span></div>"#,
        expect![[r#"
            RDFa Person <http://shop.example/bo>
              name: Bo
              url: http://shop.example/bo.html
              address: PostalAddress
                addressLocality: Ghent
              birthDate: 1905-01-01
            OpenGraph product <http://shop.example/lamps/1>
              og:title: Lamp
              twitter:card: summary
        "#]],
    );
    check("<p>nothing", expect![""]);
}

#[test]
fn items_that_multiply_are_cut() {
    let mut html = String::from("<div itemscope itemref='r0 s0'></div>");
    for level in 0..40 {
        for name in ["r", "s"] {
            let next = level + 1;
            html += &format!("<div id={name}{level} itemprop=p itemscope itemref='r{next} s{next}'></div>");
        }
    }
    let data = page_data(&page(html));
    assert_eq!(data.problems.len(), 1, "{:?}", data.problems);
}

/// Pieces of data, good and broken, to be put together at random.
const PIECES: [&str; 18] = [
    "<script type=application/ld+json>",
    "</script>",
    "{\"@type\": \"T\", \"a\": [",
    "{\"@graph\": [",
    "]}",
    "\"x\", 1, null,",
    "{\"@id\": \"\"}",
    "<div itemscope itemref='a b' id=a>",
    "<div itemscope itemprop='p q' id=b itemref=a>",
    "</div>",
    "<meta itemprop=m content=c>",
    "<a itemprop=u href='//['>",
    "<p typeof=T property=p>",
    "<p property='q r'>",
    "<meta property=og:x content=y>",
    "<time itemprop=t>",
    "text",
    "<table><td>",
];

#[test]
fn fuzz_page_data() {
    let seconds = std::env::var("UNTEMPLATE_FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse::<u64>().ok());
    let config = Config {
        cases: seconds.map_or(128, |seconds| u32::try_from(seconds * 400).unwrap_or(u32::MAX)),
        failure_persistence: None,
        ..Config::default()
    };
    let pieces = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60);
    let bytes = prop::collection::vec(any::<u8>(), 0..200);
    let mut runner = TestRunner::new(config);
    let ended = runner.run(&(pieces, bytes), |(pieces, bytes)| {
        let mut html = pieces.concat().into_bytes();
        html.extend(bytes);
        let page = page(html);
        let data = page_data(&page);
        prop_assert_eq!(&data, &page_data(&page));
        show_data(&data);
        Ok(())
    });
    ended.unwrap_or_else(|failed| panic!("{failed}"));
}
