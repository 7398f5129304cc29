//! A job of the studio whose disk is full: it cannot write why it ended, and the studio says so.

mod chrome;
mod program;
mod small_disk;
mod teaching;

use chrome::Chrome;
use program::Bench;
use small_disk::SmallDisk;
use teaching::{Served, WINDOW, by_text};
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

/// Large enough that the archive does not fit on the disk.
const PLAYERS: u32 = 300;

#[test]
fn a_full_disk_is_told_and_more_room_lets_the_job_go_on() {
    let Some(mut chrome) = Chrome::start() else { return };
    let bench = Bench::new();
    let folder = bench.path().join("disk");
    let Some(disk) = SmallDisk::mount(&folder, "3m") else {
        return;
    };
    let options = DatabaseOptions {
        players: PLAYERS,
        ..DatabaseOptions::default()
    };
    let site = DemoSite::new(options, Skin::Modern);
    let is_player = |path: &String| path.starts_with("/players/") && path.contains('-') && !path.contains("by-");
    let player = site.paths().find(is_player).expect("it has players");
    let server = Server::start(site, ServerOptions::default()).expect("the site");
    let words = ["studio", "--folder", "disk", "--allow-private", "--delay", "0"];
    let studio = Served::start(&bench, &words);
    let tab = chrome.open(&studio.at("/jobs?verb=gather"), WINDOW);
    let entry = format!("{}{player}", server.url().trim_end_matches('/'));
    chrome.eval(&tab, &format!("document.querySelector('#entry').value = {entry:?}"));
    chrome.click(&tab, "document.querySelector('form.job button')");
    let state = "document.querySelector('.state').textContent";
    chrome.wait(&tab, &format!("!['under way', undefined].includes({state})"));
    chrome.wait(&tab, "document.querySelector('.warning')");
    let said = chrome.eval(&tab, "document.body.innerText");
    let said = said.as_str().expect("a text");
    assert!(
        said.contains("The disk is full: ") && said.contains("Make room"),
        "{said}"
    );
    assert!(
        !said.contains("left unfinished"),
        "it is known how it ended, though nobody could note it: {said}"
    );
    disk.grow("400m");
    chrome.click(&tab, "document.querySelector('form[action$=resume] button')");
    chrome.wait(&tab, &format!("{state} === 'complete'"));
    let said = chrome.eval(&tab, "document.body.innerText");
    assert!(!said.as_str().expect("a text").contains("The disk is full"), "{said}");
    assert!(chrome.eval(&tab, &format!("Boolean({})", by_text("a", "Download the pages"))) == true);
}
