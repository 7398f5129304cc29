//! The wild skin: what it adds is on the pages and in the truth, and its mark-up changes no text.

mod scan;

use rusqlite::Connection;
use scan::{count, text_of};
use untemplate_demo::content::{decimal, money};
use untemplate_demo::{DatabaseOptions, DemoSite, PageClass, Skin, write_mirror};

fn site() -> DemoSite {
    DemoSite::new(DatabaseOptions { players: 90, seed: 1 }, Skin::Wild)
}

/// The pages of a class.
fn pages(site: &DemoSite, class: PageClass) -> Vec<String> {
    let paths = site.paths().filter(|path| site.class_of(path) == Some(class));
    paths.map(|path| site.answer("GET", &path, "").body).collect()
}

/// The page of a player or coach whose path ends so.
fn page_ending(site: &DemoSite, folder: &str, id: u32) -> String {
    let ending = format!("-{id}.html");
    let mut paths = site.paths();
    let path = paths.find(|path| path.starts_with(folder) && path.ends_with(&ending));
    site.answer("GET", &path.expect("every record has a page"), "").body
}

#[test]
fn half_of_each_class_of_records_is_in_the_other_language() {
    let site = site();
    for class in [PageClass::Person, PageClass::Team, PageClass::Match, PageClass::Article] {
        let pages = pages(&site, class);
        let german = pages.iter().filter(|page| page.contains("<html lang=\"de\">")).count();
        assert!(
            pages.len().abs_diff(2 * german) <= 3,
            "{class:?}: {german} of {}",
            pages.len()
        );
    }
    let [english, german] = [1, 2].map(|id| page_ending(&site, "/players/", id));
    assert!(english.contains("<th>Weight</th>") && !english.contains("Gewicht"));
    assert!(german.contains("<th>Gewicht</th>") && !german.contains("Weight"));
}

#[test]
fn mark_up_inside_a_value_leaves_its_text_as_it_is() {
    let site = site();
    let mut heights = 0;
    for player in &site.source.database.players {
        let page = page_ending(&site, "/players/", player.person.id);
        let text = text_of(&page);
        if let Some(height) = player.height_cm {
            assert!(text.contains(&decimal(height, 100, "m")), "{text}");
            heights += count(&page, "<sup>");
        }
        if let Some(transfer) = &player.transfer {
            assert!(text.contains(&money(transfer.fee)), "{text}");
        }
        if let Some(biography) = &player.person.biography {
            assert!(text.contains(biography), "{text}");
        }
    }
    let known = site.source.database.players.iter();
    assert_eq!(heights, known.filter(|player| player.height_cm.is_some()).count());
}

#[test]
fn what_is_absent_is_said_to_be_absent() {
    let site = site();
    for player in &site.source.database.players {
        let person = &player.person;
        let page = page_ending(&site, "/players/", person.id);
        let absent = [
            person.team.is_none(),
            person.nickname.is_none(),
            person.born.is_none(),
            player.height_cm.is_none(),
        ];
        let expected = absent.into_iter().filter(|&is_absent| is_absent).count();
        assert_eq!(count(&page, "<td>none</td>") + count(&page, "<td>keine</td>"), expected);
        assert_eq!(count(&page, "<tr><th>"), 10, "every label is there");
    }
}

#[test]
fn a_season_is_a_block_under_its_own_heading() {
    let site = site();
    for player in &site.source.database.players {
        let page = page_ending(&site, "/players/", player.person.id);
        assert_eq!(count(&page, "<h3>"), player.person.seasons.len());
        for season in &player.person.seasons {
            assert!(page.contains(&format!("<h3>{}</h3>", season.year)));
        }
    }
}

#[test]
fn prose_has_links_and_stands_under_headings_that_some_pages_lack() {
    let site = site();
    let pages = pages(&site, PageClass::Person);
    for (english, german) in [
        ("Style of play", "Spielweise"),
        ("Trivia", "Am Rande"),
        ("Biography", "Lebenslauf"),
    ] {
        let heads = [english, german].map(|heading| format!("<h2>{heading}</h2>"));
        let with = pages
            .iter()
            .filter(|page| heads.iter().any(|head| page.contains(head)))
            .count();
        assert!(
            (3..pages.len() - 3).contains(&with),
            "{english}: {with} of {}",
            pages.len()
        );
    }
    let linked = pages.iter().filter(|page| {
        let prose = page.split("<h2>Style of play</h2>").nth(1);
        prose.is_some_and(|prose| prose.split("<h2>").next().unwrap_or_default().contains("<a href="))
    });
    assert!(linked.count() > 5);
}

#[test]
fn the_truth_has_what_the_wild_skin_adds() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let site = site();
    let report = write_mirror(&site, folder.path()).expect("the folder is empty");
    let truth = Connection::open(&report.truth_file).expect("the truth is a database");
    let mut prose = truth
        .prepare("SELECT player_id, style, trivia FROM player_prose")
        .expect("the table is there");
    let mut rows = prose.query([]).expect("the query is right");
    let mut n_texts = 0;
    while let Some(row) = rows.next().expect("rows can be read") {
        let text = text_of(&page_ending(&site, "/players/", row.get(0).expect("a number")));
        for column in [1, 2] {
            if let Some(told) = row.get::<_, Option<String>>(column).expect("a text") {
                assert!(text.contains(&told), "{told} is not in {text}");
                n_texts += 1;
            }
        }
    }
    assert!(n_texts > 40, "{n_texts}");
    let glossary = text_of(&site.answer("GET", "/glossary.html", "").body);
    let mut terms = truth
        .prepare("SELECT word, meaning FROM term")
        .expect("the table is there");
    let terms = terms.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let terms: Vec<_> = terms.expect("the query is right").flatten().collect();
    assert_eq!(terms.len(), 12);
    assert!(
        terms
            .iter()
            .all(|(word, meaning)| glossary.contains(word) && glossary.contains(meaning))
    );
}

#[test]
fn other_skins_have_no_glossary() {
    let wild = site();
    assert_eq!(wild.answer("GET", "/glossary.html", "").status, 200);
    let modern = DemoSite::new(DatabaseOptions { players: 20, seed: 1 }, Skin::Modern);
    assert_eq!(modern.answer("GET", "/glossary.html", "").status, 404);
    assert!(modern.paths().all(|path| path != "/glossary.html"));
}
