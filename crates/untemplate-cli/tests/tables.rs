//! What lies in the folder of a run: every format, the report, where a cell comes from, what
//! changed.

mod players;
mod program;

use std::fs;

use expect_test::expect;
use players::{MIRROR, site, write_site};
use program::{Bench, check_error};
use rusqlite::Connection;

const FORMATS: [&str; 10] = [
    "--format", "jsonl", "--format", "csv", "--format", "parquet", "--format", "xml", "--format", "sqlite",
];

/// The path of the first player's page, whose name and nickname are known.
fn first_player() -> (String, String) {
    let site = site();
    let path = site
        .paths()
        .find(|path| path.ends_with("-1.html") && path.starts_with("/players/"));
    let name = site.source.database.players[0].person.name();
    (path.expect("the first player has a page"), name)
}

#[test]
fn a_run_leaves_tables_and_a_report() {
    let bench = Bench::new();
    write_site(&bench);
    let told = bench.run(&[&["run", "players.xml", "-o", "out"], &FORMATS[..], &MIRROR].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let listed = fs::read_dir(bench.path().join("out"))
        .expect("the folder is there")
        .flatten();
    let mut names: Vec<String> = listed
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    expect![[
        "PLAYER.csv PLAYER.jsonl PLAYER.parquet PLAYER.xml report.html schema.toml specification.xml tables.sqlite"
    ]]
    .assert_eq(&names.join(" "));
    let parquet = fs::read(bench.path().join("out/PLAYER.parquet")).expect("the file is there");
    assert!(parquet.starts_with(b"PAR1") && parquet.ends_with(b"PAR1"));
    let report = bench.read("out/report.html");
    for said in [
        "<dd>90</dd><dt>rows",
        "10 of 90 rows",
        "one a page of class <b>PLAYER</b>",
        "untemplate run players.xml",
    ] {
        assert!(report.contains(said), "{said}");
    }
}

#[test]
fn a_taught_value_is_traced_to_its_place() {
    let bench = Bench::new();
    write_site(&bench);
    let told = bench.run(
        &[
            &["run", "players.xml", "-o", "out", "-q", "--format", "sqlite"],
            &MIRROR[..],
        ]
        .concat(),
    );
    assert_eq!(told.code, 0, "{}", told.err);
    let (path, name) = first_player();
    let page = format!("http://cup.example{path}");
    let told = bench.run(&[&["show", "cell", "out", "player", &page, "name"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let shown = told.out.replace(&page, "PAGE").replace(&name, "NAME");
    expect![[r#"
        value     NAME
        type      text
        page      PAGE
        state     read
        class     PLAYER
        field     name
        wrapper   specification.xml
        xpath     /html[1]/body[1]/main[1]/h1[1]/text()[1]
        text      NAME
    "#]]
    .assert_eq(&shown);
    let told = bench.run(&["show", "cell", "out", "player", &page, "page"]);
    assert!(
        told.code == 0 && told.out.contains("the address of the page"),
        "{} {}",
        told.out,
        told.err
    );
    // The page is still there, and the value is not.
    let file = bench.path().join(format!("cup/site{path}"));
    let html = fs::read_to_string(&file).expect("the page is there");
    fs::write(&file, html.replace("<h1>", "<h2>").replace("</h1>", "</h2>")).expect("it can be written");
    let told = bench.run(&[&["show", "cell", "out", "PLAYER", &page, "name"], &MIRROR[..]].concat());
    assert_eq!(told.code, 4, "{} {}", told.out, told.err);
    check_error(
        &bench,
        &["show", "cell", "out", "PLAYER", &page, "shoe"],
        1,
        &["no column shoe", "nickname"],
    );
    check_error(
        &bench,
        &["show", "cell", "out", "COACH", &page, "name"],
        1,
        &["no table COACH", "PLAYER"],
    );
    check_error(
        &bench,
        &["show", "cell", "none", "PLAYER", &page, "name"],
        1,
        &["--format sqlite"],
    );
    check_error(
        &bench,
        &["show", "cell", "out", "PLAYER"],
        2,
        &["a folder, a table, the key of a row and a column"],
    );
}

/// Every column of every table, in a row that has it: the place that is shown has the text that the
/// value was made from.
#[test]
fn every_rebuilt_value_is_traced_to_its_place() {
    let bench = Bench::new();
    write_site(&bench);
    let told = bench.run(&[&["rebuild", "http://cup.example/", "-o", "out", "-q"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let database = Connection::open(bench.path().join("out/tables.sqlite")).expect("it is a database");
    let sql = "SELECT table_name, column_name, (SELECT group_concat(name) FROM pragma_table_info(table_name) WHERE pk > 0), kind, \
               (SELECT raw.column_name FROM _untemplate_columns AS raw WHERE raw.table_name = own.table_name AND raw.source = 'raw' AND raw.source_key = own.source_key) \
               FROM _untemplate_columns AS own WHERE source = 'field'";
    let mut statement = database.prepare(sql).expect("the query is right");
    let columns = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
    });
    /// Table, column, key, kind, and the column of the raw text.
    type KnownColumn = (String, String, Option<String>, String, Option<String>);
    let columns: Vec<KnownColumn> = columns.expect("rows").flatten().collect();
    let (mut n_lists, mut n_traced) = (0, 0);
    for (table, column, key, kind, raw) in columns {
        let Some(key) = key else { continue };
        let key_text = format!("\"{}\"", key.replace(',', "\" || ' ' || \""));
        let shown = raw.unwrap_or_else(|| column.clone());
        let sql = format!(
            "SELECT {key_text}, CAST(\"{shown}\" AS TEXT) FROM \"{table}\" WHERE \"{column}\" IS NOT NULL LIMIT 1"
        );
        let found = database.query_row(&sql, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
        let (row_key, text) = found.expect("a column has a value");
        // A running text is traced to its first line.
        let text = text.lines().next().unwrap_or_default().to_owned();
        let told = bench.run(&[&["show", "cell", "out", &table, &row_key, &column], &MIRROR[..]].concat());
        assert_eq!(told.code, 0, "{table}.{column} of {row_key}: {} {}", told.out, told.err);
        let places = told.out.lines().filter_map(|line| line.strip_prefix("text "));
        // A line sets links apart that stand right beside each other in the page's tree.
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let is_shown = |place: &str| {
            bare(place).contains(&bare(&text)) || kind == "url" && text.contains(place.trim().trim_start_matches("../"))
        };
        assert!(
            places.clone().any(is_shown),
            "{table}.{column} of {row_key} is {text:?}: {}",
            told.out
        );
        n_lists += usize::from(told.out.contains("\nlist "));
        n_traced += 1;
    }
    assert!(
        n_traced >= 20 && n_lists >= 5,
        "{n_traced} traced, {n_lists} of them in lists"
    );
}

#[test]
fn a_second_run_tells_what_changed() {
    let bench = Bench::new();
    write_site(&bench);
    let words = [
        &[
            "run",
            "players.xml",
            "-o",
            "out",
            "--format",
            "sqlite",
            "--summary",
            "figures.json",
        ],
        &MIRROR[..],
    ]
    .concat();
    let told = bench.run(&words);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(
        !bench.path().join("out/changes.json").exists(),
        "there is nothing to compare with"
    );
    let (path, name) = first_player();
    let file = bench.path().join(format!("cup/site{path}"));
    let html = fs::read_to_string(&file).expect("the page is there");
    fs::write(&file, html.replace(&format!("<h1>{name}"), "<h1>Nobody")).expect("it can be written");
    let folder = bench.path().join("cup/site/players");
    let gone = fs::read_dir(folder)
        .expect("players have pages")
        .flatten()
        .find(|entry| entry.file_name().to_string_lossy().ends_with("-2.html"));
    fs::remove_file(gone.expect("the second player has a page").path()).expect("it can be removed");
    let told = bench.run(&words);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(
        told.err
            .contains("since the last run: 0 rows added, 1 changed, 1 vanished"),
        "{}",
        told.err
    );
    let changes: serde_json::Value = serde_json::from_str(&bench.read("out/changes.json")).expect("changes are JSON");
    assert_eq!(changes["tables"][0]["vanished"], 1, "{changes}");
    let figures: serde_json::Value = serde_json::from_str(&bench.read("figures.json")).expect("figures are JSON");
    assert_eq!(figures["changes"]["changed"], 1, "{figures}");
    assert!(bench.read("out/report.html").contains("<ins>Nobody</ins>"));
    let database = Connection::open(bench.path().join("out/tables.sqlite")).expect("it is a database");
    let state: String = database
        .query_row(
            "SELECT group_concat(url) FROM _untemplate_pages WHERE state = 'vanished'",
            [],
            |row| row.get(0),
        )
        .expect("a page vanished");
    assert!(state.ends_with("-2.html"), "{state}");
}

#[test]
fn a_server_that_is_not_there_is_said_at_once() {
    let bench = Bench::new();
    write_site(&bench);
    let to = "postgresql://ada:secret@127.0.0.1:1/x";
    for words in [["run", "players.xml"], ["rebuild", "http://cup.example/"]] {
        let told = bench.run(&[&words[..], &["-o", "out", "--to", to], &MIRROR].concat());
        assert_eq!(told.code, 1, "{}", told.err);
        assert!(
            told.err.contains("cannot connect to postgresql://ada@127.0.0.1:1/x") && !told.err.contains("secret"),
            "{}",
            told.err
        );
    }
}
