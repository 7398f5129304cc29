//! Golden tests: the papers' own examples of page schemas, and the snapshot format.

use expect_test::{Expect, expect};
use url::Url;

use super::*;

fn page(html: &str) -> Page {
    let url = Url::parse("http://site.example/dir/page.html").expect("a good address");
    Page::read(&Response::html(url, html), &ParseOptions::default())
}

fn tag_interner() -> PathInterner {
    PathInterner::new(Alphabet::Tag)
}

fn check_schema(html: &str, expected: &[&str]) {
    let shown = show_schema(&page(html), &mut tag_interner());
    assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
}

fn check_tokens(html: &str, expected: Expect) {
    expected.assert_eq(&show_tokens(&page(html), &mut TokenInterner::default()));
}

/// G1: the three pages of INDESIT's figure 1. The papers' `HTML-TABLE-TR-TD` is
/// `html/body/table/tbody/tr/td/a` on the HTML5 tree, `HTML-UL-LI` is `html/body/ul/li/a`, and
/// `HTML-P-B` is `html/body/p/b/a`.
#[test]
fn g1_schemas_cluster_pages() {
    let team =
        "<table><tr><td><a href=team1>Team 1</a><td><a href=team2>Team 2</a></table><ul><li><a href=x>X</a></ul>";
    let other_team = "<table><tr><td><a href=team3>Team 3</a></table><ul><li><a href=y>Y</a><li><a href=z>Z</a></ul>";
    let player = "<table><tr><td><a href=team1>Team 1</a></table><p><b><a href=news>News</a></b>";
    let table_path = "html/body/table/tbody/tr/td/a";
    check_schema(team, &[table_path, "html/body/ul/li/a"]);
    check_schema(other_team, &[table_path, "html/body/ul/li/a"]);
    check_schema(player, &["html/body/p/b/a", table_path]);

    let mut interner = tag_interner();
    let schemas = [team, other_team, player].map(|html| PageSchema::of(&page(html), &mut interner));
    assert_eq!(schemas[0].distance(&schemas[1]), 0);
    assert_eq!(schemas[0].distance(&schemas[2]), 2);
    assert_eq!(schemas[0], schemas[1], "one cluster");
    assert_ne!(schemas[0], schemas[2], "another");
}

/// G5, the half on schemas: the two pages of COMPUTEMODEL's figure 3.
#[test]
fn g5_schemas_differ_by_a_third() {
    let mut interner = tag_interner();
    let paths = ["table/tr/td", "ul/li", "b"].map(|path| {
        path.split('/')
            .fold(PathId::ROOT, |parent, step| interner.child(parent, step))
    });
    let left: PageSchema = [paths[0], paths[1]].into_iter().collect();
    let right: PageSchema = [paths[0], paths[2], paths[1]].into_iter().collect();
    assert!((left.normalised_distance(&right) - 1.0 / 3.0).abs() < 1e-12);
    assert!(left.normalised_distance(&right) >= 0.2, "they are not collapsed");
    assert_eq!(
        PageSchema::default().normalised_distance(&PageSchema::default()),
        0.0,
        "0/0 is 0"
    );
}

