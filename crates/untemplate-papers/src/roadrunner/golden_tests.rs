//! The paper's own examples, with the pages in either order, and what it says cannot be done.

use expect_test::{Expect, expect};

use super::{ExpressionSet, SearchOptions};
use untemplate::page::{Page, ParseOptions, Response};

fn infer(pages: &[&str], options: &SearchOptions) -> String {
    let pages: Vec<Page> = pages.iter().map(|html| page(html)).collect();
    let set = ExpressionSet::infer(&pages.iter().collect::<Vec<_>>(), options);
    for page in &pages {
        assert!(set.extract(page).is_matched, "every training page matches");
    }
    let body = |shown: String| {
        let shown = shown
            .replace("<html><head></head><body>", "")
            .replace("</body></html>", "");
        shown + "\n"
    };
    set.wrappers.iter().map(|wrapper| body(set.show(wrapper))).collect()
}

fn page(html: &str) -> Page {
    let url = "http://books.example/".parse().expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

fn check_both(one: &str, other: &str, expected: Expect) {
    let shown = infer(&[one, other], &SearchOptions::default());
    assert_eq!(
        shown,
        infer(&[other, one], &SearchOptions::default()),
        "the order of pages matters"
    );
    expected.assert_eq(&shown);
}

const BOOKS_2: &str =
    "Books of:<B>John Smith</B><UL><LI><I>Title:</I>DB Primer</LI><LI><I>Title:</I>Comp. Sys.</LI></UL>";
const BOOKS_3: &str = "Books of:<B>Paul Jones</B><IMG><UL><LI><I>Title:</I>XML at Work</LI><LI><I>Title:</I>HTML Scripts</LI>\
    <LI><I>Title:</I>Javascript</LI></UL>";

#[test]
fn the_books_of_an_author() {
    check_both(
        BOOKS_2,
        BOOKS_3,
        expect![[r#"
            Books of:<b>#PCDATA</b>(<img></img>)?<ul>(<li><i>Title:</i>#PCDATA</li>)+</ul>
        "#]],
    );
}

#[test]
fn editions_inside_books() {
    check_both(
        "<UL><LI>Computer Systems<P><B>1st Ed., 1995</B></P></LI><LI>Database Primer<P><B>1st Ed., 1998<I>Special!</I></B></P>\
         <P><B>2nd Ed., 2000</B></P></LI></UL>",
        "<UL><LI>Web Applications<P><B>1st Ed., 1999</B></P></LI></UL>",
        expect![[r#"
            <ul>(<li>#PCDATA(<p><b>#PCDATA(<i>Special!</i>)?</b></p>)+</li>)+</ul>
        "#]],
    );
}

#[test]
fn a_third_book_is_no_optional_book() {
    check_both(
        "<UL><LI>a</LI><LI>b</LI></UL>",
        "<UL><LI>c</LI><LI>d</LI><LI>e</LI></UL>",
        expect![[r#"
            <ul>(<li>#PCDATA</li>)+</ul>
        "#]],
    );
}

fn without_subtrees() -> SearchOptions {
    SearchOptions {
        subtrees: false,
        ..SearchOptions::default()
    }
}

const FLAT: &str = "<ul><li>a</li><li>b</li></ul>";
const NESTED: &str = "<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>";

#[test]
fn folders_inside_folders_are_no_regular_language() {
    let shown = infer(
        &[FLAT, NESTED, "<ul><li>x<ul><li>y</li><li>z</li></ul></li></ul>"],
        &without_subtrees(),
    );
    // Recursion is unrolled, or parts the pages.
    expect![[r#"
        <ul>(<li>#PCDATA(<ul>(<li>#PCDATA(<ul><li>c</li></ul>)?</li>)+</ul>)?</li>)+</ul>
    "#]]
    .assert_eq(&shown);
    // With subtrees the pages stay together.
    let shown = infer(&[FLAT, NESTED], &SearchOptions::default());
    assert_eq!(shown.lines().count(), 1, "{shown}");
}

const PLAIN_REVIEWS: &str = "<div><p>Ann<b>good</b></p><p>Bob<b>bad</b></p></div>";
const MIXED_REVIEWS: &str =
    "<div><p>Cy<b>fine</b></p><blockquote><i>Di</i></blockquote><p>Ed<b>poor</b></p><h4>x<u>y</u></h4></div>";

#[test]
fn lists_of_two_kinds_of_rows_need_a_union() {
    let other = "<div><h4>x<u>y</u></h4><blockquote><i>Di</i></blockquote><blockquote><i>Jo</i></blockquote><p>Ed<b>poor</b></p></div>";
    let lonely = infer(&[PLAIN_REVIEWS, MIXED_REVIEWS, other], &without_subtrees());
    let together = infer(&[PLAIN_REVIEWS, MIXED_REVIEWS, other], &SearchOptions::default());
    expect![[r#"
        <div><p>Ann<b>good</b></p><p>Bob<b>bad</b></p></div>
        <div>(<p>Cy<b>fine</b></p><blockquote><i>Di</i></blockquote><p>Ed<b>poor</b></p>)?<h4>x<u>y</u></h4>(<blockquote><i>Di</i></blockquote><blockquote><i>Jo</i></blockquote><p>Ed<b>poor</b></p>)?</div>
    "#]].assert_eq(&lonely);
    expect![[r#"
        <div><#SUBTREE></div>
    "#]]
    .assert_eq(&together);
}

#[test]
fn rows_of_four_cells_are_the_physical_schema() {
    check_both(
        "<table><tr><td>a</td><td>1</td><td>b</td><td>2</td></tr></table>",
        "<table><tr><td>c</td><td>3</td><td>d</td><td>4</td></tr><tr><td>e</td><td>5</td><td>f</td><td>6</td></tr></table>",
        expect![[r#"
            <table><tbody>(<tr><td>#PCDATA</td><td>#PCDATA</td><td>#PCDATA</td><td>#PCDATA</td></tr>)+</tbody></table>
        "#]],
    );
}

#[test]
fn prefix_mode_solves_the_books() {
    expect![[r#"
        Books of:<b>#PCDATA</b>(<img></img>)?<ul>(<li><i>Title:</i>#PCDATA</li>)+</ul>
    "#]]
    .assert_eq(&infer(&[BOOKS_2, BOOKS_3], &SearchOptions::prefix()));
}

#[test]
fn a_page_is_read_into_nested_records() {
    let pages = [page(BOOKS_2), page(BOOKS_3)];
    let set = ExpressionSet::infer(&pages.iter().collect::<Vec<_>>(), &SearchOptions::default());
    let read = set.extract(&page("Books of:<B>Eve</B><UL><LI><I>Title:</I>One</LI></UL>"));
    assert!(read.is_matched);
    assert_eq!(read.record.text("books_of"), Some("Eve"));
    let strange = set.extract(&page("Books of:<B>Eve</B><table></table>"));
    expect!["mismatch: token 8 of the page is not <ul>, which the expression has there"]
        .assert_eq(&strange.problems[0].to_string());
}
