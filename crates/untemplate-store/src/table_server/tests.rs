//! Loading into a real server, which the test starts: see `PostgresServer`.

use std::path::Path;

use expect_test::expect;
use postgres::{Client, NoTls};
use untemplate::table::{ColumnKind, Database};

use crate::table_file::tests::{column, players, row, table};
use crate::table_file::{ClassMark, PageMark, PageState, TableFileError, TableFolder, TableFormat};
use crate::{TableServer, TableServerError};

#[path = "../../tests/postgres_server/mod.rs"]
mod postgres_server;

use postgres_server::PostgresServer;

fn page(url: &str, state: PageState) -> PageMark {
    PageMark {
        url: url.to_owned(),
        page_class: Some(0),
        first_seen: None,
        last_seen: None,
        state,
    }
}

/// Loads players and their seasons, the way verbs do.
fn load(address: &str, folder: &Path, players_of: &[&str]) -> Result<(), TableFileError> {
    let database = players();
    let mut files = TableFolder::create(folder, &database, &[])?;
    files.load_into(TableServer::connect(address, &database)?);
    files.set_classes(vec![ClassMark {
        name: "players".to_owned(),
        wrapper: Some("wrappers/players.json".to_owned()),
    }])?;
    for url in players_of {
        files.push(1, &row([Some(url), Some("1"), Some("2004")]))?;
        files.push(0, &row([Some(url), Some("1984-02-29"), Some("180")]))?;
        files.push_page(&page(url, PageState::Failed))?;
        files.push_page(&page(url, PageState::Read))?;
    }
    files.carry_pages(Path::new("none"), PageState::Vanished)?;
    files.finish()?;
    Ok(())
}

fn all(client: &mut Client, sql: &str) -> String {
    let rows = client.query(sql, &[]).expect("the query is right");
    let lines: Vec<String> = rows
        .iter()
        .map(|row| row.get::<_, Option<String>>(0).unwrap_or_default())
        .collect();
    lines.join("\n")
}

