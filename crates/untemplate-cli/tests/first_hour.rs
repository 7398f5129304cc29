//! What a new user meets in the first hour, from outside: workbooks, rows as they come, data for
//! programs, help, messages, and what is left behind.

mod program;

use std::io::Read;

use program::{Bench, check_error, check_out};
use rusqlite::Connection;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

fn write_site(bench: &Bench) {
    let told = bench.run(&["demo", "--players", "30", "--write", "cup", "-q", "-o", "demo.txt"]);
    assert_eq!(told.code, 0, "{}", told.err);
}

const SITE: [&str; 3] = ["http://cup.example/", "--mirror", "http://cup.example/=cup/site"];

/// A part of a workbook.
fn part(bench: &Bench, file: &str, name: &str) -> String {
    let file = std::fs::File::open(bench.path().join(file)).expect("the workbook is there");
    let mut archive = zip::ZipArchive::new(file).expect("a workbook is an archive");
    let mut text = String::new();
    let mut part = archive.by_name(name).expect("the part is there");
    part.read_to_string(&mut text).expect("it is text");
    text
}

#[test]
fn tables_are_sheets_of_a_workbook() {
    let bench = Bench::new();
    write_site(&bench);
    for folder in ["one", "two"] {
        let told = bench.run(&[&["rebuild", "--format", "xlsx", "-q", "-o", folder], &SITE[..]].concat());
        assert_eq!(told.code, 0, "{}", told.err);
    }
    let book = part(&bench, "one/tables.xlsx", "xl/workbook.xml");
    assert!(
        book.contains("name=\"stadiums\"") && book.contains("name=\"players\""),
        "{book}"
    );
    let n_sheets = book.matches("<sheet ").count();
    let sheets =
        (1..=n_sheets).map(|number| part(&bench, "one/tables.xlsx", &format!("xl/worksheets/sheet{number}.xml")));
    let stadiums = sheets
        .into_iter()
        .find(|sheet| sheet.contains("<t>capacity<"))
        .expect("the stadiums");
    let header = stadiums.split("<t>capacity<").next().unwrap_or_default();
    let cell = header.rsplit("r=\"").next().and_then(|cell| cell.split('"').next());
    let column = cell.unwrap_or_default().trim_end_matches('1');
    assert!(stadiums.contains("Arena") || stadiums.contains("Park"), "{stadiums}");
    // A number is one: `<c r="H2"><v>15250</v></c>`.
    assert!(stadiums.contains(&format!("<c r=\"{column}2\"><v>")), "{stadiums}");
    let bytes = |folder: &str| std::fs::read(bench.path().join(folder).join("tables.xlsx")).expect("a workbook");
    assert!(bytes("one") == bytes("two"), "the same bytes");
    let rows = (1..=6).map(|number| format!("<tr><td><a href=/{number}>Lamp {number}</a><td>{number}.50 €"));
    bench.write("list.html", format!("<table>{}</table>", rows.collect::<String>()));
    let list = ["records", "list.html", "--format", "xlsx", "-o", "list.xlsx", "-q"];
    assert_eq!(bench.run(&list).code, 0);
    assert!(part(&bench, "list.xlsx", "xl/workbook.xml").contains("<sheet "));
}

