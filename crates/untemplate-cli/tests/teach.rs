//! `teach` from outside: a real browser, real clicks, and what comes of them.

mod chrome;
mod program;
mod teaching;

use std::collections::{BTreeMap, BTreeSet};

use chrome::{Chrome, Tab};
use program::Bench;
use teaching::*;
use untemplate_demo::{DatabaseOptions, DemoSite, Skin, write_mirror};

/// Runs a specification; its table has the name and position of every player.
fn check_table(bench: &Bench, specification: &str, site: &DemoSite) {
    let told = bench.run(&[&["run", specification, "-q"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let without_nickname = |row: &String| row.rsplit_once('|').map(|(row, _)| row.to_owned());
    let found = bench.read("untemplate-out/PLAYER.jsonl");
    let found: BTreeSet<_> = rows(&found).iter().filter_map(without_nickname).collect();
    let expected: BTreeSet<_> = truth(site).iter().filter_map(without_nickname).collect();
    assert_eq!(found, expected);
}

/// `learn` with the same pages, examples and answers writes the same class, and replays the lesson
/// to the same specification.
fn check_learnt(bench: &Bench) {
    let lesson: serde_json::Value = serde_json::from_str(&bench.read("cup.json")).expect("the lesson is JSON");
    let sample = lesson["choices"][0]["sample"].as_array().expect("a sample").iter();
    let pages: Vec<&str> = sample.map(|page| page["url"].as_str().expect("an address")).collect();
    let words = [
        "learn",
        "--examples",
        "examples.json",
        "--answers",
        "answers.json",
        "--class",
        "PLAYER",
        "-o",
        "learnt.xml",
        "-q",
    ];
    let told = bench.run(&[&words[..], &MIRROR[..], &pages].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(bench.read("learnt.xml"), bench.read("class.xml"));
    // The lesson itself is a file of examples, too: replayed without a browser it gives the whole
    // specification.
    let told = bench.run(
        &[
            &["learn", "--examples", "cup.json", "-o", "replayed.xml", "-q"],
            &MIRROR[..],
        ]
        .concat(),
    );
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(bench.read("replayed.xml"), bench.read("specification.xml"));
    // It reads the class by the same rules.
    let wrapper = |file: &str| {
        let text = bench.read(file);
        let (begin, end) = (
            text.find("  <wrapper").expect("a wrapper"),
            text.find("</wrapper>").expect("its end"),
        );
        text[begin..end].to_owned()
    };
    assert_eq!(wrapper("specification.xml"), wrapper("learnt.xml"));
}

#[test]
fn clicks_and_answers_give_the_whole_table() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let (bench, site) = (Bench::new(), site());
    write_site(&bench);
    let served = teach(&bench);
    let tab = &chrome.open(&served.url, WINDOW);
    chrome.wait_in_frame(tab, "document.querySelector('h1')");
    chrome.screens(tab, "teach-entry");

    chrome.click_in_frame(tab, &by_text(".sections a", "Players from A to Z"));
    chrome.wait(tab, PICKED);
    chrome.screens(tab, "teach-link");
    // One link of that list is meant and no other: the rule that picks it alone is chosen.
    chrome.click(tab, "[...document.querySelectorAll('.card .choice')].find(e => e.querySelector('strong')?.textContent === '1 link').querySelector('input')");
    chrome.eval(tab, "document.querySelector('.card input[name=name]').value = 'HUB'");
    chrome.click(tab, "document.querySelector('.card button[value=way]')");
    chrome.wait(
        tab,
        "document.querySelector('.classes [aria-current]').textContent === 'HUB'",
    );

    follow(chrome, tab, &by_text(".initials a", "B"), "INITIAL");
    follow(chrome, tab, PLAYER_LINK, "PLAYER");
    chrome.wait_in_frame(tab, "document.querySelector('dd.position')");
    chrome.click_in_frame(tab, "document.querySelector('dd.position')");
    chrome.wait(tab, PICKED);
    chrome.screens(tab, "teach-value");
    chrome.key(tab, "Escape");
    chrome.wait(tab, &format!("!{PICKED}"));
    show(chrome, tab, "document.querySelector('dd.position')", "position");
    chrome.wait(tab, "document.querySelector('[data-question]')");
    chrome.screens(tab, "teach-question");
    answer_all(chrome, tab, &site);
    show(chrome, tab, "document.querySelector('h1')", "name");
    answer_all(chrome, tab, &site);
    chrome.screens(tab, "teach-fields");
    let address = chrome.eval(tab, "location.href");

    // What was said is kept: another start of the program knows it all.
    let lesson = bench.read("cup.json");
    drop(served);
    let served = teach(&bench);
    let key = served.url.split("/teach").next().expect("an address").to_owned();
    let again = address
        .as_str()
        .expect("a text")
        .split("/teach")
        .nth(1)
        .expect("a path")
        .to_owned();
    chrome.go(tab, &format!("{key}/teach{again}"));
    chrome.wait(tab, "document.querySelectorAll('.field').length >= 2");
    assert_eq!(bench.read("cup.json"), lesson);
    chrome.go(tab, &format!("{}/specification", served.url));
    chrome.screens(tab, "teach-specification");

    check_table(&bench, "players.xml", &site);
}

#[test]
fn what_the_browser_taught_is_what_learn_learns() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let (bench, site) = (Bench::new(), site());
    write_site(&bench);
    let served = teach_from_list(&bench);
    let tab = &chrome.open(&served.url, WINDOW);
    follow(chrome, tab, PLAYER_LINK, "PLAYER");
    show(chrome, tab, "document.querySelector('dd.position')", "position");
    answer_all(chrome, tab, &site);
    show(chrome, tab, "document.querySelector('h1')", "name");
    answer_all(chrome, tab, &site);
    let fetched = |chrome: &mut Chrome, file: &str| {
        let text = chrome.eval(
            tab,
            &format!(
                "fetch({:?}).then(answer => answer.text())",
                format!("{}/{file}", served.url)
            ),
        );
        text.as_str().expect("a text").to_owned()
    };
    for file in ["examples.json", "answers.json", "class.xml", "specification.xml"] {
        let text = fetched(chrome, file);
        bench.write(file, text);
    }
    check_learnt(&bench);
}

#[test]
fn reload_back_undo_and_a_second_tab_lose_nothing() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    write_site(&bench);
    let served = teach_from_list(&bench);
    let tab = &chrome.open(&served.url, WINDOW);
    follow(chrome, tab, PLAYER_LINK, "PLAYER");
    chrome.click_in_frame(tab, "document.querySelector('dd.position')");
    chrome.wait(tab, PICKED);
    // In the middle of a choice: a reload shows it again, the back button leaves it.
    chrome.eval(tab, "window.isOld = true; location.reload()");
    chrome.wait(tab, &format!("!window.isOld && document.readyState === 'complete' && {PICKED} && document.querySelector('.card blockquote').textContent.trim()"));
    chrome.eval(tab, "history.back()");
    chrome.wait(
        tab,
        &format!("!{PICKED} && document.querySelector('.classes [aria-current]').textContent === 'PLAYER'"),
    );
    chrome.eval(tab, "history.forward()");
    chrome.wait(tab, PICKED);
    chrome.key(tab, "Escape");
    show(chrome, tab, "document.querySelector('dd.position')", "position");
    let address = chrome.eval(tab, "location.href").as_str().expect("a text").to_owned();

    // A second tab sees it all, says something, and the first one cannot undo what it has not seen.
    let other = &chrome.open(&address, WINDOW);
    chrome.wait(
        other,
        "[...document.querySelectorAll('.field strong')].some(e => e.textContent === 'position')",
    );
    show(chrome, other, "document.querySelector('h1')", "name");
    let kept = bench.read("cup.json");
    chrome.click(tab, &by_text(".ending button", "Undo"));
    chrome.wait(tab, "document.querySelector('.notice')");
    assert_eq!(bench.read("cup.json"), kept, "nothing was undone");
    chrome.wait(
        tab,
        "[...document.querySelectorAll('.field strong')].some(e => e.textContent === 'name')",
    );
    chrome.click(tab, &by_text(".ending button", "Undo"));
    chrome.wait(
        tab,
        "![...document.querySelectorAll('.field strong')].some(e => e.textContent === 'name')",
    );
    assert!(
        !bench.read("cup.json").contains("\"name\""),
        "{}",
        bench.read("cup.json")
    );
}

#[test]
fn the_keyboard_is_enough() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let (bench, site) = (Bench::new(), site());
    write_site(&bench);
    let served = teach_from_list(&bench);
    let tab = &chrome.open(&served.url, WINDOW);
    chrome.wait_in_frame(tab, "document.readyState === 'complete'");
    let walk_to = |chrome: &mut Chrome, element: &str| {
        chrome.wait_in_frame(tab, &format!("document.readyState === 'complete' && ({element})"));
        chrome.wait(tab, "!document.querySelector('#panel[aria-busy]')");
        chrome.key(tab, "p");
        chrome.wait(tab, "document.activeElement === document.querySelector('iframe')");
        for _ in 0..120 {
            chrome.key(tab, "ArrowDown");
            if chrome.eval_in_frame(tab, &format!("({element}) === document.querySelector('[data-cursor]')")) == true {
                return;
            }
        }
        panic!("the arrows never come to {element}");
    };
    walk_to(chrome, PLAYER_LINK);
    chrome.key(tab, "Enter");
    chrome.wait(tab, "document.activeElement?.matches('.card button.primary')");
    chrome.key(tab, "Enter");
    chrome.wait(tab, "document.querySelectorAll('.classes a').length === 2");
    walk_to(chrome, "document.querySelector('dd.position')");
    chrome.key(tab, "Enter");
    chrome.wait(tab, "document.activeElement?.matches('.card input[name=field]')");
    chrome.key(tab, "Enter");
    chrome.wait(
        tab,
        "document.querySelector('.field strong')?.textContent === 'position'",
    );
    answer_all(chrome, tab, &site);
    assert!(
        bench.read("cup.json").contains("\"answer\""),
        "questions were answered by keys"
    );
}

