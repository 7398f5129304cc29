//! Page sources, from outside: files, mirrors, WARC files, the live web.

mod program;

use expect_test::expect;
use program::{Bench, PAGE, check_error, check_out};

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
fn a_machine_without_certificates_can_fetch_what_is_not_encrypted() {
    let bench = Bench::new();
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["demo", "--players", "20", "-q"])
        .current_dir(bench.path())
        .envs([("SSL_CERT_FILE", "/nowhere"), ("SSL_CERT_DIR", "/nowhere")])
        .output()
        .expect("the program starts");
    assert_eq!(
        (told.status.code(), String::from_utf8_lossy(&told.stderr).as_ref()),
        (Some(0), "")
    );
}

#[test]
fn the_demo_needs_no_proxy() {
    let bench = Bench::new();
    let told = std::process::Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["demo", "--players", "20", "-q"])
        .current_dir(bench.path())
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

#[test]
fn pages_are_rendered_where_there_is_a_browser() {
    let bench = Bench::new();
    bench
        .write("site/index.html", "<body><script src=app.js></script>")
        .write(
            "site/app.js",
            "document.body.innerHTML = '<a href=made.html>Made by a script</a>'",
        );
    let mirror = ["--mirror", "http://m.example/=site"];
    let show = |more: &[&str]| {
        let base = ["show", "links", "http://m.example/"];
        bench.run(&[&base[..], &mirror, more].concat())
    };
    assert_eq!(show(&[]).code, 5, "as fetched there is no link");
    for render in ["--render", "--render=auto"] {
        let told = show(&[render, "--summary", "summary.json"]);
        if told.err.contains("rendering needs Chromium") {
            program::skip("no Chromium on this machine");
            return;
        }
        assert_eq!(
            told.out, "1 html/body/a\n  http://m.example/made.html \"Made by a script\"\n",
            "{}",
            told.err
        );
        let summary = bench.read("summary.json");
        assert!(
            summary.contains("\"downloads\": 2,"),
            "the script is a request, too: {summary}"
        );
    }
    let told = show(&["--render", "--browser", "no-such-browser"]);
    assert_eq!(told.code, 1);
    assert!(told.err.contains("no-such-browser"), "{}", told.err);
    let told = show(&["--render", "--browser", "true"]);
    assert!(told.code == 1 && told.err.contains("cannot start"), "{}", told.err);
    let told = bench.run(&["show", "links", "site/index.html", "--render"]);
    assert_eq!(told.code, 2);
    assert!(told.err.contains("--mirror"), "{}", told.err);
}
