//! The judge is judged: a small truth, rebuilt by hand, well and badly.

use super::best_reading;
use super::rebuilt::read_rebuilt;
use super::score::Score;
use expect_test::{Expect, expect};
use rusqlite::Connection;
use std::path::PathBuf;

const SCHEMA: &str = include_str!("../../../../crates/untemplate-demo/src/truth.sql");

const TRUTH: &str = "
    INSERT INTO stadium VALUES (1, 'Park', 'Velm', 45500, 1990, 'grass', 105.0, 68.5, NULL);
    INSERT INTO team VALUES (1, 'FC A', 'Velm', 1901, 'red', 1, 1, 1, 4250000, 'EUR'), (2, 'FC B', 'Orl', 1902, 'blue', 1, 1, 1, NULL, NULL);
    INSERT INTO player VALUES (1, 'Ada', 'Ro', NULL, 'Forward', 1, 9, '1999-06-05', 'Velm', 'Ela', 180, 70, 'left', NULL, NULL, NULL, NULL, NULL),
      (2, 'Bo', 'Li', 'Bobo', 'Defender', 2, 4, NULL, 'Orl', 'Ela', 175, 71, 'right', 900000, 'GBP', 2020, 1, 'Born to defend.');
    INSERT INTO coach VALUES (1, 'Cy', 'Ma', NULL, 'Head coach', 1, '1960-01-02', 'Orl', 'Ura', NULL);
    INSERT INTO season VALUES (1, 2020, 1, 30, 9), (1, 2019, 2, 28, 7), (2, 2020, 2, 20, 0);
    INSERT INTO match VALUES (1, 1, 1, '2031-05-04', '20:45', 1, 2, 1, 1, 1, 'Di Re', NULL);
    INSERT INTO goal VALUES (NULL, 1, 1, 1, 12, 1, 0), (NULL, 1, 2, 1, 80, 0, 1);
    INSERT INTO article VALUES (1, 'A day', '2031-05-05', NULL, 1);
    INSERT INTO article_paragraph VALUES (1, 1, 'It was.'), (1, 2, 'It is.');
    INSERT INTO article_player VALUES (1, 1), (1, 2);
    INSERT INTO article_team VALUES (1, 2);
    INSERT INTO page VALUES ('http://cup.example/s1.html', 'stadium', 1, 'stadium'), ('http://cup.example/t1.html', 'team', 1, 'team'),
      ('http://cup.example/t2.html', 'team', 2, 'team'), ('http://cup.example/p1.html', 'person', 1, 'player'), ('http://cup.example/p2.html', 'person', 2, 'player'),
      ('http://cup.example/c1.html', 'person', 1, 'coach'), ('http://cup.example/m1.html', 'match', 1, 'match'), ('http://cup.example/a1.html', 'article', 1, 'article');";

/// A table as a test writes it: name, class, list path, columns as `name kind source`, references
/// as `column table`, rows.
struct Given {
    name: &'static str,
    class: i64,
    lists: &'static str,
    columns: &'static [&'static str],
    references: &'static [&'static str],
    rows: &'static [&'static str],
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("untemplate-roundtrip-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("tests may write");
    folder
}

