//! Property tests: what holds of the paths, tokens and links of every page, whatever bytes it came
//! from. `UNTEMPLATE_FUZZ_SECONDS` lets `fuzz_page` run for longer. That every text gives a tree is
//! tested with the parser.

#![allow(clippy::disallowed_methods)]

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::*;

/// Pieces of pages: tags that nest, misnest and close one another, links, and what only looks like
/// a tag.
const PIECES: [&str; 30] = [
    "<a href=x>",
    "<a href='//['>",
    "<a href=\"&#x2F;y?a=b#c\" class='c d'>",
    "</a>",
    "<b>",
    "</b>",
    "<p>",
    "</p>",
    "<div id=i class=c>",
    "</div>",
    "<table>",
    "<tr>",
    "<td width=10>",
    "</table>",
    "<ul>",
    "<li>",
    "<frameset>",
    "<frame src=f>",
    "<svg><title>",
    "</svg>",
    "<template>",
    "<script>",
    "</script>",
    "<base href=/z/>",
    "<map><area href=q>",
    "<!--x-->",
    "&lt;",
    "text",
    " \n",
    "<x-y z=é>",
];

fn any_html() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60).prop_map(|pieces| pieces.concat())
}

/// Path numbers are equal exactly where the paths' texts are.
fn check_paths(dom: &Dom, alphabet: Alphabet) {
    let mut interner = PathInterner::new(alphabet);
    let nodes: Vec<NodeId> = dom.nodes().skip(1).collect();
    let all = interner.paths(dom, &nodes);
    for (&node, &path) in nodes.iter().zip(&all) {
        assert_eq!(
            interner.paths(dom, &[node]),
            [path],
            "alone or among others, a node has one path"
        );
        let parent = dom.parent(node).expect("only the document has none");
        let above = if parent == NodeId::DOCUMENT {
            PathId::ROOT
        } else {
            all[parent.index() - 1]
        };
        assert_eq!(interner.parent(path), above);
    }
    let mut by_text: Vec<(String, PathId)> = all.iter().map(|&path| (interner.text(path), path)).collect();
    by_text.sort();
    by_text.dedup();
    assert!(
        by_text.windows(2).all(|pair| pair[0].0 != pair[1].0),
        "one text, one number"
    );
}

/// Open and close tags balance, and depths fit.
fn check_tokens(dom: &Dom) {
    let mut interner = TokenInterner::default();
    let mut open = Vec::new();
    for token in interner.tokens(dom) {
        match token.kind {
            PageTokenKind::Open => open.push(token),
            PageTokenKind::Close => {
                let opened = open.pop().expect("a close tag has an open tag");
                assert_eq!(
                    (opened.node, opened.code, opened.depth),
                    (token.node, token.code, token.depth)
                );
            }
            PageTokenKind::Text => assert!(!interner.text(token.code).is_empty()),
        }
    }
    assert!(open.is_empty());
}

/// Reads a page and goes over it in every way there is.
fn check_page(body: Vec<u8>) {
    let url = "http://fuzz.example/".parse().expect("a good address");
    let page = Page::read(&Response::html(url, body), &ParseOptions::default());
    check_tokens(&page.dom);
    for alphabet in [
        Alphabet::TagAttributes(AttributeFilter::default()),
        Alphabet::TagPosition,
    ] {
        link_collections(&page, &mut PathInterner::new(alphabet));
    }
    show_page(&page);
}

#[test]
fn fuzz_page() {
    let seconds = std::env::var("UNTEMPLATE_FUZZ_SECONDS").ok();
    let seconds: u32 = seconds.and_then(|text| text.parse().ok()).unwrap_or(0);
    let bytes = prop::collection::vec(any::<u8>(), 0..400);
    let pieces = prop_oneof![any_html().prop_map(String::into_bytes), bytes];
    let bodies = prop::collection::vec(pieces, 1..4).prop_map(|pieces| pieces.concat());
    let mut runner = TestRunner::new(Config::with_cases(200 + 1_000 * seconds));
    let checked = runner.run(&bodies, |body| {
        check_page(body);
        Ok(())
    });
    checked.expect("no page breaks this");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn paths_and_tokens_fit_every_tree(html in any_html(), scripting: bool) {
        let options = ParseOptions { scripting, ..ParseOptions::default() };
        let (dom, _) = parse_html(&html, &options);
        check_tokens(&dom);
        for alphabet in [Alphabet::Tag, Alphabet::TagAttributes(AttributeFilter::default()), Alphabet::TagPosition] {
            check_paths(&dom, alphabet);
        }
    }

    #[test]
    fn distance_is_a_metric(left in prop::collection::vec(0u32..20, 0..12), right in prop::collection::vec(0u32..20, 0..12)) {
        let schema = |paths: &[u32]| paths.iter().map(|&path| PathId(path)).collect::<PageSchema>();
        let (left, right) = (schema(&left), schema(&right));
        prop_assert_eq!(left.distance(&right), right.distance(&left));
        prop_assert_eq!(left.distance(&right) == 0, left == right);
    }
}
