//! Teaching a real site by real clicks, compared with what people found on its pages, cell by cell.
//! The pages are not part of the repository: `UNTEMPLATE_CORPORA` names their folder.

mod chrome;
mod program;
mod teaching;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use chrome::{Chrome, Tab};
use program::Bench;
use serde_json::Value;
use teaching::*;

/// Of a table that people made: by page, the rows, each by column.
type Gold = BTreeMap<String, Vec<BTreeMap<String, String>>>;

fn gold(file: &Path) -> Gold {
    let text = std::fs::read_to_string(file).expect("the gold is there");
    let mut gold = Gold::new();
    for line in text.lines() {
        let row: BTreeMap<String, String> = serde_json::from_str(line).expect("a row");
        gold.entry(row["_url"].clone()).or_default().push(row);
    }
    gold
}

/// What a person did.
#[derive(Default)]
struct Effort {
    clicks: usize,
    questions: usize,
}

/// Answers what is asked by the gold of the page in view.
fn answer_by(chrome: &mut Chrome, tab: &Tab, gold: &Gold, effort: &mut Effort) {
    for _ in 0..40 {
        chrome.wait(
            tab,
            &format!("!{PICKED} && !document.querySelector('#panel[aria-busy]')"),
        );
        if chrome.eval(tab, "Boolean(document.querySelector('a[data-key=q]'))") == true {
            chrome.click(tab, "document.querySelector('a[data-key=q]')");
            chrome.wait(tab, "document.querySelector('[data-question]')");
        }
        if chrome.eval(tab, "Boolean(document.querySelector('[data-question]'))") != true {
            return;
        }
        let text = |value: Value| value.as_str().expect("a text").to_owned();
        let field = text(chrome.eval(tab, "document.querySelector('#question em').textContent"));
        let page = text(chrome.eval(tab, "document.querySelector('.address').title"));
        let truth = gold.get(&page).and_then(|rows| rows[0].get(&field));
        let truth = truth.cloned().unwrap_or_default();
        let choices = "[...document.querySelectorAll('[data-question] input[name=choice]')]";
        let found = format!("{choices}.findIndex(e => JSON.parse(e.dataset.values).join() === {truth:?})");
        let seen = chrome.eval(tab, "document.querySelector('#panel').dataset.choices");
        match chrome.eval(tab, &found).as_i64() {
            Some(index) if index >= 0 && !truth.is_empty() => {
                (0..index).for_each(|_| chrome.key(tab, "n"));
                effort.questions += index as usize;
                chrome.key(tab, "y");
            }
            _ => chrome.key(tab, "a"),
        }
        effort.questions += 1;
        chrome.wait(
            tab,
            &format!("document.querySelector('#panel').dataset.choices !== {seen}"),
        );
    }
    panic!("there is no end of questions");
}