/// One server for all that is tested, since starting one takes a second.
#[test]
fn tables_are_loaded_again_and_again() {
    let Some(server) = PostgresServer::start() else {
        return;
    };
    let (address, folder) = (server.address(""), tempfile::tempdir().expect("a folder"));
    load(&address, folder.path(), &["a", "b"]).expect("the server takes the tables");
    let mut client = Client::connect(&address, NoTls).expect("the server is there");
    expect![[r#"
        player.url text not null
        player.born date
        player.height bigint
        season.url text not null
        season.position bigint not null
        season.year bigint"#]].assert_eq(&all(
        &mut client,
        "SELECT table_name || '.' || column_name || ' ' || data_type || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END FROM information_schema.columns \
         WHERE table_schema = 'public' AND table_name IN ('player', 'season') ORDER BY table_name, ordinal_position",
    ));
    expect![[r#"
        player: PRIMARY KEY (url)
        season: FOREIGN KEY (url) REFERENCES player(url)
        season: PRIMARY KEY (url, "position")"#]].assert_eq(&all(
        &mut client,
        "SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid::regclass::text IN ('player', 'season') ORDER BY 1",
    ));
    expect![[r#"
        a 1984-02-29 180
        b 1984-02-29 180"#]]
    .assert_eq(&all(
        &mut client,
        "SELECT url || ' ' || born || ' ' || height FROM player ORDER BY url",
    ));

    // Again with other rows: the new ones are there, and what vanished stays marked.
    load(&address, folder.path(), &["b", "c"]).expect("the server takes the tables again");
    expect![[r#"
        b
        c"#]]
    .assert_eq(&all(&mut client, "SELECT url FROM player ORDER BY url"));
    expect![[r#"
        a vanished
        b read
        c read"#]]
    .assert_eq(&all(
        &mut client,
        "SELECT url || ' ' || state FROM _untemplate_pages ORDER BY url",
    ));
    expect![[r#"
        player players 2
        season players 2"#]]
    .assert_eq(&all(
        &mut client,
        "SELECT table_name || ' ' || class_name || ' ' || n_rows FROM _untemplate_tables ORDER BY 1",
    ));
    expect![[""]].assert_eq(&all(
        &mut client,
        "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'untemplate%'",
    ));

    check_broken_promises(&address, folder.path(), &mut client);
    check_other_peoples_tables(&address, folder.path(), &mut client);
    check_awkward_texts(&address, folder.path(), &mut client);
    check_sites(&address, folder.path(), &mut client);
}

/// Several sites have schemas of their own, are loaded at the same time, and never take each
/// other's place.
fn check_sites(address: &str, folder: &Path, client: &mut Client) {
    let [one, two] = ["One", "two"].map(|schema| format!("{address}?schema={schema}"));
    load(&one, folder, &["http://www.one.example/a"]).expect("a schema is made");
    let at_once = TableServer::connect(&one, &players()).expect("the server is there");
    load(&two, folder, &["http://two.example/a"]).expect("another schema is made");
    at_once.abandon();
    let error = load(&one, folder, &["http://two.example/b"])
        .expect_err("it is another site's")
        .to_string();
    assert!(
        error.contains("the tables of one.example") && error.contains("?schema=NAME"),
        "{error}"
    );
    load(&one, folder, &["https://one.example/b"]).expect("the same site again");
    let sql = "SELECT url FROM \"One\".player UNION ALL SELECT url FROM two.player ORDER BY url";
    assert_eq!(all(client, sql), "http://two.example/a\nhttps://one.example/b");
    let error = TableServer::check(&format!("{address}?schema="))
        .expect_err("no name")
        .to_string();
    assert!(error.contains("cannot be the name of a schema"), "{error}");
}

/// A reference that does not hold leaves the tables of the earlier run as they are, and so does
/// whoever gives up.
fn check_broken_promises(address: &str, folder: &Path, client: &mut Client) {
    let database = players();
    let mut files = TableFolder::create(folder, &database, &[]).expect("a folder");
    files.load_into(TableServer::connect(address, &database).expect("the server is there"));
    let busy = TableServer::connect(address, &database)
        .err()
        .expect("one run at a time");
    assert!(matches!(busy, TableServerError::Busy { .. }), "{busy}");
    files.push(1, &row([Some("x"), Some("1"), None])).expect("a row");
    let error = files.finish().expect_err("there is no such player").to_string();
    assert!(error.contains("the references") && error.contains("(x)"), "{error}");
    let mut files = TableFolder::create(folder, &database, &[TableFormat::Csv]).expect("a folder");
    files.load_into(TableServer::connect(address, &database).expect("what was left behind is in nobody's way"));
    files.push(0, &row([Some("x"), None, None])).expect("a row");
    files.abandon();
    assert_eq!(all(client, "SELECT url FROM player ORDER BY url"), "b\nc");
    assert_eq!(
        all(
            client,
            "SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'untemplate%'"
        ),
        ""
    );
}

fn check_other_peoples_tables(address: &str, folder: &Path, client: &mut Client) {
    client
        .batch_execute(
            "CREATE SCHEMA other; CREATE TABLE other.player (mine text); INSERT INTO other.player VALUES ('x')",
        )
        .expect("it is made");
    let other = format!("{address}?options=-csearch_path%3Dother");
    let error = load(&other, folder, &["a"])
        .expect_err("the table is not ours")
        .to_string();
    assert!(
        error.contains("a table player that this program did not make"),
        "{error}"
    );
    assert_eq!(all(client, "SELECT mine FROM other.player"), "x");
    let nowhere = format!("{address}?options=-csearch_path%3Dnowhere");
    let error = load(&nowhere, folder, &["a"])
        .expect_err("there is no such schema")
        .to_string();
    assert!(error.contains("no schema to load into"), "{error}");
}

/// Any text survives, and so do values that are none of their kind: as nothing.
fn check_awkward_texts(address: &str, folder: &Path, client: &mut Client) {
    let texts = [
        "",
        "\\N",
        "\\.",
        "a\tb\nc\rd\\",
        "'; DROP TABLE player; --",
        "é\u{1F600}\u{7f}\u{1}",
        "\"x\", {}",
    ];
    let columns = vec![
        column("a \"b\"", ColumnKind::Text),
        column("n", ColumnKind::Integer),
        column("on", ColumnKind::Boolean),
    ];
    let database = Database {
        tables: vec![table("awkward \"table\"", columns)],
    };
    let mut files = TableFolder::create(folder, &database, &[]).expect("a folder");
    files.load_into(TableServer::connect(address, &database).expect("the server is there"));
    for (index, text) in texts.iter().enumerate() {
        files
            .push(0, &row([Some(text), Some(&index.to_string()), Some("true")]))
            .expect("a row");
    }
    files.push(0, &row([None, Some("many"), Some("maybe")])).expect("a row");
    files.finish().expect("the server takes the tables");
    let rows = client
        .query(
            "SELECT \"a \"\"b\"\"\", n, \"on\" FROM \"awkward \"\"table\"\"\" ORDER BY n NULLS LAST",
            &[],
        )
        .expect("a query");
    for (text, row) in texts.iter().zip(&rows) {
        assert_eq!(row.get::<_, Option<&str>>(0), Some(*text));
    }
    let last = rows.last().expect("a row");
    assert_eq!(
        (last.get::<_, Option<i64>>(1), last.get::<_, Option<bool>>(2)),
        (None, None)
    );
    // The tables of the other schema were of another run, and are gone.
    assert_eq!(
        all(
            client,
            "SELECT relname::text FROM pg_class WHERE relname = 'player' AND relnamespace = 'public'::regnamespace"
        ),
        ""
    );
}

#[test]
fn what_is_no_server_is_said_without_its_password() {
    let error = |address: &str| {
        TableServer::connect(address, &players())
            .err()
            .expect("nothing is there")
            .to_string()
    };
    let none = error("postgresql://ada:secret@127.0.0.1:1/x?connect_timeout=2&password=secret");
    assert!(
        none.contains("cannot connect to postgresql://ada@127.0.0.1:1/x") && !none.contains("secret"),
        "{none}"
    );
    let wrong = error("postgresql://ada:secret@h/x?colour=blue");
    assert!(
        wrong.contains("is no address of a PostgreSQL server") && !wrong.contains("secret"),
        "{wrong}"
    );
}
