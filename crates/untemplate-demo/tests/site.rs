//! The site as a whole: the same bytes every time, no dead links, every page in one class.

mod pattern;
mod scan;

use expect_test::{Expect, expect};
use scan::{count, hash, links, resolve};
use std::collections::{BTreeMap, BTreeSet};
use untemplate_demo::mirror::file_name;
use untemplate_demo::page_class::CLASSES;
use untemplate_demo::{DatabaseOptions, DemoSite, PageClass, Skin};

fn site(players: u32, skin: Skin) -> DemoSite {
    DemoSite::new(DatabaseOptions { players, seed: 1 }, skin)
}

fn check_bytes(skin: Skin, expected: Expect) {
    let site = site(20, skin);
    let mut pages = 0;
    let mut sum = 0;
    for path in site.paths().chain(site.extra_paths()) {
        let response = site.answer("GET", &path, "");
        assert_eq!(response.status, 200, "{path}");
        sum = hash(sum, &path);
        sum = hash(sum, &response.body);
        pages += 1;
    }
    expected.assert_eq(&format!("{pages} files, {sum:016x}"));
}

#[test]
fn same_options_same_bytes() {
    check_bytes(Skin::Modern, expect!["93 files, efcf265bf81176b1"]);
    check_bytes(Skin::Tables, expect!["93 files, 5eb195e0adedbf79"]);
    check_bytes(Skin::Plain, expect!["93 files, c19c11a81a71155b"]);
    check_bytes(Skin::Wild, expect!["94 files, 9512242e4da3d6bf"]);
}

/// Follows every link of every listed page, and checks that the home page leads to all of them.
fn check_links(skin: Skin) {
    let site = site(60, skin);
    let mut alive = BTreeSet::new();
    let mut graph: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in site.paths() {
        let targets: Vec<String> = links(&site.answer("GET", &path, "").body)
            .iter()
            .map(|address| resolve(&path, address))
            .collect();
        for target in &targets {
            if alive.insert(target.clone()) {
                let status = site.answer("GET", target, "").status;
                assert_eq!(status, 200, "{target}, linked from {path}");
            }
        }
        graph.insert(path, targets);
    }
    let mut reached = BTreeSet::from(["/".to_owned()]);
    let mut waiting = vec!["/".to_owned()];
    while let Some(path) = waiting.pop() {
        for target in graph.get(&path).into_iter().flatten() {
            if reached.insert(target.clone()) {
                waiting.push(target.clone());
            }
        }
    }
    let lost: Vec<&String> = graph.keys().filter(|path| !reached.contains(*path)).collect();
    // Past months are reached from the first month shown, so nothing at all may be lost.
    assert!(lost.is_empty(), "no way from the home page to {lost:?}");
}

#[test]
fn all_links_lead_to_pages_and_all_pages_are_linked() {
    for skin in Skin::ALL {
        check_links(skin);
    }
}

#[test]
fn every_path_is_in_one_class() {
    let site = site(400, Skin::Modern);
    let mut seen = BTreeSet::new();
    for path in site.paths() {
        assert!(seen.insert(path.clone()), "{path} is listed twice");
        let name = file_name(&path);
        let matching: Vec<PageClass> = CLASSES
            .iter()
            .filter(|info| pattern::found(info.url_regex, &name))
            .map(|info| info.class)
            .collect();
        assert_eq!(site.class_of(&path).into_iter().collect::<Vec<_>>(), matching, "{path}");
    }
}

#[test]
fn sizes_follow_the_number_of_players() {
    let small = site(20, Skin::Modern).paths().count();
    assert!((50..=120).contains(&small), "{small}");
    let medium = site(2000, Skin::Modern).paths().count();
    assert!((3000..=3800).contains(&medium), "{medium}");
}

#[test]
fn pages_show_as_many_rows_as_the_database_has() {
    let site = site(60, Skin::Modern);
    let (mut goals, mut seasons, mut squads, mut paragraphs) = (0, 0, 0, 0);
    for path in site.paths() {
        let body = site.answer("GET", &path, "").body;
        goals += count(&body, "&#39;</span>").max(count(&body, "'</span>"));
        seasons += count(&body, "<td class=\"season\">");
        squads += count(&body, "<td class=\"no\">");
        let story = body.split("<div class=\"story\">").nth(1).unwrap_or_default();
        paragraphs += count(story.split("</div>").next().unwrap_or_default(), "<p>");
    }
    let database = &site.source.database;
    let people = database
        .players
        .iter()
        .map(|player| &player.person)
        .chain(database.coaches.iter().map(|coach| &coach.person));
    assert_eq!(
        goals,
        database.matches.iter().map(|game| game.goals.len()).sum::<usize>()
    );
    assert_eq!(seasons, people.map(|person| person.seasons.len()).sum::<usize>());
    assert_eq!(
        squads,
        database
            .players
            .iter()
            .filter(|player| player.person.team.is_some())
            .count()
    );
    assert_eq!(
        paragraphs,
        database
            .articles
            .iter()
            .map(|article| article.paragraphs.len())
            .sum::<usize>()
    );
}

