//! Tables with everything awkward, in every format, and files that are there only when they are
//! whole.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use rusqlite::Connection;
use untemplate::table::{Column, ColumnKind, ColumnSource, Database, ForeignKey, Table};

use super::*;

pub(crate) const FORMATS: [TableFormat; 5] = [
    TableFormat::JsonLines,
    TableFormat::Csv,
    TableFormat::Parquet,
    TableFormat::Xml,
    TableFormat::Sqlite,
];

pub(crate) fn column(name: &str, kind: ColumnKind) -> Column {
    Column {
        name: name.to_owned(),
        source: ColumnSource::Field(name.to_owned()),
        kind,
        unit: None,
        is_nullable: true,
        reading: Default::default(),
    }
}

pub(crate) fn table(name: &str, columns: Vec<Column>) -> Table {
    Table {
        name: name.to_owned(),
        page_class: 0,
        list_path: Vec::new(),
        columns,
        key: Vec::new(),
        foreign_keys: Vec::new(),
    }
}

pub(crate) fn table_named(name: &str) -> Table {
    table(name, vec![column("name", ColumnKind::Text)])
}

pub(crate) fn row<const N: usize>(values: [Option<&str>; N]) -> Vec<Option<String>> {
    values.map(|value| value.map(str::to_owned)).to_vec()
}

fn awkward() -> (Table, Vec<Vec<Option<String>>>) {
    let columns = vec![
        column("player, name", ColumnKind::Text),
        column("goals", ColumnKind::Integer),
        column("mean", ColumnKind::Decimal),
        column("is_captain", ColumnKind::Boolean),
    ];
    let rows = vec![
        row([Some("Ada \"A\" <b>"), Some("3"), Some("0.50"), Some("true")]),
        row([None, Some("many"), None, None]),
        row([Some("Bö\nb"), None, Some("2"), Some("false")]),
        row([Some(""), None, None, None]),
    ];
    (table("the \"cup\"", columns), rows)
}

fn check(format: TableFormat, expected: Expect) {
    let (table, rows) = awkward();
    let bytes = table_bytes(&table, &rows, format).expect("a table can be written");
    let text = String::from_utf8(bytes).expect("text formats are UTF-8");
    expected.assert_eq(&text.replace('\r', "\\r"));
}

