//! `run` from outside: the running example of paper 002 on the demo site, over a mirror, WARC files
//! and the live web.

mod players;
mod program;

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use expect_test::expect;
use players::{MIRROR, N_PLAYERS, PLAYERS, site, warc, write_site};
use program::{Bench, check_error};
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

/// The name, position, nickname and number of seasons of every player, as the database has them.
fn truth() -> BTreeSet<String> {
    let site = site();
    let players = site.source.database.players.iter();
    let row = players.map(|player| {
        let person = &player.person;
        let nickname = person.nickname.clone().unwrap_or_default();
        format!(
            "{}|{}|{nickname}|{}",
            person.name(),
            player.position.word(),
            person.seasons.len()
        )
    });
    row.collect()
}

/// The same, as a table of JSON lines has them; addresses must be distinct.
fn rows(table: &str) -> BTreeSet<String> {
    let mut pages = BTreeSet::new();
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        assert!(pages.insert(row["page"].to_string()), "a page is read once: {line}");
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        let n_seasons = match &row["seasons"] {
            serde_json::Value::Array(all) => all.len(),
            other => usize::from(other.is_string()),
        };
        format!("{}|{}|{}|{n_seasons}", text("name"), text("position"), text("nickname"))
    };
    table.lines().map(row).collect()
}

