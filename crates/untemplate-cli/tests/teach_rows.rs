//! Rows by one click, all fields of a page at once, and the shape of fields: in a real browser, by
//! real clicks, compared with what the pages were written from.

mod chrome;
mod program;
mod teaching;

use std::collections::BTreeSet;

use chrome::{Chrome, Tab};
use program::Bench;
use serde_json::Value;
use teaching::*;

const LEAGUE: [&str; 2] = ["--mirror", "http://league.example/=league"];

/// A team: name, city, year; and its players: number, name, goals.
struct Team {
    name: String,
    city: Option<String>,
    founded: u32,
    squad: Vec<(u32, String, Option<u32>)>,
}

fn teams() -> Vec<Team> {
    let cities = ["Bloerby", "Creinford", "Thoronby", "Ulmstead"];
    let team = |number: u32| Team {
        name: format!("Team {number}"),
        city: (number % 4 != 3).then(|| cities[number as usize % 4].to_owned()),
        founded: 1890 + number * 7,
        squad: (0..5 + number % 4)
            .map(|shirt| {
                let name = format!("Player {number}-{shirt}");
                // Goals are often as many as the shirt says: texts alone tell nothing.
                (shirt + 1, name, (shirt != 2).then_some((shirt * number) % 5 + 1))
            })
            .collect(),
    };
    (1..=12).map(team).collect()
}

/// Writes the teams: on some pages the table of staff comes first, and goals stand before names.
fn write_teams(bench: &Bench) -> Vec<Team> {
    let teams = teams();
    let mut links = String::new();
    for (number, team) in teams.iter().enumerate() {
        let is_odd = number % 3 == 2;
        let row = |(shirt, name, goals): &(u32, String, Option<u32>)| {
            let goals = goals.map_or_else(String::new, |goals| goals.to_string());
            match is_odd {
                false => format!("<tr><td>{shirt}<td>{name}<td>{goals}"),
                true => format!("<tr class=odd><td>{goals}<td>{shirt}<td>{name}"),
            }
        };
        let head = if is_odd {
            "<th>Goals<th>No<th>Name"
        } else {
            "<th>No<th>Name<th>Goals"
        };
        let rows: String = team.squad.iter().map(row).collect();
        let squad = format!("<h2>Squad</h2><table class=t><tr>{head}{rows}</table>");
        let staff = format!("<h2>Staff</h2><table class=t><tr><th>No<th>Name<tr><td>1<td>Coach {number}</table>");
        let tables = if is_odd { staff + &squad } else { squad + &staff };
        let city = team
            .city
            .as_ref()
            .map_or_else(String::new, |city| format!("<dt>City</dt><dd>{city}</dd>"));
        let html = format!(
            "<title>{0}</title><h1>{0}</h1><p>One of the twelve.</p><dl>{city}<dt>Founded</dt><dd>in {1}</dd></dl>{tables}",
            team.name, team.founded
        );
        bench.write(&format!("league/team/{number}.html"), html);
        links.push_str(&format!("<li><a href=/team/{number}.html>{}</a>", team.name));
    }
    bench.write("league/index.html", format!("<h1>Teams</h1><ul>{links}</ul>"));
    teams
}

fn begin(chrome: &mut Chrome, bench: &Bench) -> (Served, Tab) {
    let words = [
        "teach",
        "http://league.example/",
        "--spec",
        "league.xml",
        "--lesson",
        "league.json",
    ];
    let served = Served::start(bench, &[&words[..], &LEAGUE[..]].concat());
    let tab = chrome.open(&served.url, WINDOW);
    follow(chrome, &tab, "document.querySelector('li a')", "TEAM");
    chrome.wait_in_frame(&tab, "document.querySelector('table')");
    (served, tab)
}

