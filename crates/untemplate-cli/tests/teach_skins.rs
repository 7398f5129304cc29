//! The demo site taught in each of its skins, in a real browser by real clicks: what is read is
//! what the site was made from, also where the text of a value stands elsewhere on the page, and
//! for lists that are taught as rows.

mod chrome;
mod program;
mod teaching;

use std::collections::BTreeSet;

use chrome::{Chrome, Tab};
use program::Bench;
use serde_json::Value;
use teaching::*;
use untemplate_demo::language::Language;
use untemplate_demo::{DatabaseOptions, DemoSite, Skin, write_mirror};

/// What is taught: a name that the title and the crumbs have, too; a shirt that is a number of
/// goals as well; a town that is a part of the club's name.
const FIELDS: [&str; 4] = ["name", "position", "shirt", "birthplace"];

fn written(bench: &Bench, skin: Skin) -> DemoSite {
    let site = DemoSite::new(DatabaseOptions { players: 60, seed: 1 }, skin);
    write_mirror(&site, &bench.path().join("cup")).expect("the site can be written");
    site
}

fn begin(chrome: &mut Chrome, bench: &Bench, entry: &str, specification: &str) -> (Served, Tab) {
    let lesson = specification.replace(".xml", ".json");
    let words = ["teach", entry, "--spec", specification, "--lesson", &lesson];
    let served = Served::start(bench, &[&words[..], &MIRROR[..]].concat());
    let tab = chrome.open(&served.url, WINDOW);
    chrome.wait_in_frame(&tab, "document.querySelector('h1')");
    (served, tab)
}

/// Each row of a table as the texts of these columns.
fn table(bench: &Bench, specification: &str, name: &str, columns: &[&str]) -> BTreeSet<Vec<String>> {
    let told = bench.run(&[&["run", specification, "-q", "-o", name], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("a line is JSON");
        columns.iter().map(|column| text(&row[column])).collect()
    };
    bench.read(&format!("{name}/{name}.jsonl")).lines().map(row).collect()
}

/// Teaches the players, two links away; returns the interactions of each field.
fn teach_players(chrome: &mut Chrome, bench: &Bench, site: &DemoSite) -> Vec<usize> {
    let (_served, tab) = begin(chrome, bench, "http://cup.example/players/", "players.xml");
    let tab = &tab;
    let initial = "[...document.querySelectorAll('a')].find(e => e.textContent.trim() === 'H')";
    follow(chrome, tab, initial, "INITIAL");
    let player = "[...document.querySelectorAll('a')].find(e => e.textContent.trim() === 'Halelatan, Haris')";
    chrome.wait_in_frame(tab, player);
    follow(chrome, tab, player, "PLAYER");
    chrome.wait_in_frame(tab, &labelled("Shirt number"));
    let mut interactions = Vec::new();
    for field in FIELDS {
        let place = label_of(field).map_or("document.querySelector('h1')".to_owned(), labelled);
        chrome.click(tab, "document.querySelector('.pages a')");
        chrome.wait(
            tab,
            "document.querySelector('.pages a')?.getAttribute('aria-current') === 'page'",
        );
        chrome.wait_in_frame(tab, &format!("location.search.endsWith('page=0') && {place}"));
        show(chrome, tab, &place, field);
        interactions.push(1 + answer_all(chrome, tab, site));
    }
    interactions
}

/// Teaches the squads of teams as rows, by a click on one of their cells.
fn teach_squads(chrome: &mut Chrome, bench: &Bench) {
    let (_served, tab) = begin(chrome, bench, "http://cup.example/teams/", "teams.xml");
    let tab = &tab;
    let team = "[...document.querySelectorAll('td a')].find(e => e.textContent.trim() === 'Bloerby United')";
    follow(chrome, tab, team, "TEAM");
    let squad = "[...document.querySelectorAll('table')].find(e => e.rows[0]?.cells[0]?.textContent.trim() === 'No.')";
    chrome.wait_in_frame(tab, squad);
    chrome.click_in_frame(tab, &format!("{squad}.querySelectorAll('td')[2]"));
    chrome.wait(
        tab,
        "document.querySelector('details.rows[open] input[name=table]')?.value === 'SQUAD'",
    );
    chrome.click(tab, "document.querySelector('details.rows button.primary')");
    chrome.wait(
        tab,
        &format!("!{PICKED} && document.querySelector('.field strong')?.textContent === 'SQUAD'"),
    );
}

/// Teaches a site in this skin, with at most this many interactions for the field in the middle.
fn check_skin(skin: Skin, interactions_max: usize) {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let site = written(&bench, skin);
    let mut interactions = teach_players(chrome, &bench, &site);
    let players = &site.source.database.players;
    let truth = players.iter().map(|player| {
        let name = player.person.name();
        FIELDS.map(|field| truth_of(&site, &name, field)).to_vec()
    });
    let specification = || bench.read("players.xml");
    assert_eq!(
        table(&bench, "players.xml", "PLAYER", &FIELDS),
        truth.collect(),
        "{}",
        specification()
    );
    eprintln!("{skin:?}: interactions of each field {interactions:?}");
    interactions.sort_unstable();
    assert!(
        interactions[interactions.len() / 2] <= interactions_max,
        "{interactions:?}"
    );

    teach_squads(chrome, &bench);
    // Rows are told by their header: of a site in two languages, those are read that speak as the
    // page that was taught.
    let speaks = |team: u32| language_of(&site, team as usize - 1) == Language::English;
    let squads = players.iter().filter(|player| player.person.team.is_some_and(speaks));
    let truth = squads.map(|player| {
        let person = &player.person;
        vec![
            player.shirt.to_string(),
            person.name(),
            player.position.word().to_owned(),
        ]
    });
    let columns = ["No.", "Player", "Position"];
    assert_eq!(table(&bench, "teams.xml", "SQUAD", &columns), truth.collect());
}

#[test]
fn the_plain_skin_is_taught() {
    check_skin(Skin::Plain, 2);
}

#[test]
fn the_modern_skin_is_taught() {
    check_skin(Skin::Modern, 2);
}

#[test]
fn the_skin_of_nested_tables_is_taught() {
    check_skin(Skin::Tables, 2);
}

#[test]
fn the_wild_skin_is_taught() {
    check_skin(Skin::Wild, 3);
}