#[test]
fn rows_are_streamed_as_they_are_read() {
    let bench = Bench::new();
    write_site(&bench);
    let words = ["run", "players.xml", "-q", "-o", "-", "--format"];
    let told = bench.run(&[&words[..], &["jsonl", "--summary", "figures.json"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(rows(&told.out), truth());
    let first: serde_json::Value = serde_json::from_str(told.out.lines().next().expect("rows")).expect("JSON");
    assert_eq!(first["table"], "PLAYER");
    assert!(bench.read("figures.json").contains(&format!("\"PLAYER\": {N_PLAYERS}")));
    assert!(!bench.path().join("untemplate-out").exists() && !bench.path().join("-").exists());
    check_error(
        &bench,
        &[&words[..], &["csv"], &MIRROR[..]].concat(),
        2,
        &["streams JSON lines alone"],
    );
    let words = ["rebuild", "http://cup.example/", "-o", "-"];
    check_error(&bench, &words, 2, &["-o names the folder"]);
}

#[test]
fn both_paths_give_the_whole_database_over_a_mirror() {
    let bench = Bench::new();
    write_site(&bench);
    let run = |more: &[&str]| {
        let told = bench.run(
            &[
                &["run", "players.xml", "--summary", "figures.json", "-q"],
                &MIRROR[..],
                more,
            ]
            .concat(),
        );
        let figures: serde_json::Value = serde_json::from_str(&bench.read("figures.json")).expect("figures are JSON");
        assert_eq!((told.code, told.out.as_str()), (0, ""), "{}", told.err);
        figures
    };
    let figures = run(&["--trace", "trace.jsonl"]);
    let both = bench.read("untemplate-out/PLAYER.jsonl");
    assert_eq!(rows(&both), truth());
    assert_eq!(figures["rows"]["PLAYER"], N_PLAYERS);
    // Other initials are rejected, since they are of another template; each is asked for once.
    let n_initials = figures["page_classes"]["INITIAL"]["supports"]
        .as_u64()
        .expect("a number");
    assert_eq!(figures["page_classes"]["PLAYER"]["rejected"], n_initials, "{figures}");
    assert_eq!(figures["drift"], serde_json::json!([]));
    assert!(
        figures["request_classes"]["NEXT"]["followed"].as_u64() > Some(0),
        "results have next pages: {figures}"
    );
    let trace = bench.read("trace.jsonl");
    assert!(trace.contains(r#""body":"name=&position=goalkeeper""#), "{trace}");

    for path in ["initials", "positions"] {
        let figures = run(&["--follow", path, "-o", path]);
        assert_eq!(
            rows(&bench.read(&format!("{path}/PLAYER.jsonl"))),
            truth(),
            "{path} {figures}"
        );
    }
    run(&["-o", "again"]);
    assert_eq!(bench.read("again/PLAYER.jsonl"), both, "same input, same bytes out");
}

#[test]
fn warc_files_answer_forms_too() {
    let bench = Bench::new();
    bench.write("players.xml", PLAYERS).write("cup.warc", warc(&site()));
    let told = bench.run(&["run", "players.xml", "--warc", "cup.warc", "-q"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(rows(&bench.read("untemplate-out/PLAYER.jsonl")), truth());
}

#[test]
fn a_live_site_is_run_and_a_killed_run_is_run_again() {
    let options = DatabaseOptions { players: 30, seed: 1 };
    let server = Server::start(
        DemoSite::new(options, Skin::Modern),
        ServerOptions { port: 0, delay_ms: 2 },
    );
    let server = server.expect("the demo site starts");
    let bench = Bench::new();
    bench.write("players.xml", PLAYERS.replace("http://cup.example/", &server.url()));
    let told = bench.run(&[
        "run",
        "players.xml",
        "-o",
        "calm",
        "-q",
        "--delay",
        "0",
        "--archive",
        "calm-archive",
    ]);
    assert_eq!(told.code, 0, "{}", told.err);
    let calm = bench.read("calm/PLAYER.jsonl");
    assert_eq!(rows(&calm).len(), 30);
    for _ in 0..3 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_untemplate"))
            .args([
                "run",
                "players.xml",
                "-o",
                "killed",
                "-q",
                "--delay",
                "0",
                "--archive",
                "killed-archive",
            ])
            .current_dir(bench.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        sleep(Duration::from_millis(60));
        let _ = child.kill();
        child.wait().expect("it ends");
        let table = bench.path().join("killed/PLAYER.jsonl");
        assert!(
            !table.exists() || bench.read("killed/PLAYER.jsonl") == calm,
            "a table is whole or not there"
        );
    }
    assert_eq!(
        bench
            .run(&[
                "run",
                "players.xml",
                "-o",
                "killed",
                "-q",
                "--delay",
                "0",
                "--archive",
                "killed-archive"
            ])
            .code,
        0
    );
    assert_eq!(bench.read("killed/PLAYER.jsonl"), calm);
}

#[test]
fn coaches_and_teams_among_search_results_are_rejected() {
    let bench = Bench::new();
    write_site(&bench);
    let site = site();
    let n_hits = |page: &str, folder: &str| page.matches(&format!("<a href=\"/{folder}/")).count();
    // A search whose first page has players, coaches and perhaps teams.
    let letters = || (b'a'..=b'z').map(char::from);
    let queries = letters().flat_map(|first| letters().map(move |second| format!("{first}{second}")));
    let mut answers = queries.map(|query| (site.answer("GET", &format!("/search?q={query}"), "").body, query));
    let has_both = |(page, _): &(String, String)| n_hits(page, "players") > 1 && n_hits(page, "coaches") > 1;
    let (hits, query) = answers
        .find(has_both)
        .expect("names of players and coaches have something in common");
    bench.write(&format!("cup/site/search?q={query}"), &hits);
    let (n_players, n_coaches, n_teams) = (
        n_hits(&hits, "players"),
        n_hits(&hits, "coaches"),
        n_hits(&hits, "teams"),
    );
    // Each folder's own page is in the menu.
    let (n_players, n_others) = (n_players - 1, n_coaches + n_teams - 2);
    let found = PLAYERS
        .replace(
            r#"<address>http://cup.example/</address>"#,
            &format!("<address>http://cup.example/search?q={query}</address>"),
        )
        .replace("//h1[.='The Lantern Cup']", "//main[@class='results']")
        .replace(
            r#"<request-class id="HIT" from="RESULTS""#,
            r#"<request-class id="HIT" from="HOME""#,
        )
        .replace(
            "<path name=\"initials\">HOME TOHUB HUB BYINITIAL INITIAL OVERVIEW PLAYER</path>",
            "<path>HOME HIT PLAYER</path>",
        )
        .replace(
            "<path name=\"positions\">HOME TOFORM FINDER BYPOSITION RESULTS HIT PLAYER</path>",
            "",
        );
    bench.write("found.xml", found);
    let told = bench.run(&[&["run", "found.xml", "--summary", "figures.json"], &MIRROR[..]].concat());
    let figures: serde_json::Value = serde_json::from_str(&bench.read("figures.json")).expect("figures are JSON");
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(n_players > 0 && n_others > 0, "{hits}");
    assert_eq!(figures["rows"]["PLAYER"], n_players, "{figures}");
    assert_eq!(figures["rejected"], n_others);
    assert!(told.err.contains("no PLAYER: nothing is at"), "{}", told.err);
}

#[test]
fn tables_in_every_format_and_what_is_shown() {
    let bench = Bench::new();
    write_site(&bench);
    let formats = ["--format", "csv", "--format", "xml", "--format", "sqlite"];
    let told = bench.run(&[&["run", "players.xml", "-o", "out"], &formats[..], &MIRROR].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.err.contains("90 rows  PLAYER"), "{}", told.err);
    assert_eq!(
        bench.read("out/PLAYER.csv").lines().next(),
        Some("page,name,position,nickname,seasons")
    );
    assert_eq!(bench.read("out/PLAYER.xml").matches("<row>").count(), 90);
    let shown = bench.run(&["show", "spec", "players.xml"]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    expect![[r#"
        FINDER
          asserts /descendant::form
          -BYPOSITION-> RESULTS by POST
            form /descendant::main/form[1]
              position = each option
              name = ""
    "#]]
    .assert_eq(
        &shown
            .out
            .lines()
            .skip_while(|line| *line != "FINDER")
            .take(6)
            .map(|line| format!("{line}\n"))
            .collect::<String>(),
    );
}

#[test]
fn a_site_that_changed_is_told_by_the_exit_code() {
    let bench = Bench::new();
    write_site(&bench);
    let check = |from: &str, to: &str, code: i32, message: &str| {
        assert!(PLAYERS.contains(from), "{from}");
        bench.write("changed.xml", PLAYERS.replace(from, to));
        let told = bench.run(&[&["run", "changed.xml"], &MIRROR[..]].concat());
        assert_eq!(told.code, code, "{}", told.err);
        assert!(told.err.contains(message), "{}", told.err);
    };
    check(
        "'The Lantern Cup'",
        "'Welcome'",
        4,
        "HOME: its assertion rejects all 1 pages",
    );
    check(
        "<pivot>Position</pivot>",
        "<pivot>Role</pivot>",
        4,
        "PLAYER: position was found on 0 of 90 pages",
    );
    check(
        "//td[@class='name']/a/@href",
        "//td[@class='hit']/a/@href",
        4,
        "HIT: it finds no request on any of",
    );
    check(
        ">http://cup.example/<",
        ">http://cup.example/gone.html<",
        1,
        "no entry could be had: http://cup.example/gone.html answered with status 404",
    );
}

#[test]
fn wrong_usage_is_told() {
    let bench = Bench::new();
    write_site(&bench);
    bench.write("broken.xml", "<codec version=\"1\"><page-class/></codec>");
    bench.write("pathless.xml", "<codec version=\"1\"><page-class id=\"A\"/></codec>");
    let run = |words: &[&'static str]| [&["run"], words, &MIRROR[..]].concat();
    check_error(&bench, &run(&["no.xml"]), 1, &["cannot read no.xml"]);
    check_error(
        &bench,
        &run(&["broken.xml"]),
        1,
        &["broken.xml, line 1: <page-class> needs the attribute id"],
    );
    check_error(
        &bench,
        &run(&["pathless.xml"]),
        1,
        &["pathless.xml", "no path to follow"],
    );
    check_error(
        &bench,
        &run(&["players.xml", "--follow", "none"]),
        2,
        &["no path none; it has initials, positions"],
    );
    check_error(
        &bench,
        &run(&["players.xml", "--send", "HIT"]),
        2,
        &["it has BYPOSITION"],
    );
}

#[test]
fn columns_are_typed_in_the_order_they_were_taught() {
    let bench = Bench::new();
    write_site(&bench);
    let fields = r#"<field name="shirt"><rule class="LABELED"><pivot>Shirt number</pivot><xpath>../following-sibling::dd[1]</xpath></rule></field>
    <field name="born" optional="true"><rule class="LABELED"><pivot>Date of birth</pivot><xpath>../following-sibling::dd[1]</xpath></rule></field>
    <field name="name">"#;
    bench.write("players.xml", PLAYERS.replacen("<field name=\"name\">", fields, 1));
    let told = bench.run(
        &[
            &["run", "players.xml", "--follow", "initials", "-q", "-o", "out"],
            &MIRROR[..],
        ]
        .concat(),
    );
    assert_eq!(told.code, 0, "{}", told.err);
    let database = rusqlite::Connection::open(bench.path().join("out/tables.sqlite")).expect("it is a database");
    let sql = "SELECT group_concat(column_name || ' ' || kind || ' ' || source, ', ') FROM (SELECT * FROM _untemplate_columns ORDER BY position)";
    let columns: String = database
        .query_row(sql, [], |row| row.get(0))
        .expect("columns are told of");
    expect![[
        "page url address, shirt integer field, born date field, born_text text raw, name text field, position enum field, nickname text field, seasons text field"
    ]]
    .assert_eq(&columns);
    let keys: String = database
        .query_row(
            "SELECT group_concat(name) FROM pragma_table_info('PLAYER') WHERE pk > 0",
            [],
            |row| row.get(0),
        )
        .expect("the table has a key");
    assert_eq!(keys, "page");
    let line = bench.read("out/PLAYER.jsonl");
    let row: serde_json::Value = serde_json::from_str(line.lines().next().expect("a row")).expect("a line is JSON");
    assert!(row["shirt"].is_u64(), "{row}");
}