#[test]
fn a_form_and_its_next_pages_give_the_whole_table() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    // Enough players that results have several pages.
    let site = DemoSite::new(DatabaseOptions { players: 90, seed: 1 }, Skin::Modern);
    write_mirror(&site, &bench.path().join("cup")).expect("the site can be written");
    let words = [
        "teach",
        "http://cup.example/find.html",
        "--spec",
        "found.xml",
        "--lesson",
        "find.json",
    ];
    let served = Served::start(&bench, &[&words[..], &MIRROR[..]].concat());
    let tab = &chrome.open(&served.url, WINDOW);
    // The form is filled in as ever, and its button pressed.
    chrome.wait_in_frame(tab, "document.querySelector('main form select')");
    chrome.click_in_frame(tab, "document.querySelector('main form button')");
    chrome.wait(tab, "document.querySelector('#form')");
    chrome.screens(tab, "teach-form");
    chrome.click(tab, &by_text(".card button", "Send it"));
    chrome.wait(
        tab,
        "document.querySelector('.classes [aria-current]').textContent === 'RESULTS'",
    );
    chrome.wait_in_frame(tab, "document.querySelector('td.name a')");
    // One of the lists has a next page.
    let next = "[...document.querySelectorAll('main a')].find(e => /next/i.test(e.textContent))";
    for number in 2..=4 {
        if chrome.eval_in_frame(tab, &format!("Boolean({next})")) == true {
            break;
        }
        chrome.click(tab, &by_text(".pages a", &number.to_string()));
        let search = format!("location.search.endsWith('page={}')", number - 1);
        chrome.wait_in_frame(
            tab,
            &format!("{search} && document.readyState === 'complete' && document.querySelector('td.name a')"),
        );
    }
    chrome.click_in_frame(tab, next);
    chrome.wait(tab, "document.querySelector('.card button[value=next]')");
    chrome.click(tab, "document.querySelector('.card button[value=next]')");
    chrome.wait(
        tab,
        &format!("document.querySelector('.field strong')?.textContent === 'NEXT-RESULTS' && !{PICKED}"),
    );
    follow(chrome, tab, "document.querySelector('td.name a')", "PLAYER");
    show(chrome, tab, "document.querySelector('dd.position')", "position");
    answer_all(chrome, tab, &site);
    show(chrome, tab, "document.querySelector('h1')", "name");
    answer_all(chrome, tab, &site);
    check_table(&bench, "found.xml", &site);
}

