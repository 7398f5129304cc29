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

#[test]
fn a_wrapper_is_verified_field_by_field() {
    let bench = Bench::new();
    write_site(&bench);
    let pages = |ids: std::ops::RangeInclusive<u32>| -> Vec<String> {
        let paths: Vec<String> = site().paths().filter(|path| path.starts_with("/players/")).collect();
        let page = |id: u32| {
            paths
                .iter()
                .find(|path| path.ends_with(&format!("-{id}.html")))
                .expect("it has a page")
        };
        ids.map(|id| format!("cup/site{}", page(id))).collect()
    };
    let run = |words: &[&str], pages: &[String]| {
        let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
        bench.run(&[words, &pages[..]].concat())
    };
    let told = run(&["infer", "-o", "players.wrapper", "-q"], &pages(1..=15));
    assert_eq!(told.code, 0, "{}", told.err);
    let others = pages(20..=35);
    let told = run(&["verify", "players.wrapper"], &others);
    assert_eq!((told.code, told.err.as_str()), (0, ""), "{}", told.out);
    let line = |name: &str, out: &str| -> serde_json::Value {
        let lines = out
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a line is JSON"));
        lines.into_iter().find(|line| line["field"] == name).unwrap_or_default()
    };
    let weight = line("weight", &told.out);
    assert_eq!(
        (&weight["held"], &weight["missing"]),
        (&16.into(), &0.into()),
        "{}",
        told.out
    );
    for page in &others {
        let gone = bench
            .read(page)
            .replace("<dt>Weight</dt>", "<dt>Mass</dt>")
            .replace("class=\"weight\"", "class=\"mass\"");
        bench.write(page, gone);
    }
    let told = run(&["verify", "players.wrapper"], &others);
    assert_eq!(told.code, 4, "{}", told.out);
    let weight = line("weight", &told.out);
    assert_eq!(
        (&weight["held"], &weight["missing"]),
        (&0.into(), &16.into()),
        "{}",
        told.out
    );
    assert!(told.err.contains("field weight is on 0 of 16 pages"), "{}", told.err);
    let shirt = line("shirt_number", &told.out);
    assert_eq!(shirt["held"], 16, "the others still hold: {}", told.out);
}
