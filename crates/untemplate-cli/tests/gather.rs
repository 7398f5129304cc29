//! `gather` from outside: the lines, the summary, the exit codes, the drawing.

mod program;

use program::Bench;
use serde_json::Value;

/// A small shop: a home page, a list on two pages, items that link to it.
fn shop(bench: &Bench) {
    let menu = "<div class=menu><a href=/>Home</a></div>";
    bench.write(
        "site/index.html",
        format!("{menu}<h1>Welcome</h1><p><a href=/list/1.html>All</a></p>"),
    );
    for page in 0..2 {
        let rows: String = (page * 10..page * 10 + 10)
            .map(|item| format!("<li><a href=/item/{item}.html>x</a>"))
            .collect();
        let next = if page == 0 {
            "<p class=next><a href=/list/2.html>Next</a>"
        } else {
            ""
        };
        bench.write(
            &format!("site/list/{}.html", page + 1),
            format!("{menu}<h2>Items</h2><ul>{rows}</ul>{next}"),
        );
    }
    for item in 0..20 {
        let html = format!("{menu}<h1>Item</h1><dl><dt>Price<dd>{item}</dl><p><a href=/list/1.html>Back</a>");
        bench.write(&format!("site/item/{item}.html"), html);
    }
}

const MIRROR: [&str; 2] = ["--mirror", "http://shop.example/=site"];

fn run(bench: &Bench, more: &[&str], expected_code: i32) -> (Vec<Value>, Value) {
    let mut words = vec![
        "gather",
        "http://shop.example/item/3.html",
        MIRROR[0],
        MIRROR[1],
        "--summary",
        "figures.json",
    ];
    words.extend(more);
    let told = bench.run(&words);
    assert_eq!(told.code, expected_code, "{}", told.err);
    let lines = told
        .out
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect();
    (
        lines,
        serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON"),
    )
}

#[test]
fn the_pages_and_the_figures_of_the_contract() {
    let bench = Bench::new();
    shop(&bench);
    let (lines, figures) = run(&bench, &["--html", "ways.html", "--explain"], 0);
    assert_eq!(lines.len(), 20);
    assert_eq!(lines[0]["url"], "http://shop.example/item/3.html");
    assert_eq!(lines[0]["distance"], 0.0);
    assert_eq!(
        (&figures["verb"], &figures["algorithm"]),
        (&"gather".into(), &"guided".into())
    );
    assert_eq!(
        (&figures["class_size_estimate"], &figures["found"]),
        (&20.into(), &20.into())
    );
    assert!(figures["evaluations"].as_u64().is_some_and(|looks| looks >= 20));
    // 20 items, 2 lists, the home page, robots.txt, the sitemap, and folders that are none.
    assert!(
        figures["downloads"].as_u64().is_some_and(|downloads| downloads <= 28),
        "{figures}"
    );
    assert!(bench.read("ways.html").contains("20 pages found"));
}

#[test]
fn the_papers_algorithms_find_them_too() {
    let bench = Bench::new();
    shop(&bench);
    for algorithm in ["indesit", "trivial"] {
        let (lines, figures) = run(&bench, &["--algorithm", algorithm], 0);
        // Pages with few links are hard to tell apart by these alone: the papers' algorithms may
        // add some.
        let is_item = |line: &&Value| line["url"].as_str().is_some_and(|url| url.contains("/item/"));
        assert_eq!(
            (lines.iter().filter(is_item).count(), &figures["algorithm"]),
            (20, &algorithm.into())
        );
    }
}

#[test]
fn a_limit_is_told_and_a_page_alone_is_nothing() {
    let bench = Bench::new();
    shop(&bench);
    let (lines, figures) = run(&bench, &["--max-pages", "8"], 3);
    assert!(lines.len() > 1 && lines.len() < 20);
    assert!(
        figures["partial_because"][0]
            .as_str()
            .is_some_and(|reason| reason.contains("--max-pages"))
    );
    let told = bench.run(&["gather", "http://shop.example/", MIRROR[0], MIRROR[1], "-q"]);
    assert_eq!(told.code, 5, "{}", told.err);
}

#[test]
fn wrong_words_are_told() {
    let bench = Bench::new();
    shop(&bench);
    let told = bench.run(&[
        "gather",
        "http://shop.example/item/3.html",
        MIRROR[0],
        MIRROR[1],
        "--entry",
        "nowhere",
    ]);
    assert_eq!(told.code, 2, "{}", told.err);
    let told = bench.run(&[
        "gather",
        "http://shop.example/item/3.html",
        MIRROR[0],
        MIRROR[1],
        "--faithful",
    ]);
    assert_eq!(told.code, 2, "{}", told.err);
    assert!(told.err.contains("--algorithm indesit"), "{}", told.err);
    let told = bench.run(&["gather", "http://shop.example/none.html", MIRROR[0], MIRROR[1]]);
    assert_eq!(told.code, 1, "{}", told.err);
}

#[test]
fn sitemaps_are_asked_for_and_believed_as_far_as_they_hold() {
    let bench = Bench::new();
    shop(&bench);
    bench.write("site/robots.txt", "Sitemap: http://shop.example/map.xml\n");
    let entries: String = (0..25)
        .map(|item| format!("<url><loc>http://shop.example/item/{item}.html</loc></url>"))
        .collect();
    bench.write("site/map.xml", format!("<urlset>{entries}</urlset>"));
    for item in 20..25 {
        // The sitemap lists five that are something else.
        bench.write(
            &format!("site/item/{item}.html"),
            "<table><tr><td>Gone<td><i>x</i></table><ol><li>1</ol>",
        );
    }
    let (lines, _) = run(&bench, &[], 0);
    assert_eq!(lines.len(), 20);
}
