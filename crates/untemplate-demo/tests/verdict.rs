//! Verdicts on tables that were made by hand.

use rusqlite::{Connection, params};
use untemplate_demo::{DatabaseOptions, DemoSite, Skin, judge};

const BASE: &str = "http://127.0.0.1:1/";

/// The stadiums with some columns right, under whatever names.
fn write_tables(site: &DemoSite, file: &std::path::Path) -> Connection {
    let tables = Connection::open(file).expect("a database");
    tables
        .execute_batch(
            "CREATE TABLE _untemplate_columns (table_name, column_name, position, kind, source, source_key);
             INSERT INTO _untemplate_columns VALUES ('s', 'u', 0, 'url', 'address', ''), ('s', 'a', 1, 'text', 'field', ''),
               ('s', 'b', 2, 'integer', 'field', ''), ('s', 'c', 3, 'text', 'field', '');
             CREATE TABLE s (u TEXT, a TEXT, b INTEGER, c TEXT);",
        )
        .expect("the tables are made");
    let paths = site
        .paths()
        .filter(|path| path.starts_with("/stadiums/") && path.len() > "/stadiums/".len());
    for (path, stadium) in paths.zip(&site.source.database.stadiums) {
        let url = format!("{BASE}{}", path.trim_start_matches('/'));
        let row = params![url, stadium.name, stadium.capacity, format!(" {}\n", stadium.city)];
        tables.execute("INSERT INTO s VALUES (?, ?, ?, ?)", row).expect("a row");
    }
    tables
}

#[test]
fn what_is_right_is_counted_and_nothing_else() {
    let site = DemoSite::new(DatabaseOptions { players: 30, seed: 1 }, Skin::Modern);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tables.sqlite");
    let tables = write_tables(&site, &file);
    let right = || judge(&site, BASE, &file).expect("the tables can be read")["stadiums"];
    let n_stadiums = site.source.database.stadiums.len();
    assert_eq!(right().n_right, 3 * n_stadiums);
    assert!(right().n_cells >= 7 * n_stadiums);
    // A wrong value is not right, and neither is a right one in another column.
    tables
        .execute("UPDATE s SET a = c, c = a WHERE rowid = 1", [])
        .expect("a row changes");
    tables
        .execute("UPDATE s SET b = b + 1 WHERE rowid = 2", [])
        .expect("a row changes");
    assert_eq!(right().n_right, 3 * n_stadiums - 3);
    let verdicts = judge(&site, BASE, &file).expect("the tables can be read");
    assert_eq!(verdicts["players"].n_right, 0);
}
