//! The program that serves a browser, and what a person who teaches does there.

#![allow(dead_code, reason = "each test program uses a part of this")]

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::chrome::{Chrome, Tab};
use crate::program::Bench;
use untemplate_demo::language::Language;
use untemplate_demo::{DatabaseOptions, DemoSite, Skin, write_mirror};

pub const MIRROR: [&str; 2] = ["--mirror", "http://cup.example/=cup/site"];

pub const WINDOW: (u32, u32) = (1280, 800);

/// The program, serving until it is dropped.
pub struct Served {
    pub process: Child,
    pub url: String,
}

impl Served {
    pub fn start(bench: &Bench, words: &[&str]) -> Self {
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

    /// The address of one of its pages.
    pub fn at(&self, path: &str) -> String {
        format!("{}{path}", self.url.trim_end_matches('/'))
    }

    /// Interrupts the program as Ctrl-C does, and waits for its end.
    pub fn interrupt(&mut self) -> i32 {
        let number = self.process.id().to_string();
        let told = Command::new("kill").args(["-INT", &number]).status();
        assert!(told.is_ok_and(|status| status.success()));
        let began = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().expect("it can be waited for") {
                return status.code().unwrap_or(-1);
            }
            assert!(began.elapsed() < Duration::from_secs(60), "it goes on and on");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn site() -> DemoSite {
    DemoSite::new(DatabaseOptions { players: 60, seed: 1 }, Skin::Modern)
}

pub fn write_site(bench: &Bench) {
    write_mirror(&site(), &bench.path().join("cup")).expect("the site can be written");
}

pub fn teach(bench: &Bench) -> Served {
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

/// Teaches from a list of players on, without a specification.
pub fn teach_from_list(bench: &Bench) -> Served {
    let words = [
        "teach",
        "http://cup.example/players/by-initial/h.html",
        "--lesson",
        "cup.json",
    ];
    Served::start(bench, &[&words[..], &MIRROR[..]].concat())
}

/// The first link to a player in a list of them.
pub const PLAYER_LINK: &str = "document.querySelector('main ul.items a, main td a')";

/// An element by its text.
pub fn by_text(selector: &str, text: &str) -> String {
    format!("[...document.querySelectorAll({selector:?})].find(e => e.textContent.trim() === {text:?})")
}

pub const PICKED: &str = "document.querySelector('#picked')";

/// Clicks a link in the frame and says that links like it are followed.
pub fn follow(chrome: &mut Chrome, tab: &Tab, link: &str, class: &str) {
    chrome.wait(tab, &format!("!{PICKED}"));
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
pub fn show(chrome: &mut Chrome, tab: &Tab, element: &str, name: &str) {
    chrome.wait(tab, &format!("!{PICKED}"));
    chrome.click_in_frame(tab, element);
    chrome.wait(tab, PICKED);
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
pub fn answer_all(chrome: &mut Chrome, tab: &Tab, site: &DemoSite) -> usize {
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
            &format!("{choices}.findIndex(e => JSON.parse(e.dataset.values).join() === {truth:?})"),
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
                let place = match label_of(&field) {
                    Some(label) => labelled(label),
                    None => by_text("dd, dd a, h1", &truth),
                };
                chrome.click_in_frame(tab, &place);
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

/// What stands beside a label, in whatever way and language a page shows labels.
pub fn labelled(label: &str) -> String {
    let labels = [label, Language::German.say(label)];
    format!(
        "[...document.querySelectorAll('dt, th, td')].find(e => {labels:?}.includes(e.textContent.trim().replace(/:$/, '')))?.nextElementSibling"
    )
}

/// The language of the pages of a record: every second one is in German, where a site is wild.
pub fn language_of(site: &DemoSite, index: usize) -> Language {
    match site.skin == Skin::Wild && index % 2 == 1 {
        true => Language::German,
        false => Language::English,
    }
}

/// What pages call a field, where they do.
pub fn label_of(field: &str) -> Option<&'static str> {
    match field {
        "position" => Some("Position"),
        "shirt" => Some("Shirt number"),
        "birthplace" => Some("Place of birth"),
        "nationality" => Some("Nationality"),
        _ => None,
    }
}

/// The value of a field of the player of this name; empty where there is none.
pub fn truth_of(site: &DemoSite, name: &str, field: &str) -> String {
    let mut players = site.source.database.players.iter().enumerate();
    let player = players.find(|(_, player)| player.person.name() == name);
    let (index, player) = player.unwrap_or_else(|| panic!("{name} is a player"));
    match field {
        "name" => name.to_owned(),
        "position" => language_of(site, index).say(player.position.word()).to_owned(),
        "shirt" => player.shirt.to_string(),
        "birthplace" => player.person.birthplace.clone(),
        "nationality" => player.person.nationality.clone(),
        "nickname" => player.person.nickname.clone().unwrap_or_default(),
        _ => panic!("nobody taught {field}"),
    }
}

pub fn rows(table: &str) -> BTreeSet<String> {
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        format!("{}|{}|{}", text("name"), text("position"), text("nickname"))
    };
    table.lines().map(row).collect()
}

pub fn truth(site: &DemoSite) -> BTreeSet<String> {
    let names = site.source.database.players.iter().map(|player| player.person.name());
    names
        .map(|name| {
            ["name", "position", "nickname"]
                .map(|field| truth_of(site, &name, field))
                .join("|")
        })
        .collect()
}