/// Runs what was taught, and replays the lesson without a browser, to the byte.
fn run(bench: &Bench) {
    let told = bench.run(&[&["run", "league.xml", "-q"], &LEAGUE[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let learn = ["learn", "--examples", "league.json", "-o", "again.xml", "-q"];
    assert_eq!(bench.run(&[&learn[..], &LEAGUE[..]].concat()).code, 0);
    assert_eq!(bench.read("again.xml"), bench.read("league.xml"));
}

/// The rows of a table, each as the texts of these columns.
fn table(bench: &Bench, name: &str, columns: &[&str]) -> BTreeSet<Vec<String>> {
    let rows = bench.read(&format!("untemplate-out/{name}.jsonl"));
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let row = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("a line is JSON");
        columns.iter().map(|column| text(&row[column])).collect()
    };
    rows.lines().map(row).collect()
}

#[test]
fn a_click_on_a_cell_reads_all_rows() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let teams = write_teams(&bench);
    let (_served, tab) = begin(chrome, &bench);
    let tab = &tab;
    chrome.click_in_frame(tab, "document.querySelectorAll('table td')[1]");
    chrome.wait(
        tab,
        "document.querySelector('details.rows[open] input[name=table]')?.value === 'SQUAD'",
    );
    let n_rows = teams[0].squad.len();
    chrome.wait_in_frame(
        tab,
        &format!("document.querySelectorAll('tr[data-mark~=row]').length === {n_rows}"),
    );
    chrome.screens(tab, "teach-rows");
    // The shirt is not wanted, and a name is a player's.
    chrome.click(tab, "document.querySelectorAll('details.rows input[name=column]')[0]");
    chrome.eval(
        tab,
        "document.querySelector('details.rows input[value=Name]').value = 'player'",
    );
    chrome.click(tab, "document.querySelector('details.rows button.primary')");
    chrome.wait(
        tab,
        &format!("!{PICKED} && document.querySelector('.field strong')?.textContent === 'SQUAD'"),
    );
    chrome.screens(tab, "teach-rows-known");
    run(&bench);
    let expected = teams.iter().enumerate().flat_map(|(number, team)| {
        team.squad.iter().enumerate().map(move |(place, (_, name, goals))| {
            let goals = goals.map_or_else(String::new, |goals| goals.to_string());
            let page = format!("http://league.example/team/{number}.html");
            vec![page, (place + 1).to_string(), name.clone(), goals]
        })
    });
    let found = table(&bench, "SQUAD", &["page", "position", "player", "Goals"]);
    assert_eq!(found, expected.collect());
    assert!(
        !bench.read("untemplate-out/SQUAD.jsonl").contains("\"No\""),
        "it was unchecked"
    );
}

#[test]
fn all_fields_are_proposed_and_only_struck_out_and_renamed() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let teams = write_teams(&bench);
    let (_served, tab) = begin(chrome, &bench);
    let tab = &tab;
    chrome.click(tab, "document.querySelector('a[data-key=f]')");
    chrome.wait(tab, "document.querySelector('.proposal input[name=column]')");
    chrome.screens(tab, "teach-proposal");
    let named = |value: &str| {
        format!("[...document.querySelectorAll('.proposal tbody tr')].find(tr => tr.innerText.includes({value:?}))")
    };
    let rename = |chrome: &mut Chrome, value: &str, name: &str| {
        let row = named(value);
        chrome.eval(
            tab,
            &format!("{row}.querySelector('input:not([type=checkbox])').value = {name:?}"),
        );
    };
    rename(chrome, "Team 1", "team");
    rename(chrome, "Creinford", "city");
    rename(chrome, "in 1897", "since");
    chrome.click(tab, "document.querySelector('.proposal button.primary')");
    chrome.wait(
        tab,
        "[...document.querySelectorAll('.field strong')].some(e => e.textContent === 'since')",
    );
    assert_eq!(
        chrome.eval(tab, "Boolean(document.querySelector('[data-question], a[data-key=q]'))"),
        false
    );
    chrome.screens(tab, "teach-values");
    run(&bench);
    let expected = teams.iter().map(|team| {
        let founded = team.founded.to_string();
        vec![team.name.clone(), team.city.clone().unwrap_or_default(), founded]
    });
    let found = table(&bench, "TEAM", &["team", "city", "since"]);
    let digits = |mut row: Vec<String>| {
        row[2] = row[2].trim_start_matches("in ").to_owned();
        row
    };
    assert_eq!(
        found.into_iter().map(digits).collect::<BTreeSet<_>>(),
        expected.collect()
    );
}

/// Says yes to whatever is asked, and goes back to the first page.
fn say_yes(chrome: &mut Chrome, tab: &Tab) {
    for _ in 0..12 {
        chrome.wait(tab, "!document.querySelector('#panel[aria-busy]')");
        if chrome.eval(tab, "Boolean(document.querySelector('[data-question]'))") != true {
            chrome.click(tab, "document.querySelector('.pages a')");
            chrome.wait(
                tab,
                "document.querySelector('.pages a')?.getAttribute('aria-current') === 'page'",
            );
            return;
        }
        let seen = chrome.eval(tab, "document.querySelector('#panel').dataset.choices");
        chrome.key(tab, "y");
        chrome.wait(
            tab,
            &format!("document.querySelector('#panel').dataset.choices !== {seen}"),
        );
    }
    panic!("there is no end of questions");
}

