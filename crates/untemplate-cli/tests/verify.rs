//! `verify` from outside: what holds, what drifted, and the exit code.

mod players;
mod program;

use players::{PLAYERS, site, write_site};
use program::Bench;

#[test]
fn verify_tells_what_drifted() {
    let bench = Bench::new();
    write_site(&bench);
    let pages: Vec<String> = site()
        .paths()
        .filter(|path| path.starts_with("/players/") && path.ends_with("7.html"))
        .collect();
    let pages: Vec<String> = pages.iter().map(|path| format!("cup/site{path}")).collect();
    let verify = |specification: &str| {
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        bench.run(&[&["verify", specification], &pages[..]].concat())
    };
    let told = verify("players.xml");
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let line = |held: usize| format!("\"field\":\"position\",\"held\":{held},");
    assert!(told.out.contains(&line(pages.len())), "{}", told.out);
    bench.write(
        "drifted.xml",
        PLAYERS.replace("<pivot>Position</pivot>", "<pivot>Role</pivot>"),
    );
    let told = verify("drifted.xml");
    assert_eq!(told.code, 4);
    assert!(
        told.out.contains(&line(0)) && told.out.contains("none of its rules finds it"),
        "{}",
        told.out
    );
    assert!(told.err.contains("PLAYER: field position held on 0 of"), "{}", told.err);
    let told = bench.run(&["verify", "players.xml", "cup/site/teams/index.html"]);
    assert_eq!(told.code, 4, "a page of another template: {}", told.out);
}
