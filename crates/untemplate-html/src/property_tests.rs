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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_text_gives_a_tree(html in any_html(), scripting: bool) {
        let options = ParseOptions { scripting, ..ParseOptions::default() };
        check_tree(&parse_html(&html, &options).0);
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
}
