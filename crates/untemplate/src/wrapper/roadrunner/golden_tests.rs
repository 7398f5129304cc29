//! The paper's own examples, with the pages in either order, and what it says cannot be done.

use expect_test::{Expect, expect};

use super::{SearchOptions, infer_expressions};
use crate::page::{Dom, ParseOptions, TokenInterner, parse_html};

fn infer(pages: &[&str], options: &SearchOptions) -> String {
    let doms: Vec<Dom> = pages.iter().map(|page| parse_html(page, &ParseOptions::default()).0).collect();
    let mut interner = TokenInterner::default();
    let wrappers = infer_expressions(&doms.iter().collect::<Vec<_>>(), &mut interner, options);
    let body = |shown: String| {
        let shown = shown.replace("<html><head></head><body>", "").replace("</body></html>", "");
        shown + "\n"
    };
    wrappers.iter().map(|wrapper| body(wrapper.show(&interner))).collect()
}

fn check_both(one: &str, other: &str, expected: Expect) {
    let shown = infer(&[one, other], &SearchOptions::default());
    assert_eq!(shown, infer(&[other, one], &SearchOptions::default()), "the order of pages matters");
    expected.assert_eq(&shown);
}

const BOOKS_2: &str = "Books of:<B>John Smith</B><UL><LI><I>Title:</I>DB Primer</LI><LI><I>Title:</I>Comp. Sys.</LI></UL>";
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
