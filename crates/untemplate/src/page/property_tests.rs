//! Property tests: what holds of every tree, whatever bytes it came from.

use proptest::prelude::*;

use super::*;

/// Text with the pieces that make trees: tags that nest, misnest, foster and close one another.
fn any_html() -> impl Strategy<Value = String> {
    let names = prop::sample::select(vec![
        "a",
        "b",
        "i",
        "p",
        "div",
        "table",
        "tr",
        "td",
        "tbody",
        "caption",
        "ul",
        "li",
        "select",
        "option",
        "form",
        "svg",
        "title",
        "math",
        "mi",
        "template",
        "script",
        "textarea",
        "frameset",
        "body",
        "html",
        "head",
        "br",
        "font",
        "x-y",
        "nobr",
        "button",
        "foreignobject",
        "colgroup",
        "col",
        "h1",
        "pre",
        "plaintext",
    ]);
    let piece = prop_oneof![
        4 => names.clone().prop_map(|name| format!("<{name}>")),
        3 => names.clone().prop_map(|name| format!("</{name}>")),
        1 => names.prop_map(|name| format!("<{name} href=x class='c d' id=\"&amp;\" color>")),
        2 => "[ -~\\n\\x00é]{0,6}",
        1 => prop::sample::select(vec!["<!--x-->", "<![CDATA[y]]>", "<!doctype html>", "&lt;", "<?pi?>", "</", "<"]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// Checks that the arena is a tree in document order.
pub(super) fn check_tree(dom: &Dom) {
    assert_eq!(dom.subtree_end(NodeId::DOCUMENT).index(), dom.len());
    for node in dom.nodes() {
        let end = dom.subtree_end(node);
        assert!(node < end, "a node is inside its own subtree");
        if let Some(parent) = dom.parent(node) {
            assert!(
                parent < node && end <= dom.subtree_end(parent),
                "parents come first and hold their children whole"
            );
            assert_eq!(dom.depth(node), dom.depth(parent) + 1);
            assert_eq!(dom.ancestors(node).count(), dom.depth(node));
        }
        let children: Vec<NodeId> = dom.children(node).collect();
        assert_eq!(dom.first_child(node), children.first().copied());
        let spans: usize = children.iter().map(|&child| dom.subtree(child).len()).sum();
        assert_eq!(
            spans + 1,
            dom.subtree(node).len(),
            "children cover their parent's subtree"
        );
        assert!(children.iter().all(|&child| dom.parent(child) == Some(node)));
    }
}

/// Path numbers are equal exactly where the paths' texts are.
fn check_paths(dom: &Dom, alphabet: Alphabet) {
    let mut interner = PathInterner::new(alphabet);
    let nodes: Vec<NodeId> = dom.nodes().skip(1).collect();
    let all = interner.paths(dom, &nodes);
    for (&node, &path) in nodes.iter().zip(&all) {
        assert_eq!(
            interner.path(dom, node),
            path,
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
pub(super) fn check_tokens(dom: &Dom) {
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_gives_a_tree(html in any_html(), scripting: bool) {
        let options = ParseOptions { scripting, ..ParseOptions::default() };
        let (dom, _) = parse_html(&html, &options);
        check_tree(&dom);
        check_tokens(&dom);
        for alphabet in [Alphabet::Tag, Alphabet::TagAttributes(AttributeFilter::default()), Alphabet::TagPosition] {
            check_paths(&dom, alphabet);
        }
    }

    #[test]
    fn a_shallow_limit_still_gives_a_tree(html in any_html(), depth_max in 3usize..8) {
        let limits = Limits { depth_max, nodes_max: 60, attributes_max: 2, ..Limits::default() };
        let (dom, _) = parse_html(&html, &ParseOptions { scripting: false, limits });
        check_tree(&dom);
    }

    #[test]
    fn text_survives(text in "[a-zéß< &]{0,40}") {
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
        let (dom, _) = parse_html(&format!("<div>{escaped}</div>"), &ParseOptions::default());
        let div = dom.find(Name::DIV).expect("the page has one");
        prop_assert_eq!(dom.children(div).map(|node| dom.text(node)).collect::<String>(), text);
    }

    #[test]
    fn distance_is_a_metric(left in prop::collection::vec(0u32..20, 0..12), right in prop::collection::vec(0u32..20, 0..12)) {
        let schema = |paths: &[u32]| paths.iter().map(|&path| PathId(path)).collect::<PageSchema>();
        let (left, right) = (schema(&left), schema(&right));
        prop_assert_eq!(left.distance(&right), right.distance(&left));
        prop_assert_eq!(left.distance(&right) == 0, left == right);
        prop_assert_eq!(left.union(&right).paths().len(), left.shared(&right) + left.distance(&right));
    }
}