/// The records of a run as its pages show them.
fn stream(bench: &Bench, specification: &str, mirror: &str) -> Vec<Value> {
    let told = bench.run(&[
        "run",
        specification,
        "--format",
        "jsonl",
        "-o",
        "-",
        "-q",
        "--mirror",
        mirror,
    ]);
    assert!(matches!(told.code, 0 | 4), "{}", told.err);
    told.out
        .lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

/// Follows links like one, and those that look alike beside them.
fn follow_like(chrome: &mut Chrome, tab: &Tab, link: &str, class: &str) {
    chrome.wait(tab, &format!("!{PICKED}"));
    chrome.click_in_frame(tab, link);
    chrome.wait(tab, PICKED);
    if chrome.eval(tab, "Boolean(document.querySelector('[data-choose]'))") == true {
        chrome.click(tab, "document.querySelector('[data-choose]')");
    }
    chrome.eval(
        tab,
        &format!("document.querySelector('.card input[name=name]').value = {class:?}"),
    );
    chrome.click(tab, "document.querySelector('.card button[value=way]')");
    chrome.wait(
        tab,
        &format!("document.querySelector('.classes [aria-current]').textContent === {class:?}"),
    );
}

/// The teams that solved it: one click, all rows.
fn take_rows(chrome: &mut Chrome, tab: &Tab) {
    chrome.click(tab, "document.querySelector('.pages a')");
    chrome.wait_in_frame(
        tab,
        "location.search.endsWith('page=0') && document.querySelector('thead')",
    );
    chrome.click_in_frame(tab, "document.querySelector('thead').parentElement.querySelector('td')");
    chrome.wait(tab, "document.querySelector('details.rows[open] input[name=table]')");
    chrome.eval(
        tab,
        "document.querySelector('details.rows input[name=table]').value = 'SOLVE'",
    );
    chrome.click(tab, "document.querySelector('details.rows button.primary')");
    chrome.wait(
        tab,
        &format!("!{PICKED} && [...document.querySelectorAll('.field strong')].some(e => e.textContent === 'SOLVE')"),
    );
}

#[test]
fn a_real_site_is_taught_by_a_few_clicks() {
    let Some(corpora) = std::env::var_os("UNTEMPLATE_CORPORA") else {
        program::skip("UNTEMPLATE_CORPORA is not set");
        return;
    };
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let corpora = Path::new(&corpora);
    let things = gold(&corpora.join("gold/hackasat2020/challenge.jsonl"));
    let solves = gold(&corpora.join("gold/hackasat2020/solve.jsonl"));
    let mirror = format!(
        "http://hackasat2020.example/={}",
        corpora.join("sites/hackasat2020").display()
    );
    let bench = Bench::new();
    let entry = "http://hackasat2020.example/challenges.html";
    let words = [
        "teach",
        entry,
        "--spec",
        "site.xml",
        "--lesson",
        "site.json",
        "--mirror",
        &mirror,
    ];
    let served = Served::start(&bench, &words);
    let tab = &chrome.open(&served.url, WINDOW);
    let mut effort = Effort::default();
    let link = "document.querySelectorAll('#content > ul a')[0]";
    follow_like(chrome, tab, link, "CHALLENGE");
    let cell = |label: &str| {
        format!("[...document.querySelectorAll('th')].find(e => e.textContent === {label:?}).nextElementSibling")
    };
    let fields = [
        ("name", "document.querySelector('h1')".to_owned()),
        ("observations", cell("observations")),
        ("solves", cell("solves")),
        ("points", cell("points")),
        ("average_solve_seconds", cell("average solve seconds")),
    ];
    for (name, element) in &fields {
        chrome.click(tab, "document.querySelector('.pages a')");
        chrome.wait(
            tab,
            "document.querySelector('.pages a')?.getAttribute('aria-current') === 'page'",
        );
        chrome.wait_in_frame(
            tab,
            "location.search.endsWith('page=0') && document.querySelector('h1')",
        );
        show(chrome, tab, element, name);
        effort.clicks += 2;
        answer_by(chrome, tab, &things, &mut effort);
    }
    take_rows(chrome, tab);
    effort.clicks += 2;
    let records = stream(&bench, "site.xml", &mirror);
    let (right, wrong) = compared(&records, &things, &solves, &fields.each_ref().map(|(name, _)| *name));
    let per_field = (effort.clicks + effort.questions) as f64 / (fields.len() + 1) as f64;
    eprintln!(
        "{right} cells right, {wrong} wrong; {} clicks, {} answers, {per_field:.1} a field",
        effort.clicks, effort.questions
    );
    // Three pages have no statistics, and no page of the sample was like them: they are told apart.
    assert!(records.len() + 3 >= things.len(), "{} pages", records.len());
    assert!(wrong * 100 <= right + wrong, "{right} right, {wrong} wrong");
    assert!(right > 14_000, "{right}");
    assert!(per_field <= 4.0, "{per_field}");
}

/// How many cells are as people found them, and how many are not.
fn compared(records: &[Value], things: &Gold, solves: &Gold, fields: &[&str]) -> (usize, usize) {
    let (mut right, mut wrong) = (0, 0);
    let mut count = |is_right: bool| *if is_right { &mut right } else { &mut wrong } += 1;
    for record in records {
        let page = record["page"].as_str().expect("a page");
        let truth = &things[page][0];
        for field in fields {
            let found = record[field].as_str().unwrap_or_default();
            count(found == truth.get(*field).map_or("", String::as_str));
        }
        let rows = record["SOLVE"].as_array().cloned().unwrap_or_default();
        let empty = Vec::new();
        let expected = solves.get(page).unwrap_or(&empty);
        let columns = [
            ("team", "team_name"),
            ("solved at", "solved_at"),
            ("it took", "it_took"),
        ];
        // Rows that are too many or too few count with all their cells.
        (0..rows.len().abs_diff(expected.len()) * columns.len()).for_each(|_| count(false));
        for (row, truth) in rows.iter().zip(expected) {
            for (own, its) in columns {
                count(row[own].as_str().unwrap_or_default() == truth.get(its).map_or("", String::as_str));
            }
        }
    }
    let pages: BTreeSet<&str> = records.iter().filter_map(|record| record["page"].as_str()).collect();
    let missed = things.keys().filter(|page| !pages.contains(page.as_str())).count();
    (right, wrong + missed * fields.len())
}

/// What is taught of a site: links to follow, and what is read on the pages that they end at.
struct Site {
    name: &'static str,
    entry: &'static str,
    /// Links to click, each on the pages of the one before, and what their pages are called.
    ways: &'static [(&'static str, &'static str)],
    gold: &'static str,
    fields: Vec<(&'static str, String)>,
}

/// Clicks a value and makes it a field: of a text with a label, what comes after it.
fn show_value(chrome: &mut Chrome, tab: &Tab, element: &str, name: &str) {
    let after = format!("(({element}).children.length === 0 && ({element}).textContent.split(': ')[1]) || ''");
    let value = chrome.eval_in_frame(tab, &after);
    match value.as_str().unwrap_or_default().trim() {
        "" => show(chrome, tab, element, name),
        value => {
            chrome.wait(tab, &format!("!{PICKED}"));
            chrome.click_words_in_frame(tab, element, value);
            chrome.wait(tab, PICKED);
            chrome.eval(
                tab,
                &format!("document.querySelector('.card input[name=field]').value = {name:?}"),
            );
            chrome.click(tab, &by_text(".card button", "Read it on every page"));
            chrome.wait(
                tab,
                &format!(
                    "[...document.querySelectorAll('.field strong')].some(e => e.textContent === {name:?}) && !{PICKED}"
                ),
            );
        }
    }
}

/// Teaches a site; the share of cells that are right, and the interactions of each field.
fn taught(chrome: &mut Chrome, corpora: &Path, site: &Site) -> (f64, Vec<usize>) {
    let gold = gold(&corpora.join(format!("gold/{}/{}", site.name, site.gold)));
    let host = site.entry.split('/').take(3).collect::<Vec<_>>().join("/");
    let mirror = format!("{host}/={}", corpora.join("sites").join(site.name).display());
    let bench = Bench::new();
    let words = [
        "teach",
        site.entry,
        "--spec",
        "site.xml",
        "--lesson",
        "site.json",
        "--mirror",
        &mirror,
    ];
    let served = Served::start(&bench, &words);
    let tab = &chrome.open(&served.url, WINDOW);
    for (link, class) in site.ways {
        chrome.wait_in_frame(tab, link);
        follow_like(chrome, tab, link, class);
    }
    let mut interactions = Vec::new();
    for (name, element) in &site.fields {
        chrome.click(tab, "document.querySelector('.pages a')");
        chrome.wait(
            tab,
            "document.querySelector('.pages a')?.getAttribute('aria-current') === 'page'",
        );
        chrome.wait_in_frame(tab, &format!("location.search.endsWith('page=0') && {element}"));
        show_value(chrome, tab, element, name);
        let mut effort = Effort::default();
        answer_by(chrome, tab, &gold, &mut effort);
        // The click, and what it is called where the proposed name is another.
        interactions.push(1 + effort.questions);
    }
    let class = site.ways.last().expect("a way").1;
    let mut records = stream(&bench, "site.xml", &mirror);
    records.retain(|record| record["table"] == class && gold.contains_key(record["page"].as_str().unwrap_or_default()));
    let names: Vec<&str> = site.fields.iter().map(|(name, _)| *name).collect();
    let (right, wrong) = compared(&records, &gold, &Gold::new(), &names);
    eprintln!(
        "{}: {} of {} pages, {right} cells right, {wrong} wrong; interactions {interactions:?}",
        site.name,
        records.len(),
        gold.len()
    );
    (right as f64 / (right + wrong) as f64, interactions)
}

fn check_site(site: &Site) {
    let Some(corpora) = std::env::var_os("UNTEMPLATE_CORPORA") else {
        program::skip("UNTEMPLATE_CORPORA is not set");
        return;
    };
    let Some(mut chrome) = Chrome::start() else { return };
    let (share, mut interactions) = taught(&mut chrome, Path::new(&corpora), site);
    assert!(share >= 0.99, "{share}");
    interactions.sort_unstable();
    assert!(interactions[interactions.len() / 2] <= 2, "{interactions:?}");
}

#[test]
fn monsters_are_taught_by_their_labels() {
    let of = |label: &str| {
        format!("[...document.querySelectorAll('dt')].find(e => e.textContent === {label:?})?.nextElementSibling")
    };
    check_site(&Site {
        name: "whitebox_srd",
        entry: "http://whitebox-srd.example/monsters/index.html",
        ways: &[("document.querySelector('main td a')", "MONSTER")],
        gold: "monster.jsonl",
        fields: vec![
            ("name", "document.querySelector('h1')".to_owned()),
            ("armor_class", of("Armor Class")),
            ("hit_dice", of("Hit Dice")),
            ("attacks", of("Attacks")),
            ("special", of("Special")),
            ("move", of("Move")),
            ("hde_xp", of("HDE/XP")),
        ],
    });
}

#[test]
fn products_are_taught_two_links_away() {
    check_site(&Site {
        name: "olivejuice",
        entry: "http://olivejuice.example/artists/index.html",
        ways: &[
            (
                "[...document.querySelectorAll('.views-summary a')].find(e => e.textContent === 'L')",
                "LETTER",
            ),
            (
                "[...document.querySelectorAll('.views-field-field-sort-title-value a')].find(e => e.textContent === 'Jeffrey Lewis')",
                "ARTIST",
            ),
            (
                "document.querySelector('.view-uc-products td.views-field-title a')",
                "PRODUCT",
            ),
        ],
        gold: "product.jsonl",
        fields: vec![
            ("title", "document.querySelector('h1.title')".to_owned()),
            (
                "artist_name",
                "document.querySelector('.sidebox li:nth-child(2) a')".to_owned(),
            ),
            (
                "catalog_number",
                "[...document.querySelectorAll('.sidebox li')].find(e => e.textContent.startsWith('Catalog'))"
                    .to_owned(),
            ),
        ],
    });
}