/// Players whose age is one number among those of a career; for many, the games are as many as the
/// years.
fn write_careers(bench: &Bench) -> BTreeMap<String, u32> {
    let mut ages = BTreeMap::new();
    let mut links = String::new();
    for number in 0..40_u32 {
        let (name, age) = (format!("Player {number}"), 18 + number % 19);
        let games = if number % 5 == 4 { 100 + number } else { age };
        links.push_str(&format!("<li><a href=/player/{number}.html>{name}</a>"));
        bench.write(
            &format!("league/player/{number}.html"),
            format!(
                "<h1>{name}</h1><table><tr><th>Games<th>Goals<th>Cards<tr><td>{games}<td>{}<td>{}</table>\
                 <ul><li>Foot: left<li>Age: {age}</ul>",
                age / 2,
                number % 3
            ),
        );
        ages.insert(name, age);
    }
    bench.write("league/index.html", format!("<h1>Players</h1><ul>{links}</ul>"));
    ages
}

/// Clicks the games and then the age, which read the same: each is called by what stands beside it.
fn click_age(chrome: &mut Chrome, tab: &Tab) {
    let age = chrome.eval_in_frame(
        tab,
        "document.querySelectorAll('li')[1].textContent.replace('Age: ', '')",
    );
    let age = age.as_str().expect("a text").to_owned();
    chrome.click_in_frame(tab, "document.querySelector('td')");
    chrome.wait(
        tab,
        "document.querySelector('.card input[name=field]')?.value === 'games'",
    );
    chrome.key(tab, "Escape");
    chrome.wait(tab, &format!("!{PICKED}"));
    chrome.click_words_in_frame(tab, "document.querySelectorAll('li')[1]", &age);
    chrome.wait(
        tab,
        "document.querySelector('.card input[name=field]')?.value === 'age'",
    );
    assert_eq!(
        chrome.eval(tab, "document.querySelector('.card blockquote').textContent"),
        age.as_str(),
        "the label is no part of it"
    );
    let marked =
        "[...(CSS.highlights.get('picked') || [])].map(r => r.toString() + ' in ' + r.startContainer.data).join()";
    chrome.wait_in_frame(tab, &format!("{marked} === {:?}", format!("{age} in Age: {age}")));
}

