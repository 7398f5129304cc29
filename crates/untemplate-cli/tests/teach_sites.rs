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
        let truth = gold[&page][0].get(&field).cloned().unwrap_or_default();
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

/// Follows the links to all challenges, whatever list they stand in.
fn follow_all(chrome: &mut Chrome, tab: &Tab) {
    chrome.click_in_frame(tab, "document.querySelectorAll('#content > ul a')[0]");
    chrome.wait(tab, PICKED);
    if chrome.eval(tab, "Boolean(document.querySelector('[data-choose]'))") == true {
        chrome.click(tab, "document.querySelector('[data-choose]')");
    }
    chrome.eval(
        tab,
        "document.querySelector('.card input[name=name]').value = 'CHALLENGE'",
    );
    chrome.click(tab, "document.querySelector('.card button[value=way]')");
    chrome.wait(
        tab,
        "document.querySelector('.classes [aria-current]').textContent === 'CHALLENGE'",
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
    follow_all(chrome, tab);
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
