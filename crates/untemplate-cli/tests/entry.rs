//! Where a run starts and which pages it asks for, from outside: addresses without a scheme,
//! folders, pages and WARC files; bounds, depth, starts; cookies; `untemplate.toml`.

mod program;

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use program::{Bench, Told, check_error, contents};
use serde_json::Value;
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, Skin};

fn write_site(bench: &Bench) {
    let told = bench.run(&["demo", "--players", "30", "--write", "cup", "-q", "-o", "demo.txt"]);
    assert_eq!(told.code, 0, "{}", told.err);
}

fn summary(bench: &Bench) -> Value {
    serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON")
}

/// Rebuilds what these words name; the rows of each table, and what was said.
fn rebuild(bench: &Bench, words: &[&str]) -> (Value, Told) {
    let all = ["rebuild", "--summary", "figures.json"];
    let told = bench.run(&[&all[..], words].concat());
    assert!(matches!(told.code, 0 | 3), "{words:?}: {}", told.err);
    (summary(bench)["rows"].clone(), told)
}

#[test]
fn a_folder_and_a_page_are_sites() {
    let bench = Bench::new();
    write_site(&bench);
    let (expected, _) = rebuild(
        &bench,
        &["http://cup.example/", "--mirror", "http://cup.example/=cup/site"],
    );
    assert!(expected.as_object().is_some_and(|rows| rows.len() > 3), "{expected}");

    let (of_folder, told) = rebuild(&bench, &["./cup/site", "-o", "of-folder"]);
    assert!(told.err.contains("./cup/site is read as http://"), "{}", told.err);
    assert_eq!(of_folder, expected);

    let (of_page, _) = rebuild(&bench, &["cup/site/index.html", "-o", "of-page"]);
    assert_eq!(of_page, expected);
}

#[test]
fn a_warc_file_is_a_site_and_a_host_needs_no_scheme() {
    let bench = Bench::new();
    let options = DatabaseOptions {
        players: 15,
        ..DatabaseOptions::default()
    };
    let site = DemoSite::new(options, Skin::Modern);
    let server = Server::start(site, ServerOptions::default()).expect("the demo site starts");
    let host = server.url().replace("http://", "").trim_end_matches('/').to_owned();
    let (of_host, told) = rebuild(&bench, &[&host, "--delay", "0", "--archive", "kept", "--no-robots"]);
    assert!(
        told.err.contains("is asked by http, since it does not answer by https"),
        "{}",
        told.err
    );
    drop(server);

    let entry = format!("http://{host}/");
    let words = [
        "archive",
        &entry,
        "--archive",
        "kept",
        "--export",
        "cup.warc.gz",
        "-q",
        "--delay",
        "0",
        "--max-pages",
        "0",
    ];
    assert_eq!(bench.run(&words).code, 3);
    let (of_warc, told) = rebuild(&bench, &["cup.warc.gz"]);
    assert!(
        told.err.contains(&format!("cup.warc.gz is read as {entry}")),
        "{}",
        told.err
    );
    assert_eq!(of_warc, of_host);

    // The server is gone; what was kept tells the scheme.
    let (again, told) = rebuild(
        &bench,
        &[
            &host,
            "--delay",
            "0",
            "--archive",
            "kept",
            "--no-robots",
            "--max-pages",
            "0",
        ],
    );
    assert!(!told.err.contains("neither"), "{}", told.err);
    assert_eq!(again, of_host);
    let words = ["rebuild", &host, "-o", "out2"];
    check_error(&bench, &words, 1, &["answers neither by https nor by http", "refused"]);
    assert!(!bench.path().join("out2").exists(), "a failed run leaves no folder");
}

