//! Hostile pages: what comes out has nothing in it that does anything.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use untemplate::page::{Dom, Name, NodeId, Page, ParseOptions, Response, parse_html};

use super::sieve::{Sieve, sieved};

const SIEVE: Sieve<'static> = Sieve {
    nonce: "N",
    origin: "http://127.0.0.1:1",
    resources: "/r?u=",
    script: "own()",
    style: "",
};

fn sieved_page(html: &[u8]) -> String {
    let url = "http://evil.example/a/".parse().expect("a good address");
    sieved(
        &Page::read(&Response::html(url, html), &ParseOptions::default()),
        &SIEVE,
    )
}

/// The body that comes out, without the numbers of its elements.
fn check(html: &str, expected: Expect) {
    let out = sieved_page(html.as_bytes());
    check_harmless(&out);
    let body = out.split_once("<body").map_or("", |(_, body)| body);
    let mut shown = String::new();
    for piece in body.split(" data-n=\"") {
        let rest = piece
            .split_once('"')
            .filter(|(number, _)| number.bytes().all(|byte| byte.is_ascii_digit()));
        shown.push_str(rest.map_or(piece, |(_, rest)| rest));
    }
    expected.assert_eq(&format!("<body{}", shown.trim_end_matches("</body></html>")));
}

/// As a browser with scripts reads it: one script, ours; no handler, no frame, no address but ours.
fn check_harmless(out: &str) {
    let options = ParseOptions {
        scripting: true,
        ..ParseOptions::default()
    };
    let (dom, _) = parse_html(out, &options);
    let mut n_scripts = 0;
    for node in dom.nodes().filter(|&node| dom.is_element(node)) {
        let name = dom.name_text(node);
        n_scripts += usize::from(name == "script");
        let is_bad = [
            "iframe",
            "frame",
            "object",
            "embed",
            "base",
            "meta",
            "applet",
            "template",
            "foreignObject",
            "animate",
            "use",
            "portal",
        ];
        assert!(!is_bad.contains(&name), "{name} in {out}");
        for (attribute, value) in dom.attributes(node) {
            check_attribute(&dom, node, dom.names().text(attribute), value, out);
        }
    }
    assert!(n_scripts <= 1, "{n_scripts} scripts in {out}");
    let own = dom.find(Name::SCRIPT);
    assert!(
        own.is_none_or(|own| dom.children(own).all(|text| dom.text(text) == "own()")),
        "{out}"
    );
}

fn check_attribute(dom: &Dom, node: NodeId, name: &str, value: &str, out: &str) {
    assert!(!name.starts_with("on"), "{name} in {out}");
    assert!(
        ![
            "action",
            "formaction",
            "srcdoc",
            "srcset",
            "ping",
            "target",
            "download",
            "http-equiv",
            "is"
        ]
        .contains(&name),
        "{name} in {out}"
    );
    let is_ours = |value: &str| value == "#" || value.starts_with("/r?u=http") || value.starts_with("data:image/");
    if ["href", "src", "background", "xlink:href", "poster", "data"].contains(&name) {
        assert!(is_ours(value), "{name}={value} of {} in {out}", dom.name_text(node));
    }
}

