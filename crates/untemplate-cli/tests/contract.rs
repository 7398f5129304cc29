//! The output contract, checked from outside: results, messages, summaries, exit codes.

mod program;

use expect_test::expect;
use program::{Bench, PAGE, check_error, check_out};
use serde_json::Value;

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
fn what_cannot_be_written_is_said_in_the_systems_words() {
    let bench = Bench::new();
    bench.write("page.html", PAGE);
    let words = ["show", "schema", "page.html", "--summary", "no/such/figures.json"];
    check_error(
        &bench,
        &words,
        1,
        &["cannot write no/such/figures.json", "No such file or directory"],
    );
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
fn the_demo_site_is_rebuilt_over_http() {
    let bench = Bench::new();
    let told = bench.run(&[
        "demo",
        "--players",
        "30",
        "--summary",
        "figures.json",
        "--tables",
        "tables",
    ]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(told.out.starts_with("made from  30 players, "), "{}", told.out);
    assert!(told.err.contains("http://127.0.0.1:"), "{}", told.err);
    let summary: Value = serde_json::from_str(&bench.read("figures.json")).expect("a summary is JSON");
    assert!(
        summary["rows"]["players"].as_u64().is_some_and(|rows| rows >= 30),
        "{summary}"
    );
    // Its calendar has no end; the site without it has some hundred pages.
    assert!(
        summary["downloads"].as_u64().is_some_and(|downloads| downloads < 200),
        "{summary}"
    );
    assert!(bench.path().join("tables/tables.sqlite").is_file());
    let again = bench.run(&["demo", "--players", "30", "-q", "--tables", "tables"]);
    assert_eq!(
        (again.out, again.err.as_str()),
        (told.out, ""),
        "the same bytes every time"
    );
}

#[test]
fn the_demo_site_is_written_as_a_mirror_with_its_truth() {
    let bench = Bench::new();
    for skin in ["modern", "tables", "plain", "wild"] {
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
fn no_result_overwrites_another() {
    let bench = Bench::new();
    bench.write("a.html", PAGE);
    let infer = ["infer", "a.html", "-o", "out"];
    check_error(
        &bench,
        &[&infer[..], &["--html", "./out"]].concat(),
        2,
        &["-o and --html", "out"],
    );
    check_error(
        &bench,
        &[&infer[..], &["--summary", "./out"]].concat(),
        2,
        &["-o and --summary"],
    );
    assert!(!bench.path().join("out").exists());
}
