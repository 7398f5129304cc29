//! What can be asked of a table: numbers as numbers, and SQL that reads.

use crate::{tables, walk};

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
