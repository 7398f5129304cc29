//! One table with everything awkward, in every format.

use expect_test::{Expect, expect};

use super::*;

fn table() -> Table {
    let column = |name: &str, kind| TableColumn {
        name: name.to_owned(),
        kind,
    };
    let row = |values: [Option<&str>; 3]| values.map(|value| value.map(str::to_owned)).to_vec();
    Table {
        name: "the \"cup\"".to_owned(),
        columns: vec![
            column("player, name", ColumnKind::Text),
            column("goals", ColumnKind::Integer),
            column("mean", ColumnKind::Real),
        ],
        rows: vec![
            row([Some("Ada \"A\" <b>"), Some("3"), Some("0.5")]),
            row([None, Some("many"), None]),
            row([Some("Bö\nb"), None, Some("2")]),
        ],
    }
}

fn check(format: TableFormat, expected: Expect) {
    let bytes = write_table(&table(), format).expect("a table can be written");
    expected.assert_eq(&String::from_utf8(bytes).expect("text formats are UTF-8"));
}

#[test]
fn text_formats_quote_what_is_awkward() {
    check(
        TableFormat::JsonLines,
        expect![[r#"
            {"player, name":"Ada \"A\" <b>","goals":3,"mean":0.5}
            {}
            {"player, name":"Bö\nb","mean":2}
        "#]],
    );
    let csv = write_table(&table(), TableFormat::Csv).expect("a table can be written");
    assert_eq!(
        String::from_utf8(csv).expect("CSV is UTF-8"),
        "\"player, name\",goals,mean\r\n\"Ada \"\"A\"\" <b>\",3,0.5\r\n,many,\r\n\"Bö\nb\",,2\r\n"
    );
    check(
        TableFormat::Xml,
        expect![[r#"
            <?xml version="1.0" encoding="UTF-8"?>
            <table name="the &quot;cup&quot;">
              <row>
                <field name="player, name">Ada &quot;A&quot; &lt;b&gt;</field>
                <field name="goals">3</field>
                <field name="mean">0.5</field>
              </row>
              <row>
                <field name="goals">many</field>
              </row>
              <row>
                <field name="player, name">Bö&#10;b</field>
                <field name="mean">2</field>
              </row>
            </table>
        "#]],
    );
}

#[test]
fn a_database_holds_the_rows() {
    let bytes = write_table(&table(), TableFormat::Sqlite).expect("a table can be written");
    let file = tempfile::NamedTempFile::new().expect("a file can be made");
    std::fs::write(file.path(), bytes).expect("a file can be written");
    let connection = rusqlite::Connection::open(file.path()).expect("it is a database");
    let mut statement = connection
        .prepare("SELECT \"player, name\", goals, mean FROM \"the \"\"cup\"\"\"")
        .expect("the table is there");
    let rows = statement.query_map([], |row| {
        Ok((
            row.get::<_, Option<String>>(0)?,
            row.get::<_, Option<i64>>(1)?,
            row.get::<_, Option<f64>>(2)?,
        ))
    });
    let rows: Vec<_> = rows
        .expect("rows can be read")
        .map(|row| row.expect("a row can be read"))
        .collect();
    let expected = [
        (Some("Ada \"A\" <b>".to_owned()), Some(3), Some(0.5)),
        (None, None, None),
        (Some("Bö\nb".to_owned()), None, Some(2.0)),
    ];
    assert_eq!(rows, expected);
}

/// The bytes of a small file, so that a change of the format is seen. Other readers were asked once; see the documents.
#[test]
fn a_parquet_file_begins_and_ends_as_the_format_says() {
    let bytes = write_table(&table(), TableFormat::Parquet).expect("a table can be written");
    assert_eq!((&bytes[..4], &bytes[bytes.len() - 4..]), (&b"PAR1"[..], &b"PAR1"[..]));
    let length = u32::from_le_bytes(bytes[bytes.len() - 8..bytes.len() - 4].try_into().expect("four bytes")) as usize;
    let footer = &bytes[bytes.len() - 8 - length..bytes.len() - 8];
    // Version 1, then a list of four schema elements, the first a struct named `schema` with three children.
    assert_eq!(footer[..15], *b"\x15\x02\x19\x4c\x48\x06schema\x15\x06\x00");
    // The first page: a data page of three values, definition levels 1, 0, 1 as runs, then the values with their lengths.
    let levels = b"\x06\x00\x00\x00\x02\x01\x02\x00\x02\x01\x0b\x00\x00\x00Ada \"A\" <b>";
    assert!(bytes.windows(levels.len()).any(|window| window == levels));
}

#[test]
fn empty_tables_are_files_all_the_same() {
    for format in [
        TableFormat::JsonLines,
        TableFormat::Csv,
        TableFormat::Parquet,
        TableFormat::Xml,
        TableFormat::Sqlite,
    ] {
        let table = Table {
            rows: Vec::new(),
            ..table()
        };
        write_table(&table, format).expect("an empty table can be written");
    }
}

#[test]
fn kinds_are_told_from_values() {
    let kind = |values: &[&str]| ColumnKind::of(values.iter().copied());
    assert_eq!(kind(&["1", "-20"]), ColumnKind::Integer);
    assert_eq!(kind(&["1", "007"]), ColumnKind::Text);
    assert_eq!(kind(&["1.5"]), ColumnKind::Text);
    assert_eq!(kind(&[]), ColumnKind::Text);
}