#[test]
fn links_are_grouped_and_kept_once() {
    let html = "<head><link rel='prev next' href=p2></head><body><a href=a#1>A</a><a href=a#2>again</a>\
                <map><area href=b alt='to b'></map><a href='c'><img alt='picture c'></a><a href='javascript:x'>no</a>\
                <iframe src=d></iframe><template><a href=no>no</a></template><a>no</a>";
    let expected = expect![[r#"
        1 html/head/link
          http://site.example/dir/p2 ""
        2 html/body/a
          http://site.example/dir/a "A"
          http://site.example/dir/c "picture c"
        1 html/body/map/area
          http://site.example/dir/b "to b"
        1 html/body/iframe
          http://site.example/dir/d ""
    "#]];
    expected.assert_eq(&show_links(&page(html), &mut tag_interner()));
}

#[test]
fn frames_are_links() {
    check_schema(
        "<frameset><frame src=a><frame src=b></frameset>",
        &["html/frameset/frame"],
    );
}

#[test]
fn alphabets_tell_more_and_more_apart() {
    let html = "<div class=x><p><a href=1>1</a></p><p><a href=2>2</a></p></div>";
    let show = |alphabet| show_schema(&page(html), &mut PathInterner::new(alphabet));
    assert_eq!(show(Alphabet::Tag), "html/body/div/p/a\n");
    assert_eq!(
        show(Alphabet::TagAttributes(AttributeFilter::default())),
        "html/body/div[class=x]/p/a\n"
    );
    assert_eq!(
        show(Alphabet::TagPosition),
        "html[1]/body[1]/div[1]/p[1]/a[1]\nhtml[1]/body[1]/div[1]/p[2]/a[1]\n"
    );
}

#[test]
fn tokens_are_what_inference_compares() {
    check_tokens(
        "<title>T</title><script>x</script><ul class=b id=a bgcolor=red width=1><li> One\n<b>two</b><img src=x></ul>",
        expect![[r#"
            <html>
              <head>
                <title>
                  "T"
                </title>
              </head>
              <body>
                <ul[class=b][id=a][width]>
                  <li>
                    "One"
                    <b>
                      "two"
                    </b>
                    <img[src]>
                    </img>
                  </li>
                </ul>
              </body>
            </html>
        "#]],
    );
}

#[test]
fn a_text_and_a_tag_that_look_alike_are_two_codes() {
    let mut interner = TokenInterner::default();
    let tokens = interner.tokens(&page("<b>b</b>").dom);
    let codes: Vec<TokenCode> = tokens
        .iter()
        .filter(|token| interner.text(token.code) == "b")
        .map(|token| token.code)
        .collect();
    assert_eq!(codes.len(), 3, "open, text, close");
    assert_ne!(codes[0], codes[1]);
    assert_eq!(codes[0], codes[2]);
}

#[test]
fn show_page_prints_all_there_is() {
    let shown = show_page(&page(
        "<!DOCTYPE html><!--c--><base href=/b/><p class='x \"y\"'>a\tb<br>\u{1}<template>t</template>",
    ));
    expect![[r#"
        page http://site.example/dir/page.html
        base http://site.example/b/
        encoding windows-1252
        <!DOCTYPE html>
        <!--c-->
        html
          head
            base href="/b/"
          body
            p class="x \"y\""
              "a\tb"
              br
              "\u{1}"
              template
                #contents
                  "t"
    "#]]
    .assert_eq(&shown);
}

/// A tree that is too deep is flattened, and its tables stay tables.
#[test]
fn deep_pages_keep_their_links_where_they_are() {
    let html = format!(
        "{}<table><tr><td><p>x<b><a href=1>1</a><td><a href=2>2</a></table><a href=3>3</a>",
        "<div>".repeat(509)
    );
    let page = page(&html);
    let tails: Vec<String> = links(&page)
        .iter()
        .map(|link| {
            let names: Vec<&str> = page
                .dom
                .ancestors(link.node)
                .take(2)
                .map(|node| page.dom.name_text(node))
                .collect();
            names.join("<")
        })
        .collect();
    assert_eq!(tails, ["td<tr", "td<tr", "div<div"]);
    let nested = format!("{}<a href=1>1</a>", "<table><tr><td>".repeat(5_000));
    let page = self::page(&nested);
    assert_eq!(links(&page).len(), 1);
    assert!(
        page.dom.nodes().all(|node| page.dom.depth(node) < 1_100),
        "depth is bounded for tables, too"
    );
}

#[test]
fn templates_offer_nothing() {
    let page = page("<template><base href=//evil.example/><a href=x>x</a></template><a href=y>y</a>");
    let found: Vec<String> = links(&page).iter().map(|link| link.url.to_string()).collect();
    assert_eq!(found, ["http://site.example/dir/y"]);
}

#[test]
fn what_is_shown_cannot_command_a_terminal() {
    let page = page("<a\u{1b}[31m class='x\ny\u{1b}' href=z title='\u{7}'>t</a>");
    let mut interner = PathInterner::new(Alphabet::TagAttributes(AttributeFilter::default()));
    let shown = [
        show_page(&page),
        show_links(&page, &mut interner),
        show_schema(&page, &mut interner),
        show_tokens(&page, &mut TokenInterner::default()),
    ];
    assert!(
        shown
            .iter()
            .all(|text| text.chars().all(|c| c == '\n' || !c.is_control())),
        "{shown:?}"
    );
}

#[test]
fn a_link_is_called_by_what_a_reader_sees() {
    let check_text = |html: &str, expected: &str| {
        let page = page(html);
        assert_eq!(links(&page)[0].text(&page.dom), expected, "{html}");
    };
    check_text("<a href=x title='Next page'><img alt=''></a>", "Next page");
    check_text("<a href=x><img alt=' a  b '></a>", "a b");
    check_text(
        "<a href=x>H<sub>2</sub>O <b>B</b>old<br>next<div>block</div>end,<i> x</i></a>",
        "H2O Bold next block end, x",
    );
    check_text(
        "<a href=x>one<script>no</script> <b>two</b><iframe>no</iframe></a>",
        "one two",
    );
}

#[test]
fn schema_and_collections_agree_on_broken_addresses() {
    let page = page("<p><a href='http://[bad/'>x</a></p><div><a href='//['>y</a></div><a href='2024:a'>z</a>");
    let mut interner = tag_interner();
    let from_collections: PageSchema = link_collections(&page, &mut interner)
        .into_iter()
        .map(|collection| collection.path)
        .collect();
    assert_eq!(PageSchema::of(&page, &mut interner), from_collections);
    assert_eq!(from_collections.paths().len(), 1);
}

#[test]
fn statuses_tell_dead_links_from_lost_pages() {
    let check_status = |status: u16, is_loss: bool| {
        let url = Url::parse("http://site.example/").expect("a good address");
        let response = Response {
            status,
            ..Response::html(url, "<p>")
        };
        assert_eq!(
            matches!(Visit::of(&response, &ParseOptions::default()), Visit::Failed { .. }),
            is_loss,
            "{status}"
        );
    };
    for status in [401, 403, 408, 429, 451, 500, 503] {
        check_status(status, true);
    }
    for status in [200, 304, 404, 410] {
        check_status(status, false);
    }
}

/// As browsers do, a query is sent in the page's encoding; the path is always UTF-8.
#[test]
fn queries_are_in_the_encoding_of_the_page() {
    let url = Url::parse("http://site.example/").expect("a good address");
    let (body, _, _) = encoding_rs::WINDOWS_1251.encode("<meta charset=windows-1251><a href='мир?q=мир'>x</a>");
    let page = Page::read(&Response::html(url, body), &ParseOptions::default());
    assert_eq!(
        links(&page)[0].url.as_str(),
        "http://site.example/%D0%BC%D0%B8%D1%80?q=%EC%E8%F0"
    );
}
