//! Limits: what they cut, and what they say.

use super::*;

/// Limits cut a page and say so.
#[test]
fn limits_are_problems() {
    let read = |html: String, limits: Limits| {
        let (dom, problems) = parse_html(
            &html,
            &ParseOptions {
                scripting: false,
                limits,
            },
        );
        (
            dom.len(),
            problems.into_iter().map(|problem| problem.kind).collect::<Vec<_>>(),
        )
    };
    let limits = Limits::default();
    let check_problem = |html: String, limits: Limits, kind: &str| {
        let (_, kinds) = read(html, limits);
        assert_eq!(kinds, [kind]);
    };
    check_problem(
        "<p>x".repeat(100),
        Limits {
            bytes_max: 50,
            ..limits
        },
        "too long",
    );
    check_problem(
        "<p>x".repeat(100),
        Limits {
            nodes_max: 50,
            ..limits
        },
        "too many nodes",
    );
    check_problem("<div>".repeat(600), limits, "too deep");
    let attributes: String = (0..600).map(|number| format!(" a{number}")).collect();
    check_problem(format!("<p{attributes}>"), limits, "too many attributes");
    assert_eq!(read("<p>x".repeat(100), limits).1, Vec::<&str>::new());
}

/// What a page says again and again of its root costs what it ends with.
#[test]
fn repeated_roots_share_their_attributes() {
    let long = "v".repeat(10_000);
    let html = format!(
        "<html x='{long}'>{}<body y='{long}'>{}",
        "<html x=2>".repeat(500),
        "<body z=1 y=3>".repeat(500)
    );
    let (dom, _) = parse_html(&html, &ParseOptions::default());
    assert_eq!(dom.values.len(), 2 * long.len() + 1);
    let many: String = (0..2_000).map(|number| format!("<body a{number}=x>")).collect();
    let (dom, _) = parse_html(&many, &ParseOptions::default());
    let body = dom.find(Name::BODY).expect("every page has a body");
    assert_eq!(dom.attributes(body).len(), Limits::default().attributes_max);
}
