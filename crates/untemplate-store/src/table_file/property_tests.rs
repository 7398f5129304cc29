//! Any text survives each format.

use std::fs;

use proptest::prelude::*;
use rusqlite::Connection;
use untemplate::table::{ColumnKind, Database};

use super::tests::{FORMATS, column, table};
use super::*;

type Rows = Vec<Vec<Option<String>>>;

fn rows() -> impl Strategy<Value = Rows> {
    let cell = proptest::option::of(any::<String>());
    proptest::collection::vec(proptest::collection::vec(cell, 3), 0..12)
}

fn written(rows: &Rows) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let columns = ["a", "b \"c\"", "d,e"]
        .map(|name| column(name, ColumnKind::Text))
        .to_vec();
    let database = Database {
        tables: vec![table("t", columns)],
    };
    let mut files = TableFolder::create(folder.path(), &database, &FORMATS).expect("a folder can be written");
    rows.iter().for_each(|row| files.push(0, row).expect("a row"));
    files.finish().expect("files can be ended");
    folder
}

/// A CSV reader that knows nothing but the standard: quotes, commas, line ends.
fn read_csv(text: &str) -> Rows {
    let (mut rows, mut row, mut cell) = (Rows::new(), Vec::new(), None::<String>);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => loop {
                let value = cell.get_or_insert_default();
                match chars.next() {
                    Some('"') if chars.peek() == Some(&'"') => value.extend(chars.next()),
                    Some('"') | None => break,
                    Some(c) => value.push(c),
                }
            },
            ',' => row.push(cell.take()),
            '\r' if chars.peek() == Some(&'\n') => {
                chars.next();
                row.push(cell.take());
                rows.push(std::mem::take(&mut row));
            }
            c => cell.get_or_insert_default().push(c),
        }
    }
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_text_survives(rows in rows()) {
        let folder = written(&rows);
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("the file is there");
        prop_assert_eq!(&read_csv(&read("t.csv"))[1..], &rows[..]);
        let names = ["a", "b \"c\"", "d,e"];
        let text = read("t.jsonl");
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line is JSON"));
        let from_json: Rows = lines.map(|line| names.map(|name| line[name].as_str().map(str::to_owned)).to_vec()).collect();
        prop_assert_eq!(&from_json, &rows);
        let connection = Connection::open(folder.path().join("tables.sqlite")).expect("it is a database");
        let mut statement = connection.prepare("SELECT * FROM t ORDER BY rowid").expect("a query");
        let from_sqlite = statement.query_map([], |row| (0..3).map(|at| row.get(at)).collect::<Result<Vec<Option<String>>, _>>());
        let from_sqlite: Rows = from_sqlite.expect("rows").map(|row| row.expect("a row")).collect();
        prop_assert_eq!(&from_sqlite, &rows);
        prop_assert_eq!(from_xml(&read("t.xml"), &names), shown_in_xml(&rows));
    }

    #[test]
    fn nothing_panics_whatever_a_typed_column_is_given(value in any::<String>(), kind in 0_usize..11) {
        let kinds = [
            ColumnKind::Integer, ColumnKind::Decimal, ColumnKind::Date, ColumnKind::DateTime, ColumnKind::Time, ColumnKind::Boolean,
            ColumnKind::Url, ColumnKind::Email, ColumnKind::Phone, ColumnKind::Enum, ColumnKind::Text,
        ];
        let table = table("t", vec![column("a", kinds[kind])]);
        for format in FORMATS {
            table_bytes(&table, &[vec![Some(value.clone())]], format).expect("a table can be written");
        }
    }
}

/// XML cannot hold some characters.
fn shown_in_xml(rows: &Rows) -> Rows {
    let shown = |c: char| match c {
        '\t' | '\n' | '\r' => c,
        '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        c => c,
    };
    let cell = |cell: &Option<String>| cell.as_ref().map(|text| text.chars().map(shown).collect());
    rows.iter().map(|row| row.iter().map(cell).collect()).collect()
}

fn from_xml(text: &str, names: &[&str]) -> Rows {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(text);
    let (mut rows, mut at) = (Rows::new(), None::<usize>);
    loop {
        match reader.read_event().expect("it is XML") {
            Event::Eof => return rows,
            Event::Start(element) if element.name().as_ref() == "row" => rows.push(vec![None; names.len()]),
            Event::Start(element) if element.name().as_ref() == "field" => {
                let name = element
                    .attributes()
                    .flatten()
                    .next()
                    .expect("a name")
                    .normalized_value(quick_xml::XmlVersion::Implicit1_0)
                    .expect("a name");
                at = names.iter().position(|own| *own == name);
                rows.last_mut().expect("a row")[at.expect("a column")] = Some(String::new());
            }
            Event::End(_) => at = None,
            event => {
                let Some(cell) = at.and_then(|at| rows.last_mut().and_then(|row| row[at].as_mut())) else {
                    continue;
                };
                match event {
                    Event::Text(text) => cell.push_str(&text),
                    Event::GeneralRef(reference) => cell.push_str(&resolved(&reference)),
                    _ => {}
                }
            }
        }
    }
}

fn resolved(reference: &quick_xml::events::BytesRef<'_>) -> String {
    if let Some(c) = reference.resolve_char_ref().expect("a reference") {
        return c.to_string();
    }
    quick_xml::escape::resolve_predefined_entity(reference)
        .expect("one of five")
        .to_owned()
}