#[test]
fn data_for_programs_is_shown() {
    let bench = Bench::new();
    let html = r#"<script type="application/ld+json">{"@type": "Product", "name": "Lamp", "offers": {"price": 9.9}}</script>
        <p itemscope itemtype="https://schema.org/Person"><b itemprop="name">Bo</b></p>"#;
    bench.write("page.html", html).write("none.html", "<p>x");
    check_out(
        &bench,
        &["show", "data", "page.html", "-q"],
        0,
        expect_test::expect![[r#"
            JSON-LD Product
              name: Lamp
              offers: item
                price: 9.9
            microdata Person
              name: Bo
        "#]],
    );
    let told = bench.run(&["show", "data", "none.html"]);
    assert_eq!(told.code, 5, "{}", told.err);
    assert!(told.err.contains("no data for programs"), "{}", told.err);
}

const VERBS: [&str; 17] = [
    "rebuild", "report", "records", "teach", "studio", "run", "learn", "gather", "model", "infer", "extract", "verify",
    "repair", "classify", "archive", "show", "demo",
];

#[test]
fn help_begins_with_what_most_people_need() {
    let bench = Bench::new();
    let short = bench.run(&["-h"]);
    assert_eq!(short.code, 0);
    assert!(short.out.lines().count() <= 20, "{}", short.out);
    let place = |verb: &str| {
        short
            .out
            .find(&format!("  {verb} "))
            .unwrap_or_else(|| panic!("{verb}: {}", short.out))
    };
    assert!(
        ["rebuild", "report", "records", "teach", "studio"]
            .map(place)
            .is_sorted()
    );
    let long = bench.run(&["--help"]);
    for verb in ["rebuild", "gather", "completions"] {
        assert!(long.out.contains(&format!("  {verb}")), "{}", long.out);
        assert!(short.out.contains(verb), "{}", short.out);
    }
    assert!(!short.out.contains("\n\n\n"), "{}", short.out);
    for verb in VERBS {
        let told = bench.run(&[verb, "-h"]).out;
        let most = match VERBS[..5].contains(&verb) {
            true => 20,
            false => 22,
        };
        assert!(told.lines().count() <= most, "{told}");
        assert!(told.contains("\nExample"), "{told}");
        assert!(told.contains("see more with '--help'"), "{told}");
    }
    let of_verb = bench.run(&["rebuild", "-h"]).out;
    assert!(
        of_verb.contains("a folder of pages"),
        "it says what is taken: {of_verb}"
    );
    assert!(
        bench.run(&["rebuild", "--help"]).out.contains("Repeatable: any"),
        "all of it is in --help"
    );
    assert!(
        of_verb.contains("--exclude") && !of_verb.contains("--user-agent"),
        "{of_verb}"
    );
    assert!(bench.run(&["rebuild", "--help"]).out.contains("--user-agent"));
}

#[test]
fn what_cannot_work_is_said_before_the_work() {
    let bench = Bench::new();
    write_site(&bench);
    fn rebuild<'a>(more: &[&'a str]) -> Vec<&'a str> {
        [&["rebuild"], &SITE[..], more].concat()
    }
    check_error(
        &bench,
        &rebuild(&["--to", "mysql://a/b"]),
        2,
        &["mysql://a/b is no address of a PostgreSQL server"],
    );
    check_error(
        &bench,
        &rebuild(&["--summary", "none/figures.json"]),
        1,
        &["none/figures.json"],
    );
    check_error(
        &bench,
        &rebuild(&["-o", "cup/manifest.json"]),
        1,
        &["cup/manifest.json"],
    );
    let told = bench.run(&["gather", "http://cup.example/players/", "-o", "none/list.jsonl"]);
    assert!(told.code == 1 && told.err.contains("none/list.jsonl"), "{}", told.err);
    let told = bench.run(&rebuild(&["-o", "cup/manifest.json"]));
    assert_eq!(
        told.err.matches("it is a file").count(),
        1,
        "the cause, once: {}",
        told.err
    );
    // A run that fails leaves nothing behind.
    let words = [
        "rebuild",
        "http://cup.example/nothing",
        "--mirror",
        "http://cup.example/=cup/site",
        "-o",
        "gone",
    ];
    check_error(&bench, &words, 1, &["cannot begin at"]);
    assert!(!bench.path().join("gone").exists());
}

#[test]
fn pages_have_the_time_they_were_seen_and_new_tables_count() {
    let bench = Bench::new();
    let options = DatabaseOptions {
        players: 60,
        ..DatabaseOptions::default()
    };
    let server =
        Server::start(DemoSite::new(options, Skin::Modern), ServerOptions::default()).expect("the site starts");
    let url = server.url();
    let words = [
        "rebuild",
        &url,
        "--delay",
        "0",
        "--no-robots",
        "--exclude",
        "/calendar/",
    ];
    let first = bench.run(&[&words[..], &["--exclude", "/stadiums/"]].concat());
    assert!(matches!(first.code, 0 | 3), "{}", first.err);
    let seen = |column: &str| {
        let database = Connection::open(bench.path().join("untemplate-out/tables.sqlite")).expect("a database");
        let sql = format!("SELECT min({column}) FROM _untemplate_pages WHERE state = 'read'");
        database
            .query_row(&sql, [], |row| row.get::<_, Option<String>>(0))
            .expect("a time")
    };
    let before = seen("first_seen").expect("pages of the web have a time");
    assert!(before.starts_with("20") && before.ends_with('Z'), "{before}");
    let second = bench.run(&words);
    assert!(matches!(second.code, 0 | 3), "{}", second.err);
    let line = second
        .err
        .lines()
        .find(|line| line.contains("since the last run"))
        .expect("it says what changed");
    assert!(line.contains("new tables: ") && line.contains("stadiums"), "{line}");
    assert!(!line.contains(" 0 rows added"), "{line}");
    assert_eq!(seen("first_seen"), Some(before));
}