fn write(connection: &Connection, table: &Given) {
    let of = |column: &str, part: usize| column.split(' ').nth(part).unwrap_or_default().to_owned();
    let mut parts: Vec<String> = (table.columns.iter())
        .map(|column| {
            format!(
                "{} {}",
                of(column, 0),
                if of(column, 1) == "integer" { "INTEGER" } else { "TEXT" }
            )
        })
        .collect();
    let key: Vec<String> = (table.columns.iter())
        .filter(|column| ["address", "position"].contains(&of(column, 2).as_str()))
        .map(|column| of(column, 0))
        .collect();
    parts.push(format!("PRIMARY KEY ({})", key.join(", ")));
    parts.extend((table.references.iter()).map(|reference| {
        format!(
            "FOREIGN KEY ({}) REFERENCES {} (url)",
            of(reference, 0),
            of(reference, 1)
        )
    }));
    let mut sql = format!("CREATE TABLE {} ({});", table.name, parts.join(", "));
    sql += &format!(
        "INSERT INTO _untemplate_tables VALUES ('{}', {}, '{}');",
        table.name, table.class, table.lists
    );
    for (position, column) in table.columns.iter().enumerate() {
        let [name, kind, source] = [0, 1, 2].map(|part| of(column, part));
        sql += &format!(
            "INSERT INTO _untemplate_columns VALUES ('{}', '{name}', {position}, '{kind}', '{source}');",
            table.name
        );
    }
    for row in table.rows {
        let cells = row.split('|').map(|cell| match cell.trim() {
            "" => "NULL".to_owned(),
            link if link.ends_with(".html") => format!("'http://cup.example/{link}'"),
            text => format!("'{text}'"),
        });
        sql += &format!(
            "INSERT INTO {} VALUES ({});",
            table.name,
            cells.collect::<Vec<_>>().join(", ")
        );
    }
    connection
        .execute_batch(&sql)
        .expect("the test's tables are well formed");
}

fn judged(name: &str, tables: &[Given]) -> Score {
    judged_with(name, "", tables)
}

/// Judged by a truth with something more in it.
fn judged_with(name: &str, more: &str, tables: &[Given]) -> Score {
    let folder = folder(name);
    let truth = Connection::open(folder.join("truth.sqlite")).expect("tests may write");
    truth
        .execute_batch(&format!("BEGIN; {SCHEMA} {TRUTH} {more} COMMIT;"))
        .expect("the truth is well formed");
    let connection = Connection::open(folder.join("tables.sqlite")).expect("tests may write");
    let metadata = "CREATE TABLE _untemplate_tables (table_name, page_class, list_path);
        CREATE TABLE _untemplate_columns (table_name, column_name, position, kind, source);";
    connection.execute_batch(metadata).expect("the metadata is well formed");
    for table in tables {
        write(&connection, table);
    }
    drop((truth, connection));
    let rebuilt = read_rebuilt(&folder.join("tables.sqlite")).expect("the tables are there");
    let (_, score) = best_reading(&folder.join("truth.sqlite"), "modern", &rebuilt).expect("the truth is there");
    let _ = std::fs::remove_dir_all(folder);
    score
}

fn check_score(name: &str, tables: &[Given], expected: Expect) {
    let score = judged(name, tables);
    expected.assert_eq(&format!(
        "tables {} +{}\ncolumns {}\ncells {}\ncorrect {}\ntypes {}\nkeys {}\nreferences {} +{}\ninvented {}\nrepeated {}\n",
        score.tables,
        score.tables_invented,
        score.columns,
        score.cells,
        score.correct,
        score.types,
        score.keys,
        score.references,
        score.references_invented,
        score.invented,
        score.repeated
    ));
}

const TEAM: Given = Given {
    name: "team",
    class: 1,
    lists: "[]",
    columns: &[
        "url url address",
        "title text field",
        "founded integer field",
        "stadium url field",
        "visitor integer field",
        "ground text field",
    ],
    references: &[],
    rows: &[
        "t1.html|FC A|1901|s1.html|4711|Park",
        "t2.html|FC B|1903|s1.html|815|Park",
    ],
};

const PERSON: Given = Given {
    name: "person",
    class: 2,
    lists: "[]",
    columns: &[
        "url url address",
        "name text field",
        "club url field",
        "shirt integer field",
        "place text field",
    ],
    references: &["club team"],
    rows: &[
        "p1.html|Ada Ro|t1.html|9|Velm",
        "p2.html|Bo Li|t2.html||Orl",
        "c1.html|Cy Ma|t1.html|12|Orl",
    ],
};

const SEASONS: Given = Given {
    name: "person_seasons",
    class: 2,
    lists: "[\"seasons\"]",
    columns: &[
        "url url address",
        "position integer position",
        "season integer field",
        "games integer field",
    ],
    references: &["url person"],
    rows: &[
        "p1.html|1|2020|30",
        "p1.html|2|2019|28",
        "p2.html|1|2020|19",
        "p2.html|2|None|",
    ],
};

