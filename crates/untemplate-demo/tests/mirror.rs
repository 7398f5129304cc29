//! The mirror on disk: files, truth and manifest agree with each other.

use expect_test::expect;
use rusqlite::Connection;
use untemplate_demo::{DatabaseOptions, DemoSite, MirrorError, Skin, write_mirror};

fn site() -> DemoSite {
    DemoSite::new(DatabaseOptions { players: 60, seed: 1 }, Skin::Tables)
}

fn rows(connection: &Connection, sql: &str) -> usize {
    let rows: i64 = connection
        .query_row(sql, [], |row| row.get(0))
        .expect("the query is right");
    usize::try_from(rows).expect("counts are not negative")
}

#[test]
fn files_truth_and_manifest_agree() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let site = site();
    let report = write_mirror(&site, folder.path()).expect("the folder is empty");
    assert_eq!(report.pages, site.paths().count());
    for name in [
        "index.html",
        "players/index.html",
        "matches.html",
        "search.html",
        "robots.txt",
        "sitemap.xml",
    ] {
        assert!(report.site_dir.join(name).is_file(), "{name}");
    }
    let truth = Connection::open(&report.truth_file).expect("the truth is a database");
    assert_eq!(rows(&truth, "SELECT count(*) FROM page"), report.pages);
    assert_eq!(rows(&truth, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    let manifest = std::fs::read_to_string(&report.manifest_file).expect("the manifest is there");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("the manifest is JSON");
    for class in manifest[0]["classes"].as_array().expect("there are classes") {
        let sql = format!(
            "SELECT count(*) FROM page WHERE class = '{}'",
            class["name"].as_str().expect("a name")
        );
        assert_eq!(Some(rows(&truth, &sql) as u64), class["count"].as_u64());
    }
}

#[test]
fn the_truth_holds_the_whole_database() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let site = site();
    let report = write_mirror(&site, folder.path()).expect("the folder is empty");
    let truth = Connection::open(&report.truth_file).expect("the truth is a database");
    let tables = [
        "team",
        "player",
        "season",
        "coach",
        "coach_season",
        "stadium",
        "match",
        "goal",
        "lineup",
        "article",
        "article_paragraph",
        "article_player",
        "article_team",
    ];
    let counts = tables.map(|table| format!("{table} {}", rows(&truth, &format!("SELECT count(*) FROM {table}"))));
    expect!["team 4, player 60, season 248, coach 5, coach_season 20, stadium 4, match 12, goal 32, lineup 198, article 12, article_paragraph 38, article_player 13, article_team 13"].assert_eq(&counts.join(", "));
    let database = &site.source.database;
    assert_eq!(rows(&truth, "SELECT count(*) FROM player"), database.players.len());
    assert_eq!(
        rows(&truth, "SELECT count(*) FROM goal"),
        rows(&truth, "SELECT sum(home_goals + away_goals) FROM match")
    );
    let fees = database
        .players
        .iter()
        .filter(|player| player.transfer.is_some())
        .count();
    assert_eq!(rows(&truth, "SELECT count(transfer_fee) FROM player"), fees);
}

#[test]
fn nothing_is_overwritten() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    write_mirror(&site(), folder.path()).expect("the folder is empty");
    assert!(matches!(
        write_mirror(&site(), folder.path()),
        Err(MirrorError::Exists { .. })
    ));
}
