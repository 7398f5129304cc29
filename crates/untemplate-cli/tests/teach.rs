//! `teach` from outside: a real browser, real clicks, and what comes of them.

mod chrome;
mod program;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use chrome::{Chrome, Tab};
use program::Bench;
use untemplate_demo::{DatabaseOptions, DemoSite, Skin, write_mirror};

const MIRROR: [&str; 2] = ["--mirror", "http://cup.example/=cup/site"];

const WINDOW: (u32, u32) = (1280, 800);

/// The program, serving until it is dropped.
struct Served {
    process: Child,
    url: String,
}

impl Served {
    fn start(bench: &Bench, words: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_untemplate"))
            .args(words)
            .args(["--no-open", "-q"])
            .current_dir(bench.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut url = String::new();
        let out = process.stdout.take().expect("it has an output");
        BufReader::new(out).read_line(&mut url).expect("it says where it is");
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{url:?}");
        Self { process, url }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn site() -> DemoSite {
    DemoSite::new(DatabaseOptions { players: 60, seed: 1 }, Skin::Modern)
}

fn write_site(bench: &Bench) {
    write_mirror(&site(), &bench.path().join("cup")).expect("the site can be written");
}

fn teach(bench: &Bench) -> Served {
    let words = [
        "teach",
        "http://cup.example/",
        "--spec",
        "players.xml",
        "--lesson",
        "cup.json",
    ];
    Served::start(bench, &[&words[..], &MIRROR[..]].concat())
}

/// An element inside the frame by its text.
fn by_text(selector: &str, text: &str) -> String {
    format!("[...document.querySelectorAll({selector:?})].find(e => e.textContent.trim() === {text:?})")
}

const PICKED: &str = "document.querySelector('#picked')";

/// Clicks a link in the frame and says that links like it are followed.
fn follow(chrome: &mut Chrome, tab: &Tab, link: &str, class: &str) {
    chrome.click_in_frame(tab, link);
    chrome.wait(tab, PICKED);
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

/// Clicks a value in the frame and makes it a field.
fn show(chrome: &mut Chrome, tab: &Tab, element: &str, name: &str) {
    chrome.click_in_frame(tab, element);
    chrome.wait(tab, "document.querySelector('.card input[name=field]')");
    chrome.eval(
        tab,
        &format!("document.querySelector('.card input[name=field]').value = {name:?}"),
    );
    chrome.click(tab, &by_text(".card button", "Read it on every page"));
    chrome.wait(
        tab,
        &format!("[...document.querySelectorAll('.field strong')].some(e => e.textContent === {name:?}) && !{PICKED}"),
    );
}

/// Answers questions by their truth until there is none; returns how many there were.
fn answer_all(chrome: &mut Chrome, tab: &Tab, site: &DemoSite) -> usize {
    for n_answered in 0..40 {
        chrome.wait(tab, "!document.querySelector('#panel[aria-busy]')");
        if chrome.eval(tab, "Boolean(document.querySelector('a[data-key=q]'))") == true {
            chrome.click(tab, "document.querySelector('a[data-key=q]')");
            chrome.wait(tab, "document.querySelector('[data-question]')");
        }
        let question = chrome.eval(tab, "document.querySelector('#question em')?.textContent ?? ''");
        let field = question.as_str().expect("a text").to_owned();
        if field.is_empty() {
            return n_answered;
        }
        // The page in view is the one that is asked about.
        let frame = "new URL(document.querySelector('#panel').dataset.frame, location.href).search";
        let page = chrome.eval(tab, frame).as_str().expect("a text").to_owned();
        chrome.wait_in_frame(
            tab,
            &format!("location.search === {page:?} && document.querySelector('h1')"),
        );
        let name = chrome.eval_in_frame(tab, "document.querySelector('h1').textContent");
        let truth = truth_of(site, name.as_str().expect("a name"), &field);
        let choices = "[...document.querySelectorAll('[data-question] input[name=choice]')]";
        let index = chrome.eval(
            tab,
            &format!("{choices}.findIndex(e => JSON.parse(e.value).join() === {truth:?})"),
        );
        let n_choices = chrome.eval(tab, "document.querySelector('#panel').dataset.choices");
        match (truth.is_empty(), index.as_i64()) {
            (true, _) => chrome.key(tab, "a"),
            (false, Some(0)) => chrome.key(tab, "y"),
            (false, Some(index)) if index > 0 => {
                (0..index).for_each(|_| chrome.key(tab, "n"));
                chrome.key(tab, "y");
            }
            _ => {
                // None of them: the right one is pointed at.
                chrome.click_in_frame(tab, &by_text("dd, dd a, h1", &truth));
                chrome.click(tab, "document.querySelector('.card button[value=answer]')");
            }
        }
        chrome.wait(
            tab,
            &format!("document.querySelector('#panel').dataset.choices !== {n_choices}"),
        );
    }
    panic!("there is no end of questions");
}

/// The value of a field of the player of this name; empty where there is none.
fn truth_of(site: &DemoSite, name: &str, field: &str) -> String {
    let player = site
        .source
        .database
        .players
        .iter()
        .find(|player| player.person.name() == name);
    let player = player.unwrap_or_else(|| panic!("{name} is a player"));
    match field {
        "name" => name.to_owned(),
        "position" => player.position.word().to_owned(),
        "nickname" => player.person.nickname.clone().unwrap_or_default(),
        _ => panic!("nobody taught {field}"),
    }
}

fn rows(table: &str) -> BTreeSet<String> {
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        format!("{}|{}|{}", text("name"), text("position"), text("nickname"))
    };
    table.lines().map(row).collect()
}

fn truth(site: &DemoSite) -> BTreeSet<String> {
    let names = site.source.database.players.iter().map(|player| player.person.name());
    names
        .map(|name| {
            ["name", "position", "nickname"]
                .map(|field| truth_of(site, &name, field))
                .join("|")
        })
        .collect()
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
    follow(
        chrome,
        tab,
        "document.querySelector('main ul.items a, main td a')",
        "PLAYER",
    );
    chrome.wait_in_frame(tab, "document.querySelector('dd.position')");
    chrome.click_in_frame(tab, "document.querySelector('dd.position')");
    chrome.wait(tab, PICKED);
    chrome.screens(tab, "teach-value");
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

    let told = bench.run(&[&["run", "players.xml", "-q"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let without_nickname = |row: &String| row.rsplit_once('|').map(|(row, _)| row.to_owned());
    let found = bench.read("untemplate-out/PLAYER.jsonl");
    let found: BTreeSet<_> = rows(&found).iter().filter_map(without_nickname).collect();
    let expected: BTreeSet<_> = truth(&site).iter().filter_map(without_nickname).collect();
    assert_eq!(found, expected);
}

#[test]
fn what_the_browser_taught_is_what_learn_learns() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let (bench, site) = (Bench::new(), site());
    write_site(&bench);
    let words = [
        "teach",
        "http://cup.example/players/by-initial/h.html",
        "--lesson",
        "cup.json",
    ];
    let served = Served::start(&bench, &[&words[..], &MIRROR[..]].concat());
    let tab = &chrome.open(&served.url, WINDOW);
    follow(
        chrome,
        tab,
        "document.querySelector('main ul.items a, main td a')",
        "PLAYER",
    );
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
    // The lesson itself is a file of examples, too: replayed without a browser it gives the whole specification.
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
fn reload_back_undo_and_a_second_tab_lose_nothing() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    write_site(&bench);
    let words = [
        "teach",
        "http://cup.example/players/by-initial/h.html",
        "--lesson",
        "cup.json",
    ];
    let served = Served::start(&bench, &[&words[..], &MIRROR[..]].concat());
    let tab = &chrome.open(&served.url, WINDOW);
    follow(
        chrome,
        tab,
        "document.querySelector('main ul.items a, main td a')",
        "PLAYER",
    );
    chrome.click_in_frame(tab, "document.querySelector('dd.position')");
    chrome.wait(tab, PICKED);
    // In the middle of a choice: a reload shows it again, the back button leaves it.
    chrome.eval(tab, "location.reload()");
    chrome.wait(tab, &format!("document.readyState === 'complete' && {PICKED} && document.querySelector('.card blockquote').textContent.trim()"));
    chrome.eval(tab, "history.back()");
    chrome.wait(
        tab,
        &format!("!{PICKED} && document.querySelector('.classes [aria-current]').textContent === 'PLAYER'"),
    );
    chrome.eval(tab, "history.forward()");
    chrome.wait(tab, PICKED);
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
    let words = [
        "teach",
        "http://cup.example/players/by-initial/h.html",
        "--lesson",
        "cup.json",
    ];
    let served = Served::start(&bench, &[&words[..], &MIRROR[..]].concat());
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
    walk_to(chrome, "document.querySelector('main ul.items a, main td a')");
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

/// Everything a page may try: scripts, handlers, frames, links, refreshes, styles.
const HOSTILE: &str = r#"<!DOCTYPE html><html onclick="evil('html')"><head><title>Free lamps</title>
<meta http-equiv="refresh" content="0;url=http://127.0.0.1:PROBE/refresh"><base href="http://127.0.0.1:PROBE/">
<meta http-equiv="Content-Security-Policy" content="default-src *"><script>evil('script')</script><script src="http://127.0.0.1:PROBE/s.js"></script>
<link rel="stylesheet" href="http://127.0.0.1:PROBE/s.css"><link rel="prefetch" href="http://127.0.0.1:PROBE/p"><link rel="dns-prefetch" href="//127.0.0.1:PROBE">
<style>@import "http://127.0.0.1:PROBE/i.css"; @font-face { font-family: x; src: url(http://127.0.0.1:PROBE/f.woff) }
body { font-family: x; background: u\72l(http://127.0.0.1:PROBE/b.png) } input[value^=a] { background: url(http://127.0.0.1:PROBE/a) }
#cover { position: fixed; inset: 0; z-index: 2147483647; opacity: 0.01 }</style></head>
<body onload="evil('load')" background="http://127.0.0.1:PROBE/bg.png"><h1 onclick="evil('h1')">Free lamps</h1>
<img name="querySelector" src="x" onerror="evil('error')"><img src="http://127.0.0.1:PROBE/i.png" srcset="http://127.0.0.1:PROBE/i2.png 2x">
<a id="js" href="javascript:evil('link')">a link</a> <a id="top" href="http://127.0.0.1:PROBE/top" target="_top">another</a>
<iframe src="http://127.0.0.1:PROBE/frame" srcdoc="<script>parent.evil('frame')</script>"></iframe><object data="http://127.0.0.1:PROBE/o"></object>
<form id="f" action="http://127.0.0.1:PROBE/form"><input name="elements" value="abc"><input name="q"><button formaction="http://127.0.0.1:PROBE/b">Send</button></form>
<svg><script>evil('svg')</script><image href="http://127.0.0.1:PROBE/svg.png"/><a href="javascript:evil('a')"><text y="20">svg</text></a></svg>
<video src="http://127.0.0.1:PROBE/v" autoplay onplay="evil('v')"></video><audio src="http://127.0.0.1:PROBE/a" autoplay></audio>
<noscript><img src="http://127.0.0.1:PROBE/n.png" onerror="evil('noscript')"></noscript><template><script>evil('template')</script></template>
<details open ontoggle="evil('toggle')"><summary>more</summary>text</details><input autofocus onfocus="evil('focus')"><marquee onstart="evil('m')">m</marquee>
<p>The price is $ 9</p></body></html>"#;

#[test]
fn a_hostile_page_stays_harmless() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let probe = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    probe.set_nonblocking(true).expect("it does not wait");
    let port = probe.local_addr().expect("an address").port();
    let bench = Bench::new();
    // What runs leaves a sign.
    let page = HOSTILE
        .replace("PROBE", &port.to_string())
        .replace("evil(", "document.documentElement.dataset.evil=(");
    bench.write("shop/index.html", page);
    let words = [
        "teach",
        "http://shop.example/",
        "--lesson",
        "shop.json",
        "--mirror",
        "http://shop.example/=shop",
    ];
    let served = Served::start(&bench, &words);
    let tab = &chrome.open(&served.url, WINDOW);
    chrome.wait_in_frame(
        tab,
        "document.readyState === 'complete' && document.querySelector('h1')",
    );
    let address = chrome.eval(tab, "location.href");
    assert_eq!(
        chrome.eval_in_frame(tab, "origin"),
        "null",
        "the frame has an origin of its own"
    );
    // What is clicked is told, and does nothing else: links, covers and buttons included.
    for element in ["h1", "#js", "#top", "p", "summary", "#f button"] {
        chrome.eval(tab, "document.querySelector('.card a[data-soft]')?.click()");
        chrome.wait(
            tab,
            "!document.querySelector('.card') && !document.querySelector('#panel[aria-busy]')",
        );
        chrome.click_in_frame(tab, &format!("document.querySelector({element:?})"));
        chrome.wait(tab, "document.querySelector('.card')");
    }
    chrome.screens(tab, "teach-hostile");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let signs = chrome.eval_in_frame(
        tab,
        "document.querySelectorAll('script').length + ' ' + document.documentElement.dataset.evil",
    );
    assert_eq!(signs, "1 undefined", "one script, ours");
    assert_eq!(
        chrome.eval(tab, "String(document.documentElement.dataset.evil)"),
        "undefined"
    );
    let here = chrome.eval(tab, "location.href.split('?')[0]");
    assert_eq!(
        here,
        address.as_str().expect("a text").split('?').next().expect("a start"),
        "the studio stays where it is"
    );
    assert!(probe.accept().is_err(), "nothing was asked for but through the program");
}

/// A page of a megabyte, as it may be: how long until something of it is seen. The figure is printed, and judged by nobody here.
#[test]
fn a_large_page_is_seen_soon() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let bench = Bench::new();
    let row = |number: usize| {
        format!(
            "<tr><td class=number>{number}</td><td><a href=/item/{number}.html>Lamp number {number}</a></td><td>$ {number}</td></tr>\n"
        )
    };
    let rows: String = (0..12_000).map(row).collect();
    let page = format!("<!DOCTYPE html><title>Lamps</title><h1>Lamps</h1><table>{rows}</table>");
    eprintln!("the page has {} bytes", page.len());
    bench.write("shop/index.html", page);
    let words = [
        "teach",
        "http://shop.example/",
        "--lesson",
        "shop.json",
        "--mirror",
        "http://shop.example/=shop",
    ];
    let served = Served::start(&bench, &words);
    let tab = &chrome.open(&served.url, WINDOW);
    for turn in 0..3 {
        chrome.go(tab, &served.url);
        chrome.wait_in_frame(
            tab,
            "document.querySelector('h1') && performance.getEntriesByType('paint').length",
        );
        let first = "Math.round(performance.getEntriesByType('paint')[0].startTime)";
        let (own, inside) = (chrome.eval(tab, first), chrome.eval_in_frame(tab, first));
        eprintln!("turn {turn}: first paint of the studio after {own} ms, of the page in its frame after {inside} ms");
    }
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
    chrome.click_in_frame(
        tab,
        "[...document.querySelectorAll('main a')].find(e => /next/i.test(e.textContent))",
    );
    chrome.wait(tab, "document.querySelector('.card button[value=next]')");
    chrome.click(tab, "document.querySelector('.card button[value=next]')");
    chrome.wait(tab, "document.body.innerText.includes('the next pages')");
    follow(chrome, tab, "document.querySelector('td.name a')", "PLAYER");
    show(chrome, tab, "document.querySelector('dd.position')", "position");
    answer_all(chrome, tab, &site);
    show(chrome, tab, "document.querySelector('h1')", "name");
    answer_all(chrome, tab, &site);
    let told = bench.run(&[&["run", "found.xml", "-q"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let without_nickname = |row: &String| row.rsplit_once('|').map(|(row, _)| row.to_owned());
    let found: BTreeSet<_> = rows(&bench.read("untemplate-out/PLAYER.jsonl"))
        .iter()
        .filter_map(without_nickname)
        .collect();
    let expected: BTreeSet<_> = truth(&site).iter().filter_map(without_nickname).collect();
    assert_eq!(found, expected);
}
