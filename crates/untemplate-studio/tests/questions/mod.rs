//! What can be asked of a table: numbers as numbers, and SQL that reads.

use crate::{Bench, PLAYER, asking, tables, walk};

#[test]
fn numbers_are_compared_as_numbers_also_in_texts() {
    let bench = tables(333);
    let numbers = |more: &[(&str, &str)]| -> Vec<u32> {
        let rows = walk(&bench, more);
        let number = |url: &String| url.rsplit('/').next().and_then(|number| number.parse().ok());
        rows.iter().map(|url| number(url).expect("a number")).collect()
    };
    // `Player <9>` comes before `Player <10>`, on every screen and back.
    assert_eq!(numbers(&[("order", "name")]), (0..333).collect::<Vec<u32>>());
    assert_eq!(
        numbers(&[("order", "name"), ("turn", "down")]),
        (0..333).rev().collect::<Vec<u32>>()
    );
    let least = |column, value| numbers(&[("where", column), ("how", "least"), ("value", value)]).len();
    assert_eq!(least("name", "Player <99>"), 333 - 99);
    // A number may be typed as people write it.
    assert_eq!(least("height", "200"), least("height", "200 cm"));
    assert!(least("height", "200") > 0);
}

#[test]
fn questions_in_sql_read_and_do_nothing_else() {
    let bench = tables(40);
    let ask = |sql: &str| bench.get("/look/sql", &[("at", "out"), ("sql", sql)]);
    let told = ask("SELECT count(*) AS n, max(height) FROM player WHERE plays");
    assert_eq!(told.status, 200, "{}", told.text());
    assert!(told.text().contains("<th>n</th>"), "{}", told.text());
    assert!(told.text().contains("<td>20</td>"), "{}", told.text());
    let told = ask("with a as (select 7 as b) select b from a");
    assert!(told.text().contains("<td>7</td>"), "{}", told.text());
    let before = std::fs::read(bench.folder.path().join("out/tables.sqlite")).expect("the tables");
    for sql in [
        "DELETE FROM player",
        "WITH a AS (SELECT 1) DELETE FROM player",
        "ATTACH 'other.sqlite' AS other",
        "VACUUM INTO 'copy.sqlite'",
        "PRAGMA query_only = OFF",
        "SELECT 1; DELETE FROM player",
        "SELECT load_extension('x')",
    ] {
        let told = ask(sql);
        assert!(told.text().contains("class=\"warning\""), "{sql}: {}", told.text());
    }
    assert_eq!(
        std::fs::read(bench.folder.path().join("out/tables.sqlite")).expect("the tables"),
        before
    );
    let began = std::time::Instant::now();
    let told = ask("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n");
    assert!(told.text().contains("took longer"), "{}", told.text());
    assert!(began.elapsed() < std::time::Duration::from_secs(60));
}

#[test]
fn names_come_first_and_addresses_last_and_columns_can_be_chosen() {
    let bench = tables(3);
    let cells = bench.get("/look/table", &PLAYER).cells();
    assert_eq!(cells[0], "Player &lt;0&gt;");
    // The first row has no height.
    assert_eq!(cells[4], "http://cup.example/players/0");
    let told = bench.get(
        "/look/table",
        &asking(&[("show", "height"), ("show", "name"), ("show", "none")]),
    );
    assert_eq!(
        told.cells(),
        ["Player &lt;0&gt;", "Player &lt;1&gt;", "181", "Player &lt;2&gt;", "152"]
    );
    // What is chosen stays so in another order.
    assert!(
        told.text().contains("order=height&amp;show=name&amp;show=height"),
        "{}",
        told.text()
    );
}

#[test]
fn many_columns_are_shown_in_part_and_all_can_be_chosen() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("out")).expect("a folder");
    let database = rusqlite::Connection::open(folder.path().join("out/tables.sqlite")).expect("a database");
    let columns: Vec<String> = (0..1500)
        .map(|number| format!("c{number} INTEGER DEFAULT {number}"))
        .collect();
    let sql = format!(
        "CREATE TABLE player ({}); INSERT INTO player DEFAULT VALUES;",
        columns.join(", ")
    );
    database.execute_batch(&sql).expect("a wide table");
    let bench = Bench::new(folder);
    let told = bench.get("/look/table", &PLAYER);
    assert_eq!(told.cells().len(), 40);
    assert_eq!(
        bench.get("/look/table", &asking(&[("show", "c1499")])).cells(),
        ["1499"]
    );
}

#[test]
fn rows_are_counted_by_value_within_what_is_asked() {
    let bench = tables(333);
    let counts = |more: &[(&str, &str)]| -> Vec<String> {
        let told = bench.get("/look/table/groups", &asking(more));
        assert_eq!(told.status, 200, "{}", told.text());
        let text = told.text();
        let cells = text.split("<td class=\"number\">").skip(1);
        cells
            .map(|cell| cell.split('<').next().unwrap_or("").to_owned())
            .collect()
    };
    assert_eq!(counts(&[("by", "plays")]), ["167", "166"]);
    let tall = [("by", "plays"), ("where", "height"), ("how", "empty"), ("value", "")];
    assert_eq!(counts(&tall), ["24", "24"]);
    assert_eq!(
        bench
            .get("/look/table/groups", &asking(&[("by", "x; DROP TABLE player")]))
            .status,
        404
    );
}

#[test]
fn a_row_is_shown_whole() {
    let bench = tables(3);
    let told = bench.get("/look/table/row", &asking(&[("row", "2")]));
    assert_eq!(told.status, 200);
    let text = told.text();
    for value in ["Player &lt;1&gt;", "181", "1971-02-03", "http://cup.example/players/1"] {
        assert!(text.contains(&format!(">{value}</a>")), "{value}: {text}");
    }
    assert_eq!(bench.get("/look/table/row", &asking(&[("row", "99")])).status, 404);
}

#[test]
fn a_question_that_is_kept_has_an_address_of_its_own() {
    let bench = tables(3);
    let keep = |body: &str| bench.send("POST", &format!("/{}/look/sql", bench.key), body);
    let told = keep("at=out&name=How+many&sql=SELECT+count(*)+AS+n+FROM+player");
    assert_eq!(told.status, 303, "{}", told.text());
    let there = |told: &crate::Told| -> String {
        let line = told
            .head
            .lines()
            .find(|line| line.to_lowercase().starts_with("location:"));
        line.expect("a way on")
            .split(' ')
            .nth(1)
            .expect("an address")
            .to_owned()
    };
    assert!(there(&told).ends_with("/look/query/How%20many"), "{}", there(&told));
    let led = bench.send("GET", &there(&told), "");
    let answer = bench.send("GET", &there(&led), "");
    assert!(answer.text().contains("<td>3</td>"), "{}", answer.text());
    assert!(answer.text().contains("How many"), "{}", answer.text());
    for body in [
        "at=out&name=..%2Fx&sql=SELECT+1",
        "at=out&name=&sql=SELECT+1",
        "at=out&name=a&sql=",
    ] {
        assert_eq!(keep(body).status, 400, "{body}");
    }
    assert_eq!(bench.get("/look/query/none", &[]).status, 404);
}
