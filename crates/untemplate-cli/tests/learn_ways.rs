//! `learn` from outside, with ways: what it writes is given to `run` as it is, and finds the whole
//! database (golden test G15).

mod players;
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use players::{MIRROR, N_PLAYERS, site, warc, write_site};
use program::{Bench, check_error};
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

/// A lesson: two fields of one player, by the initial of the name and by a form that is sent for
/// each position, whose results have next pages.
fn lesson(site: &DemoSite, base: &str) -> String {
    lesson_with(site, base, "Next page ›")
}

fn lesson_with(site: &DemoSite, base: &str, next: &str) -> String {
    let person = &site.source.database.players[0].person;
    let page = player_page(site, 1);
    let (name, position) = (person.name(), site.source.database.players[0].position.word());
    let listed = format!("{}, {}", person.last_name, person.first_name);
    format!(
        r#"{{"class": "PLAYER",
  "fields": {{"name": [{{"page": "{base}{page}", "value": "{name}"}}], "position": [{{"page": "{base}{page}", "value": "{position}"}}]}},
  "entry": "{base}",
  "links": [
    {{"name": "TOHUB", "from": "{base}", "value": "Players", "to": "HUB"}},
    {{"name": "BYINITIAL", "from": "HUB", "value": ["A", "B"], "to": "INITIAL"}},
    {{"name": "OVERVIEW", "from": "INITIAL", "value": "{listed}", "to": "PLAYER"}},
    {{"name": "TOFORM", "from": "HOME", "value": "Find a player", "to": "FINDER"}},
    {{"name": "BYPOSITION", "from": "FINDER", "form": {{"position": true, "name": ""}}, "to": "RESULTS"}},
    {{"name": "NEXT", "from": "RESULTS", "value": "{next}", "to": "RESULTS"}},
    {{"name": "HIT", "from": "RESULTS", "value": "{name}", "to": "PLAYER"}}
  ]}}"#
    )
}

/// The path of a player's page, without the slash that it begins with.
fn player_page(site: &DemoSite, id: u32) -> String {
    let end = format!("-{id}.html");
    let mut paths = site
        .paths()
        .filter(|path| path.starts_with("/players/") && path.ends_with(&end));
    paths.next().expect("the player has a page")[1..].to_owned()
}

/// The name and position of every player.
fn truth(site: &DemoSite) -> BTreeSet<String> {
    let players = site.source.database.players.iter();
    players
        .map(|player| format!("{}|{}", player.person.name(), player.position.word()))
        .collect()
}

fn rows(table: &str) -> BTreeSet<String> {
    let row = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        format!("{}|{}", text("name"), text("position"))
    };
    table.lines().map(row).collect()
}

/// Learns, then runs both paths together and each alone.
fn check_learnt(bench: &Bench, site: &DemoSite, sources: &[&str]) {
    let told = bench.run(
        &[
            &["learn", "--examples", "lesson.json", "-o", "learnt.xml", "-q"],
            sources,
        ]
        .concat(),
    );
    assert_eq!((told.code, told.out.as_str()), (0, ""), "{}", told.err);
    let specification = bench.read("learnt.xml");
    for follow in [&[][..], &["--follow", "TOHUB"], &["--follow", "TOFORM"]] {
        let told = bench.run(
            &[
                &["run", "learnt.xml", "-q", "--summary", "figures.json"],
                follow,
                sources,
            ]
            .concat(),
        );
        assert_eq!(told.code, 0, "{follow:?} {} {specification}", told.err);
        assert_eq!(
            rows(&bench.read("untemplate-out/PLAYER.jsonl")),
            truth(site),
            "{follow:?} {specification}"
        );
        let figures = bench.read("figures.json");
        assert!(
            figures.contains("\"rejected\": 0"),
            "{follow:?}: nothing is fetched in vain: {figures}"
        );
    }
}

#[test]
fn ways_are_learnt_and_run_over_a_mirror() {
    let bench = Bench::new();
    write_site(&bench);
    bench.write("lesson.json", lesson(&site(), "http://cup.example/"));
    check_learnt(&bench, &site(), &MIRROR);
    let again = bench.run(&[&["learn", "--examples", "lesson.json", "-q"], &MIRROR[..]].concat());
    assert_eq!(again.out, bench.read("learnt.xml"), "same input, same bytes out");
}

#[test]
fn ways_are_learnt_and_run_over_warc_files() {
    let bench = Bench::new();
    bench.write("cup.warc", warc(&site()));
    bench.write("lesson.json", lesson(&site(), "http://cup.example/"));
    check_learnt(&bench, &site(), &["--warc", "cup.warc"]);
}