/// Says yes to whatever is asked; it is asked about the age, and marked there and nowhere else.
fn answer_about_ages(chrome: &mut Chrome, tab: &Tab) -> usize {
    let mut n_questions = 0;
    loop {
        chrome.wait(
            tab,
            &format!("!{PICKED} && !document.querySelector('#panel[aria-busy]') && document.querySelector('.field')"),
        );
        if chrome.eval(tab, "Boolean(document.querySelector('[data-question]'))") != true {
            break;
        }
        let marked = "[...(CSS.highlights.get('candidate') || [])].every(r => r.startContainer.data.startsWith('Age: ')) \
                      && CSS.highlights.get('candidate')?.size === 1 && !document.querySelector('[data-mark~=candidate]')";
        chrome.wait_in_frame(tab, marked);
        let seen = chrome.eval(tab, "document.querySelector('#panel').dataset.choices");
        chrome.key(tab, "y");
        chrome.wait(
            tab,
            &format!("document.querySelector('#panel').dataset.choices !== {seen}"),
        );
        n_questions += 1;
    }
    n_questions
}

/// The ages in the table, by player.
fn read_ages(bench: &Bench) -> BTreeMap<String, u32> {
    let rows = bench.read("untemplate-out/PLAYER.jsonl");
    let read = rows.lines().map(|line| -> (String, u32) {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let page = row["page"].as_str().expect("a page");
        let number = page.rsplit('/').next().expect("a name").trim_end_matches(".html");
        (
            format!("Player {number}"),
            row["age"].as_u64().expect("a number") as u32,
        )
    });
    read.collect()
}

