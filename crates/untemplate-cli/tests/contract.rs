//! The output contract, checked from outside: results, messages, summaries, exit codes, page sources.

mod program;

use expect_test::{Expect, expect};
use program::Bench;
use serde_json::Value;

const PAGE: &str = "<title>Cup</title><ul><li><a href=ada.html>Ada</a><li><a href=bo.html>Bo</a></ul>";

/// Runs and compares standard output whole; the code must be right too.
fn check_out(bench: &Bench, words: &[&str], code: i32, expected: Expect) {
    let told = bench.run(words);
    assert_eq!(told.code, code, "{words:?}: {}", told.err);
    expected.assert_eq(&told.out);
}

/// Runs what must fail: nothing on standard output, and a message that has these words and no backtrace.
fn check_error(bench: &Bench, words: &[&str], code: i32, message: &[&str]) {
    let told = bench.run(words);
    assert_eq!((told.code, told.out.as_str()), (code, ""), "{words:?}: {}", told.err);
    for part in message {
        assert!(
            told.err.contains(part),
            "{words:?}: {:?} does not say {part:?}",
            told.err
        );
    }
    assert!(
        !told.err.contains("backtrace") && !told.err.contains("panicked"),
        "{}",
        told.err
    );
}

#[test]
fn a_file_is_a_page_with_its_own_address() {
    let bench = Bench::new();
    bench.write("page.html", PAGE);
    check_out(
        &bench,
        &["show", "links", "page.html", "--base", "http://cup.example/x/"],
        0,
        expect![[r#"
            2 html/body/ul/li/a
              http://cup.example/x/ada.html "Ada"
              http://cup.example/x/bo.html "Bo"
        "#]],
    );
    bench.write("based.html", format!("<base href=http://other.example/y/>{PAGE}"));
    let told = bench.run(&["show", "page", "based.html", "--base", "http://cup.example/"]);
    assert!(
        told.out.starts_with("page http://other.example/y/\n"),
        "a base element wins over --base: {}",
        told.out
    );
    let told = bench.run(&["show", "page", "page.html"]);
    assert!(
        told.out.starts_with("page file:///"),
        "else it is the file's own: {}",
        told.out
    );
}

#[test]
fn the_summary_has_the_figures_of_the_contract() {
    let bench = Bench::new();
    bench.write("site/index.html", PAGE);
    let mirror = ["--mirror", "http://cup.example/=site"];
    let words = [
        "show",
        "schema",
        "http://cup.example/",
        mirror[0],
        mirror[1],
        "--summary",
        "figures.json",
    ];
    check_out(
        &bench,
        &words,
        0,
        expect![[r#"
        html/body/ul/li/a
    "#]],
    );
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    let figures = [
        "downloads",
        "reused",
        "bytes",
        "pages",
        "problems",
        "failures",
        "exit_code",
    ];
    let figures: Vec<u64> = figures
        .iter()
        .map(|name| summary[name].as_u64().expect("a figure is a number"))
        .collect();
    assert_eq!(figures, [1, 0, PAGE.len() as u64, 1, 0, 0, 0]);
    assert_eq!(summary["verb"], "show");
    assert!(summary["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0));
}

#[test]
fn results_go_to_a_file_whole() {
    let bench = Bench::new();
    bench.write("page.html", PAGE).write("out.txt", "old");
    check_out(
        &bench,
        &["show", "schema", "page.html", "-o", "out.txt"],
        0,
        expect![""],
    );
    assert_eq!(bench.read("out.txt"), "html/body/ul/li/a\n");
    check_error(
        &bench,
        &["show", "schema", "missing.html", "-o", "out.txt"],
        1,
        &["missing.html"],
    );
    assert_eq!(
        bench.read("out.txt"),
        "html/body/ul/li/a\n",
        "a run that fails leaves it alone"
    );
    check_error(
        &bench,
        &["show", "schema", "page.html", "-o", "no/folder/out.txt"],
        1,
        &["no/folder/out.txt", "folder"],
    );
    let left: Vec<_> = std::fs::read_dir(bench.path())
        .expect("a folder can be listed")
        .collect();
    assert_eq!(left.len(), 2, "no half-written file stays behind");
}

#[test]
fn a_list_of_pages_comes_on_standard_input() {
    let bench = Bench::new();
    bench.write("a.html", "<a href=x>").write("b.html", "<p><a href=y>");
    let told = bench.run_with_input(&["show", "schema", "-"], "a.html\n\n b.html \n");
    assert_eq!(told.code, 0, "{}", told.err);
    assert_eq!(told.out, "== a.html\nhtml/body/a\n== b.html\nhtml/body/p/a\n");
    let told = bench.run_with_input(&["show", "schema", "-"], "");
    assert_eq!(told.code, 1);
    assert!(told.err.contains("standard input is empty"), "{}", told.err);
}

#[test]
fn a_page_that_is_lost_makes_the_result_partial() {
    let bench = Bench::new();
    bench.write("a.html", "<a href=x>");
    let told = bench.run(&["show", "schema", "a.html", "gone.html", "--summary", "figures.json"]);
    assert_eq!((told.code, told.out.as_str()), (3, "== a.html\nhtml/body/a\n"));
    assert!(told.err.contains("gone.html"), "{}", told.err);
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert!(
        summary["partial_because"][0]
            .as_str()
            .is_some_and(|why| why.contains("gone.html")),
        "{summary}"
    );
    check_error(
        &bench,
        &["show", "page", "gone.html", "lost.html"],
        1,
        &["gone.html", "lost.html"],
    );
}

#[test]
fn nothing_found_has_its_own_code() {
    let bench = Bench::new();
    bench.write("page.html", "<p>no links");
    check_out(&bench, &["show", "links", "page.html"], 5, expect![""]);
    check_out(&bench, &["show", "schema", "page.html"], 5, expect![""]);
}

#[test]
fn mirrors_answer_and_never_ask_the_network() {
    let bench = Bench::new();
    bench
        .write("site/a/index.html", "<a href=../b>b</a>")
        .write("site/b.html", "b")
        .write("site/c.html?x=1", "<p>query");
    bench.write("secret.html", "secret").write("site/picture.png", "PNG");
    let show = |url: &str| bench.run(&["show", "page", url, "--mirror", "http://m.example/=site", "-q"]);
    assert!(
        show("http://m.example/a/")
            .out
            .starts_with("page http://m.example/a/index.html\n")
    );
    assert!(
        show("http://m.example/b")
            .out
            .starts_with("page http://m.example/b.html\n")
    );
    assert!(show("http://m.example/c.html?x=1").out.contains("\"query\""));
    let check_refused = |url: &str, reason: &str| {
        let told = show(url);
        assert_eq!((told.code, told.out.as_str()), (1, ""), "{url}");
        assert!(told.err.contains(reason), "{url}: {}", told.err);
    };
    check_refused("http://m.example/none.html", "status 404");
    check_refused("http://m.example/%2e%2e/secret.html", "status 404");
    check_refused("http://m.example/..%2fsecret.html", "status 404");
    check_refused("http://m.example/picture.png", "no HTML page but image/png");
    check_refused(
        "http://elsewhere.example/",
        "no page source stands for http://elsewhere.example/",
    );
}

#[test]
fn warc_files_answer() {
    let bench = Bench::new();
    let http = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{PAGE}",
        PAGE.len()
    );
    let record = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://w.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:0>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
        http.len()
    );
    bench.write("a.warc", record);
    check_out(
        &bench,
        &["show", "schema", "http://w.example/", "--warc", "a.warc"],
        0,
        expect![[r#"
        html/body/ul/li/a
    "#]],
    );
    check_error(
        &bench,
        &["show", "schema", "http://w.example/x", "--warc", "a.warc"],
        1,
        &["http://w.example/x"],
    );
    check_error(
        &bench,
        &["show", "schema", "http://w.example/", "--warc", "no.warc"],
        1,
        &["no.warc"],
    );
}

#[test]
fn wrong_usage_says_what_to_do() {
    let bench = Bench::new();
    check_error(&bench, &["shwo"], 2, &["shwo", "show"]);
    check_error(&bench, &["show", "picture", "x"], 2, &["picture", "tokens"]);
    check_error(&bench, &["show", "page"], 2, &["PAGE"]);
    check_error(&bench, &["show", "page", "x.html"], 1, &["x.html", "http://"]);
    check_error(&bench, &["show", "page", "."], 1, &["folder", "--mirror"]);
    check_error(&bench, &["show", "page", "ftp://a.example/"], 2, &["ftp", "http"]);
    check_error(
        &bench,
        &["show", "page", "x.html", "--mirror", "nonsense"],
        2,
        &["nonsense"],
    );
    check_error(
        &bench,
        &["show", "page", "x.html", "--mirror", "http://a.example/=nowhere"],
        1,
        &["nowhere"],
    );
    check_error(&bench, &["demo", "--skin", "leather"], 2, &["leather", "modern"]);
    bench.write("page.html", PAGE);
    check_error(
        &bench,
        &["show", "page", "page.html", "--base", "nowhere"],
        2,
        &["--base nowhere", "http://"],
    );
    check_error(&bench, &["demo", "--players", "3"], 2, &["3"]);
    check_error(&bench, &["man", "nosuch"], 2, &["nosuch", "show"]);
}

#[test]
fn odd_pages_are_shown_with_their_problems() {
    let bench = Bench::new();
    bench
        .write("deep.html", "<div>".repeat(2_000))
        .write("bytes.html", b"\xFF\xFE\0\xD8\0<\0p\0>");
    let told = bench.run(&["show", "page", "deep.html", "--summary", "figures.json"]);
    assert_eq!(told.code, 0);
    assert!(told.err.contains("deep.html: too deep"), "{}", told.err);
    assert!(bench.read("figures.json").contains("\"problems\": 1"));
    let told = bench.run(&["show", "page", "deep.html", "-q"]);
    assert_eq!((told.code, told.err.as_str()), (0, ""), "quiet means quiet");
    assert_eq!(bench.run(&["show", "tokens", "bytes.html"]).code, 0);
}

#[test]
fn completions_and_manual_know_the_verbs() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let told = bench.run(&["completions", shell]);
        assert_eq!(told.code, 0);
        assert!(told.out.contains("show") && told.out.contains("mirror"), "{shell}");
    }
    assert!(bench.run(&["man"]).out.contains("untemplate"));
    assert!(bench.run(&["man", "show"]).out.contains("mirror"));
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let bench = Bench::new();
    bench.write("page.html", "<a href=x>".repeat(100_000));
    let program = env!("CARGO_BIN_EXE_untemplate");
    let script = format!("'{program}' show tokens page.html | head -n 1");
    let told = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(bench.path())
        .output()
        .expect("sh runs");
    assert_eq!(
        (String::from_utf8_lossy(&told.stdout).as_ref(), told.stderr.len()),
        ("<html>\n", 0)
    );
}

#[test]
fn the_demo_site_is_visited_over_http() {
    let bench = Bench::new();
    let told = bench.run(&["demo", "--players", "30", "--pages", "40", "--summary", "figures.json"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.starts_with("40 of "), "{}", told.out);
    assert!(told.err.contains("http://127.0.0.1:"), "{}", told.err);
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert_eq!(
        (summary["downloads"].as_u64(), summary["pages"].as_u64()),
        (Some(40), Some(40))
    );
    let again = bench.run(&["demo", "--players", "30", "--pages", "40", "-q"]);
    assert_eq!(
        (again.out, again.err.as_str()),
        (told.out, ""),
        "the same bytes every time"
    );
}

#[test]
fn a_machine_without_certificates_can_fetch_what_is_not_encrypted() {
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["demo", "--players", "20", "--pages", "2", "-q"])
        .envs([("SSL_CERT_FILE", "/nowhere"), ("SSL_CERT_DIR", "/nowhere")])
        .output()
        .expect("the program starts");
    assert_eq!(
        (told.status.code(), String::from_utf8_lossy(&told.stderr).as_ref()),
        (Some(0), "")
    );
}

#[test]
fn the_demo_site_is_written_as_a_mirror_with_its_truth() {
    let bench = Bench::new();
    for skin in ["modern", "tables", "plain"] {
        let told = bench.run(&["demo", "--players", "20", "--skin", skin, "--write", skin]);
        assert_eq!(told.code, 0, "{}", told.err);
        assert!(bench.path().join(skin).join("truth.sqlite").is_file());
        let manifest: Value = serde_json::from_str(&bench.read(&format!("{skin}/manifest.json"))).expect("it is JSON");
        assert!(
            manifest[0]["classes"]
                .as_array()
                .is_some_and(|classes| classes.len() > 5)
        );
        let mirror = format!("http://cup.example/={skin}/site");
        let told = bench.run(&["show", "links", "http://cup.example/", "--mirror", &mirror]);
        assert!(
            told.code == 0 && told.out.contains("http://cup.example/players/"),
            "{skin}: {}",
            told.err
        );
    }
    check_error(&bench, &["demo", "--write", "modern"], 1, &["modern"]);
}

#[test]
fn a_run_that_fails_leaves_a_summary_too() {
    let bench = Bench::new();
    check_error(
        &bench,
        &["show", "page", "gone.html", "--summary", "figures.json"],
        1,
        &["gone.html"],
    );
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert_eq!(
        (summary["exit_code"].as_u64(), summary["failures"].as_u64()),
        (Some(1), Some(1))
    );
    assert!(
        summary["error"]
            .as_str()
            .is_some_and(|error| error.contains("gone.html")),
        "{summary}"
    );
    check_error(&bench, &["man", "gone", "--summary", "figures.json"], 2, &["gone"]);
    assert!(bench.read("figures.json").contains("\"exit_code\": 2"));
}

#[test]
fn a_page_that_is_cut_makes_the_result_partial() {
    let bench = Bench::new();
    bench.write("long.html", "<p>x".repeat(1_000));
    let told = bench.run(&[
        "show",
        "tokens",
        "long.html",
        "--max-page-bytes",
        "100",
        "--summary",
        "figures.json",
    ]);
    assert_eq!(told.code, 3, "{}", told.err);
    assert!(
        told.err.contains("too long") && told.err.contains("--max-page-bytes"),
        "{}",
        told.err
    );
    assert!(bench.read("figures.json").contains("too long"));
    // A device has no end, and is read no further.
    #[cfg(unix)]
    assert_eq!(
        bench
            .run(&["show", "schema", "/dev/zero", "--max-page-bytes", "100"])
            .code,
        3
    );
}

#[cfg(unix)]
#[test]
fn results_are_as_private_as_files_there_are() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let bench = Bench::new();
    bench.write("page.html", PAGE).write("private.txt", "");
    let mode = |name: &str| {
        std::fs::metadata(bench.path().join(name))
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    let private = std::fs::Permissions::from_mode(0o600);
    std::fs::set_permissions(bench.path().join("private.txt"), private).expect("we own it");
    symlink("private.txt", bench.path().join("link.txt")).expect("links can be made");
    assert_eq!(bench.run(&["show", "schema", "page.html", "-o", "link.txt"]).code, 0);
    assert_eq!(
        (bench.read("private.txt").as_str(), mode("private.txt")),
        ("html/body/ul/li/a\n", 0o600)
    );
    assert!(
        std::fs::symlink_metadata(bench.path().join("link.txt"))
            .expect("it is there")
            .is_symlink()
    );
    let program = env!("CARGO_BIN_EXE_untemplate");
    let script = format!("umask 077; '{program}' show schema page.html -o new.txt");
    std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(bench.path())
        .status()
        .expect("sh runs");
    assert_eq!(mode("new.txt"), 0o600);
}

#[test]
fn nobody_listening_is_no_error() {
    let bench = Bench::new();
    bench.write("deep.html", "<div>".repeat(2_000));
    let program = env!("CARGO_BIN_EXE_untemplate");
    let script =
        format!("( '{program}' show schema deep.html; echo $? > code ) 2>&1 >/dev/null | true; sleep 0.2; cat code");
    let told = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(bench.path())
        .output()
        .expect("sh runs");
    assert_eq!(String::from_utf8_lossy(&told.stdout), "5\n");
}

#[test]
fn the_demo_needs_no_proxy() {
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["demo", "--players", "20", "--pages", "2", "-q"])
        .envs([
            ("HTTP_PROXY", "http://127.0.0.1:1"),
            ("http_proxy", "http://127.0.0.1:1"),
        ])
        .output()
        .expect("the program starts");
    assert_eq!(
        (told.status.code(), String::from_utf8_lossy(&told.stderr).as_ref()),
        (Some(0), "")
    );
}

#[test]
fn archives_answer_links_as_pages_spell_them() {
    let bench = Bench::new();
    let record = |url: &str, http: &str| {
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    };
    let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href='caf%c3%a9'>x</a>";
    let moved = "HTTP/1.1 301 Moved\r\nLocation: /caf%C3%A9\r\n\r\n";
    bench.write(
        "a.warc",
        record("http://w.example/caf%c3%a9", ok)
            + &record("http://w.example/old", moved)
            + &record("http://w.example/bad", "garbage"),
    );
    let show = |url: &str| {
        bench.run(&[
            "show",
            "links",
            url,
            "--warc",
            "a.warc",
            "--summary",
            "figures.json",
            "-q",
        ])
    };
    assert_eq!(
        show("http://w.example/caf%C3%A9").out,
        "1 html/body/a\n  http://w.example/caf%C3%A9 \"x\"\n"
    );
    assert_eq!(show("http://w.example/old").code, 0);
    assert!(
        bench.read("figures.json").contains("\"downloads\": 2"),
        "a redirect is a request of its own"
    );
    assert!(
        show("http://w.example/none").err.contains("status 404"),
        "what was not recorded of a host is not there"
    );
    let told = show("http://w.example/bad");
    assert!(told.code == 1 && told.err.contains("no HTTP response"), "{}", told.err);
}