#[test]
fn nothing_of_a_page_runs() {
    check(
        "<p onclick=steal()>x<script>steal()</script>y<img src=x onerror=steal()>",
        expect![[r#"<body><p>x<!---->y<img src="/r?u=http%3A%2F%2Fevil.example%2Fa%2Fx" loading="lazy"></p>"#]],
    );
    check(
        "<a href='javascript:steal()'>x</a><a href=/b target=_top ping=/c>y</a>",
        expect![[r##"<body><a href="#">x</a><a href="#">y</a>"##]],
    );
    check(
        "<form action=http://evil.example/ method=post><input name=q formaction=/x><button>Go</button></form>",
        expect![[r#"<body><form><input name="q"><button>Go</button></form>"#]],
    );
    check(
        "<iframe src=http://evil.example/ srcdoc='<script>x</script>'></iframe><object data=x></object><embed src=y>",
        expect![[
            r#"<body><div data-box>iframe http://evil.example/</div><div data-box>object </div><div data-box>embed y</div>"#
        ]],
    );
    check(
        "<body><noscript><img src=x onerror=y></noscript><template><script>x</script></template>",
        expect![[r#"<body><div><img src="/r?u=http%3A%2F%2Fevil.example%2Fa%2Fx" loading="lazy"></div><!---->"#]],
    );
    check(
        "<svg><script>x</script><a xlink:href='javascript:x'><text>t</text></a><use href='#x'/><foreignObject><p>x</foreignObject><animate attributeName=href values='javascript:x'/><g fill='url(http://evil.example/)'/></svg>",
        expect!["<body><svg><!----><!----><!----><!----></svg>"],
    );
    check(
        "<math><mtext><style><img src=x onerror=y></style></mtext></math>",
        expect!["<body><span><span><style>\\3c img src=x onerror=y></style></span></span>"],
    );
}

#[test]
fn styles_lead_through_us_and_end_where_they_end() {
    check(
        "<p style=\"background:url('//other.example/x.png');behavior:url(x)\">x",
        expect![[
            r#"<body><p style="background:url(&quot;/r?u=http%3A%2F%2Fother.example%2Fx.png&quot;);behavior:url(&quot;/r?u=http%3A%2F%2Fevil.example%2Fa%2Fx&quot;)">x</p>"#
        ]],
    );
    check(
        "<div><style>@import '/a.css'; p{}</style><link rel=stylesheet href=b.css onload=x><link rel=preload href=c>",
        expect![[
            r#"<body><div><style>@import url("/r?u=http%3A%2F%2Fevil.example%2Fa.css"); p{}</style><link rel="stylesheet" href="/r?u=http%3A%2F%2Fevil.example%2Fa%2Fb.css"><!----></div>"#
        ]],
    );
    check(
        "<svg><style>&lt;/style>&lt;script>x&lt;/script></style></svg>",
        expect!["<body><svg><!----></svg>"],
    );
}

#[test]
fn a_refresh_a_base_and_odd_addresses_are_gone() {
    let out = sieved_page(b"<base href=http://other.example/><meta http-equiv=refresh content='0;url=http://evil.example/'><img src='file:///etc/passwd'><img src='data:text/html,x'><img src='data:image/gif;base64,AA'><body background='x.gif'>");
    check_harmless(&out);
    assert!(
        !out.contains("refresh") && !out.contains("passwd") && !out.contains("data:text"),
        "{out}"
    );
    assert!(out.contains("data:image/gif;base64,AA"), "{out}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn any_page_comes_out_harmless(html in proptest::collection::vec(piece(), 0..24)) {
        check_harmless(&sieved_page(html.concat().as_bytes()));
    }

    #[test]
    fn any_bytes_come_out_harmless(html in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_harmless(&sieved_page(&html));
    }
}

/// Pieces of mark-up that sieves are known to have trouble with.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "<svg>",
        "</svg>",
        "<math>",
        "</math>",
        "<style>",
        "</style>",
        "<script>x</script>",
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<noscript>",
        "</noscript>",
        "<template>",
        "</template>",
        "<table>",
        "<tr>",
        "<td>",
        "<form action=x>",
        "<p>",
        "</p>",
        "<a href=javascript:x>",
        "<mtext>",
        "<mglyph>",
        "<foreignObject>",
        "<desc>",
        "<select>",
        "<option>",
        "<xmp>",
        "</xmp>",
        "<plaintext>",
        "<!--",
        "-->",
        "<img src=x onerror=y>",
        "<iframe>",
        "</iframe>",
        "<noembed>",
        "<frameset>",
        "<frame src=x>",
        "<annotation-xml encoding=text/html>",
        "<b onclick=x>",
        "&lt;script&gt;",
        "<![CDATA[",
        "]]>",
        "\" onload=\"x",
        "<br/onload=x>",
        "<input type=image src=x formaction=y>",
        "<button form=f formaction=x>",
        "<body onload=x>",
        "<html onclick=x>",
        "<image xlink:href=javascript:x>",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => "[a-z<>\"'=/ &;]{0,12}"]
}