#[test]
fn what_is_no_start_is_said() {
    let bench = Bench::new();
    check_error(
        &bench,
        &["rebuild", "missing.html"],
        2,
        &["missing.html is no address, and no file"],
    );
    check_error(&bench, &["rebuild", "ftp://a.example/"], 2, &["cannot be had by ftp"]);
    check_error(&bench, &["rebuild"], 2, &["<ENTRY>"]);
    bench.write("empty/notes.txt", "nothing");
    check_error(
        &bench,
        &["rebuild", "empty"],
        1,
        &["cannot use empty as a site", "no pages"],
    );
    check_error(&bench, &["archive", "empty"], 2, &["archive keeps pages of the web"]);
    check_error(
        &bench,
        &["rebuild", "empty", "--start", "empty/notes.txt"],
        1,
        &["no pages"],
    );
    check_error(
        &bench,
        &["rebuild", "--start", "empty/notes.txt"],
        2,
        &["line 1: nothing is no address"],
    );
    std::fs::write(bench.path().join("latin.txt"), b"caf\xe9").expect("a file can be written");
    bench.write("page.html", "<title>Page</title><p>Text");
    check_error(
        &bench,
        &["rebuild", "page.html", "--start", "latin.txt"],
        1,
        &["cannot read the starts in latin.txt: it is no text in UTF-8"],
    );
    check_error(
        &bench,
        &["rebuild", "page.html", "--below", "http://other.example/docs/"],
        2,
        &[
            "--below http://other.example/docs/ is no folder of the site of",
            "such as /docs/",
        ],
    );
}

/// A site of folders: `/` links to `/a/` and `/b/`, which link to two pages each, which link on in
/// a row.
fn write_chains(bench: &Bench) {
    bench.write(
        "site/index.html",
        "<title>Start</title><p>Start <a href=a/>A</a> <a href=b/>B</a>",
    );
    for folder in ["a", "b"] {
        let links = "<a href=p1.html>one</a> <a href=p2.html>two</a>";
        bench.write(
            &format!("site/{folder}/index.html"),
            format!("<title>{folder}</title><p>{folder} {links}"),
        );
        for number in 1..=4 {
            let html = format!(
                "<title>{folder}{number}</title><h1>Page {folder}{number}</h1><p><a href=p{}.html>next</a>",
                number + 2
            );
            bench.write(&format!("site/{folder}/p{number}.html"), html);
        }
    }
}

/// The addresses that a run of `model` over the site asked for.
fn visited(bench: &Bench, words: &[&str]) -> Vec<String> {
    let mirror = ["--mirror", "http://s.example/=site", "-q"];
    let told = bench.run(&[&["model"], words, &mirror[..]].concat());
    assert_eq!(told.code, 0, "{words:?}: {}", told.err);
    let model: Value = serde_json::from_str(&told.out).expect("a model is JSON");
    let classes = model["classes"].as_array().expect("classes").iter();
    let pages = classes.flat_map(|class| class["pages"].as_array().expect("pages").clone());
    let name = |page: Value| page.as_str().expect("an address").replace("http://s.example/", "/");
    let mut all: Vec<String> = pages.map(name).collect();
    all.sort();
    all
}

#[test]
fn bounds_depth_and_starts_say_which_pages_are_asked_for() {
    let bench = Bench::new();
    write_chains(&bench);
    let home = "http://s.example/";
    let check = |words: &[&str], expected: &[&str]| assert_eq!(visited(&bench, words), expected, "{words:?}");
    check(&[home, "--depth", "0"], &["/index.html"]);
    check(
        &[home, "--depth", "1"],
        &["/a/index.html", "/b/index.html", "/index.html"],
    );
    check(
        &[home, "--depth", "2", "--exclude", "/b/"],
        &["/a/index.html", "/a/p1.html", "/a/p2.html", "/index.html"],
    );
    check(
        &["http://s.example/a/", "--below", "."],
        &["/a/index.html", "/a/p1.html", "/a/p2.html", "/a/p3.html", "/a/p4.html"],
    );
    check(
        &[home, "--below", "/b", "--include", "/b/$|p1"],
        &["/b/index.html", "/b/p1.html", "/index.html"],
    );
    bench.write(
        "starts.txt",
        "# two\nhttp://s.example/a/p4.html\nhttp://s.example/b/p3.html\n",
    );
    check(
        &["--start", "starts.txt", "--depth", "0"],
        &["/a/p4.html", "/b/p3.html"],
    );
    check_error(&bench, &["model", home, "--exclude", "("], 2, &["--exclude"]);
}

