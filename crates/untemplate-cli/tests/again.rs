//! The second run, and a run beside another one: names that stay, and an archive in use that can be
//! read.

mod program;

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use program::Bench;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

/// A shop whose list of lamps is called in some way.
fn write_shop(bench: &Bench, called: &str) {
    let mut links = String::new();
    for number in 1..=8 {
        links.push_str(&format!("<li><a href={number}.html>Lamp no. {number}</a>"));
        let html = format!(
            "<title>Lamp no. {number}</title><p><a href=index.html>Home</a><h1>Lamp no. {number}</h1><dl><dt>Weight<dd class=weight>{} g</dl>",
            number * 110
        );
        bench.write(&format!("shop/{number}.html"), html);
    }
    let html = format!("<title>{called}</title><h1>{called}</h1><h2>{called}</h2><ul>{links}</ul>");
    bench.write("shop/index.html", html);
}

fn rebuild(bench: &Bench, more: &[&str]) -> Vec<String> {
    let words = ["rebuild", "shop", "-q", "--format", "csv"];
    let told = bench.run(&[&words[..], more].concat());
    assert_eq!(told.code, 0, "{}", told.err);
    let folder = more.last().expect("a folder");
    let files = std::fs::read_dir(bench.path().join(folder)).expect("a folder");
    let names = files.map(|file| file.expect("a file").file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".csv")).collect();
    names.sort();
    names
}

#[test]
fn tables_keep_the_names_of_the_last_run() {
    let bench = Bench::new();
    write_shop(&bench, "Reading lights");
    let first = rebuild(&bench, &["-o", "tables"]);
    write_shop(&bench, "Illumination");
    let anew = rebuild(&bench, &["-o", "others"]);
    assert_ne!(first, anew, "the site calls its tables otherwise now");
    assert_eq!(rebuild(&bench, &["-o", "tables"]), first);
    // What a person says is called as they say.
    let schema = bench.read("tables/schema.toml").replace("name = \"", "name = \"my_");
    bench.write("mine.toml", schema);
    let named = rebuild(&bench, &["--schema", "mine.toml", "-o", "tables"]);
    assert!(named.iter().any(|name| name.starts_with("my_")), "{named:?}");
}

/// A crawl that goes on for as long as it is held.
struct Crawl(Child);

impl Drop for Crawl {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn an_archive_in_use_can_be_read() {
    let bench = Bench::new();
    let options = DatabaseOptions {
        players: 15,
        ..DatabaseOptions::default()
    };
    let site = DemoSite::new(options, Skin::Modern);
    let server = Server::start(site, ServerOptions::default()).expect("the site starts");
    let url = server.url().to_string();
    let crawl = Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args([
            "archive",
            &url,
            "--archive",
            "kept",
            "--delay",
            "3",
            "-q",
            "-o",
            "list.jsonl",
        ])
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let (began, own) = (Instant::now(), crawl.id().to_string());
    let _crawl = Crawl(crawl);
    let lock = bench.path().join("kept/archive.lock");
    let is_held = || std::fs::read_to_string(&lock).is_ok_and(|text| text.trim() == own);
    while !is_held() && began.elapsed() < Duration::from_secs(40) {
        sleep(Duration::from_millis(50));
    }
    let told = loop {
        let told = bench.run(&["show", "links", &url, "--archive", "kept", "--delay", "0", "-q"]);
        // The first pages of the crawl are robots.txt, a sitemap, and then the entry.
        if told.code == 0 || began.elapsed() > Duration::from_secs(40) {
            break told;
        }
        assert!(
            told.err.contains("not in the archive yet") || told.err.contains("is no archive"),
            "{}",
            told.err
        );
        sleep(Duration::from_millis(300));
    };
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.contains("/players/"), "{}", told.out);
    let other = format!("{url}news/");
    let told = bench.run(&["show", "links", &other, "--archive", "kept", "-q"]);
    assert_eq!(told.code, 1, "{}", told.out);
    assert!(
        told.err.contains("not in the archive yet") && told.err.contains("is in use by process"),
        "{}",
        told.err
    );
}
