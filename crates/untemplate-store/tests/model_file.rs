//! The model file: what is written is read again, and nothing that is no model is taken for one.

use std::fs;
use std::time::{Duration, Instant};

use untemplate::page::AttributeFilter;
use untemplate::page::{Page, ParseOptions, Request, Response, Site, Visit};
use untemplate::site::model::{Classifier, ModelOptions, SiteModel, explore_model, keep_numbers, sight};
use untemplate_papers::compute_model::SchemaClassifier;
use untemplate_report::model_page;
use untemplate_store::{ModelFileError, parse_model, read_model, write_model};
use url::Url;

/// A site of a list and its items.
struct Shop;

impl Site for Shop {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        let answer = |request: &Request| {
            let items: String = (0..9)
                .map(|number| format!("<li><a href=/item/{number}>Item</a>"))
                .collect();
            let html = match request.url.path() {
                "/" => format!("<ul>{items}</ul>"),
                path if path.starts_with("/item/") => "<h1>Item</h1><p class=price>1</p>".to_owned(),
                _ => {
                    return Visit::Dead {
                        reason: "gone".to_owned(),
                    };
                }
            };
            Visit::Page(Page::read(&Response::html(request.url.clone(), html), &ParseOptions::default()).into())
        };
        requests.iter().map(answer).collect()
    }

    fn note(&mut self, _: untemplate::page::Event) {}
}

fn model() -> SiteModel {
    let entry: Url = "http://shop.example/".parse().expect("a good address");
    explore_model(&mut Shop, &entry, &[], &ModelOptions::default()).model
}

#[test]
fn what_is_written_is_read_again() {
    let model = model();
    assert_eq!(model.classes.len(), 2);
    let text = write_model(&model);
    assert_eq!(write_model(&parse_model(&text).expect("it is a model")), text);
    let read = parse_model(&text).expect("it is a model");
    assert_eq!(read.signs, model.signs);
    assert_eq!(read.shapes, model.shapes);
    assert_eq!(read.scripts, model.scripts);
    assert_eq!(read.tuning, model.tuning);
}

#[test]
fn other_files_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let file = folder.path().join("model.json");
    let check = |content: &str, expected: &str| {
        fs::write(&file, content).expect("a file can be written");
        let error = read_model(&file).expect_err("it is no model").to_string();
        assert!(error.contains("model.json") && error.contains(expected), "{error}");
    };
    check("{}", "is no site model");
    check("not JSON", "is no site model");
    check("{\"version\": 7}", "version 7");
    let good = write_model(&model());
    check(&good.replace("\"kind\":\"list\"", "\"kind\":\"zoo\""), "zoo");
    check(&good.replace("\"from\":1", "\"from\":99"), "not there");
    let scripts = |nodes: &str| {
        let mut value: serde_json::Value = serde_json::from_str(&good).expect("a model is JSON");
        value["address_scripts"] = serde_json::from_str(nodes).expect("nodes are JSON");
        value.to_string()
    };
    check(&scripts("[[\"depth\", 0, \"1\", 0, 0]]"), "no tree");
    check(&scripts("[[\"width\", 0, \"1\", 1, 2], 0, 1]"), "width");
    check(&scripts("[7]"), "no leaf 7");
    assert!(matches!(
        read_model(&folder.path().join("gone.json")),
        Err(ModelFileError::Unreadable { .. })
    ));
}

/// A path that was broken by hand still classifies: what follows the first attribute is no
/// attribute.
#[test]
fn a_broken_path_is_no_panic() {
    let good = write_model(&model());
    for junk in ["[class=x]y", "[class=x]é", "[", "]"] {
        let edited = good.replace("/ul/li/a\"", &format!("/ul/li/a{junk}\""));
        assert_ne!(edited, good, "the model has such a path");
        SchemaClassifier::new(&parse_model(&edited).expect("it is a model"));
    }
}

/// Arbitrary changes to a model's text never panic: they give a model or a reason.
#[test]
fn fuzz_model_file() {
    let seconds = std::env::var("UNTEMPLATE_FUZZ_SECONDS")
        .ok()
        .and_then(|value| value.parse().ok());
    let budget = Duration::from_secs(seconds.unwrap_or(1));
    let first = model();
    let good = write_model(&first).into_bytes();
    let url: Url = "http://shop.example/item/1".parse().expect("a good address");
    let html = "<h1>Item</h1><p class=price>1</p><a href=/>all</a>";
    let page = Page::read(&Response::html(url, html), &ParseOptions::default());
    let filter = AttributeFilter { mode: first.attributes };
    let seen = sight(&page, &filter);
    let started = Instant::now();
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut roll = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    while started.elapsed() < budget {
        let mut bytes = good.clone();
        for _ in 0..=roll() % 4 {
            let at = roll() as usize % bytes.len().max(1);
            if bytes.is_empty() {
                break;
            }
            match roll() % 3 {
                0 => bytes[at] = roll() as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(1)),
            }
        }
        if let Ok(model) = parse_model(&String::from_utf8_lossy(&bytes)) {
            let _ = Classifier::new(&model).classify(&seen.fingerprint, &page.url);
            let _ = SchemaClassifier::new(&model).classify(&page);
            let _ = model_page(&model);
            let _ = keep_numbers(first.clone(), &model);
            let _ = keep_numbers(model, &first);
        }
    }
}