#[test]
fn ways_are_learnt_and_run_on_a_live_site() {
    let options = DatabaseOptions { players: 90, seed: 1 };
    let server = Server::start(
        DemoSite::new(options, Skin::Modern),
        ServerOptions { port: 0, delay_ms: 0 },
    );
    let server = server.expect("the demo site starts");
    let bench = Bench::new();
    bench.write("lesson.json", lesson(&site(), &server.url()));
    check_learnt(&bench, &site(), &["--delay", "0", "--archive", "kept"]);
}

#[test]
fn a_layout_without_classes_is_learnt_as_well() {
    let options = DatabaseOptions {
        players: N_PLAYERS,
        seed: 1,
    };
    let site = DemoSite::new(options, Skin::Tables);
    let bench = Bench::new();
    untemplate_demo::write_mirror(&site, &bench.path().join("cup")).expect("the site can be written");
    bench.write("lesson.json", lesson_with(&site, "http://cup.example/", "Next page"));
    check_learnt(&bench, &site, &MIRROR);
}

#[test]
fn what_is_wrong_with_a_way_is_told_by_its_key() {
    let bench = Bench::new();
    write_site(&bench);
    let good = lesson(&site(), "http://cup.example/");
    let check = |from: &str, to: &str, message: &str| {
        assert!(good.contains(from), "{from}");
        bench.write("wrong.json", good.replacen(from, to, 1));
        check_error(
            &bench,
            &[&["learn", "--examples", "wrong.json", "-q"], &MIRROR[..]].concat(),
            2,
            &[message],
        );
    };
    check(
        r#""value": "Players""#,
        r#""value": "Runners""#,
        "links[0].value: http://cup.example/: there is no link that reads \"Runners\"",
    );
    check(
        r#""from": "HUB""#,
        r#""from": "HUBS""#,
        "links[1].from: no page of the class HUBS is known",
    );
    check(
        r#""position": true"#,
        r#""place": true"#,
        "links[4].form: no form of http://cup.example/find.html has these fields; it has forms with [\"name, position\"]",
    );
    check(r#""to": "HUB""#, r#""to": "THE HUB""#, "cannot be the name of a class");
    check(r#""entry""#, r#""entries""#, "entries: there is no such key");
}

#[test]
fn players_are_told_from_coaches_that_somebody_did_not_want() {
    let bench = Bench::new();
    write_site(&bench);
    let site = site();
    let pages: Vec<String> = (1..=9)
        .map(|id| format!("cup/site/{}", player_page(&site, id)))
        .collect();
    let coaches: Vec<String> = site
        .paths()
        .filter(|path| path.starts_with("/coaches/") && path.ends_with(".html"))
        .collect();
    let coaches: Vec<String> = coaches
        .iter()
        .map(|path| format!("cup/site{path}"))
        .filter(|path| !path.contains("page/"))
        .collect();
    let name = site.source.database.players[0].person.name();
    let lesson = |not: &str| {
        format!(
            r#"{{"fields": {{"name": [{{"page": "{}", "value": "{name}"}}]}}{not}}}"#,
            pages[0]
        )
    };
    let words: Vec<&str> = pages.iter().map(String::as_str).collect();
    let n_coaches_read = |lesson: String, more: &[&str]| {
        bench.write("lesson.json", lesson);
        let told = bench.run(
            &[
                &["learn", "--examples", "lesson.json", "-o", "learnt.xml", "-q"],
                more,
                &words[..],
            ]
            .concat(),
        );
        assert_eq!(told.code, 0, "{}", told.err);
        let extract = |pages: &[String]| {
            let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
            let told = bench.run(&[&["extract", "learnt.xml", "-q"], &pages[..]].concat());
            told.out.matches("\"matched\":true").count()
        };
        let players: Vec<String> = (10..=60)
            .map(|id| format!("cup/site/{}", player_page(&site, id)))
            .collect();
        assert_eq!(extract(&players), players.len(), "{}", bench.read("learnt.xml"));
        extract(&coaches)
    };
    assert!(coaches.len() > 3, "{coaches:?}");
    assert_eq!(
        n_coaches_read(lesson(&format!(r#", "not": ["{}"]"#, coaches[0])), &[]),
        0
    );
    // The same by an answer: a coach among the pages is asked about, and is not wanted.
    let answers = coaches.iter().take(1).map(|coach| format!(r#""{coach}": false"#));
    bench.write("answers.json", format!("{{{}}}", answers.collect::<String>()));
    let more = [
        "--answers",
        "answers.json",
        "--max-questions",
        "12",
        coaches[0].as_str(),
    ];
    assert_eq!(n_coaches_read(lesson(""), &more), 0);
}

/// Learns fields from the values of one page, answers from the truth of all, and verifies on the
/// same pages.
fn check_steady(bench: &Bench, lesson: &str, answers: &str, pages: &[&str]) {
    bench.write("lesson.json", lesson).write("answers.json", answers);
    let learn = [
        "learn",
        "--examples",
        "lesson.json",
        "--answers",
        "answers.json",
        "-o",
        "learnt.xml",
        "-q",
    ];
    let told = bench.run(&[&learn[..], pages].concat());
    assert!(matches!(told.code, 0 | 3), "{}", told.err);
    let told = bench.run(&[&["verify", "learnt.xml", "-q"], pages].concat());
    assert_eq!(told.code, 0, "{}{}", told.out, told.err);
}

#[test]
fn what_is_learnt_does_not_drift_on_its_own_sample() {
    let bench = Bench::new();
    write_site(&bench);
    let site = site();
    let pages: Vec<String> = (1..=12)
        .map(|id| format!("cup/site/{}", player_page(&site, id)))
        .collect();
    let person = &site.source.database.players[0].person;
    let (name, birthplace) = (person.name(), &person.birthplace);
    let lesson = format!(
        r#"{{"fields": {{"name": [{{"page": "{0}", "value": "{name}"}}], "birthplace": [{{"page": "{0}", "value": "{birthplace}"}}]}}}}"#,
        pages[0]
    );
    let words: Vec<&str> = pages.iter().map(String::as_str).collect();
    check_steady(&bench, &lesson, "{}", &words);
}

/// The true values of a site by field and by page, as the corpus has them.
type CorpusTruth = BTreeMap<String, BTreeMap<String, Vec<String>>>;

fn corpus_truth(folder: &Path, vertical: &str, site: &str) -> CorpusTruth {
    let mut truth = CorpusTruth::new();
    for entry in std::fs::read_dir(folder.join("groundtruth").join(vertical)).expect("the corpus has its truth") {
        let file = entry.expect("a folder can be listed").path();
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Some(field) = stem.strip_prefix(&format!("{site}-")) else {
            continue;
        };
        let text = std::fs::read_to_string(&file).expect("the truth can be read");
        for line in text.lines().skip(2) {
            let mut cells = line.split('\t');
            let page = cells.next().unwrap_or_default().to_owned();
            let value = |cell: &str| {
                cell.replace("&amp;", "&")
                    .replace("&nbsp;", " ")
                    .replace("&quot;", "\"")
                    .replace("&#39;", "'")
            };
            let values = cells.skip(1).filter(|cell| *cell != "<NULL>").map(value);
            let values = values
                .map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            truth.entry(field.to_owned()).or_default().insert(page, values);
        }
    }
    truth
}

#[test]
fn what_is_learnt_of_real_sites_does_not_drift_on_its_own_sample() {
    let Some(corpora) = std::env::var_os("UNTEMPLATE_CORPORA") else {
        return;
    };
    let folder = Path::new(&corpora).join("swde-dev");
    for (vertical, site) in [
        ("nbaplayer", "nbaplayer-slam"),
        ("university", "university-embark"),
        ("auto", "auto-msn"),
    ] {
        let bench = Bench::new();
        let mut folders = std::fs::read_dir(folder.join(vertical))
            .expect("the corpus has the vertical")
            .flatten();
        let of_site = |name: &str| name.starts_with(&format!("{site}("));
        let pages_in = folders
            .find(|entry| of_site(&entry.file_name().to_string_lossy()))
            .expect("the corpus has the site");
        let truth = corpus_truth(&folder, vertical, site);
        let numbers: Vec<&String> = truth
            .values()
            .next()
            .expect("there is a field")
            .keys()
            .take(10)
            .collect();
        let page = |number: &String| pages_in.path().join(format!("{number}.htm")).display().to_string();
        let (mut fields, mut answers) = (serde_json::Map::new(), serde_json::Map::new());
        for (field, values) in &truth {
            let Some(first) = numbers.iter().find(|number| !values[**number].is_empty()) else {
                continue;
            };
            let shown = values[*first]
                .iter()
                .map(|value| serde_json::json!({"page": page(first), "value": value}));
            fields.insert(field.clone(), shown.collect());
            for number in &numbers {
                let answer = answers.entry(page(number)).or_insert_with(|| serde_json::json!({}));
                answer[field.as_str()] = serde_json::json!(values[*number]);
            }
        }
        let lesson = serde_json::json!({"fields": fields}).to_string();
        let pages: Vec<String> = numbers.iter().map(|number| page(number)).collect();
        let words: Vec<&str> = pages.iter().map(String::as_str).collect();
        check_steady(&bench, &lesson, &serde_json::Value::Object(answers).to_string(), &words);
    }
}
