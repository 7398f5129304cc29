//! The small cases of `corpus/`: pages of our own in, what the program says and writes out.

mod program;

use std::fs;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use program::Bench;

/// The folders of the cases, in order of their names.
fn cases() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let entries = fs::read_dir(corpus).expect("the corpus is there");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let mut cases: Vec<PathBuf> = paths.filter(|path| path.is_dir()).collect();
    cases.sort();
    cases
}

/// Copies a case's input to where it is run.
fn copy(from: &Path, bench: &Bench, below: &str) {
    for entry in fs::read_dir(from).expect("a folder can be read") {
        let path = entry.expect("an entry can be read").path();
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("names are texts");
        let inner = format!("{below}{name}");
        if path.is_dir() {
            copy(&path, bench, &format!("{inner}/"));
        } else {
            bench.write(&inner, fs::read(&path).expect("a file can be read"));
        }
    }
}

/// What the commands of a case say, with exit codes, and the tables that they leave in `out`.
fn outcome(case: &Path) -> String {
    let bench = Bench::new();
    copy(case, &bench, "");
    let mut text = String::new();
    for command in bench.read("commands.txt").lines() {
        let told = bench.run(&command.split_whitespace().collect::<Vec<&str>>());
        text.push_str(&format!("$ untemplate {command}\n{}", told.out));
        if told.code != 0 {
            text.push_str(&format!("exit code {}\n", told.code));
        }
    }
    let tables = fs::read_dir(bench.path().join("out")).into_iter().flatten();
    let mut tables: Vec<PathBuf> = tables
        .map(|entry| entry.expect("an entry can be read").path())
        .filter(|path| path.extension().is_some_and(|end| end == "csv"))
        .collect();
    tables.sort();
    for table in tables {
        let name = table.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let rows = fs::read_to_string(&table).expect("a table can be read");
        text.push_str(&format!("\n{name}\n{}", rows.replace('\r', "")));
    }
    text
}

#[test]
fn every_case_comes_out_as_it_did() {
    let cases = cases();
    assert!(cases.len() >= 10, "{} cases", cases.len());
    for case in cases {
        let about = fs::read_to_string(case.join("about.txt")).expect("a case says what it shows");
        assert_eq!(about.lines().count(), 1, "{}", case.display());
        expect_file![case.join("expected.txt")].assert_eq(&outcome(&case));
    }
}
