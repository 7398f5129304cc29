//! The first page of the studio, from outside: files that are dropped on it, addresses that are
//! typed, tables that were made on a command line.

mod chrome;
mod program;
mod teaching;

use std::path::Path;
use std::time::{Duration, Instant};

use chrome::{Chrome, Tab};
use program::Bench;
use serde_json::{Value, json};
use teaching::{MIRROR, Served, WINDOW, by_text, site, write_site};
use untemplate_demo::{Server, ServerOptions};

const DROPPED: &str = "document.querySelector('[data-dropped]').textContent";

/// Drops a file or a folder on the form, as a person does.
fn drop_on_start(chrome: &mut Chrome, tab: &Tab, path: &Path) {
    let data = json!({"items": [], "files": [path.to_str().expect("a plain path")], "dragOperationsMask": 1});
    for kind in ["dragEnter", "dragOver", "drop"] {
        let event = json!({"type": kind, "x": 400, "y": 200, "data": data});
        chrome.call(Some(tab), "Input.dispatchDragEvent", event);
    }
}

fn button(words: &str) -> String {
    by_text("form.start button", words)
}

#[test]
fn a_dropped_folder_is_rebuilt_and_a_dropped_page_is_taught() {
    let Some(mut chrome) = Chrome::start() else { return };
    let (bench, elsewhere) = (Bench::new(), Bench::new());
    write_site(&elsewhere);
    let studio = Served::start(&bench, &["studio"]);
    let tab = chrome.open(&studio.at(""), WINDOW);
    drop_on_start(&mut chrome, &tab, &elsewhere.path().join("cup/site"));
    chrome.wait(&tab, &format!("/^(\\d+) of \\1 files are here$/.test({DROPPED})"));
    chrome.wait(
        &tab,
        "document.querySelector('#entry').value === 'untemplate-dropped/site'",
    );
    chrome.screens(&tab, "start-dropped");
    chrome.click(&tab, &button("Rebuild it all"));
    chrome.wait(&tab, "document.querySelector('.state')?.textContent === 'complete'");
    chrome.click(&tab, &by_text("a", "Look at the tables"));
    chrome.wait(&tab, "document.querySelector('table.list')");
    let told = chrome.eval(
        &tab,
        "[...document.querySelectorAll('tbody tr')].map(row => row.innerText).join('|')",
    );
    let told = told.as_str().expect("a text");
    assert!(
        told.contains("players") && told.contains("65"),
        "all pages are there: {told}"
    );

    let page = elsewhere.path().join("cup/site/teams/index.html");
    chrome.go(&tab, &studio.at(""));
    drop_on_start(&mut chrome, &tab, &page);
    chrome.wait(&tab, &format!("{DROPPED} === '1 of 1 file is here'"));
    chrome.click(&tab, &button("Look and teach"));
    chrome.wait_in_frame(&tab, "document.querySelector('main a')");
    let heading = chrome.eval_in_frame(&tab, "document.querySelector('h1').textContent");
    assert!(
        heading.as_str().is_some_and(|text| !text.is_empty()),
        "the page is shown: {heading}"
    );
}