const MENTIONS: Given = Given {
    name: "article_mentions",
    class: 3,
    lists: "[\"mentions\"]",
    columns: &["url url address", "position integer position", "link url field"],
    references: &[],
    rows: &[
        "a1.html|1|p1.html",
        "a1.html|2|p2.html",
        "a1.html|3|t2.html",
        "a1.html|4|m1.html",
    ],
};

const ARTICLE: Given = Given {
    name: "article",
    class: 3,
    lists: "[]",
    columns: &["url url address", "headline text field", "story text field"],
    references: &[],
    rows: &["a1.html|A day|It was. It is."],
};

const PARAGRAPHS: Given = Given {
    name: "article_story",
    class: 3,
    lists: "[\"story\"]",
    columns: &["url url address", "position integer position", "text text field"],
    references: &[],
    rows: &["a1.html|1|It was.", "a1.html|2|It is."],
};

/// A nickname is absent and said to be; a foot is known and said to be absent.
const NICKNAMES: Given = Given {
    name: "person",
    class: 2,
    lists: "[]",
    columns: &[
        "url url address",
        "name text field",
        "nickname text field",
        "foot text field",
    ],
    references: &[],
    rows: &["p1.html|Ada Ro|none|links", "p2.html|Bo Li|Bobo|keine"],
};

/// The list of a page that stands alone, as a table that hangs on no other.
const TERMS: Given = Given {
    name: "glossary",
    class: 4,
    lists: "[]",
    columns: &[
        "url url address",
        "position integer position",
        "term text field",
        "text text field",
    ],
    references: &[],
    rows: &["g.html|1|Cap|A game.", "g.html|2|Wall|A line."],
};

#[test]
fn nothing_rebuilt_recovers_nothing() {
    check_score(
        "nothing",
        &[],
        expect![[r#"
            tables 0/12 +0
            columns 0/62
            cells 0/92
            correct 0/0
            types 0/62
            keys 0/12
            references 0/19 +0
            invented 0/0
            repeated 0/0
        "#]],
    );
}

#[test]
fn what_is_right_wrong_lost_and_invented_is_told_apart() {
    check_score(
        "some",
        &[TEAM, PERSON, SEASONS, MENTIONS],
        expect![[r#"
            tables 7/12 +0
            columns 12/62
            cells 24/92
            correct 24/28
            types 15/62
            keys 7/12
            references 3/19 +0
            invented 1/12
            repeated 1/12
        "#]],
    );
}

#[test]
fn prose_is_one_value_or_a_row_a_paragraph() {
    let figures = |name: &str, tables: &[Given]| {
        let score = judged(name, tables);
        format!(
            "cells {} correct {} invented {}",
            score.cells, score.correct, score.invented
        )
    };
    expect!["cells 2/91 correct 2/2 invented 0/2"].assert_eq(&figures("whole", &[ARTICLE]));
    expect!["cells 2/92 correct 2/2 invented 0/1"].assert_eq(&figures("rows", &[PARAGRAPHS]));
}

#[test]
fn what_a_page_says_of_an_absent_value_is_right() {
    let score = judged("absent", &[NICKNAMES]);
    expect!["correct 5/6"].assert_eq(&format!("correct {}", score.correct));
}

#[test]
fn the_list_of_a_page_that_stands_alone_hangs_on_nothing() {
    let truth = "INSERT INTO term VALUES ('Cap', 'A game.'), ('Wall', 'A line.');
        INSERT INTO page VALUES ('http://cup.example/g.html', 'glossary', 1, 'glossary');";
    let score = judged_with("alone", truth, &[TERMS]);
    expect!["tables 1/13 cells 4/96 keys 1/13 references 0/19 invented 0/2"].assert_eq(&format!(
        "tables {} cells {} keys {} references {} invented {}",
        score.tables, score.cells, score.keys, score.references, score.invented
    ));
}
