//! `schema.toml` from outside: written beside the tables, changed by a person, and done as it says,
//! run after run.

mod program;

use program::{Bench, check_error};
use rusqlite::Connection;
use serde_json::Value;

const SITE: [&str; 3] = ["http://cup.example/", "--mirror", "http://cup.example/=cup/site"];

fn write_site(bench: &Bench) {
    let told = bench.run(&["demo", "--players", "30", "--write", "cup", "-q", "-o", "demo.txt"]);
    assert_eq!(told.code, 0, "{}", told.err);
}

/// Rebuilds to a folder; what was said, and the summary.
fn rebuild(bench: &Bench, folder: &str, more: &[&str]) -> (String, Value) {
    let words = ["rebuild", "-o", folder, "--summary", "figures.json", "--format", "csv"];
    let told = bench.run(&[&words[..], &SITE[..], more].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let summary = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    (told.err, summary)
}

/// The columns of a table, by its name.
fn head(bench: &Bench, file: &str) -> Vec<String> {
    let text = bench.read(file);
    let line = text.lines().next().expect("a row of names");
    line.split(',').map(str::to_owned).collect()
}

/// The block of a schema that describes a column of a table.
fn column_block<'a>(schema: &'a str, table: &str, column: &str) -> &'a str {
    let from = schema
        .find(&format!("\nname = \"{table}\"\n"))
        .expect("the table is there");
    let at = from
        + schema[from..]
            .find(&format!("\n[[table.column]]\nname = \"{column}\""))
            .expect("the column is there");
    let end = schema[at + 2..]
        .find("\n[[")
        .map_or(schema.len(), |length| at + 2 + length);
    &schema[at..end]
}

#[test]
fn an_unchanged_schema_changes_nothing() {
    let bench = Bench::new();
    write_site(&bench);
    rebuild(&bench, "one", &[]);
    let (err, summary) = rebuild(&bench, "two", &["--schema", "one/schema.toml"]);
    assert!(!err.contains("no longer applies"), "{err}");
    assert_eq!(summary["schema_unapplied"], serde_json::json!([]));
    assert_eq!(bench.read("one/stadiums.csv"), bench.read("two/stadiums.csv"));
    // What was given is somebody's from then on.
    let one = bench.read("one/schema.toml");
    let (one, _) = one.split_once("\n# As it was written").expect("nobody changed it");
    assert_eq!(one, bench.read("two/schema.toml"));
    let bytes = |folder: &str| std::fs::read(bench.path().join(folder).join("tables.sqlite")).expect("a database");
    assert!(bytes("one") == bytes("two"), "the same database");
}

#[test]
fn tables_and_columns_are_renamed_retyped_dropped_and_merged() {
    let bench = Bench::new();
    write_site(&bench);
    rebuild(&bench, "one", &[]);
    assert_eq!(
        head(&bench, "one/stadiums.csv")[..4],
        ["url", "name", "city", "capacity"]
    );
    let schema = bench.read("one/schema.toml");
    let capacity = column_block(&schema, "stadiums", "capacity");
    assert!(capacity.contains("type = \"integer\""), "{capacity}");
    let city = column_block(&schema, "stadiums", "city");
    let name = column_block(&schema, "stadiums", "name");
    let edited = schema
        .replacen(
            capacity,
            &capacity
                .replace("\"capacity\"", "\"seats\"")
                .replace("\"integer\"", "\"text\""),
            1,
        )
        .replacen(city, &format!("{city}\ndrop = true\n"), 1)
        .replacen(name, &name.replacen("name = \"name\"", "name = \"called\"", 1), 1)
        .replacen("\nname = \"stadiums\"\n", "\nname = \"grounds\"\n", 1);
    bench.write("mine.toml", &edited);
    let (err, _) = rebuild(&bench, "two", &["--schema", "mine.toml"]);
    assert!(!err.contains("no longer applies"), "{err}");
    let columns = head(&bench, "two/grounds.csv");
    assert_eq!(columns[..3], ["url", "called", "seats"], "{columns:?}");
    assert!(!columns.contains(&"city".to_owned()));
    assert!(!bench.path().join("two/stadiums.csv").exists());
    let database = Connection::open(bench.path().join("two/tables.sqlite")).expect("a database");
    let kind: String = database
        .query_row(
            "SELECT kind FROM _untemplate_columns WHERE table_name = 'grounds' AND column_name = 'seats'",
            [],
            |row| row.get(0),
        )
        .expect("the column is known");
    assert_eq!(kind, "text");

    // What the run wrote says the same, so that it can be given the next time.
    let again = bench.read("two/schema.toml");
    assert!(
        again.contains("drop = true") && again.contains("name = \"grounds\""),
        "{again}"
    );
    let (err, _) = rebuild(&bench, "two", &["--schema", "two/schema.toml"]);
    assert!(
        err.contains("since the last run: 0 rows added, 0 changed, 0 vanished"),
        "{err}"
    );
    assert_eq!(bench.read("two/schema.toml"), again);
}

