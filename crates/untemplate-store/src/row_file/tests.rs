//! Awkward rows in every format, and files that are there only when they are whole.

use std::fs;

use expect_test::expect;

use super::*;

fn values(cells: [&[&str]; 3]) -> Vec<Vec<String>> {
    cells
        .map(|cell| cell.iter().map(|&value| value.to_owned()).collect())
        .to_vec()
}

#[test]
fn rows_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("out");
    let columns = ["page", "a \"b\"", "c"].map(str::to_owned).to_vec();
    let table = |name: &str| RowTable {
        name: name.to_owned(),
        columns: columns.clone(),
    };
    // A format that is named twice is written once.
    let formats = [
        RowFormat::Csv,
        RowFormat::JsonLines,
        RowFormat::Csv,
        RowFormat::Xml,
        RowFormat::Sqlite,
        RowFormat::Sqlite,
    ];
    let mut files =
        RowFiles::create(&folder, vec![table("one"), table("two")], &formats).expect("a folder can be written");
    files
        .push(0, &values([&["p"], &["x, \"y\""], &["1", "2"]]))
        .expect("a row can be written");
    files
        .push(0, &values([&["q"], &[], &["<ü>"]]))
        .expect("a row can be written");
    assert!(!folder.join("one.csv").exists(), "nothing is there before it is whole");
    let written = files.finish().expect("files can be ended");
    assert_eq!(written.len(), 7);
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("the file is there");
    expect![[r#"
        {"page":"p","a \"b\"":"x, \"y\"","c":["1","2"]}
        {"page":"q","c":"<ü>"}
    "#]]
    .assert_eq(&read("one.jsonl"));
    assert_eq!(
        read("one.csv"),
        "page,\"a \"\"b\"\"\",c\r\np,\"x, \"\"y\"\"\",\"1\n2\"\r\nq,,<ü>\r\n"
    );
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <table name="one">
          <row>
            <field name="page">p</field>
            <field name="a &quot;b&quot;">x, &quot;y&quot;</field>
            <field name="c">1</field>
            <field name="c">2</field>
          </row>
          <row>
            <field name="page">q</field>
            <field name="c">&lt;ü&gt;</field>
          </row>
        </table>
    "#]]
    .assert_eq(&read("one.xml"));
    assert_eq!(
        (read("two.jsonl").as_str(), read("two.csv").as_str()),
        ("", "page,\"a \"\"b\"\"\",c\r\n")
    );
    let database = rusqlite::Connection::open(folder.join("tables.sqlite")).expect("it is a database");
    let cell = |sql: &str| {
        database
            .query_row(sql, [], |row| row.get::<_, Option<String>>(0))
            .expect("the query is right")
    };
    assert_eq!(cell("SELECT c FROM one WHERE page = 'p'").as_deref(), Some("1\n2"));
    assert_eq!(cell("SELECT \"a \"\"b\"\"\" FROM one WHERE page = 'q'"), None);
    assert_eq!(cell("SELECT CAST(count(*) AS TEXT) FROM two").as_deref(), Some("0"));
    let left: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().collect();
    assert_eq!(left.len(), 7, "{left:?}");
}