/// Something in the panel of a field.
fn in_field(name: &str, rest: &str) -> String {
    let field = "[...document.querySelectorAll('details.field')]";
    format!("{field}.find(e => e.querySelector('strong').textContent === {name:?}){rest}")
}

const NAMES: &str = "[...document.querySelectorAll('details.field strong')].map(e => e.textContent).join()";

/// Presses the button of the form that an input is in.
fn send(chrome: &mut Chrome, tab: &Tab, field: &str, input: &str) {
    let button = format!(".querySelector('input[name={input}]').form.querySelector('button')");
    chrome.click(tab, &in_field(field, &button));
}

fn open(chrome: &mut Chrome, tab: &Tab, field: &str) {
    chrome.click(tab, &in_field(field, ".querySelector('summary')"));
}

/// Renames a field, makes another a number without the word before it, and moves it up.
fn rename_clean_and_move(chrome: &mut Chrome, tab: &Tab) {
    open(chrome, tab, "naem");
    chrome.eval(
        tab,
        &in_field("naem", ".querySelector('input[name=to]').value = 'name'"),
    );
    send(chrome, tab, "naem", "to");
    chrome.wait(tab, &format!("{NAMES}.startsWith('name,founded')"));
    open(chrome, tab, "founded");
    chrome.eval(
        tab,
        &in_field("founded", ".querySelector('input[name=pattern]').value = '[0-9]+'"),
    );
    chrome.eval(
        tab,
        &in_field("founded", ".querySelector('select[name=kind]').value = 'integer'"),
    );
    chrome.screens(tab, "teach-field");
    send(chrome, tab, "founded", "pattern");
    chrome.wait(
        tab,
        &in_field("founded", ".querySelector('.value').textContent.trim() === '1897'"),
    );
    open(chrome, tab, "founded");
    let buttons = in_field("founded", ".querySelectorAll('button')");
    chrome.click(tab, &format!("[...{buttons}].find(e => e.textContent === '↑ Up')"));
    chrome.wait(tab, &format!("{NAMES}.startsWith('founded,name')"));
}

/// Writes a rule, which shows what it picks while it is written.
fn write_rule(chrome: &mut Chrome, tab: &Tab) {
    open(chrome, tab, "name");
    chrome.click(tab, &in_field("name", ".querySelector('details.rules-of summary')"));
    let input = in_field("name", ".querySelector('input[name=path]')");
    let typed = format!(
        "(() => {{ const input = {input}; input.value = '//title'; \
         input.dispatchEvent(new Event('input', {{bubbles: true}})); }})()"
    );
    chrome.eval(tab, &typed);
    chrome.wait(
        tab,
        "document.querySelector('output.matches .line')?.textContent.startsWith('1: Team ')",
    );
    chrome.screens(tab, "teach-rule");
    send(chrome, tab, "name", "path");
    chrome.wait(tab, &in_field("name", "?.textContent.includes('Your own rule')"));
}

#[test]
fn fields_are_renamed_moved_cleaned_and_written_by_hand() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let teams = write_teams(&bench);
    let (_served, tab) = begin(chrome, &bench);
    let tab = &tab;
    show(chrome, tab, "document.querySelector('h1')", "naem");
    say_yes(chrome, tab);
    chrome.wait_in_frame(tab, "document.querySelector('h1').textContent === 'Team 1'");
    show(chrome, tab, "[...document.querySelectorAll('dd')].at(-1)", "founded");
    say_yes(chrome, tab);
    rename_clean_and_move(chrome, tab);
    write_rule(chrome, tab);
    run(&bench);
    let written = bench.read("league.xml");
    assert!(written.contains("<xpath>/descendant::title</xpath>"), "{written}");
    assert!(written.contains("kind=\"integer\" match=\"[0-9]+\""), "{written}");
    let expected = teams
        .iter()
        .map(|team| vec![team.name.clone(), team.founded.to_string()]);
    assert_eq!(table(&bench, "TEAM", &["name", "founded"]), expected.collect());
    let first = bench.read("untemplate-out/TEAM.jsonl");
    let first = first.lines().next().expect("a row").to_owned();
    assert!(first.find("founded") < first.find("\"name\""), "{first}");
}