#[test]
fn a_dropped_warc_file_is_rebuilt() {
    let Some(mut chrome) = Chrome::start() else { return };
    let server = Server::start(site(), ServerOptions::default()).expect("the demo site is served");
    let (bench, elsewhere) = (Bench::new(), Bench::new());
    let words = [
        "archive",
        &server.url(),
        "--delay",
        "0",
        "--no-robots",
        "-q",
        "-o",
        "list.jsonl",
    ];
    let told = elsewhere.run(&[&words[..], &["--archive", "kept", "--export", "cup.warc.gz"]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    drop(server);
    let studio = Served::start(&bench, &["studio"]);
    let tab = chrome.open(&studio.at(""), WINDOW);
    drop_on_start(&mut chrome, &tab, &elsewhere.path().join("cup.warc.gz"));
    chrome.wait(&tab, &format!("{DROPPED} === '1 of 1 file is here'"));
    chrome.click(&tab, &button("Rebuild it all"));
    chrome.wait(&tab, "document.querySelector('.state')?.textContent === 'complete'");
    chrome.click(&tab, &by_text("a", "Look at the tables"));
    chrome.wait(&tab, "document.querySelector('table.list')");
    let told = chrome.eval(
        &tab,
        "[...document.querySelectorAll('tbody tr')].map(row => row.innerText).join('|')",
    );
    let told = told.as_str().expect("a text");
    assert!(
        told.contains("players") && told.contains("65"),
        "all pages are there: {told}"
    );
}

#[test]
fn an_address_without_a_scheme_is_taught_at_once() {
    let Some(mut chrome) = Chrome::start() else { return };
    let server = Server::start(site(), ServerOptions::default()).expect("the demo site is served");
    let bench = Bench::new();
    let studio = Served::start(&bench, &["studio", "--delay", "0"]);
    let tab = chrome.open(&studio.at(""), WINDOW);
    let typed = server.url().trim_start_matches("http://").to_owned();
    chrome.eval(&tab, &format!("document.querySelector('#entry').value = {typed:?}"));
    chrome.click(&tab, &button("Look and teach"));
    chrome.wait_in_frame(&tab, "document.querySelector('h1')");
    // What is elsewhere on the disk is not read.
    chrome.go(&tab, &studio.at(""));
    chrome.eval(&tab, "document.querySelector('#entry').value = '/etc'");
    chrome.click(&tab, &button("Rebuild it all"));
    chrome.wait(&tab, "document.body.innerText.includes('nothing below the studio')");
}

#[test]
fn tables_of_a_command_line_have_a_card_and_begin_with_the_largest() {
    let Some(mut chrome) = Chrome::start() else { return };
    let bench = Bench::new();
    write_site(&bench);
    let told = bench.run(&[&["rebuild", "http://cup.example/", "-q", "-o", "made"], &MIRROR[..]].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let studio = Served::start(&bench, &["studio"]);
    let tab = chrome.open(&studio.at(""), WINDOW);
    let card = "document.querySelector('article.site[aria-label=\"cup.example\"]')";
    chrome.wait(&tab, card);
    let text = chrome.eval(&tab, &format!("{card}.innerText"));
    assert!(text.as_str().is_some_and(|text| text.contains("players 65")), "{text}");
    chrome.screens(&tab, "start-cards");
    chrome.click(
        &tab,
        &format!("[...{card}.querySelectorAll('a')].find(a => a.textContent === 'Tables')"),
    );
    chrome.wait(&tab, "document.querySelector('table.list tbody tr')");
    let first = chrome.eval(&tab, "document.querySelector('table.list tbody td').textContent");
    assert_eq!(first, Value::from("players"), "the largest table of pages comes first");
    let names = "[...document.querySelectorAll('tbody tr.of-list td:first-child')].map(cell => cell.textContent)";
    let lists = chrome.eval(&tab, &format!("{names}.length"));
    assert!(
        lists.as_u64().is_some_and(|n_lists| n_lists > 3),
        "lists stand behind their pages: {lists}"
    );
    chrome.wait(&tab, &by_text("a", "The report"));
    chrome.screens(&tab, "tables-of-folder");
}

#[test]
fn two_servers_of_a_machine_have_two_cards_and_tables_that_are_new_are_told() {
    let Some(mut chrome) = Chrome::start() else { return };
    let bench = Bench::new();
    write_site(&bench);
    let rebuild = |host: &str, folder: &str, more: &[&str]| {
        let (entry, mirror) = (format!("http://{host}/"), format!("http://{host}/=cup/site"));
        let words = ["rebuild", &entry, "-q", "-o", folder, "--mirror", &mirror];
        let told = bench.run(&[&words[..], more].concat());
        assert_eq!(told.code, 0, "{}", told.err);
    };
    rebuild("cup.example", "one", &["--below", "/stadiums/"]);
    rebuild("cup.example:8081", "two", &["--below", "/stadiums/"]);
    rebuild("cup.example:8081", "two", &[]);
    let studio = Served::start(&bench, &["studio"]);
    let tab = chrome.open(&studio.at(""), WINDOW);
    let card = |host: &str| format!("document.querySelector('article.site[aria-label=\"{host}\"]')");
    chrome.wait(&tab, &card("cup.example"));
    let text = chrome.eval(&tab, &format!("{}.innerText", card("cup.example:8081")));
    assert!(text.as_str().is_some_and(|text| text.contains("tables new")), "{text}");
}

#[cfg(unix)]
#[test]
fn the_secret_is_on_no_command_line() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    bench.write(
        "bin/xdg-open",
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > opened.part\nmv opened.part opened\n",
    );
    let program = bench.path().join("bin/xdg-open");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let mut process = std::process::Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["studio", "-o", "address", "-q"])
        .env("PATH", format!("{}:/usr/bin:/bin", bench.path().join("bin").display()))
        .current_dir(bench.path())
        .spawn()
        .expect("the program starts");
    let began = Instant::now();
    while !bench.path().join("opened").exists() {
        assert!(began.elapsed() < Duration::from_secs(60), "no browser was opened");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (address, opened) = (bench.read("address"), bench.read("opened"));
    let (address, opened) = (address.trim(), Path::new(opened.trim()));
    let secret = address
        .trim_end_matches('/')
        .rsplit('/')
        .next()
        .expect("it has a secret");
    assert!(secret.len() >= 32, "{address}");
    assert!(!opened.to_string_lossy().contains(secret), "{opened:?}");
    let mode = std::fs::metadata(opened).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o077, 0, "nobody else can read it");
    let page = std::fs::read_to_string(opened).expect("it is a page");
    assert!(page.contains(&format!("url={address}")), "{page}");
    let number = process.id().to_string();
    let told = std::process::Command::new("kill").args(["-INT", &number]).status();
    assert!(told.is_ok_and(|status| status.success()));
    assert_eq!(process.wait().expect("it ends").code(), Some(130));
    assert!(!opened.exists(), "it is gone with the studio");
}