#[test]
fn rebuild_and_archive_keep_within_bounds() {
    let bench = Bench::new();
    write_site(&bench);
    let mirror = ["http://cup.example/", "--mirror", "http://cup.example/=cup/site"];
    let (all, _) = rebuild(&bench, &mirror);
    let (few, _) = rebuild(&bench, &[&mirror[..], &["--exclude", "/players/"]].concat());
    let has = |rows: &Value, word: &str| {
        rows.as_object()
            .expect("tables")
            .keys()
            .any(|table| table.contains(word))
    };
    assert!(has(&all, "player") && all != few, "{all} {few}");

    let options = DatabaseOptions {
        players: 15,
        ..DatabaseOptions::default()
    };
    let server =
        Server::start(DemoSite::new(options, Skin::Modern), ServerOptions::default()).expect("the site starts");
    let crawl = |folder: &str, more: &[&str]| {
        let url = server.url();
        let words = [
            "archive",
            url.as_str(),
            "--delay",
            "0",
            "-q",
            "-o",
            "list.jsonl",
            "--archive",
            folder,
        ];
        let told = bench.run(&[&words[..], more].concat());
        assert!(matches!(told.code, 0 | 3), "{}", told.err);
        contents(&bench.path().join(folder)).len()
    };
    let first = crawl("kept", &["--depth", "1"]);
    assert!(first > 2 && first < 30, "{first}");
    // The crawl goes on with another depth.
    assert!(crawl("kept", &["--depth", "2"]) > first);
    bench.write("starts.txt", format!("{}players/\n", server.url()));
    let started = crawl("other", &["--depth", "0", "--start", "starts.txt"]);
    assert!(started >= 2, "{started}");
}

/// A server that answers every page, and keeps what it was asked.
fn start_server() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/", listener.local_addr().expect("it has an address"));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let mut head = [0; 4096];
            let n_bytes = stream.read(&mut head).unwrap_or(0);
            let head = String::from_utf8_lossy(&head[..n_bytes]).into_owned();
            all.lock().expect("nobody panics").push(head);
            let body = "<title>Mine</title><p>Hello <a href=/a>a</a>";
            let answer = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            );
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (url, asked)
}

#[test]
fn cookies_of_a_file_are_sent() {
    let bench = Bench::new();
    let (url, asked) = start_server();
    bench.write(
        "cookies.txt",
        "# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts3cret\n",
    );
    let words = ["show", "links", &url, "--cookies", "cookies.txt", "--delay", "0"];
    let told = bench.run(&words);
    assert_eq!(told.code, 0, "{}", told.err);
    let asked = asked.lock().expect("nobody panics");
    let of_page = asked
        .iter()
        .find(|head| head.starts_with("GET / "))
        .expect("it was asked for");
    assert!(of_page.to_lowercase().contains("cookie: session=s3cret"), "{of_page}");
    bench.write("old.txt", "127.0.0.1\tFALSE\t/\tFALSE\t1000\tsession\told\n");
    check_error(
        &bench,
        &["show", "links", &url, "--cookies", "old.txt"],
        2,
        &["have ended"],
    );
    bench.write("wrong.txt", "session=1\n");
    check_error(
        &bench,
        &["show", "links", &url, "--cookies", "wrong.txt"],
        2,
        &["line 1"],
    );
}

#[test]
fn a_file_says_what_one_would_type_every_time() {
    let bench = Bench::new();
    write_chains(&bench);
    bench.write(
        "untemplate.toml",
        "exclude = [\"/b/\"]\n\n[model]\ndepth = 1\nmirror = [\"http://s.example/=site\"]\n",
    );
    let pages = |words: &[&str]| {
        let told = bench.run(&[&["model", "http://s.example/", "-q"], words].concat());
        assert_eq!(told.code, 0, "{}", told.err);
        told.out.matches("index.html").count() + told.out.matches("p1.html").count()
    };
    let few = pages(&[]);
    assert!(pages(&["--depth", "2"]) > few);
    assert!(pages(&["--exclude", "nothing"]) > few);
    bench.write("untemplate.toml", "excluse = 1\n");
    check_error(
        &bench,
        &["model", "http://s.example/"],
        2,
        &["untemplate.toml", "excluse is no option"],
    );
    bench.write("untemplate.toml", "exclude = [\n");
    check_error(
        &bench,
        &["model", "http://s.example/"],
        2,
        &["untemplate.toml", "line 1"],
    );
}

#[test]
fn where_a_start_leads_is_within_bounds() {
    let bench = Bench::new();
    write_site(&bench);
    let (rows, _) = rebuild(
        &bench,
        &[
            "http://cup.example/",
            "--mirror",
            "http://cup.example/=cup/site",
            "--include",
            "/stadiums/",
        ],
    );
    let tables = rows.as_object().expect("tables");
    assert!(tables.keys().any(|table| table.contains("stadium")), "{rows}");
    assert!(!tables.keys().any(|table| table.contains("player")), "{rows}");
}