#[test]
fn what_is_read_is_what_was_clicked() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let ages = write_careers(&bench);
    let mirror = ["--mirror", "http://league.example/=league"];
    let words = [
        "teach",
        "http://league.example/",
        "--spec",
        "league.xml",
        "--lesson",
        "league.json",
    ];
    let served = Served::start(&bench, &[&words[..], &mirror[..]].concat());
    let tab = &chrome.open(&served.url, WINDOW);
    follow(chrome, tab, "document.querySelector('li a')", "PLAYER");
    chrome.wait_in_frame(tab, "document.querySelectorAll('li').length === 2");
    click_age(chrome, tab);
    chrome.screens(tab, "teach-spot");
    chrome.click(tab, &by_text(".card button", "Read it on every page"));
    let n_questions = answer_about_ages(chrome, tab);
    assert!(n_questions > 0, "a field is asked about once at least");
    let told = bench.run(&[&["run", "league.xml", "-q"], &mirror[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(read_ages(&bench), ages);
    // The lesson has the place, and replays without a browser.
    assert!(
        bench
            .read("league.json")
            .contains("\"at\": \"/html[1]/body[1]/ul[1]/li[2]/text()[1]\"")
    );
    let learn = ["learn", "--examples", "league.json", "-o", "again.xml", "-q"];
    assert_eq!(bench.run(&[&learn[..], &mirror[..]].concat()).code, 0);
    assert_eq!(bench.read("again.xml"), bench.read("league.xml"));
}

#[test]
fn what_was_taught_is_run_from_the_panel() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let ages = write_careers(&bench);
    let words = ["teach", "http://league.example/", "--lesson", "league.json"];
    let mirror = ["--mirror", "http://league.example/=league"];
    let served = Served::start(&bench, &[&words[..], &mirror[..]].concat());
    let tab = &chrome.open(&served.url, WINDOW);
    let run = by_text(".ending button", "Run it");
    chrome.wait(tab, "document.querySelector('.ending')");
    assert_eq!(
        chrome.eval(tab, &format!("Boolean({run})")),
        false,
        "there is nothing to run yet"
    );
    follow(chrome, tab, "document.querySelector('li a')", "PLAYER");
    chrome.wait_in_frame(tab, "document.querySelectorAll('li').length === 2");
    show(chrome, tab, "document.querySelector('h1')", "name");
    chrome.click(tab, &run);
    chrome.wait(tab, "document.querySelector('.state')?.textContent === 'complete'");
    chrome.screens(tab, "teach-run");
    let rows = format!("document.querySelector('main').innerText.includes('{}')", ages.len());
    chrome.wait(tab, &rows);
    chrome.click(
        tab,
        "[...document.querySelectorAll('main a')].find(a => /tables/i.test(a.href))",
    );
    chrome.wait(
        tab,
        "[...document.querySelectorAll('main td a')].some(a => a.textContent === 'PLAYER')",
    );
}

#[test]
fn a_page_that_does_not_belong_is_set_aside() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    write_site(&bench);
    let served = teach_from_list(&bench);
    let tab = &chrome.open(&served.url, WINDOW);
    follow(chrome, tab, PLAYER_LINK, "PLAYER");
    chrome.wait_in_frame(tab, "document.querySelector('dd.position')");
    show(chrome, tab, "document.querySelector('h1')", "name");
    chrome.wait(tab, "document.querySelectorAll('.pages a').length > 2");
    chrome.click(tab, "document.querySelectorAll('.pages a')[1]");
    chrome.wait(
        tab,
        "document.querySelectorAll('.pages a')[1].getAttribute('aria-current') === 'page'",
    );
    chrome.wait(tab, "!document.querySelector('#panel[aria-busy]')");
    chrome.click(tab, &by_text(".address-row button", "Does not belong"));
    chrome.wait(tab, "document.querySelectorAll('.pages a.struck').length === 1");
    assert!(bench.read("cup.json").contains("elong"), "the lesson keeps it");
    chrome.call(Some(tab), "Page.reload", serde_json::json!({}));
    chrome.wait(tab, "document.querySelectorAll('.pages a.struck').length === 1");
    chrome.click(tab, &by_text(".address-row button", "It belongs after all"));
    chrome.wait(tab, "document.querySelectorAll('.pages a.struck').length === 0");
}
