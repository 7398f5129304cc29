//! `--notice` from outside: a command or an address is told when a run has something to tell, and
//! not otherwise.

mod loopback;
mod players;
mod program;

use loopback::TestServer;
use players::{MIRROR, PLAYERS, write_site};
use program::Bench;
use serde_json::Value;

fn taken(_: &str) -> (&'static str, &'static str) {
    ("200 OK", "")
}

fn refused(_: &str) -> (&'static str, &'static str) {
    ("500 Internal Server Error", "")
}

#[test]
fn a_command_is_told_of_what_is_new_and_of_drift() {
    let bench = Bench::new();
    write_site(&bench);
    let run = |specification: &str| {
        let words = [
            "run",
            specification,
            "-q",
            "--follow",
            "initials",
            "-o",
            "out",
            "--notice",
            "cat > told.json",
        ];
        let told = bench.run(&[&words[..], &MIRROR].concat());
        let file = bench.path().join("told.json");
        let notice = std::fs::read(&file)
            .ok()
            .map(|text| serde_json::from_slice::<Value>(&text).expect("it is JSON"));
        let _ = std::fs::remove_file(file);
        (told.code, notice)
    };
    assert_eq!(
        run("players.xml"),
        (0, None),
        "the first run has nothing to compare with"
    );
    assert_eq!(run("players.xml"), (0, None), "nothing is new");
    let page = players::site()
        .paths()
        .find(|path| path.starts_with("/players/") && path.ends_with("7.html"));
    let page = format!("cup/site{}", page.expect("there are players"));
    bench.write(&page, bench.read(&page).replace("<h1>", "<h1>Sir "));
    let (code, notice) = run("players.xml");
    let notice = notice.expect("a row has changed");
    assert_eq!(
        (code, &notice["notice"]),
        (
            0,
            &Value::from("rows since the last run: 0 added, 1 changed, 0 vanished")
        )
    );
    // Pages that are no longer what the specification was written for.
    bench.write("other.xml", PLAYERS.replace("//main/h1[1]", "//main/h7[1]"));
    let (code, notice) = run("other.xml");
    let notice = notice.expect("the site has changed");
    assert_eq!((code, &notice["exit_code"]), (4, &Value::from(4)), "{notice}");
    assert!(
        notice["notice"]
            .as_str()
            .is_some_and(|text| text.starts_with("the site has changed")),
        "{notice}"
    );
}

#[test]
fn an_address_is_told_and_one_that_refuses_is_no_failure() {
    let bench = Bench::new();
    let server = TestServer::start("127.0.0.1:0", taken);
    let address = server.url();
    let told = bench.run(&["rebuild", "./none.html", "--notice", &address]);
    assert_eq!(told.code, 2, "{}", told.err);
    let sent = server.last_content.lock().expect("nobody panicked").clone();
    let notice: Value = serde_json::from_str(&sent).expect("it is JSON");
    assert!(
        notice["notice"]
            .as_str()
            .is_some_and(|text| text.starts_with("the run failed: ./none.html")),
        "{notice}"
    );
    let server = TestServer::start("127.0.0.1:0", refused);
    let told = bench.run(&["rebuild", "./none.html", "--notice", &server.url()]);
    assert_eq!(told.code, 2, "{}", told.err);
    assert!(
        told.err.contains("the notice could not be given") && told.err.contains("status 500"),
        "{}",
        told.err
    );
    // A file in a folder does not decide what is started.
    bench.write("untemplate.toml", "notice = 'touch made'");
    let told = bench.run(&["rebuild", "./none.html"]);
    assert!(
        told.code == 2 && told.err.contains("command line alone"),
        "{}",
        told.err
    );
    assert!(!bench.path().join("made").exists());
}
