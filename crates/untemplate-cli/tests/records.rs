//! `untemplate records` from outside: the contract's JSON, tables in every format, lists over
//! several pages, honest endings.

mod program;

use expect_test::expect;
use program::{Bench, check_error, check_out};
use serde_json::Value;

/// A page with three results and a link to the next one, if there is one.
fn results(from: usize, next: Option<&str>) -> String {
    let hits: String = (from..from + 3)
        .map(|n| format!("<div class=hit><a href=/r{n}>Result {n}</a><p>A text about lamp number {n}.</p></div>"))
        .collect();
    let next = next.map_or_else(String::new, |next| format!("<a href='{next}'>Next</a>"));
    format!("<title>Lamps</title><div>{hits}</div>{next}")
}

#[test]
fn the_result_is_one_object_of_the_contract() {
    let bench = Bench::new();
    bench.write("page.html", results(1, None));
    let told = bench.run(&[
        "records",
        "page.html",
        "--base",
        "http://lamps.example/",
        "--summary",
        "figures.json",
    ]);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let result: Value = serde_json::from_str(&told.out).expect("the result is JSON");
    assert_eq!(result["page"], "page.html");
    let region = &result["regions"][0];
    assert_eq!(region["xpath"], "/html[1]/body[1]/div[1]");
    assert_eq!(region["records"][2]["nodes"][0], "/html[1]/body[1]/div[1]/div[3]");
    assert_eq!(region["records"][2]["fields"]["title"], "Result 3");
    assert_eq!(region["records"][2]["fields"]["link"], "http://lamps.example/r3");
    let names: Vec<&str> = region["columns"]
        .as_array()
        .expect("columns")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(names, ["link", "title", "text"]);
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert_eq!(
        (&summary["verb"], &summary["records"], &summary["pages"]),
        (&"records".into(), &3.into(), &1.into())
    );
}

#[test]
fn formats_are_written_whole() {
    let bench = Bench::new();
    bench.write("page.html", results(1, None));
    let base = ["records", "page.html", "--base", "http://lamps.example/", "--format"];
    let with = |format: &'static str| [&base[..], &[format]].concat();
    check_out(
        &bench,
        &with("jsonl"),
        0,
        expect![[r#"
            {"link":"http://lamps.example/r1","title":"Result 1","text":"A text about lamp number 1."}
            {"link":"http://lamps.example/r2","title":"Result 2","text":"A text about lamp number 2."}
            {"link":"http://lamps.example/r3","title":"Result 3","text":"A text about lamp number 3."}
        "#]],
    );
    check_out(
        &bench,
        &with("table"),
        0,
        expect![[r#"
            title     text
            --------  ---------------------------
            Result 1  A text about lamp number 1.
            Result 2  A text about lamp number 2.
            Result 3  A text about lamp number 3.
        "#]],
    );
    for format in ["csv", "xml", "parquet", "sqlite"] {
        let told = bench.run(&[&with(format)[..], &["-o", "out"]].concat());
        assert_eq!((told.code, told.out.as_str()), (0, ""), "{format}: {}", told.err);
        let bytes = std::fs::read(bench.path().join("out")).expect("the file is there");
        let start: &[u8] = match format {
            "csv" => b"link,title,text\r\nhttp",
            "xml" => b"<?xml",
            "parquet" => b"PAR1",
            _ => b"SQLite format 3\0",
        };
        assert!(bytes.starts_with(start), "{format}");
    }
}

#[test]
fn a_list_is_followed_to_its_end() {
    let bench = Bench::new();
    bench
        .write("site/index.html", results(1, Some("p2.html")))
        .write("site/p2.html", results(4, Some("p3.html")))
        .write("site/p3.html", results(7, Some("index.html")));
    let base = [
        "records",
        "http://lamps.example/",
        "--mirror",
        "http://lamps.example/=site",
        "--follow-next",
        "--summary",
        "s.json",
    ];
    let told = bench.run(&base);
    let result: Value = serde_json::from_str(&told.out).expect("the result is JSON");
    let records = result["regions"][0]["records"].as_array().expect("records");
    assert_eq!((told.code, records.len()), (0, 9), "{}", told.err);
    assert_eq!(records[8]["page"], "http://lamps.example/p3.html");
    let told = bench.run(&[&base[..], &["--max-pages", "2", "--format", "csv"]].concat());
    assert_eq!((told.code, told.out.lines().count()), (3, 7));
    let summary: Value = serde_json::from_str(&bench.read("s.json")).expect("a summary is JSON");
    assert!(
        summary["partial_because"][0]
            .as_str()
            .is_some_and(|why| why.contains("p3.html")),
        "{summary}"
    );
}

#[test]
fn no_list_is_an_answer() {
    let bench = Bench::new();
    bench.write(
        "page.html",
        "<h1>Lamp</h1><p>A lamp gives light, as long as there is oil in it.",
    );
    check_out(
        &bench,
        &["records", "page.html"],
        5,
        expect![[r#"
            {"page":"page.html","regions":[]}
        "#]],
    );
    assert!(bench.run(&["records", "page.html"]).err.contains("no list"));
    check_out(&bench, &["records", "page.html", "--format", "csv"], 5, expect![[""]]);
    check_error(&bench, &["records", "missing.html"], 1, &["cannot read missing.html"]);
    check_error(
        &bench,
        &["records", "page.html", "--all", "--format", "csv"],
        2,
        &["--all"],
    );
}

#[test]
fn the_page_can_be_seen_with_its_records() {
    let bench = Bench::new();
    bench.write(
        "page.html",
        results(1, None).replace("<title>", "<script>alert(1)</script><title>"),
    );
    let told = bench.run(&["records", "page.html", "--html"]);
    assert_eq!((told.code, told.out.matches("data-untemplate-record=").count()), (0, 3));
    assert!(!told.out.contains("alert"), "{}", told.out);
    let told = bench.run(&["show", "records", "page.html", "--base", "http://lamps.example/"]);
    assert!(
        told.out.starts_with("list /html[1]/body[1]/div[1] probability "),
        "{}",
        told.out
    );
    assert!(told.out.contains("record 3\n"), "{}", told.out);
}
