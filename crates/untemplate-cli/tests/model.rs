//! `model`, `classify` and `show model` from outside, on the demo site.

mod program;

use program::{Bench, check_error};
use serde_json::Value;

const MIRROR: [&str; 2] = ["--mirror", "http://cup.example/=cup/site"];

/// The demo site on disk, and its model.
fn modelled(more: &[&str]) -> Bench {
    let bench = Bench::new();
    assert_eq!(bench.run(&["demo", "--players", "60", "--write", "cup", "-q"]).code, 0);
    let mut words = vec![
        "model",
        "http://cup.example/",
        MIRROR[0],
        MIRROR[1],
        "-o",
        "m.json",
        "--summary",
        "s.json",
    ];
    words.extend(more);
    let told = bench.run(&words);
    assert_eq!((told.code, told.out.as_str()), (0, ""), "{}", told.err);
    bench
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

#[test]
fn a_model_has_what_the_contract_says() {
    let bench = modelled(&["--html", "m.html"]);
    let (model, summary) = (json(&bench.read("m.json")), json(&bench.read("s.json")));
    assert_eq!(model["version"], 1);
    assert_eq!(model["entry"], "http://cup.example/");
    let classes = model["classes"].as_array().expect("classes are a list");
    assert_eq!(summary["classes"], classes.len());
    assert_eq!(summary["verb"], "model");
    for (number, class) in classes.iter().enumerate() {
        assert_eq!(class["id"], number);
        assert!(class["name"].is_string() && class["url_pattern"].is_string() && class["kind"].is_string());
        assert!(!class["pages"].as_array().expect("pages are a list").is_empty());
        for path in class["schema"].as_array().expect("a schema is a list") {
            assert!(
                path["path"].is_string()
                    && path["support"]
                        .as_f64()
                        .is_some_and(|share| share > 0.0 && share <= 1.0)
            );
        }
    }
    let links = model["links"].as_array().expect("links are a list");
    let is_class = |value: &Value| value.as_u64().is_some_and(|class| (class as usize) < classes.len());
    assert!(
        links
            .iter()
            .all(|link| is_class(&link["from"]) && is_class(&link["to"]) && link["path"].is_string())
    );
    assert!(links.iter().any(|link| link["count"].as_u64() > Some(1)));
    let visited: u64 = classes
        .iter()
        .filter_map(|class| Some(class["pages"].as_array()?.len() as u64))
        .sum();
    assert!(summary["downloads"].as_u64() >= Some(visited));
    let html = bench.read("m.html");
    assert_eq!(html.matches("<section").count(), classes.len());
    assert!(
        html.contains("default-src 'none'") && !html.contains(" src=") && !html.contains("http-equiv=\"refresh"),
        "the picture needs nothing else"
    );
}

#[test]
fn pages_are_classified_by_the_model() {
    let bench = modelled(&[]);
    let sites = std::fs::read_dir(bench.path().join("cup/site/teams")).expect("there are teams");
    let names = sites.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let teams: Vec<String> = names
        .filter(|name| name.contains('-'))
        .map(|name| format!("http://cup.example/teams/{name}\n"))
        .collect();
    assert!(teams.len() > 1);
    let told = bench.run_with_input(&["classify", "m.json", "-", MIRROR[0], MIRROR[1]], &teams.concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let rows: Vec<Value> = told.out.lines().map(json).collect();
    assert_eq!(rows.len(), teams.len());
    assert!(
        rows.iter()
            .all(|row| row["page_class"] == rows[0]["page_class"] && row["cost"].is_f64())
    );
    assert_eq!(rows[0]["class_name"], "teams");
    assert_eq!(rows[0]["page"], teams[0].trim());
    let told = bench.run_with_input(&["classify", "m.json", "-", "--predict"], &teams.concat());
    for (row, classified) in told.out.lines().map(json).zip(&rows) {
        assert_eq!(row["page_class"], classified["page_class"]);
        assert!(row["confidence"].as_f64() >= Some(0.5));
    }
}

#[test]
fn the_papers_way_has_its_own_classification() {
    for more in [
        &["--faithful"][..],
        &["--faithful", "--strategy", "sparsest", "--schema", "union"],
    ] {
        let bench = modelled(more);
        let told = bench.run(&["classify", "m.json", "http://cup.example/", MIRROR[0], MIRROR[1]]);
        // Under the optimal schema a page that differs much from its class is of none.
        let row = json(&told.out);
        assert_eq!(
            told.code,
            if row["page_class"].is_null() { 5 } else { 0 },
            "{}",
            told.err
        );
        assert!(row["cost"].as_f64() > Some(1.0), "{row}");
        assert_eq!(bench.run(&["show", "model", "m.json"]).code, 0);
    }
}

#[test]
fn a_limit_that_leaves_addresses_is_told() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["demo", "--players", "60", "--write", "cup", "-q"]).code, 0);
    for more in [&[][..], &["--faithful"]] {
        let words = [
            "model",
            "http://cup.example/",
            MIRROR[0],
            MIRROR[1],
            "--max-pages",
            "6",
            "-o",
            "m.json",
        ];
        let told = bench.run(&[&words[..], more, &["--summary", "s.json"]].concat());
        assert_eq!(told.code, 3, "{}", told.err);
        assert_eq!(
            json(&bench.read("s.json"))["partial_because"],
            serde_json::json!(["--max-pages 6 reached"])
        );
    }
}

#[test]
fn an_update_keeps_class_numbers() {
    let bench = modelled(&[]);
    let words = [
        "model",
        "http://cup.example/",
        MIRROR[0],
        MIRROR[1],
        "--update",
        "m.json",
        "-o",
        "new.json",
        "-q",
    ];
    assert_eq!(bench.run(&words).code, 0);
    let (old, new) = (json(&bench.read("m.json")), json(&bench.read("new.json")));
    for (old, new) in old["classes"]
        .as_array()
        .into_iter()
        .flatten()
        .zip(new["classes"].as_array().into_iter().flatten())
    {
        assert_eq!(old["name"], new["name"]);
    }
}

#[test]
fn the_same_bytes_every_time() {
    assert_eq!(modelled(&[]).read("m.json"), modelled(&[]).read("m.json"));
}

#[test]
fn errors_say_what_to_try() {
    let bench = Bench::new();
    bench.write("site/index.html", "<p>x").write("no.json", "{}");
    let mirror = "http://a.example/=site";
    check_error(&bench, &["model", "nowhere"], 2, &["nowhere", "http://"]);
    check_error(
        &bench,
        &["model", "http://a.example/gone", "--mirror", mirror],
        1,
        &["gone", "check"],
    );
    check_error(
        &bench,
        &[
            "model",
            "http://a.example/",
            "--mirror",
            mirror,
            "--strategy",
            "densest",
        ],
        2,
        &["--faithful"],
    );
    check_error(
        &bench,
        &["model", "http://a.example/", "--mirror", mirror, "--update", "no.json"],
        1,
        &["no.json", "site model"],
    );
    check_error(
        &bench,
        &["classify", "no.json", "site/index.html"],
        1,
        &["no.json", "untemplate model"],
    );
    check_error(
        &bench,
        &["classify", "missing.json", "site/index.html"],
        1,
        &["missing.json", "untemplate model"],
    );
    check_error(&bench, &["show", "model", "no.json"], 1, &["no.json"]);
}