#[test]
fn what_was_left_out_is_kept_and_what_is_gone_is_told() {
    let bench = Bench::new();
    write_site(&bench);
    rebuild(&bench, "one", &[]);
    let schema = bench.read("one/schema.toml");
    let left_out = schema.find("[[table.left_out]]").expect("something was left out");
    let keep = left_out + schema[left_out..].find("keep = false").expect("it can be kept");
    let mut edited = format!(
        "{}keep = true{}",
        &schema[..keep],
        &schema[keep + "keep = false".len()..]
    );
    edited.push_str("\n[[table]]\nname = \"referees\"\nclass = \"referee\"\n\n[[table.column]]\nname = \"whistle\"\nsource = \"field\"\nkey = \"whistle\"\n");
    bench.write("mine.toml", &edited);
    let n_columns = |folder: &str| {
        let database = Connection::open(bench.path().join(folder).join("tables.sqlite")).expect("a database");
        let count = "SELECT count(*) FROM _untemplate_columns";
        database
            .query_row(count, [], |row| row.get::<_, i64>(0))
            .expect("a number")
    };
    let (err, summary) = rebuild(&bench, "two", &["--schema", "mine.toml"]);
    assert!(err.contains("the schema no longer applies: table referees"), "{err}");
    assert!(
        summary["schema_unapplied"][0]
            .as_str()
            .is_some_and(|what| what.contains("referees")),
        "{summary}"
    );
    assert!(
        n_columns("two") > n_columns("one"),
        "{} {}",
        n_columns("two"),
        n_columns("one")
    );
    let again = bench.read("two/schema.toml");
    assert!(
        again.contains("keep = true") && again.contains("name = \"referees\""),
        "{again}"
    );
}

#[test]
fn mistakes_in_a_schema_are_said_before_the_work() {
    let bench = Bench::new();
    bench.write("bad.toml", "[[table]]\nname = \"a\"\nclass = \"b\"\ncolour = \"red\"\n");
    let words = ["rebuild", "http://a.example/", "--schema", "bad.toml"];
    check_error(
        &bench,
        &words,
        2,
        &["--schema: the schema bad.toml", "line 4", "colour"],
    );
    let words = ["rebuild", "http://a.example/", "--schema", "missing.toml"];
    check_error(&bench, &words, 2, &["missing.toml"]);
}

#[test]
fn a_schema_that_was_changed_where_it_lies_is_followed_run_after_run() {
    let bench = Bench::new();
    write_site(&bench);
    rebuild(&bench, "one", &[]);
    let (err, _) = rebuild(&bench, "one", &[]);
    assert!(!err.contains("was changed"), "nobody changed it: {err}");
    let schema = bench.read("one/schema.toml");
    let capacity = column_block(&schema, "stadiums", "capacity");
    let city = column_block(&schema, "stadiums", "city");
    let edited = schema
        .replacen(capacity, &capacity.replace("\"integer\"", "\"text\""), 1)
        .replacen(city, &format!("{city}\ndrop = true\n"), 1)
        .replacen("\nname = \"stadiums\"\n", "\nname = \"grounds\"\n", 1);
    bench.write("one/schema.toml", &edited);
    for _ in 0..2 {
        let (err, _) = rebuild(&bench, "one", &[]);
        assert!(
            err.contains("schema.toml was changed, and the run does as it says"),
            "{err}"
        );
        assert!(!head(&bench, "one/grounds.csv").contains(&"city".to_owned()));
        assert!(
            !bench.path().join("one/stadiums.csv").exists(),
            "it went with its table"
        );
    }
    bench.write("one/schema.toml", "colour = 1");
    let words = ["rebuild", "-o", "one", SITE[0], SITE[1], SITE[2]];
    check_error(
        &bench,
        &words,
        1,
        &["one/schema.toml", "colour", "remove it to begin anew"],
    );
}

#[test]
fn the_tables_of_another_site_are_left_alone() {
    let bench = Bench::new();
    write_site(&bench);
    rebuild(&bench, "one", &[]);
    let before = bench.read("one/stadiums.csv");
    let words = [
        "rebuild",
        "-o",
        "one",
        "http://other.example/",
        "--mirror",
        "http://other.example/=cup/site",
    ];
    check_error(&bench, &words, 1, &["one has the tables of http://cup.example/", "-o"]);
    // Another port is another server.
    let words = [
        "rebuild",
        "-o",
        "one",
        "http://cup.example:8080/",
        "--mirror",
        "http://cup.example:8080/=cup/site",
    ];
    check_error(&bench, &words, 1, &["one has the tables of http://cup.example/", "-o"]);
    assert_eq!(bench.read("one/stadiums.csv"), before);
    // Whoever writes nothing is let be.
    let told = bench.run(&[&words[..], &["--dry-run", "-q"]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
}

#[test]
fn a_folder_without_a_row_is_nobodys() {
    let bench = Bench::new();
    bench.write("bare/index.html", "<title>Bare</title>");
    let rebuild = |folder: &str| bench.run(&["rebuild", folder, "-o", "made", "-q"]);
    assert_eq!(rebuild("bare").code, 5);
    write_site(&bench);
    let told = rebuild("cup/site");
    assert_eq!(told.code, 0, "{}", told.err);
}