#[test]
fn initials_list_every_player_once() {
    for skin in Skin::ALL {
        let site = site(300, skin);
        let mut listed = BTreeSet::new();
        for path in site.paths().filter(|path| path.starts_with("/players/by-initial/")) {
            for address in links(&site.answer("GET", &path, "").body) {
                let target = resolve(&path, &address);
                if site.class_of(&target) == Some(PageClass::Person) {
                    assert!(listed.insert(target.clone()), "{target} is listed twice");
                }
            }
        }
        assert_eq!(listed.len(), 300);
    }
}

#[test]
fn the_calendar_never_ends() {
    let site = site(20, Skin::Modern);
    let mut path = "/calendar/2031-08.html".to_owned();
    for _ in 0..100 {
        let body = site.answer("GET", &path, "").body;
        let next = body
            .split("class=\"next\" href=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next());
        path = resolve(&path, next.expect("every month has a next one"));
    }
    assert_eq!(path, "/calendar/2039-12.html");
    assert_eq!(site.answer("GET", "/calendar/2031-13.html", "").status, 404);
}

#[test]
fn the_get_search_comes_in_pages() {
    let site = site(600, Skin::Modern);
    let first = site.answer("GET", "/search?q=a", "").body;
    assert_eq!(count(&first, "<td class=\"name\">"), 20);
    assert!(first.contains("/search?q=a&amp;page=2") || first.contains("search?q=a&amp;page=2"));
    assert_eq!(site.answer("GET", "/search?q=a&page=2", "").status, 200);
    assert_eq!(site.answer("GET", "/search?q=a&page=9999", "").status, 404);
    let none = site.answer("GET", "/search?q=%3Cb%3E", "");
    assert_eq!((none.status, count(&none.body, "<b>")), (200, 0));
}

#[test]
fn the_post_form_finds_all_players_of_a_position() {
    let site = site(600, Skin::Modern);
    let expected = site
        .source
        .database
        .players
        .iter()
        .filter(|player| player.position.word() == "Forward")
        .count();
    let mut found = site.answer("POST", "/find", "name=&position=forward");
    let mut n_found = 0;
    // The form answers with the first page of results; the others are links.
    for page in 2.. {
        assert_eq!(found.status, 200);
        n_found += count(&found.body, "<td class=\"name\">");
        let next = format!("/find?name=&position=forward&page={page}");
        if !found.body.contains("rel=\"next\"") {
            assert_eq!(site.answer("GET", &next, "").status, 404);
            break;
        }
        assert!(found.body.contains(&next.replace('&', "&amp;")[1..]), "{}", found.body);
        found = site.answer("GET", &next, "");
    }
    assert_eq!(n_found, expected);
    let person = &site.source.database.player(7).person;
    let found = site.answer(
        "POST",
        "/find",
        &format!("name={}&position=", person.last_name.to_uppercase()),
    );
    assert!(found.body.contains(&person.name()));
    assert_eq!(site.answer("POST", "/teams/", "").status, 405);
}

#[test]
fn other_addresses_are_no_pages() {
    let site = site(20, Skin::Tables);
    for path in [
        "/nothing",
        "/players/x-1.html",
        "/players/x-0.html",
        "/groups/0.html",
        "/matches.html?page=99",
        "/teams/page/2.html",
        "//",
        "",
    ] {
        assert_eq!(site.answer("GET", path, "").status, 404, "{path}");
    }
}

#[test]
fn the_table_skin_is_ascii() {
    let site = site(60, Skin::Tables);
    for path in site.paths() {
        assert!(site.answer("GET", &path, "").body.is_ascii(), "{path}");
    }
}

#[test]
fn the_sitemap_lists_the_records() {
    let site = site(60, Skin::Plain);
    let xml = site.answer("GET", "/sitemap.xml", "").body;
    for path in site
        .paths()
        .filter(|path| site.class_of(path).is_some_and(PageClass::is_detail))
    {
        assert!(xml.contains(&format!("<loc>http://cup.example{path}</loc>")), "{path}");
    }
}