#[test]
fn text_formats_quote_what_is_awkward() {
    check(
        TableFormat::JsonLines,
        expect![[r#"
        {"player, name":"Ada \"A\" <b>","goals":3,"mean":0.50,"is_captain":true}
        {"goals":"many"}
        {"player, name":"Bö\nb","mean":2,"is_captain":false}
        {"player, name":""}
    "#]],
    );
    check(
        TableFormat::Csv,
        expect![[r#"
        "player, name",goals,mean,is_captain\r
        "Ada ""A"" <b>",3,0.50,true\r
        ,many,,\r
        "Bö
        b",,2,false\r
        "",,,\r
    "#]],
    );
    check(
        TableFormat::Xml,
        expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <table name="the &quot;cup&quot;">
          <row>
            <field name="player, name">Ada &quot;A&quot; &lt;b&gt;</field>
            <field name="goals">3</field>
            <field name="mean">0.50</field>
            <field name="is_captain">true</field>
          </row>
          <row>
            <field name="goals">many</field>
          </row>
          <row>
            <field name="player, name">Bö&#10;b</field>
            <field name="mean">2</field>
            <field name="is_captain">false</field>
          </row>
          <row>
            <field name="player, name"></field>
          </row>
        </table>
    "#]],
    );
}

/// Players and their seasons: a key, a key of two columns, a reference.
pub(crate) fn players() -> Database {
    let required = |name: &str, kind, source| Column {
        is_nullable: false,
        reading: Default::default(),
        source,
        ..column(name, kind)
    };
    let address = || required("url", ColumnKind::Url, ColumnSource::Address);
    let height = Column {
        unit: Some("cm".to_owned()),
        ..column("height", ColumnKind::Integer)
    };
    let mut player = table("player", vec![address(), column("born", ColumnKind::Date), height]);
    player.key = vec![0];
    let position = required("position", ColumnKind::Integer, ColumnSource::Position(0));
    let mut season = table("season", vec![address(), position, column("year", ColumnKind::Integer)]);
    season.list_path = vec!["seasons".to_owned()];
    season.key = vec![0, 1];
    season.foreign_keys = vec![ForeignKey {
        columns: vec![0],
        table: 0,
        to: vec![0],
    }];
    Database {
        tables: vec![player, season],
    }
}

pub(crate) fn cell(file: &Path, sql: &str) -> Option<String> {
    let database = Connection::open(file).expect("it is a database");
    let sql = format!("SELECT CAST(({sql}) AS TEXT)");
    database
        .query_row(&sql, [], |row| row.get(0))
        .expect("the query is right")
}

#[test]
fn a_database_has_types_keys_and_references() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = TableFolder::create(folder.path(), &players(), &[TableFormat::Sqlite]).expect("a folder");
    files
        .set_classes(vec![ClassMark {
            name: "players".to_owned(),
            wrapper: Some("wrappers/players.json".to_owned()),
        }])
        .expect("nothing to open");
    // The child comes first: rows come in any order.
    files
        .push(1, &row([Some("http://a/1"), Some("1"), Some("2004")]))
        .expect("a row");
    files
        .push(0, &row([Some("http://a/1"), Some("1984-02-29"), Some("180")]))
        .expect("a row");
    let file = files.finish().expect("the database is whole").remove(0);
    let database = Connection::open(&file).expect("it is a database");
    let mut sql = database
        .prepare("SELECT sql FROM sqlite_master WHERE sql NOT LIKE '%untemplate%' ORDER BY name")
        .expect("a query");
    let sql: Vec<String> = sql.query_map([], |row| row.get(0)).expect("rows").flatten().collect();
    expect![[r#"
        CREATE TABLE "player" (
          "url" TEXT NOT NULL,
          "born" DATE,
          "height" INTEGER,
          PRIMARY KEY ("url")
        );
        CREATE TABLE "season" (
          "url" TEXT NOT NULL,
          "position" INTEGER NOT NULL,
          "year" INTEGER,
          PRIMARY KEY ("url", "position"),
          FOREIGN KEY ("url") REFERENCES "player" ("url")
        )"#]]
    .assert_eq(&sql.join(";\n"));
    assert_eq!(
        cell(&file, "SELECT group_concat(typeof(height) || typeof(born)) FROM player").as_deref(),
        Some("integertext")
    );
    assert_eq!(
        cell(
            &file,
            "SELECT wrapper || list_path || n_rows FROM _untemplate_tables WHERE table_name = 'season'"
        )
        .as_deref(),
        Some("wrappers/players.json[\"seasons\"]1")
    );
    let shown = "SELECT group_concat(column_name || ' ' || kind || coalesce(' ' || unit, '') || ' ' || source || coalesce(' ' || source_key, ''), '; ') FROM _untemplate_columns";
    expect!["url url address; born date field born; height integer cm field height; url url address; position integer position 0; year integer field year"].assert_eq(&cell(&file, shown).unwrap_or_default());
}

#[test]
fn what_a_schema_promises_is_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut files = TableFolder::create(folder.path(), &players(), &[TableFormat::Sqlite]).expect("a folder");
    files
        .push(1, &row([Some("http://a/9"), Some("1"), None]))
        .expect("a row");
    let error = files.finish().expect_err("the player is not there").to_string();
    assert!(error.contains("1 rows of season refer to rows of player"), "{error}");
    assert!(!folder.path().join("tables.sqlite").exists());
    let mut files = TableFolder::create(folder.path(), &players(), &[TableFormat::Sqlite]).expect("a folder");
    let twice = row([Some("http://a/1"), None, None]);
    files.push(0, &twice).expect("a row");
    assert!(files.push(0, &twice).is_err(), "a key is there once");
}

#[test]
fn pages_that_are_gone_stay_marked() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = |url: &str, time: &str| PageMark {
        url: url.to_owned(),
        page_class: Some(0),
        first_seen: Some(time.to_owned()),
        last_seen: Some(time.to_owned()),
        state: PageState::Read,
    };
    let file = folder.path().join("tables.sqlite");
    let write = |pages: &[PageMark], state: PageState| {
        let mut files = TableFolder::create(folder.path(), &players(), &[TableFormat::Sqlite]).expect("a folder");
        pages.iter().for_each(|page| files.push_page(page).expect("a page"));
        files.carry_pages(&file, state).expect("an earlier database, or none");
        files.finish().expect("a database");
        let shown = "SELECT group_concat(url || ' ' || first_seen || ' ' || last_seen || ' ' || state, '; ') FROM (SELECT * FROM _untemplate_pages ORDER BY url)";
        cell(&file, shown).unwrap_or_default()
    };
    expect!["a Monday Monday read; b Monday Monday read"]
        .assert_eq(&write(&[page("a", "Monday"), page("b", "Monday")], PageState::Vanished));
    expect!["a Monday Tuesday read; b Monday Monday not reached"]
        .assert_eq(&write(&[page("a", "Tuesday")], PageState::NotReached));
    expect!["a Monday Wednesday read; b Monday Monday vanished"]
        .assert_eq(&write(&[page("a", "Wednesday")], PageState::Vanished));
    expect!["a Monday Wednesday not reached; b Monday Thursday read"]
        .assert_eq(&write(&[page("b", "Thursday")], PageState::NotReached));
}

#[test]
fn nothing_is_there_before_it_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("out");
    let database = Database {
        tables: vec![awkward().0, table_named("other")],
    };
    // A format that is named twice is written once.
    let formats = [&FORMATS[..], &FORMATS[..2]].concat();
    let visible = || {
        let entries = fs::read_dir(&folder).expect("a folder").flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    };
    let mut files = TableFolder::create(&folder, &database, &formats).expect("a folder can be written");
    files.push(0, &awkward().1[0]).expect("a row can be written");
    assert!(
        visible()
            .iter()
            .all(|name| name.starts_with('.') && name.ends_with(".part")),
        "{:?}",
        visible()
    );
    files.abandon();
    assert_eq!(visible(), Vec::<String>::new());
    let files = TableFolder::create(&folder, &database, &formats).expect("a folder can be written");
    assert_eq!(files.finish().expect("empty tables are files all the same").len(), 9);
    expect![[r#"
        ["other.csv", "other.jsonl", "other.parquet", "other.xml", "tables.sqlite", "the__cup_.csv", "the__cup_.jsonl", "the__cup_.parquet", "the__cup_.xml"]"#]]
    .assert_eq(&format!("{:?}", visible()));
}

#[test]
fn a_field_may_have_several_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database {
        tables: vec![table_named("one")],
    };
    let mut files = TableFolder::create(folder.path(), &database, &FORMATS).expect("a folder can be written");
    files.set_lists(vec![(0, 0)]);
    files.push(0, &row([Some("a\nb")])).expect("a row");
    files.push(0, &row([None])).expect("a row");
    files.finish().expect("files can be ended");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("the file is there");
    assert_eq!(read("one.jsonl"), "{\"name\":[\"a\",\"b\"]}\n{}\n");
    assert_eq!(read("one.csv"), "name\r\n\"a\nb\"\r\n\"\"\r\n");
    assert_eq!(read("one.xml").matches("<field name=\"name\">").count(), 2);
    let file = folder.path().join("tables.sqlite");
    assert_eq!(
        cell(&file, "SELECT name FROM one WHERE name IS NOT NULL").as_deref(),
        Some("a\nb")
    );
}

#[test]
fn names_of_our_own_tables_are_kept_free() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = ["sqlite_master", "_UNTEMPLATE_pages", "", "selects \"x\""]
        .map(table_named)
        .to_vec();
    let mut files =
        TableFolder::create(folder.path(), &Database { tables }, &FORMATS).expect("a folder can be written");
    (0..4).for_each(|table| files.push(table, &row([Some("x")])).expect("a row"));
    files.finish().expect("files can be ended");
    let file = folder.path().join("tables.sqlite");
    assert_eq!(
        cell(
            &file,
            "SELECT count(*) FROM table_sqlite_master, \"table__UNTEMPLATE_pages\", table_"
        )
        .as_deref(),
        Some("1")
    );
}

/// What other readers were asked, see the test with `pyarrow` and DuckDB; here are the bytes, so
/// that a change of the format is seen.
#[test]
fn a_parquet_file_begins_and_ends_as_the_format_says() {
    let (table, rows) = awkward();
    let bytes = table_bytes(&table, &rows, TableFormat::Parquet).expect("a table can be written");
    assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    let length = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().expect("four bytes")) as usize;
    let footer = &bytes[bytes.len() - 8 - length..bytes.len() - 8];
    // Version 1, then a list of five schema elements, the first a struct named `schema` with four
    // children.
    assert_eq!(footer[..15], *b"\x15\x02\x19\x5c\x48\x06schema\x15\x08\x00");
}

#[test]
fn partitions_are_by_class_and_those_of_an_earlier_run_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |class: &str| {
        let formats = [TableFormat::ParquetByClass, TableFormat::Sqlite];
        let mut files = TableFolder::create(folder.path(), &players(), &formats).expect("a folder");
        let classes = vec![ClassMark {
            name: class.to_owned(),
            wrapper: None,
        }];
        files.set_classes(classes).expect("the folders are made");
        files.push(0, &row([Some("a"), None, None])).expect("a row");
        files.finish_comparing().expect("whole files");
        let mut partitions = Vec::new();
        let mut open = vec![folder.path().join("parquet")];
        while let Some(inner) = open.pop() {
            for entry in fs::read_dir(inner).expect("a folder").flatten() {
                match entry.path().is_dir() {
                    true => open.push(entry.path()),
                    false => partitions.push(entry.path().strip_prefix(folder.path()).expect("below it").to_owned()),
                }
            }
        }
        partitions.sort();
        partitions
            .iter()
            .map(|file| file.display().to_string())
            .collect::<Vec<_>>()
    };
    let first = ["player", "season"].map(|table| format!("parquet/class=all_of_them/table={table}/part-0.parquet"));
    assert_eq!(write("all of them"), first);
    fs::write(folder.path().join("parquet/mine.txt"), "").expect("a file");
    let mut second = vec!["parquet/mine.txt".to_owned()];
    second.splice(
        0..0,
        ["player", "season"].map(|table| format!("parquet/class=players/table={table}/part-0.parquet")),
    );
    assert_eq!(write("players"), second);
}
